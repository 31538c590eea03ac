// SPDX-License-Identifier: MIT
// Brushes: the change of each cell that a disc reaches, from the layer as it was before the touch.
#include "core/field_rows.h"
#include "terrain/change.h"
#include "terrain/terrain.h"

#include <math.h>

enum
{
    BRUSH_GRAIN = 64 // rows a block
};

static const char* const brush_verbs[] = {"add", "take", "at_least", "set", "smooth", NULL};

// clang-format off
#define BRUSH_NUMBER(...) FIELD_NUMBER(wadi_brush, __VA_ARGS__)
static const wadi_field brush_list[] = {
    FIELD_WHOLE(wadi_brush, layer, WADI_LAYER_SURFACE, 0, WADI_LAYER_LOOSE + WADI_MAX_LOOSE - 1, "Layer that changes.", ""),
    FIELD_CHOICE(wadi_brush, verb, WADI_EDIT_ADD, WADI_EDIT_VERB_COUNT, "What it does.", "", brush_verbs),
    BRUSH_NUMBER(x, 0.0, -1e9, 1e9, "m", "Centre, east of the western edge.", ""),
    BRUSH_NUMBER(y, 0.0, -1e9, 1e9, "m", "Centre, north of the southern edge.", ""),
    BRUSH_NUMBER(radius, 100.0, 1e-6, 1e9, "m", "Radius.", ""),
    BRUSH_NUMBER(soft, 0.5, 0.0, 1.0, "1", "Share of the radius over which the effect falls to nothing.", ""),
    BRUSH_NUMBER(amount, 1.0, -WADI_HEIGHT_LIMIT, WADI_HEIGHT_LIMIT, "1", "Metres, or a share for layers of shares and smoothing.", ""),
};
// clang-format on

const wadi_field_table wadi_brush_fields = FIELD_TABLE("brush", brush_list, wadi_brush);

wadi_brush wadi_brush_default(void)
{
    wadi_brush brush;
    wadi_fields_init(&wadi_brush_fields, &brush);
    return brush;
}

static wadi_result brush_check(wadi_terrain* terrain, const wadi_brush* brush)
{
    wadi_context* context = terrain->context;
    WADI_TRY(wadi_fields_check(context, &wadi_brush_fields, brush));
    const char* name = wadi_terrain_layer_name(terrain, brush->layer);
    WADI_CHECK(context, name != NULL, WADI_ERROR_UNKNOWN, "this terrain has no layer %d",
               brush->layer);
    const bool share = wadi_terrain_shares(terrain, brush->layer) != NULL;
    const bool elevation = brush->layer == WADI_LAYER_SURFACE || brush->layer == WADI_LAYER_BEDROCK;
    const bool assigns = brush->verb == WADI_EDIT_SET || brush->verb == WADI_EDIT_AT_LEAST;
    const double low = assigns && elevation ? -WADI_HEIGHT_LIMIT : 0.0;
    const double high = share || brush->verb == WADI_EDIT_SMOOTH ? 1.0 : WADI_HEIGHT_LIMIT;
    WADI_CHECK(context, brush->amount >= low && brush->amount <= high, WADI_ERROR_RANGE,
               "the amount of a brush that does '%s' to %s is %g but must lie in [%g, %g]",
               brush_verbs[brush->verb], name, brush->amount, low, high);
    return WADI_OK;
}

// ---- reach -------------------------------------------------------------------------------

// One axis: cells of `size` metres, `extent` of them, from the north or the west.
typedef struct brush_axis
{
    double centre; // of the brush [m]
    double size;
    int32_t extent;
    bool periodic;
} brush_axis;

static brush_axis brush_axis_of(const wadi_terrain* terrain, double centre, int32_t extent,
                                wadi_edge edge)
{
    brush_axis axis = {centre, terrain->ground.cell_size, extent, edge == WADI_EDGE_PERIODIC};
    if (axis.periodic)
    {
        const double length = axis.size * extent;
        axis.centre -= floor(axis.centre / length) * length;
    }
    return axis;
}

static brush_axis brush_columns(const wadi_terrain* terrain, const wadi_brush* brush)
{
    return brush_axis_of(terrain, brush->x, terrain->ground.width,
                         terrain->ground.edges[WADI_SIDE_WEST]);
}

static brush_axis brush_rows(const wadi_terrain* terrain, const wadi_brush* brush)
{
    const wadi_ground* ground = &terrain->ground;
    return brush_axis_of(terrain, ground->height * ground->cell_size - brush->y, ground->height,
                         ground->edges[WADI_SIDE_NORTH]);
}

