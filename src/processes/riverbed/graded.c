// SPDX-License-Identifier: MIT
#include "processes/riverbed/graded_free.h"

#include "core/dmath.h"
#include "core/internal.h"
#include "terrain/rivers.h"

#include <math.h>
#include <stdlib.h>

enum
{
    GRADED_LONGEST = 4,     // longest course, in multiples of the sum of two sides
    GRADED_MOST = 100000000 // nodes
};

// A bed is graded when its middle is nowhere higher above its floor than this [depths].
static const double graded_enough = 0.1;

// ---- making ------------------------------------------------------------------------------

static void graded_destroy_rivers(wadi_graded* graded)
{
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        graded_river* river = &graded->rivers[i];
        wadi_free(graded->context, river->axis);
        wadi_free(graded->context, river->nodes);
        wadi_free(graded->context, river->chain);
        wadi_free(graded->context, river->orbits);
        wadi_free(graded->context, river->swarm);
        wadi_free(graded->context, river->intake);
        wadi_free(graded->context, river->passing);
    }
    wadi_free(graded->context, graded->rivers);
    wadi_graded_land_destroy(graded->context, &graded->land);
    graded->rivers = NULL;
    graded->river_count = 0;
    graded->drawn = -1;
}

void wadi_graded_destroy(void* user)
{
    wadi_graded* graded = user;
    if (graded == NULL)
    {
        return;
    }
    wadi_context* context = graded->context;
    graded_destroy_rivers(graded);
    wadi_talus_destroy(graded->talus);
    wadi_free(context, graded->emitters);
    wadi_free(context, graded->next);
    wadi_free(context, graded->corridor.cells);
    wadi_free(context, graded->corridor.slot);
    wadi_free(context, graded->places);
    wadi_free(context, graded->tangents);
    wadi_free(context, graded->worn);
    wadi_free(context, graded->raised);
    wadi_free(context, graded->laid);
    wadi_free(context, graded->depth);
    wadi_free(context, graded->poured);
    wadi_free(context, graded->lake);
    wadi_free(context, graded->lakes);
    wadi_free(context, graded->last);
    wadi_free(context, graded->tallies);
    wadi_free(context, graded);
}

static wadi_result graded_allocate(wadi_graded* graded)
{
    wadi_context* context = graded->context;
    const wadi_ground* ground = graded->ground;
    WADI_TRY(wadi_talus_create(context, ground->width, ground->height, false, &graded->talus));
    WADI_ALLOC(context, graded->corridor.slot, ground->cells, "cells beside rivers");
    WADI_ALLOC(context, graded->tangents, ground->cells, "slopes of banks");
    WADI_ALLOC(context, graded->worn, ground->cells, "wear of rivers");
    WADI_ALLOC(context, graded->raised, ground->cells, "deposits of rivers");
    WADI_ALLOC(context, graded->laid, ground->cells, "bars of rivers");
    WADI_ALLOC(context, graded->depth, ground->cells, "depths of rivers");
    WADI_ALLOC(context, graded->poured, ground->cells, "water of rivers");
    WADI_ALLOC(context, graded->lake, ground->cells, "oxbow lakes");
    WADI_ALLOC(context, graded->last, ground->cells, "ages of rivers");
    WADI_ALLOC(context, graded->tallies, wadi_context_workers(context), "books of rivers");
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        graded->tangents[i] = graded_cliff;
        graded->lake[i] = GRADED_DRY;
    }
    return WADI_OK;
}

wadi_result wadi_graded_create(wadi_terrain* terrain, const wadi_riverbed_params* params,
                               uint32_t stream, wadi_graded** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    WADI_CHECK(context, ground->cells <= INT32_MAX, WADI_ERROR_RANGE,
               "rivers run on at most %d cells, this terrain has %lld: choose larger cells",
               INT32_MAX, (long long)ground->cells);
    wadi_graded* graded;
    WADI_ALLOC(context, graded, 1, "rivers");
    graded->terrain = terrain;
    graded->context = context;
    graded->ground = ground;
    graded->params = *params;
    graded->stream = stream;
    const wadi_result result = graded_allocate(graded);
    if (result != WADI_OK)
    {
        wadi_graded_destroy(graded);
        return result;
    }
    *out = graded;
    return WADI_OK;
}

