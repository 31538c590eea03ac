// SPDX-License-Identifier: MIT
#include "support/river.h"

#include "core/random.h"

#include <wadi/flow.h>

#include <stdlib.h>

river_land river_plain(void)
{
    return (river_land){.size = 512, .cell = 4.0, .slope = 0.006, .roughness = 0.25, .seed = 1};
}

// ---- land ---------------------------------------------------------------------------------------

// Distance down the slope from the middle of the land [cells].
static double river_along(const river_land* land, double x, double y)
{
    const double angle = land->azimuth * M_PI / 180.0;
    const double middle = 0.5 * (land->size - 1);
    return (x - middle) * cos(angle) + (y - middle) * sin(angle);
}

static double river_height(const river_land* land, int32_t x, int32_t y)
{
    const double along = river_along(land, x, y);
    const uint64_t cell = (uint64_t)y << 32 | (uint32_t)x;
    const double bump = (double)wadi_unit_float(wadi_random(land->seed, 3, cell, 0).v[0]) - 0.5;
    const double off = along / (0.05 * land->size);
    return 100.0 - land->slope * along * land->cell + sqrt(12.0) * land->roughness * bump +
           land->ridge * exp(-off * off);
}

wadi_terrain* river_terrain(fixture* f, const river_land* land)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = land->size;
    def.cell_size = land->cell;
    def.seed = land->seed;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    const size_t cells = (size_t)land->size * (size_t)land->size;
    float* values = test_malloc(2 * cells * sizeof *values);
    float* hardness = values + cells;
    for (int32_t y = 0; y < land->size; ++y)
    {
        for (int32_t x = 0; x < land->size; ++x)
        {
            const int32_t i = y * land->size + x;
            const bool hard = fabs(river_along(land, x, y)) < land->size / 6.0;
            values[i] = (float)river_height(land, x, y);
            hardness[i] = hard ? (float)land->band : 0.0f;
        }
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, values, land->size));
    CHECK_OK(f->context,
             wadi_terrain_set_layer(terrain, WADI_LAYER_HARDNESS, hardness, land->size));
    test_free(values);
    return terrain;
}

riverbed_emitter river_emitter(const river_land* land, double discharge)
{
    const double angle = land->azimuth * M_PI / 180.0;
    const double middle = 0.5 * (land->size - 1);
    const double back = 0.5 * land->size / fmax(fabs(cos(angle)), fabs(sin(angle)));
    return (riverbed_emitter){.x = middle - back * cos(angle),
                              .y = middle - back * sin(angle),
                              .facing = angle,
                              .heading = angle,
                              .discharge = discharge};
}

wadi_graded* river_run(wadi_terrain* terrain, const wadi_riverbed_params* params,
                       const riverbed_emitter* emitters, int32_t count)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_graded* graded = NULL;
    CHECK_OK(context, wadi_graded_create(terrain, params, 0, &graded));
    CHECK_OK(context, wadi_graded_set_emitters(graded, emitters, count));
    CHECK_OK(context, wadi_graded_advance(graded, &(wadi_span){.years = params->growth}));
    wadi_terrain_changed(terrain);
    fixture_check_ledger(terrain);
    return graded;
}

// ---- sections -----------------------------------------------------------------------------------

static double river_surface(const wadi_graded* graded, riverbed_point p)
{
    const int64_t cell = graded_cell_at(graded->ground, p);
    return cell >= 0 ? graded_metres(wadi_ground_surface(graded->ground, cell)) : 1e9;
}

static riverbed_point river_beside(const wadi_graded* graded, const graded_node* node, double side)
{
    const double cells = side / graded->ground->cell_size;
    return (riverbed_point){node->at.x - cells * node->along.y, node->at.y + cells * node->along.x};
}

double river_width_at(const wadi_graded* graded, const graded_node* node)
{
    const double step = 0.25 * graded->ground->cell_size;
    double width = 0.0;
    for (int hand = -1; hand <= 1; hand += 2)
    {
        double side = 0.0;
        while (side < 2.0 * node->width &&
               river_surface(graded, river_beside(graded, node, hand * side)) < node->level)
        {
            side += step;
        }
        width += side;
    }
    return width;
}