// Distance of a cell's centre from that of the brush along one axis: over a periodic edge if that
// is shorter.
static double brush_distance(const brush_axis* axis, int32_t index)
{
    const double distance = fabs(((double)index + 0.5) * axis->size - axis->centre);
    const double length = axis->size * axis->extent;
    return axis->periodic && distance > 0.5 * length ? length - distance : distance;
}

// First cell within the radius, and the number of cells. Over a periodic edge the first may be
// negative, or the last beyond the grid.
static int32_t brush_span(const brush_axis* axis, double radius, int32_t* count)
{
    // a cell more on each side: rounding must not lose one
    const double first = floor((axis->centre - radius) / axis->size) - 1.0;
    const double last = floor((axis->centre + radius) / axis->size) + 2.0;
    if (axis->periodic && last - first < axis->extent)
    {
        *count = (int32_t)(last - first);
        return (int32_t)first;
    }
    const double low = axis->periodic ? 0.0 : fmin(fmax(first, 0.0), axis->extent);
    const double high = axis->periodic ? axis->extent : fmin(fmax(last, 0.0), axis->extent);
    *count = (int32_t)(high - low);
    return (int32_t)low;
}

static wadi_rectangle brush_rectangle(const wadi_terrain* terrain, const wadi_brush* brush)
{
    const brush_axis columns = brush_columns(terrain, brush);
    const brush_axis rows = brush_rows(terrain, brush);
    wadi_rectangle rectangle;
    rectangle.x = brush_span(&columns, brush->radius, &rectangle.width);
    rectangle.y = brush_span(&rows, brush->radius, &rectangle.height);
    return rectangle;
}

wadi_rectangle wadi_terrain_brush_reach(const wadi_terrain* terrain, const wadi_brush* brush)
{
    wadi_rectangle reach = brush_rectangle(terrain, brush);
    const wadi_ground* ground = &terrain->ground;
    if (reach.x < 0 || reach.x + reach.width > ground->width)
    {
        reach.x = 0;
        reach.width = ground->width;
    }
    if (reach.y < 0 || reach.y + reach.height > ground->height)
    {
        reach.y = 0;
        reach.height = ground->height;
    }
    return wadi_terrain_clip(terrain, reach);
}

// ---- the touch ---------------------------------------------------------------------------

typedef struct brush_job
{
    const wadi_terrain* terrain;
    const wadi_brush* brush;
    wadi_rectangle rectangle;
    brush_axis columns;
    brush_axis rows;
    double* change;
} brush_job;

static double brush_cell(const brush_job* job, int64_t cell)
{
    const wadi_brush* brush = job->brush;
    const int32_t x = (int32_t)(cell % job->terrain->ground.width);
    const int32_t y = (int32_t)(cell / job->terrain->ground.width);
    const double dx = brush_distance(&job->columns, x);
    const double dy = brush_distance(&job->rows, y);
    const double depth = brush->radius - sqrt(dx * dx + dy * dy);
    const double weight = wadi_edit_weight(depth, brush->soft * brush->radius);
    if (weight <= 0.0 || job->terrain->ground.valid[cell] == 0)
    {
        return 0.0;
    }
    const double now = wadi_terrain_value(job->terrain, brush->layer, cell);
    return brush->verb == WADI_EDIT_SMOOTH
               ? weight * wadi_edit_smooth(job->terrain, brush->layer, cell, brush->amount)
               : weight * wadi_edit_change((wadi_edit_verb)brush->verb, now, brush->amount);
}

static void brush_change_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const brush_job* job = user;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < job->rectangle.width; ++column)
        {
            const int64_t cell =
                wadi_terrain_wrap(job->terrain, job->rectangle.x + column, job->rectangle.y + row);
            job->change[(int64_t)row * job->rectangle.width + column] = brush_cell(job, cell);
        }
    }
}

wadi_result wadi_terrain_brush(wadi_terrain* terrain, const wadi_brush* brush)
{
    wadi_context* context = terrain->context;
    WADI_TRY(brush_check(terrain, brush));
    WADI_TRY(wadi_strata_check_layer(terrain, brush->layer));
    WADI_TRY(wadi_terrain_check_writable(terrain));
    brush_job job = {terrain,
                     brush,
                     brush_rectangle(terrain, brush),
                     brush_columns(terrain, brush),
                     brush_rows(terrain, brush),
                     NULL};
    const int64_t cells = (int64_t)job.rectangle.width * job.rectangle.height;
    if (cells == 0)
    {
        return WADI_OK;
    }
    WADI_ALLOC(context, job.change, cells, "a brush");
    wadi_parallel_rows(context, job.rectangle.height, BRUSH_GRAIN, brush_change_rows, &job);
    const wadi_result result =
        wadi_terrain_change_rectangle(terrain, brush->layer, job.rectangle, job.change);
    wadi_free(context, job.change);
    return result;
}
