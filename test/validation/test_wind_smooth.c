// SPDX-License-Identifier: MIT
// labels: slow
// Dunes of the default wind are smooth where parcels are few: windward sides without relief shorter
// than 10 m, brinks without teeth; and slip faces are resolved on cells of 1 m.
#include "support/sand_run.h"

enum
{
    SEEDS = 2,
    REACH = 3, // cells around a windward cell that must be windward too
    MEAN = 5   // cells: 10 m
};

static const double mature = 10.0; // [yr]
static const double face = 0.42;   // slope of a slip face, from 23 degrees

typedef struct field
{
    double* level; // [m]
    int32_t size;
    double cell; // [m]
} field;

static double at(const field* f, int32_t x, int32_t y)
{
    const int32_t n = f->size;
    return f->level[(y % n + n) % n * n + (x % n + n) % n];
}

static field field_of(sand_run* run)
{
    return (field){dunes_levels(run->terrain), wadi_terrain_width(run->terrain),
                   wadi_terrain_cell_size(run->terrain)};
}

// ---- windward sides -----------------------------------------------------------------------------

static double mean_around(const field* f, int32_t x, int32_t y)
{
    double sum = 0.0;
    for (int32_t j = -MEAN / 2; j <= MEAN / 2; ++j)
    {
        for (int32_t i = -MEAN / 2; i <= MEAN / 2; ++i)
        {
            sum += at(f, x + i, y + j);
        }
    }
    return sum / (MEAN * MEAN);
}

// Does the mean ground rise by 2 to 20 % to the east at this cell?
static bool* windward_cells(const field* f)
{
    const int32_t n = f->size;
    bool* found = test_calloc((size_t)n * (size_t)n, sizeof *found);
    for (int32_t i = 0; i < n * n; ++i)
    {
        const int32_t x = i % n;
        const int32_t y = i / n;
        const double rise = (mean_around(f, x + 1, y) - mean_around(f, x - 1, y)) / (2.0 * f->cell);
        found[i] = rise > 0.02 && rise < 0.2;
    }
    return found;
}

static bool is_inside(const bool* found, int32_t n, int32_t x, int32_t y)
{
    for (int32_t j = y - REACH; j <= y + REACH; ++j)
    {
        for (int32_t i = x - REACH; i <= x + REACH; ++i)
        {
            if (!found[(j + n) % n * n + (i + n) % n])
            {
                return false;
            }
        }
    }
    return true;
}

// Deviation of windward cells from the mean of 10 m across the wind, which is free of the form of
// the dune [m, rms].
static double short_relief(const field* f)
{
    const int32_t n = f->size;
    bool* found = windward_cells(f);
    double squares = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < n * n; ++i)
    {
        const int32_t x = i % n;
        const int32_t y = i / n;
        if (is_inside(found, n, x, y))
        {
            double mean = 0.0;
            for (int32_t k = -MEAN / 2; k <= MEAN / 2; ++k)
            {
                mean += at(f, x, y + k) / MEAN;
            }
            squares += (at(f, x, y) - mean) * (at(f, x, y) - mean);
            ++count;
        }
    }
    test_free(found);
    assert_true(count > n * n / 10);
    return sqrt(squares / count);
}

// ---- brinks -------------------------------------------------------------------------------------

static double drop(const field* f, int32_t x, int32_t y)
{
    return fmax(at(f, x, y) - at(f, x + 1, y), 0.0);
}

// Is the steepest drop of a slip face here?
static bool is_brink(const field* f, int32_t x, int32_t y)
{
    const double here = drop(f, x, y);
    return here > face * f->cell && here > drop(f, x - 1, y) && here >= drop(f, x + 1, y);
}

// Where the face around a brink lies: the mean place of its drops [cells].
static double brink_place(const field* f, int32_t x, int32_t y)
{
    double sum = 0.0;
    double weight = 0.0;
    for (int32_t i = -3; i <= 3; ++i)
    {
        sum += drop(f, x + i, y) * i;
        weight += drop(f, x + i, y);
    }
    return x + sum / weight;
}

