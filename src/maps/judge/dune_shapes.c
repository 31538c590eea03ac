// SPDX-License-Identifier: MIT
// Shapes of dunes: loads the ground, chooses the scale, and runs the parts.
#include "core/dmath.h"
#include "maps/judge/dune_shapes_internal.h"
#include "terrain/field2d.h"

static const double shapes_least = 8.0; // [cells] least scale
static const double shapes_turn = 6.283185307179586;
static const double shapes_blur = 1.0 / 24.0; // of the scale: smoothing of the surface
static const double shapes_reach = 0.5;       // of the scale: from a crest to the ground beside it
static const double shapes_low = 0.08;        // of the height: least height of a crest
static const double shapes_high = 0.2;        // the same where it is highest
static const double shapes_near = 0.2;        // of the scale: where a crest is sharp
static const double shapes_sharp = 0.15;      // of the height: fall there; 0.35 for a sine
static const double shapes_steep = 0.25;      // of the slope of slip faces: beside a crest
static const double shapes_blunt = 0.5;       // the same, mean beside a dead end of a crest
static const double shapes_back = 1.0;        // of the scale: longest dead end that may be no crest
static const double shapes_slip = 20.0;       // [degree] face of fields with slip faces
static const double shapes_repose = 34.0;     // [degree] steepest slip face
static const double shapes_hole = 0.05;       // of the squared scale: hole that is filled
static const double shapes_gap = 0.25;        // of the scale: gap that is closed
static const double shapes_spur = 0.12;       // of the scale: shortest spur of a crest
static const double shapes_line = 0.4;        // of the scale: shortest crest
static const double shapes_arm = 0.4;         // of the scale: shortest arm of a star
static const double shapes_thin = 0.3;        // [m] least thickness of a body, of dunes over 2.4 m
static const double shapes_rise = 0.125;      // of the height: least thickness of a body
static const double shapes_body = 1.0 / 3.0;  // of the height: lowest dune

// Everything that is made for one field.
typedef struct shapes_run
{
    const wadi_dune_field* field;
    wadi_dune_forms forms;
    shape_grid grid;
    float* smooth;
    float* work;
    float* steep;
    uint8_t* crests;
    uint8_t* slip;
    double drift;
    wadi_dune_shapes* out;
    uint16_t* marks;
} shapes_run;

static void shapes_free(shapes_run* run)
{
    wadi_context* context = run->grid.context;
    wadi_free(context, run->grid.z);
    wadi_free(context, run->smooth);
    wadi_free(context, run->work);
    wadi_free(context, run->steep);
    wadi_free(context, run->crests);
    wadi_free(context, run->slip);
}

static wadi_result shapes_load(shapes_run* run)
{
    const wadi_field2d* f = &run->field->surface;
    shape_grid* g = &run->grid;
    WADI_CHECK(g->context, (int64_t)f->width * f->height < INT32_MAX / 4, WADI_ERROR_RANGE,
               "a field of %d x %d cells is too large to count dunes; use a part of it",
               (int)f->width, (int)f->height);
    g->width = f->width;
    g->height = f->height;
    g->cells = f->width * f->height;
    g->dx = dune_cell_width(f, f->height / 2);
    g->dy = f->dy;
    g->cell = sqrt(g->dx * g->dy);
    g->wraps_x = f->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    g->wraps_y = f->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    WADI_ALLOC(g->context, g->z, g->cells, "the ground");
    WADI_ALLOC(g->context, run->smooth, g->cells, "the smooth ground");
    WADI_ALLOC(g->context, run->work, g->cells, "a map of dunes");
    WADI_ALLOC(g->context, run->steep, g->cells, "slopes beside crests");
    WADI_ALLOC(g->context, run->crests, g->cells, "crests");
    WADI_ALLOC(g->context, run->slip, g->cells, "slip faces");
    for (int32_t i = 0; i < g->cells; ++i)
    {
        g->z[i] = f->heights[(ptrdiff_t)(i / g->width) * f->stride + i % g->width];
    }
    return WADI_OK;
}

