// SPDX-License-Identifier: MIT
// Pictures of grains lit by sun and sky. Both use depth maps: the sky is sampled by a few faint
// suns, distributed evenly by their light on level ground.
#include "core/dmath.h"
#include "core/field_rows.h"
#include "core/internal.h"
#include "maps/render/colour.h"
#include "maps/render/grain_relief.h"
#include "maps/render/grain_view.h"
#include "maps/render/grain_water.h"

#include <math.h>

// parameters of pictures have no source in the literature
#define PICTURE_NUMBER(...) FIELD_NUMBER(wadi_grain_picture_params, __VA_ARGS__, "")
#define PICTURE_WHOLE(...) FIELD_WHOLE(wadi_grain_picture_params, __VA_ARGS__, "")

enum
{
    PICTURE_SKIES = 24,
    PICTURE_LIGHTS = 1 + PICTURE_SKIES, // the sun is the first
    PICTURE_MAP = 1024,                 // pixels of the sun's map, along a side
    PICTURE_SKY_MAP = 512,
    PICTURE_GRAIN = 8, // rows of a block
    PICTURE_TURNS = 8  // the first colours, which layers use in turn
};

// Of the light that water takes from the sun, so much is missing behind it: the rest is scattered
// on.
static const float picture_water_shade = 0.7f;

// Least thickness of a block of ground, as a share of its length.
static const double picture_block = 0.04;
// Points of ground are lifted by so many pixels of a map of light before shadows are looked up: the
// maps of the sky have pixels twice as wide as that of the sun.
static const float picture_lift = 3.0f;

static const char* const picture_shades[] = {"layer", "wetness", "speed", NULL};
static const char* const picture_waters[] = {"surface", "particles", NULL};

// clang-format off
static const wadi_field picture_field_list[] = {
    PICTURE_WHOLE(width, 1280, 16, 8192, "width of the picture in pixels"),
    PICTURE_WHOLE(height, 720, 16, 8192, "height of the picture in pixels"),
    PICTURE_WHOLE(samples, 2, 1, 4, "points per pixel along each axis: smoother edges, more time"),
    FIELD_CHOICE(wadi_grain_picture_params, shade, WADI_GRAIN_SHADE_LAYER, WADI_GRAIN_SHADE_COUNT, "property shown by the colour of a grain", "", picture_shades),
    FIELD_CHOICE(wadi_grain_picture_params, water, WADI_GRAIN_PICTURE_SURFACE, WADI_GRAIN_PICTURE_WATER_COUNT, "water as a surface, or as the particles that it is computed with; particles where the colour is speed", "", picture_waters),
    PICTURE_NUMBER(value_max, 0.0, 0.0, 1e9, "1", "wetness or speed [m/s] at the end of the ramp; 0: the largest value"),
    PICTURE_NUMBER(camera_azimuth, 210.0, -360.0, 360.0, "degree", "where the camera stands, clockwise from north"),
    PICTURE_NUMBER(camera_elevation, 28.0, 1.0, 89.0, "degree", "height of the camera above the horizon"),
    PICTURE_NUMBER(zoom, 1.0, 0.1, 100.0, "1", "1: all grains are in the picture"),
    PICTURE_NUMBER(sun_azimuth, 260.0, -360.0, 360.0, "degree", "where the light comes from, clockwise from north"),
    PICTURE_NUMBER(sun_altitude, 42.0, 1.0, 89.0, "degree", "height of the sun above the horizon"),
};
// clang-format on

const wadi_field_table wadi_grain_picture_fields =
    FIELD_TABLE("grain_picture", picture_field_list, wadi_grain_picture_params);

wadi_grain_picture_params wadi_grain_picture_params_default(void)
{
    wadi_grain_picture_params params;
    wadi_fields_init(&wadi_grain_picture_fields, &params);
    return params;
}

typedef struct grain_painting
{
    wadi_context* context;
    const wadi_grain_picture_params* params;
    const wadi_grain* grains;
    int32_t count;
    const int32_t* colours; // by material; NULL: all in turn
    grain_ball* balls;
    grain_ball* drops; // of water that is drawn as a surface; such balls have no radius
    int32_t drop_count;
    grain_water water;
    grain_water sunny; // the same water as the sun sees it
    float* values;     // of each grain, position on the ramp 0..1
    grain_relief land;
    float floor; // its height relative to the centre [m]
    rgb floor_colour;
    rgb backdrop[2]; // at the top and the bottom of the picture
    vec3 low;        // lowest corner of the box shown
    vec3 high;
    grain_view camera; // `samples` times as wide as the picture
    grain_view lights[PICTURE_LIGHTS];
    uint8_t* rgb;
} grain_painting;

