// SPDX-License-Identifier: MIT
// All instruction sets give the same bits in the kernels of the model "alluvial".
#include "support/fixture.h"

#include "processes/hydraulic/alluvial.h"
#include "processes/hydraulic/alluvial_law.h"

#include <math.h>
#include <string.h>

enum
{
    SETS_SIZE = 40, // cells
    SETS_PADDED = SETS_SIZE + 2 * ALLUVIAL_PAD,
    SETS_PARCELS = ALLUVIAL_TEAM + 5, // the last take lanes of those that have left
    SETS_MOST = 400                   // nodes
};

// Rough ground that falls to an open edge in the east, between walls.
typedef struct sets_land
{
    alluvial_surface surfaces[SETS_PADDED * SETS_PADDED];
    alluvial_flow flows[SETS_PADDED * SETS_PADDED];
    float speeds[SETS_PADDED * SETS_PADDED];
    uint8_t kinds[SETS_PADDED * SETS_PADDED];
    float stencil[ALLUVIAL_STENCIL];
} sets_land;

static alluvial_walk sets_walk(sets_land* land)
{
    for (int32_t i = 0; i < SETS_PADDED * SETS_PADDED; ++i)
    {
        const int32_t x = i % SETS_PADDED;
        const int32_t y = i / SETS_PADDED;
        const float bed = 30.0f - 0.1f * (float)x + 0.3f * (float)(i * 37 % 11);
        land->surfaces[i] = (alluvial_surface){bed + 0.2f * (float)(i * 13 % 7), bed};
        land->flows[i] = (alluvial_flow){1.0f, 0.2f};
        land->speeds[i] = 1.5f;
        land->kinds[i] = x > 40 ? ALLUVIAL_EXIT + WADI_SIDE_EAST : 0;
        land->kinds[i] = y < 3 || y > 40 || x < 3 ? ALLUVIAL_WALL : land->kinds[i];
        land->kinds[i] |= ALLUVIAL_NEAR;
    }
    for (int32_t i = 0; i < ALLUVIAL_STENCIL; ++i)
    {
        const double angle = (i % 8 + i / 16 / 256.0) * 0.785398163397448;
        land->stencil[i] = (float)(1.15 * (i / 8 % 2 == 0 ? cos(angle) : sin(angle)));
    }
    return (alluvial_walk){.surfaces = land->surfaces,
                           .flows = land->flows,
                           .speeds = land->speeds,
                           .kinds = land->kinds,
                           .stencil = land->stencil,
                           .stride = SETS_PADDED,
                           .width = SETS_SIZE,
                           .height = SETS_SIZE,
                           .depth_power = 1.7f,
                           .focus = 2,
                           .noise = 0.03f,
                           .gather = 1.2f};
}

static alluvial_way sets_way(int32_t i, alluvial_node* nodes)
{
    return (alluvial_way){
        .x = 4.3f, .y = 14.1f + 0.6f * (float)i, .key = 99 + (uint64_t)i, .nodes = nodes};
}

// Each cell counts the parcels that walk through it.
static void sets_count(int32_t* visits, const alluvial_way* ways)
{
    for (int32_t i = 0; i < SETS_PARCELS; ++i)
    {
        const int32_t last = ways[i].end == ALLUVIAL_WALK ? 0 : 1;
        for (int32_t k = 0; k < ways[i].count - last; ++k)
        {
            visits[ways[i].nodes[k].cell] -= 1;
        }
    }
    for (int32_t c = 0; c < SETS_SIZE * SETS_SIZE; ++c)
    {
        assert_int_equal(visits[c] & (ALLUVIAL_TOUCHED - 1), 0);
    }
}

// All instruction sets lead parcels the same way, in a team or alone.
static void instruction_sets_walk_alike(void** state)
{
    (void)state;
    static alluvial_node nodes[WADI_ISA_COUNT][SETS_PARCELS][SETS_MOST];
    static sets_land land;
    const alluvial_walk walk = sets_walk(&land);
    alluvial_way first[SETS_PARCELS];
    for (int isa = 0; isa < WADI_ISA_COUNT; ++isa)
    {
        static int32_t visits[SETS_SIZE * SETS_SIZE];
        memset(visits, 0, sizeof visits);
        alluvial_way ways[SETS_PARCELS];
        for (int32_t i = 0; i < SETS_PARCELS; ++i)
        {
            ways[i] = sets_way(i, nodes[isa][i]);
        }
        if (!wadi_isa_runs((wadi_isa)isa))
        {
            continue;
        }
        alluvial_kernels_of((wadi_isa)isa)->walk(&walk, ways, SETS_PARCELS, SETS_MOST, visits);
        sets_count(visits, ways);
        for (int32_t i = 0; i < SETS_PARCELS; ++i)
        {
            first[i] = isa == 0 ? ways[i] : first[i];
            assert_int_equal(ways[i].count, first[i].count);
            assert_memory_equal(ways[i].nodes, first[i].nodes,
                                (size_t)first[i].count * sizeof *first[i].nodes);
        }
    }
    for (int32_t i = 0; i < SETS_PARCELS; ++i)
    {
        static int32_t visits[SETS_SIZE * SETS_SIZE];
        alluvial_way alone = sets_way(i, nodes[1][0]);
        alluvial_kernels_of((wadi_isa)0)->walk(&walk, &alone, 1, SETS_MOST, visits);
        assert_int_equal(alone.count, first[i].count);
        assert_memory_equal(alone.nodes, first[i].nodes,
                            (size_t)first[i].count * sizeof *first[i].nodes);
    }
    assert_true(first[0].count > 20);
}

