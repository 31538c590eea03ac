// SPDX-License-Identifier: MIT
// Parallel projection of spheres along one direction: the front sphere at each pixel. Used for the
// camera and, for shadows, for the sun and each sample of the sky.
#pragma once

#include "maps/render/camera.h"

#include <wadi/grain_picture.h>

typedef struct grain_ball
{
    vec3 middle; // relative to the centre of all [m]
    float radius;
} grain_ball;

typedef struct grain_view
{
    vec3 forward; // unit vectors
    vec3 right;
    vec3 down;
    vec3 middle; // point at the centre of the picture
    float scale; // pixels per metre
    int32_t width;
    int32_t height;
    float* depth;  // along `forward` from `middle`; INFINITY: no ball
    int32_t* ball; // index of the front ball, -1: none; may be NULL
} grain_view;

static inline float vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec3_add(vec3 a, vec3 b, float share)
{
    return (vec3){a.x + share * b.x, a.y + share * b.y, a.z + share * b.z};
}

// Set the direction of view: azimuth clockwise from north, elevation above the horizon [degree].
grain_view wadi_grain_view_from(double azimuth, double elevation, int32_t width, int32_t height);

// Fit a box around the centre; `fill` is the share of the picture.
void wadi_grain_view_fit(grain_view* view, vec3 low, vec3 high, float fill);

// Fill `depth` and `ball`.
void wadi_grain_view_draw(wadi_context* context, grain_view* view, const grain_ball* balls,
                          int32_t count);

// Pixel of a point, and its depth.
static inline vec3 grain_view_project(const grain_view* view, vec3 point)
{
    const vec3 p = vec3_add(point, view->middle, -1.0f);
    return (vec3){vec3_dot(p, view->right) * view->scale + 0.5f * (float)view->width,
                  vec3_dot(p, view->down) * view->scale + 0.5f * (float)view->height,
                  vec3_dot(p, view->forward)};
}

// Point at a depth behind a pixel position.
static inline vec3 grain_view_point(const grain_view* view, float px, float py, float depth)
{
    const float x = (px - 0.5f * (float)view->width) / view->scale;
    const float y = (py - 0.5f * (float)view->height) / view->scale;
    return vec3_add(vec3_add(vec3_add(view->middle, view->right, x), view->down, y), view->forward,
                    depth);
}
