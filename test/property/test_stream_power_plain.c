// SPDX-License-Identifier: MIT
// A step of the model "stream_power" against the same equations solved by plain sweeps over all
// cells: levels of water, ways, discharge, wear, and loads on land and in standing water.
#include "support/fixture.h"

#include "core/random.h"
#include "process/solver.h"

#include <wadi/hydraulic.h>

#include <stdlib.h>

enum
{
    WIDTH = 34,
    HEIGHT = 29,
    CELLS = WIDTH * HEIGHT
};

#define CELL 60.0
#define SEA ((int64_t)90 * WADI_UNITS_PER_METRE)
#define YEARS 1000.0

static const int32_t dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t dy[8] = {0, -1, -1, -1, 0, 1, 1, 1};

typedef struct plain
{
    const wadi_terrain* terrain; // before the step
    wadi_hydraulic_params params;
    bool sea;
    int64_t top[CELLS];   // surface, or the sea above it [units]
    int64_t level[CELLS]; // to which water rises on its way out, with the tilt
    bool outlet[CELLS];
    int32_t way[CELLS];   // direction; -1: none
    int32_t order[CELLS]; // from the outlets up
    double water[CELLS];  // discharge [m3/yr]
    double stage[CELLS];
    bool wet[CELLS];
    double after[CELLS]; // surface [units]
    double load[CELLS];
    double mean_rain;
} plain;

static int32_t beside(int32_t cell, int32_t k)
{
    const int32_t x = cell % WIDTH + dx[k];
    const int32_t y = cell / WIDTH + dy[k];
    return x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT ? -1 : y * WIDTH + x;
}

static int32_t units(const plain* p, wadi_layer layer, int32_t cell)
{
    return wadi_terrain_units(p->terrain, layer, cell % WIDTH, cell / WIDTH);
}

static bool has_data(const plain* p, int32_t cell)
{
    return wadi_terrain_is_valid(p->terrain, cell % WIDTH, cell / WIDTH);
}

// ---- ways ----------------------------------------------------------------------------------

// All edges are open but the western one.
static bool drains(const plain* p, int32_t cell)
{
    const int32_t x = cell % WIDTH;
    const int32_t y = cell / WIDTH;
    bool out = x == WIDTH - 1 || y == 0 || y == HEIGHT - 1;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int32_t n = beside(cell, k);
        out = out || (n >= 0 && !has_data(p, n));
    }
    return out || (p->sea && units(p, WADI_LAYER_SURFACE, cell) == SEA);
}

static void find_levels(plain* p)
{
    for (int32_t c = 0; c < CELLS; ++c)
    {
        const int64_t h = units(p, WADI_LAYER_SURFACE, c);
        p->top[c] = p->sea && h < SEA ? SEA : h;
        p->outlet[c] = has_data(p, c) && drains(p, c);
        p->level[c] = p->outlet[c] ? p->top[c] : INT64_MAX / 2;
    }
    for (bool falls = true; falls;)
    {
        falls = false;
        for (int32_t c = 0; c < CELLS; ++c)
        {
            for (int32_t k = 0; k < 8 && has_data(p, c); ++k)
            {
                const int32_t n = beside(c, k);
                int64_t level = n >= 0 && has_data(p, n) ? p->level[n] + 2 + k % 2 : INT64_MAX / 2;
                level = level > p->top[c] ? level : p->top[c];
                falls = falls || level < p->level[c];
                p->level[c] = level < p->level[c] ? level : p->level[c];
            }
        }
    }
}

static void find_ways(plain* p)
{
    const uint32_t stream = wadi_solver_stream("hydraulic", 0);
    for (int32_t c = 0; c < CELLS; ++c)
    {
        const wadi_philox dice = wadi_random(wadi_terrain_seed(p->terrain), stream, (uint64_t)c, 0);
        const double diagonal = 1.0 / (2.0 - (double)wadi_unit_float(dice.v[3]));
        double steepest = 0.0;
        p->way[c] = -1;
        for (int32_t k = 0; k < 8 && has_data(p, c) && !p->outlet[c]; ++k)
        {
            const int32_t n = beside(c, k);
            const double fall =
                n >= 0 && has_data(p, n) ? (double)(p->level[c] - p->level[n]) : 0.0;
            const double slope = fall * (k % 2 != 0 ? diagonal : 1.0);
            p->way[c] = slope > steepest ? k : p->way[c];
            steepest = fmax(steepest, slope);
        }
    }
}

