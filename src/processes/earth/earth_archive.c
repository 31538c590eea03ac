// SPDX-License-Identifier: MIT
// State of the process "earth": clock, ground, materials, grains and the water in and around them.
#include "bodies/engine/saved.h"
#include "processes/earth/earth_water.h"

static wadi_result archive_ground(wadi_archive* archive, wadi_earth_state* state)
{
    const int32_t width = wadi_terrain_width(state->terrain);
    const int32_t height = wadi_terrain_height(state->terrain);
    bool is_kept = state->ground != NULL;
    wadi_archive_bool(archive, &is_kept);
    WADI_TRY(wadi_archive_result(archive));
    if (is_kept && state->ground == NULL)
    {
        WADI_ALLOC(wadi_archive_context(archive), state->ground, (int64_t)width * height, "ground");
    }
    if (is_kept)
    {
        wadi_archive_grid(archive, state->ground, 4, width, height);
    }
    return wadi_archive_result(archive);
}

static wadi_result archive_materials(wadi_archive* archive, wadi_earth_state* state)
{
    int64_t count = state->body_count;
    WADI_TRY(wadi_archive_count(archive, &count, WADI_GRAIN_MAX_MATERIALS - 1, "bodies of soil"));
    state->body_count = (int32_t)count;
    for (int32_t i = 0; i <= state->body_count; ++i)
    {
        wadi_wet_material* material = &state->materials[i];
        if (wadi_archive_is_reading(archive) || count == 0)
        {
            *material = wadi_wet_material_default();
        }
        WADI_TRY(wadi_archive_fields(archive, &wadi_grain_material_fields, &material->grain));
        WADI_TRY(wadi_archive_fields(archive, &wadi_soil_fields, &material->soil));
        WADI_TRY(wadi_archive_fields(archive, &wadi_cohesion_fields, &material->cohesion));
    }
    return WADI_OK;
}

// ---- grains ------------------------------------------------------------------------------------

// The grains that a world is created from. Their water follows with the state of the world.
static wadi_result archive_grains(wadi_archive* archive, wadi_earth_state* state,
                                  wadi_grain* grains)
{
    const bool reads = wadi_archive_is_reading(archive);
    if (!reads)
    {
        wadi_grains_read(wadi_wet_grains_solid(state->world), grains);
    }
    for (int32_t i = 0; i < state->count; ++i)
    {
        wadi_earth_wrap(state->terrain, grains[i].position);
        wadi_saved_grain(archive, &grains[i]);
    }
    WADI_TRY(wadi_archive_result(archive));
    return reads ? wadi_earth_create_world(state, grains) : WADI_OK;
}

static wadi_result archive_world(wadi_archive* archive, wadi_earth_state* state)
{
    int64_t count = state->count;
    WADI_TRY(wadi_archive_count(archive, &count, 100000000, "grains"));
    if (count == 0)
    {
        return WADI_OK;
    }
    WADI_CHECK(wadi_archive_context(archive), state->ground != NULL && state->body_count > 0,
               WADI_ERROR_FORMAT, "the saved state has grains without ground or material");
    wadi_grain* grains;
    WADI_ALLOC(wadi_archive_context(archive), grains, count, "grains");
    state->count = (int32_t)count;
    const wadi_result result = archive_grains(archive, state, grains);
    wadi_free(wadi_archive_context(archive), grains);
    WADI_TRY(result);
    return wadi_wet_grains_archive(state->world, archive);
}

// ---- all of it ---------------------------------------------------------------------------------

static wadi_result archive_water(wadi_archive* archive, wadi_earth_state* state)
{
    bool is_there = state->water != NULL;
    wadi_archive_bool(archive, &is_there);
    WADI_TRY(wadi_archive_result(archive));
    if (!is_there)
    {
        return WADI_OK;
    }
    WADI_CHECK(wadi_archive_context(archive), state->ground != NULL, WADI_ERROR_FORMAT,
               "the saved state has water without ground");
    return wadi_earth_water_archive(state, archive);
}

wadi_result wadi_earth_archive(void* user, wadi_archive* archive)
{
    wadi_earth_state* state = user;
    wadi_archive_f64(archive, &state->begun, 1);
    wadi_archive_f64(archive, &state->asked, 1);
    WADI_TRY(archive_ground(archive, state));
    WADI_TRY(archive_materials(archive, state));
    WADI_TRY(archive_world(archive, state));
    return archive_water(archive, state);
}
