// SPDX-License-Identifier: MIT
// Grains in place of soil: upright stacks on a triangular lattice one diameter apart.
//
// Stacks do not overlap on any slope, and fill 60 % of the volume, as loose soil does. A stack has
// depth / diameter grains, rounded up or down by a low-discrepancy sequence, so that thin soil has
// the right number on average. Depth is interpolated between cells: a stack on a cell without soil
// belongs to a neighbour with soil.
#include "core/dmath.h"
#include "core/random.h"
#include "processes/landslide/landslide_internal.h"

#include <math.h>
#include <string.h>

static const double pack_row = 0.86602540378443865; // height of a triangle of side 1
static const double pack_margin = 0.98;             // share of `most`, since stacks may round up

typedef struct pack_stack
{
    double x;
    double y;
    double floor;
    double steep; // 1 / cos of the slope of the floor
    int32_t grains;
    int32_t home;
    uint64_t key; // of random numbers
} pack_stack;

typedef struct pack_job
{
    slide* s;
    const wadi_ground* ground;
    wadi_facets floor;
    wadi_facets depth;
    double shift[3]; // random offset of the lattice (x, y) and of the sequence
    bool counts;     // true: only count the grains
    int64_t grains;
} pack_job;

// ---- a stack -----------------------------------------------------------------------------

// Source cell of a stack: the cell below it, or else the nearest neighbour with soil.
static int32_t pack_home(const pack_job* job, int32_t column, int32_t row, double x, double y)
{
    const wadi_ground* ground = job->ground;
    int32_t home = -1;
    double nearest = (double)INFINITY;
    for (int k = 0; k < 9; ++k)
    {
        const int32_t c = column + k % 3 - 1;
        const int32_t r = row + k / 3 - 1;
        const int64_t cell = wadi_slide_land_cell(ground, c, r);
        const double dx = x / ground->cell_size - c - 0.5;
        const double dy = (double)ground->height - y / ground->cell_size - r - 0.5;
        const bool gives = job->s->source->soil[cell] + job->s->source->rock[cell] > 0;
        const bool own = dx * dx <= 0.25 && dy * dy <= 0.25;
        const double far = own ? -1.0 : dx * dx + dy * dy;
        if (gives && far < nearest)
        {
            home = (int32_t)cell;
            nearest = far;
        }
    }
    return home;
}

// Offset in [0, 1) for the rounding of a stack: the low-discrepancy sequence R2 (Roberts 2018).
static double pack_draw(const pack_job* job, int64_t i, int64_t j)
{
    const double r =
        0.7548776662466927 * (double)i + 0.5698402909980532 * (double)j + job->shift[2];
    return r - floor(r);
}

static void pack_grain(const pack_job* job, const pack_stack* stack, int32_t k)
{
    slide* s = job->s;
    const wadi_philox lot =
        wadi_random(wadi_terrain_seed(s->terrain), s->stream, stack->key, (uint32_t)k + 1);
    const double share = 1.0 - s->params->spread * wadi_unit_double(lot.v[0], lot.v[1]);
    const double half = 0.5 * s->diameter;
    s->homes[job->grains + k] = stack->home;
    s->grains[job->grains + k] = (wadi_grain){
        .position = {stack->x, stack->y, stack->floor + half * stack->steep + k * s->diameter},
        .radius = half * share,
    };
}

static void pack_point(pack_job* job, int32_t column, int32_t row, int64_t i, int64_t j)
{
    slide* s = job->s;
    pack_stack stack = {
        .x = ((double)i + (j % 2 != 0 ? 0.5 : 0.0) + job->shift[0]) * s->diameter,
        .y = ((double)j + job->shift[1]) * pack_row * s->diameter,
        .key = (uint64_t)j << 32 | (uint32_t)i,
    };
    double slope[2];
    const double depth = wadi_facets_height(&job->depth, stack.x, stack.y, slope);
    stack.grains = (int32_t)(depth / s->diameter + pack_draw(job, i, j));
    stack.home = stack.grains > 0 ? pack_home(job, column, row, stack.x, stack.y) : -1;
    if (stack.home < 0)
    {
        return;
    }
    if (!job->counts)
    {
        stack.floor = wadi_facets_height(&job->floor, stack.x, stack.y, slope);
        stack.steep = sqrt(1.0 + slope[0] * slope[0] + slope[1] * slope[1]);
        for (int32_t k = 0; k < stack.grains; ++k)
        {
            pack_grain(job, &stack, k);
        }
    }
    job->grains += stack.grains;
}

