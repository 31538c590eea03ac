// SPDX-License-Identifier: MIT
// Shapes of dunes on surfaces whose crests, slip faces, horns and arms are known, at any azimuth.
#include "support/fixture.h"

#include <wadi/dune_shapes.h>

enum
{
    SIZE = 160,
    CELLS = SIZE * SIZE
};

static const double degree = 57.29577951308232;
static const double cell = 2.0;   // [m]
static const double steep = 0.65; // tangent of slip faces

static float levels[CELLS];
static float earlier[CELLS];
static uint16_t marks[CELLS];

static wadi_dune_field field_of(wadi_edge edges)
{
    return (wadi_dune_field){
        .surface = {levels, SIZE, SIZE, SIZE, cell, cell, NULL, {edges, edges, edges, edges}}};
}

// A place in a frame turned by an azimuth: x across it to the right, y along it, from a centre [m].
typedef struct place
{
    double x;
    double y;
} place;

static place place_of(int32_t i, double east, double south, double azimuth)
{
    const double x = cell * (i % SIZE + 0.5) - east;
    const double y = south - cell * (i / SIZE + 0.5);
    const double s = sin(azimuth / degree);
    const double c = cos(azimuth / degree);
    return (place){x * c - y * s, x * s + y * c};
}

static wadi_dune_shapes measure(wadi_context* context, const wadi_dune_field* field, double drift)
{
    wadi_dune_shapes shapes;
    CHECK_OK(context, wadi_dune_shapes_measure(context, field, drift, &shapes, marks));
    return shapes;
}

// Ridges 48 m apart and 6 m high: a windward side of 10 degrees, a slip face of 33.
static void draw_ridges(double azimuth)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const place p = place_of(i, 160.0, 160.0, azimuth);
        const double phase = p.y / 48.0 - floor(p.y / 48.0);
        const double fall = 6.0 / steep / 48.0;
        levels[i] =
            (float)(phase < 1.0 - fall ? 6.0 * phase / (1.0 - fall) : 6.0 * (1.0 - phase) / fall);
    }
}

static void ridges_have_crests_and_brinks(void** state)
{
    fixture* f = *state;
    static const double azimuths[] = {0.0, 17.0, 45.0, 90.0, 217.0};
    for (size_t i = 0; i < sizeof azimuths / sizeof azimuths[0]; ++i)
    {
        draw_ridges(azimuths[i]);
        const wadi_dune_field field = field_of(WADI_EDGE_OPEN);
        const wadi_dune_shapes shapes = measure(f->context, &field, (double)NAN);
        const double length = SIZE * SIZE * cell * cell / 48.0;
        assert_false(shapes.none);
        CHECK_NEAR(shapes.crests, length, 0.2 * length);
        CHECK_NEAR(shapes.brinks, length, 0.2 * length);
        assert_true(shapes.lines >= 6 && shapes.lines <= 10);
        assert_int_equal(shapes.junctions, 0);
        assert_true(shapes.ends <= 2); // of crests that cross a corner of the map
        assert_int_equal(shapes.stars, 0);
        assert_int_equal(shapes.free, 0);
    }
}

// Ridges that bend have brinks high up, and no junctions.
static void bent_ridges_have_brinks_above(void** state)
{
    fixture* f = *state;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const place p = place_of(i, 160.0, 160.0, 64.0);
        const double way = (p.y + 12.0 * sin(p.x / 20.0)) / 48.0;
        const double phase = way - floor(way);
        levels[i] = (float)(phase < 0.75 ? 8.0 * phase : 24.0 * (1.0 - phase));
    }
    const wadi_dune_field field = field_of(WADI_EDGE_OPEN);
    const wadi_dune_shapes shapes = measure(f->context, &field, (double)NAN);
    assert_int_equal(shapes.junctions, 0);
    assert_true(shapes.brinks > 1500.0);
    double sum = 0.0;
    double count = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const bool brink = (marks[i] & WADI_DUNE_MARK_BRINK) != 0;
        sum += brink ? (double)levels[i] : 0.0;
        count += brink ? 1.0 : 0.0;
    }
    assert_true(count > 500.0 && sum / count > 3.5);
}

// A barchan that moves along an azimuth: a heap whose lee is a slip face along a bow.
static void add_barchan(double east, double south, double size, double azimuth)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const place p = place_of(i, east, south, azimuth);
        const double x = p.x / size;
        const double y = p.y / size;
        const double heap = 0.2 * size * (1.0 - x * x - y * y);
        // the distance from the bow, to first order
        const double face = steep * size * (0.25 + 0.9 * x * x - y) / hypot(1.0, 1.8 * x);
        levels[i] = fmaxf(levels[i], (float)fmin(heap, face));
    }
}

