// SPDX-License-Identifier: MIT
// The plain version of streams under the parameters of the model.
#pragma once

#include "plain_streams.h"

#include <wadi/hydraulic.h>

// `height` has size x size heights [m].
static inline plain_streams plain_streams_of(const wadi_hydraulic_params* p, int32_t size,
                                             double cell, double* height)
{
    return (plain_streams){.size = size,
                           .cell = cell,
                           .height = height,
                           .years = p->max_step,
                           .rain = p->rain,
                           .erodibility = p->erodibility,
                           .exponent = p->discharge_exponent,
                           .head = p->channel_head,
                           .settling = p->settling,
                           .lake_settling = p->lake_settling,
                           .creep = p->creep,
                           .critical = p->critical_slope,
                           .floor_width = p->floor_width,
                           .state = 1};
}
