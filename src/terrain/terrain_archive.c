// SPDX-License-Identifier: MIT
// A terrain as an archive: saved, restored and hashed by one list of its parts.
#include "terrain/terrain.h"

#include "core/archive.h"

#include <string.h>

// ---- parts -------------------------------------------------------------------------------------

// What wadi_terrain_create() needs.
static wadi_result archive_def(wadi_archive* archive, wadi_terrain_def* def)
{
    WADI_TRY(wadi_archive_part(archive, "terrain", 1));
    int32_t edges[4];
    for (int side = 0; side < 4; ++side)
    {
        edges[side] = (int32_t)def->edges[side];
    }
    wadi_archive_i32(archive, &def->width, 1);
    wadi_archive_i32(archive, &def->height, 1);
    wadi_archive_f64(archive, &def->cell_size, 1);
    wadi_archive_i32(archive, edges, 4);
    wadi_archive_i32(archive, &def->loose_count, 1);
    wadi_archive_u64(archive, &def->seed, 1);
    for (int side = 0; side < 4; ++side)
    {
        def->edges[side] = (wadi_edge)edges[side];
    }
    return wadi_archive_result(archive);
}

static void archive_material(wadi_archive* archive, wadi_material* material)
{
    wadi_archive_bytes(archive, material->name, WADI_NAME_LENGTH);
    double* values[] = {&material->density,        &material->porosity, &material->hardness,
                        &material->friction_angle, &material->cohesion, &material->conductivity,
                        &material->grain_diameter};
    for (int32_t i = 0; i < WADI_COUNT(values); ++i)
    {
        wadi_archive_f64(archive, values[i], 1);
    }
}

static wadi_result archive_materials(wadi_archive* archive, wadi_terrain* terrain)
{
    int64_t count = terrain->material_count;
    WADI_TRY(wadi_archive_count(archive, &count, WADI_MAX_MATERIALS, "materials"));
    terrain->material_count = (int32_t)count;
    for (int64_t i = 0; i < count; ++i)
    {
        archive_material(archive, &terrain->materials[i]);
    }
    terrain->ground.rock_softness = 1.0 - terrain->materials[WADI_MATERIAL_ROCK].hardness;
    wadi_archive_bytes(archive, terrain->loose_names, sizeof terrain->loose_names);
    wadi_archive_i32(archive, terrain->ground.material, WADI_MAX_LOOSE);
    return wadi_archive_result(archive);
}

static wadi_result archive_georef(wadi_archive* archive, wadi_terrain* terrain)
{
    wadi_archive_bool(archive, &terrain->georef.valid);
    wadi_archive_f64(archive, terrain->georef.affine, 6);
    int64_t length = terrain->wkt != NULL ? (int64_t)strlen(terrain->wkt) : 0;
    WADI_TRY(wadi_archive_count(archive, &length, 1 << 20, "letters of a coordinate system"));
    if (wadi_archive_is_reading(archive) && length > 0)
    {
        WADI_ALLOC(terrain->context, terrain->wkt, length + 1, "the coordinate system");
    }
    wadi_archive_bytes(archive, terrain->wkt, length);
    return wadi_archive_result(archive);
}

static void archive_tally(wadi_archive* archive, wadi_tally* tally)
{
    int64_t* rows[] = {tally->eroded, tally->deposited, tally->converted,
                       tally->in,     tally->lost,      tally->transit};
    for (int32_t i = 0; i < WADI_COUNT(rows); ++i)
    {
        wadi_archive_sums(archive, rows[i], WADI_MAX_MATERIALS);
    }
    wadi_archive_sums(archive, &tally->out[0][0], (int64_t)WADI_MAX_MATERIALS * WADI_SIDE_COUNT);
}

static wadi_result archive_books(wadi_archive* archive, wadi_terrain* terrain)
{
    for (int32_t i = 0; i < WADI_MAX_MATERIALS; ++i)
    {
        const bool reads = wadi_archive_is_reading(archive);
        const wadi_wide sum = reads ? 0 : wadi_terrain_of_windows(terrain, terrain->edited[i]);
        uint64_t halves[2] = {(uint64_t)sum, (uint64_t)(sum >> 64)};
        wadi_archive_u64(archive, halves, 2);
        __extension__ typedef unsigned __int128 bits;
        if (reads && wadi_ground_is_first(&terrain->ground))
        {
            terrain->edited[i] = (wadi_wide)((bits)halves[1] << 64 | halves[0]);
        }
    }
    int64_t count = terrain->account_count;
    WADI_TRY(wadi_archive_count(archive, &count, TERRAIN_MAX_ACCOUNTS, "accounts"));
    terrain->account_count = (int32_t)count;
    for (int64_t i = 0; i < count; ++i)
    {
        wadi_archive_bytes(archive, terrain->accounts[i].process, WADI_NAME_LENGTH);
        archive_tally(archive, &terrain->accounts[i].tally);
    }
    return wadi_archive_result(archive);
}

static wadi_result archive_strata(wadi_archive* archive, wadi_terrain* terrain)
{
    wadi_ground* ground = &terrain->ground;
    int64_t count = ground->strata != NULL ? ground->strata->count : 0;
    WADI_TRY(wadi_archive_count(archive, &count, WADI_MAX_STRATA, "beds of rock"));
    if (count == 0)
    {
        return WADI_OK;
    }
    wadi_strata beds = {.count = (int32_t)count};
    if (ground->strata != NULL)
    {
        beds = *ground->strata;
    }
    wadi_archive_i32(archive, beds.bottom, count);
    wadi_archive_u16(archive, beds.hardness, count);
    if (wadi_archive_is_reading(archive))
    {
        WADI_TRY(wadi_strata_adopt(terrain, &beds));
    }
    wadi_archive_grid(archive, ground->strata->top, 4, ground->width, ground->height);
    return wadi_archive_result(archive);
}

