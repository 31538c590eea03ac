// SPDX-License-Identifier: MIT
// Unit discharge and speed of the channels of a row of cells.
#include "processes/hydraulic/alluvial_law.h"
#include "processes/hydraulic/alluvial_walk.h"

enum
{
    FLOW_LANES = 16 // cells at a time
};

// Cells at a time, one array for each member.
typedef struct flow_lanes
{
    _Alignas(64) float flow[FLOW_LANES];
    float depth[FLOW_LANES];
    float narrow[FLOW_LANES];
    float speed[FLOW_LANES];
} flow_lanes;

// Squares of unit discharges. False: no cell has any.
static inline bool flow_read(const alluvial_place* places, int32_t count, flow_lanes* lanes)
{
    float most = 0.0f;
    for (int32_t i = 0; i < count; ++i)
    {
        const alluvial_place* place = &places[i];
        lanes->flow[i] = place->east * place->east + place->south * place->south;
        lanes->depth[i] = place->water - place->bed;
        most = lanes->flow[i] > most ? lanes->flow[i] : most;
    }
    return most > 0.0f;
}

static inline void flow_find(float gather, float share, flow_lanes* lanes)
{
#pragma omp simd
    for (int32_t i = 0; i < FLOW_LANES; ++i)
    {
        lanes->narrow[i] = alluvial_channel(sqrtf(lanes->flow[i]), gather, share);
        lanes->speed[i] = alluvial_speed(lanes->narrow[i], lanes->depth[i]);
    }
}

static void flow_run(float gather, float share, alluvial_place* places, int32_t count)
{
    for (int32_t first = 0; first < count; first += FLOW_LANES)
    {
        flow_lanes lanes = {0};
        const int32_t some = count - first < FLOW_LANES ? count - first : FLOW_LANES;
        if (flow_read(places + first, some, &lanes))
        {
            flow_find(gather, share, &lanes);
        }
        for (int32_t i = 0; i < some; ++i)
        {
            places[first + i].narrow = lanes.narrow[i];
            places[first + i].speed = lanes.speed[i];
        }
    }
}

const alluvial_flow_kernels WADI_ISA_BUILD(alluvial_flow_kernels) = {flow_run};
