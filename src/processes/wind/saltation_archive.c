// SPDX-License-Identifier: MIT
// What saltation keeps between steps. Gates and the constants of the wind follow from the heading.
#include "processes/wind/saltation_state.h"

#include <math.h>

static float* archive_member(saltation_mean* mean, int32_t member)
{
    float* const members[] = {&mean->flux_x,   &mean->flux_y, &mean->speed,
                              &mean->contacts, &mean->visits, &mean->recent};
    return members[member];
}

// One member of the means as a grid. The angles of repose are computed anew in each step, so their
// memory is free here.
static void archive_mean(saltation* s, wadi_archive* archive, int32_t member)
{
    const bool reads = wadi_archive_is_reading(archive);
    for (int64_t i = 0; i < s->ground->cells; ++i)
    {
        s->tangents[i] = *archive_member(&s->means[i], member);
    }
    wadi_archive_grid(archive, s->tangents, 4, s->ground->width, s->ground->height);
    for (int64_t i = 0; i < s->ground->cells && reads; ++i)
    {
        *archive_member(&s->means[i], member) = s->tangents[i];
    }
}

static void archive_grids(saltation* s, wadi_archive* archive)
{
    const int32_t width = s->ground->width;
    const int32_t height = s->ground->height;
    wadi_archive_grid(archive, s->later, 4, width, height);
    wadi_archive_grid(archive, s->wear, 4, width, height);
    wadi_archive_grid(archive, s->deposit, 4, width, height);
    for (int32_t member = 0; member < 6; ++member)
    {
        archive_mean(s, archive, member);
    }
}

static void archive_counts(saltation* s, wadi_archive* archive)
{
    int64_t steps = 0;
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        steps += s->workers[w].steps;
    }
    wadi_archive_i32(archive, &s->datum, 1);
    wadi_archive_f64(archive, &s->heading, 1);
    wadi_archive_f64(archive, &s->wind_speed, 1);
    wadi_archive_u32(archive, &s->clock, 1);
    wadi_archive_f64(archive, &s->years, 1);
    wadi_archive_f64(archive, &s->blown, 1);
    wadi_archive_f64(archive, &s->passed, 1);
    wadi_archive_i64(archive, &s->batches, 1);
    wadi_archive_i64(archive, &steps, 1);
    if (wadi_archive_is_reading(archive))
    {
        s->workers[0].steps = steps;
    }
}

// Creep and flux become amounts of sand.
static wadi_result archive_check_grids(const saltation* s)
{
    for (int64_t i = 0; i < s->ground->cells; ++i)
    {
        const float later = s->later[i];
        const float recent = s->means[i].recent;
        WADI_CHECK(s->context, later >= 0.0f && later < 1e9f && recent >= 0.0f && recent < 1e18f,
                   WADI_ERROR_FORMAT, "the saved wind has a creep of %g and a flux of %g at a cell",
                   (double)later, (double)recent);
    }
    return WADI_OK;
}

// Set up what follows from the state that was read.
static wadi_result archive_resume(saltation* s)
{
    WADI_TRY(archive_check_grids(s));
    s->carried = wadi_saltation_fleet_load(s);
    const bool started = s->heading >= 0.0;
    WADI_CHECK(s->context, started || s->carried == 0, WADI_ERROR_FORMAT,
               "the saved wind has sand in the air, but has not blown yet");
    WADI_CHECK(s->context,
               !started || (s->heading <= 360.0 && s->wind_speed > 0.0 && s->wind_speed < 1e6),
               WADI_ERROR_FORMAT,
               "the saved wind blows from %g degrees with %g m/s; expected 0 to 360 degrees",
               s->heading, s->wind_speed);
    if (started)
    {
        const wind_spell wind = {s->heading, s->wind_speed, 0.0};
        wadi_saltation_law_set(s, &wind, 0.0);
        wadi_saltation_edge_list_gates(s);
    }
    return WADI_OK;
}

wadi_result wadi_saltation_archive(void* user, wadi_archive* archive)
{
    saltation* s = user;
    archive_counts(s, archive);
    WADI_TRY(wadi_saltation_fleet_archive(s, archive));
    archive_grids(s, archive);
    WADI_TRY(wadi_saltation_crowd_archive(s, archive));
    WADI_TRY(wadi_talus_archive(s->talus, archive));
    WADI_TRY(wadi_sand_top_archive(s->top, archive, s->ground));
    return wadi_archive_is_reading(archive) ? archive_resume(s) : WADI_OK;
}