// How far downwind the nearest brink of a row lies [cells]; false if there is none near.
static bool brink_near(const field* f, double place, int32_t y, double* ahead)
{
    *ahead = 4.0;
    for (int32_t x = (int32_t)place - 6; x <= (int32_t)place + 6; ++x)
    {
        const double there = is_brink(f, x, y) ? brink_place(f, x, y) - place : 4.0;
        *ahead = fabs(there) < fabs(*ahead) ? there : *ahead;
    }
    return fabs(*ahead) <= 3.0;
}

typedef struct brinks
{
    double bend; // second difference of the place of brinks from row to row [m, rms]
    double torn; // share of brink cells without a brink in the next row
} brinks;

static brinks brinks_of(const field* f)
{
    double squares = 0.0;
    int32_t whole = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < f->size * f->size; ++i)
    {
        const int32_t x = i % f->size;
        const int32_t y = i / f->size;
        if (!is_brink(f, x, y))
        {
            continue;
        }
        const double place = brink_place(f, x, y);
        double north;
        double south;
        ++count;
        if (brink_near(f, place, y - 1, &north) && brink_near(f, place, y + 1, &south))
        {
            squares += (north + south) * (north + south);
            ++whole;
        }
    }
    assert_true(whole > f->size);
    return (brinks){f->cell * sqrt(squares / whole), 1.0 - (double)whole / count};
}

// ---- tests --------------------------------------------------------------------------------------

// 2.7 cm and 0.5 m; without spreading 8.5 cm and 1.0 m; with creep by the load of each cell
// alone 4.2 cm and 0.6 m; with four times the parcels 1.5 cm and 0.3 m.
static void windward_sides_and_brinks_are_smooth(void** state)
{
    (void)state;
    double relief = 0.0;
    double bend = 0.0;
    for (int i = 0; i < SEEDS; ++i)
    {
        sand_job job = sand_job_default();
        job.size = 192;
        job.depth = 6.0;
        job.seed = (uint64_t)i + 1;
        sand_run run;
        sand_open(&run, &job);
        sand_blow(&run, mature);
        const field f = field_of(&run);
        const brinks b = brinks_of(&f);
        print_message("seed %d: %.1f cm of short relief, brinks bend by %.2f m, %.1f %% are torn\n",
                      i + 1, 100.0 * short_relief(&f), b.bend, 100.0 * b.torn);
        relief += short_relief(&f) / SEEDS;
        bend += b.bend / SEEDS;
        assert_true(b.torn < 0.08);
        test_free(f.level);
        sand_close(&run);
    }
    assert_true(relief <= 0.03);
    assert_true(bend <= 0.6);
}

// The highest and the following lowest cell of a row from x on; returns the lowest.
static int32_t dune_foot(const field* f, int32_t x, int32_t y, int32_t* crest)
{
    int32_t i = x;
    while (i < x + f->size && at(f, i + 1, y) >= at(f, i, y))
    {
        ++i;
    }
    *crest = i;
    while (i < x + 2 * f->size && at(f, i + 1, y) < at(f, i, y))
    {
        ++i;
    }
    return i;
}

// On 1 m cells a slip face of 4 cells is 2.5 m high: 88 % of the profiles above 3 m have one.
static void slip_faces_are_resolved(void** state)
{
    (void)state;
    sand_job job = sand_job_default();
    job.size = 256;
    job.cell = 1.0;
    job.depth = 6.0;
    sand_run run;
    sand_open(&run, &job);
    sand_blow(&run, 8.0);
    const field f = field_of(&run);
    int32_t high = 0;
    int32_t wide = 0;
    for (int32_t y = 0; y < f.size; ++y)
    {
        for (int32_t x = 0; x < f.size; ++x)
        {
            int32_t crest;
            const int32_t foot = dune_foot(&f, x, y, &crest);
            int32_t cells = 0;
            for (int32_t i = crest; i < foot; ++i)
            {
                cells += drop(&f, i, y) > face * f.cell ? 1 : 0;
            }
            if (crest == x && at(&f, crest, y) - at(&f, foot, y) > 3.0)
            {
                ++high;
                wide += cells >= 4 ? 1 : 0;
            }
        }
    }
    print_message("%d of %d profiles over 3 m have slip faces of 4 cells or more\n", wide, high);
    assert_true(high > f.size / 2);
    assert_true(wide > 0.85 * high);
    test_free(f.level);
    sand_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windward_sides_and_brinks_are_smooth),
        cmocka_unit_test(slip_faces_are_resolved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
