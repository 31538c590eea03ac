// SPDX-License-Identifier: MIT
// Renders a scene in stages: resample, light, trace, encode.
#include "core/internal.h"
#include "maps/render/picture.h"
#include "maps/render/sun.h"

#include <wadi/airflow.h>

#include <math.h>

enum
{
    RENDER_GRAIN = 16 // rows of a block
};

typedef struct render_encode_job
{
    const rgb* pixels;
    uint8_t* out;
    int32_t width;
} render_encode_job;

static void render_encode_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const render_encode_job* job = user;
    const ptrdiff_t first = (ptrdiff_t)begin * job->width;
    wadi_rgb_encode(job->pixels + first, (uint32_t)first, (end - begin) * job->width,
                    job->out + 3 * first);
}

static wadi_result render_picture(const render_relief* r, const sunlight* light,
                                  const wadi_render_params* params, rgb* pixels, uint8_t* out)
{
    const bool map = params->view == WADI_RENDER_MAP;
    WADI_TRY((map ? wadi_picture_map : wadi_picture_perspective)(r, light, params, pixels));
    if (map && r->wind_east != NULL && r->wind_north != NULL)
    {
        wadi_picture_arrows(r, params, pixels);
    }
    if (r->overlay != NULL && params->overlay_place == WADI_RENDER_INSET)
    {
        WADI_TRY(wadi_picture_inset(r, params, pixels));
    }
    render_encode_job job = {pixels, out, params->width};
    wadi_parallel_rows(r->context, params->height, RENDER_GRAIN, render_encode_rows, &job);
    return WADI_OK;
}

static wadi_result render_lit(render_relief* r, const wadi_render_params* params, uint8_t* out)
{
    const sunlight light = wadi_light_of(params);
    WADI_TRY(wadi_light_relief(r, &light, params));
    rgb* pixels;
    WADI_ALLOC(r->context, pixels, (size_t)params->width * (size_t)params->height, "the picture");
    const wadi_result result = render_picture(r, &light, params, pixels, out);
    wadi_free(r->context, pixels);
    return result;
}

static wadi_result render_check(wadi_context* context, const wadi_render_scene* scene,
                                const wadi_render_params* params, const uint8_t* out)
{
    WADI_CHECK(context, scene != NULL && params != NULL && out != NULL && scene->surface != NULL,
               WADI_ERROR_ARGUMENT,
               "a picture needs a surface, parameters and an array to fill, got NULL");
    WADI_TRY(wadi_fields_check(context, &wadi_render_fields, params));
    WADI_CHECK(context, scene->width >= 2 && scene->height >= 2, WADI_ERROR_ARGUMENT,
               "a terrain of %d x %d cells has no surface; at least 2 x 2 cells are needed",
               (int)scene->width, (int)scene->height);
    const bool has_wind = scene->wind_east != NULL && scene->wind_north != NULL;
    WADI_CHECK(context, params->view == WADI_RENDER_MAP || (!has_wind && params->wind == 0.0),
               WADI_ERROR_ARGUMENT, "only a map shows the wind; give view map, or wind 0");
    WADI_CHECK(context, scene->stride >= scene->width, WADI_ERROR_ARGUMENT,
               "rows lie %lld elements apart but are %d cells wide", (long long)scene->stride,
               (int)scene->width);
    WADI_CHECK(context, scene->cell_size > 0.0 && scene->cell_size <= 1e6, WADI_ERROR_RANGE,
               "cell size is %g m but must lie in (0, 1e6]", scene->cell_size);
    return WADI_OK;
}

wadi_result wadi_render(wadi_context* context, const wadi_render_scene* scene,
                        const wadi_render_params* params, uint8_t* out)
{
    WADI_TRY(render_check(context, scene, params, out));
    wadi_render_params lit = *params;
    WADI_TRY(wadi_sun_of_hour(context, &lit));
    render_relief r;
    WADI_TRY(wadi_relief_create(context, scene, &lit, &r));
    const wadi_result result = render_lit(&r, &lit, out);
    wadi_relief_destroy(&r);
    return result;
}

