// SPDX-License-Identifier: MIT
// Masks: weights of edits and processes, as a product of sources, bands and regions.
#include "scene/scene_internal.h"
#include "terrain/change.h"
#include "terrain/ground.h"

#include <math.h>

wadi_mask wadi_mask_default(void)
{
    return (wadi_mask){.strength = 1.0};
}

// ---- checks -------------------------------------------------------------------------------------

static bool mask_has_limits(const wadi_mask_band* band)
{
    return band->from > -(double)INFINITY || band->to < (double)INFINITY;
}

static wadi_result mask_check_band(wadi_context* context, const wadi_mask_band* band)
{
    WADI_CHECK(context, band->from <= band->to, WADI_ERROR_RANGE,
               "a mask goes from %g to %g; give the lower limit first", band->from, band->to);
    WADI_CHECK(context, band->fade >= 0.0 && band->fade <= 1e9, WADI_ERROR_RANGE,
               "a mask fades over %g but must lie in [0, 1e9]", band->fade);
    WADI_CHECK(context, band->fade == 0.0 || mask_has_limits(band), WADI_ERROR_RANGE,
               "a mask fades inside its limits; give 'from' or 'to'");
    WADI_CHECK(context, band->fade <= band->to - band->from, WADI_ERROR_RANGE,
               "a mask fades over %g, but its limits %g and %g are nearer; give a narrower fade",
               band->fade, band->from, band->to);
    return WADI_OK;
}

wadi_result wadi_mask_check(wadi_context* context, const wadi_mask* mask)
{
    WADI_CHECK(context, mask->strength >= 0.0 && mask->strength <= 1.0, WADI_ERROR_RANGE,
               "the strength of a mask is %g but must lie in [0, 1]", mask->strength);
    WADI_CHECK(context, mask->band_count >= 0 && mask->band_count <= WADI_MAX_MASK_BANDS,
               WADI_ERROR_RANGE, "a mask has %d bands; expected at most %d", mask->band_count,
               WADI_MAX_MASK_BANDS);
    for (int32_t i = 0; i < mask->band_count; ++i)
    {
        WADI_TRY(mask_check_band(context, &mask->bands[i]));
    }
    return WADI_OK;
}

wadi_result wadi_scene_keep_mask(wadi_scene* scene, const wadi_mask* mask, const wadi_mask** out)
{
    *out = NULL;
    if (mask == NULL)
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_mask_check(scene->context, mask));
    void* memory;
    WADI_TRY(wadi_scene_keep_bytes(scene, mask, sizeof *mask, &memory));
    wadi_mask* copy = memory;
    if (mask->band_count > 0)
    {
        WADI_TRY(wadi_scene_keep_bytes(scene, mask->bands,
                                       (size_t)mask->band_count * sizeof *mask->bands, &memory));
        copy->bands = memory;
    }
    WADI_TRY(wadi_scene_keep_region(scene, &mask->region, &copy->region));
    if (mask->source.kind != NULL)
    {
        WADI_TRY(wadi_scene_keep_source(scene, &mask->source, WADI_FILLS_LAYER, &copy->source));
        copy->source.weighs = true;
    }
    *out = copy;
    return WADI_OK;
}

// ---- weights ------------------------------------------------------------------------------------

static double mask_band_weight(const wadi_mask_band* band, double value)
{
    if (!mask_has_limits(band))
    {
        return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
    }
    if (value < band->from || value > band->to)
    {
        return 0.0;
    }
    const double depth = fmin(value - band->from, band->to - value);
    return band->fade > 0.0 ? wadi_edit_weight(depth, band->fade) : 1.0;
}

void wadi_mask_weigh(const wadi_mask_band* band, const float* values, int64_t cells, float* weights)
{
    for (int64_t i = 0; i < cells; ++i)
    {
        const double weight = isnan(values[i]) ? 0.0 : mask_band_weight(band, (double)values[i]);
        weights[i] = (float)((double)weights[i] * weight);
    }
}

static wadi_result mask_apply_source(wadi_run* run, const wadi_source* source, uint32_t place,
                                     int64_t cells, float* values, float* weights)
{
    WADI_TRY(wadi_scene_values(run, source, place, values));
    for (int64_t i = 0; i < cells; ++i)
    {
        const float value = isnan(values[i]) ? 0.0f : values[i];
        WADI_CHECK(run->context, !source->kind->needs_file || (value >= 0.0f && value <= 1.0f),
                   WADI_ERROR_RANGE, "mask '%s' has the value %g; weights must lie in [0, 1]",
                   source->file, (double)value);
        weights[i] *= value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
    }
    return WADI_OK;
}