double river_floor_at(const wadi_graded* graded, const graded_node* node)
{
    double lowest = HUGE_VAL;
    for (double side = -0.5 * node->width; side <= 0.5 * node->width; side += 1.0)
    {
        lowest = fmin(lowest, river_surface(graded, river_beside(graded, node, side)));
    }
    return lowest;
}

static int river_compare(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

static double river_median(double* values, int32_t count)
{
    qsort(values, (size_t)count, sizeof *values, river_compare);
    return count > 0 ? values[count / 2] : 0.0;
}

// ---- bends --------------------------------------------------------------------------------------

// Length excluded at both ends of a course, where bends are still growing.
static int32_t river_margin(const graded_river* river)
{
    return (int32_t)(6.0 * river->axis[0].width / river->spacing);
}

typedef struct river_bend
{
    int32_t apex;
    int32_t end; // first node of the next bend
} river_bend;

// The bend that begins at `from`. Turns of less than a tenth per width are not bends.
static river_bend river_bend_from(const graded_river* river, int32_t from, int32_t last)
{
    const double enough = 0.1 / river->axis[0].width;
    double hand = 0.0;
    river_bend bend = {from, from};
    for (; bend.end < last; ++bend.end)
    {
        const double turn = river->nodes[bend.end].turn;
        if (fabs(turn) > enough && hand == 0.0)
        {
            hand = turn;
        }
        if (fabs(turn) > enough && hand * turn < 0.0)
        {
            break;
        }
        bend.apex = fabs(turn) > fabs(river->nodes[bend.apex].turn) ? bend.end : bend.apex;
    }
    return bend;
}

// The wavelength is the distance between consecutive bends of the same hand.
static void river_measure_bends(const graded_river* river, double cell, river_measures* out)
{
    double* radii = test_calloc((size_t)river->count, sizeof *radii);
    const int32_t margin = river_margin(river);
    const int32_t last = river->count - margin;
    const double width = river->axis[0].width;
    riverbed_point apexes[2] = {{0.0, 0.0}};
    double length = 0.0;
    // the first and the last bend are incomplete
    river_bend bend = river_bend_from(river, margin, last);
    for (bend = river_bend_from(river, bend.end, last); bend.end < last;
         bend = river_bend_from(river, bend.end, last))
    {
        const graded_node* node = &river->nodes[bend.apex];
        const riverbed_point before = apexes[out->bends % 2];
        radii[out->bends] = 1.0 / fabs(node->turn) / width;
        length += out->bends >= 2 ? hypot(node->at.x - before.x, node->at.y - before.y) : 0.0;
        apexes[out->bends % 2] = node->at;
        ++out->bends;
    }
    out->bend_length = out->bends > 2 ? length / (out->bends - 2) * cell / width : 0.0;
    out->bend_radius = river_median(radii, out->bends);
    out->sinuosity = (double)river->inside / river->axis_count;
    test_free(radii);
}

// ---- ground -------------------------------------------------------------------------------------

static void river_measure_bars(const wadi_graded* graded, river_measures* out)
{
    out->bar = -HUGE_VAL;
    for (int64_t i = 0; i < graded->corridor.count; ++i)
    {
        const graded_cell* cell = &graded->corridor.cells[i];
        if (graded->laid[cell->cell] > 0)
        {
            const int32_t surface = wadi_ground_surface(graded->ground, cell->cell);
            out->bar = fmax(out->bar, graded_metres(surface - cell->level));
        }
    }
}

// Fill the pits of a terrain in which all cells outside the core of the bed are high: core cells
// that are raised do not drain to the outlet.
static void river_measure_pits(const wadi_graded* graded, river_measures* out)
{
    const wadi_ground* ground = graded->ground;
    float* heights = test_malloc(2 * (size_t)ground->cells * sizeof *heights);
    float* filled = heights + ground->cells;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        const int32_t slot = graded->corridor.slot[i];
        const bool core = slot != 0 && fabsf(graded->corridor.cells[slot - 1].eta) < 0.7f;
        heights[i] = core ? (float)graded_metres(wadi_ground_surface(ground, i)) : 1e4f;
        out->core += core;
    }
    wadi_field2d field = {.heights = heights,
                          .width = ground->width,
                          .height = ground->height,
                          .stride = ground->width,
                          .dx = ground->cell_size,
                          .dy = ground->cell_size};
    for (int side = 0; side < 4; ++side)
    {
        field.edges[side] = side == (int)graded->rivers[0].side ? WADI_EDGE_OPEN : WADI_EDGE_CLOSED;
    }
    CHECK_OK(graded->context, wadi_flow_fill(graded->context, &field, filled));
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        out->pits += heights[i] < 1e4f && filled[i] > heights[i];
    }
    test_free(heights);
}

