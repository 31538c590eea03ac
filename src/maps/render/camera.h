// SPDX-License-Identifier: MIT
// A pinhole camera that faces the block and frames it automatically.
#pragma once

#include "maps/render/cast.h"

typedef struct vec3
{
    float x, y, z;
} vec3;

typedef struct render_camera
{
    vec3 eye;     // [cells]
    vec3 forward; // unit vectors
    vec3 right;
    vec3 down;
    float spread;  // half the picture's width at distance 1
    float shift_x; // of the picture's middle, in halves of its width
    float shift_y;
    float near; // distances of the block's nearest and farthest corners along `forward`
    float far;
    int32_t width; // [pixels]
    int32_t height;
} render_camera;

render_camera wadi_camera_frame(const render_relief* relief, float bottom,
                                const wadi_render_params* params);

// Direction of a point of the picture [pixels], with a depth of 1.
vec3 wadi_camera_direction(const render_camera* camera, float px, float py);

// Ray through a point of the picture [pixels].
render_ray wadi_camera_ray(const render_camera* camera, float px, float py);

// Distance along a ray at which it has a depth.
float wadi_camera_distance(const render_camera* camera, const render_ray* ray, float depth);
