// SPDX-License-Identifier: MIT
#define DROPLET_STEPS droplet_steps_avx512
#include "hydraulic/droplet_kernel.h"
