// SPDX-License-Identifier: MIT
#include "airflow/airflow_kernel.h"

const airflow_kernels airflow_kernels_base = {
    kernel_across, kernel_along, kernel_warp, kernel_skyline, kernel_shelter,
};
