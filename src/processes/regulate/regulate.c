// SPDX-License-Identifier: MIT
// The process "regulate": the first advance makes a plan on the ground of that time. Every advance
// builds the planned channel again, like dredging of sediment.
#include "core/internal.h"
#include "laws/channels/channel_ground.h"
#include "laws/channels/channel_round.h"
#include "laws/channels/channel_transect.h"
#include "process/figure_row.h"
#include "processes/regulate/regulate_search.h"
#include <wadi/archive.h>
#include <wadi/model.h>

#include <math.h>
#include <string.h>

enum
{
    REGULATE_SMOOTHING = 4, // cells
    REGULATE_SWING = 2,     // the ground's bed is sought this many cells to either side
    REGULATE_DENSE = 16,    // more stations a cell than a route has: one lies every half cell
    REGULATE_DEEP = 10      // [m] of water that the width of the corridor allows for
};

enum
{
    REGULATE_MAP_CUT,
    REGULATE_MAP_FILL,
    REGULATE_MAP_COUNT
};

typedef struct regulate_state
{
    wadi_terrain* terrain;
    wadi_regulate_params params;
    double* points; // of the route, x and y alternating [m]
    int32_t point_count;
    bool planned;
    channel_axis axis;
    double* levels; // of the ground at each station [m]
    double* bed;    // planned bed level at each station [m]
    regulate_works works;
    regulate_found found;
    works_sums sums;
    works_marks marks;
    double years;
    bool noted; // how tall works are; not kept with the state
} regulate_state;

// ---- making ------------------------------------------------------------------------------

static void regulate_free_plan(regulate_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    wadi_channel_axis_free(context, &state->axis);
    wadi_regulate_works_free(context, &state->works);
    state->works = (regulate_works){0}; // a plan without a channel is hashed with these numbers
    wadi_free(context, state->levels);
    wadi_free(context, state->bed);
    state->levels = NULL;
    state->bed = NULL;
    state->found = (regulate_found){0};
    state->planned = false;
}

static void regulate_destroy(void* user)
{
    regulate_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    regulate_free_plan(state);
    wadi_free(context, state->points);
    wadi_free(context, state->marks.cut);
    wadi_free(context, state->marks.fill);
    wadi_free(context, state);
}

static wadi_result regulate_check(wadi_context* context, const wadi_regulate_params* p)
{
    WADI_CHECK(context, p->min_width <= p->max_width, WADI_ERROR_RANGE,
               "min_width %g m is above max_width %g m", p->min_width, p->max_width);
    WADI_CHECK(context, p->min_grade <= p->max_grade, WADI_ERROR_RANGE,
               "min_grade %g is above max_grade %g", p->min_grade, p->max_grade);
    return WADI_OK;
}

static wadi_result regulate_allocate(regulate_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    WADI_ALLOC(context, state->marks.cut, cells, "cuts");
    WADI_ALLOC(context, state->marks.fill, cells, "fills");
    return WADI_OK;
}

static wadi_result regulate_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                                   void** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    regulate_state* state;
    (void)stream; // no random numbers
    WADI_TRY(regulate_check(context, params));
    WADI_ALLOC(context, state, 1, "regulate");
    state->terrain = terrain;
    state->params = *(const wadi_regulate_params*)params;
    const wadi_result result = regulate_allocate(state);
    if (result != WADI_OK)
    {
        regulate_destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

static wadi_result regulate_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    regulate_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    double* points;
    (void)index; // there is one table
    WADI_ALLOC(context, points, 2 * (int64_t)rows, "points of a route");
    memcpy(points, values, 2 * (size_t)rows * sizeof *points);
    wadi_free(context, state->points);
    state->points = points;
    state->point_count = rows;
    regulate_free_plan(state);
    return WADI_OK;
}

// ---- route -------------------------------------------------------------------------------

// Start of the channel: a window on a side of the terrain.
static channel_source regulate_side_source(const regulate_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const wadi_regulate_params* p = &state->params;
    const bool across = p->side == WADI_SIDE_NORTH || p->side == WADI_SIDE_SOUTH;
    const double last = (across ? ground->width : ground->height) - 1.0;
    const double half = p->window > 0.0 ? 0.5 * p->window / ground->cell_size : last;
    const double from = fmax(0.0, p->position * last - half);
    const double to = fmin(last, p->position * last + half);
    const double fixed = p->side == WADI_SIDE_EAST    ? ground->width - 1.0
                         : p->side == WADI_SIDE_SOUTH ? ground->height - 1.0
                                                      : 0.0;
    return across ? (channel_source){from, fixed, to, fixed}
                  : (channel_source){fixed, from, fixed, to};
}

