// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 10
// Grains take their room in water as particles. Its level rises by their volume over the area when
// they sink, and by their mass when they float (Archimedes).
#include "support/water.h"

#include <wadi/grains.h>

#include <math.h>
#include <stdlib.h>

enum
{
    MOST = 1000,
    STONES = 96,
    ACROSS = 6,     // particles
    TURN = 4,       // steps of water in a turn
    GRAIN_TURN = 64 // steps of grains
};

static const double SPACING = 0.05;
static const double SIZE = 0.3; // of the periodic tank
static const double DEPTH = 0.5;
static const double RADIUS = 0.03;
static const double PITCH = 0.075; // of a lattice of four by four spheres

typedef struct tank
{
    water w;
    wadi_sph_sphere stones[STONES];
    int32_t count;
} tank;

static void open_tank(tank* t)
{
    t->count = 0;
    water_open(&t->w, 1, MOST);
    t->w.params.spacing = SPACING;
    t->w.params.period_x = SIZE;
    t->w.params.period_y = SIZE;
    t->w.params.sound_speed = 35.0;
    water_make(&t->w);
    water_wall(&t->w, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
}

// A lattice of spheres from a height on.
static void lay(tank* t, double bottom, int32_t layers)
{
    for (int32_t i = 0; i < 16 * layers; ++i)
    {
        assert_true(t->count < STONES);
        t->stones[t->count++] =
            (wadi_sph_sphere){.position = {PITCH * (i % 4 + 0.5), PITCH * (i / 4 % 4 + 0.5),
                                           bottom + PITCH * (i / 16 + 0.5)},
                              .radius = RADIUS};
    }
}

// Depth of a layer of the volume of all spheres.
static double room_of(const tank* t)
{
    return t->count * 4.0 / 3.0 * 3.14159265358979323846 * pow(RADIUS, 3.0) / (SIZE * SIZE);
}

static void set(tank* t)
{
    CHECK_OK(t->w.f.context, wadi_sph_set_spheres(t->w.sph, t->stones, t->count));
}

// ---- the level -----------------------------------------------------------------------------

static int downwards(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return x > y ? -1 : x < y;
}

// Height of the surface: mean of as many particles as a layer has, the uppermost, and half a
// spacing.
static double surface(const water* w)
{
    static double z[MOST];
    for (int32_t i = 0; i < w->count; ++i)
    {
        z[i] = w->list[i].position[2];
    }
    qsort(z, (size_t)w->count, sizeof *z, downwards);
    double sum = 0.0;
    for (int32_t k = 0; k < ACROSS * ACROSS; ++k)
    {
        sum += z[k];
    }
    return sum / (ACROSS * ACROSS) + 0.5 * SPACING;
}

// Height to which water would rise in a pipe: mean of z + p / rho g over a span of heights.
static double head(const water* w, double low, double high)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < w->count; ++i)
    {
        const double z = w->list[i].position[2];
        const bool in = z >= low && z < high;
        sum += in ? z + w->list[i].pressure / 9810.0 : 0.0;
        count += in;
    }
    return sum / count;
}

// ---- grains --------------------------------------------------------------------------------

static wadi_grains* open_grains(tank* t, double density, double most)
{
    static wadi_grain grains[STONES];
    for (int32_t i = 0; i < t->count; ++i)
    {
        grains[i] = (wadi_grain){.radius = RADIUS};
        memcpy(grains[i].position, t->stones[i].position, sizeof grains[i].position);
        grains[i].position[0] += 0.004 * (i % 3);
        grains[i].position[1] += 0.004 * (i % 5);
    }
    wadi_grain_material material = wadi_grain_material_default();
    material.density = density;
    wadi_grains_params params = wadi_grains_params_default();
    params.period_x = SIZE;
    params.period_y = SIZE;
    params.step = wadi_sph_summarize(t->w.sph).step * TURN / GRAIN_TURN;
    wadi_grains* solid;
    CHECK_OK(t->w.f.context,
             wadi_grains_create(t->w.f.context, &params, &material, 1, grains, t->count, &solid));
    const wadi_grain_wall walls[2] = {{.normal = {0.0, 0.0, 1.0}},
                                      {.point = {0.0, 0.0, most}, .normal = {0.0, 0.0, -1.0}}};
    int32_t number;
    CHECK_OK(t->w.f.context, wadi_grains_add_wall(solid, &walls[0], &number));
    CHECK_OK(t->w.f.context, wadi_grains_add_wall(solid, &walls[1], &number));
    return solid;
}

