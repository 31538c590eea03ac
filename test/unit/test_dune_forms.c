// SPDX-License-Identifier: MIT
// Measures of dunes on surfaces with known measures.
#include "support/fixture.h"

enum
{
    SIZE = 120,
    CELLS = SIZE * SIZE
};

static const double degree = 57.29577951308232;

static float levels[CELLS];
static float sand[CELLS];

static wadi_dune_field field_of(wadi_edge edges)
{
    return (wadi_dune_field){
        .surface = {levels, SIZE, SIZE, SIZE, 2.0, 2.0, NULL, {edges, edges, edges, edges}}};
}

typedef double profile(double phase); // of waves, phase in [0, 1)

static double even(double phase)
{
    return sin(2.0 * 3.14159265358979 * phase);
}

// Rises over five sixths of a wave, falls over one.
static double steep(double phase)
{
    return phase < 5.0 / 6.0 ? 2.4 * phase - 1.0 : 1.0 - 12.0 * (phase - 5.0 / 6.0);
}

// Waves of 2 m and 30 m that travel towards an azimuth.
static void draw_waves(profile* shape, double azimuth)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double east = 2.0 * (i % SIZE);
        const double north = -2.0 * (double)(i / SIZE);
        const double way = east * sin(azimuth / degree) + north * cos(azimuth / degree);
        const double phase = way / 30.0 - floor(way / 30.0);
        levels[i] = (float)(100.0 + shape(phase));
    }
}

static wadi_dune_forms measure(wadi_context* context, const wadi_dune_field* field)
{
    wadi_dune_forms forms;
    CHECK_OK(context, wadi_dune_forms_measure(context, field, &forms));
    return forms;
}

// Difference of azimuths that are the same after a `turn`.
static double off(double a, double b, double turn)
{
    const double d = fmod(fabs(a - b), turn);
    return d > 0.5 * turn ? turn - d : d;
}

static void waves_are_measured_at_every_azimuth(void** state)
{
    fixture* f = *state;
    const double turn = 2.0 * 3.14159265358979 / 30.0; // in a metre
    static const double azimuths[] = {0.0, 37.0, 90.0, 217.0, 300.0};
    for (size_t i = 0; i < sizeof azimuths / sizeof azimuths[0]; ++i)
    {
        draw_waves(even, azimuths[i]);
        const wadi_dune_field field = field_of(WADI_EDGE_OPEN);
        const wadi_dune_forms forms = measure(f->context, &field);
        CHECK_NEAR(forms.height, sqrt(12.0 * 0.5), 0.02);
        CHECK_NEAR(forms.spacing, 30.0, 0.3);
        CHECK_NEAR(off(forms.normal, azimuths[i], 180.0), 0.0, 0.5);
        assert_true(forms.order > 0.99 && forms.skew < 0.1);
        CHECK_NEAR(forms.face, atan(sin(turn * 2.0) / 2.0) * degree, 0.2); // over two cells
        assert_true(isnan(forms.bare) && forms.bodies == -1);
    }
}

static void slip_faces_look_downwind(void** state)
{
    fixture* f = *state;
    for (double azimuth = 0.0; azimuth < 360.0; azimuth += 37.0)
    {
        draw_waves(steep, azimuth);
        const wadi_dune_field field = field_of(WADI_EDGE_OPEN);
        const wadi_dune_forms forms = measure(f->context, &field);
        CHECK_NEAR(off(forms.lee, azimuth, 360.0), 0.0, 2.0);
        assert_true(forms.skew > 1.0);
    }
}

// Domes on a lattice have no preferred direction; the tilt of the land does not count.
static void domes_have_no_order(void** state)
{
    fixture* f = *state;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double turn = 2.0 * 3.14159265358979 / 20.0; // every 20 cells
        levels[i] = (float)(sin(turn * (i % SIZE)) + sin(turn * (double)(i / SIZE)));
    }
    const wadi_dune_field field = field_of(WADI_EDGE_PERIODIC);
    const wadi_dune_forms flat = measure(f->context, &field);
    assert_true(flat.order < 0.01);
    CHECK_NEAR(flat.spacing, 1.117 * 40.0, 1.0); // where J0 has its first maximum
    draw_waves(even, 37.0);
    const wadi_dune_field open = field_of(WADI_EDGE_OPEN);
    const wadi_dune_forms level = measure(f->context, &open);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        levels[i] += 0.2f * (float)(i % SIZE);
    }
    const wadi_dune_forms tilted = measure(f->context, &open);
    CHECK_NEAR(tilted.order, level.order, 1e-3);
    CHECK_NEAR(tilted.normal, level.normal, 0.1);
}

