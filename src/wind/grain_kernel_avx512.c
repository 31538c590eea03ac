// SPDX-License-Identifier: MIT
#define GRAIN_STEPS grain_steps_avx512
#define GRAIN_CASCADE grain_cascade_avx512
#define GRAIN_FREEZE grain_freeze_avx512
#include "wind/grain_kernel.h"
