// SPDX-License-Identifier: MIT
// State of graded rivers between two steps: the land and the axes from the first step, sums by
// cell, and the load at the ends. Courses and corridor follow from the axes.
#include "processes/riverbed/graded_internal.h"

#include "core/internal.h"

#include <wadi/archive.h>

#include <math.h>

// Load at the end of a river [units], and what settles of it in a cell when emitters change. Both
// lie far above what rivers carry, and keep damaged files from overflowing heights.
static const int64_t archive_most_held = (int64_t)1 << 50;
static const int64_t archive_most_settled = (int64_t)1000 * WADI_UNITS_PER_METRE;
static const int64_t archive_most_sum = (int64_t)1 << 62;
static const int32_t archive_most_units = (int32_t)1 << 30; // of bars and water in a cell
static const int32_t archive_most_count = (int32_t)1 << 30;
// Highest level of a lake, with room for what floods lay down above it.
static const int64_t archive_most_level = (int64_t)32000 * WADI_UNITS_PER_METRE;

// Which cells are banks; their slope is that of the parameters.
static wadi_result archive_banks(wadi_graded* graded, wadi_archive* archive)
{
    const wadi_ground* ground = graded->ground;
    const float rest = (float)wadi_talus_tangent(graded->params.repose);
    uint8_t* banks;
    WADI_ALLOC(graded->context, banks, ground->cells, "banks of rivers");
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        banks[i] = graded->tangents[i] < graded_cliff ? 1 : 0;
    }
    wadi_archive_grid(archive, banks, 1, ground->width, ground->height);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        graded->tangents[i] = banks[i] != 0 ? rest : graded_cliff;
    }
    wadi_free(graded->context, banks);
    return wadi_archive_result(archive);
}

static bool archive_is_sum(int64_t value)
{
    return value >= 0 && value <= archive_most_sum;
}

// Are sums and maps such that steps can go on from them?
static wadi_result archive_check_sums(const wadi_graded* graded)
{
    bool sound = archive_is_sum(graded->particles) && archive_is_sum(graded->steps) &&
                 archive_is_sum(graded->dead);
    for (int64_t i = 0; i < graded->ground->cells && sound; ++i)
    {
        sound = archive_is_sum(graded->worn[i]) && archive_is_sum(graded->raised[i]) &&
                graded->laid[i] >= 0 && graded->laid[i] <= archive_most_units &&
                graded->depth[i] >= 0 && graded->depth[i] <= archive_most_units;
    }
    WADI_CHECK(graded->context, sound, WADI_ERROR_FORMAT,
               "the saved sums of rivers are out of range");
    return WADI_OK;
}

static wadi_result archive_sums(wadi_graded* graded, wadi_archive* archive)
{
    const wadi_ground* ground = graded->ground;
    void* const wide[] = {graded->worn, graded->raised};
    void* const narrow[] = {graded->laid, graded->depth, graded->poured, graded->last};
    for (size_t i = 0; i < 2; ++i)
    {
        wadi_archive_grid(archive, wide[i], 8, ground->width, ground->height);
    }
    for (size_t i = 0; i < 4; ++i)
    {
        wadi_archive_grid(archive, narrow[i], 4, ground->width, ground->height);
    }
    double* const numbers[] = {&graded->years, &graded->began, &graded->filled};
    int64_t* const counts[] = {&graded->particles, &graded->steps, &graded->dead};
    for (size_t i = 0; i < 3; ++i)
    {
        wadi_archive_f64(archive, numbers[i], 1);
        wadi_archive_i64(archive, counts[i], 1);
    }
    wadi_archive_i32(archive, &graded->batch, 1);
    wadi_archive_i32(archive, &graded->course, 1);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(graded->context,
               !wadi_archive_is_reading(archive) ||
                   (graded->batch >= 0 && graded->batch <= archive_most_count &&
                    graded->course >= 0 && graded->course <= archive_most_count),
               WADI_ERROR_FORMAT, "the saved batches of rivers are out of range");
    WADI_TRY(wadi_archive_is_reading(archive) ? archive_check_sums(graded) : WADI_OK);
    return archive_banks(graded, archive);
}

// What a graded river takes from its emitter.
static bool archive_emitter(riverbed_emitter* e, wadi_archive* archive)
{
    double* const values[] = {&e->x, &e->y, &e->width, &e->facing, &e->heading, &e->discharge};
    bool sound = true;
    for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k)
    {
        wadi_archive_f64(archive, values[k], 1);
        sound = sound && fabs(*values[k]) < 1e9;
    }
    return sound && e->discharge > 0.0;
}

