// SPDX-License-Identifier: MIT
// The kinds of sources: a field table and a function that fills a grid.
#include "core/dmath.h"
#include "core/field_rows.h"
#include "maps/synthesis/generator.h"
#include "scene/scene_internal.h"
#include "scene/scene_soil_depth.h"

#include <math.h>
#include <stddef.h>

enum
{
    SOURCE_GRAIN = 64, // rows a block
    SOURCE_ANYWHERE = WADI_FILLS_GROUND | WADI_FILLS_LAYER
};

#define SOURCE_DEGREE 0.017453292519943295

// ---- import ------------------------------------------------------------------------------

typedef struct source_import
{
    uint32_t cookie;
    double cell;
    double relief;
    double min;
    double max;
    double scale;
} source_import;

static const wadi_field source_import_list[] = {
    FIELD_NUMBER(source_import, cell, 0.0, 0.0, 1e6, "m",
                 "Size of a cell, for files that do not say it; 0: as the file says.", ""),
    FIELD_NUMBER(source_import, relief, 0.0, 0.0, 2.0 * WADI_HEIGHT_LIMIT, "m",
                 "What the whole range of values stands for, from 0 to 65535 of 16 bits, 0 to 255 "
                 "of 8 bits or 0 to 1 of floats; 0: as the file says.",
                 ""),
    FIELD_NUMBER(source_import, min, 0.0, -WADI_HEIGHT_LIMIT, WADI_HEIGHT_LIMIT, "m",
                 "What the lowest value stands for; with scale, the value 0.", ""),
    FIELD_NUMBER(source_import, max, 0.0, -WADI_HEIGHT_LIMIT, WADI_HEIGHT_LIMIT, "m",
                 "What the highest value stands for, instead of relief; it counts if above min.",
                 ""),
    FIELD_NUMBER(source_import, scale, 0.0, 0.0, WADI_HEIGHT_LIMIT, "m",
                 "What one unit of the values stands for, instead of relief.", ""),
};
static const wadi_field_table source_import_fields =
    FIELD_TABLE("import", source_import_list, source_import);

static wadi_result source_fill_import(const scene_fill* fill, float* out)
{
    WADI_CHECK(fill->context, fill->host->read != NULL, WADI_ERROR_STATE,
               "'%s' cannot be read: this program reads no files", fill->source->file);
    return fill->host->read(fill->host->user, fill->source, fill->frame, out);
}

// ---- classes -----------------------------------------------------------------------------

// Class of a number, or NULL: resampling blends numbers to values that match no class.
static const wadi_class_value* source_find_class(const wadi_source* source, double number)
{
    for (int32_t i = 0; i < source->class_count; ++i)
    {
        if (fabs(source->classes[i].number - number) < 1e-3)
        {
            return &source->classes[i];
        }
    }
    return NULL;
}

static wadi_result source_fill_classes(const scene_fill* fill, float* out)
{
    WADI_TRY(source_fill_import(fill, out));
    const int32_t width = fill->frame->width;
    const int64_t cells = (int64_t)width * fill->frame->height;
    for (int64_t i = 0; i < cells; ++i)
    {
        const wadi_class_value* class = source_find_class(fill->source, (double)out[i]);
        WADI_CHECK(fill->context, class != NULL || isnan(out[i]), WADI_ERROR_RANGE,
                   "'%s' has class %g at column %d, row %d, which is not in 'values'",
                   fill->source->file, (double)out[i], (int32_t)(i % width), (int32_t)(i / width));
        out[i] = class != NULL ? (float)class->value : out[i];
    }
    return WADI_OK;
}

// ---- generators --------------------------------------------------------------------------

static wadi_result source_fill_generator(const scene_fill* fill, float* out)
{
    return wadi_generator_fill(fill->context, wadi_generator_find(fill->source->kind->name),
                               fill->source->params, fill->seed, fill->frame->width,
                               fill->frame->height, fill->frame->cell_size, out);
}

// ---- flat and constant -------------------------------------------------------------------

typedef struct source_level
{
    uint32_t cookie;
    double value;
} source_level;

static const wadi_field source_flat_list[] = {
    {"elevation", WADI_FIELD_DOUBLE, offsetof(source_level, value), 0.0, -WADI_HEIGHT_LIMIT,
     WADI_HEIGHT_LIMIT, "m", "Height of the plain.", "", NULL, 0},
};
static const wadi_field_table source_flat_fields =
    FIELD_TABLE("flat", source_flat_list, source_level);

