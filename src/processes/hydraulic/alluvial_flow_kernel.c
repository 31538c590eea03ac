// SPDX-License-Identifier: MIT
// Laws of flow and load for many cells or nodes at once: unit discharge and speed of channels, load
// at equilibrium, and levels of water.
#include "processes/hydraulic/alluvial_law.h"
#include "processes/hydraulic/alluvial_walk.h"

#include <string.h>

enum
{
    FLOW_LANES = 16 // cells at a time
};

// Squares of unit discharges, and depths. False: no cell has any discharge.
static inline bool flow_read(const alluvial_surface* surfaces, const alluvial_flow* flows,
                             int32_t count, float* squares, float* depths)
{
    float most = 0.0f;
    for (int32_t i = 0; i < count; ++i)
    {
        squares[i] = flows[i].east * flows[i].east + flows[i].south * flows[i].south;
        depths[i] = surfaces[i].water - surfaces[i].bed;
        most = squares[i] > most ? squares[i] : most;
    }
    return most > 0.0f;
}

static inline void flow_find(float gather, float share, const float* squares, const float* depths,
                             float* narrow, float* speed)
{
#pragma omp simd
    for (int32_t i = 0; i < FLOW_LANES; ++i)
    {
        narrow[i] = alluvial_channel(sqrtf(squares[i]), gather, share);
        speed[i] = alluvial_speed(narrow[i], depths[i]);
    }
}

static void flow_run(float gather, float share, const alluvial_surface* surfaces,
                     const alluvial_flow* flows, int32_t count, float* narrow, float* speed)
{
    for (int32_t first = 0; first < count; first += FLOW_LANES)
    {
        _Alignas(64) float squares[FLOW_LANES] = {0.0f};
        float depths[FLOW_LANES] = {0.0f};
        float found[2][FLOW_LANES] = {{0.0f}};
        const int32_t some = count - first < FLOW_LANES ? count - first : FLOW_LANES;
        if (flow_read(surfaces + first, flows + first, some, squares, depths))
        {
            flow_find(gather, share, squares, depths, found[0], found[1]);
        }
        memcpy(narrow + first, found[0], (size_t)some * sizeof *narrow);
        memcpy(speed + first, found[1], (size_t)some * sizeof *speed);
    }
}

static void flow_carry(const wadi_hydraulic_params* params, float way, const float* flow,
                       const float* speed, float* capacity, float* falls)
{
    const wadi_hydraulic_params p = *params; // so that numbers of the law are read once
#pragma omp simd
    for (int32_t i = 0; i < ALLUVIAL_CELLS; ++i)
    {
        capacity[i] = alluvial_capacity(&p, flow[i], speed[i]);
    }
    if (p.fine_share > 0.0)
    {
#pragma omp simd
        for (int32_t i = 0; i < ALLUVIAL_CELLS; ++i)
        {
            falls[i] = alluvial_falls(&p, way, flow[i], speed[i]);
        }
    }
}

static void flow_level(float drag, const float* flow, const float* bed, float* level)
{
#pragma omp simd
    for (int32_t i = 0; i < ALLUVIAL_LEVELS; ++i)
    {
        const float push = drag * flow[i] * flow[i];
        level[i] = bed[i] + alluvial_depth(push, level[i] - bed[i]);
    }
}

const alluvial_flow_kernels WADI_ISA_BUILD(alluvial_flow_kernels) = {flow_run, flow_carry,
                                                                     flow_level};
