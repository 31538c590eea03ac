// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 10
// A hill of three layers: it stands dry and slides in rain, along the top of its tight layer, the
// sooner the more it rains; it stands if water drains, or if the pressure is too low.
#include "support/mire_hill.h"

#include <math.h>

static const double LONGEST = 21600.0; // [s]

// The hill at rest, settled once.
typedef struct rested
{
    void* bytes;
    size_t size;
} rested;

static int rest_open(void** state)
{
    static rested r;
    const hill h = hill_default();
    mire m;
    hill_open(&m, &h, NULL, 0);
    r.size = wadi_wet_grains_save_size(m.world);
    r.bytes = test_calloc(r.size, 1);
    wadi_wet_grains_save(m.world, r.bytes);
    mire_close(&m);
    *state = &r;
    return 0;
}

static int rest_close(void** state)
{
    const rested* r = *state;
    test_free(r->bytes);
    return 0;
}

// Rain on a hill at rest until it slides, or for so long.
static double rain_until(mire* m, const hill* h, const rested* r, double seconds)
{
    hill_open(m, h, r->bytes, r->size);
    wadi_wet_grains_summary sum = mire_look(m);
    while (isnan(sum.failed) && sum.time < seconds)
    {
        // a slide lasts seconds only: check often
        mire_pass(m, sum.grains.asleep == m->count ? 600.0 : 0.5 * h->acceleration);
        sum = mire_look(m);
    }
    print_message(
        "slope %g, rain %g m/s, tight %g m/s, acceleration %g: failed %g s, farthest %.3f "
        "d; slept %.0f s, moved %.1f s, %lld wakes\n",
        h->slope, h->rain, h->tight, h->acceleration, sum.failed,
        sum.farthest / (2.0 * HILL_RADIUS), sum.slept, sum.motion, (long long)sum.wakes);
    mire_check_books(m);
    return sum.failed;
}

// Loaded by a fifth more than its weight along the slope, the hill still stands: a factor of safety
// of more than 1.2.
static void dry_hill_stands(void** state)
{
    const rested* r = *state;
    hill h = hill_default();
    h.rain = 0.0;
    mire m;
    hill_open(&m, &h, r->bytes, r->size);
    wadi_grain* before = test_calloc((size_t)m.count, sizeof *before);
    memcpy(before, m.list, (size_t)m.count * sizeof *before);
    const double angle = h.slope * 3.14159265358979323846 / 180.0;
    for (int32_t id = 0; id < m.count; ++id)
    {
        const double volume = 4.18879 * m.list[id].radius * m.list[id].radius * m.list[id].radius;
        const double pull = 0.2 * 2650.0 * (1.0 + m.list[id].wetness) * volume * 9.81 * sin(angle);
        const double force[3] = {pull * cos(angle), 0.0, -pull * sin(angle)};
        CHECK_OK(m.f.context, wadi_grains_set_force(mire_solid(&m), id, force));
    }
    bool rests;
    CHECK_OK(m.f.context, wadi_wet_grains_settle(m.world, 10.0, &rests));
    wadi_grains_read(mire_solid(&m), m.list);
    int32_t gone = 0;
    for (int32_t id = 0; id < m.count; ++id)
    {
        gone += hill_way(&m, &h, before, id) > 2.0 * HILL_RADIUS;
    }
    print_message("with 1.2 x the load along the slope %d grains move by their width\n", gone);
    assert_true(gone == 0);
    test_free(before);
    mire_close(&m);
}

static void nothing_moves_without_rain(void** state)
{
    hill h = hill_default();
    h.rain = 0.0;
    mire m;
    assert_true(isnan(rain_until(&m, &h, *state, LONGEST)));
    assert_true(mire_look(&m).farthest < 0.1 * HILL_RADIUS);
    mire_close(&m);
}