static void place(tank* t, const wadi_grains* solid)
{
    static wadi_grain grains[STONES];
    wadi_grains_read(solid, grains);
    for (int32_t i = 0; i < t->count; ++i)
    {
        memcpy(t->stones[i].position, grains[i].position, sizeof grains[i].position);
        memcpy(t->stones[i].velocity, grains[i].velocity, sizeof grains[i].velocity);
    }
    set(t);
}

// Water and grains take turns.
static void together(tank* t, wadi_grains* solid, double seconds)
{
    static wadi_sph_touch touches[STONES];
    const double turn = TURN * wadi_sph_summarize(t->w.sph).step;
    for (double passed = 0.0; passed < seconds; passed += turn)
    {
        place(t, solid);
        CHECK_OK(t->w.f.context, wadi_sph_advance(t->w.sph, TURN));
        wadi_sph_read_touches(t->w.sph, touches);
        for (int32_t i = 0; i < t->count; ++i)
        {
            double force[3];
            for (int c = 0; c < 3; ++c)
            {
                force[c] = touches[i].impulse[c] / turn;
            }
            CHECK_OK(t->w.f.context, wadi_grains_set_force(solid, i, force));
        }
        CHECK_OK(t->w.f.context, wadi_grains_advance(solid, GRAIN_TURN));
    }
    water_read(&t->w);
}

// Means over half a second.
typedef struct levels
{
    double surface;
    double head; // between heights
} levels;

static levels measure(tank* t, wadi_grains* solid, double low, double high)
{
    enum
    {
        TIMES = 20
    };
    levels mean = {0.0, 0.0};
    for (int k = 0; k < TIMES; ++k)
    {
        if (solid != NULL)
        {
            together(t, solid, 0.5 / TIMES);
        }
        else
        {
            water_pass(&t->w, 0.5 / TIMES);
        }
        mean.surface += surface(&t->w) / TIMES;
        mean.head += head(&t->w, low, high) / TIMES;
    }
    return mean;
}

// ---- tests ---------------------------------------------------------------------------------

// A box filled around spheres holds so much less water, which stays at rest.
static void water_fills_the_room_between_spheres(void** state)
{
    (void)state;
    static tank t;
    open_tank(&t);
    lay(&t, 0.0, 4);
    set(&t);
    water_fill(&t.w, 0.0, 0.0, 0.0, SIZE, SIZE, DEPTH);
    const double room = room_of(&t);
    const double less = DEPTH - wadi_sph_account(t.w.sph).now / (SIZE * SIZE);
    water_pass(&t.w, 1.0);
    const levels rest = measure(&t, NULL, 0.3, 1.0);
    print_message("spheres of %.4f m take %.4f m; level %.4f and %.4f of %.4f m\n", room, less,
                  rest.surface, rest.head, DEPTH);
    CHECK_NEAR(less, room, 0.01 * room);
    CHECK_NEAR(rest.surface, DEPTH, 0.05 * room);
    CHECK_NEAR(rest.head, DEPTH, 0.05 * room);
    assert_true(wadi_sph_account(t.w.sph).residual == 0);
    water_close(&t.w);
}