static bool archive_is_same(const riverbed_emitter* a, const riverbed_emitter* b)
{
    const double pairs[][2] = {{a->x, b->x},
                               {a->y, b->y},
                               {a->width, b->width},
                               {a->facing, b->facing},
                               {a->heading, b->heading},
                               {a->discharge, b->discharge}};
    bool same = true;
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; ++k)
    {
        same = same && pairs[k][0] >= pairs[k][1] && pairs[k][0] <= pairs[k][1];
    }
    return same;
}

// Rivers are restored from the emitters that made them. Where the parameters or the table now give
// others, those begin anew at the next advance.
static wadi_result archive_emitters(wadi_graded* graded, wadi_archive* archive)
{
    int64_t count = graded->emitter_count;
    WADI_TRY(wadi_archive_count(archive, &count, 1 << 24, "emitters of rivers"));
    riverbed_emitter* saved;
    WADI_ALLOC(graded->context, saved, count + 1, "emitters");
    bool sound = count > 0;
    bool same = count == graded->emitter_count;
    for (int64_t i = 0; i < count; ++i)
    {
        saved[i] = i < graded->emitter_count ? graded->emitters[i] : saved[i];
        sound = archive_emitter(&saved[i], archive) && sound;
        same = same && archive_is_same(&saved[i], &graded->emitters[i]);
    }
    if (!sound || same)
    {
        wadi_free(graded->context, saved);
        WADI_TRY(wadi_archive_result(archive));
        return same ? WADI_OK
                    : wadi_context_fail(graded->context, WADI_ERROR_FORMAT,
                                        "the saved emitters of rivers are out of range");
    }
    graded->next = graded->emitters;
    graded->next_count = graded->emitter_count;
    graded->emitters = saved;
    graded->emitter_count = (int32_t)count;
    return wadi_archive_result(archive);
}

static wadi_result archive_land(wadi_graded* graded, wadi_archive* archive)
{
    graded_land* land = &graded->land;
    float* const maps[] = {land->broad, land->near, land->broad_soft, land->near_soft};
    for (int m = 0; m < 4; ++m)
    {
        wadi_archive_grid(archive, maps[m], sizeof *maps[m], land->width, land->height);
        const double most = m < 2 ? WADI_HEIGHT_LIMIT + 1.0 : 1.01;
        for (int64_t i = 0; i < graded->ground->cells; ++i)
        {
            WADI_CHECK(graded->context, fabs((double)maps[m][i]) <= most, WADI_ERROR_FORMAT,
                       "the saved land of rivers is out of range");
        }
    }
    return wadi_archive_result(archive);
}

static bool archive_is_sound(const graded_axis* a)
{
    return fabs(a->at.x) < 1e9 && fabs(a->at.y) < 1e9 && fabs(a->along.x) < 2.0 &&
           fabs(a->along.y) < 2.0 && a->damping >= 0.0 && a->damping < 1e3 && a->width > 1e-3 &&
           a->width < 1e6 && a->depth > 1e-6 && a->depth < 1e3 && a->discharge > 0.0 &&
           a->discharge < 1e9;
}

static wadi_result archive_axis(wadi_graded* graded, graded_river* river, wadi_archive* archive)
{
    int64_t count = river->axis_count;
    WADI_TRY(wadi_archive_count(archive, &count, river->capacity, "points of a river's axis"));
    river->axis_count = (int32_t)count;
    for (int64_t i = 0; i < count; ++i)
    {
        graded_axis* a = &river->axis[i];
        double* const values[] = {&a->at.x,    &a->at.y,  &a->along.x, &a->along.y,  &a->to_go,
                                  &a->damping, &a->width, &a->depth,   &a->discharge};
        for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k)
        {
            wadi_archive_f64(archive, values[k], 1);
        }
        WADI_TRY(wadi_archive_result(archive));
        WADI_CHECK(graded->context, archive_is_sound(a), WADI_ERROR_FORMAT,
                   "a point of the saved axis of a river is out of range");
    }
    return WADI_OK;
}