static void clear(void)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        levels[i] = 0.0f;
    }
}

static void barchans_have_two_horns(void** state)
{
    fixture* f = *state;
    static const double azimuths[] = {0.0, 37.0, 90.0, 135.0, 254.0};
    for (size_t i = 0; i < sizeof azimuths / sizeof azimuths[0]; ++i)
    {
        clear();
        add_barchan(80.0, 80.0, 40.0, azimuths[i]);
        add_barchan(240.0, 90.0, 30.0, azimuths[i]);
        add_barchan(160.0, 240.0, 36.0, azimuths[i]);
        wadi_dune_field field = field_of(WADI_EDGE_OPEN);
        field.sand = levels;
        for (int32_t known = 0; known < 2; ++known)
        {
            const double drift = known == 1 ? azimuths[i] : (double)NAN;
            const wadi_dune_shapes shapes = measure(f->context, &field, drift);
            assert_int_equal(shapes.bodies, 3);
            assert_int_equal(shapes.free, 3);
            assert_int_equal(shapes.crescents, 3);
            assert_int_equal(shapes.one_horn, 0);
            assert_int_equal(shapes.stars, 0);
            assert_int_equal(shapes.faces, 3);
            // one crest from horn to horn, and none down the back
            assert_int_equal(shapes.lines, 3);
            assert_int_equal(shapes.ends, 6);
            assert_int_equal(shapes.junctions, 0);
            CHECK_NEAR(shapes.crests, 204.0, 10.0);
        }
        wadi_dune_body bodies[2];
        int32_t count;
        CHECK_OK(f->context,
                 wadi_dune_bodies_list(f->context, &field, (double)NAN, bodies, 2, &count));
        assert_int_equal(count, 3);
        assert_true(bodies[0].volume > bodies[1].volume);
        CHECK_NEAR(fabs(remainder(bodies[0].axis - azimuths[i], 360.0)), 0.0, 4.0);
        CHECK_NEAR(bodies[0].width, 78.0, 4.0);
        assert_true(bodies[0].slips && bodies[0].free && bodies[0].horned == 2);
        CHECK_NEAR(bodies[0].horns[0], bodies[0].horns[1], 5.0);
        // without a map of sand the ground between dunes is found
        field.sand = NULL;
        assert_int_equal(measure(f->context, &field, (double)NAN).crescents, 3);
    }
}

// Ridges 90 m apart without small dunes, with such every 11 m on their backs, and with higher ones
// that have slip faces themselves, along the ridges or up their backs.
static void small_dunes_on_large_ones_are_found(void** state)
{
    fixture* f = *state;
    static const double highs[] = {0.0, 1.0, 2.5, 2.5};
    static const double turns[] = {0.0, 0.15, 0.0, 0.5};
    for (int32_t small = 0; small < 4; ++small)
    {
        for (double azimuth = 0.0; azimuth < 90.0; azimuth += 37.0)
        {
            for (int32_t i = 0; i < CELLS; ++i)
            {
                place p = place_of(i, 160.0, 160.0, azimuth);
                p.x *= 0.5; // cells of 1 m
                p.y *= 0.5;
                const double phase = p.y / 90.0 - floor(p.y / 90.0);
                const double fall = 10.0 / steep / 90.0;
                const double row =
                    (p.y + turns[small] * p.x) / 11.0 / sqrt(1.0 + turns[small] * turns[small]);
                const double way = row - floor(row);
                const double ripple = way < 0.8 ? way : 4.0 * (1.0 - way);
                const bool back = phase > 0.15 && phase < 0.62;
                levels[i] = (float)((phase < 1.0 - fall ? 10.0 * phase / (1.0 - fall)
                                                        : 10.0 * (1.0 - phase) / fall) +
                                    (back ? highs[small] * ripple : 0.0));
            }
            wadi_dune_field field = field_of(WADI_EDGE_OPEN);
            field.surface.dx = field.surface.dy = 1.0;
            field.sand = levels; // slopes alone tell less of dunes that are so steep
            const wadi_dune_shapes shapes = measure(f->context, &field, (double)NAN);
            if (small == 0)
            {
                assert_int_equal(shapes.small, 0);
                CHECK_NEAR(shapes.small_crests + shapes.small_height, 0.0, 0.0);
                continue;
            }
            assert_true(small == 1 || shapes.faces >= 10); // those of the small ones too
            assert_true(shapes.small >= 5 && shapes.small_crests > 400.0);
            CHECK_NEAR(shapes.small_spacing, 11.0, 1.1);
            CHECK_NEAR(shapes.small_height, 0.5 * highs[small], 0.2 * highs[small]);
        }
    }
}