static void sort_cells(plain* p)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        int32_t k = i;
        for (; k > 0 && p->level[p->order[k - 1]] > p->level[i]; --k)
        {
            p->order[k] = p->order[k - 1];
        }
        p->order[k] = i;
    }
}

// ---- water and wear ------------------------------------------------------------------------

static double rain_at(int32_t cell)
{
    return cell % 3 == 0 ? 0.0 : 0.4 + 0.05 * (cell % WIDTH);
}

static void gather(plain* p)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t c = 0; c < CELLS; ++c)
    {
        p->water[c] = has_data(p, c) ? rain_at(c) * CELL * CELL : 0.0;
        sum += p->water[c];
        count += has_data(p, c) ? 1 : 0;
    }
    p->mean_rain = sum / (count * CELL * CELL);
    for (int32_t i = CELLS - 1; i >= 0; --i)
    {
        const int32_t c = p->order[i];
        if (p->way[c] >= 0)
        {
            p->water[beside(c, p->way[c])] += p->water[c];
        }
    }
}

static double implicit(double height, double base, double factor)
{
    return (height + factor * base) / (1.0 + factor);
}

// Loose matter first, and rock in the time that is left.
static double wear(const plain* p, int32_t cell, double base, double factor)
{
    const double height = (double)p->top[cell];
    const double loose = height - units(p, WADI_LAYER_BEDROCK, cell);
    const double soft = factor * p->params.sediment_erodibility;
    const double worn = implicit(height, base, soft);
    if (height - worn <= loose)
    {
        return worn;
    }
    const double rock = 1.0 - units(p, WADI_LAYER_HARDNESS, cell) / 65535.0;
    const double share = loose / (soft * (height - loose - base));
    return implicit(height - loose, base, (1.0 - share) * factor * rock);
}

static int64_t lowest_outlet(const plain* p)
{
    int64_t lowest = INT64_MAX;
    for (int32_t c = 0; c < CELLS; ++c)
    {
        lowest = p->outlet[c] && p->top[c] < lowest ? p->top[c] : lowest;
    }
    return lowest;
}

// Land ends a unit above the sea.
static double ashore(const plain* p, double level)
{
    return level + (p->sea && level == (double)SEA ? 1.0 : 0.0);
}

static void climb(plain* p)
{
    const double m = p->params.discharge_exponent;
    const double lowest = (double)lowest_outlet(p);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t c = p->order[i];
        if (!has_data(p, c))
        {
            continue;
        }
        const int32_t to = p->way[c] >= 0 ? beside(c, p->way[c]) : -1;
        const double outside =
            (double)p->top[c] - p->params.outside_slope * CELL * WADI_UNITS_PER_METRE;
        const double length = CELL * (to >= 0 && p->way[c] % 2 != 0 ? sqrt(2.0) : 1.0);
        const double q = p->water[c];
        const double factor =
            p->params.erodibility * YEARS / length * q * pow(q + p->params.channel_head, m - 1.0);
        double base = to >= 0 ? p->after[to] : fmax(outside, ashore(p, lowest));
        p->stage[c] = fmax((double)p->top[c], to >= 0 ? p->stage[to] : -1e18);
        p->wet[c] = p->stage[c] > units(p, WADI_LAYER_SURFACE, c);
        p->after[c] = ashore(p, p->stage[c]);
        if (!p->wet[c] && base < p->stage[c] && !(p->sea && p->top[c] == SEA))
        {
            p->after[c] = wear(p, c, base, factor);
        }
    }
}

// ---- loads ---------------------------------------------------------------------------------

static void lay(plain* p, int32_t cell, double lowest)
{
    const double settling = p->wet[cell] ? p->params.lake_settling : p->params.settling;
    const double fall = settling * p->mean_rain * CELL * CELL;
    const bool stays = p->outlet[cell] && !p->wet[cell] && (double)p->top[cell] <= lowest;
    double laid = stays ? 0.0 : p->load[cell] * fall / (fall + p->water[cell]);
    if (p->wet[cell])
    {
        laid = fmin(laid, ashore(p, p->stage[cell]) - p->after[cell]);
    }
    p->load[cell] -= laid;
    p->after[cell] += laid;
}

