// SPDX-License-Identifier: MIT
// A context whose notes are kept.
#pragma once

#include "support/check.h"

#include <wadi/context.h>

typedef struct notes
{
    int32_t count;
    char last[400]; // "": none
} notes;

// The caller destroys the context.
wadi_context* notes_open(notes* n);
