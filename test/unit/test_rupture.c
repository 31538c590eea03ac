// SPDX-License-Identifier: MIT
// Rupture surfaces: factors of safety against closed forms, stability numbers of slopes, and the
// search.
#include "support/fixture.h"

#include "core/dmath.h"
#include "laws/slopes/rupture.h"

#include <math.h>

static const double degree = 0.017453292519943295;

// ---- land --------------------------------------------------------------------------------------

typedef struct ground
{
    rupture_land land;
    rupture_column* columns;
} ground;

// A slope of a height between level ground, or a plane (height 0), of one soil.
typedef struct shape
{
    int32_t width;
    int32_t height;
    double cell;
    double angle;   // [degree]
    double rise;    // [m]; 0: a plane
    double azimuth; // downhill direction, clockwise from north [degree]
    double cohesion;
    double friction; // [degree]
    double water;    // pore pressure per depth [Pa/m]
} shape;

static ground ground_make(const shape* s)
{
    ground g = {.columns = test_calloc((size_t)s->width * (size_t)s->height, sizeof *g.columns)};
    const double tangent = tan(s->angle * degree);
    for (int32_t c = 0; c < s->width * s->height; ++c)
    {
        const double x = (c % s->width - 0.5 * (s->width - 1)) * s->cell;
        const double y = (c / s->width - 0.5 * (s->height - 1)) * s->cell;
        const double ahead = x * sin(s->azimuth * degree) - y * cos(s->azimuth * degree);
        const double z = -tangent * ahead;
        const double top = s->rise > 0.0 ? fmin(fmax(z, -0.5 * s->rise), 0.5 * s->rise) : z;
        g.columns[c] = (rupture_column){.top = (float)top,
                                        .rock_cohesion = (float)s->cohesion,
                                        .water = (float)s->water,
                                        .deepest = 1e4f};
    }
    g.land = (rupture_land){.columns = g.columns,
                            .width = s->width,
                            .height = s->height,
                            .cell = s->cell,
                            .rock_weight = 20000.0,
                            .rock_tangent = tan(s->friction * degree),
                            .narrow = 1.0};
    return g;
}

// ---- one surface -------------------------------------------------------------------------------

// A plane, and a sphere through it with a chord along its slope.
static void cap_make(const ground* g, const shape* s, double length, double bulge,
                     rupture_surface* out)
{
    const double back[2] = {-sin(s->azimuth * degree), cos(s->azimuth * degree)};
    const int32_t toe[2] = {
        (int32_t)(0.5 * (s->width - 1) - 0.5 * length * back[0] / s->cell + 0.5),
        (int32_t)(0.5 * (s->height - 1) - 0.5 * length * back[1] / s->cell + 0.5)};
    assert_true(wadi_rupture_place(&g->land, toe, length, back, bulge, out));
}

// Area of a spherical cap times the distance of each part from the level axis across the slope
// through the sphere's centre, by quadrature over the polar angle from the normal of the plane.
static double cap_levers(double radius, double widest)
{
    enum
    {
        PARTS = 400
    };
    double sum = 0.0;
    for (int i = 0; i < PARTS; ++i)
    {
        const double polar = (i + 0.5) / (double)PARTS * widest;
        for (int k = 0; k < PARTS; ++k)
        {
            const double turn = (k + 0.5) / (double)PARTS * 360.0 * degree;
            const double aside = sin(polar) * sin(turn);
            sum += sqrt(1.0 - aside * aside) * sin(polar);
        }
    }
    return sum * radius * radius * radius * (widest / (double)PARTS) *
           (360.0 * degree / (double)PARTS);
}

// Without friction the factor is cohesion times these levers over weight times the lever of a cap's
// centre, which lies on the normal of the plane.
static void caps_of_clay_have_their_closed_form(void** state)
{
    (void)state;
    static const double azimuths[] = {90.0, 0.0, 23.0, 217.0};
    for (int32_t k = 0; k < WADI_COUNT(azimuths); ++k)
    {
        const shape s = {.width = 161,
                         .height = 161,
                         .cell = 1.0,
                         .angle = 30.0,
                         .azimuth = azimuths[k],
                         .cohesion = 20000.0};
        const ground g = ground_make(&s);
        rupture_surface surface;
        cap_make(&g, &s, 80.0, 0.2, &surface);
        rupture_moments m;
        wadi_rupture_weigh(&g.land, &surface, 1, 1e-6, &m);
        const double chord = 80.0 / cos(30.0 * degree);
        const double depth = 0.2 * chord;
        const double radius = surface.radius;
        CHECK_NEAR(radius, (0.25 * chord * chord + depth * depth) / (2.0 * depth), 1e-6 * radius);
        const double volume = 3.141592653589793 * depth * depth * (3.0 * radius - depth) / 3.0;
        const double centre =
            0.75 * (2.0 * radius - depth) * (2.0 * radius - depth) / (3.0 * radius - depth);
        const double levers = cap_levers(radius, acos(1.0 - depth / radius));
        const double factor = 20000.0 * levers / (20000.0 * volume * centre * sin(30.0 * degree));
        print_message("azimuth %g: factor %.4f, closed form %.4f; volume %.0f, %.0f m3\n",
                      azimuths[k], m.factor, factor, m.volume, volume);
        CHECK_NEAR(m.volume / volume, 1.0, 0.003);
        CHECK_NEAR(m.factor / factor, 1.0, 0.003);
        // both moments of the weight, from the place of its centre
        CHECK_NEAR(m.drive / (20000.0 * volume * centre * sin(30.0 * degree)), 1.0, 0.01);
        CHECK_NEAR(m.below / (20000.0 * volume * centre * cos(30.0 * degree)), 1.0, 0.01);
        test_free(g.columns);
    }
}

