// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 94
// Columns of grains that lose their walls: how far they run (Lube et al. 2004, 2005), and how steep
// they come to rest.
#include "support/soil.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
static const double RADIUS = 0.01;

enum
{
    ACROSS = 12, // grains to the radius or half width of a column
    MOST = 100000
};

// Material of the grains: soft enough for long steps, 1 % of overlap at the foot of the tallest
// column.
static void collapse_material(soil* s, double friction, double rolling)
{
    s->params.gravity_z = -9.81;
    s->materials[0].stiffness = 1.5e4;
    s->materials[0].friction = friction;
    s->materials[0].rolling_friction = rolling;
    s->params.step = 1.6e-4;
}

// A bed with periodic sides, `side` x `depth` grains wide, at rest; in s->list.
static void settle(soil* s, const int32_t size[3], double friction, double rolling)
{
    const double spacing = 2.4 * RADIUS;
    collapse_material(s, friction, rolling);
    s->params.period_x = size[0] * spacing;
    s->params.period_y = size[1] * spacing;
    uint32_t state = 1;
    for (int32_t i = 0; i < size[0] * size[1] * size[2]; ++i)
    {
        const int32_t at[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
        double x[3];
        for (int c = 0; c < 3; ++c)
        {
            state = state * 1664525u + 1013904223u;
            const double shift = c < 2 ? 0.3 + 0.4 * (at[2] & 1) : 0.5;
            x[c] = spacing * (shift + at[c] + 0.16 * ((double)(state >> 8) / 16777216.0 - 0.5));
        }
        soil_add(s, x[0], x[1], x[2], RADIUS);
    }
    soil_make(s);
    soil_floor(s);
    soil_pass(s, 2.0 * sqrt(size[2] * spacing / 9.81));
}

// Four copies of a bed side by side, or two: a periodic bed can be enlarged without settling it
// again.
static void tile(soil* s, bool round)
{
    const int32_t count = s->count;
    const int32_t tiles = round ? 4 : 2;
    for (int32_t i = count; i < tiles * count; ++i)
    {
        const wadi_grain* from = &s->list[i % count];
        const int32_t at = i / count;
        wadi_grain* grain = soil_add(s, 0.0, 0.0, 0.0, from->radius);
        *grain = *from;
        grain->position[0] += s->params.period_x * (at % 2);
        grain->position[1] += s->params.period_y * (at / 2);
    }
    s->params.period_x *= 2.0;
    s->params.period_y *= round ? 2.0 : 1.0;
}

static double tallest(const soil* s)
{
    double top = 0.0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        top = s->list[i].position[2] > top ? s->list[i].position[2] : top;
    }
    return top;
}

// Keep the grains within a column of this height: round, or a slab that is periodic in y.
static void cut(soil* s, double height, bool round)
{
    const double reach = 2.0 * RADIUS * ACROSS;
    assert_true(tallest(s) > height - RADIUS); // the bed reaches as high as the column
    const double middle[2] = {0.5 * s->params.period_x, 0.5 * s->params.period_y};
    int32_t kept = 0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        wadi_grain grain = s->list[i];
        grain.position[0] -= middle[0];
        grain.position[1] -= round ? middle[1] : 0.0;
        const double out = hypot(grain.position[0], round ? grain.position[1] : 0.0);
        if (out < reach - RADIUS && grain.position[2] < height - RADIUS)
        {
            s->list[kept++] = grain;
        }
    }
    s->count = kept;
    s->params.period_x = 0.0;
    s->params.period_y = round ? 0.0 : s->params.period_y;
    wadi_grains_destroy(s->grains);
    soil_make(s);
    soil_floor(s);
}

static double distance(const wadi_grain* grain, bool round)
{
    return round ? hypot(grain->position[0], grain->position[1]) : fabs(grain->position[0]);
}

// Radius of the outermost ring, or strip on both sides, as wide as a grain, that is covered to 30 %
// by grains: percentiles of distance would depend on a few grains that rolled on alone.
static double toe(const soil* s, bool round)
{
    const double d = 2.0 * RADIUS;
    double last = 0.0;
    for (int32_t ring = 0; ring < 40 * ACROSS; ++ring)
    {
        const double inner = ring * d;
        const double outer = inner + d;
        const double area =
            round ? PI * (outer * outer - inner * inner) : 2.0 * d * s->params.period_y;
        int32_t count = 0;
        for (int32_t i = 0; i < s->count; ++i)
        {
            const double at = distance(&s->list[i], round);
            count += at >= inner && at < outer;
        }
        last = count * PI * RADIUS * RADIUS >= 0.3 * area ? outer : last;
    }
    return last;
}

// (R - R0) / R0 of a column of this shape.
static double run_out(double aspect, bool round, double rolling)
{
    const double height = aspect * 2.0 * RADIUS * ACROSS;
    const int32_t layers = (int32_t)(height / (2.0 * RADIUS) * (round ? 1.7 : 2.0)) + 4;
    const int32_t wide = ACROSS; // of 2.4 radii: half the column and a little more
    soil s;
    soil_open(&s, 2, MOST);
    settle(&s, (int32_t[3]){wide, round ? wide : 5, layers}, 0.5, rolling);
    tile(&s, round);
    cut(&s, height, round);
    const double start = toe(&s, round);
    soil_pass(&s, 0.8 + 3.0 * sqrt(2.0 * height / 9.81));
    const double end = toe(&s, round);
    print_message("%s column, aspect %.2g, %d grains: run-out %.3f\n", round ? "round" : "plane",
                  aspect, s.count, (end - start) / start);
    soil_close(&s);
    return (end - start) / start;
}