// Total thickness of the loose layers, which pictures do not distinguish.
static wadi_result render_sum_loose(wadi_terrain* terrain, float* out)
{
    for (int32_t i = 0; i < wadi_terrain_loose_count(terrain); ++i)
    {
        wadi_view view;
        WADI_TRY(wadi_terrain_borrow(terrain, WADI_LAYER_LOOSE + i, &view));
        const ptrdiff_t cells = view.height * view.stride;
        for (ptrdiff_t cell = 0; cell < cells; ++cell)
        {
            out[cell] += view.data[cell];
        }
        WADI_TRY(wadi_terrain_release(terrain, WADI_LAYER_LOOSE + i));
    }
    return WADI_OK;
}

// A layer that is zero everywhere is left out: it shows nothing, and each takes 2 % of the time of
// a map of 1024 x 1024 pixels.
static const float* render_shown(const float* layer, int64_t cells)
{
    int64_t i = 0;
    while (i < cells && layer[i] == 0.0f)
    {
        i += 1;
    }
    return i < cells ? layer : NULL;
}

// Borrow the layers that a picture shows, in this order. The last is left out where several loose
// layers are summed.
static const wadi_layer render_layers[] = {WADI_LAYER_SURFACE,    WADI_LAYER_WATER,
                                           WADI_LAYER_VEGETATION, WADI_LAYER_HARDNESS,
                                           WADI_LAYER_MOISTURE,   WADI_LAYER_LOOSE};
enum
{
    RENDER_LAYERS = sizeof render_layers / sizeof render_layers[0]
};

// Maps computed for a picture, with the row stride of layers.
typedef struct render_made
{
    float* loose;     // NULL: there is one loose layer
    float* wind_east; // NULL: no wind is shown
    float* wind_north;
    float* ground; // with a sea floor where its depth is not known; NULL: there is no sea
    bool has_sea;
    double sea_level; // [m]
} render_made;