// Cells of 1 x 2 m and a border of voids: the same measures.
static void oblong_cells_and_voids_are_minded(void** state)
{
    fixture* f = *state;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % SIZE;
        const int32_t y = i / SIZE;
        const double way = (x * sin(37.0 / degree) - 2.0 * y * cos(37.0 / degree)) / 25.0;
        levels[i] = x < 9 || y > SIZE - 7 ? NAN : (float)even(way - floor(way));
    }
    double dx[SIZE];
    for (int32_t y = 0; y < SIZE; ++y)
    {
        dx[y] = 1.0;
    }
    wadi_dune_field field = field_of(WADI_EDGE_OPEN);
    field.surface.dx_of_row = dx;
    const wadi_dune_forms forms = measure(f->context, &field);
    CHECK_NEAR(forms.spacing, 25.0, 0.5);
    CHECK_NEAR(off(forms.normal, 37.0, 180.0), 0.0, 1.5);
}

// Cones of sand at 32 degrees on bare rock, in cells; periodic edges.
static void draw_cone(int32_t x, int32_t y, double radius)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double dx = remainder(i % SIZE - x, SIZE);
        const double dy = remainder((double)(i / SIZE) - y, SIZE);
        const double height = 2.0 * (radius - hypot(dx, dy)) * tan(32.0 / degree);
        sand[i] = fmaxf(sand[i], (float)height);
        levels[i] = sand[i];
    }
}

static void heaps_are_counted_round_the_torus(void** state)
{
    fixture* f = *state;
    memset(sand, 0, sizeof sand);
    draw_cone(30, 30, 10.0);
    draw_cone(90, 0, 10.0); // over the northern edge
    draw_cone(0, 80, 10.0); // over the western one
    wadi_dune_field field = field_of(WADI_EDGE_PERIODIC);
    field.sand = sand;
    const wadi_dune_forms forms = measure(f->context, &field);
    assert_int_equal(forms.bodies, 3);
    CHECK_NEAR(forms.dunes, 3.0, 0.0);
    CHECK_NEAR(forms.bare, 1.0 - 3.0 * 3.14159 * 100.0 / CELLS, 0.003);
    CHECK_NEAR(forms.face, 32.0, 0.5);
    field = field_of(WADI_EDGE_OPEN);
    field.sand = sand;
    assert_int_equal(measure(f->context, &field).bodies, 5);

    // a strip of thin sand between two heaps does not merge them
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sand[i] = fmaxf(sand[i], i % SIZE == 30 ? 0.3f : 0.0f);
    }
    assert_int_equal(measure(f->context, &field).bodies, 5);
}

