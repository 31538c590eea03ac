// SPDX-License-Identifier: MIT
#define GRAIN_STEPS grain_steps_avx2
#define GRAIN_CASCADE grain_cascade_avx2
#define GRAIN_FREEZE grain_freeze_avx2
#include "wind/grain_kernel.h"
