// SPDX-License-Identifier: MIT
// The kernels of the frozen bed, cell by cell: what fits between a cell's neighbours, what spills,
// what is counted, and which part of a demand the ground grants.
#include "support/fixture.h"

#include "lockstep/bed_internal.h"
#include "lockstep/grant.h"

enum
{
    COUNT = 8,
    SLACK = 50 // half units
};

// Three rows of levels with a halo of one cell.
typedef struct rows
{
    int32_t north[COUNT + 2];
    int32_t own[COUNT + 2];
    int32_t south[COUNT + 2];
} rows;

// Every cell has another neighbour as its lowest and as its highest one.
static rows rows_make(void)
{
    rows r;
    for (int i = 0; i < COUNT + 2; ++i)
    {
        r.north[i] = 1000 + 40 * (i * 7 % 5);
        r.own[i] = 1000 + 30 * (i * 3 % 7);
        r.south[i] = 1000 + 20 * (i * 5 % 11);
    }
    r.south[3] = PARTICLE_MISSING;
    return r;
}

// Lowest and highest level around column x, without the cell itself and what is missing.
static void range_of(const rows* r, int x, int32_t* low, int32_t* high)
{
    const int32_t* const lines[3] = {r->north, r->own, r->south};
    *low = INT32_MAX;
    *high = INT32_MIN;
    for (int line = 0; line < 3; ++line)
    {
        for (int dx = -1; dx <= 1; ++dx)
        {
            const int32_t level = lines[line][x + 1 + dx];
            if ((line != 1 || dx != 0) && level != PARTICLE_MISSING)
            {
                *low = level < *low ? level : *low;
                *high = level > *high ? level : *high;
            }
        }
    }
}

static void a_change_stays_between_its_neighbours(void** state)
{
    (void)state;
    const rows r = rows_make();
    static const int64_t matters[] = {0, 5000, -5000, 37, -37, 120, -160};
    for (size_t m = 0; m < sizeof matters / sizeof matters[0]; ++m)
    {
        particle_cell cells[COUNT] = {{0}};
        float visits[COUNT] = {0};
        int32_t changes[COUNT];
        int32_t spills[COUNT] = {0}; // written only where matter spills
        for (int x = 0; x < COUNT; ++x)
        {
            cells[x].sum = matters[m];
        }
        const bed_plan_rows plan = {.north = r.north + 1,
                                    .own = r.own + 1,
                                    .south = r.south + 1,
                                    .cells = cells,
                                    .visits = visits,
                                    .changes = changes,
                                    .spills = spills};
        (void)bed_kernels_of(WADI_ISA_BASE)->plan(&plan, 0, COUNT, SLACK);
        for (int x = 0; x < COUNT; ++x)
        {
            int32_t low;
            int32_t high;
            range_of(&r, x, &low, &high);
            const int32_t own = r.own[x + 1];
            const int32_t up = high - own + 2 * SLACK > 0 ? high - own + 2 * SLACK : 0;
            const int32_t down = low - own - 2 * SLACK < 0 ? low - own - 2 * SLACK : 0;
            const int64_t matter = matters[m];
            const int64_t most = matter < up ? matter : up;
            const int64_t deficit = matter < down ? matter - down : 0;
            assert_int_equal(changes[x], most);
            assert_int_equal(spills[x], matter - most + deficit);
            assert_int_equal(cells[x].sum, 0);
        }
    }
}

static void changes_are_counted_as_wear_and_deposit(void** state)
{
    (void)state;
    static const int32_t changes[COUNT] = {5, -7, 0, 11, -13, 2, -1, 9};
    int32_t levels[COUNT] = {0};
    float wear[COUNT] = {0};
    float deposit[COUNT] = {0};
    const bed_change_row row = {
        .changes = changes, .count = COUNT, .levels = levels, .wear = wear, .deposit = deposit};
    assert_int_equal(bed_kernels_of(WADI_ISA_BASE)->change(&row), 48);
    for (int x = 0; x < COUNT; ++x)
    {
        assert_int_equal(levels[x], changes[x]);
        CHECK_NEAR((double)wear[x], changes[x] < 0 ? -changes[x] : 0.0, 0.0);
        CHECK_NEAR((double)deposit[x], changes[x] > 0 ? changes[x] : 0.0, 0.0);
    }
}

// All of loose matter, rock by its softness, and nothing below the lowest neighbour.
static void a_demand_is_met_by_loose_matter_then_soft_rock(void** state)
{
    (void)state;
    static const struct
    {
        int64_t demand;
        int32_t loose;
        double hardness;
        int32_t room;
        double gives;
    } cases[] = {
        {100, 300, 0.0, 1000, 100.0},   {500, 300, 0.0, 1000, 500.0}, {500, 300, 0.75, 1000, 350.0},
        {500, 300, 1.0, 1000, 300.0},   {500, 300, 0.0, 120, 120.0},  {500, 0, 0.5, 1000, 250.0},
        {2000, 300, 0.2, 1000, 1000.0}, {900, 100, 0.4, 700, 580.0},
    };
    int32_t north[COUNT + 2];
    int32_t own[COUNT + 2];
    int32_t south[COUNT + 2];
    for (int x = 0; x < COUNT; ++x)
    {
        for (int i = 0; i < COUNT + 2; ++i)
        {
            north[i] = own[i] = south[i] = 5000;
        }
        south[x] = 5000 - cases[x].room; // the corner to the south-west
        int32_t loose[COUNT];
        uint16_t hardness[COUNT];
        int32_t aside[COUNT];
        particle_cell cells[COUNT];
        uint32_t grants[COUNT];
        for (int i = 0; i < COUNT; ++i)
        {
            loose[i] = cases[x].loose;
            hardness[i] = (uint16_t)(cases[x].hardness * 65535.0 + 0.5);
            aside[i] = 7 + i;
            grants[i] = 0xFFFFFFFF; // high words: sums of 7 + i - 2^32
            cells[i] = (particle_cell){.sum = -cases[x].demand};
        }
        int32_t* const layers[1] = {loose};
        const bed_grant_row row = {.north = north + 1,
                                   .own = own + 1,
                                   .south = south + 1,
                                   .count = COUNT,
                                   .rock_softness = 1.0,
                                   .hardness = hardness,
                                   .loose = layers,
                                   .loose_count = 1,
                                   .aside = aside,
                                   .cells = cells,
                                   .grants = grants};
        bed_kernels_of(WADI_ISA_BASE)->grant(&row);
        const double taken = grant_take((int32_t)cases[x].demand, grants[x]);
        assert_true(taken <= cases[x].gives && taken > cases[x].gives - 3.0);
        assert_true((grants[x] == GRANT_ALL) == (cases[x].gives == (double)cases[x].demand));
        assert_true(cells[x].sum == 7 + x - INT64_C(0x100000000));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_stays_between_its_neighbours),
        cmocka_unit_test(changes_are_counted_as_wear_and_deposit),
        cmocka_unit_test(a_demand_is_met_by_loose_matter_then_soft_rock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