static wadi_result archive_river(wadi_graded* graded, graded_river* river, wadi_archive* archive)
{
    WADI_TRY(archive_axis(graded, river, archive));
    wadi_archive_i32(archive, &river->into, 1);
    wadi_archive_i32(archive, &river->into_axis, 1);
    wadi_archive_i64(archive, &river->held, 1);
    int64_t stations = (river->count + GRADED_STATION - 1) / GRADED_STATION;
    WADI_TRY(wadi_archive_count(archive, &stations, river->capacity / GRADED_STATION + 1,
                                "stations of a river"));
    wadi_archive_i64(archive, river->passing, stations);
    const bool joins = river->into >= 0 && river->into < river->number;
    WADI_CHECK(
        graded->context,
        river->axis_count > 0 && river->held >= 0 && river->held <= archive_most_held &&
            (river->into == -1 || (joins && river->into_axis >= 0 &&
                                   river->into_axis < graded->rivers[river->into].axis_count)),
        WADI_ERROR_FORMAT, "a saved river is out of range");
    return wadi_archive_result(archive);
}

static wadi_result archive_check_held(const wadi_graded* graded)
{
    int64_t held = 0;
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        held += graded->rivers[i].held;
    }
    const int64_t cells = graded->corridor.count;
    WADI_CHECK(graded->context, cells == 0 || held / cells <= archive_most_settled,
               WADI_ERROR_FORMAT,
               "the saved load at the ends of rivers is %lld units; at most %lld fit in %lld cells",
               (long long)held, (long long)(cells * archive_most_settled), (long long)cells);
    return WADI_OK;
}

// The chain of path free.
static wadi_result archive_chain(wadi_graded* graded, graded_river* river, wadi_archive* archive)
{
    int64_t count = river->chain_count;
    WADI_TRY(wadi_archive_count(archive, &count, river->chain_capacity, "points of a course"));
    river->chain_count = (int32_t)count;
    for (int64_t i = 0; i < count; ++i)
    {
        riverbed_point* at = &river->chain[i].at;
        wadi_archive_f64(archive, &at->x, 1);
        wadi_archive_f64(archive, &at->y, 1);
        WADI_TRY(wadi_archive_result(archive));
        WADI_CHECK(graded->context, fabs(at->x) < 1e9 && fabs(at->y) < 1e9, WADI_ERROR_FORMAT,
                   "a point of the saved course of a river is out of range");
    }
    return WADI_OK;
}

// What path free adds to the state: chains and lakes. The list of lakes follows from the map.
static wadi_result archive_free(wadi_graded* graded, wadi_archive* archive)
{
    const wadi_ground* ground = graded->ground;
    // a state of another path, which is continued with path free, has no chain yet
    bool is_free = graded->params.path == WADI_RIVERBED_FREE;
    wadi_archive_bool(archive, &is_free);
    WADI_TRY(wadi_archive_result(archive));
    if (!is_free)
    {
        return WADI_OK;
    }
    wadi_archive_i64(archive, &graded->cutoffs, 1);
    wadi_archive_grid(archive, graded->lake, 4, ground->width, ground->height);
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        WADI_TRY(archive_chain(graded, &graded->rivers[i], archive));
    }
    WADI_TRY(wadi_archive_result(archive));
    graded->lake_count = 0;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        if (graded->lake[i] != GRADED_DRY)
        {
            WADI_CHECK(graded->context,
                       graded->lake[i] >= -archive_most_level &&
                           graded->lake[i] <= archive_most_level,
                       WADI_ERROR_FORMAT, "the saved level of an oxbow lake is out of range");
            WADI_GROW(graded->context, graded->lakes, graded->lake_count, graded->lake_capacity,
                      1024, "cells of oxbow lakes");
            graded->lakes[graded->lake_count++] = (int32_t)i;
        }
    }
    return WADI_OK;
}

wadi_result wadi_graded_archive(void* user, wadi_archive* archive)
{
    wadi_graded* graded = user;
    const bool reads = wadi_archive_is_reading(archive);
    WADI_TRY(archive_sums(graded, archive));
    bool is_laid = graded->river_count > 0;
    wadi_archive_bool(archive, &is_laid);
    WADI_TRY(wadi_archive_result(archive));
    if (!is_laid)
    {
        return WADI_OK;
    }
    WADI_TRY(archive_emitters(graded, archive));
    WADI_TRY(reads ? wadi_graded_restore_rivers(graded) : WADI_OK);
    WADI_TRY(archive_land(graded, archive));
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        WADI_TRY(archive_river(graded, &graded->rivers[i], archive));
    }
    WADI_TRY(archive_free(graded, archive));
    WADI_TRY(reads ? wadi_graded_restore_courses(graded) : WADI_OK);
    return reads ? archive_check_held(graded) : WADI_OK;
}