// Distance from marks of small dunes to the nearest crest of a large one [cells].
static double nearest_small(void)
{
    double least = SIZE;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        for (int32_t k = 0; (marks[i] & WADI_DUNE_MARK_SMALL) != 0 && k < 41 * 41; ++k)
        {
            const int32_t dx = k % 41 - 20;
            const int32_t dy = k / 41 - 20;
            const int32_t x = i % SIZE + dx;
            const int32_t y = i / SIZE + dy;
            const bool inside = x >= 0 && y >= 0 && x < SIZE && y < SIZE;
            const bool crest = inside && (marks[y * SIZE + x] & WADI_DUNE_MARK_CREST) != 0;
            least = crest ? fmin(least, hypot(dx, dy)) : least;
        }
    }
    return least;
}

// Ridges 90 m apart with small dunes up to their crests. Close to a crest, bends that run along it
// are its own.
static void bends_along_crests_are_no_small_dunes(void** state)
{
    fixture* f = *state;
    for (double azimuth = 0.0; azimuth < 90.0; azimuth += 18.5)
    {
        for (int32_t i = 0; i < CELLS; ++i)
        {
            const place p = place_of(i, 160.0, 160.0, azimuth);
            const double way = 0.5 * p.y; // cells of 1 m
            const double phase = way / 90.0 - floor(way / 90.0);
            const double fall = 10.0 / steep / 90.0;
            const double row = way / 11.0 - floor(way / 11.0);
            const double ripple = row < 0.8 ? row : 4.0 * (1.0 - row);
            levels[i] = (float)((phase < 1.0 - fall ? 10.0 * phase / (1.0 - fall)
                                                    : 10.0 * (1.0 - phase) / fall) +
                                (phase > 0.15 && phase < 1.0 - fall ? ripple : 0.0));
        }
        wadi_dune_field field = field_of(WADI_EDGE_OPEN);
        field.sand = levels;
        field.surface.dx = field.surface.dy = 1.0;
        const wadi_dune_shapes shapes = measure(f->context, &field, (double)NAN);
        print_message("turned by %.1f: %d small, the nearest %.1f cells from a crest\n", azimuth,
                      (int)shapes.small, nearest_small());
        assert_true(shapes.small >= 5 && nearest_small() > 5.0);
    }
}

// Rows of small dunes 18 m apart and `high`, with slip faces, across a flank that begins at 0 and
// ends at 130 m. They run up to the crest of the flank and fade out at both ends.
static double small_rows_at(const place* p, double high)
{
    const double window = fmin(1.0, fmin(p->y, fmin(p->x - 6.0, 120.0 - p->x)) / 10.0);
    const double row = p->y / 18.0 - floor(p->y / 18.0);
    return fmax(0.0, window) * high * (row < 0.6 ? row / 0.6 : (1.0 - row) / 0.4);
}

// A star of three arms: one side of each is a slip face, the other a flank of 15 degrees with small
// dunes as high as `high`.
static void draw_flanks(double turn, double high)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        double best = 0.0;
        double next = 0.0;
        double small = 0.0;
        for (int32_t a = 0; a < 3; ++a)
        {
            const place p = place_of(i, 160.0, 160.0, turn + 120.0 * a);
            const double along = p.y > 0.0 ? 36.0 - 0.16 * p.y : 36.0 + steep * p.y;
            const double here = along - (p.x > 0.0 ? 0.27 * p.x : -steep * p.x);
            small = here > best ? small_rows_at(&p, high) : small;
            next = fmax(next, fmin(best, here));
            best = fmax(best, here);
        }
        levels[i] = (float)(best + small * fmin(1.0, (best - next) / 6.0));
    }
}