// Ground that has neither cohesion nor friction left, as the broken rock of a block without
// residual strength, has a factor of 0.
static void ground_without_strength_holds_nothing(void** state)
{
    (void)state;
    const shape s = {.width = 41, .height = 41, .cell = 1.0, .angle = 30.0, .azimuth = 90.0};
    const ground g = ground_make(&s);
    rupture_surface surface;
    cap_make(&g, &s, 20.0, 0.2, &surface);
    rupture_moments m;
    wadi_rupture_weigh(&g.land, &surface, 1, 1e-6, &m);
    assert_true(m.factor == 0.0 && m.drive > 0.0 && m.volume > 0.0);
    test_free(g.columns);
}

// A shallow surface on a plane has the factor of the infinite slope.
static void shallow_caps_are_infinite_slopes(void** state)
{
    (void)state;
    static const double waters[] = {0.0, 4000.0};
    for (int32_t k = 0; k < WADI_COUNT(waters); ++k)
    {
        const shape s = {.width = 201,
                         .height = 201,
                         .cell = 1.0,
                         .angle = 30.0,
                         .azimuth = 90.0,
                         .friction = 35.0,
                         .water = waters[k]};
        const ground g = ground_make(&s);
        rupture_surface surface;
        cap_make(&g, &s, 120.0, 0.02, &surface);
        rupture_moments m;
        wadi_rupture_weigh(&g.land, &surface, 1, 1e-6, &m);
        const double share = 1.0 - waters[k] / (20000.0 * cos(30.0 * degree) * cos(30.0 * degree));
        const double factor = share * tan(35.0 * degree) / tan(30.0 * degree);
        print_message("factor %.4f, infinite slope %.4f\n", m.factor, factor);
        CHECK_NEAR(m.factor / factor, 1.0, 0.005);
        test_free(g.columns);
    }
}

// Shaking adds its moment; voids, hard rock, shallow limits and edges leave no surface.
static void surfaces_end_at_what_nobody_knows(void** state)
{
    (void)state;
    const shape s = {.width = 81,
                     .height = 81,
                     .cell = 2.0,
                     .angle = 30.0,
                     .azimuth = 90.0,
                     .cohesion = 20000.0};
    const ground g = ground_make(&s);
    rupture_surface surface;
    cap_make(&g, &s, 80.0, 0.2, &surface);
    rupture_moments still;
    wadi_rupture_weigh(&g.land, &surface, 1, 1e-6, &still);
    rupture_land land = g.land;
    land.shaking = 0.2;
    rupture_moments m;
    wadi_rupture_weigh(&land, &surface, 1, 1e-6, &m);
    CHECK_NEAR(m.factor, still.factor * still.drive / (still.drive + 0.2 * still.below), 1e-9);
    const int32_t middle = 40 * 81 + 40;
    const rupture_column kept = g.columns[middle];
    const rupture_column others[] = {{.top = (float)NAN, .deepest = 1e4f},
                                     {.top = kept.top, .rock_cohesion = INFINITY, .deepest = 1e4f},
                                     {.top = kept.top, .rock_cohesion = 1.0f, .deepest = 1.0f}};
    for (int32_t k = 0; k < WADI_COUNT(others); ++k)
    {
        g.columns[middle] = others[k];
        wadi_rupture_weigh(&g.land, &surface, 1, 1e-6, &m);
        assert_true(isinf(m.factor));
    }
    g.columns[middle] = kept;
    surface.x += 50.0; // over the eastern edge
    wadi_rupture_weigh(&g.land, &surface, 1, 1e-6, &m);
    assert_true(isinf(m.factor));
    test_free(g.columns);
}

// ---- search ------------------------------------------------------------------------------------