// --- grains ---

static double picture_value(const wadi_grain_picture_params* params, const wadi_grain* grain)
{
    if (params->shade == WADI_GRAIN_SHADE_WETNESS)
    {
        return grain->material != WADI_GRAIN_WATER ? grain->wetness : 0.0;
    }
    const double* v = grain->velocity;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Positions on the ramp. Its end is the largest value or `value_max`.
static void picture_measure(grain_painting* p)
{
    double most = p->params->value_max;
    for (int32_t i = 0; i < p->count && p->params->value_max == 0.0; ++i)
    {
        const double value = picture_value(p->params, &p->grains[i]);
        most = value > most ? value : most;
    }
    for (int32_t i = 0; i < p->count; ++i)
    {
        p->values[i] =
            most > 0.0 ? clamp01((float)(picture_value(p->params, &p->grains[i]) / most)) : 0.0f;
    }
}

// The box around all grains.
static void picture_box(const grain_painting* p, double low[3], double high[3])
{
    for (int a = 0; a < 3; ++a)
    {
        low[a] = (double)INFINITY;
        high[a] = -(double)INFINITY;
        for (int32_t i = 0; i < p->count; ++i)
        {
            const double x = p->grains[i].position[a];
            const double r = p->grains[i].radius;
            low[a] = x - r < low[a] ? x - r : low[a];
            high[a] = x + r > high[a] ? x + r : high[a];
        }
    }
}

static bool picture_is_surface(const grain_painting* p, int32_t grain)
{
    return p->grains[grain].material == WADI_GRAIN_WATER &&
           p->params->water == WADI_GRAIN_PICTURE_SURFACE &&
           p->params->shade != WADI_GRAIN_SHADE_SPEED;
}

// Ground is a block on the floor.
static void picture_lay_land(grain_painting* p, const double middle[3])
{
    const wadi_grain_ground* ground = p->land.ground;
    for (int a = 0; a < 3; ++a)
    {
        p->land.middle[a] = middle[a];
    }
    if (ground != NULL)
    {
        const int32_t cells = ground->width > ground->height ? ground->width : ground->height;
        const double thick = picture_block * ground->cell_size * cells;
        p->floor = fminf(p->floor, (float)(p->land.lowest - thick - middle[2]));
        p->land.floor = p->floor;
    }
}

// Balls as floats relative to the centre of the box shown.
static void picture_place(grain_painting* p, const double* low, const double* high)
{
    double box[2][3];
    picture_box(p, box[0], box[1]);
    const double lowest = box[0][2];
    const double* from = low != NULL ? low : box[0];
    const double* to = high != NULL ? high : box[1];
    double middle[3];
    for (int a = 0; a < 3; ++a)
    {
        middle[a] = 0.5 * (from[a] + to[a]);
    }
    p->low = (vec3){(float)(from[0] - middle[0]), (float)(from[1] - middle[1]),
                    (float)(from[2] - middle[2])};
    p->high = (vec3){-p->low.x, -p->low.y, -p->low.z};
    p->floor = (float)((low != NULL && low[2] < lowest ? low[2] : lowest) - middle[2]);
    picture_lay_land(p, middle);
    for (int32_t i = 0; i < p->count; ++i)
    {
        const double* at = p->grains[i].position;
        p->balls[i] = (grain_ball){
            {(float)(at[0] - middle[0]), (float)(at[1] - middle[1]), (float)(at[2] - middle[2])},
            (float)p->grains[i].radius};
        if (picture_is_surface(p, i))
        {
            p->drops[p->drop_count++] = p->balls[i];
            p->balls[i].radius = 0.0f;
        }
    }
}

// --- light ---

// Direction of a sample of the sky: a spiral with points evenly spaced in the squared cosine of
// height, like light on level ground.
static void picture_sky_direction(int32_t i, double* azimuth, double* elevation)
{
    const double share = ((double)i + 0.5) / PICTURE_SKIES;
    *elevation = 57.29577951308232 * wadi_atan2(sqrt(share), sqrt(1.0 - share));
    *azimuth = 137.50776405003785 * i;
}

static wadi_result picture_light(grain_painting* p, int32_t light)
{
    const int32_t size = light == 0 ? PICTURE_MAP : PICTURE_SKY_MAP;
    double azimuth = p->params->sun_azimuth;
    double elevation = p->params->sun_altitude;
    if (light > 0)
    {
        picture_sky_direction(light - 1, &azimuth, &elevation);
    }
    grain_view* view = &p->lights[light];
    *view = wadi_grain_view_from(azimuth, elevation, size, size);
    wadi_grain_view_fit(view, p->low, p->high, 0.98f);
    WADI_ALLOC(p->context, view->depth, (size_t)size * (size_t)size, "a picture");
    wadi_grain_view_draw(p->context, view, p->balls, p->count);
    wadi_grain_relief_draw(p->context, &p->land, view);
    return WADI_OK;
}

// Visibility of a point from a light, 0 to 1, over the four pixels around it.
static float picture_seen(const grain_view* light, vec3 point)
{
    const vec3 at = grain_view_project(light, point);
    const float x = at.x - 0.5f;
    const float y = at.y - 0.5f;
    if (!(x >= 0.0f && y >= 0.0f && x < (float)(light->width - 1) &&
          y < (float)(light->height - 1)))
    {
        return 1.0f;
    }
    const int32_t ix = (int32_t)x;
    const int32_t iy = (int32_t)y;
    const float* d = &light->depth[(ptrdiff_t)iy * light->width + ix];
    // tolerance: depths within a pixel of the map differ by its width, and more on steep sides
    const float far = at.z - 2.0f / light->scale;
    const float fx = x - (float)ix;
    const float fy = y - (float)iy;
    const float top = (d[0] >= far ? 1.0f - fx : 0.0f) + (d[1] >= far ? fx : 0.0f);
    const float below =
        (d[light->width] >= far ? 1.0f - fx : 0.0f) + (d[light->width + 1] >= far ? fx : 0.0f);
    return top * (1.0f - fy) + below * fy;
}

// Share of light that so much water lets through [m]. Light goes ten radii deep, red the least: the
// bodies in such pictures are some ten particles thick, and clear water would not show.
static rgb picture_passes(const grain_painting* p, float thick)
{
    const float u = thick / (10.0f * p->water.radius);
    const rgb once = {1.0f / (1.0f + 3.0f * u), 1.0f / (1.0f + 1.2f * u), 1.0f / (1.0f + 0.7f * u)};
    return rgb_times(once, once);
}

// Share of the sun that reaches a point through the water before it: the shadow of water is blue.
static rgb picture_shade_of_water(const grain_painting* p, vec3 point)
{
    const vec3 at = grain_view_project(&p->lights[0], point);
    grain_water_hit hit;
    if (p->drop_count == 0 || !wadi_grain_water_at(&p->sunny, &p->lights[0], at.x, at.y, &hit) ||
        hit.depth >= at.z)
    {
        return (rgb){1.0f, 1.0f, 1.0f};
    }
    const rgb passes = picture_passes(p, fminf(hit.thick, at.z - hit.depth));
    return rgb_mix((rgb){1.0f, 1.0f, 1.0f}, passes, picture_water_shade);
}

// Light on a surface.
static rgb picture_lit(const grain_painting* p, vec3 point, vec3 normal, bool is_water)
{
    const vec3 off = vec3_add(point, normal, 1.0f / p->lights[0].scale);
    const float facing = -vec3_dot(normal, p->lights[0].forward);
    const float sun = facing > 0.0f ? facing * picture_seen(&p->lights[0], off) : 0.0f;
    float sky = 0.0f;
    for (int32_t i = 1; i < PICTURE_LIGHTS; ++i)
    {
        const float cosine = -vec3_dot(normal, p->lights[i].forward);
        const float rise = -p->lights[i].forward.z;
        sky += cosine > 0.0f ? cosine / rise * picture_seen(&p->lights[i], off) : 0.0f;
    }
    const rgb direct = rgb_scale((rgb){1.0f, 0.94f, 0.84f}, 0.95f * sun);
    const rgb wet =
        is_water || sun == 0.0f ? direct : rgb_times(direct, picture_shade_of_water(p, off));
    const rgb diffuse = rgb_scale((rgb){0.78f, 0.88f, 1.0f}, 0.55f * sky / PICTURE_SKIES);
    return rgb_add(rgb_add(wet, diffuse), (rgb){0.03f, 0.03f, 0.03f});
}

// --- colours ---

static rgb picture_layer(const grain_painting* p, int32_t material)
{
    static const uint32_t colours[WADI_GRAIN_COLOUR_COUNT] = {
        [WADI_GRAIN_COLOUR_OCHRE] = 0xC9A26A,  [WADI_GRAIN_COLOUR_GREY] = 0x8C8F94,
        [WADI_GRAIN_COLOUR_RED] = 0xA9563C,    [WADI_GRAIN_COLOUR_CREAM] = 0xD9CFB4,
        [WADI_GRAIN_COLOUR_OLIVE] = 0x6E7B52,  [WADI_GRAIN_COLOUR_BROWN] = 0x5E5148,
        [WADI_GRAIN_COLOUR_ORANGE] = 0xC47F5A, [WADI_GRAIN_COLOUR_BLUE] = 0x93A8B5,
        [WADI_GRAIN_COLOUR_WHITE] = 0xF2F0EA,  [WADI_GRAIN_COLOUR_BLACK] = 0x2A2A2C};
    const int32_t given = p->colours != NULL ? p->colours[material] : WADI_GRAIN_COLOUR_AUTO;
    const int32_t turn = WADI_GRAIN_COLOUR_OCHRE + material % PICTURE_TURNS;
    return wadi_rgb_of_hex(colours[given != WADI_GRAIN_COLOUR_AUTO ? given : turn]);
}

static rgb picture_colour(const grain_painting* p, int32_t grain)
{
    const float value = p->values[grain];
    const bool is_water = p->grains[grain].material == WADI_GRAIN_WATER;
    if (is_water && p->params->shade != WADI_GRAIN_SHADE_SPEED)
    {
        return wadi_rgb_of_hex(0x5B8FBF);
    }
    switch (p->params->shade)
    {
    case WADI_GRAIN_SHADE_WETNESS:
        return wadi_rgb_ramp(WADI_RENDER_RAMP_FLOW, value);
    case WADI_GRAIN_SHADE_SPEED:
        return wadi_rgb_ramp(WADI_RENDER_RAMP_HEAT, value);
    default:
        return picture_layer(p, p->grains[grain].material);
    }
}

static rgb picture_backdrop(const grain_painting* p, float share)
{
    return rgb_mix(p->backdrop[0], p->backdrop[1], share);
}

static float picture_floor_depth(const grain_painting* p, float px, float py)
{
    return (p->floor - grain_view_point(&p->camera, px, py, 0.0f).z) / p->camera.forward.z;
}

// The floor, which fades into the backdrop away from the grains.
static rgb picture_floor(const grain_painting* p, float px, float py)
{
    const grain_view* c = &p->camera;
    const vec3 at = grain_view_point(c, px, py, picture_floor_depth(p, px, py));
    const rgb paint =
        rgb_times(p->floor_colour, picture_lit(p, at, (vec3){0.0f, 0.0f, 1.0f}, false));
    const float wide = p->high.x > p->high.y ? p->high.x : p->high.y;
    const float away = sqrtf(at.x * at.x + at.y * at.y) / wide;
    return rgb_mix(paint, picture_backdrop(p, py / (float)c->height), smooth(1.2f, 3.0f, away));
}

// Ground in a colour of its own, and the sides of its block, which are cut.
static rgb picture_ground(const grain_painting* p, vec3 at, bool side)
{
    const vec3 normal = wadi_grain_relief_normal(&p->land, at, side);
    const vec3 off = vec3_add(at, normal, picture_lift / p->lights[0].scale);
    const rgb paint = wadi_rgb_of_hex(side ? 0x8F8474 : 0xB8AB92);
    return rgb_times(paint, picture_lit(p, off, normal, false));
}

static rgb picture_solid(const grain_painting* p, int32_t x, int32_t y)
{
    const grain_view* c = &p->camera;
    const ptrdiff_t i = (ptrdiff_t)y * c->width + x;
    const float px = (float)x + 0.5f;
    const float py = (float)y + 0.5f;
    const int32_t number = c->ball[i];
    if (number == -1)
    {
        return picture_floor(p, px, py);
    }
    const vec3 at = grain_view_point(c, px, py, c->depth[i]);
    if (number < 0)
    {
        return picture_ground(p, at, number == GRAIN_LAND_SIDE);
    }
    const grain_ball* ball = &p->balls[number];
    const vec3 out = vec3_add(at, ball->middle, -1.0f);
    const vec3 normal = vec3_add((vec3){0.0f, 0.0f, 0.0f}, out, 1.0f / ball->radius);
    return rgb_times(picture_colour(p, number), picture_lit(p, at, normal, false));
}

// Light of the sun that a surface mirrors to the camera, and of the sky at low angles (Schlick
// 1994).
static rgb picture_mirror(const grain_painting* p, const grain_water_hit* hit, float py, rgb below)
{
    const vec3 half = vec3_add(p->camera.forward, p->lights[0].forward, 1.0f);
    const float size = sqrtf(vec3_dot(half, half));
    float glint = size > 0.0f ? clamp01(-vec3_dot(hit->normal, half) / size) : 0.0f;
    for (int k = 0; k < 6; ++k)
    {
        glint *= glint;
    }
    const float low = 1.0f - clamp01(-vec3_dot(hit->normal, p->camera.forward));
    const float share = 0.02f + 0.6f * low * low * low * low * low;
    const rgb sky = picture_backdrop(p, py / (float)p->camera.height);
    const rgb sun = rgb_scale((rgb){1.0f, 0.96f, 0.9f}, 0.5f * glint * hit->mirrors);
    return rgb_add(rgb_mix(below, sky, share * hit->mirrors), sun);
}

// What lies behind water, through as much of it as is in front.
static rgb picture_through(const grain_painting* p, const grain_water_hit* hit, float thick,
                           vec3 at, rgb behind)
{
    const rgb passes = picture_passes(p, thick);
    const rgb light = picture_lit(p, at, hit->normal, true);
    const rgb deep = rgb_times(wadi_rgb_of_hex(0x3E7FA8), light);
    return rgb_add(rgb_times(behind, passes), rgb_scale(deep, 1.0f - passes.g));
}

static rgb picture_sample(const grain_painting* p, int32_t x, int32_t y)
{
    const rgb behind = picture_solid(p, x, y);
    const float px = (float)x + 0.5f;
    const float py = (float)y + 0.5f;
    const float solid = p->camera.depth[(ptrdiff_t)y * p->camera.width + x];
    grain_water_hit hit;
    if (p->drop_count == 0 || !wadi_grain_water_at(&p->water, &p->camera, px, py, &hit) ||
        hit.depth >= solid)
    {
        return behind;
    }
    const float room = fminf(solid, picture_floor_depth(p, px, py)) - hit.depth;
    const float thick = fmaxf(fminf(hit.thick, room), 0.0f);
    const vec3 at = grain_view_point(&p->camera, px, py, hit.depth);
    return picture_mirror(p, &hit, py, picture_through(p, &hit, thick, at, behind));
}

static void picture_rows(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const grain_painting* p = data;
    const int32_t n = p->params->samples;
    const float share = 1.0f / (float)(n * n);
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < p->params->width; ++x)
        {
            rgb sum = {0.0f, 0.0f, 0.0f};
            for (int32_t i = 0; i < n * n; ++i)
            {
                sum = rgb_add(sum, rgb_tone(picture_sample(p, x * n + i % n, y * n + i / n)));
            }
            const ptrdiff_t pixel = (ptrdiff_t)y * p->params->width + x;
            const rgb mean = rgb_scale(sum, share);
            wadi_rgb_encode(&mean, (uint32_t)pixel, 1, p->rgb + 3 * pixel);
        }
    }
}

