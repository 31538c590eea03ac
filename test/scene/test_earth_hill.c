// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 14
// A hill of three layers (Fig. 13), with fewer grains than its scene has: it stands without rain,
// and in rain slides along the top of its tight layer, leaves a scarp, and carries a block of soil
// down.
#include "scene/earth_scene.h"

enum
{
    HILL_SOIL = 0,
    HILL_MARKS = 1,
    HILL_SERIES = 3, // of the scene: each leaves its frames
    HILL_LEVELS = 16,
    HILL_COLUMNS = 64
};

static const double FRAME_MINUTES = 10.0;
static const double HILL_DEEP = 1.0; // soil over the tight layer [m]
static const double HILL_LONG = 12.0;

static bool is_soil(const wadi_grain* grain)
{
    return grain->material == HILL_SOIL || grain->material == HILL_MARKS;
}

static double width_of(const earth_scene* e)
{
    double most = 0.0;
    for (int32_t i = 0; i < e->count; ++i)
    {
        most = e->grains[i].radius > most ? e->grains[i].radius : most;
    }
    return 2.0 * most;
}

// Distance a grain has moved [m], without the periodic y, along which no force acts.
static double way_of(const earth_scene* e, int32_t i)
{
    const double* a = e->before[i].position;
    const double* b = e->grains[i].position;
    return hypot(b[0] - a[0], b[2] - a[2]);
}

// The hill of scenes/meshes/make.py: its surface, and how steep it is.
static double surface_at(double x, double* slope)
{
    const double share = x < 1.5 ? 0.0 : x > 9.5 ? 1.0 : (x - 1.5) / 8.0;
    *slope = 3.2 * 6.0 * share * (1.0 - share) / 8.0;
    return 1.4 + 3.2 * share * share * (3.0 - 2.0 * share);
}

// ---- rupture surface ----------------------------------------------------------------------------

// Height above the tight layer, at right angles to the slope.
static double height_of(const wadi_grain* grain)
{
    double slope;
    const double top = surface_at(grain->position[0], &slope) - HILL_DEEP;
    return (grain->position[2] - top) / sqrt(1.0 + slope * slope);
}

// Lowest level, in widths above the tight layer, whose mean displacement is a tenth of that of the
// highest level.
static double slip_level(const earth_scene* e)
{
    const double width = width_of(e);
    double way[HILL_LEVELS] = {0.0};
    int32_t count[HILL_LEVELS] = {0};
    for (int32_t i = 0; i < e->count; ++i)
    {
        // the middle of the slope, clay too, two widths deep and more
        const double x = e->before[i].position[0];
        const int32_t level = (int32_t)floor(2.0 * height_of(&e->before[i]) / width) + 4;
        if (!e->before[i].fixed && x > 4.0 && x < 8.0 && level >= 0 && level < HILL_LEVELS)
        {
            way[level] += way_of(e, i);
            count[level] += 1;
        }
    }
    double top = 0.0;
    for (int k = 0; k < HILL_LEVELS; ++k)
    {
        way[k] /= count[k] > 0 ? count[k] : 1;
        top = count[k] > 5 ? way[k] : top;
        print_message("  %5.2f widths above the tight layer: %d grains came %.3f m\n",
                      0.5 * (k - 4), count[k], way[k]);
    }
    int lowest = 0;
    while (lowest < HILL_LEVELS && way[lowest] < 0.1 * top)
    {
        ++lowest;
    }
    return 0.5 * (lowest - 4);
}

// ---- scarp --------------------------------------------------------------------------------------

// Highest grain by column, half a width each.
static void profile_of(const wadi_grain* grains, int32_t count, double strip, double* out)
{
    for (int32_t i = 0; i < count; ++i)
    {
        const int32_t column = (int32_t)(grains[i].position[0] / strip);
        const double top = grains[i].position[2] + grains[i].radius;
        if (column >= 0 && column < HILL_COLUMNS && top > out[column])
        {
            out[column] = top;
        }
    }
}

