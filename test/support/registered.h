// SPDX-License-Identifier: MIT
// Processes that a program registers at run time: tests of the registry run over these too.
#pragma once

#include <wadi/process.h>

// Have every context of fixture_open() register the processes of examples/. Returns a context that
// lives until registered_close(), to count and find them.
const wadi_context* registered_open(void);
void registered_close(void);

void registered_add(wadi_context* context);