static void river_measure_load(const wadi_graded* graded, river_measures* out)
{
    wadi_ledger_row rows[3];
    assert_true(wadi_terrain_ledger_of(graded->terrain, "riverbed", rows, 3) >= 3);
    const wadi_ledger_row* sediment = &rows[WADI_MATERIAL_SEDIMENT];
    double left = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        left += sediment->out[side];
    }
    const double cut = rows[WADI_MATERIAL_ROCK].eroded + sediment->eroded;
    out->carved = cut - sediment->deposited;
    out->share_out = left / (cut + sediment->in);
}

river_measures river_measure(const wadi_graded* graded)
{
    river_measures out = {0};
    const graded_river* river = &graded->rivers[0];
    double* widths = test_malloc(2 * (size_t)river->count * sizeof *widths);
    for (int32_t i = 0; i < river->count; ++i)
    {
        widths[i] = river_width_at(graded, &river->nodes[i]);
        widths[river->count + i] = river->nodes[i].width;
    }
    out.width = river_median(widths, river->count);
    out.aim = river_median(widths + river->count, river->count);
    test_free(widths);
    river_measure_bends(river, graded->ground->cell_size, &out);
    river_measure_bars(graded, &out);
    river_measure_pits(graded, &out);
    river_measure_load(graded, &out);
    return out;
}

// True if the hardness is the same at a node and one width up and down the course.
static bool river_is_within(const wadi_graded* graded, const graded_river* river, int32_t i,
                            double hardness)
{
    const int32_t reach = (int32_t)(2.0 * river->axis[0].width / river->spacing);
    const uint16_t share = (uint16_t)lround(hardness * 65535.0);
    for (int32_t n = i - reach; n <= i + reach; n += reach)
    {
        const int64_t cell =
            n >= 0 && n < river->count ? graded_cell_at(graded->ground, river->nodes[n].at) : -1;
        if (cell < 0 || abs(graded->ground->hardness[cell] - share) > 1)
        {
            return false;
        }
    }
    return true;
}

river_reach river_reach_in(const wadi_graded* graded, double hardness)
{
    const graded_river* river = &graded->rivers[0];
    river_reach out = {0};
    double* widths = test_malloc((size_t)river->count * sizeof *widths);
    // line fit through the floor of each stretch of equal rock
    double fall = 0.0;
    int32_t start = -1;
    int32_t length = 0;
    for (int32_t i = 0; i <= river->count; ++i)
    {
        const bool within = i < river->count && river_is_within(graded, river, i, hardness);
        if (within)
        {
            widths[out.nodes++] = river_width_at(graded, &river->nodes[i]);
            start = start < 0 ? i : start;
        }
        else if (start >= 0)
        {
            fall += river_floor_at(graded, &river->nodes[start]) -
                    river_floor_at(graded, &river->nodes[i - 1]);
            length += i - 1 - start;
            start = -1;
        }
    }
    out.width = river_median(widths, out.nodes);
    out.slope = length > 0 ? fall / (length * river->spacing) : 0.0;
    test_free(widths);
    return out;
}
