// SPDX-License-Identifier: MIT
// Common parts of particles: even starts, edges, frozen normals, sums of matter and visits.
#include "lockstep/bed.h"
#include "lockstep/grant.h"
#include "lockstep/particle.h"
#include "support/fixture.h"

enum
{
    WIDTH = 48,
    HEIGHT = 37
};

// Any sequence of starts covers the grid evenly: each of 8 x 8 parts gets its share within a third.
static void starts_are_even(void** state)
{
    (void)state;
    const particle_places places = {.seed = 5, .stream = 2, .width = 1000, .height = 300};
    for (int64_t first = 0; first < 1000000; first += 333333)
    {
        int counts[64] = {0};
        for (int64_t i = first; i < first + 6400; ++i)
        {
            float x;
            float y;
            wadi_particle_place(&places, i, &x, &y);
            assert_true(x >= 0.0f && x < 1000.0f && y >= 0.0f && y < 300.0f);
            counts[(int)(y * 8.0f / 300.0f) * 8 + (int)(x * 8.0f / 1000.0f)] += 1;
        }
        for (int i = 0; i < 64; ++i)
        {
            assert_true(counts[i] >= 67 && counts[i] <= 133);
        }
    }
}

static int fold(wadi_edge edge, float* place, float* speed)
{
    const wadi_edge edges[4] = {edge, edge, edge, edge};
    const particle_axis axis = {WADI_SIDE_WEST, WADI_SIDE_EAST, edges, 10};
    return wadi_particle_apply_edge(&axis, place, speed);
}

static void edges_fold(void** state)
{
    (void)state;
    static const struct
    {
        wadi_edge edge;
        float place;
        int side;
        float to;
        float speed; // initially 1
    } cases[] = {
        {WADI_EDGE_OPEN, 3.5f, PARTICLE_INSIDE, 3.5f, 1.0f},
        {WADI_EDGE_OPEN, -0.5f, WADI_SIDE_WEST, -0.5f, 1.0f},
        {WADI_EDGE_OPEN, 10.0f, WADI_SIDE_EAST, 10.0f, 1.0f},
        {WADI_EDGE_PERIODIC, -0.5f, PARTICLE_INSIDE, 9.5f, 1.0f},
        {WADI_EDGE_PERIODIC, 32.25f, PARTICLE_INSIDE, 2.25f, 1.0f},
        {WADI_EDGE_CLOSED, -0.5f, PARTICLE_INSIDE, 0.5f, -1.0f},
        {WADI_EDGE_CLOSED, 11.0f, PARTICLE_INSIDE, 9.0f, -1.0f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        float place = cases[i].place;
        float speed = 1.0f;
        assert_int_equal(fold(cases[i].edge, &place, &speed), cases[i].side);
        assert_true(place == cases[i].to && speed == cases[i].speed);
    }
    // further than the whole grid: the particle stops at the wall
    float place = 45.0f;
    float speed = 1.0f;
    assert_int_equal(fold(WADI_EDGE_CLOSED, &place, &speed), PARTICLE_INSIDE);
    assert_true(place >= 0.0f && place < 10.0f);
}

static void sums_hold_matter_and_visits(void** state)
{
    (void)state;
    int64_t sum = 0;
    int64_t matter = 0;
    int32_t visits = 0;
    for (int32_t i = -2000; i < 3000; ++i)
    {
        const int32_t taken = i * 99991;
        sum += particle_entry(taken, 16);
        matter -= taken;
        visits += 16;
        assert_true(particle_matter(sum) == matter && particle_visits(sum) == visits);
    }
}

// The articles' normal of one cell, in double.
static double normal_of(const wadi_terrain* terrain, int32_t x, int32_t y, bool along_x)
{
    double sum = 0.0;
    for (int32_t dy = -1; dy <= 1; ++dy)
    {
        for (int32_t dx = -1; dx <= 1; ++dx)
        {
            const int32_t to_x = x + dx;
            const int32_t to_y = y + dy;
            const bool there = to_x >= 0 && to_x < WIDTH && to_y >= 0 && to_y < HEIGHT;
            if ((dx == 0 && dy == 0) || !there)
            {
                continue;
            }
            const double fall = (double)wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x, y) -
                                wadi_terrain_units(terrain, WADI_LAYER_SURFACE, to_x, to_y);
            const double length = sqrt((double)(dx * dx + dy * dy));
            const double slope = fall / WADI_UNITS_PER_METRE / 10.0 / length;
            const double weight = dx == 0 || dy == 0 ? 0.15 : 0.10;
            const double lean = weight * slope / sqrt(1.0 + slope * slope) / length;
            sum += lean * (along_x ? dx : dy);
        }
    }
    return sum;
}

