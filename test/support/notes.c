// SPDX-License-Identifier: MIT
#include "support/notes.h"

#include <stdio.h>

static void notes_keep(const char* line, void* user)
{
    notes* n = user;
    n->count += 1;
    (void)snprintf(n->last, sizeof n->last, "%s", line);
}

wadi_context* notes_open(notes* n)
{
    *n = (notes){0};
    wadi_context_def def = wadi_context_def_default();
    def.log = notes_keep;
    def.user = n;
    wadi_context* context = NULL;
    assert_int_equal(wadi_context_create(&def, &context), WADI_OK);
    return context;
}