static wadi_result archive_layers(wadi_archive* archive, wadi_terrain* terrain)
{
    wadi_ground* ground = &terrain->ground;
    const int32_t width = ground->width;
    const int32_t height = ground->height;
    wadi_archive_grid(archive, ground->bedrock, 4, width, height);
    wadi_archive_grid(archive, ground->water, 4, width, height);
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        wadi_archive_grid(archive, ground->loose[i], 4, width, height);
    }
    wadi_archive_grid(archive, ground->hardness, 2, width, height);
    wadi_archive_grid(archive, ground->vegetation, 2, width, height);
    wadi_archive_grid(archive, ground->moisture, 2, width, height);
    wadi_archive_grid(archive, ground->void_sides != NULL ? ground->void_sides : ground->valid, 1,
                      width, height);
    return archive_strata(archive, terrain);
}

static wadi_result archive_rest(wadi_archive* archive, wadi_terrain* terrain)
{
    wadi_archive_i64(archive, &terrain->clock.ms, 1);
    WADI_TRY(wadi_sea_archive(archive, terrain));
    WADI_TRY(wadi_rivers_archive(archive, terrain));
    WADI_TRY(archive_materials(archive, terrain));
    WADI_TRY(archive_georef(archive, terrain));
    WADI_TRY(archive_books(archive, terrain));
    return archive_layers(archive, terrain);
}

// ---- save and hash -----------------------------------------------------------------------------

static wadi_result archive_all(wadi_archive* archive, const wadi_terrain* terrain)
{
    wadi_terrain_def def = wadi_terrain_definition(terrain);
    WADI_TRY(archive_def(archive, &def));
    return archive_rest(archive, wadi_archive_const(terrain));
}

uint64_t wadi_terrain_hash(const wadi_terrain* terrain)
{
    wadi_archive archive;
    wadi_archive_open_hash(&archive, terrain->context);
    (void)archive_all(&archive, terrain);
    return archive.hash;
}

wadi_result wadi_terrain_save(const wadi_terrain* terrain, wadi_write_fn* write, void* user)
{
    wadi_archive* archive = wadi_archive_to(terrain->context, write, user);
    if (archive == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    (void)archive_all(archive, terrain);
    double rest = terrain->clock.rest;
    wadi_archive_f64(archive, &rest, 1);
    return wadi_archive_close(archive);
}

// ---- load --------------------------------------------------------------------------------------

// A checksum tells damage from what was written, but not what was written from sense.
static wadi_result load_check_text(wadi_terrain* terrain)
{
    bool sound = terrain->material_count > WADI_MATERIAL_WATER;
    for (int32_t i = 0; i < terrain->material_count; ++i)
    {
        sound = sound && wadi_material_is_sound(&terrain->materials[i]);
    }
    for (int32_t i = 0; i < terrain->ground.loose_count; ++i)
    {
        sound = sound && memchr(terrain->loose_names[i], '\0', WADI_NAME_LENGTH) != NULL &&
                terrain->ground.material[i] >= 0 &&
                terrain->ground.material[i] < terrain->material_count;
    }
    for (int32_t i = 0; i < terrain->account_count; ++i)
    {
        sound = sound && memchr(terrain->accounts[i].process, '\0', WADI_NAME_LENGTH) != NULL;
    }
    WADI_CHECK(terrain->context, sound, WADI_ERROR_FORMAT,
               "the saved terrain has a material, a layer or an account out of range");
    return WADI_OK;
}

static bool load_cell_is_sound(const wadi_ground* ground, int64_t cell)
{
    const int64_t limit = (int64_t)WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE;
    int64_t surface = ground->bedrock[cell];
    bool sound = surface >= -limit && surface <= limit && ground->water[cell] >= 0 &&
                 ground->valid[cell] < 2 + WADI_SIDE_VOID;
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        sound = sound && ground->loose[i][cell] >= 0;
        surface += ground->loose[i][cell];
    }
    return sound && surface <= limit;
}

static wadi_result load_check_cells(wadi_terrain* terrain)
{
    wadi_ground* ground = &terrain->ground;
    ground->all_valid = true;
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        WADI_CHECK(terrain->context, load_cell_is_sound(ground, cell), WADI_ERROR_FORMAT,
                   "the saved terrain has a height out of range in cell (%lld, %lld)",
                   (long long)(cell % ground->width), (long long)(cell / ground->width));
        ground->all_valid = ground->all_valid && ground->valid[cell] == 1;
    }
    return WADI_OK;
}

static wadi_result load_all(wadi_archive* archive, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    WADI_TRY(archive_def(archive, &def));
    WADI_TRY(wadi_terrain_create(wadi_archive_context(archive), &def, out));
    wadi_terrain* terrain = *out;
    WADI_TRY(archive_rest(archive, terrain));
    wadi_archive_f64(archive, &terrain->clock.rest, 1);
    WADI_TRY(wadi_archive_result(archive));
    WADI_TRY(load_check_text(terrain));
    WADI_TRY(load_check_cells(terrain));
    return wadi_void_sides_split(terrain);
}

wadi_result wadi_terrain_load(wadi_context* context, wadi_read_fn* read, void* user,
                              wadi_terrain** out)
{
    *out = NULL;
    wadi_archive* archive = wadi_archive_from(context, read, user);
    if (archive == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    const wadi_result result = wadi_archive_end(archive, load_all(archive, out));
    if (result != WADI_OK)
    {
        wadi_terrain_destroy(*out);
        *out = NULL;
    }
    return result;
}