static channel_source regulate_source(const regulate_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    if (state->point_count == 0)
    {
        return regulate_side_source(state);
    }
    const double column = state->points[0] / ground->cell_size - 0.5;
    const double row = ground->height - state->points[1] / ground->cell_size - 0.5;
    return (channel_source){column, row, column, row};
}

// A river that leaves where it enters, as on the smallest grids, has no axis.
static wadi_result regulate_smooth(regulate_state* state, const wadi_field2d* field,
                                   const channel_route* route)
{
    const double smoothing =
        state->params.smoothing > 0.0 ? state->params.smoothing : REGULATE_SMOOTHING * field->dx;
    return route->count < 2 && state->point_count == 0
               ? WADI_OK
               : wadi_channel_axis_of_route(wadi_terrain_context(state->terrain), field, route,
                                            field->dx, smoothing, &state->axis);
}

// Check the length of a line first: the number of stations of a long line would overflow.
static wadi_result regulate_check_line(const regulate_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const double width = ground->width * ground->cell_size;
    const double height = ground->height * ground->cell_size;
    double length = 0.0;
    for (int32_t i = 0; i < state->point_count; ++i)
    {
        const double* p = &state->points[2 * (int64_t)i];
        WADI_CHECK(context, p[0] >= 0.0 && p[1] >= 0.0 && p[0] <= width && p[1] <= height,
                   WADI_ERROR_RANGE,
                   "point %d of the route, x %g m, y %g m, lies off the terrain, which is %g by %g "
                   "m: move it inside",
                   i + 1, p[0], p[1], width, height);
        length +=
            i > 0 ? sqrt((p[0] - p[-2]) * (p[0] - p[-2]) + (p[1] - p[-1]) * (p[1] - p[-1])) : 0.0;
    }
    WADI_CHECK(context, length >= ground->cell_size, WADI_ERROR_RANGE,
               "the route's line is %.3g m long, expected a cell of %g m or more: move its points "
               "apart",
               length, ground->cell_size);
    return WADI_OK;
}

// One point of the table is the start of the channel; several points are its line.
static wadi_result regulate_find_axis(regulate_state* state, const wadi_field2d* field)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    if (state->point_count > 1)
    {
        WADI_TRY(regulate_check_line(state));
        return wadi_channel_axis_of_points(context, state->points, state->point_count, field->dx,
                                           &state->axis);
    }
    const channel_source source = regulate_source(state);
    channel_route route;
    WADI_TRY(
        wadi_channel_route_create(context, field, &source, CHANNEL_OUTLET_ANY_OR_LOWEST, &route));
    const wadi_result result = regulate_smooth(state, field, &route);
    wadi_channel_route_free(context, &route);
    return result;
}

// ---- plan --------------------------------------------------------------------------------

static wadi_result regulate_find_levels(regulate_state* state, const wadi_field2d* field)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const channel_section_def def = {0.5 * field->dx, 2 * REGULATE_SWING, 2 * REGULATE_SWING,
                                     (double)INFINITY};
    float ground[4 * REGULATE_SWING + 1];
    WADI_ALLOC(context, state->levels, state->axis.count, "levels of a route");
    WADI_ALLOC(context, state->bed, state->axis.count, "bed of a channel");
    for (int32_t i = 0; i < state->axis.count; ++i)
    {
        const channel_transect t =
            wadi_channel_transect_cut(field, &state->axis.station[i], &def, ground);
        state->levels[i] = (double)ground[t.bed];
        WADI_CHECK(context, !isnan(ground[t.bed]), WADI_ERROR_RANGE,
                   "the channel's route crosses cells without data at x %g m, y %g m",
                   state->axis.station[i].x, state->axis.station[i].y);
    }
    return WADI_OK;
}

// Half-width of the corridor: enough for side slopes from the bed to the highest and lowest ground.
static double regulate_reach(const regulate_state* state)
{
    const wadi_regulate_params* p = &state->params;
    double low = state->levels[0];
    double high = state->levels[0];
    for (int32_t i = 1; i < state->axis.count; ++i)
    {
        low = fmin(low, state->levels[i]);
        high = fmax(high, state->levels[i]);
    }
    const double width = p->width > 0.0 ? p->width : p->max_width;
    const double crest = p->freeboard + REGULATE_DEEP;
    const double rise = high - low + fabs(p->end_depth) + crest;
    return 0.5 * width + p->side_slope * crest + p->levee_width +
           rise * fmax(p->side_slope, p->levee_slope) +
           (p->spoil_width > 0.0 ? p->levee_slope * crest + p->spoil_width : 0.0);
}