static double least_factor(fixture* f, const ground* g, double shortest, double longest)
{
    rupture_search* search;
    CHECK_OK(f->context,
             wadi_rupture_search_create(f->context, &g->land, 0.0, shortest, longest, &search));
    rupture_surface surface;
    rupture_moments m;
    if (wadi_rupture_search_next(search, &surface, &m))
    {
        wadi_rupture_search_destroy(search);
        return m.factor;
    }
    const int64_t cells = (int64_t)g->land.width * g->land.height;
    float* map = test_calloc((size_t)cells, sizeof *map);
    wadi_rupture_search_map(search, 100.0f, map);
    double least = 100.0;
    for (int64_t c = 0; c < cells; ++c)
    {
        least = fmin(least, (double)map[c]);
    }
    test_free(map);
    wadi_rupture_search_destroy(search);
    return least;
}

// Slopes in the plane: the stability number g H / c of the critical circle or spiral (Taylor 1937;
// Chen 1975), for a factor of 1.
static void slopes_in_the_plane_have_their_stability_numbers(void** state)
{
    (void)state;
    static const double cases[][3] = {
        // slope, friction, number
        {60.0, 0.0, 5.25},  {75.0, 0.0, 4.56},   {60.0, 10.0, 7.26},
        {45.0, 10.0, 9.31}, {45.0, 20.0, 16.16},
    };
    fixture f;
    fixture_open(&f, 2);
    for (int32_t k = 0; k < WADI_COUNT(cases); ++k)
    {
        const shape s = {.width = 260,
                         .height = 3,
                         .cell = 0.5,
                         .angle = cases[k][0],
                         .rise = 20.0,
                         .azimuth = 90.0,
                         .cohesion = 20000.0 * 20.0 / cases[k][2],
                         .friction = cases[k][1]};
        ground g = ground_make(&s);
        g.land.narrow = 0.0;
        g.land.wraps[1] = true;
        const double least = least_factor(&f, &g, 10.0, 60.0);
        print_message("slope %g, friction %g: factor %.3f\n", cases[k][0], cases[k][1], least);
        CHECK_NEAR(least, 1.0, 0.03);
        test_free(g.columns);
    }
    fixture_close(&f);
}

// Raise ground in a box; `apart` is between the cells that rise. Returns them, 1 by cell.
static uint8_t* ground_raise(ground* g, const int32_t box[4], int32_t apart)
{
    uint8_t* changed = test_calloc((size_t)(g->land.width * g->land.height), 1);
    for (int32_t row = box[1]; row <= box[3]; row += apart)
    {
        for (int32_t column = box[0]; column <= box[2]; column += apart)
        {
            const int64_t cell = wadi_rupture_cell(&g->land, column, row);
            if (cell >= 0)
            {
                g->columns[cell].top += 8.0f;
                changed[cell] = 1;
            }
        }
    }
    return changed;
}

static void check_same_maps(rupture_search* a, rupture_search* b, int64_t cells)
{
    float* maps = test_calloc(2 * (size_t)cells, sizeof *maps);
    wadi_rupture_search_map(a, 100.0f, maps);
    wadi_rupture_search_map(b, 100.0f, maps + cells);
    assert_memory_equal(maps, maps + cells, (size_t)cells * sizeof *maps);
    test_free(maps);
}

// Where the ground changes, weighing the trials that see it is as good as weighing all, whatever
// was weighed before, for boxes that changed as a whole and in a few cells.
static void updates_of_a_box_are_complete(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    for (int32_t k = 0; k < 8; ++k)
    {
        const shape s = {.width = 47,
                         .height = 43,
                         .cell = 4.5,
                         .angle = 40.0,
                         .rise = 60.0,
                         .azimuth = 200.0,
                         .cohesion = 60000.0,
                         .friction = 20.0};
        ground g = ground_make(&s);
        g.land.wraps[0] = k % 2 == 1;
        g.land.narrow = k < 4 ? 1.0 : 0.4;
        const int64_t cells = (int64_t)s.width * s.height;
        rupture_search* old;
        rupture_search* fresh;
        CHECK_OK(f.context,
                 wadi_rupture_search_create(f.context, &g.land, 100.0, 20.0, 70.0, &old));
        check_same_maps(old, old, cells);
        const int32_t box[4] = {-3, 13 + k, 4, 18 + k};
        const bool few = k / 2 % 2 == 1;
        uint8_t* changed = ground_raise(&g, box, few ? 5 : 1);
        wadi_rupture_search_update(old, box, few ? changed : NULL);
        CHECK_OK(f.context,
                 wadi_rupture_search_create(f.context, &g.land, 100.0, 20.0, 70.0, &fresh));
        check_same_maps(old, fresh, cells);
        test_free(changed);
        wadi_rupture_search_destroy(old);
        wadi_rupture_search_destroy(fresh);
        test_free(g.columns);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caps_of_clay_have_their_closed_form),
        cmocka_unit_test(ground_without_strength_holds_nothing),
        cmocka_unit_test(shallow_caps_are_infinite_slopes),
        cmocka_unit_test(surfaces_end_at_what_nobody_knows),
        cmocka_unit_test(slopes_in_the_plane_have_their_stability_numbers),
        cmocka_unit_test(updates_of_a_box_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