static void graded_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    const wadi_graded* graded = user;
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        held[WADI_MATERIAL_SEDIMENT] += graded->rivers[i].held;
    }
}

// Load that no edge lets out is deposited evenly over the beds of all rivers.
static void graded_settle(void* user)
{
    wadi_graded* graded = user;
    const graded_corridor* corridor = &graded->corridor;
    int64_t held[WADI_MAX_MATERIALS] = {0};
    graded_held(graded, held);
    const int64_t all = held[WADI_MATERIAL_SEDIMENT];
    wadi_tally tally = {0};
    if (all == 0)
    {
        return; // a solver that has not run leaves no line in the ledger
    }
    const int64_t each = corridor->count > 0 ? all / corridor->count : 0;
    const int64_t rest = all - each * corridor->count;
    for (int64_t i = 0; i < corridor->count; ++i)
    {
        // the difference of all * i / count, without its overflow
        const int64_t share =
            each + (rest * (i + 1) / corridor->count - rest * i / corridor->count);
        wadi_ground_put(graded->ground, corridor->cells[i].cell, (int32_t)share, &tally);
    }
    for (int32_t i = 0; i < graded->river_count && corridor->count > 0; ++i)
    {
        tally.transit[WADI_MATERIAL_SEDIMENT] -= graded->rivers[i].held;
        graded->rivers[i].held = 0;
    }
    wadi_terrain_book(graded->terrain, "riverbed", &tally);
}

wadi_result wadi_graded_set_emitters(wadi_graded* graded, const riverbed_emitter* emitters,
                                     int32_t count)
{
    WADI_TRY(wadi_riverbed_emitters_copy(graded->context, emitters, count, &graded->emitters));
    wadi_free(graded->context, graded->next);
    graded->next = NULL;
    graded->emitter_count = count;
    graded_settle(graded);
    wadi_graded_corridor_clear(&graded->corridor);
    graded_destroy_rivers(graded);
    graded->batch = 0;
    graded->began = graded->years;
    return WADI_OK;
}

// ---- axes of rivers ----------------------------------------------------------------------

// By falling discharge, then by place and window, so that the order of the table does not matter.
static int graded_compare(const void* a, const void* b)
{
    const riverbed_emitter* x = &((const graded_river*)a)->emitter;
    const riverbed_emitter* y = &((const graded_river*)b)->emitter;
    const double keys[] = {y->discharge - x->discharge, x->y - y->y,           x->x - y->x,
                           x->heading - y->heading,     x->facing - y->facing, x->width - y->width};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i)
    {
        if (keys[i] != 0.0)
        {
            return keys[i] > 0.0 ? 1 : -1;
        }
    }
    return 0;
}

static wadi_result graded_allocate_river(wadi_graded* graded, graded_river* river)
{
    wadi_context* context = graded->context;
    const wadi_ground* ground = graded->ground;
    const double width = 4.0 * sqrt(river->emitter.discharge);
    const double sides = (double)(ground->width + ground->height) * ground->cell_size;
    // a zone of erosion narrower than two cells is inaccurate: by 18 % of its volume at one cell
    river->radius = fmax(0.2 * width, 1.8 * ground->cell_size);
    river->spacing = width / GRADED_NODES;
    const double nodes = GRADED_LONGEST * sides / river->spacing;
    WADI_CHECK(context, nodes < GRADED_MOST, WADI_ERROR_RANGE,
               "a river of %g m3/s is %.3g m wide, too narrow to follow over cells of %g m: raise "
               "discharge or choose smaller cells",
               river->emitter.discharge, width, ground->cell_size);
    river->capacity = (int32_t)nodes + 2 * GRADED_STATION;
    river->most_steps =
        (int32_t)(river->capacity * river->spacing / (graded->params.stride * river->radius)) + 2;
    const int64_t stations = river->capacity / GRADED_STATION + 1;
    river->chain_capacity = (int32_t)stations;
    WADI_ALLOC(context, river->axis, river->capacity + 1, "the axis of a river");
    WADI_ALLOC(context, river->nodes, river->capacity, "the course of a river");
    WADI_ALLOC(context, river->chain, stations, "the course of a river");
    WADI_ALLOC(context, river->orbits, graded->params.together, "river particles");
    WADI_ALLOC(context, river->swarm, (int64_t)2 * graded->params.together * river->most_steps,
               "river particles");
    WADI_ALLOC(context, river->intake, stations, "the load of a river");
    WADI_ALLOC(context, river->passing, stations, "the load of a river");
    river->axis[0].width = width;
    river->axis[0].depth = 0.33 * wadi_pow(river->emitter.discharge, 0.4);
    river->axis[0].discharge = river->emitter.discharge;
    river->into = -1;
    return WADI_OK;
}

