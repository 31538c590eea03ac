// SPDX-License-Identifier: MIT
/// \file body.h
/// Bodies of soil, for processes that move soil as grains: closed meshes, later ones in place of
/// earlier where both are, and what each is made of; or grains laid by somebody else.
#pragma once

#include <wadi/grain_picture.h>
#include <wadi/solid.h>
#include <wadi/wet_grains.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_body_params
{
    uint32_t cookie;   ///< Set by wadi_body_params_default(). Do not touch.
    double saturation; ///< of its pores at the start, 0..1
    bool fixed;        ///< true: its grains stay where they are
    int32_t colour;    ///< wadi_grain_colour, in pictures
} wadi_body_params;

typedef struct wadi_body
{
    wadi_mesh mesh; ///< without triangles: a material for grains that name it
    wadi_body_params params;
    wadi_wet_material material;
} wadi_body;

/// All soil of one process. Grains that are given stand in place of the meshes.
typedef struct wadi_bodies
{
    const wadi_body* bodies;
    int32_t count;            ///< 1..WADI_GRAIN_MAX_MATERIALS
    const wadi_grain* grains; ///< NULL: fill the meshes; `material` is the body
    const double* strengths;  ///< of each grain, share of its body's; NULL: 1
    int32_t grain_count;
} wadi_bodies;

WADI_API extern const wadi_field_table wadi_body_fields;
WADI_API wadi_body_params wadi_body_params_default(void);

#ifdef __cplusplus
}
#endif
