// SPDX-License-Identifier: MIT
// The builds of droplet_kernel.h.
#pragma once

#include "hydraulic/droplet_law.h"

droplet_kernel_fn droplet_steps_base;
droplet_kernel_fn droplet_steps_avx2;
droplet_kernel_fn droplet_steps_avx512;
droplet_freeze_fn droplet_freeze_base;
droplet_plan_fn droplet_plan_base;
droplet_freeze_fn droplet_freeze_avx2;
droplet_plan_fn droplet_plan_avx2;
droplet_freeze_fn droplet_freeze_avx512;
droplet_plan_fn droplet_plan_avx512;
