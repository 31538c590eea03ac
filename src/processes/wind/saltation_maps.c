// SPDX-License-Identifier: MIT
// Maps: sums of all steps and samples of some batches, averaged over the run.
#include "processes/wind/saltation_state.h"

#include <math.h>
#include <string.h>

wadi_result wadi_saltation_maps_create(saltation* s)
{
    WADI_ALLOC(s->context, s->wear, s->ground->cells, "the wear map");
    WADI_ALLOC(s->context, s->deposit, s->ground->cells, "the deposit map");
    WADI_ALLOC(s->context, s->means, s->ground->cells, "maps of the wind");
    WADI_ALLOC(s->context, s->passing, s->ground->cells, "maps of the wind");
    return WADI_OK;
}

void wadi_saltation_maps_destroy(saltation* s)
{
    wadi_free(s->context, s->wear);
    wadi_free(s->context, s->deposit);
    wadi_free(s->context, s->means);
    wadi_free(s->context, s->passing);
}

static saltation_sample maps_gather(const saltation* s, ptrdiff_t cell)
{
    saltation_sample sum = {0};
    for (int32_t w = 0; w < s->worker_count; ++w)
    {
        saltation_sample* part = &s->workers[w].sums.samples[cell];
        sum.load += part->load;
        sum.flux_x += part->flux_x;
        sum.flux_y += part->flux_y;
        sum.speed += part->speed;
        sum.contacts += part->contacts;
        sum.along += part->along;
        sum.visits += part->visits;
        memset(part, 0, sizeof *part);
    }
    return sum;
}

// Flux x time of a cell, in loads by steps. The load is summed over every step; its direction comes
// from the sampled batches, or is that of the wind. Fluxes of samples alone would be noisy.
static void maps_add_flux(const saltation* s, saltation_mean* mean, const saltation_sample* sum,
                          uint32_t passed, float scale, saltation_aim aim)
{
    const float share = scale * (float)passed / (float)(sum->load > 0 ? sum->load : 1);
    const float flux_x = sum->load > 0 ? share * (float)sum->flux_x : share * aim.ex;
    const float flux_y = sum->load > 0 ? share * (float)sum->flux_y : share * aim.ey;
    mean->flux_x += flux_x;
    mean->flux_y += flux_y;
    mean->recent =
        sqrtf(flux_x * flux_x + flux_y * flux_y) / (float)(s->window > 0.0 ? s->window : 1.0);
}

static void maps_read_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const saltation* s = user;
    // load x path per cell equals flux x time
    const float scale = (float)(SALTATION_LOAD_PART * s->ground->cell_size / WADI_UNITS_PER_METRE);
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < s->ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * s->ground->width + x;
            const saltation_sample sum = maps_gather(s, saltation_rim(s, y) + x);
            saltation_mean* mean = &s->means[cell];
            maps_add_flux(s, mean, &sum, s->passing[cell], scale,
                          saltation_aim_at(s, saltation_rim(s, y) + x));
            s->passing[cell] = 0;
            mean->speed += (float)sum.speed * (1.0f / 256.0f);
            mean->contacts += (float)sum.contacts * (1.0f / 256.0f);
            mean->visits += (float)sum.visits;
            if (s->crowd != NULL)
            {
                wadi_saltation_crowd_count(s, x, y, (float)sum.along * (1.0f / 256.0f));
            }
        }
    }
}

void wadi_saltation_maps_read(saltation* s)
{
    wadi_parallel_rows(s->context, s->ground->height, SALTATION_GRAIN, maps_read_rows, s);
    if (s->crowd != NULL)
    {
        wadi_saltation_crowd_update(s);
    }
    wadi_saltation_top_clear(s);
    s->window = 0.0;
}

// The load of the parcels is the sand moved in a batch, centimetres on coarse cells with long
// batches, not the sand in the air at one time. It is spread in proportion to the recent flux,
// since single parcels would show as spikes.
static void maps_fill_transit(const saltation* s, float* out)
{
    double sum = 0.0;
    for (int64_t cell = 0; cell < s->ground->cells; ++cell)
    {
        sum += s->ground->valid[cell] != 0 ? (double)s->means[cell].recent : 0.0;
    }
    const double held = (double)s->carried / WADI_UNITS_PER_METRE;
    const float share = (float)(sum > 0.0 ? held / sum : 0.0);
    for (int64_t cell = 0; cell < s->ground->cells; ++cell)
    {
        out[cell] = s->ground->valid[cell] != 0 ? share * s->means[cell].recent : NAN;
    }
}

static float maps_value(const saltation* s, int32_t map, int64_t cell)
{
    const saltation_mean* mean = &s->means[cell];
    const float years = (float)(s->years > 0.0 ? s->years : 1.0);
    const float visits = mean->visits > 0.0f ? mean->visits : 1.0f;
    // sand in the air is flux / wind speed; flux is per year, wind speed per second
    const float seconds = 31557600.0f;
    switch (map)
    {
    case WIND_MAP_TRACK:
        return mean->contacts / visits;
    case WIND_MAP_FLUX_X:
        return mean->flux_x / years;
    case WIND_MAP_FLUX_Y:
        return -mean->flux_y / years; // rows run south
    case WIND_MAP_MOMENTUM:
        return mean->speed / visits;
    case WIND_MAP_AIRBORNE:
        return s->wind_speed > 0.0 ? mean->recent / (float)s->wind_speed / seconds : 0.0f;
    case WIND_MAP_WEAR:
        return s->wear[cell] / WADI_UNITS_PER_METRE;
    case WIND_MAP_DEPOSIT:
        return s->deposit[cell] / WADI_UNITS_PER_METRE;
    default:
        return wadi_sand_top_value(s->top, (sand_top_map)(map - WIND_MAP_TOP), cell);
    }
}

void wadi_saltation_maps_fill(const saltation* s, int32_t map, float* out)
{
    if (map == WIND_MAP_TRANSIT)
    {
        maps_fill_transit(s, out);
        return;
    }
    for (int64_t cell = 0; cell < s->ground->cells; ++cell)
    {
        out[cell] = s->ground->valid[cell] != 0 ? maps_value(s, map, cell) : NAN;
    }
}
