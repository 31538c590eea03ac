// SPDX-License-Identifier: MIT
// Slip faces: connected ground nearly as steep as the steepest faces. A brink is where a face
// begins above: there the mask of faces rises down the slope.
#include "core/dmath.h"
#include "maps/judge/dune_shapes_internal.h"

enum
{
    FACES_LEAST = 4 // cells of a slip face
};

static const double slip_share = 0.85; // of the slope of the steepest faces
static const double slip_most = 34.0;  // [degree] of these, as sand rests
static const double slip_least = 20.0; // [degree] least slope of a slip face, on coarse cells
static const double slip_brink = 0.5;  // cosine of the largest angle between brink and contour
static const double slip_blur = 0.8;   // [cells] smoothing of the mask, to measure its outline
static const double slip_wide = 2.0;   // [cells] the same of the descent

static void slip_fill(const shape_grid* grid, double face, uint8_t* mask)
{
    const double degrees = fmax(slip_least, slip_share * fmin(face, slip_most));
    const double least = wadi_sin(degrees / dune_degree) / wadi_cos(degrees / dune_degree);
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        shape_place slope;
        const bool known = wadi_shape_gradient(grid, grid->z, i, &slope);
        mask[i] = known && slope.x * slope.x + slope.y * slope.y >= least * least ? 1 : 0;
    }
}

static int32_t slip_count(const shape_parts* parts, uint8_t* mask)
{
    int32_t count = 0;
    for (int32_t p = 0; p < parts->count; ++p)
    {
        const bool small = parts->first[p + 1] - parts->first[p] < FACES_LEAST;
        count += small ? 0 : 1;
        for (int32_t k = parts->first[p]; small && k < parts->first[p + 1]; ++k)
        {
            mask[parts->cells[k]] = 0;
        }
    }
    return count;
}

// The mask and the descent of the faces, each smoothed.
typedef struct slip_maps
{
    float* raw;
    float* mask;
    float* east;
    float* north;
} slip_maps;

// The length of an outline is the integral of the gradient of the smoothed mask, at any azimuth.
// The slope is that of the face, as the ground above a brink slopes the other way.
static double slip_brinks(const shape_grid* grid, const slip_maps* maps, const uint8_t* mask,
                          uint16_t* marks)
{
    double length = 0.0;
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        shape_place rise;
        if (!wadi_shape_gradient(grid, maps->mask, i, &rise))
        {
            continue;
        }
        const double east = (double)maps->east[i];
        const double north = (double)maps->north[i];
        const double steep = sqrt(rise.x * rise.x + rise.y * rise.y);
        const double along = rise.x * east + rise.y * north;
        if (steep > 0.0 && along >= slip_brink * steep * sqrt(east * east + north * north))
        {
            length += steep * grid->dx * grid->dy;
            if (marks != NULL && mask[i] != 0 && maps->mask[i] < 0.75f)
            {
                marks[i] |= WADI_DUNE_MARK_BRINK;
            }
        }
    }
    return length;
}

// One component of the unit vector down the faces, or for `axis` 2 the mask.
static wadi_result slip_blur_map(const shape_grid* grid, const uint8_t* mask, int32_t axis,
                                 float* raw, float* out)
{
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        shape_place slope = {0.0, 0.0};
        const bool face = mask[i] != 0 && wadi_shape_gradient(grid, grid->z, i, &slope);
        const double steep = face ? sqrt(slope.x * slope.x + slope.y * slope.y) : 0.0;
        const double length = steep > 0.0 ? steep : 1.0;
        const double value = axis == 2 ? 1.0 : axis == 0 ? -slope.x / length : -slope.y / length;
        raw[i] = isnan(grid->z[i]) ? NAN : face ? (float)value : 0.0f;
    }
    return wadi_shape_smooth(grid, raw, (axis == 2 ? slip_blur : slip_wide) * grid->cell, out);
}

static wadi_result slip_measure(const shape_grid* grid, const uint8_t* mask, float* memory,
                                wadi_dune_shapes* out, uint16_t* marks)
{
    const ptrdiff_t cells = grid->cells;
    const slip_maps maps = {memory, memory + cells, memory + 2 * cells, memory + 3 * cells};
    for (int32_t i = 0; i < grid->cells && marks != NULL; ++i)
    {
        marks[i] |= mask[i] != 0 ? WADI_DUNE_MARK_FACE : 0;
    }
    WADI_TRY(slip_blur_map(grid, mask, 0, maps.raw, maps.east));
    WADI_TRY(slip_blur_map(grid, mask, 1, maps.raw, maps.north));
    WADI_TRY(slip_blur_map(grid, mask, 2, maps.raw, maps.mask));
    out->brinks = slip_brinks(grid, &maps, mask, marks);
    return WADI_OK;
}

wadi_result wadi_slip_faces_find(const shape_grid* grid, double face, uint8_t* mask,
                                 wadi_dune_shapes* out, uint16_t* marks)
{
    slip_fill(grid, face, mask);
    shape_parts parts;
    WADI_TRY(wadi_shape_parts_find(grid, mask, SHAPE_LINK_EIGHT, &parts));
    out->faces = slip_count(&parts, mask);
    wadi_shape_parts_free(grid, &parts);
    float* maps;
    WADI_ALLOC(grid->context, maps, 4 * (int64_t)grid->cells, "brinks");
    const wadi_result result = slip_measure(grid, mask, maps, out, marks);
    wadi_free(grid->context, maps);
    return result;
}
