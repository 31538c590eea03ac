// SPDX-License-Identifier: MIT
// The builds of droplet_kernel.h.
#pragma once

#include "hydraulic/droplet_law.h"

droplet_kernel_fn droplet_steps_base;
droplet_kernel_fn droplet_steps_avx2;
droplet_kernel_fn droplet_steps_avx512;
