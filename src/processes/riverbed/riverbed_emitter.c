// SPDX-License-Identifier: MIT
#include "processes/riverbed/riverbed_emitter.h"

#include "core/dmath.h"
#include "core/internal.h"
#include "core/random.h"
#include "terrain/ground.h"

#include <math.h>
#include <string.h>

static const double emitter_degree = 3.14159265358979323846 / 180.0;

double wadi_riverbed_scale(const wadi_terrain* terrain, const wadi_riverbed_params* params)
{
    return params->paper_cell > 0.0 ? params->paper_cell / wadi_terrain_cell_size(terrain) : 1.0;
}

riverbed_emitter wadi_riverbed_emitter_on_side(const wadi_terrain* terrain,
                                               const wadi_riverbed_params* params, double scale)
{
    // inward normal of each side, as an angle from east to south
    static const double inward[4] = {90.0, 180.0, -90.0, 0.0};
    const double width = (double)wadi_terrain_width(terrain);
    const double height = (double)wadi_terrain_height(terrain);
    const bool upright = params->side == WADI_SIDE_WEST || params->side == WADI_SIDE_EAST;
    const double along = params->position * (upright ? height : width) - 0.5;
    const bool far = params->side == WADI_SIDE_EAST || params->side == WADI_SIDE_SOUTH;
    const double at = far ? (upright ? width : height) - 0.5 : -0.5;
    return (riverbed_emitter){
        .x = upright ? at : along,
        .y = upright ? along : at,
        .width = params->width * scale,
        .facing = inward[params->side] * emitter_degree,
        .heading = (inward[params->side] + params->direction) * emitter_degree,
        .spread = params->spread * emitter_degree,
        .rate = params->rate,
        .quantity = params->quantity,
        .discharge = params->discharge,
    };
}

static riverbed_emitter emitter_of_row(const wadi_terrain* terrain, const double* row)
{
    const double cell = wadi_terrain_cell_size(terrain);
    const double facing = (row[RIVERBED_EMITTER_AZIMUTH] - 90.0) * emitter_degree;
    return (riverbed_emitter){
        .x = row[RIVERBED_EMITTER_X] / cell - 0.5,
        .y = (double)wadi_terrain_height(terrain) - row[RIVERBED_EMITTER_Y] / cell - 0.5,
        .width = row[RIVERBED_EMITTER_WIDTH] / cell,
        .facing = facing,
        .heading = facing,
        .spread = row[RIVERBED_EMITTER_SPREAD] * emitter_degree,
        .rate = row[RIVERBED_EMITTER_RATE],
        .quantity = (int64_t)row[RIVERBED_EMITTER_QUANTITY],
        .discharge = row[RIVERBED_EMITTER_DISCHARGE],
    };
}

static bool emitter_is_off(const wadi_ground* ground, const riverbed_emitter* e)
{
    return e->x < -0.5 || e->y < -0.5 || e->x > ground->width - 0.5 || e->y > ground->height - 0.5;
}

wadi_result wadi_riverbed_emitters_copy(wadi_context* context, const riverbed_emitter* emitters,
                                        int32_t count, riverbed_emitter** out)
{
    riverbed_emitter* copy;
    WADI_ALLOC(context, copy, count, "emitters");
    memcpy(copy, emitters, (size_t)count * sizeof *copy);
    wadi_free(context, *out);
    *out = copy;
    return WADI_OK;
}

wadi_result wadi_riverbed_emitters_of_table(const wadi_terrain* terrain, const double* values,
                                            int32_t rows, riverbed_emitter** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    riverbed_emitter* emitters;
    WADI_ALLOC(context, emitters, rows, "emitters");
    for (int32_t i = 0; i < rows; ++i)
    {
        emitters[i] = emitter_of_row(terrain, values + i * RIVERBED_EMITTER_COLUMNS);
        if (emitter_is_off(ground, &emitters[i]))
        {
            wadi_free(context, emitters);
            return wadi_fail(
                context, WADI_ERROR_RANGE,
                "emitters, row %d lies off the terrain, which is %g by %g m: move it inside", i + 1,
                ground->width * ground->cell_size, ground->height * ground->cell_size);
        }
    }
    *out = emitters;
    return WADI_OK;
}

int64_t wadi_riverbed_emitter_due(const riverbed_emitter* emitter, double years)
{
    // a ten-thousandth of a particle makes up for rounding of ten times a tenth of a year
    const double most = fmin(emitter->rate * years + 1e-4, (double)emitter->quantity);
    const int64_t due = (int64_t)most - emitter->emitted;
    return due > 0 ? due : 0;
}

// ---- drawing -----------------------------------------------------------------------------

double wadi_riverbed_mirror(uint64_t index, uint32_t base)
{
    double value = 0.0;
    double digit = 1.0 / base;
    for (uint64_t left = index; left > 0; left /= base)
    {
        value += (double)(left % base) * digit;
        digit /= base;
    }
    return value;
}

typedef struct emitter_draws
{
    double place;
    double spread;
    double phase;
} emitter_draws;

// Random or van der Corput numbers of a particle, all in [0, 1).
static emitter_draws emitter_draw(int32_t draw, uint64_t seed, uint32_t stream, int32_t index,
                                  int64_t number)
{
    const uint64_t n = (uint64_t)number;
    if (draw == WADI_RIVERBED_EVEN)
    {
        return (emitter_draws){wadi_riverbed_mirror(n + 1, 2), wadi_riverbed_mirror(n + 1, 3),
                               wadi_riverbed_mirror(n + 1, 5)};
    }
    const wadi_philox words = wadi_random(seed, stream, n, (uint32_t)index);
    return (emitter_draws){(double)wadi_unit_float(words.v[0]), (double)wadi_unit_float(words.v[1]),
                           (double)wadi_unit_float(words.v[2])};
}

riverbed_start wadi_riverbed_emitter_start(const riverbed_emitter* emitter,
                                           const wadi_riverbed_params* params, uint64_t seed,
                                           uint32_t stream, int32_t index, int64_t number)
{
    const emitter_draws u = emitter_draw(params->draw, seed, stream, index, number);
    const double aside = (u.place - 0.5) * emitter->width;
    const bool common = params->phase == WADI_RIVERBED_COMMON;
    return (riverbed_start){
        .x = emitter->x - aside * wadi_sin(emitter->facing),
        .y = emitter->y + aside * wadi_cos(emitter->facing),
        .heading = emitter->heading + (2.0 * u.spread - 1.0) * emitter->spread,
        .phase = params->first_angle / 360.0 + (common ? 0.0 : u.phase),
    };
}
