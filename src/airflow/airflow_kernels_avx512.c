// SPDX-License-Identifier: MIT
#include "airflow/airflow_kernel.h"

const airflow_kernels airflow_kernels_avx512 = {
    .tops = kernel_tops,
    .across = kernel_across,
    .along = kernel_along,
    .warp = kernel_warp,
    .glance = kernel_glance,
    .skyline = kernel_skyline,
    .look = kernel_look,
    .shelter = kernel_shelter,
};