// ---- all of them -------------------------------------------------------------------------

// Lattice points whose stacks stand on a cell.
static void pack_cell(pack_job* job, int32_t column, int32_t row)
{
    const slide* s = job->s;
    const double cell = job->ground->cell_size;
    const double south = (double)(job->ground->height - 1 - row) * cell;
    const double step = pack_row * s->diameter;
    const int64_t first = (int64_t)ceil(south / step - job->shift[1]);
    for (int64_t j = first; ((double)j + job->shift[1]) * step < south + cell; ++j)
    {
        const double shift = job->shift[0] + (j % 2 != 0 ? 0.5 : 0.0);
        const double west = (double)column * cell;
        const int64_t start = (int64_t)ceil(west / s->diameter - shift);
        for (int64_t i = start; ((double)i + shift) * s->diameter < west + cell; ++i)
        {
            pack_point(job, column, row, i, j);
        }
    }
}

static bool pack_is_near_source(const pack_job* job, int32_t column, int32_t row)
{
    for (int32_t r = row; r < row + 3; ++r)
    {
        for (int32_t c = column; c < column + 3; ++c)
        {
            if (job->s->land.depth[(int64_t)r * job->s->land.width + c] > 0.0f)
            {
                return true;
            }
        }
    }
    return false;
}

static int64_t pack_walk(slide* s, bool counts)
{
    const wadi_philox lot = wadi_random(wadi_terrain_seed(s->terrain), s->stream, 0, 0);
    pack_job job = {
        .s = s,
        .ground = wadi_terrain_ground_const(s->terrain),
        .floor = wadi_slide_land_facets(&s->land, s->land.floor),
        .depth = wadi_slide_land_facets(&s->land, s->land.depth),
        .shift = {(double)wadi_unit_float(lot.v[0]), (double)wadi_unit_float(lot.v[1]),
                  (double)wadi_unit_float(lot.v[2])},
        .counts = counts,
    };
    for (int32_t row = 0; row < job.ground->height; ++row)
    {
        for (int32_t column = 0; column < job.ground->width; ++column)
        {
            if (pack_is_near_source(&job, column, row))
            {
                pack_cell(&job, column, row);
            }
        }
    }
    return job.grains;
}

static double pack_volume(const slide* s)
{
    return (double)s->source->units / WADI_UNITS_PER_METRE * s->land.cell * s->land.cell;
}

static wadi_result pack_check_count(const slide* s, double count, double most)
{
    WADI_CHECK(wadi_terrain_context(s->terrain), count <= most, WADI_ERROR_RANGE,
               "diameter %g m gives %.6g grains, more than the %d that `most` allows: set "
               "diameter to 0, or raise it or most",
               s->diameter, count, s->params->most);
    return WADI_OK;
}

// Diameter of the largest grain. The area of a stack is pack_row x diameter^2.
static double pack_diameter(const slide* s)
{
    if (s->params->diameter > 0.0)
    {
        return s->params->diameter;
    }
    const double least = 0.2 * s->land.cell;
    const double fits =
        wadi_pow(pack_volume(s) / (pack_row * pack_margin * (double)s->params->most), 1.0 / 3.0);
    return fits > least ? fits : least;
}

wadi_result wadi_slide_pack(slide* s)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    s->diameter = pack_diameter(s);
    // refuse tiny diameters from the volume alone: counting all stacks could take too long
    const double each = pack_row * s->diameter * s->diameter * s->diameter;
    const double most = 4.0 * (double)s->params->most + 1e7;
    const double volume = pack_volume(s);
    WADI_TRY(pack_check_count(s, volume > most * each ? volume / fmax(each, 1e-30) : 0.0, most));
    int64_t count = pack_walk(s, true);
    // interpolated depth gives a few per cent more grains than the volume
    while (count > s->params->most && s->params->diameter == 0.0)
    {
        s->diameter *= 1.02 * wadi_pow((double)count / (double)s->params->most, 1.0 / 3.0);
        count = pack_walk(s, true);
    }
    WADI_TRY(pack_check_count(s, (double)count, (double)s->params->most));
    s->count = (int32_t)count;
    if (count > 0)
    {
        WADI_ALLOC(context, s->grains, count, "grains of a slide");
        WADI_ALLOC(context, s->homes, count, "grains of a slide");
        (void)pack_walk(s, false);
    }
    return WADI_OK;
}
