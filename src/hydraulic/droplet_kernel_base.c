// SPDX-License-Identifier: MIT
#include "hydraulic/droplet_kernels.h"

#define KERNEL_STEPS droplet_steps_base
#define KERNEL_FREEZE droplet_freeze_base
#define KERNEL_PLAN droplet_plan_base
#include "hydraulic/droplet_kernel.h"
