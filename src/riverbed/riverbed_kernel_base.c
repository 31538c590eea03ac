// SPDX-License-Identifier: MIT
#define RIVERBED_STAMP riverbed_stamp_base
#include "riverbed/riverbed_kernel.h"
