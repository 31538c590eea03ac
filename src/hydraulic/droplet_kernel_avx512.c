// SPDX-License-Identifier: MIT
#include "hydraulic/droplet_kernels.h"

#define KERNEL_STEPS droplet_steps_avx512
#define KERNEL_FREEZE droplet_freeze_avx512
#define KERNEL_PLAN droplet_plan_avx512
#include "hydraulic/droplet_kernel.h"
