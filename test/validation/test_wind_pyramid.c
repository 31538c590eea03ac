// SPDX-License-Identifier: MIT
// labels: medium
// A pyramid of rock buried to a quarter: edges wear faster than faces, the tip fastest of all, and
// sand gathers in the lee: the mean of ten years, in which several dunes pass. It stands face or
// edge to winds along the grid and 37 degrees off it.
#include "support/sand_wind.h"

static const double height = 24.0; // [m]
static const double base = 38.0;   // [m] half of it
static const double buried = 6.0;  // [m]
static const double years = 6.0;   // of wear: 300 m2 of sand past each metre
static const double glance = 1.0;  // [yr] between two looks at the sand

enum
{
    FIRST_LOOK = 2, // the lee fills
    LOOKS = 12
};

typedef struct pyramid
{
    double turn; // of its faces against the wind [radian]
} pyramid;

// Metres from the middle along the normals of two faces, neither below 0.
static sand_place pyramid_frame(sand_place p, const pyramid* own)
{
    const double c = cos(own->turn);
    const double s = sin(own->turn);
    return (sand_place){fabs(p.along * c + p.across * s), fabs(p.across * c - p.along * s)};
}

static double pyramid_rock(sand_place p, const void* user)
{
    const sand_place q = pyramid_frame(p, user);
    return fmax(0.0, height * (1.0 - fmax(q.along, q.across) / base));
}

static double pyramid_sand(sand_place p, const void* user)
{
    return fmax(0.0, buried - pyramid_rock(p, user));
}

typedef struct pyramid_wear
{
    double sum[3]; // faces, edges, tip
    int32_t cells[3];
    double gain[2]; // of sand, beside the lee and in it
    int32_t gain_cells[2];
} pyramid_wear;

// Sand gained behind the pyramid, and as far downwind to both sides of it.
static void pyramid_add_sand(const pyramid* own, sand_place p, double sand, pyramid_wear* out)
{
    const double off = fabs(p.across) / base;
    const bool lee = off < 0.3;
    const bool beside = off > 1.5 && off < 2.2;
    if (p.along > 0.4 * base && p.along < 1.4 * base && (lee || beside))
    {
        out->gain[lee ? 1 : 0] += sand - pyramid_sand(p, own);
        ++out->gain_cells[lee ? 1 : 0];
    }
}

static void pyramid_add(const sand_land* land, const pyramid* own, const float* wear, int32_t i,
                        pyramid_wear* out)
{
    const sand_place p = sand_place_of(land, i % land->size, i / land->size);
    const sand_place q = pyramid_frame(p, own);
    const bool tip = fmax(q.along, q.across) < 1.5 * land->cell;
    const bool edge = fabs(q.along - q.across) < 1.5 * land->cell;
    if (pyramid_rock(p, own) > buried + 2.0)
    {
        const int kind = tip ? 2 : edge ? 1 : 0;
        out->sum[kind] += (double)wear[i];
        ++out->cells[kind];
    }
}

// One look at the sand, which adds to the means.
static void pyramid_look(const sand_land* land, const pyramid* own, pyramid_wear* out)
{
    for (int32_t i = 0; i < land->size * land->size; ++i)
    {
        const int32_t x = i % land->size;
        const int32_t y = i / land->size;
        const int32_t units = wadi_terrain_units(land->terrain, WADI_LAYER_SEDIMENT, x, y);
        pyramid_add_sand(own, sand_place_of(land, x, y), (double)units / WADI_UNITS_PER_METRE, out);
    }
}

// Let the wind blow and look at the sand; the wear of `years`, to be freed with test_free().
static float* pyramid_watch(sand_land* land, const pyramid* own, pyramid_wear* out)
{
    float* wear = test_malloc((size_t)land->size * (size_t)land->size * sizeof *wear);
    for (int32_t look = 1; look <= LOOKS; ++look)
    {
        sand_land_blow(land, glance);
        if (look >= FIRST_LOOK)
        {
            pyramid_look(land, own, out);
        }
        if (look * glance == years)
        {
            CHECK_OK(land->f.context, wadi_solver_map(land->wind, "wear", wear));
        }
    }
    return wear;
}

static void wear_pyramid(double turn, double direction)
{
    const pyramid own = {turn * 3.14159265358979323846 / 180.0};
    sand_land_def def = sand_land_def_default();
    def.params.direction = direction;
    def.params.inflow = 0.5;
    def.rock = pyramid_rock;
    def.sand = pyramid_sand;
    def.user = &own;
    sand_land land;
    sand_land_open(&land, &def);
    pyramid_wear w = {0};
    float* wear = pyramid_watch(&land, &own, &w);
    for (int32_t i = 0; i < land.size * land.size; ++i)
    {
        pyramid_add(&land, &own, wear, i, &w);
    }
    const double face = w.sum[0] / w.cells[0];
    const double edge = w.sum[1] / w.cells[1];
    const double tip = w.sum[2] / w.cells[2];
    const double beside = w.gain[0] / w.gain_cells[0];
    const double lee = w.gain[1] / w.gain_cells[1];
    print_message("turned %2.0f, wind from %3.0f: wear of faces %.3f m, edges %.3f (x %.2f), tip "
                  "%.3f (x %.2f); sand beside its lee %+.1f m, in it %+.1f m\n",
                  turn, direction, face, edge, edge / face, tip, tip / face, beside, lee);
    test_free(wear);
    sand_land_close(&land);
    assert_true(edge >= 2.0 * face);
    assert_true(tip >= edge);
    assert_true(lee > 1.0);
    assert_true(lee > beside + 1.0);
}

static void face_to_the_wind(void** state)
{
    (void)state;
    wear_pyramid(0.0, 270.0);
    wear_pyramid(0.0, 307.0);
}

static void slow_edge_to_the_wind(void** state)
{
    (void)state;
    wear_pyramid(45.0, 270.0);
    wear_pyramid(45.0, 307.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(face_to_the_wind),
        cmocka_unit_test(slow_edge_to_the_wind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
