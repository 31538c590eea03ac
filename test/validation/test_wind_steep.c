// SPDX-License-Identifier: MIT
// labels: medium
// Steep starts: behind a wall sand comes to rest on a smooth slope at repose; a plateau's edge that
// is fed with sand grows one sharp dune along it; a hill of sand becomes one large dune with small
// ones on its windward side. All for winds along the grid and 37 degrees off it.
#include "support/sand_wind.h"

static const double degree = 3.14159265358979323846 / 180.0;
static const double wall = 12.0;  // [m]
static const double strip = 60.0; // [m] on either side of the middle that is measured
static const double stride = 4.0; // [m] between lines along the wind
static const double winds[2] = {270.0, 307.0};

// ---- a wall -------------------------------------------------------------------------------------

static double wall_rock(sand_place p, const void* user)
{
    (void)user;
    return p.along < 0.0 ? wall : 0.0;
}

static double wall_sand(sand_place p, const void* user)
{
    (void)p;
    (void)user;
    return 2.0;
}

// Mean height of a layer over all lines of the strip [m].
static double strip_height(const sand_land* land, wadi_layer layer, double along)
{
    double sum = 0.0;
    int32_t count = 0;
    for (double across = -strip; across <= strip; across += stride)
    {
        sum += sand_layer_at(land, layer, (sand_place){along, across});
        ++count;
    }
    return sum / count;
}

// Steepest descent of the strip along the wind over `span` metres [degree].
static double strip_steepest(const sand_land* land, double from, double to, double span)
{
    double most = 0.0;
    for (double along = from; along <= to; along += 0.5 * land->cell)
    {
        const double fall = strip_height(land, WADI_LAYER_SURFACE, along) -
                            strip_height(land, WADI_LAYER_SURFACE, along + span);
        most = fmax(most, fall / span);
    }
    return atan(most) / degree;
}

static void walls_get_a_smooth_lee(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        sand_land_def def = sand_land_def_default();
        def.params.direction = winds[i];
        def.params.inflow = 0.9;
        def.rock = wall_rock;
        def.sand = wall_sand;
        sand_land land;
        sand_land_open(&land, &def);
        const double before = strip_steepest(&land, -10.0, 40.0, 6.0);
        sand_land_blow(&land, 1.6); // 80 m2 of sand past each metre
        const double after = strip_steepest(&land, -10.0, 40.0, 6.0);
        const double shelter = strip_height(&land, WADI_LAYER_SEDIMENT, 10.0);
        const double beyond = strip_height(&land, WADI_LAYER_SEDIMENT, 70.0);
        print_message(
            "wall, wind from %3.0f: lee %.1f -> %.1f degrees, sand %.1f m behind it, %.1f "
            "beyond\n",
            winds[i], before, after, shelter, beyond);
        sand_land_close(&land);
        assert_true(before > 50.0);
        assert_true(after >= 28.0 && after <= 35.0);
        assert_true(shelter > 4.0);
        assert_true(beyond < 2.0);
    }
}

// ---- an edge ------------------------------------------------------------------------------------

// Sand on each line along the wind: its highest place and what stands elsewhere.
typedef struct edge_dune
{
    double least;   // thickness of the lowest of all highest places [m]
    double nearest; // of them to the edge [m]
    double farthest;
    double elsewhere; // mean thickness over 40 m off the edge [m]
} edge_dune;

static edge_dune edge_look(const sand_land* land)
{
    edge_dune out = {(double)INFINITY, (double)INFINITY, -(double)INFINITY, 0.0};
    int32_t count = 0;
    for (double across = -strip; across <= strip; across += stride)
    {
        double top = 0.0;
        double place = 0.0;
        for (double along = -100.0; along <= 100.0; along += 0.5 * land->cell)
        {
            const double sand =
                sand_layer_at(land, WADI_LAYER_SEDIMENT, (sand_place){along, across});
            place = sand > top ? along : place;
            top = fmax(top, sand);
            out.elsewhere += fabs(along) > 40.0 ? sand : 0.0;
            count += fabs(along) > 40.0 ? 1 : 0;
        }
        out.least = fmin(out.least, top);
        out.nearest = fmin(out.nearest, place);
        out.farthest = fmax(out.farthest, place);
    }
    out.elsewhere /= count;
    return out;
}

