// SPDX-License-Identifier: MIT
#define GRAIN_STEPS grain_steps_base
#define GRAIN_CASCADE grain_cascade_base
#define GRAIN_FREEZE grain_freeze_base
#include "wind/grain_kernel.h"