// --- the picture ---

static wadi_result picture_camera(grain_painting* p)
{
    const int32_t n = p->params->samples;
    p->camera = wadi_grain_view_from(p->params->camera_azimuth, p->params->camera_elevation,
                                     p->params->width * n, p->params->height * n);
    wadi_grain_view_fit(&p->camera, p->low, p->high, 0.86f * (float)p->params->zoom);
    const size_t points = (size_t)p->camera.width * (size_t)p->camera.height;
    WADI_ALLOC(p->context, p->camera.depth, points, "a picture");
    WADI_ALLOC(p->context, p->camera.ball, points, "a picture");
    wadi_grain_view_draw(p->context, &p->camera, p->balls, p->count);
    wadi_grain_relief_draw(p->context, &p->land, &p->camera);
    return WADI_OK;
}

static wadi_result picture_paint(grain_painting* p, const wadi_grain_ground* ground,
                                 const double* low, const double* high)
{
    WADI_TRY(wadi_grain_relief_open(p->context, ground, &p->land));
    WADI_ALLOC(p->context, p->balls, p->count, "a picture");
    WADI_ALLOC(p->context, p->drops, p->count, "a picture");
    WADI_ALLOC(p->context, p->values, p->count, "a picture");
    picture_place(p, low, high);
    picture_measure(p);
    WADI_TRY(picture_camera(p));
    if (p->drop_count > 0)
    {
        WADI_TRY(wadi_grain_water_find(p->context, &p->camera, p->drops, p->drop_count, &p->water));
    }
    for (int32_t light = 0; light < PICTURE_LIGHTS; ++light)
    {
        WADI_TRY(picture_light(p, light));
    }
    if (p->drop_count > 0)
    {
        WADI_TRY(
            wadi_grain_water_find(p->context, &p->lights[0], p->drops, p->drop_count, &p->sunny));
    }
    wadi_parallel_rows(p->context, p->params->height, PICTURE_GRAIN, picture_rows, p);
    return WADI_OK;
}