// Sorted rivers with memory for their axes and courses.
static wadi_result graded_make_rivers(wadi_graded* graded)
{
    WADI_ALLOC(graded->context, graded->rivers, graded->emitter_count, "rivers");
    graded->river_count = graded->emitter_count;
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        graded->rivers[i].emitter = graded->emitters[i];
    }
    qsort(graded->rivers, (size_t)graded->river_count, sizeof *graded->rivers, graded_compare);
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        graded->rivers[i].number = i;
        WADI_TRY(graded_allocate_river(graded, &graded->rivers[i]));
    }
    return WADI_OK;
}

static wadi_result graded_lay_rivers(wadi_graded* graded)
{
    WADI_TRY(graded_make_rivers(graded));
    const graded_axis* main = &graded->rivers[0].axis[0];
    WADI_TRY(wadi_graded_land_create(graded->context, graded->ground, main->width, main->depth,
                                     &graded->land));
    return wadi_graded_lay_axes(graded);
}

// At the first advance: the axes follow the land at that time.
static wadi_result graded_lay(wadi_graded* graded)
{
    if (graded->river_count > 0 || graded->emitter_count == 0)
    {
        return WADI_OK;
    }
    WADI_CHECK(graded->context, wadi_terrain_valid_count(graded->terrain) > 0, WADI_ERROR_STATE,
               "there is no ground for a river to run over: all cells are without data");
    const wadi_result result = graded_lay_rivers(graded);
    if (result != WADI_OK)
    {
        graded_destroy_rivers(graded);
    }
    return result;
}

// Other processes read the rivers from the terrain.
static wadi_result graded_publish(const wadi_graded* graded)
{
    const double cell = graded->ground->cell_size;
    wadi_river* list;
    WADI_ALLOC(graded->context, list, graded->river_count + 1, "rivers");
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        const graded_axis* source = &graded->rivers[i].axis[0];
        const double x = graded_clamp(source->at.x + 0.5, 0.0, graded->ground->width);
        const double y = graded_clamp(source->at.y + 0.5, 0.0, graded->ground->height);
        const double window = 0.5 * graded->rivers[i].emitter.width * cell;
        list[i] = (wadi_river){
            .x = x * cell,
            .y = (graded->ground->height - y) * cell,
            .discharge = graded->rivers[i].emitter.discharge,
            .reach = fmax(4.0 * sqrt(graded->rivers[i].emitter.discharge), window),
        };
    }
    const wadi_result result =
        wadi_rivers_publish(graded->terrain, graded->stream, list, graded->river_count);
    wadi_free(graded->context, list);
    return result;
}

// ---- a batch -----------------------------------------------------------------------------

// The first and the last batches run on one course each, so most of it stays as it is. At mouths
// the breach depends on the stage of the flood.
static bool graded_stays(const wadi_graded* graded)
{
    bool joins = false;
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        joins = joins || graded->rivers[i].end == GRADED_JOINS;
    }
    return graded->drawn >= 0 && !joins &&
           wadi_graded_course_stays(graded, graded->drawn, graded->batch);
}

static void graded_run_again(wadi_graded* graded)
{
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        graded_river* river = &graded->rivers[i];
        if (river->count > 0)
        {
            wadi_graded_profile_wear(graded, river);
            wadi_graded_swarm(graded, river);
        }
    }
    wadi_graded_corridor_flood(graded);
}

