// SPDX-License-Identifier: MIT
// The parameter table of bodies of soil. Their materials have tables of their own.
#include <wadi/body.h>

#include "core/field_rows.h"

static const char* const body_colours[] = {"auto",  "ochre",  "grey", "red",   "cream", "olive",
                                           "brown", "orange", "blue", "white", "black", NULL};

// clang-format off
static const wadi_field body_field_list[] = {
    FIELD_NUMBER(wadi_body_params, saturation, 0.0, 0.0, 1.0, "1", "initial share of the pores filled with water", ""),
    FIELD_SWITCH(wadi_body_params, fixed, false, "the grains do not move under any force", ""),
    FIELD_CHOICE(wadi_body_params, colour, WADI_GRAIN_COLOUR_AUTO, WADI_GRAIN_COLOUR_COUNT, "colour of the grains in pictures; auto: by the position of the body in the list", "", body_colours),
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