static void picture_clear(grain_painting* p)
{
    for (int32_t light = 0; light < PICTURE_LIGHTS; ++light)
    {
        wadi_free(p->context, p->lights[light].depth);
    }
    wadi_grain_water_free(p->context, &p->water);
    wadi_grain_water_free(p->context, &p->sunny);
    wadi_grain_relief_close(p->context, &p->land);
    wadi_free(p->context, p->camera.depth);
    wadi_free(p->context, p->camera.ball);
    wadi_free(p->context, p->values);
    wadi_free(p->context, p->drops);
    wadi_free(p->context, p->balls);
}

static wadi_result picture_check_ground(wadi_context* context, const wadi_grain_ground* ground)
{
    WADI_CHECK(context, ground->heights != NULL, WADI_ERROR_ARGUMENT,
               "ground of a picture has no heights");
    WADI_CHECK(context,
               ground->width > 0 && ground->height > 0 && ground->cell_size > 0.0 &&
                   isfinite(ground->cell_size) && isfinite(ground->west) && isfinite(ground->south),
               WADI_ERROR_RANGE,
               "ground of a picture has %d x %d cells of %g m; expected at least one cell, wider "
               "than 0",
               ground->width, ground->height, ground->cell_size);
    return WADI_OK;
}

wadi_result wadi_grain_picture(wadi_context* context, const wadi_grain* grains, int32_t count,
                               const int32_t* colours, const double* low, const double* high,
                               const wadi_grain_picture_params* params, uint8_t* out)
{
    return wadi_grain_picture_on_ground(context, NULL, grains, count, colours, low, high, params,
                                        out);
}

