// SPDX-License-Identifier: MIT
#define RIVERBED_STAMP riverbed_stamp_avx512
#include "riverbed/riverbed_kernel.h"
