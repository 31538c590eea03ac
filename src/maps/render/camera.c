// SPDX-License-Identifier: MIT
#include "maps/render/camera.h"

#include "core/dmath.h"

#include <math.h>

static const double camera_degree = 57.29577951308232; // of one radian

static float camera_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Centre of the block, without the parts of the map that have no ground.
static vec3 camera_centre(const render_relief* r, float bottom)
{
    return (vec3){0.5f * (r->west + r->east), 0.5f * (r->north + r->south),
                  0.5f * (r->high + bottom)};
}

// Corners of the block relative to its centre.
static void camera_corners(const render_relief* r, float bottom, vec3 out[8])
{
    const float x = 0.5f * (r->east - r->west);
    const float y = 0.5f * (r->south - r->north);
    const float z = 0.5f * (r->high - bottom);
    for (int32_t i = 0; i < 8; ++i)
    {
        out[i] = (vec3){(i & 1) != 0 ? x : -x, (i & 2) != 0 ? y : -y, (i & 4) != 0 ? z : -z};
    }
}

typedef struct camera_box
{
    float x0, x1, y0, y1; // on the picture, in halves of its width
    float near, far;
} camera_box;

static camera_box camera_project(const render_camera* c, const vec3 corners[8], float distance)
{
    camera_box box = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int32_t i = 0; i < 8; ++i)
    {
        const float depth = distance + camera_dot(corners[i], c->forward);
        const float scale = 1.0f / (fmaxf(depth, 1e-3f * distance) * c->spread);
        const float x = scale * camera_dot(corners[i], c->right);
        const float y = scale * camera_dot(corners[i], c->down);
        box.x0 = fminf(box.x0, x);
        box.x1 = fmaxf(box.x1, x);
        box.y0 = fminf(box.y0, y);
        box.y1 = fmaxf(box.y1, y);
        box.near = fminf(box.near, depth);
        box.far = fmaxf(box.far, depth);
    }
    return box;
}

// Point in the middle of the picture, from that which is there by default.
static vec3 camera_look(const render_relief* r, const wadi_render_params* params)
{
    return (vec3){((float)params->look_x - 0.5f) * (r->east - r->west),
                  (0.5f - (float)params->look_y) * (r->south - r->north), 0.0f};
}

// Distance at which the block fills 92 % of the picture in one direction and at most that in the
// other; a few rounds of scaling by the ratio come within 1e-4.
static float camera_distance(const render_camera* c, const vec3 corners[8])
{
    const float aspect = (float)c->height / (float)c->width;
    const float size = sqrtf(camera_dot(corners[7], corners[7]));
    float distance = size / c->spread;
    for (int32_t round = 0; round < 16; ++round)
    {
        const camera_box box = camera_project(c, corners, distance);
        const float fill = fmaxf(0.5f * (box.x1 - box.x0), 0.5f * (box.y1 - box.y0) / aspect);
        distance = fmaxf(distance * fill / 0.92f, 1.05f * size);
    }
    return distance;
}

// Shift the picture so that the block, or the point to look at, is in its middle.
static void camera_aim(render_camera* c, const render_relief* r, const camera_box* box, vec3 look,
                       float bottom, float distance)
{
    const vec3 plane = {0.0f, 0.0f, 0.5f * (r->low - bottom)}; // of half of the relief's height
    const vec3 there = {look.x, look.y, plane.z};
    const float depth = distance + camera_dot(plane, c->forward);
    const float depth_there = fmaxf(depth + camera_dot(look, c->forward), 1e-3f * distance);
    c->shift_x =
        0.5f * (box->x0 + box->x1) + camera_dot(there, c->right) / (depth_there * c->spread);
    c->shift_y =
        0.5f * (box->y0 + box->y1) +
        (camera_dot(there, c->down) / depth_there - camera_dot(plane, c->down) / depth) / c->spread;
}

render_camera wadi_camera_frame(const render_relief* r, float bottom,
                                const wadi_render_params* params)
{
    const double azimuth = params->camera_azimuth / camera_degree;
    const double elevation = params->camera_elevation / camera_degree;
    const double half = 0.5 * params->field_of_view / camera_degree;
    const float sa = (float)wadi_sin(azimuth);
    const float ca = (float)wadi_cos(azimuth);
    const float se = (float)wadi_sin(elevation);
    const float ce = (float)wadi_cos(elevation);
    render_camera c = {.forward = {-sa * ce, ca * ce, -se},
                       .right = {-ca, -sa, 0.0f},
                       .down = {sa * se, -ca * se, -ce},
                       .spread = (float)(wadi_sin(half) / wadi_cos(half)),
                       .width = params->width,
                       .height = params->height};
    vec3 corners[8];
    camera_corners(r, bottom, corners);
    const float distance = camera_distance(&c, corners);
    c.spread /= (float)params->zoom;
    const camera_box box = camera_project(&c, corners, distance);
    camera_aim(&c, r, &box, camera_look(r, params), bottom, distance);
    c.near = box.near;
    c.far = box.far;
    const vec3 centre = camera_centre(r, bottom);
    c.eye = (vec3){centre.x - distance * c.forward.x, centre.y - distance * c.forward.y,
                   centre.z - distance * c.forward.z};
    return c;
}

vec3 wadi_camera_direction(const render_camera* c, float px, float py)
{
    const float half = 0.5f * (float)c->width;
    const float x = c->spread * ((px - half) / half + c->shift_x);
    const float y = c->spread * ((py - 0.5f * (float)c->height) / half + c->shift_y);
    return (vec3){c->forward.x + x * c->right.x + y * c->down.x,
                  c->forward.y + x * c->right.y + y * c->down.y,
                  c->forward.z + x * c->right.z + y * c->down.z};
}

render_ray wadi_camera_ray(const render_camera* c, float px, float py)
{
    const vec3 d = wadi_camera_direction(c, px, py);
    const float scale = 1.0f / sqrtf(camera_dot(d, d));
    return (render_ray){c->eye.x, c->eye.y, c->eye.z, scale * d.x, scale * d.y, scale * d.z};
}

float wadi_camera_distance(const render_camera* c, const render_ray* ray, float depth)
{
    return depth / camera_dot(c->forward, (vec3){ray->dx, ray->dy, ray->dz});
}