wadi_result wadi_grain_picture_on_ground(wadi_context* context, const wadi_grain_ground* ground,
                                         const wadi_grain* grains, int32_t count,
                                         const int32_t* colours, const double* low,
                                         const double* high,
                                         const wadi_grain_picture_params* params, uint8_t* out)
{
    WADI_CHECK(context,
               grains != NULL && params != NULL && out != NULL &&
                   (count > 0 || (count == 0 && low != NULL)),
               WADI_ERROR_ARGUMENT,
               "a picture needs a grain or a box, parameters and an array to fill");
    WADI_TRY(wadi_fields_check(context, &wadi_grain_picture_fields, params));
    WADI_CHECK(context, (low == NULL) == (high == NULL), WADI_ERROR_ARGUMENT,
               "the box to show needs both corners; got one");
    for (int a = 0; a < 3 && low != NULL; ++a)
    {
        WADI_CHECK(context, low[a] < high[a], WADI_ERROR_RANGE,
                   "the box to show goes from %g to %g m along axis %d; give its low corner first",
                   low[a], high[a], a + 1);
    }
    if (ground != NULL)
    {
        WADI_TRY(picture_check_ground(context, ground));
    }
    grain_painting painting = {.context = context,
                               .params = params,
                               .grains = grains,
                               .count = count,
                               // decoded once: a power for each channel of each pixel took a
                               // quarter of the time of a picture
                               .floor_colour = wadi_rgb_of_hex(0xD4D0C8),
                               .backdrop = {wadi_rgb_of_hex(0xC9D3DB), wadi_rgb_of_hex(0xEDEFF0)},
                               .colours = colours,
                               .rgb = out};
    const wadi_result result = picture_paint(&painting, ground, low, high);
    picture_clear(&painting);
    return result;
}