// Height of the step in the upper half of the slope: by how much more than the ground three widths
// uphill of it the surface has fallen [m].
static double scarp_of(const earth_scene* e)
{
    const double strip = width_of(e);
    double before[HILL_COLUMNS] = {0.0};
    double after[HILL_COLUMNS] = {0.0};
    profile_of(e->before, e->count, strip, before);
    profile_of(e->grains, e->count, strip, after);
    double most = 0.0;
    for (int32_t k = (int32_t)(0.5 * HILL_LONG / strip); (k + 4) * strip < HILL_LONG; ++k)
    {
        const double step = (before[k] - after[k]) - (before[k + 3] - after[k + 3]);
        most = step > most ? step : most;
    }
    return most;
}

// ---- slump block --------------------------------------------------------------------------------

static double distance_of(const wadi_grain* grains, int32_t i, int32_t j)
{
    const double* a = grains[i].position;
    const double* b = grains[j].position;
    double north = a[1] - b[1];
    north -= 0.9 * floor(north / 0.9 + 0.5); // period
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + north * north + (a[2] - b[2]) * (a[2] - b[2]));
}

static bool keeps(const earth_scene* e, int32_t i, int32_t j)
{
    const double before = distance_of(e->before, i, j);
    return fabs(distance_of(e->grains, i, j) - before) < 0.1 * before;
}

enum
{
    BLOCK_MOST = 256
};

// Connected grains around the first one that kept their distances from each other.
static int32_t block_around(const earth_scene* e, int32_t first, double width)
{
    int32_t block[BLOCK_MOST] = {first};
    int32_t count = 1;
    for (int32_t i = 0; i < e->count && count < BLOCK_MOST; ++i)
    {
        const bool is_near =
            is_soil(&e->before[i]) && distance_of(e->before, first, i) < 2.5 * width;
        bool is_one = is_near && i != first && way_of(e, i) > 2.0 * width;
        for (int32_t k = 0; k < count && is_one; ++k)
        {
            is_one = keeps(e, block[k], i);
        }
        if (is_one)
        {
            block[count++] = i;
        }
    }
    return count;
}

// Largest number of grains in a ball five widths across that moved together, by more than two
// widths.
static int32_t block_of(const earth_scene* e)
{
    const double width = width_of(e);
    int32_t most = 0;
    for (int32_t i = 0; i < e->count; ++i)
    {
        if (is_soil(&e->before[i]) && way_of(e, i) > 2.0 * width)
        {
            const int32_t count = block_around(e, i, width);
            most = count > most ? count : most;
        }
    }
    return most;
}

// ---- the hill -----------------------------------------------------------------------------------

static void stands_dry_and_slides_in_rain(void** state)
{
    (void)state;
    // time is accelerated 400 times: in 70 min without rain grains have more than 10 s to move
    static const char* const few[] = {"earth.most=2800", "earth.step=1e-3 s",
                                      "earth.rain_from=70 min", "earth.for=200 min", NULL};
    earth_scene e;
    earth_scene_open(&e, "earth-hill", NULL, few, 1);
    const double width = width_of(&e);
    const double dry = e.farthest[(int32_t)(70.0 / FRAME_MINUTES) * HILL_SERIES];
    const double failed = earth_scene_figure(&e, "failed");
    const double level = slip_level(&e);
    const double scarp = scarp_of(&e);
    const int32_t block = block_of(&e);
    print_message("%d grains; dry: farthest %.3f m of %.3f m after 70 min; rain: fails after "
                  "%.0f s, %.1f s of motion; slips %.2f widths above the tight layer; scarp %.2f "
                  "m, %.1f widths; a block of %d grains\n",
                  e.count, dry, width, failed, earth_scene_figure(&e, "motion"), level, scarp,
                  scarp / width, block);
    assert_true(dry < width);
    assert_true(failed > 4200.0); // it rains from then on
    assert_true(fabs(level) <= 2.0);
    assert_true(scarp > width);
    assert_true(block >= 15);
    earth_scene_close(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stands_dry_and_slides_in_rain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
