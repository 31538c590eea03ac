// SPDX-License-Identifier: MIT
// Strokes that are painted over the values of a source, such as a map of rain drawn by hand.
#include "scene/scene_internal.h"
#include "terrain/change.h"

#include <math.h>
#include <string.h>

enum
{
    PAINT_GRAIN = 16, // rows a block
    PAINT_COPIES = 9  // of the map: itself and, over periodic edges, its neighbours
};

// ---- copies -------------------------------------------------------------------------------------

// Checks are written so that NaN fails too.
static wadi_result paint_check_rim(wadi_context* context, int32_t number, const wadi_paint* stroke)
{
    if (stroke->is_area)
    {
        WADI_CHECK(context, stroke->soft >= 0.0 && stroke->soft <= 1e9, WADI_ERROR_RANGE,
                   "the soft rim of stroke %d is %g m but must lie in [0, 1e9]", number,
                   stroke->soft);
        return WADI_OK;
    }
    WADI_CHECK(context, stroke->radius > 0.0 && stroke->radius <= 1e9, WADI_ERROR_RANGE,
               "the radius of stroke %d is %g m but must be above 0 and at most 1e9 m", number,
               stroke->radius);
    WADI_CHECK(context, stroke->soft >= 0.0 && stroke->soft <= stroke->radius, WADI_ERROR_RANGE,
               "the soft rim of stroke %d is %g m but must lie in [0, %g], the radius", number,
               stroke->soft, stroke->radius);
    return WADI_OK;
}

static wadi_result paint_check_points(wadi_context* context, int32_t number,
                                      const wadi_paint* stroke)
{
    const int32_t least = stroke->is_area ? 3 : 1;
    const bool has_points = stroke->points != NULL && stroke->point_count >= least &&
                            stroke->point_count <= WADI_MAX_PAINT_POINTS;
    WADI_CHECK(context, has_points, WADI_ERROR_ARGUMENT,
               "stroke %d has %d points; expected %d to %d", number, stroke->point_count, least,
               WADI_MAX_PAINT_POINTS);
    for (int32_t p = 0; p < stroke->point_count; ++p)
    {
        const wadi_point at = stroke->points[p];
        const bool near = at.x >= -1e9 && at.x <= 1e9 && at.y >= -1e9 && at.y <= 1e9;
        WADI_CHECK(context, near, WADI_ERROR_RANGE, "point %d of stroke %d must lie within 1e9 m",
                   p + 1, number);
    }
    return WADI_OK;
}

// True if two lists have the same points.
static bool paint_has_points_of(const wadi_paint* a, const wadi_paint* b)
{
    bool same = a->point_count == b->point_count;
    for (int32_t i = 0; i < a->point_count && same && a->points != b->points; ++i)
    {
        same = memcmp(&a->points[i], &b->points[i], sizeof a->points[i]) == 0;
    }
    return same;
}

// Check a stroke and copy its points. A map that is painted again and again holds its former
// strokes each time: their points are shared with the map that was kept before.
static wadi_result paint_keep(wadi_scene* scene, int32_t index, wadi_paint* stroke)
{
    WADI_CHECK(scene->context, stroke->value >= -1e9 && stroke->value <= 1e9, WADI_ERROR_RANGE,
               "the value of stroke %d is %g but must lie in [-1e9, 1e9]", index + 1,
               stroke->value);
    WADI_TRY(paint_check_rim(scene->context, index + 1, stroke));
    WADI_TRY(paint_check_points(scene->context, index + 1, stroke));
    if (index < scene->painted_count && paint_has_points_of(&scene->painted[index], stroke))
    {
        stroke->points = scene->painted[index].points;
        return WADI_OK;
    }
    void* points;
    WADI_TRY(wadi_scene_keep_bytes(scene, stroke->points,
                                   (size_t)stroke->point_count * sizeof *stroke->points, &points));
    stroke->points = points;
    return WADI_OK;
}

wadi_result wadi_scene_keep_strokes(wadi_scene* scene, const wadi_source* source, wadi_source* out)
{
    const int32_t count = source->stroke_count;
    WADI_CHECK(scene->context, count >= 0 && count <= WADI_MAX_PAINTS, WADI_ERROR_RANGE,
               "%d strokes; expected at most %d", count, WADI_MAX_PAINTS);
    WADI_CHECK(scene->context, count == 0 || source->strokes != NULL, WADI_ERROR_ARGUMENT,
               "%d strokes, but no list of them", count);
    if (count == 0)
    {
        return WADI_OK;
    }
    void* memory;
    WADI_TRY(wadi_scene_keep_bytes(scene, source->strokes, (size_t)count * sizeof *source->strokes,
                                   &memory));
    wadi_paint* strokes = memory;
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_TRY(paint_keep(scene, i, &strokes[i]));
    }
    out->strokes = strokes;
    out->stroke_count = count;
    scene->painted = strokes;
    scene->painted_count = count;
    return WADI_OK;
}

// ---- drawing ------------------------------------------------------------------------------------

typedef struct paint_job
{
    const scene_fill* fill;
    wadi_point copies[PAINT_COPIES]; // by how much the map is moved [m]
    int32_t copy_count;
    float* out;
} paint_job;

// The box of a stroke: that of a line is grown by its radius.
typedef struct paint_box
{
    double west;
    double east;
    double south;
    double north;
} paint_box;

