// SPDX-License-Identifier: MIT
// Memory that lies in a file.
#pragma once

#include <wadi/context.h>

#include <stddef.h>

// Memory that is read soon, all of it: where it is in a file (wadi_windows_def.enter) the system
// reads it in one go. Nothing elsewhere.
void wadi_expect(const wadi_context* context, const void* memory, size_t size);