static void check_within(double measured, double expected)
{
    assert_true(measured >= 0.5 * expected && measured <= 2.5 * expected);
}

// Lube et al. 2004: 1.24 a below 1.7, 1.6 sqrt(a) above.
static void round_columns_run_as_measured(void** state)
{
    (void)state;
    const double half = run_out(0.5, true, 0.1);
    const double one = run_out(1.0, true, 0.1);
    const double two = run_out(2.0, true, 0.1);
    check_within(half, 0.62);
    check_within(one, 1.24);
    check_within(two, 1.6 * sqrt(2.0));
    const double exponent = log(one / half) / log(2.0);
    print_message("exponent of flat round columns %.2f\n", exponent);
    assert_true(fabs(exponent - 1.0) <= 0.15);
}

// Tall columns follow the square root. Not in the suite, since 51 000 grains take minutes: argument
// `tall`.
static void tall_round_columns_run_as_measured(void** state)
{
    (void)state;
    const double three = run_out(3.0, true, 0.1);
    const double six = run_out(6.0, true, 0.1);
    check_within(three, 1.6 * sqrt(3.0));
    check_within(six, 1.6 * sqrt(6.0));
    const double exponent = log(six / three) / log(2.0);
    print_message("exponent of tall round columns %.2f\n", exponent);
    assert_true(fabs(exponent - 0.5) <= 0.12);
}

// Lube et al. 2005: 1.2 a below 1.8, 1.9 a^(2/3) above 2.8. Without friction of side walls, as
// here, they run further: 2.5 a and 3.25 a^0.7 in two dimensions (Staron & Hinch 2005).
static void plane_columns_run_as_measured(void** state)
{
    (void)state;
    check_within(run_out(1.0, false, 0.1), 1.2);
    check_within(run_out(3.0, false, 0.1), 1.9 * pow(3.0, 2.0 / 3.0));
}

// ---- repose ------------------------------------------------------------------------------

// Slope of the heap from a column as wide as high [degrees]: a line fitted to the tops of strips
// from a tenth to five sixths of the way to the toe.
static double repose(double friction, double rolling)
{
    soil s;
    soil_open(&s, 2, MOST);
    settle(&s, (int32_t[3]){ACROSS, 5, 23}, friction, rolling);
    tile(&s, false);
    cut(&s, 2.0 * RADIUS * ACROSS, false);
    soil_pass(&s, 1.2);
    const double end = toe(&s, false);
    const double angle = soil_slope(&s, 0.1 * end, 0.85 * end, 4.0 * RADIUS);
    soil_close(&s);
    print_message("friction %.2f, rolling %.2f: repose %.1f degrees\n", friction, rolling, angle);
    return angle;
}

static void heaps_are_steeper_with_friction(void** state)
{
    (void)state;
    const double smooth = repose(0.4, 0.0);
    const double middle = repose(0.4, 0.05);
    const double rough = repose(0.4, 0.2);
    const double slick = repose(0.1, 0.05);
    assert_true(smooth < middle && middle < rough);
    assert_true(slick < middle);
    assert_true(smooth > 5.0 && rough < 40.0);
}

// A heap at rest does not move: Coulomb springs carry its weight, where viscous friction would
// creep.
static void settled_heap_does_not_creep(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, MOST);
    settle(&s, (int32_t[3]){12, 5, 8}, 0.5, 0.1);
    s.params.period_x = 0.0;
    wadi_grains_destroy(s.grains);
    soil_make(&s);
    soil_floor(&s);
    soil_pass(&s, 6.0);
    wadi_grain* before = test_calloc((size_t)s.count, sizeof *before);
    memcpy(before, s.list, (size_t)s.count * sizeof *before);
    soil_pass(&s, 10.0);
    double drift = 0.0;
    for (int32_t i = 0; i < s.count; ++i)
    {
        const double z = s.list[i].position[2];
        const double way = fabs(s.list[i].position[0] - before[i].position[0]) +
                           fabs(s.list[i].position[1] - before[i].position[1]) +
                           fabs(z - before[i].position[2]);
        drift = way > drift ? way : drift;
    }
    const double speed = wadi_grains_summarize(s.grains).speed;
    print_message("after 10 s: fastest %.3g m/s, drift %.3g diameters\n", speed,
                  drift / (2.0 * RADIUS));
    test_free(before);
    soil_close(&s);
    assert_true(speed < 1e-6);
    assert_true(drift < 1e-3 * 2.0 * RADIUS);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tall[] = {
        cmocka_unit_test(tall_round_columns_run_as_measured),
    };
    if (argc == 2 && strcmp(argv[1], "tall") == 0)
    {
        return cmocka_run_group_tests(tall, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_columns_run_as_measured),
        cmocka_unit_test(plane_columns_run_as_measured),
        cmocka_unit_test(heaps_are_steeper_with_friction),
        cmocka_unit_test(settled_heap_does_not_creep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