static const wadi_field source_constant_list[] = {
    FIELD_NUMBER(source_level, value, 0.0, -1e9, 1e9, "", "The same value in every cell.", ""),
};
static const wadi_field_table source_constant_fields =
    FIELD_TABLE("constant", source_constant_list, source_level);

static wadi_result source_fill_level(const scene_fill* fill, float* out)
{
    const source_level* level = fill->source->params;
    const int64_t cells = (int64_t)fill->frame->width * fill->frame->height;
    for (int64_t i = 0; i < cells; ++i)
    {
        out[i] = (float)level->value;
    }
    return WADI_OK;
}

// ---- ramp and bands: functions of the distance along an azimuth
// -----------------------------------

typedef double source_profile_fn(const void* params, double along);

typedef struct source_profile_job
{
    const scene_fill* fill;
    source_profile_fn* profile;
    double east; // unit vector in the direction of the azimuth
    double north;
    float* out;
} source_profile_job;

static void source_profile_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const source_profile_job* job = user;
    const wadi_frame* frame = job->fill->frame;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < frame->width; ++column)
        {
            const wadi_point at = scene_cell_centre(frame, column, row);
            const double along = at.x * job->east + at.y * job->north;
            job->out[(int64_t)row * frame->width + column] =
                (float)job->profile(job->fill->source->params, along);
        }
    }
}

static wadi_result source_fill_profile(const scene_fill* fill, source_profile_fn* profile,
                                       double azimuth, float* out)
{
    // clockwise from north
    source_profile_job job = {fill, profile, wadi_sin(azimuth * SOURCE_DEGREE),
                              wadi_cos(azimuth * SOURCE_DEGREE), out};
    wadi_parallel_rows(fill->context, fill->frame->height, SOURCE_GRAIN, source_profile_rows, &job);
    return WADI_OK;
}

typedef struct source_ramp
{
    uint32_t cookie;
    double elevation;
    double slope;
    double azimuth;
} source_ramp;

static const wadi_field source_ramp_list[] = {
    FIELD_NUMBER(source_ramp, elevation, 0.0, -WADI_HEIGHT_LIMIT, WADI_HEIGHT_LIMIT, "m",
                 "Height at the south-west corner.", ""),
    FIELD_NUMBER(source_ramp, slope, 0.02, 0.0, 10.0, "1", "Rise over run.", ""),
    FIELD_NUMBER(source_ramp, azimuth, 0.0, -360.0, 360.0, "degree",
                 "Where the ramp rises to, clockwise from north.", ""),
};
static const wadi_field_table source_ramp_fields =
    FIELD_TABLE("ramp", source_ramp_list, source_ramp);

static double source_ramp_profile(const void* params, double along)
{
    const source_ramp* ramp = params;
    return ramp->elevation + ramp->slope * along;
}

static wadi_result source_fill_ramp(const scene_fill* fill, float* out)
{
    const source_ramp* ramp = fill->source->params;
    return source_fill_profile(fill, source_ramp_profile, ramp->azimuth, out);
}

typedef struct source_bands
{
    uint32_t cookie;
    double low;
    double high;
    double width;
    double azimuth;
    double rim;
} source_bands;

static const wadi_field source_bands_list[] = {
    FIELD_NUMBER(source_bands, low, 0.0, -1e9, 1e9, "", "Value of the first, third, ... band.", ""),
    FIELD_NUMBER(source_bands, high, 1.0, -1e9, 1e9, "", "Value of the second, fourth, ... band.",
                 ""),
    FIELD_NUMBER(source_bands, width, 1000.0, 1e-3, 1e9, "m", "Width of one band.", ""),
    FIELD_NUMBER(source_bands, azimuth, 0.0, -360.0, 360.0, "degree",
                 "Direction across the bands, clockwise from north.", ""),
    FIELD_NUMBER(source_bands, rim, 0.1, 0.0, 1.0, "1",
                 "Share of a band's width over which it blends into the next.", ""),
};
static const wadi_field_table source_bands_fields =
    FIELD_TABLE("bands", source_bands_list, source_bands);

static double source_bands_profile(const void* params, double along)
{
    const source_bands* bands = params;
    const double pairs = along / (2.0 * bands->width);
    const double phase = 2.0 * (pairs - floor(pairs)); // [0, 2): low band, then high band

    // distance to the nearest rim of the high band, positive inside it, in band widths
    const double inside = 0.5 - fabs(phase - 1.5);
    const double seam = phase < 0.5 ? -phase : inside; // the rims at phases 0 and 2 coincide
    const double blend = bands->rim > 0.0 ? 0.5 + seam / bands->rim : seam >= 0.0 ? 1.0 : 0.0;
    const double share = blend < 0.0 ? 0.0 : blend > 1.0 ? 1.0 : blend;
    return bands->low + (bands->high - bands->low) * share;
}