// Small dunes on the flanks of a star are found, also those with slip faces that run up to its
// arms; flanks without them have none.
static void small_dunes_on_flanks_are_found(void** state)
{
    fixture* f = *state;
    for (double turn = 0.0; turn < 120.0; turn += 29.0)
    {
        const wadi_dune_field field = field_of(WADI_EDGE_OPEN);
        draw_flanks(turn, 0.0);
        const wadi_dune_shapes plain = measure(f->context, &field, (double)NAN);
        assert_int_equal(plain.stars, 1);
        assert_int_equal(plain.small, 0);
        draw_flanks(turn, 2.8);
        const wadi_dune_shapes shapes = measure(f->context, &field, (double)NAN);
        print_message("star turned by %.0f: %d small crests of %.2f m, %.1f m apart, %.0f m long\n",
                      turn, (int)shapes.small, shapes.small_height, shapes.small_spacing,
                      shapes.small_crests);
        assert_true(shapes.small >= 15);
        CHECK_NEAR(shapes.small_spacing, 18.0, 2.0);
    }
}

// A drift from behind: the dunes have no horns that way.
static void horns_point_downwind(void** state)
{
    fixture* f = *state;
    clear();
    add_barchan(160.0, 160.0, 60.0, 37.0);
    wadi_dune_field field = field_of(WADI_EDGE_OPEN);
    field.sand = levels;
    assert_int_equal(measure(f->context, &field, 37.0).crescents, 1);
    assert_int_equal(measure(f->context, &field, 217.0).crescents, 0);
    // half of it has one horn
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const place p = place_of(i, 160.0, 160.0, 37.0);
        const double cut = fmax(0.0, 1.0 - fmax(0.0, p.x) / 6.0);
        levels[i] *= (float)cut;
    }
    const wadi_dune_shapes half = measure(f->context, &field, 37.0);
    assert_int_equal(half.crescents, 0);
    assert_int_equal(half.one_horn, 1);
    // beyond an open edge nothing is known; across a periodic one the dune is whole
    clear();
    add_barchan(160.0, 20.0, 40.0, 90.0);
    assert_int_equal(measure(f->context, &field, 90.0).free, 0);
}

// Heaps that touch in a low saddle are two, in a high one they are one.
static void low_saddles_separate_bodies(void** state)
{
    fixture* f = *state;
    for (int32_t high = 0; high < 2; ++high)
    {
        clear();
        const double apart = high == 1 ? 34.0 : 74.0;
        for (int32_t i = 0; i < CELLS; ++i)
        {
            const place one = place_of(i, 160.0 - apart / 2.0, 160.0, 0.0);
            const place two = place_of(i, 160.0 + apart / 2.0, 150.0, 0.0);
            const double a = 12.0 * exp(-(one.x * one.x + one.y * one.y) / 900.0);
            const double b = 10.0 * exp(-(two.x * two.x + two.y * two.y) / 900.0);
            levels[i] = (float)(a + b > 0.05 ? a + b : 0.0);
        }
        wadi_dune_field field = field_of(WADI_EDGE_OPEN);
        field.sand = levels;
        assert_int_equal(measure(f->context, &field, 90.0).bodies, high == 1 ? 1 : 2);
    }
}

// A star: the highest of so many ridges that fall outwards from its peak.
static void draw_star(int32_t arms, double turn)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        double best = 0.0;
        for (int32_t a = 0; a < arms; ++a)
        {
            const place p = place_of(i, 160.0, 160.0, turn + 360.0 * a / arms);
            const double along = p.y > 0.0 ? 16.0 - 0.14 * p.y : 16.0 + steep * p.y;
            best = fmax(best, along - steep * fabs(p.x));
        }
        levels[i] = (float)best;
    }
}

static void stars_have_their_arms(void** state)
{
    fixture* f = *state;
    for (int32_t arms = 3; arms <= 5; ++arms)
    {
        for (double turn = 0.0; turn < 90.0; turn += 37.0)
        {
            draw_star(arms, turn);
            wadi_dune_field field = field_of(WADI_EDGE_OPEN);
            field.sand = levels;
            const wadi_dune_shapes shapes = measure(f->context, &field, (double)NAN);
            assert_int_equal(shapes.stars, 1);
            CHECK_NEAR(shapes.arms, arms, 0.0);
            assert_int_equal(shapes.lines, 1);
            assert_true(shapes.ends == arms || arms == 5);
            assert_int_equal(shapes.junctions, 1);
        }
    }
    // two arms are a ridge
    draw_star(2, 20.0);
    const wadi_dune_field field = field_of(WADI_EDGE_OPEN);
    const wadi_dune_shapes ridge = measure(f->context, &field, (double)NAN);
    assert_int_equal(ridge.stars, 0);
    assert_int_equal(ridge.junctions, 0);
    assert_int_equal(ridge.ends, 2);
}

