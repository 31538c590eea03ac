// SPDX-License-Identifier: MIT
// The parameter table of bodies of soil. What they are made of has tables of its own.
#include <wadi/body.h>

#include "core/field_rows.h"

static const char* const body_colours[] = {"auto",  "ochre",  "grey", "red",   "cream", "olive",
                                           "brown", "orange", "blue", "white", "black", NULL};

// clang-format off
static const wadi_field body_field_list[] = {
    FIELD_NUMBER(wadi_body_params, saturation, 0.0, 0.0, 1.0, "1", "share of its pores that holds water at the start", ""),
    FIELD_SWITCH(wadi_body_params, fixed, false, "its grains stay where they are, whatever pushes them", ""),
    FIELD_CHOICE(wadi_body_params, colour, WADI_GRAIN_COLOUR_AUTO, WADI_GRAIN_COLOUR_COUNT, "of its grains in pictures; auto: by its place in the list", "", body_colours),
};
// clang-format on

const wadi_field_table wadi_body_fields =
    FIELD_TABLE("soil body", body_field_list, wadi_body_params);

wadi_body_params wadi_body_params_default(void)
{
    wadi_body_params params;
    wadi_fields_init(&wadi_body_fields, &params);
    return params;
}