// Does the channel end at a border? Without open borders it ends in the lowest cell.
static bool regulate_is_at_border(const regulate_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const channel_station* end = &state->axis.station[state->axis.count - 1];
    const double cell = ground->cell_size;
    return end->x < cell || end->y < cell || end->x > (ground->width - 1) * cell ||
           end->y > (ground->height - 1) * cell;
}

static wadi_result regulate_plan_on(regulate_state* state, const wadi_field2d* field)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    WADI_TRY(regulate_find_axis(state, field));
    if (state->axis.count == 0)
    {
        state->planned = true;
        return WADI_OK;
    }
    if (state->params.min_radius > 0.0)
    {
        WADI_TRY(wadi_channel_round(context, &state->axis, state->params.min_radius));
    }
    WADI_TRY(regulate_find_levels(state, field));
    state->works = (regulate_works){
        .params = &state->params,
        .ground = wadi_terrain_ground_const(state->terrain),
        .axis = &state->axis,
        .terrain = state->levels,
        .reach = regulate_reach(state),
        .enters = state->point_count == 0,
        .leaves = state->point_count < 2 && regulate_is_at_border(state),
    };
    WADI_TRY(wadi_regulate_works_create(context, &state->works));
    WADI_TRY(wadi_regulate_search(context, &state->works, state->bed, &state->found));
    state->planned = true;
    return WADI_OK;
}

static wadi_result regulate_plan(regulate_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    float* heights;
    WADI_CHECK(context, wadi_terrain_valid_count(state->terrain) > 0, WADI_ERROR_STATE,
               "there is no ground to build a channel in: all cells are without data");
    WADI_ALLOC(context, heights, ground->cells, "heights for a route");
    const wadi_field2d field = wadi_channel_field_of(ground, heights);
    const wadi_result result = regulate_plan_on(state, &field);
    wadi_free(context, heights);
    if (result != WADI_OK)
    {
        regulate_free_plan(state);
    }
    return result;
}

// Works this many times as high as levees are no river on a plain.
static const double regulate_tall = 3.0;

static void regulate_note_peak(const regulate_state* state, const works_peak* peak, bool fills)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const double crest = state->found.design.crest;
    const double height = (double)peak->change / WADI_UNITS_PER_METRE;
    const double x = ((double)(peak->cell % ground->width) + 0.5) * ground->cell_size;
    const double rows = (double)(ground->height - peak->cell / ground->width);
    if (height > regulate_tall * crest)
    {
        wadi_log_line(wadi_terrain_context(state->terrain),
                      "regulate: the channel lies %s %.0f m %s the ground at x %g m, y %g m, and "
                      "its levees are %.1f m high; it has one grade, so take a route along a "
                      "valley floor, or steps of the bed (drop)",
                      fills ? "on a bank" : "in a cutting", height, fills ? "above" : "below", x,
                      (rows - 0.5) * ground->cell_size, crest);
    }
}

// A channel has one grade, so on rough land it crosses valleys on banks and hills in cuttings.
static void regulate_note(regulate_state* state, const works_peaks* peaks)
{
    if (!state->noted)
    {
        regulate_note_peak(state, &peaks->fill, true);
        regulate_note_peak(state, &peaks->cut, false);
    }
    state->noted = true;
}

static void regulate_build(regulate_state* state)
{
    wadi_tally tally = {0};
    works_peaks peaks;
    const works_sums sums = wadi_regulate_works_build(&state->works, &state->found.design,
                                                      state->bed, &state->marks, &peaks, &tally);
    regulate_note(state, &peaks);
    const int64_t spoil = state->params.spoil_width > 0.0
                              ? wadi_regulate_works_spoil(&state->works, &state->found.design,
                                                          state->bed, &state->marks, &tally)
                              : 0;
    state->sums = (works_sums){
        .cut = state->sums.cut + sums.cut,
        .fill = state->sums.fill + sums.fill,
        .levee = state->sums.levee + sums.levee,
        .stuck = sums.stuck,
        .beyond = state->sums.beyond + sums.beyond,
        .spoil = state->sums.spoil + spoil,
    };
    if (state->params.water)
    {
        wadi_regulate_works_pour(&state->works, &state->found.design, state->bed, &tally);
    }
    wadi_terrain_book(state->terrain, "regulate", &tally);
}