// Ground that is no dunes has none: a slope, terraces, noise, a flat plain.
static void other_ground_has_no_dunes(void** state)
{
    fixture* f = *state;
    for (int32_t kind = 0; kind < 4; ++kind)
    {
        for (int32_t i = 0; i < CELLS; ++i)
        {
            const place p = place_of(i, 0.0, 0.0, 37.0);
            const double step = (p.x + 1000.0) / 40.0;
            const double rise = fmax(0.0, 4.0 * (step - floor(step)) - 3.0);
            double hills = 0.0;
            for (double k = 1.0; k < 32.0; k *= 2.0)
            {
                hills += (sin(0.05 * k * p.x + 3.0 * k) + cos(0.043 * k * p.y + k) +
                          sin(0.031 * k * (p.x + p.y))) *
                         3.0 / k;
            }
            levels[i] = (float)(kind == 0   ? 0.62 * p.x
                                : kind == 1 ? 6.2 * (floor(step) + rise)
                                : kind == 2 ? hills
                                            : 7.0);
        }
        const wadi_dune_field field = field_of(WADI_EDGE_OPEN);
        const wadi_dune_shapes shapes = measure(f->context, &field, 90.0);
        assert_true(shapes.none);
        assert_true(shapes.crests == 0.0 && shapes.faces == 0 && shapes.bodies == 0);
        for (int32_t i = 0; i < CELLS; ++i)
        {
            assert_int_equal(marks[i], 0);
        }
    }
}

// Counts from one drawing to another, with or without a map of sand.
static wadi_dune_encounters meet(wadi_context* context, bool sand)
{
    wadi_dune_field before = field_of(WADI_EDGE_OPEN);
    wadi_dune_field after = before;
    before.surface.heights = earlier;
    before.sand = sand ? earlier : NULL;
    after.sand = sand ? levels : NULL;
    wadi_dune_encounters met;
    CHECK_OK(context, wadi_dune_encounters_count(context, &before, &after, &met));
    return met;
}

// Meandering creeks with straight banks in a plain, 10 and 30 m wide and 5 m deep, whose slopes are
// those of sand at rest; and the same upside down: dikes, whose sides fall on both sides.
static void draw_creeks(double azimuth, double width, double sign)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const place p = place_of(i, 160.0, 160.0, azimuth);
        const double way = p.y + 25.0 * sin(p.x / 30.0);
        const double bend = 25.0 / 30.0 * cos(p.x / 30.0);
        const double off = fabs(way) / sqrt(1.0 + bend * bend) - 0.5 * width; // from the foot
        const double bank = fmin(fmax(steep * off, 0.0), 5.0) - 5.0;
        levels[i] = (float)(sign * bank + 0.02 * sin(p.x / 7.0) * cos(p.y / 9.0));
    }
}

static void creeks_are_no_dunes(void** state)
{
    fixture* f = *state;
    for (double azimuth = 0.0; azimuth < 180.0; azimuth += 37.0)
    {
        for (double width = 10.0; width < 40.0; width += 20.0)
        {
            const wadi_dune_field field = field_of(WADI_EDGE_OPEN);
            wadi_dune_forms forms;
            draw_creeks(azimuth, width, 1.0);
            CHECK_OK(f->context, wadi_dune_forms_measure(f->context, &field, &forms));
            assert_true(forms.rest > 0.75 && fabs(forms.behind) < 0.05);
            assert_true(measure(f->context, &field, (double)NAN).none);
        }
        const wadi_dune_field field = field_of(WADI_EDGE_OPEN);
        wadi_dune_forms forms;
        draw_creeks(azimuth, 10.0, -1.0);
        CHECK_OK(f->context, wadi_dune_forms_measure(f->context, &field, &forms));
        assert_true(forms.behind > 0.3);
        assert_false(measure(f->context, &field, (double)NAN).none);
    }
}

