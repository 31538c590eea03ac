// SPDX-License-Identifier: MIT
#define RIVERBED_BUILD riverbed_build_avx2
#include "riverbed/riverbed_kernel.h"