// Wavelength of a sine with the same variance of heights and of slopes.
static double shapes_wavelength(const shapes_run* run)
{
    const shape_grid* g = &run->grid;
    double square = 0.0;
    double cells = 0.0;
    for (int32_t i = 0; i < g->cells; ++i)
    {
        shape_place slope;
        if (wadi_shape_gradient(g, g->z, i, &slope))
        {
            square += slope.x * slope.x + slope.y * slope.y;
            cells += 1.0;
        }
    }
    const double spread = run->forms.height / sqrt(12.0);
    return square > 0.0 ? shapes_turn * spread / sqrt(square / cells) : (double)NAN;
}

static double shapes_scale(const shapes_run* run)
{
    const double scale = shapes_wavelength(run);
    return fmax(scale, shapes_least * run->grid.cell); // of NaN and a number the number
}

// Tangent of slip faces; 0 in a field without them.
static double shapes_find_tangent(const shapes_run* run)
{
    const double face = fmin(run->forms.face, shapes_repose) / dune_degree;
    return run->forms.face >= shapes_slip ? wadi_sin(face) / wadi_cos(face) : 0.0;
}

static wadi_result shapes_find_crests(shapes_run* run)
{
    const shape_grid* g = &run->grid;
    wadi_dune_shapes* out = run->out;
    const crest_rule rule = {.reach = shapes_reach * out->scale,
                             .low = shapes_low * out->height,
                             .high = shapes_high * out->height,
                             .near = shapes_near * out->scale,
                             .sharp = shapes_sharp * out->height,
                             .steep = shapes_steep * shapes_find_tangent(run),
                             .hole = shapes_hole * out->scale * out->scale};
    const double sigma = fmax(shapes_blur * out->scale, 0.7 * g->cell);
    WADI_TRY(wadi_shape_smooth(g, g->z, sigma, run->smooth));
    const crest_maps maps = {run->work, run->steep};
    WADI_TRY(wadi_crest_lines_find(g, run->smooth, &rule, &maps, run->crests));
    const double spur = fmax(shapes_spur * out->scale, 3.0 * g->cell);
    const crest_cut cut = {.gap = fmax(shapes_gap * out->scale, 3.5 * g->cell),
                           .spur = spur,
                           .least = shapes_line * out->scale,
                           .back = shapes_back * out->scale,
                           .blunt = shapes_blunt * shapes_find_tangent(run),
                           .steep = run->steep};
    WADI_TRY(wadi_crest_graph_thin(g, run->crests, &cut));
    out->crests = wadi_crest_graph_length(g, run->crests);
    WADI_TRY(wadi_crest_graph_count(g, run->crests, spur, out, run->marks));
    shape_parts parts;
    WADI_TRY(wadi_shape_parts_find(g, run->crests, SHAPE_LINK_EIGHT, &parts));
    out->lines = parts.count;
    wadi_shape_parts_free(g, &parts);
    for (int32_t i = 0; i < g->cells && run->marks != NULL; ++i)
    {
        run->marks[i] |= run->crests[i] != 0 ? WADI_DUNE_MARK_CREST : 0;
    }
    const star_maps stars = {run->smooth, run->crests, run->slip, shapes_arm * out->scale};
    return wadi_star_arms_count(g, &stars, out, run->marks);
}

// Thickness of sand, or height above the ground between dunes, into the work map.
static wadi_result shapes_find_sand(shapes_run* run)
{
    const wadi_field2d* f = &run->field->surface;
    const shape_grid* g = &run->grid;
    if (run->field->sand == NULL)
    {
        return wadi_sand_bodies_rise(g, run->out->scale, run->work);
    }
    for (int32_t i = 0; i < g->cells; ++i)
    {
        const float thick = run->field->sand[(ptrdiff_t)(i / g->width) * f->stride + i % g->width];
        run->work[i] = isnan(g->z[i]) ? NAN : thick;
    }
    return WADI_OK;
}

static double shapes_find_thin(const shapes_run* run)
{
    const double share = shapes_rise * run->out->height;
    return run->field->sand != NULL ? fmin(shapes_thin, share) : share;
}

static wadi_result shapes_list_bodies(shapes_run* run, wadi_dune_body* bodies, int32_t capacity,
                                      int32_t* count)
{
    WADI_TRY(shapes_find_sand(run));
    const body_job job = {.grid = &run->grid,
                          .thick = run->work,
                          .slip = run->slip,
                          .drift = run->drift,
                          .lee = run->forms.lee,
                          .thin = shapes_find_thin(run),
                          .least = shapes_body * run->out->height};
    return wadi_sand_bodies_list(&job, bodies, capacity, count, run->out, run->marks);
}

