// SPDX-License-Identifier: MIT
#define DROPLET_STEPS droplet_steps_base
#include "hydraulic/droplet_kernel.h"