static void mask_finish(const wadi_run* run, const wadi_mask* mask, float* weights)
{
    const wadi_frame frame = {.width = wadi_terrain_width(run->terrain),
                              .height = wadi_terrain_height(run->terrain),
                              .cell_size = wadi_terrain_cell_size(run->terrain),
                              .window = wadi_terrain_ground_const(run->terrain)->part};
    for (int32_t y = 0; y < frame.height; ++y)
    {
        for (int32_t x = 0; x < frame.width; ++x)
        {
            float* weight = &weights[(int64_t)y * frame.width + x];
            const double inside =
                wadi_region_weight(&mask->region, scene_cell_centre(&frame, x, y)) *
                (double)*weight;
            *weight = (float)(mask->strength * (mask->inverted ? 1.0 - inside : inside));
        }
    }
}

static wadi_result mask_multiply(wadi_run* run, const wadi_mask* mask, uint32_t place,
                                 int64_t cells, float* values, float* weights)
{
    for (int64_t i = 0; i < cells; ++i)
    {
        weights[i] = 1.0f;
    }
    if (mask->source.kind != NULL)
    {
        WADI_TRY(mask_apply_source(run, &mask->source, place, cells, values, weights));
    }
    for (int32_t i = 0; i < mask->band_count; ++i)
    {
        WADI_TRY(wadi_run_quantity(run, &mask->bands[i].quantity, values));
        wadi_mask_weigh(&mask->bands[i], values, cells, weights);
    }
    mask_finish(run, mask, weights);
    // maps of processes hold the owned cells only
    void* const layers[] = {weights};
    const int32_t bytes[] = {(int32_t)sizeof *weights};
    return wadi_partition_get(wadi_terrain_ground_const(run->terrain)->part, layers, bytes, 1)
               ? WADI_OK
               : wadi_partition_lost(run->context);
}

wadi_result wadi_scene_mask_weights(wadi_run* run, const wadi_mask* mask, uint32_t place,
                                    float* out)
{
    const int64_t cells =
        (int64_t)wadi_terrain_width(run->terrain) * wadi_terrain_height(run->terrain);
    float* values;
    WADI_ALLOC(run->context, values, cells, "a mask");
    const wadi_result result = mask_multiply(run, mask, place, cells, values, out);
    wadi_free(run->context, values);
    return result;
}

wadi_result wadi_run_splat(wadi_run* run, const wadi_output* output, float* out)
{
    const int64_t cells =
        (int64_t)wadi_terrain_width(run->terrain) * wadi_terrain_height(run->terrain);
    for (int32_t i = 0; i < output->splat_count; ++i)
    {
        WADI_TRY(wadi_scene_mask_weights(run, output->splat[i], SCENE_PLACE_SPLAT + (uint32_t)i,
                                         out + i * cells));
    }
    return WADI_OK;
}

wadi_result wadi_scene_give_mask(wadi_run* run, const wadi_scene_process* step, wadi_solver* solver)
{
    if (step->mask == NULL)
    {
        return wadi_solver_set_mask(solver, NULL);
    }
    const int64_t cells =
        (int64_t)wadi_terrain_width(run->terrain) * wadi_terrain_height(run->terrain);
    float* weights;
    WADI_ALLOC(run->context, weights, cells, "a mask");
    wadi_result result =
        wadi_scene_mask_weights(run, step->mask, wadi_scene_place(run) + SCENE_PLACE_MASK, weights);
    result = result == WADI_OK ? wadi_solver_set_mask(solver, weights) : result;
    float most = 0.0f;
    for (int64_t i = 0; i < cells; ++i)
    {
        most = fmaxf(most, weights[i]);
    }
    const wadi_ground* ground = wadi_terrain_ground_const(run->terrain);
    if (result == WADI_OK && !wadi_partition_any(ground->part, most != 0.0f) &&
        wadi_ground_is_first(ground))
    {
        wadi_log_line(run->context, "%s changes nothing: its mask is 0 everywhere",
                      step->process->name);
    }
    wadi_free(run->context, weights);
    return result;
}