// All instruction sets find the same speeds, which are those of the laws, and none without flow.
static void instruction_sets_flow_alike(void** state)
{
    (void)state;
    enum
    {
        COUNT = 41
    };
    for (int isa = 0; isa < WADI_ISA_COUNT; ++isa)
    {
        alluvial_surface surfaces[COUNT];
        alluvial_flow flows[COUNT];
        float narrow[COUNT];
        float speed[COUNT];
        for (int32_t i = 0; i < COUNT; ++i)
        {
            const float flow = i < 16 ? 0.0f : 0.01f * (float)(i * i % 97);
            surfaces[i] = (alluvial_surface){3.0f + 0.05f * (float)(i * 7 % 23), 3.0f};
            flows[i] = (alluvial_flow){flow, -0.4f * flow};
        }
        if (!wadi_isa_runs((wadi_isa)isa))
        {
            continue;
        }
        alluvial_flow_kernels_of((wadi_isa)isa)
            ->flow(1.2f, 0.5f, surfaces, flows, COUNT, narrow, speed);
        for (int32_t i = 0; i < COUNT; ++i)
        {
            const float east = flows[i].east;
            const float south = flows[i].south;
            const float flow = sqrtf(east * east + south * south);
            assert_true(narrow[i] == alluvial_channel(flow, 1.2f, 0.5f));
            assert_true(speed[i] == alluvial_speed(narrow[i], surfaces[i].water - surfaces[i].bed));
            assert_true((speed[i] > 0.0f) == (flow > 0.0f));
        }
    }
}

// All instruction sets find the loads and levels of the laws, whatever number is in the next lane.
static void instruction_sets_carry_alike(void** state)
{
    (void)state;
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.fine_share = 0.4;
    for (int isa = 0; isa < WADI_ISA_COUNT; ++isa)
    {
        float flow[ALLUVIAL_CELLS];
        float speed[ALLUVIAL_CELLS];
        float capacity[ALLUVIAL_CELLS];
        float falls[ALLUVIAL_CELLS];
        float bed[ALLUVIAL_LEVELS];
        float level[ALLUVIAL_LEVELS];
        for (int32_t i = 0; i < ALLUVIAL_CELLS; ++i)
        {
            flow[i] = 0.3f * (float)(i * 7 % 11);
            speed[i] = 0.25f * (float)(i * 5 % 13);
        }
        for (int32_t i = 0; i < ALLUVIAL_LEVELS; ++i)
        {
            bed[i] = 2.0f;
            level[i] = 1.0f + 0.5f * (float)(i * 3 % 7); // above the bed and below
        }
        if (!wadi_isa_runs((wadi_isa)isa))
        {
            continue;
        }
        const alluvial_flow_kernels* kernels = alluvial_flow_kernels_of((wadi_isa)isa);
        kernels->carry(&params, 0.01f, flow, speed, capacity, falls);
        kernels->level(0.02f, flow, bed, level);
        for (int32_t i = 0; i < ALLUVIAL_CELLS; ++i)
        {
            assert_true(capacity[i] == alluvial_capacity(&params, flow[i], speed[i]));
            assert_true(params.fine_share == 0.0 ||
                        falls[i] == alluvial_falls(&params, 0.01f, flow[i], speed[i]));
        }
        for (int32_t i = 0; i < ALLUVIAL_LEVELS; ++i)
        {
            const float below = 1.0f + 0.5f * (float)(i * 3 % 7) - bed[i];
            assert_true(level[i] == bed[i] + alluvial_depth(0.02f * flow[i] * flow[i], below));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instruction_sets_walk_alike),
        cmocka_unit_test(instruction_sets_flow_alike),
        cmocka_unit_test(instruction_sets_carry_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