static void kinds_have_their_places(void** state)
{
    (void)state;
    const struct
    {
        wadi_dune_type type;
        double drift;
        wadi_dune_forms forms;
    } cases[] = {
        {WADI_DUNE_BARCHAN, 90.0, {.face = 30, .order = .3, .normal = 80, .bare = .5, .bodies = 4}},
        {WADI_DUNE_BARCHAN, 90.0, {.face = 30, .order = .1, .normal = 5, .bare = .5, .bodies = 4}},
        {WADI_DUNE_MIXED, 90.0, {.face = 30, .order = .3, .normal = 5, .bare = .5, .bodies = 4}},
        {WADI_DUNE_MIXED, 90.0, {.face = 30, .order = .3, .normal = 80, .bare = .5, .bodies = 1}},
        {WADI_DUNE_TRANSVERSE, 90.0, {.face = 30, .order = .5, .normal = 119, .bodies = 1}},
        {WADI_DUNE_TRANSVERSE, 350.0, {.face = 30, .order = .5, .normal = 10, .bodies = 1}},
        {WADI_DUNE_MIXED, 90.0, {.face = 30, .order = .5, .normal = 135, .bodies = 1}},
        {WADI_DUNE_LINEAR, 90.0, {.face = 30, .order = .5, .normal = 155, .bodies = 1}},
        {WADI_DUNE_LINEAR, 90.0, {.face = 30, .order = .5, .normal = 0, .bare = .5, .bodies = 4}},
        {WADI_DUNE_STAR, 90.0, {.face = 30, .order = .1, .bare = .1, .bodies = 1}},
        {WADI_DUNE_STAR, (double)NAN, {.face = 30, .order = .1, .bare = .5, .bodies = 4}},
        {WADI_DUNE_MIXED, (double)NAN, {.face = 30, .order = .5, .bare = .5, .bodies = 4}},
        // mountains, low hills, and rock without sand
        {WADI_DUNE_NONE, 90.0, {.face = 53, .order = .1, .bare = (double)NAN, .bodies = -1}},
        {WADI_DUNE_NONE, 90.0, {.face = 8, .spacing = (double)NAN, .bare = (double)NAN}},
        {WADI_DUNE_NONE, 90.0, {.face = 30, .order = .5, .bare = 1.0, .bodies = 0}},
        // low hills with a spacing, a slope of loose ground, hills as steep as sand, and a coast
        {WADI_DUNE_NONE, 90.0, {.face = 8, .order = .1, .spacing = 50, .bare = (double)NAN}},
        {WADI_DUNE_NONE,
         90.0,
         {.face = 33, .behind = 1, .rest = 9, .tilt = .9, .bare = (double)NAN}},
        {WADI_DUNE_NONE,
         90.0,
         {.face = 30, .behind = 1, .rest = .5, .tail = 1.1, .bare = (double)NAN}},
        {WADI_DUNE_NONE,
         90.0,
         {.face = 30, .behind = 1, .rest = .7, .tail = 1.3, .bare = (double)NAN}},
        {WADI_DUNE_STAR,
         90.0,
         {.face = 30, .behind = 1, .rest = .7, .tail = 1.1, .bare = (double)NAN}},
        {WADI_DUNE_STAR,
         90.0,
         {.face = 30, .behind = 1, .rest = .8, .tail = 1.3, .bare = (double)NAN}},
        {WADI_DUNE_NONE,
         90.0,
         {.face = 30,
          .behind = 1,
          .rest = .8,
          .tail = 1.3,
          .spacing = (double)NAN,
          .bare = (double)NAN}},
        // banks of a channel
        {WADI_DUNE_NONE, 90.0, {.face = 30, .behind = -.01, .rest = 2, .bare = (double)NAN}},
        {WADI_DUNE_MIXED, 90.0, {.face = 30, .order = .3, .spacing = (double)NAN, .bodies = 1}},
        {WADI_DUNE_SHEET, 90.0, {.face = 8, .order = .5, .spacing = 50, .bare = (double)NAN}},
        {WADI_DUNE_SHEET, 90.0, {.face = 12, .order = .5, .normal = 90, .bodies = 1}},
        {WADI_DUNE_TRANSVERSE,
         90.0,
         {.face = 30, .behind = 1, .rest = 2, .order = .5, .normal = 90, .bare = (double)NAN}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        const wadi_dune_type type = wadi_dune_forms_classify(&cases[i].forms, cases[i].drift);
        assert_string_equal(wadi_dune_type_name(type), wadi_dune_type_name(cases[i].type));
    }
    assert_null(wadi_dune_type_name(WADI_DUNE_TYPE_COUNT));
}

// Periodic noise, shifted by (dx, dy) cells.
static void draw_rough(float* out, double dx, double dy)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double turn = 2.0 * 3.14159265358979 / SIZE;
        const double x = turn * (i % SIZE - dx);
        const double y = turn * ((double)(i / SIZE) - dy);
        out[i] = (float)(sin(3.0 * x + 2.0 * sin(y)) + cos(5.0 * y - x) + sin(7.0 * x + 4.0 * y));
    }
}

