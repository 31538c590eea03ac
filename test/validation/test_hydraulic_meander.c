// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 12
// gap: bends that do not depend on the length of a batch
// A river that enters a tilted plain of 2 m cells meanders by its momentum, whichever way the plain
// tilts, and runs straight without.
#include "support/fixture.h"
#include "support/parcels.h"

#include "core/random.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SIDE = 192,
    CELLS = SIDE * SIDE,
    BATCHES = 250,
    SMOOTH = 8, // cells on the way: 16 m, three to four widths of the channel
    MARGIN = 3  // cells along the edges where outlets pin the channel
};

static const double CELL_SIZE = 2.0;
static const double SLOPE = 0.01;
static const double DISCHARGE = 1.0; // [m3/s]: 4 m wide
static const double YEARS = 400.0;

typedef struct place
{
    double x;
    double y;
} place;

// A plain that falls towards the azimuth (clockwise from south, in radians), with centimetres of
// noise.
static wadi_terrain* tilted_plain(fixture* f, double azimuth, uint64_t seed, float* buffer)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIDE;
    def.height = SIDE;
    def.cell_size = CELL_SIZE;
    def.seed = seed;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double down =
            (i % SIDE - SIDE / 2) * sin(azimuth) + (i / SIDE - SIDE / 2) * cos(azimuth);
        const wadi_philox random = wadi_random(seed, 0, (uint64_t)i, 0);
        buffer[i] =
            (float)(100.0 - SLOPE * CELL_SIZE * down + 0.02 * (double)wadi_unit_float(random.v[0]));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, buffer, SIDE));
    return terrain;
}

// The only rain is the river: on four cells near the upper edge.
static int32_t river_enters(double azimuth, float* rain)
{
    const double up = 0.44 * SIDE / fmax(sin(azimuth), cos(azimuth));
    const int32_t x = (int32_t)(SIDE / 2 - up * sin(azimuth));
    const int32_t y = (int32_t)(SIDE / 2 - up * cos(azimuth));
    const float rate = (float)(DISCHARGE * 31557600.0 / (4.0 * CELL_SIZE * CELL_SIZE));
    memset(rain, 0, CELLS * sizeof *rain);
    for (int32_t k = 0; k < 4; ++k)
    {
        rain[(y + k / 2) * SIDE + x + k % 2] = rate;
    }
    return y * SIDE + x;
}

// ---- the channel -------------------------------------------------------------------------

// The neighbour with most water that is not yet on the path, or -1.
static int32_t thread_next(const float* discharge, const uint8_t* seen, int32_t at)
{
    int32_t best = -1;
    for (int32_t k = 0; k < 9; ++k)
    {
        const int32_t to = at + (k / 3 - 1) * SIDE + k % 3 - 1;
        if (seen[to] == 0 && (best < 0 || discharge[to] > discharge[best]))
        {
            best = to;
        }
    }
    return best;
}

// Follow the main thread of flow from its source to near the edge.
static int32_t follow_thread(const float* discharge, int32_t from, place* path)
{
    uint8_t* seen = calloc(CELLS, 1);
    int32_t count = 0;
    int32_t at = from;
    while (at >= 0 && (double)discharge[at] > 0.2 * DISCHARGE && at % SIDE >= MARGIN &&
           at % SIDE < SIDE - MARGIN && at / SIDE >= MARGIN && at / SIDE < SIDE - MARGIN)
    {
        seen[at] = 1;
        path[count] = (place){at % SIDE, at / SIDE};
        count += 1;
        at = thread_next(discharge, seen, at);
    }
    free(seen);
    return count;
}

static place smoothed(const place* path, int32_t i)
{
    place sum = {0.0, 0.0};
    for (int32_t k = 0; k < SMOOTH; ++k)
    {
        sum.x += path[i + k].x / SMOOTH;
        sum.y += path[i + k].y / SMOOTH;
    }
    return sum;
}

static double distance(place a, place b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

// Length of the smoothed path over the straight distance, without the tenth at either end.
static double sinuosity(const place* path, int32_t count)
{
    const int32_t first = count / 10;
    const int32_t last = count - count / 10 - SMOOTH;
    assert_true(last - first > SIDE / 2);
    double length = 0.0;
    for (int32_t i = first; i < last; ++i)
    {
        length += distance(smoothed(path, i), smoothed(path, i + 1));
    }
    return length / distance(smoothed(path, first), smoothed(path, last));
}

// ---- tests -------------------------------------------------------------------------------

static wadi_hydraulic_params river_params(bool momentum, int32_t batches)
{
    wadi_hydraulic_params params = parcels_params();
    params.momentum = momentum;
    params.levels = 0;
    params.max_step = YEARS / batches;
    return params;
}

static double river_sinuosity(double azimuth, uint64_t seed, bool momentum, int32_t batches)
{
    fixture f;
    fixture_open(&f, 2);
    float* map = malloc(CELLS * sizeof *map);
    place* path = malloc(CELLS * sizeof *path);
    wadi_terrain* terrain = tilted_plain(&f, azimuth, seed, map);
    const int32_t source = river_enters(azimuth, map);
    const wadi_hydraulic_params params = river_params(momentum, batches);
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_set_map(solver, "rain", map));
    CHECK_OK(f.context, wadi_solver_advance(solver, YEARS));
    CHECK_OK(f.context, wadi_solver_map(solver, "discharge", map));
    const double result = sinuosity(path, follow_thread(map, source, path));
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    free(path);
    free(map);
    return result;
}

static void rivers_meander_by_momentum_alone(void** state)
{
    (void)state;
    for (int32_t degrees = 0; degrees <= 37; degrees += 37)
    {
        const double azimuth = degrees * (3.14159265358979323846 / 180.0);
        for (uint64_t seed = 1; seed <= 3; ++seed)
        {
            const double with = river_sinuosity(azimuth, seed, true, BATCHES);
            const double without = river_sinuosity(azimuth, seed, false, BATCHES);
            print_message("azimuth %d, seed %d: sinuosity %.3f, without momentum %.3f\n",
                          (int)degrees, (int)seed, with, without);
            assert_true(with >= 1.2);
            assert_true(without <= 1.05);
        }
    }
}

// Banks move by at most a cell per batch: with long batches bends grow too slowly.
static void bends_do_not_depend_on_the_length_of_a_batch(void** state)
{
    (void)state;
    const double as_tested = river_sinuosity(0.0, 1, true, BATCHES);
    const double halved = river_sinuosity(0.0, 1, true, BATCHES / 2);
    print_message("sinuosity %.3f, in batches twice as long %.3f\n", as_tested, halved);
    assert_true(fabs(halved - as_tested) <= 0.1 * (as_tested - 1.0));
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivers_meander_by_momentum_alone),
    };
    const struct CMUnitTest gaps[] = {
        cmocka_unit_test(bends_do_not_depend_on_the_length_of_a_batch)};
    (void)argv;
    return argc > 1 ? cmocka_run_group_tests(gaps, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