static wadi_result shapes_measure_forms(shapes_run* run)
{
    WADI_TRY(wadi_dune_forms_measure(run->grid.context, run->field, &run->forms));
    run->out->none = run->forms.height <= 0.0 || wadi_dune_forms_are_none(&run->forms);
    run->out->height = run->forms.height;
    return WADI_OK;
}

static wadi_result shapes_measure(shapes_run* run)
{
    int32_t count;
    wadi_dune_shapes* out = run->out;
    WADI_TRY(shapes_load(run));
    out->scale = shapes_scale(run);
    WADI_TRY(wadi_slip_faces_find(&run->grid, run->forms.face, run->slip, out, run->marks));
    WADI_TRY(shapes_find_crests(run));
    const small_maps maps = {run->crests, run->slip};
    WADI_TRY(wadi_small_dunes_find(&run->grid, &maps, out, run->marks));
    return shapes_list_bodies(run, NULL, 0, &count);
}

wadi_result wadi_dune_shapes_measure(wadi_context* context, const wadi_dune_field* field,
                                     double drift, wadi_dune_shapes* out, uint16_t* marks)
{
    *out = (wadi_dune_shapes){0};
    shapes_run run = {.field = field, .drift = drift, .out = out, .marks = marks};
    run.grid.context = context;
    WADI_TRY(shapes_measure_forms(&run));
    const int64_t cells = (int64_t)field->surface.width * field->surface.height;
    for (int64_t i = 0; i < cells && marks != NULL; ++i)
    {
        marks[i] = 0;
    }
    const wadi_result result = out->none ? WADI_OK : shapes_measure(&run);
    shapes_free(&run);
    return result;
}

static wadi_result shapes_list(shapes_run* run, wadi_dune_body* bodies, int32_t capacity,
                               int32_t* count)
{
    WADI_TRY(shapes_load(run));
    run->out->scale = shapes_scale(run);
    WADI_TRY(wadi_slip_faces_find(&run->grid, run->forms.face, run->slip, run->out, NULL));
    return shapes_list_bodies(run, bodies, capacity, count);
}

wadi_result wadi_dune_bodies_list(wadi_context* context, const wadi_dune_field* field, double drift,
                                  wadi_dune_body* bodies, int32_t capacity, int32_t* count)
{
    *count = 0;
    wadi_dune_shapes out = {0};
    shapes_run run = {.field = field, .drift = drift, .out = &out};
    run.grid.context = context;
    WADI_TRY(shapes_measure_forms(&run));
    const wadi_result result = out.none ? WADI_OK : shapes_list(&run, bodies, capacity, count);
    shapes_free(&run);
    return result;
}

static wadi_result shapes_open_sand(shapes_run* run, const dune_sand* like, dune_sand* out)
{
    WADI_TRY(shapes_load(run));
    run->out->scale = like != NULL ? like->scale : shapes_scale(run);
    WADI_TRY(shapes_find_sand(run));
    out->grid = run->grid;
    out->thick = run->work;
    run->grid.z = NULL;
    run->work = NULL;
    out->scale = run->out->scale;
    out->thin = like != NULL ? like->thin : shapes_find_thin(run);
    out->least = like != NULL ? like->least : shapes_body * run->out->height;
    return WADI_OK;
}

wadi_result wadi_dune_sand_open(wadi_context* context, const wadi_dune_field* field,
                                const dune_sand* like, dune_sand* out)
{
    *out = (dune_sand){.none = true};
    wadi_dune_shapes shapes = {0};
    shapes_run run = {.field = field, .drift = (double)NAN, .out = &shapes};
    run.grid.context = context;
    WADI_TRY(shapes_measure_forms(&run));
    out->none = shapes.none || (like != NULL && like->none);
    const wadi_result result = out->none ? WADI_OK : shapes_open_sand(&run, like, out);
    shapes_free(&run);
    return result;
}

void wadi_dune_sand_close(dune_sand* sand)
{
    wadi_free(sand->grid.context, sand->grid.z);
    wadi_free(sand->grid.context, sand->thick);
}