static double regulate_step(const void* user)
{
    const regulate_state* state = user;
    return state->params.step;
}

static wadi_result regulate_advance(void* user, const wadi_span* span)
{
    regulate_state* state = user;
    if (!state->planned)
    {
        WADI_TRY(regulate_plan(state));
    }
    if (state->axis.count > 0)
    {
        regulate_build(state);
    }
    state->years += span->years;
    return WADI_OK;
}

// ---- maps and reports --------------------------------------------------------------------

static const wadi_map_info regulate_maps[REGULATE_MAP_COUNT] = {
    [REGULATE_MAP_CUT] = {"cut", "m", "depth of cut since the start", false, 0},
    [REGULATE_MAP_FILL] = {"fill", "m", "height of fill since the start, with levees", false, 0},
};

static wadi_result regulate_map(void* user, int32_t index, float* out)
{
    const regulate_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const int64_t* marks = index == REGULATE_MAP_CUT ? state->marks.cut : state->marks.fill;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        out[c] = ground->valid[c] != 0 ? (float)marks[c] * (1.0f / WADI_UNITS_PER_METRE) : NAN;
    }
    return WADI_OK;
}

static int32_t regulate_work(const void* user, wadi_work* rows)
{
    const regulate_state* state = user;
    rows[0] = (wadi_work){"designs", (double)state->found.designs};
    return 1;
}

static double regulate_volume(const regulate_state* state, int64_t units)
{
    const double cell = wadi_terrain_cell_size(state->terrain);
    return (double)units / WADI_UNITS_PER_METRE * cell * cell;
}

// Of the route as it was planned; without min_radius over eight cells.
static double regulate_least_radius(const regulate_state* state)
{
    const double radius = state->params.min_radius;
    const double least = radius > 0.0 ? radius : 16.0 * wadi_terrain_cell_size(state->terrain);
    return wadi_channel_least_radius(&state->axis, least);
}

static int32_t regulate_figures(const void* user, wadi_figure* rows)
{
    const regulate_state* state = user;
    const regulate_design* d = &state->found.design;
    const works_sums* s = &state->sums;
    const int32_t sections = state->axis.count;
    const double length = sections > 0 ? state->axis.spacing * (sections - 1) : 0.0;
    const wadi_figure all[] = {
        wadi_figure_of("years", state->years),
        wadi_figure_of("denudation", 0.0),
        wadi_figure_of("length", length),
        wadi_figure_of("least_radius", sections > 0 ? regulate_least_radius(state) : 0.0),
        wadi_figure_of("width", d->width),
        wadi_figure_of("grade", d->grade),
        wadi_figure_of("depth", d->depth),
        wadi_figure_of("levee", d->crest),
        wadi_figure_of("shear", d->shear),
        wadi_figure_of("critical_shear", wadi_regulate_critical_shear(&state->params)),
        wadi_figure_of("cut", regulate_volume(state, s->cut)),
        wadi_figure_of("fill", regulate_volume(state, s->fill)),
        wadi_figure_of("levees", regulate_volume(state, s->levee)),
        wadi_figure_of("spoil", regulate_volume(state, s->spoil)),
        wadi_figure_of("uncut_rock", regulate_volume(state, s->stuck)),
        wadi_figure_of("cut_short", regulate_volume(state, s->beyond)),
        wadi_figure_of("designs", (double)state->found.designs),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

// ---- archive -----------------------------------------------------------------------------

// Are the parameters those of the saved plan? Water and step change no plan.
static bool regulate_archive_params(regulate_state* state, wadi_archive* archive)
{
    bool same = true;
    for (int32_t i = 0; i < wadi_regulate_fields.count; ++i)
    {
        const wadi_field* field = &wadi_regulate_fields.fields[i];
        const double now = wadi_field_get(field, &state->params);
        double then = now;
        wadi_archive_f64(archive, &then, 1);
        const bool plans = strcmp(field->name, "water") != 0 && strcmp(field->name, "step") != 0;
        same = same && (then == now || !plans);
    }
    return same;
}

static void regulate_archive_sums(regulate_state* state, wadi_archive* archive)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    wadi_archive_grid(archive, state->marks.cut, sizeof *state->marks.cut, ground->width,
                      ground->height);
    wadi_archive_grid(archive, state->marks.fill, sizeof *state->marks.fill, ground->width,
                      ground->height);
    int64_t* const sums[] = {&state->sums.cut,   &state->sums.fill,   &state->sums.levee,
                             &state->sums.stuck, &state->sums.beyond, &state->sums.spoil};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; ++i)
    {
        wadi_archive_i64(archive, sums[i], 1);
    }
    wadi_archive_f64(archive, &state->years, 1);
}