static void edges_grow_one_sharp_dune(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        sand_land_def def = sand_land_def_default();
        def.params.direction = winds[i];
        def.params.inflow = 0.9;
        def.rock = wall_rock;
        sand_land land;
        sand_land_open(&land, &def);
        sand_land_blow(&land, 4.0);
        const edge_dune d = edge_look(&land);
        const double lee = strip_steepest(&land, -10.0, 60.0, 6.0);
        print_message(
            "edge, wind from %3.0f: at least %.1f m of sand, %.0f to %.0f m behind the edge, "
            "%.2f m elsewhere, lee %.1f degrees\n",
            winds[i], d.least, d.nearest, d.farthest, d.elsewhere, lee);
        sand_land_close(&land);
        assert_true(d.least > 0.5 * wall);
        assert_true(d.farthest - d.nearest < 20.0);
        assert_true(d.elsewhere < 0.5);
        assert_true(lee >= 28.0 && lee <= 35.0);
    }
}

// ---- a hill -------------------------------------------------------------------------------------

static double hill_sand(sand_place p, const void* user)
{
    (void)user;
    const double far = sqrt(p.along * p.along + p.across * p.across) / 240.0;
    const double wave = 0.1 * sin(0.37 * p.along + 2.0 * sin(0.11 * p.across));
    return 3.0 + wave + (far < 1.0 ? 11.0 * (1.0 + cos(3.14159265358979 * far)) : 0.0);
}

// Slip faces of at least `drop` metres on one line upwind of the hill's summit, and that summit.
static int32_t hill_faces(const sand_land* land, double across, double drop, double* out_summit)
{
    double summit = 0.0;
    double where = 0.0;
    for (double along = -240.0; along <= 240.0; along += land->cell)
    {
        const double z = sand_layer_at(land, WADI_LAYER_SURFACE, (sand_place){along, across});
        where = z > summit ? along : where;
        summit = fmax(summit, z);
    }
    int32_t faces = 0;
    double high = 0.0;
    double low = (double)INFINITY;
    for (double along = where - 260.0; along < where - 10.0; along += land->cell)
    {
        const double z = sand_layer_at(land, WADI_LAYER_SURFACE, (sand_place){along, across});
        const bool falls = high - fmin(low, z) >= drop;
        const bool rises = z - low >= drop;
        high = fmax(high, z);
        low = falls ? fmin(low, z) : low;
        if (falls && rises)
        {
            ++faces;
            high = z;
            low = (double)INFINITY;
        }
    }
    *out_summit = summit;
    return faces;
}

static void hills_have_ridges_to_windward(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        sand_land_def def = sand_land_def_default();
        def.size = 288;
        def.edges = WADI_EDGE_PERIODIC;
        def.params.direction = winds[i];
        def.sand = hill_sand;
        sand_land land;
        sand_land_open(&land, &def);
        sand_land_blow(&land, 5.0); // 250 m2 of sand past each metre
        double faces = 0.0;
        double summit = 0.0;
        int32_t lines = 0;
        for (double across = -strip; across <= strip; across += stride)
        {
            double top;
            faces += hill_faces(&land, across, 0.3, &top);
            summit += top;
            ++lines;
        }
        print_message("hill, wind from %3.0f: %.1f m high, %.2f ridges to windward on each line\n",
                      winds[i], summit / lines, faces / lines);
        sand_land_close(&land);
        assert_true(summit / lines > 12.0);
        assert_true(faces / lines >= 1.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_get_a_smooth_lee),
        cmocka_unit_test(edges_grow_one_sharp_dune),
        cmocka_unit_test(hills_have_ridges_to_windward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
