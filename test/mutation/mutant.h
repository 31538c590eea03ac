// SPDX-License-Identifier: MIT
// Included before every file of the copied sources: WADI_MUTANT(key) is true for the mutant that is
// switched on.
#pragma once

#include <stdbool.h>

// `const`, so that a compiler may read it once before a loop; mutant.c sets it before main().
extern const unsigned wadi_mutant;
#define WADI_MUTANT(key) (wadi_mutant == (key))