// Greatest number in a saved plan; the widest map has 6.6e10 m.
static const double regulate_most = 1e12;

// Can works be built from these numbers of a plan?
static bool regulate_are_sound(const double* values, int64_t count)
{
    bool sound = true;
    for (int64_t i = 0; i < count; ++i)
    {
        sound = sound && fabs(values[i]) < regulate_most;
    }
    return sound;
}

static bool regulate_is_plan(const regulate_state* state)
{
    const channel_axis* axis = &state->axis;
    const regulate_design* d = &state->found.design;
    const double values[] = {state->works.reach, d->width, d->grade, d->depth, d->shear, d->crest};
    bool sound = axis->count == 0 || (axis->spacing > 0.0 && axis->spacing < regulate_most);
    sound = sound && regulate_are_sound(values, WADI_COUNT(values)) &&
            regulate_are_sound(state->levels, axis->count) &&
            regulate_are_sound(state->bed, axis->count);
    for (int32_t i = 0; i < axis->count && sound; ++i)
    {
        const channel_station* s = &axis->station[i];
        const double place[] = {s->x, s->y, s->tangent_x, s->tangent_y};
        sound = regulate_are_sound(place, WADI_COUNT(place));
    }
    return sound;
}

static bool regulate_is_sum(int64_t units)
{
    return units >= 0 && units <= (int64_t)1 << 62;
}

static bool regulate_are_sums(const regulate_state* state)
{
    const works_sums* s = &state->sums;
    bool sound = regulate_is_sum(s->cut) && regulate_is_sum(s->fill) && regulate_is_sum(s->levee) &&
                 regulate_is_sum(s->stuck) && regulate_is_sum(s->beyond) &&
                 regulate_is_sum(s->spoil);
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    for (int64_t i = 0; i < cells && sound; ++i)
    {
        sound = regulate_is_sum(state->marks.cut[i]) && regulate_is_sum(state->marks.fill[i]);
    }
    return sound;
}

// The design and the axis with its beds; the cells of the works follow from them.
static wadi_result regulate_archive_plan(regulate_state* state, wadi_archive* archive)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    channel_axis* axis = &state->axis;
    regulate_design* design = &state->found.design;
    int64_t count = axis->count;
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    const int64_t most = cells < INT32_MAX / REGULATE_DENSE ? REGULATE_DENSE * cells : INT32_MAX;
    WADI_TRY(wadi_archive_count(archive, &count, most, "stations of a channel"));
    if (wadi_archive_is_reading(archive) && count > 0)
    {
        WADI_ALLOC(context, axis->station, count, "stations of a route");
        WADI_ALLOC(context, state->levels, count, "levels of a route");
        WADI_ALLOC(context, state->bed, count, "bed of a channel");
        axis->count = (int32_t)count;
    }
    for (int64_t i = 0; i < count; ++i)
    {
        channel_station* s = &axis->station[i];
        double* const values[] = {&s->x, &s->y, &s->tangent_x, &s->tangent_y};
        for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k)
        {
            wadi_archive_f64(archive, values[k], 1);
        }
    }
    wadi_archive_f64(archive, state->levels, count);
    wadi_archive_f64(archive, state->bed, count);
    double* const values[] = {&axis->spacing, &state->works.reach, &design->width, &design->grade,
                              &design->depth, &design->shear,      &design->crest};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
    {
        wadi_archive_f64(archive, values[i], 1);
    }
    wadi_archive_i64(archive, &state->found.designs, 1);
    wadi_archive_bool(archive, &state->works.enters);
    wadi_archive_bool(archive, &state->works.leaves);
    return wadi_archive_result(archive);
}

static wadi_result regulate_restore_works(regulate_state* state)
{
    state->works.params = &state->params;
    state->works.ground = wadi_terrain_ground_const(state->terrain);
    state->works.axis = &state->axis;
    state->works.terrain = state->levels;
    return state->axis.count > 0
               ? wadi_regulate_works_create(wadi_terrain_context(state->terrain), &state->works)
               : WADI_OK;
}