static void shifts_are_found(void** state)
{
    fixture* f = *state;
    const wadi_field2d after = field_of(WADI_EDGE_PERIODIC).surface;
    wadi_field2d before = after;
    before.heights = sand;
    wadi_dune_shift shift;
    draw_rough(levels, 6.0, -4.5);
    draw_rough(sand, 0.0, 0.0);
    levels[50 * SIZE + 50] = NAN;
    CHECK_OK(f->context, wadi_dune_shift_measure(f->context, &before, &after, 40.0, &shift));
    CHECK_NEAR(shift.distance, 15.0, 0.1);
    CHECK_NEAR(shift.azimuth, atan2(6.0, 4.5) * degree, 0.5);
    assert_true(shift.likeness > 0.95);
    CHECK_OK(f->context, wadi_dune_shift_measure(f->context, &after, &after, 40.0, &shift));
    CHECK_NEAR(shift.distance, 0.0, 1e-6);
    CHECK_NEAR(shift.likeness, 1.0, 1e-6);
}

// A surface on a slope, cut out again three cells further on: the overlap is equal to the last
// digit.
static void a_shifted_surface_overlaps_exactly(void** state)
{
    fixture* f = *state;
    const wadi_field2d after = field_of(WADI_EDGE_OPEN).surface;
    wadi_field2d before = after;
    before.heights = sand;
    draw_rough(levels, 3.0, 0.0);
    draw_rough(sand, 0.0, 0.0);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sand[i] += 0.05f * (float)(i % SIZE);
        levels[i] += 0.05f * ((float)(i % SIZE) - 3.0f);
    }
    wadi_dune_shift shift;
    CHECK_OK(f->context, wadi_dune_shift_measure(f->context, &before, &after, 40.0, &shift));
    CHECK_NEAR(shift.likeness, 1.0, 1e-5);
}

static void unmeasurable_surfaces_are_refused(void** state)
{
    fixture* f = *state;
    wadi_dune_field field = field_of(WADI_EDGE_OPEN);
    wadi_field2d other = field.surface;
    wadi_dune_shift shift;
    wadi_dune_forms forms;
    other.height = SIZE - 1;
    draw_rough(levels, 0.0, 0.0);
    CHECK_FAILS(f->context, WADI_ERROR_ARGUMENT, "the same size",
                wadi_dune_shift_measure(f->context, &field.surface, &other, 40.0, &shift));
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "reach",
                wadi_dune_shift_measure(f->context, &field.surface, &field.surface, 200.0, &shift));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        levels[i] = 7.0f;
    }
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "level",
                wadi_dune_shift_measure(f->context, &field.surface, &field.surface, 40.0, &shift));
    CHECK_OK(f->context, wadi_dune_forms_measure(f->context, &field, &forms));
    assert_true(forms.height == 0.0 && forms.order == 0.0 && isnan(forms.spacing));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        levels[i] = i / SIZE % 2 == 0 ? NAN : 7.0f;
    }
    CHECK_FAILS(f->context, WADI_ERROR_RANGE, "nothing can be measured",
                wadi_dune_forms_measure(f->context, &field, &forms));
}

static void threads_do_not_matter(void** state)
{
    fixture* f = *state;
    fixture many;
    fixture_open(&many, 3);
    draw_rough(levels, 0.0, 0.0);
    draw_rough(sand, 3.25, 2.0);
    const wadi_dune_field field = field_of(WADI_EDGE_OPEN);
    wadi_field2d before = field.surface;
    before.heights = sand;
    wadi_dune_shift shift[2];
    CHECK_OK(f->context,
             wadi_dune_shift_measure(f->context, &before, &field.surface, 20, &shift[0]));
    CHECK_OK(many.context,
             wadi_dune_shift_measure(many.context, &before, &field.surface, 20, &shift[1]));
    assert_memory_equal(&shift[0], &shift[1], sizeof shift[0]);
    assert_true(measure(f->context, &field).spacing == measure(many.context, &field).spacing);
    fixture_close(&many);
}

static int open_context(void** state)
{
    static fixture f;
    fixture_open(&f, 1);
    *state = &f;
    return 0;
}

static int close_context(void** state)
{
    fixture_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_are_measured_at_every_azimuth),
        cmocka_unit_test(slip_faces_look_downwind),
        cmocka_unit_test(domes_have_no_order),
        cmocka_unit_test(oblong_cells_and_voids_are_minded),
        cmocka_unit_test(heaps_are_counted_round_the_torus),
        cmocka_unit_test(kinds_have_their_places),
        cmocka_unit_test(shifts_are_found),
        cmocka_unit_test(a_shifted_surface_overlaps_exactly),
        cmocka_unit_test(unmeasurable_surfaces_are_refused),
        cmocka_unit_test(threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