static paint_box paint_box_of(const wadi_paint* stroke, wadi_point moved)
{
    const double reach = stroke->is_area ? 0.0 : stroke->radius;
    paint_box box = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    for (int32_t i = 0; i < stroke->point_count; ++i)
    {
        const wadi_point at = stroke->points[i];
        box.west = fmin(box.west, at.x + moved.x - reach);
        box.east = fmax(box.east, at.x + moved.x + reach);
        box.south = fmin(box.south, at.y + moved.y - reach);
        box.north = fmax(box.north, at.y + moved.y + reach);
    }
    return box;
}

// Squared distance of a place from the line of a stroke [m2].
static double paint_distance_squared(const wadi_paint* stroke, wadi_point at)
{
    double nearest = HUGE_VAL;
    for (int32_t i = 0; i < stroke->point_count; ++i)
    {
        const wadi_point from = stroke->points[i > 0 ? i - 1 : 0];
        const double distance = wadi_region_distance_squared(from, stroke->points[i], at);
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

// How far a place lies inside the outline of a stroke [m]; below 0: outside.
static double paint_depth(const wadi_paint* stroke, wadi_point at)
{
    return stroke->is_area ? wadi_region_polygon_depth(stroke->points, stroke->point_count, at)
                           : stroke->radius - sqrt(paint_distance_squared(stroke, at));
}

// Columns of cells whose centre may lie between two eastings: one more on each side, as the exact
// test follows.
static void paint_columns(const wadi_frame* frame, double west, double east, int32_t* begin,
                          int32_t* end)
{
    const double first = floor(west / frame->cell_size) - 1.0;
    const double last = floor(east / frame->cell_size) + 2.0;
    *begin = first > 0.0 ? (int32_t)fmin(first, frame->width) : 0;
    *end = last < frame->width ? (int32_t)fmax(last, 0.0) : frame->width;
}

// Columns of a row that a stroke may reach. In a window of the grid, whose columns may wrap around
// it, all of them.
static void paint_span(const paint_job* job, const wadi_paint* stroke, double y, int32_t* begin,
                       int32_t* end)
{
    const wadi_frame* frame = job->fill->frame;
    *begin = frame->width;
    *end = 0;
    for (int32_t k = 0; k < job->copy_count; ++k)
    {
        const paint_box box = paint_box_of(stroke, job->copies[k]);
        int32_t from = 0;
        int32_t to = frame->width;
        if (frame->window == NULL)
        {
            paint_columns(frame, box.west, box.east, &from, &to);
        }
        if (y >= box.south && y <= box.north && from < to)
        {
            *begin = from < *begin ? from : *begin;
            *end = to > *end ? to : *end;
        }
    }
}

// A stroke on one row. A cell that several copies of the map reach takes the greatest weight.
static void paint_row(const paint_job* job, const wadi_paint* stroke, int32_t row)
{
    const wadi_frame* frame = job->fill->frame;
    float* out = job->out + (int64_t)row * frame->width;
    int32_t begin;
    int32_t end;
    paint_span(job, stroke, scene_cell_centre(frame, 0, row).y, &begin, &end);
    for (int32_t column = begin; column < end; ++column)
    {
        const wadi_point centre = scene_cell_centre(frame, column, row);
        double deepest = -HUGE_VAL;
        for (int32_t k = 0; k < job->copy_count; ++k)
        {
            const wadi_point at = {centre.x - job->copies[k].x, centre.y - job->copies[k].y};
            deepest = fmax(deepest, paint_depth(stroke, at));
        }
        const double weight = wadi_edit_weight(deepest, stroke->soft);
        if (weight > 0.0)
        {
            // a cell without data stays NaN
            const double old = (double)out[column];
            out[column] = (float)(old + weight * (stroke->value - old));
        }
    }
}

static void paint_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const paint_job* job = user;
    const wadi_source* source = job->fill->source;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t i = 0; i < source->stroke_count; ++i)
        {
            paint_row(job, &source->strokes[i], row);
        }
    }
}

wadi_result wadi_scene_paint(const scene_fill* fill, float* out)
{
    if (fill->source->stroke_count == 0)
    {
        return WADI_OK;
    }
    paint_job job = {.fill = fill, .out = out};
    const wadi_terrain* terrain = fill->terrain;
    const bool wraps_x =
        terrain != NULL && wadi_terrain_edge(terrain, WADI_SIDE_WEST) == WADI_EDGE_PERIODIC;
    const bool wraps_y =
        terrain != NULL && wadi_terrain_edge(terrain, WADI_SIDE_NORTH) == WADI_EDGE_PERIODIC;
    // of the whole map, also in a window of it
    const wadi_frame* frame = fill->frame;
    const int32_t columns = frame->window != NULL ? frame->window->width : frame->width;
    const int32_t rows = frame->window != NULL ? frame->window->height : frame->height;
    const double width = columns * frame->cell_size;
    const double height = rows * frame->cell_size;
    for (int32_t y = wraps_y ? -1 : 0; y <= (wraps_y ? 1 : 0); ++y)
    {
        for (int32_t x = wraps_x ? -1 : 0; x <= (wraps_x ? 1 : 0); ++x)
        {
            job.copies[job.copy_count++] = (wadi_point){x * width, y * height};
        }
    }
    wadi_parallel_rows(fill->context, fill->frame->height, PAINT_GRAIN, paint_rows, &job);
    return WADI_OK;
}
