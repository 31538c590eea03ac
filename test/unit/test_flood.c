// SPDX-License-Identifier: MIT
// Filling of depressions compared with a brute-force solution of its equation: R decreases from
// infinity until R(c) = max(h(c), min over neighbours n of R(n) + rise) everywhere.
#include "support/fixture.h"
#include "support/parcels.h"

#include "processes/hydraulic/parcel.h"

#include <stdlib.h>

enum
{
    WIDTH = 61,
    HEIGHT = 47
};

static const wadi_edge flood_edges[][4] = {
    {WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN},
    {WADI_EDGE_CLOSED, WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED},
    {WADI_EDGE_PERIODIC, WADI_EDGE_OPEN, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN},
    {WADI_EDGE_OPEN, WADI_EDGE_PERIODIC, WADI_EDGE_OPEN, WADI_EDGE_PERIODIC},
};

typedef struct bed
{
    fixture f;
    wadi_terrain* terrain;
    wadi_hydraulic_params params;
    parcel_level* level;
    int32_t* out;      // padded
    int32_t* expected; // padded
} bed;

// Heights on `steps` levels: few levels make flats, the hardest case.
static bed* bed_make(const wadi_edge* edges, int32_t steps, bool holes, uint64_t seed)
{
    bed* b = calloc(1, sizeof *b);
    fixture_open(&b->f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    memcpy(def.edges, edges, sizeof def.edges);
    CHECK_OK(b->f.context, wadi_terrain_create(b->f.context, &def, &b->terrain));
    float* heights = malloc(WIDTH * HEIGHT * sizeof *heights);
    const wadi_noise_params noise = wadi_noise_params_default();
    CHECK_OK(b->f.context,
             wadi_noise_fill(b->f.context, &noise, seed, WIDTH, HEIGHT, 150.0, heights));
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const float step = (float)noise.relief / (float)steps;
        heights[i] = floorf(heights[i] / step) * step * 0.02f;
    }
    CHECK_OK(b->f.context, wadi_terrain_set_layer(b->terrain, WADI_LAYER_SURFACE, heights, WIDTH));
    free(heights);
    if (holes)
    {
        fixture_holes(b->terrain);
    }
    b->params = parcels_params();
    const parcel_level_def level = {
        .terrain = b->terrain, .finest = true, .params = &b->params, .land = WIDTH * HEIGHT};
    CHECK_OK(b->f.context, wadi_parcel_level_create(&level, &b->level));
    b->out = calloc((size_t)b->level->padded, sizeof *b->out);
    b->expected = calloc((size_t)b->level->padded, sizeof *b->expected);
    return b;
}

static void bed_free(bed* b)
{
    free(b->out);
    free(b->expected);
    wadi_parcel_level_destroy(b->level);
    wadi_terrain_destroy(b->terrain);
    fixture_close(&b->f);
    free(b);
}

static int32_t bed_relaxed(const bed* b, int32_t x, int32_t y, const int32_t* rise)
{
    const int64_t padded = parcel_padded_index(b->level, x, y);
    const uint8_t rim = b->level->rim[(int64_t)y * WIDTH + x];
    if (rim != 0)
    {
        return b->level->surface[padded]; // an outlet or a void
    }
    int32_t lowest = PARCEL_WALL;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = padded + parcel_dx[d] + (int64_t)parcel_dy[d] * b->level->stride;
        const bool there = b->expected[n] != PARCEL_WALL;
        const int32_t height = there ? b->expected[n] + rise[d & 1] : PARCEL_WALL;
        lowest = height < lowest ? height : lowest;
    }
    const int32_t h = b->level->surface[padded];
    return lowest > h ? lowest : h;
}

static void bed_solve(bed* b, const int32_t* rise)
{
    for (int64_t i = 0; i < b->level->padded; ++i)
    {
        b->expected[i] = PARCEL_WALL;
    }
    for (bool changes = true; changes;)
    {
        changes = false;
        for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
        {
            const int64_t padded = parcel_padded_index(b->level, i % WIDTH, i / WIDTH);
            const int32_t relaxed = bed_relaxed(b, i % WIDTH, i / WIDTH, rise);
            changes |= relaxed != b->expected[padded];
            b->expected[padded] = relaxed;
        }
        wadi_parcel_level_refresh_ghosts(b->level, b->expected);
    }
}

static void check_flood(bed* b, int32_t axis, int32_t diagonal, int64_t* wet)
{
    bed_solve(b, (const int32_t[2]){axis, diagonal});
    CHECK_OK(b->f.context, wadi_parcel_flood(b->level, axis, diagonal, b->out));
    for (int32_t y = 0; y < HEIGHT; ++y)
    {
        for (int32_t x = 0; x < WIDTH; ++x)
        {
            const int64_t padded = parcel_padded_index(b->level, x, y);
            assert_int_equal(b->out[padded], b->expected[padded]);
            *wet += b->out[padded] > b->level->surface[padded] ? 1 : 0;
        }
    }
}

static void depressions_solve_the_equation(void** state)
{
    (void)state;
    int64_t wet = 0;
    for (uint64_t seed = 1; seed <= 12; ++seed)
    {
        const int32_t steps[3] = {1 << 20, 60, 8};
        bed* b = bed_make(flood_edges[seed % 4], steps[seed % 3], seed % 2 == 0, seed);
        check_flood(b, 0, 0, &wet);
        check_flood(b, 1, 1, &wet);
        check_flood(b, 3277, 4634, &wet);
        check_flood(b, 65536, 92682, &wet);
        bed_free(b);
    }
    assert_true(wet > WIDTH * HEIGHT); // depressions existed
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depressions_solve_the_equation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