static void carry(plain* p)
{
    const double lowest = (double)lowest_outlet(p);
    for (int32_t c = 0; c < CELLS; ++c)
    {
        const double surface = units(p, WADI_LAYER_SURFACE, c);
        p->after[c] = p->wet[c] ? surface : fmin(p->after[c], surface);
        p->load[c] = surface - p->after[c];
    }
    for (int32_t i = CELLS - 1; i >= 0; --i)
    {
        const int32_t c = p->order[i];
        if (!has_data(p, c))
        {
            continue;
        }
        lay(p, c, lowest);
        int32_t receivers[8];
        int32_t count = 0;
        for (int32_t k = 0; k < 8 && p->way[c] >= 0; ++k)
        {
            const int32_t n = beside(c, k);
            const bool lower = n >= 0 && has_data(p, n) && p->level[n] < p->level[c];
            receivers[count] = n;
            count += k == p->way[c] || (lower && p->wet[c] && p->wet[n]) ? 1 : 0;
        }
        for (int32_t k = 0; k < count; ++k)
        {
            p->load[receivers[k]] += p->load[c] / count;
        }
    }
}

// ---- comparing -----------------------------------------------------------------------------

static wadi_terrain* make_land(fixture* f, bool sea)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = CELL;
    def.seed = 11;
    def.edges[WADI_SIDE_WEST] = WADI_EDGE_CLOSED;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    float heights[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double x = i % WIDTH;
        const double y = i / WIDTH;
        heights[i] = (float)(100.0 + 70.0 * sin(0.6 * x + 0.3 * y) * cos(0.5 * y) +
                             (double)(i * 7919 % 1009) / 30.0);
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, WIDTH));
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 4.0, 5);
    fixture_noise(terrain, WADI_LAYER_HARDNESS, 0.0, 1.0, 6);
    fixture_holes(terrain);
    const double level = (double)SEA / WADI_UNITS_PER_METRE;
    if (sea)
    {
        CHECK_OK(f->context, wadi_terrain_set_sea_level(terrain, NULL, &level, 1));
    }
    return terrain;
}

static void step_plainly(plain* p)
{
    find_levels(p);
    find_ways(p);
    sort_cells(p);
    gather(p);
    climb(p);
    carry(p);
}

// Wear is rounded at random and what is laid down is cut to whole units, so loads differ by a few.
static void compare(const plain* p, wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    float flow[CELLS];
    CHECK_OK(wadi_terrain_context(terrain), wadi_solver_map(solver, "discharge", flow));
    double most = 0.0;
    double moved = 0.0;
    int32_t counts[2] = {0};
    for (int32_t c = 0; c < CELLS; ++c)
    {
        if (!has_data(p, c))
        {
            continue;
        }
        const double q = p->water[c] / 31557600.0;
        const int32_t now = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, c % WIDTH, c / WIDTH);
        CHECK_NEAR((double)flow[c], q, 1e-6 * q);
        most = fmax(most, fabs(now - p->after[c]));
        moved = fmax(moved, fabs((double)now - units(p, WADI_LAYER_SURFACE, c)));
        counts[p->wet[c] ? 1 : 0] += 1;
    }
    print_message(
        "%d dry and %d wet cells differ by %.1f units at most; the surface moved by up to "
        "%.0f\n",
        counts[0], counts[1], most, moved);
    assert_true(counts[0] > 200 && counts[1] > 50);
    assert_true(moved > 1e5);
    assert_true(most < 8.0);
}

static void a_step_is_that_of_plain_sweeps(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        static plain p;
        wadi_terrain* terrain = make_land(&f, i == 1);
        wadi_terrain* before = NULL;
        CHECK_OK(f.context, wadi_terrain_clone(terrain, &before));
        p = (plain){.terrain = before, .sea = i == 1};
        p.params = wadi_hydraulic_params_default();
        CHECK_OK(f.context, wadi_process_apply_preset(f.context, &wadi_hydraulic_process,
                                                      "stream_power", &p.params));
        p.params.sediment_erodibility = 2.5;
        wadi_solver* solver = NULL;
        CHECK_OK(f.context,
                 wadi_solver_create(terrain, &wadi_hydraulic_process, &p.params, 0, &solver));
        float rain[CELLS];
        for (int32_t c = 0; c < CELLS; ++c)
        {
            rain[c] = (float)rain_at(c);
        }
        CHECK_OK(f.context, wadi_solver_set_map(solver, "rain", rain));
        CHECK_OK(f.context, wadi_solver_advance(solver, YEARS));
        step_plainly(&p);
        compare(&p, solver);
        wadi_solver_destroy(solver);
        fixture_check_ledger(terrain);
        wadi_terrain_destroy(before);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_that_of_plain_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