static void the_level_rises_by_what_sinks(void** state)
{
    (void)state;
    static tank t;
    open_tank(&t);
    water_fill(&t.w, 0.0, 0.0, 0.0, SIZE, SIZE, DEPTH);
    water_pass(&t.w, 0.5);
    const levels before = measure(&t, NULL, 0.3, 1.0);
    const double now = wadi_sph_account(t.w.sph).now;
    lay(&t, DEPTH, 6);
    wadi_grains* solid = open_grains(&t, 2650.0, 1.5);
    together(&t, solid, 2.5);
    const levels after = measure(&t, solid, 0.45, 1.0);
    const double room = room_of(&t);
    print_message("level rises from %.4f to %.4f m, %.3f of the volume over the area\n",
                  before.surface, after.surface, (after.surface - before.surface) / room);
    CHECK_NEAR(after.surface - before.surface, room, 0.08 * room);
    for (int32_t i = 0; i < t.count; ++i)
    {
        assert_true(t.stones[i].position[2] < 0.3);
    }
    assert_true(wadi_sph_account(t.w.sph).now == now);
    assert_true(wadi_sph_account(t.w.sph).residual == 0);
    wadi_grains_destroy(solid);
    water_close(&t.w);
}

static void light_grains_float_and_displace_their_mass(void** state)
{
    (void)state;
    static tank t;
    open_tank(&t);
    lay(&t, 0.0, 2);
    set(&t);
    water_fill(&t.w, 0.0, 0.0, 0.0, SIZE, SIZE, DEPTH);
    wadi_grains* solid = open_grains(&t, 500.0, 1.5);
    together(&t, solid, 2.5);
    const levels after = measure(&t, solid, 0.1, 0.3);
    const double room = room_of(&t);
    const double displaced = after.head - (DEPTH - room);
    print_message("floating grains displace %.3f of their mass\n", displaced / (0.5 * room));
    CHECK_NEAR(displaced, 0.5 * room, 0.05 * room);
    for (int32_t i = 0; i < t.count; ++i)
    {
        assert_true(t.stones[i].position[2] > DEPTH - 0.1);
    }
    wadi_grains_destroy(solid);
    water_close(&t.w);
}

// Spheres that go into water and out again leave its level where it was.
static void spheres_lifted_out_leave_the_level(void** state)
{
    (void)state;
    static tank t;
    open_tank(&t);
    lay(&t, 0.6, 4);
    water_fill(&t.w, 0.0, 0.0, 0.0, SIZE, SIZE, DEPTH);
    const double room = room_of(&t);
    const double turn = TURN * wadi_sph_summarize(t.w.sph).step;
    double level[2] = {DEPTH, DEPTH}; // without and with them
    for (int k = 0; k < 2; ++k)
    {
        const double speed = k % 2 == 0 ? -0.6 : 0.6;
        for (double passed = 0.0; passed < 1.0; passed += turn)
        {
            for (int32_t i = 0; i < t.count; ++i)
            {
                t.stones[i].position[2] += turn * speed;
                t.stones[i].velocity[2] = speed;
            }
            set(&t);
            CHECK_OK(t.w.f.context, wadi_sph_advance(t.w.sph, TURN));
        }
        for (int32_t i = 0; i < t.count; ++i)
        {
            t.stones[i].velocity[2] = 0.0;
        }
        set(&t);
        water_pass(&t.w, 1.0);
        const levels now = measure(&t, NULL, 0.3, 1.0);
        level[k % 2 == 0] = now.surface;
    }
    print_message("level %.4f m without and %.4f m with spheres: %.3f of their room\n", level[0],
                  level[1], (level[1] - level[0]) / room);
    CHECK_NEAR(level[1] - level[0], room, 0.05 * room);
    CHECK_NEAR(level[0], DEPTH, 0.05 * room);
    water_close(&t.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_fills_the_room_between_spheres),
        cmocka_unit_test(the_level_rises_by_what_sinks),
        cmocka_unit_test(light_grains_float_and_displace_their_mass),
        cmocka_unit_test(spheres_lifted_out_leave_the_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
