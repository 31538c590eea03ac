// SPDX-License-Identifier: MIT
#define RIVERBED_BUILD riverbed_build_base
#include "riverbed/riverbed_kernel.h"