// Frozen normals are as accurate as 16 bits allow: half a step of the packing and 5e-6 of the root.
static void normals_are_right(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, WIDTH, HEIGHT, 10.0, WADI_EDGE_OPEN);
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 200.0, 5);
    particle_bed* bed;
    CHECK_OK(f.context, wadi_particle_bed_create(terrain, &bed));
    wadi_particle_bed_read(bed);
    const double tolerance = 0.51 / (double)PARTICLE_NORMAL_SCALE + 0.6 * 5e-6;
    double steepest = 0.0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        for (int w = 0; w < 2; ++w)
        {
            const int32_t packed = bed->workers[w].cells[i].normal;
            const double nx = (int16_t)(packed & 0xFFFF) / (double)PARTICLE_NORMAL_SCALE;
            const double ny = (packed >> 16) / (double)PARTICLE_NORMAL_SCALE;
            CHECK_NEAR(nx, normal_of(terrain, i % WIDTH, i / WIDTH, true), tolerance);
            CHECK_NEAR(ny, normal_of(terrain, i % WIDTH, i / WIDTH, false), tolerance);
            steepest = fmax(steepest, sqrt(nx * nx + ny * ny));
        }
    }
    assert_true(steepest > 0.2); // the ground has steep cells
    wadi_particle_bed_destroy(bed);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A random number of up to `bits` bits.
static int64_t grant_random(uint32_t* state, int bits)
{
    uint64_t word = 0;
    for (int i = 0; i < 4; ++i)
    {
        *state = *state * 1664525u + 1013904223u;
        word = word << 16 | *state >> 16;
    }
    return (int64_t)(word >> (64 - bits));
}

// Whatever cells hold and particles ask for, no more is taken than there is, and little less: a
// particle loses less than a unit and the 1/asks' that the last 16 bits leave out.
static void grants_do_not_exceed_what_there_is(void** state)
{
    (void)state;
    uint32_t seed = 7;
    for (int trial = 0; trial < 20000; ++trial)
    {
        int32_t wants[40];
        const int takers = 1 + (int)grant_random(&seed, 5);
        const int bits = 1 + trial % 30;
        int64_t asks = 0;
        for (int i = 0; i < takers; ++i)
        {
            wants[i] = (int32_t)grant_random(&seed, bits);
            asks += wants[i];
        }
        const int64_t have = grant_random(&seed, 1 + trial / 30 % 36);
        const uint32_t grant = grant_of(asks, have);
        int64_t taken = 0;
        for (int i = 0; i < takers; ++i)
        {
            const int32_t part = grant_take(wants[i], grant);
            assert_int_equal(part, (int64_t)wants[i] * grant >> 16);
            taken += part;
        }
        assert_true(taken <= have);
        const int64_t less = takers + (asks < 65536 ? 2 : 1 + asks / 8192);
        assert_true(taken >= (asks < have ? asks : have - less));
    }
}

// Worked by hand: 3 of 7 is 3 x 65536 / 8; of 70 000 and 30 000 the last 16 bits after one shift.
static void grants_have_these_bits(void** state)
{
    (void)state;
    assert_int_equal(grant_of(7, 7), 65536);
    assert_int_equal(grant_of(7, 3), 24576);
    assert_int_equal(grant_of(70000, 30000), 28086);
    assert_int_equal(grant_of(5, 0), 0);
    assert_int_equal(grant_of(5, -1), 0);
    assert_int_equal(grant_of(INT64_C(1) << 62, (INT64_C(1) << 62) - 1), 65532);
    assert_int_equal(grant_take(INT32_MAX, GRANT_ALL), INT32_MAX);
    assert_int_equal(grant_take(100, 24576), 37);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_are_even),
        cmocka_unit_test(edges_fold),
        cmocka_unit_test(sums_hold_matter_and_visits),
        cmocka_unit_test(grants_do_not_exceed_what_there_is),
        cmocka_unit_test(grants_have_these_bits),
        cmocka_unit_test(normals_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