// Lowest level, in widths above the tight layer, where grains move by a tenth of the displacement
// of the highest.
static double slip_depth(const mire* m, const hill* h, const wadi_grain* before)
{
    enum
    {
        LEVELS = 12
    };
    double way[LEVELS] = {0.0};
    int32_t count[LEVELS] = {0};
    for (int32_t id = 0; id < m->count; ++id)
    {
        // the middle of the slope, away from its ends
        const double x = before[id].position[0];
        const int32_t level = (int32_t)(hill_height(h, &before[id]) / HILL_RADIUS);
        if (!before[id].fixed && x < -1.0 && x > -4.5 && level >= 0 && level < LEVELS)
        {
            way[level] += hill_way(m, h, before, id);
            count[level] += 1;
        }
    }
    double top = 0.0;
    for (int k = 0; k < LEVELS; ++k)
    {
        way[k] /= count[k] > 0 ? count[k] : 1;
        top = count[k] > 5 ? way[k] : top;
        print_message("  %.2f m above rock: %d grains came %.3f m\n", k * HILL_RADIUS, count[k],
                      way[k]);
    }
    int lowest = 0;
    while (lowest < LEVELS && way[lowest] < 0.1 * top)
    {
        ++lowest;
    }
    return lowest * 0.5 - 2.25; // the tight layer ends 2.25 widths above the rock's foot
}

static void rain_slides_it_along_the_tight_layer(void** state)
{
    const hill h = hill_default();
    mire m;
    mire at_rest;
    const rested* r = *state;
    hill_open(&at_rest, &h, r->bytes, r->size);
    const double slow = rain_until(&m, &h, r, LONGEST);
    assert_true(slow > 0.0); // it did
    mire_pass(&m, 1.5);      // of its slide
    const double depth = slip_depth(&m, &h, at_rest.list);
    print_message("slips %.2f widths above the tight layer\n", depth);
    assert_true(fabs(depth) <= 2.0);
    mire_close(&at_rest);
    mire_close(&m);

    hill wetter = h;
    wetter.rain = 2.0 * h.rain;
    const double fast = rain_until(&m, &wetter, r, LONGEST);
    assert_true(fast < 0.8 * slow);
    mire_close(&m);
}

static void rain_that_drains_does_nothing(void** state)
{
    hill h = hill_default();
    h.tight = 5e-6;
    h.rain = 2e-6;
    mire m;
    assert_true(isnan(rain_until(&m, &h, *state, 2.0 * LONGEST)));
    assert_true(mire_look(&m).farthest < 2.0 * HILL_RADIUS);
    mire_close(&m);
}

// A slope of one conductivity on closed ground fills up and stands: FS = 0.49 tan 28 / tan 11
// > 1.2.
static void slow_gentle_slope_stands_when_full(void** state)
{
    (void)state;
    const rested none = {NULL, 0};
    hill h = hill_default();
    h.slope = 11.0;
    h.tight = h.soil;
    h.closed = true;
    mire m;
    assert_true(isnan(rain_until(&m, &h, &none, LONGEST)));
    double most = 0.0;
    double* pressure = test_calloc((size_t)m.count, sizeof *pressure);
    wadi_seepage_pressure(wadi_wet_grains_water(m.world), pressure);
    for (int32_t id = 0; id < m.count; ++id)
    {
        most = m.list[id].material == HILL_SOIL && pressure[id] > most ? pressure[id] : most;
    }
    test_free(pressure);
    print_message("highest head in the soil %.2f m\n", most);
    assert_true(most > 0.25);
    mire_close(&m);
}

static void slow_acceleration_hardly_shifts_failure(void** state)
{
    double failed[2];
    for (int k = 0; k < 2; ++k)
    {
        hill h = hill_default();
        h.acceleration = k == 0 ? 60.0 : 30.0;
        mire m;
        failed[k] = rain_until(&m, &h, *state, LONGEST);
        mire_close(&m);
    }
    CHECK_NEAR(failed[0], failed[1], 0.1 * failed[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dry_hill_stands),
        cmocka_unit_test(nothing_moves_without_rain),
        cmocka_unit_test(rain_slides_it_along_the_tight_layer),
        cmocka_unit_test(rain_that_drains_does_nothing),
        cmocka_unit_test(slow_gentle_slope_stands_when_full),
        cmocka_unit_test(slow_acceleration_hardly_shifts_failure),
    };
    return cmocka_run_group_tests(tests, rest_open, rest_close);
}