static wadi_result graded_run_courses(wadi_graded* graded)
{
    const bool stays = graded_stays(graded);
    graded->course = graded->batch;
    graded->drawn = -1;
    if (stays)
    {
        graded_run_again(graded);
        graded->drawn = graded->batch;
        return WADI_OK;
    }
    wadi_graded_corridor_clear(&graded->corridor);
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        graded->rivers[i].end = GRADED_STOPS; // delete the mouths of the last batch
    }
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        graded_river* river = &graded->rivers[i];
        wadi_graded_course(graded, i);
        if (river->count > 0)
        {
            wadi_graded_profile(graded, river);
            WADI_TRY(wadi_graded_corridor_add(graded, i));
            wadi_graded_corridor_measure(graded); // smaller rivers need the bed of this one
            wadi_graded_swarm(graded, river);
        }
    }
    graded->drawn = graded->batch;
    return WADI_OK;
}

static void graded_book(wadi_graded* graded)
{
    wadi_tally sum = {0};
    wadi_tally_collect(&sum, graded->tallies, graded->context);
    wadi_terrain_book(graded->terrain, "riverbed", &sum);
}

static void graded_count(wadi_graded* graded)
{
    for (int32_t i = 0; i < graded->river_count; ++i)
    {
        const graded_river* river = &graded->rivers[i];
        if (river->count > 0)
        {
            graded->particles += graded->params.together;
            graded->steps += (int64_t)graded->params.together * river->steps;
            graded->dead += river->end == GRADED_STOPS ? graded->params.together : 0;
        }
    }
}

static wadi_result graded_make_places(wadi_graded* graded)
{
    if (graded->place_capacity < graded->corridor.count)
    {
        wadi_free(graded->context, graded->places);
        graded->place_capacity = 0;
        WADI_ALLOC(graded->context, graded->places, graded->corridor.capacity, "places of load");
        graded->place_capacity = graded->corridor.capacity;
    }
    return WADI_OK;
}

// Outgoing load stays at the mouth until the next batch: pits in the bed may take some of it.
static wadi_result graded_run_batch(wadi_graded* graded)
{
    wadi_tally* tally = &graded->tallies[0];
    const bool is_free = graded->params.path == WADI_RIVERBED_FREE;
    for (int32_t i = 0; i < graded->river_count && is_free; ++i)
    {
        WADI_TRY(wadi_graded_migrate(graded, &graded->rivers[i]));
    }
    WADI_TRY(graded_run_courses(graded));
    WADI_TRY(graded_make_places(graded));
    wadi_graded_export(graded, tally);
    wadi_graded_wear(graded);
    for (int32_t i = graded->river_count - 1; i >= 0; --i)
    {
        wadi_graded_load(graded, i, tally); // larger rivers after their tributaries
    }
    if (is_free)
    {
        wadi_graded_silt(graded, tally);
    }
    wadi_graded_banks(graded, tally);
    graded_count(graded);
    return WADI_OK;
}

// ---- advancing ---------------------------------------------------------------------------

static int32_t graded_due(const wadi_graded* graded, double years)
{
    // rounding: ten times a tenth of the growth is all of it
    const double due = graded->params.batches * (years / graded->params.growth) + 1e-6;
    return (int32_t)fmin(due, graded->params.batches);
}

static wadi_result graded_run_batches(wadi_graded* graded, double years)
{
    const int32_t due = graded_due(graded, years);
    for (; graded->batch < due; ++graded->batch)
    {
        WADI_TRY(graded_run_batch(graded));
    }
    return WADI_OK;
}

static bool graded_is_done(const wadi_graded* graded)
{
    return wadi_graded_excess(graded) <= graded_enough && wadi_talus_is_still(graded->talus);
}

// On its last course a river runs until its bed is graded and its banks are stable.
static wadi_result graded_run_last(wadi_graded* graded)
{
    const int32_t most = graded->params.batches;
    for (int32_t i = 0; i < most && !graded_is_done(graded); ++i)
    {
        WADI_TRY(graded_run_batch(graded));
    }
    return WADI_OK;
}

