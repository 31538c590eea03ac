// SPDX-License-Identifier: MIT
// Spheres seen from far away along one direction: which of them is in front at each pixel. The
// camera has such a view, and so have the sun and every part of the sky, for shadows.
#pragma once

#include "render/camera.h"

#include <wadi/grain_picture.h>

typedef struct grain_ball
{
    vec3 middle; // from the middle of all [m]
    float radius;
} grain_ball;

typedef struct grain_view
{
    vec3 forward; // unit vectors
    vec3 right;
    vec3 down;
    vec3 middle; // what is in the middle of the picture
    float scale; // pixels per metre
    int32_t width;
    int32_t height;
    float* depth;  // along `forward` from `middle`; INFINITY: nothing there
    int32_t* ball; // which is there, -1: none; may be NULL
} grain_view;

static inline float vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec3_add(vec3 a, vec3 b, float share)
{
    return (vec3){a.x + share * b.x, a.y + share * b.y, a.z + share * b.z};
}

// Look from a direction: azimuth clockwise from north, elevation above the horizon [degree].
grain_view grain_view_from(double azimuth, double elevation, int32_t width, int32_t height);

// Fit what lies in a box around the middle of all; `fill` is the share of the picture.
void grain_view_fit(grain_view* view, vec3 low, vec3 high, float fill);

// Fill `depth` and `ball`.
void grain_view_draw(wadi_context* context, grain_view* view, const grain_ball* balls,
                     int32_t count);

// Pixel of a point, and its depth.
static inline vec3 grain_view_project(const grain_view* view, vec3 point)
{
    const vec3 p = vec3_add(point, view->middle, -1.0f);
    return (vec3){vec3_dot(p, view->right) * view->scale + 0.5f * (float)view->width,
                  vec3_dot(p, view->down) * view->scale + 0.5f * (float)view->height,
                  vec3_dot(p, view->forward)};
}

// Point at a depth behind a place of the picture [pixels].
static inline vec3 grain_view_point(const grain_view* view, float px, float py, float depth)
{
    const float x = (px - 0.5f * (float)view->width) / view->scale;
    const float y = (py - 0.5f * (float)view->height) / view->scale;
    return vec3_add(vec3_add(vec3_add(view->middle, view->right, x), view->down, y), view->forward,
                    depth);
}