// The large barchan moves by 10 m, the small one, of half its height, by 42 m.
static void collisions_and_calvings_are_counted(void** state)
{
    fixture* f = *state;
    for (int32_t sand = 0; sand < 2; ++sand)
    {
        clear();
        add_barchan(180.0, 180.0, 60.0, 90.0);
        add_barchan(60.0, 80.0, 30.0, 90.0);
        memcpy(earlier, levels, sizeof levels);
        clear();
        add_barchan(190.0, 180.0, 60.0, 90.0);
        add_barchan(102.0, 80.0, 30.0, 90.0);
        const wadi_dune_encounters apart = meet(f->context, sand == 1);
        assert_int_equal(apart.kept, 2);
        assert_int_equal(apart.collisions + apart.calvings + apart.gone + apart.born, 0);

        clear();
        add_barchan(190.0, 180.0, 60.0, 90.0);
        const wadi_dune_encounters lost = meet(f->context, sand == 1);
        assert_int_equal(lost.kept, 1);
        assert_int_equal(lost.gone, 1);

        // the small one runs into the back of the large one
        clear();
        add_barchan(180.0, 180.0, 60.0, 90.0);
        add_barchan(114.0, 165.0, 24.0, 90.0);
        memcpy(earlier, levels, sizeof levels);
        clear();
        add_barchan(184.0, 180.0, 60.0, 90.0);
        add_barchan(132.0, 165.0, 26.0, 90.0);
        const wadi_dune_encounters one = meet(f->context, sand == 1);
        assert_int_equal(one.collisions, 1);
        assert_int_equal(one.calvings, 0);
        assert_int_equal(one.kept, 0);

        // seen backwards, one dune became two
        static float swap[CELLS];
        memcpy(swap, earlier, sizeof swap);
        memcpy(earlier, levels, sizeof swap);
        memcpy(levels, swap, sizeof swap);
        const wadi_dune_encounters two = meet(f->context, sand == 1);
        assert_int_equal(two.calvings, 1);
        assert_int_equal(two.collisions, 0);
    }
    // without dunes in one of them nothing is counted
    memset(earlier, 0, sizeof earlier);
    assert_int_equal(meet(f->context, true).born, 0);
    wadi_dune_field small = field_of(WADI_EDGE_OPEN);
    const wadi_dune_field whole = small;
    small.surface.width = SIZE - 1;
    wadi_dune_encounters met;
    CHECK_FAILS(f->context, WADI_ERROR_ARGUMENT, "resample one",
                wadi_dune_encounters_count(f->context, &small, &whole, &met));
}

static void threads_do_not_matter(void** state)
{
    (void)state;
    static uint16_t first[CELLS];
    static uint8_t pictures[2][CELLS * 12];
    clear();
    add_barchan(80.0, 80.0, 40.0, 20.0);
    add_barchan(200.0, 200.0, 60.0, 20.0);
    const wadi_dune_field field = field_of(WADI_EDGE_PERIODIC);
    for (int32_t workers = 1; workers <= 3; workers += 2)
    {
        fixture f;
        fixture_open(&f, workers);
        (void)measure(f.context, &field, (double)NAN);
        uint8_t* picture = pictures[workers / 2];
        CHECK_OK(f.context, wadi_dune_marks_draw(f.context, &field.surface, marks, 2, picture));
        if (workers == 1)
        {
            memcpy(first, marks, sizeof first);
        }
        CHECK_FAILS(f.context, WADI_ERROR_RANGE, "expected 1 to 32",
                    wadi_dune_marks_draw(f.context, &field.surface, marks, 0, picture));
        fixture_close(&f);
    }
    assert_memory_equal(first, marks, sizeof first);
    assert_memory_equal(pictures[0], pictures[1], sizeof pictures[0]);
    // crests are red, crescents have green outlines
    int32_t red = 0;
    int32_t green = 0;
    for (int32_t i = 0; i < CELLS * 4; ++i)
    {
        const uint8_t* p = &pictures[0][3 * i];
        red += p[0] > 200 && p[1] < 80 ? 1 : 0;
        green += p[0] < 40 && p[1] > 140 ? 1 : 0;
    }
    assert_true(red > 200 && green > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ridges_have_crests_and_brinks),
        cmocka_unit_test(bent_ridges_have_brinks_above),
        cmocka_unit_test(barchans_have_two_horns),
        cmocka_unit_test(small_dunes_on_large_ones_are_found),
        cmocka_unit_test(bends_along_crests_are_no_small_dunes),
        cmocka_unit_test(small_dunes_on_flanks_are_found),
        cmocka_unit_test(horns_point_downwind),
        cmocka_unit_test(low_saddles_separate_bodies),
        cmocka_unit_test(stars_have_their_arms),
        cmocka_unit_test(other_ground_has_no_dunes),
        cmocka_unit_test(creeks_are_no_dunes),
        cmocka_unit_test(collisions_and_calvings_are_counted),
        cmocka_unit_test(threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