// The wind near the ground for a picture, reduced by shelter.
static wadi_result render_compute_wind(wadi_terrain* terrain, const wadi_render_params* params,
                                       float* shelter, const render_made* made)
{
    wadi_airflow_params wind = wadi_airflow_params_default();
    wind.speed = params->wind;
    wind.direction = params->wind_direction;
    wadi_wind_field* field;
    WADI_TRY(wadi_wind_field_create(terrain, &wind, &field));
    const wadi_result result = wadi_wind_field_compute(field, wadi_terrain_clock(terrain),
                                                       made->wind_east, made->wind_north, shelter);
    const int64_t cells = (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    for (int64_t i = 0; i < cells; ++i)
    {
        made->wind_east[i] *= 1.0f - shelter[i];
        made->wind_north[i] *= 1.0f - shelter[i];
    }
    wadi_wind_field_destroy(field);
    return result;
}

static wadi_result render_make_wind(wadi_terrain* terrain, const wadi_render_params* params,
                                    render_made* made)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const int64_t cells = (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    if (params->wind == 0.0)
    {
        return WADI_OK;
    }
    float* shelter;
    WADI_ALLOC(context, made->wind_east, cells, "the wind of a picture");
    WADI_ALLOC(context, made->wind_north, cells, "the wind of a picture");
    WADI_ALLOC(context, shelter, cells, "the wind of a picture");
    const wadi_result result = render_compute_wind(terrain, params, shelter, made);
    wadi_free(context, shelter);
    return result;
}

// The ground under a sea. Ground exactly at the level of the sea has an unknown depth: it is drawn
// as deep as light goes.
static wadi_result render_make_ground(wadi_terrain* terrain, const wadi_render_params* params,
                                      render_made* made)
{
    made->has_sea = wadi_terrain_sea_level(terrain, wadi_terrain_clock(terrain), &made->sea_level);
    if (!made->has_sea)
    {
        return WADI_OK;
    }
    wadi_view view;
    WADI_TRY(wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    const int64_t cells = (int64_t)view.height * view.stride;
    made->ground = wadi_alloc(wadi_terrain_context(terrain), (size_t)cells, sizeof(float));
    const float level = (float)made->sea_level;
    for (int64_t i = 0; made->ground != NULL && i < cells; ++i)
    {
        const float depth = view.data[i] == level ? 2.0f * (float)params->water_clarity : 0.0f;
        made->ground[i] = view.data[i] - depth;
    }
    WADI_TRY(wadi_terrain_release(terrain, WADI_LAYER_SURFACE));
    return made->ground != NULL ? WADI_OK
                                : wadi_fail_memory(wadi_terrain_context(terrain),
                                                   (size_t)cells * sizeof(float), "a picture");
}

static wadi_result render_layers_with(wadi_terrain* terrain, const render_made* made,
                                      const float* overlay, const wadi_render_params* params,
                                      uint8_t* out)
{
    wadi_view views[RENDER_LAYERS];
    int32_t borrowed = 0;
    wadi_result result = WADI_OK;
    const int32_t count = made->loose != NULL ? RENDER_LAYERS - 1 : RENDER_LAYERS;
    while (borrowed < count && result == WADI_OK)
    {
        result = wadi_terrain_borrow(terrain, render_layers[borrowed], &views[borrowed]);
        borrowed += result == WADI_OK ? 1 : 0;
    }
    if (result == WADI_OK)
    {
        const int64_t cells = (int64_t)views[0].height * views[0].stride;
        const wadi_render_scene scene = {
            .width = views[0].width,
            .height = views[0].height,
            .stride = views[0].stride,
            .cell_size = wadi_terrain_cell_size(terrain),
            .surface = made->ground != NULL ? made->ground : views[0].data,
            .water = render_shown(views[1].data, cells),
            .sediment = render_shown(made->loose != NULL ? made->loose : views[5].data, cells),
            .vegetation = render_shown(views[2].data, cells),
            .overlay = overlay,
            .wind_east = made->wind_east,
            .wind_north = made->wind_north,
            .has_sea = made->has_sea,
            .sea_level = made->sea_level,
            .hardness = render_shown(views[3].data, cells),
            .moisture = render_shown(views[4].data, cells)};
        result = wadi_render(wadi_terrain_context(terrain), &scene, params, out);
    }
    for (int32_t i = 0; i < borrowed; ++i)
    {
        wadi_terrain_release(terrain, render_layers[i]);
    }
    return result;
}

static wadi_result render_make(wadi_terrain* terrain, const float* overlay,
                               const wadi_render_params* params, render_made* made, uint8_t* out)
{
    const int64_t cells = (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    if (wadi_terrain_loose_count(terrain) > 1)
    {
        WADI_ALLOC(wadi_terrain_context(terrain), made->loose, cells, "a picture");
        WADI_TRY(render_sum_loose(terrain, made->loose));
    }
    WADI_TRY(render_make_wind(terrain, params, made));
    WADI_TRY(render_make_ground(terrain, params, made));
    return render_layers_with(terrain, made, overlay, params, out);
}

wadi_result wadi_render_terrain(wadi_terrain* terrain, const float* overlay,
                                const wadi_render_params* params, uint8_t* out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    render_made made = {0};
    const wadi_result result = render_make(terrain, overlay, params, &made, out);
    wadi_free(context, made.loose);
    wadi_free(context, made.wind_east);
    wadi_free(context, made.wind_north);
    wadi_free(context, made.ground);
    return result;
}

void wadi_render_fit_map(const wadi_render_scene* scene, int32_t longest,
                         wadi_render_params* params)
{
    const double w = scene->width;
    const double h = scene->height;
    const double scale = longest / fmax(w, h);
    params->width = (int32_t)fmax(16.0, floor(w * scale + 0.5));
    params->height = (int32_t)fmax(16.0, floor(h * scale + 0.5));
}