static wadi_result source_fill_bands(const scene_fill* fill, float* out)
{
    const source_bands* bands = fill->source->params;
    return source_fill_profile(fill, source_bands_profile, bands->azimuth, out);
}

// ---- above -------------------------------------------------------------------------------

static const wadi_field source_above_list[] = {
    {"elevation", WADI_FIELD_DOUBLE, offsetof(source_level, value), 0.0, -WADI_HEIGHT_LIMIT,
     WADI_HEIGHT_LIMIT, "m", "All that lies above this height is loose.", "", NULL, 0},
};
static const wadi_field_table source_above_fields =
    FIELD_TABLE("above", source_above_list, source_level);

static wadi_result source_fill_above(const scene_fill* fill, float* out)
{
    const source_level* level = fill->source->params;
    wadi_view surface;
    WADI_TRY(wadi_terrain_borrow(fill->terrain, WADI_LAYER_SURFACE, &surface));
    for (int32_t y = 0; y < surface.height; ++y)
    {
        for (int32_t x = 0; x < surface.width; ++x)
        {
            const double above = (double)surface.data[y * surface.stride + x] - level->value;
            // void cells are NaN and stay NaN
            out[(int64_t)y * surface.width + x] = (float)(above < 0.0 ? 0.0 : above);
        }
    }
    return wadi_terrain_release(fill->terrain, WADI_LAYER_SURFACE);
}

// ---- the table ---------------------------------------------------------------------------

typedef wadi_result source_fill_fn(const scene_fill* fill, float* out);

enum
{
    SOURCE_COUNT = 13
};

static const wadi_source_kind source_kinds[SOURCE_COUNT] = {
    {"import", "values of a file", &source_import_fields, SOURCE_ANYWHERE, true},
    {"classes", "values of the classes that a file tells apart", &source_import_fields,
     WADI_FILLS_LAYER, true},
    {"noise", "gradient noise; base and relief are in the unit of what is filled",
     &wadi_noise_fields, SOURCE_ANYWHERE, false},
    {"subdivision", "points displaced between coarser ones", &wadi_subdivision_fields,
     SOURCE_ANYWHERE, false},
    {"faults", "ground thrown up along many faults", &wadi_faults_fields, SOURCE_ANYWHERE, false},
    {"poisson_faults", "classes of equal area between faults", &wadi_poisson_faults_fields,
     SOURCE_ANYWHERE, false},
    {"deposition", "particles that roll, stick or hop", &wadi_deposition_fields, SOURCE_ANYWHERE,
     false},
    {"flat", "a plain, for the ground", &source_flat_fields, WADI_FILLS_GROUND, false},
    {"ramp", "a tilted plane, for the ground", &source_ramp_fields, WADI_FILLS_GROUND, false},
    {"constant", "one value, for layers and input maps", &source_constant_fields, WADI_FILLS_LAYER,
     false},
    {"bands", "stripes of two values, for layers and input maps", &source_bands_fields,
     WADI_FILLS_LAYER, false},
    {"above", "all ground above an elevation, for loose layers", &source_above_fields,
     WADI_FILLS_LOOSE, false},
    {"soil", "the depth of soil that the land would carry, for loose layers",
     &wadi_scene_soil_fields, WADI_FILLS_LOOSE, false},
};

static source_fill_fn* const source_fills[SOURCE_COUNT] = {
    source_fill_import,    source_fill_classes,   source_fill_generator, source_fill_generator,
    source_fill_generator, source_fill_generator, source_fill_generator, source_fill_level,
    source_fill_ramp,      source_fill_level,     source_fill_bands,     source_fill_above,
    wadi_scene_fill_soil,
};

int32_t wadi_source_kind_count(void)
{
    return SOURCE_COUNT;
}

const wadi_source_kind* wadi_source_kind_at(int32_t index)
{
    return index >= 0 && index < SOURCE_COUNT ? &source_kinds[index] : NULL;
}

const wadi_source_kind* wadi_source_kind_find(const char* name)
{
    return wadi_source_kind_at(
        scene_find_name(source_kinds, sizeof source_kinds[0], SOURCE_COUNT, name));
}

wadi_result wadi_scene_fill(const scene_fill* fill, float* out)
{
    WADI_TRY(source_fills[fill->source->kind - source_kinds](fill, out));
    return wadi_scene_paint(fill, out);
}
