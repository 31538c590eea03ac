// SPDX-License-Identifier: MIT
// A locale with a decimal comma. It is generated because not every machine has one installed.
#pragma once

#include <stdbool.h>

// Switch to the locale; false if localedef(1) or its tables are missing. comma_leave() switches
// back.
bool comma_enter(void);
void comma_leave(void);
