// SPDX-License-Identifier: MIT
#include "processes/hydraulic/streams_creep_kernel.h"
#include "processes/hydraulic/streams_rates_kernel.h"
#include "processes/hydraulic/streams_routes_kernel.h"
#include "processes/hydraulic/streams_rows_kernel.h"
#include "processes/hydraulic/streams_sweep_kernel.h"

const stream_kernels WADI_ISA_BUILD(stream_kernels) = {
    .name = "base",
    .routes = stream_routes_kernel,
    .waits = stream_waits_kernel,
    .donors = stream_donors_kernel,
    .rates = stream_rates_kernel,
    .faces = creep_faces_kernel,
    .solve = creep_solve_kernel,
    .round = creep_round_kernel,
    .bound = creep_bound_kernel,
    .base = stream_base_kernel,
    .heights = stream_heights_kernel,
    .level = stream_level_kernel,
    .spare = creep_spare_kernel,
    .flush = creep_flush_kernel,
    .count = stream_count_kernel,
    .lakes = stream_lakes_kernel,
    .codes = stream_codes_kernel,
    .steep = stream_steep_kernel,
    .apply = stream_apply_kernel,
};