// Under parameters that ask for another channel, the next step makes a new plan.
static wadi_result regulate_archive(void* user, wadi_archive* archive)
{
    regulate_state* state = user;
    const bool same = regulate_archive_params(state, archive);
    regulate_archive_sums(state, archive);
    bool planned = state->planned;
    wadi_archive_bool(archive, &planned);
    if (planned)
    {
        WADI_TRY(regulate_archive_plan(state, archive));
    }
    WADI_TRY(wadi_archive_result(archive));
    if (!wadi_archive_is_reading(archive))
    {
        return WADI_OK;
    }
    WADI_CHECK(wadi_terrain_context(state->terrain),
               regulate_are_sums(state) && (!planned || regulate_is_plan(state)), WADI_ERROR_FORMAT,
               "the saved plan of a channel is out of range");
    if (!planned || !same)
    {
        regulate_free_plan(state);
        return WADI_OK;
    }
    state->planned = true;
    return regulate_restore_works(state);
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_column regulate_route_columns[] = {
    {"x", "m", -1e9, 1e9},
    {"y", "m", -1e9, 1e9},
};

static const wadi_table_info regulate_tables[] = {
    {"route",
     "one point at which the channel begins, or the points of its line; x counts eastwards and y "
     "northwards from the south-west",
     regulate_route_columns, WADI_COUNT(regulate_route_columns), 0, 0},
};

static const wadi_preset regulate_presets[] = {
    {"default", "a gravel bed of least cut and fill", NULL, 0},
};

static const wadi_model_api regulate_api = {
    .create = regulate_create,
    .step = regulate_step,
    .advance = regulate_advance,
    .destroy = regulate_destroy,
    .map = regulate_map,
    .set_table = regulate_set_table,
    .work = regulate_work,
    .figures = regulate_figures,
    .archive = regulate_archive,
};

// clang-format off
static const wadi_figure_info regulate_figure_list[] = {
    {"years", "yr", WADI_FIGURE_SUM, "time that the process ran", 0},
    {"denudation", "mm/kyr", WADI_FIGURE_MEAN, "mean lowering of the map: 0, works carry nothing off it", 0},
    {"length", "m", WADI_FIGURE_STATE, "length of the channel", 0},
    {"least_radius", "m", WADI_FIGURE_STATE, "least radius of its bends", 0},
    {"width", "m", WADI_FIGURE_STATE, "width of its bed", 0},
    {"grade", "1", WADI_FIGURE_STATE, "fall of its bed", 0},
    {"depth", "m", WADI_FIGURE_STATE, "depth of the flow that it is made for", 0},
    {"levee", "m", WADI_FIGURE_STATE, "height of the levees above the bed", 0},
    {"shear", "Pa", WADI_FIGURE_STATE, "shear stress of that flow on the bed", 0},
    {"critical_shear", "Pa", WADI_FIGURE_STATE, "shear stress at which the bed moves", 0},
    {"cut", "m3", WADI_FIGURE_SUM, "ground that was cut", 0},
    {"fill", "m3", WADI_FIGURE_SUM, "ground that was filled, levees apart", 0},
    {"levees", "m3", WADI_FIGURE_SUM, "ground that became levees", 0},
    {"spoil", "m3", WADI_FIGURE_SUM, "surplus that lies beside the levees", 0},
    {"uncut_rock", "m3", WADI_FIGURE_STATE, "rock above the plan that could not be cut", 0},
    {"cut_short", "m3", WADI_FIGURE_STATE, "ground moved in the outermost cells, where the corridor is too narrow", 0},
    {"designs", "1", WADI_FIGURE_STATE, "number of designs that were compared", 0},
};
// clang-format on

static const wadi_model regulate_models[] = {
    {"trapezoid", "A channel of one cross-section, built at once by cut and fill.",
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
         WADI_LAYER_BIT(WADI_LAYER_HARDNESS),
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
         WADI_LAYER_BIT(WADI_LAYER_WATER),
     WADI_MODEL_GATHERS, &regulate_api},
};

const wadi_process wadi_regulate_process = {
    .name = "regulate",
    .doc =
        "A regulated river: a trapezoidal channel between levees along a route, with the width and "
        "grade that carry a discharge for least cut and fill.",
    .fields = &wadi_regulate_fields,
    .presets = regulate_presets,
    .preset_count = WADI_COUNT(regulate_presets),
    .maps = regulate_maps,
    .map_count = REGULATE_MAP_COUNT,
    .figures = regulate_figure_list,
    .figure_count = WADI_COUNT(regulate_figure_list),
    .tables = regulate_tables,
    .table_count = WADI_COUNT(regulate_tables),
    .models = regulate_models,
    .model_count = WADI_COUNT(regulate_models),
    .default_years = 1.0,
};
