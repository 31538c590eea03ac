// SPDX-License-Identifier: MIT
// A locale that writes 1,5 for 1.5, as most of Europe does. Made on the spot, because no machine is
// sure to have one.
#pragma once

#include <stdbool.h>

// Switch to it; false where localedef(1) or its tables are missing. comma_leave() switches back.
bool comma_enter(void);
void comma_leave(void);