// Slides start from all banks in each step, so that a restored river has nothing else to know.
static void graded_wake_banks(wadi_graded* graded)
{
    wadi_talus_forget(graded->talus);
    for (int64_t i = 0; i < graded->ground->cells; ++i)
    {
        if (graded->tangents[i] < graded_cliff)
        {
            wadi_talus_touch(graded->talus, (int32_t)(i % graded->ground->width),
                             (int32_t)(i / graded->ground->width));
        }
    }
}

static wadi_result graded_run(wadi_graded* graded, double years)
{
    const int32_t before = graded->batch;
    if (graded_due(graded, years) <= before)
    {
        return WADI_OK;
    }
    graded_wake_banks(graded);
    WADI_TRY(graded_run_batches(graded, years));
    if (graded->batch == graded->params.batches)
    {
        WADI_TRY(graded_run_last(graded));
    }
    WADI_TRY(wadi_graded_close_pits(graded, &graded->tallies[0]));
    wadi_graded_drain(graded, &graded->tallies[0]);
    return wadi_graded_pour(graded, &graded->tallies[0]);
}

static double graded_step(const void* user)
{
    const wadi_graded* graded = user;
    return graded->params.max_step > 0.0 ? graded->params.max_step : graded->params.growth;
}

wadi_result wadi_graded_advance(void* user, const wadi_span* span)
{
    wadi_graded* graded = user;
    WADI_TRY(graded->next != NULL
                 ? wadi_graded_set_emitters(graded, graded->next, graded->next_count)
                 : WADI_OK);
    WADI_TRY(graded_lay(graded));
    WADI_TRY(graded_publish(graded));
    const wadi_result result = graded_run(graded, graded->years - graded->began + span->years);
    wadi_graded_export(graded, &graded->tallies[0]);
    graded_book(graded);
    WADI_TRY(result);
    graded->years += span->years;
    return WADI_OK;
}

// ---- archive -----------------------------------------------------------------------------

// Courses and corridor of the last batch, from the axes: maps and settling need them. Rivers that
// wait for their first batch have none.
wadi_result wadi_graded_restore_courses(wadi_graded* graded)
{
    if (graded->batch == 0)
    {
        return WADI_OK;
    }
    const int32_t batch = graded->batch;
    graded->batch = graded->course;
    const wadi_result result = graded_run_courses(graded);
    graded->batch = batch;
    return result;
}

wadi_result wadi_graded_restore_rivers(wadi_graded* graded)
{
    WADI_TRY(graded_make_rivers(graded));
    const graded_axis* main = &graded->rivers[0].axis[0];
    return wadi_graded_land_create(graded->context, graded->ground, main->width, main->depth,
                                   &graded->land);
}

// ---- the model of the process ------------------------------------------------------------

static wadi_result graded_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                                 void** out)
{
    const riverbed_emitter emitter =
        wadi_riverbed_emitter_on_side(terrain, params, wadi_riverbed_scale(terrain, params));
    wadi_graded* graded;
    WADI_TRY(wadi_graded_create(terrain, params, stream, &graded));
    const wadi_result result = wadi_graded_set_emitters(graded, &emitter, 1);
    if (result != WADI_OK)
    {
        wadi_graded_destroy(graded);
        return result;
    }
    *out = graded;
    return WADI_OK;
}

// The model's only table is that of emitters.
static wadi_result graded_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    wadi_graded* graded = user;
    (void)index;
    riverbed_emitter* emitters;
    WADI_TRY(wadi_riverbed_emitters_of_table(graded->terrain, values, rows, &emitters));
    const wadi_result result = wadi_graded_set_emitters(graded, emitters, rows);
    wadi_free(graded->context, emitters);
    return result;
}

const wadi_model_api wadi_graded_api = {
    .create = graded_create,
    .step = graded_step,
    .advance = wadi_graded_advance,
    .settle = graded_settle,
    .held = graded_held,
    .destroy = wadi_graded_destroy,
    .map = wadi_graded_map,
    .set_table = graded_set_table,
    .work = wadi_graded_work,
    .figures = wadi_graded_figures,
    .archive = wadi_graded_archive,
};
