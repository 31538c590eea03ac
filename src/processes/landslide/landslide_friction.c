// SPDX-License-Identifier: MIT
// Friction of flows: of their kind, or by the volume of the slide.
//
// Large slides run farther for their fall than small ones. Two relations give the effective
// friction of a slide of V cubic metres, as a power of V: that of Lucas, Mangeney & Ampuero (2014)
// for the friction that models of slides on Earth and other planets need, and the regressions of
// Corominas (1996) for the fall over the run-out of 204 slides, by class. Both are the whole
// resistance.
#include "core/dmath.h"
#include "processes/landslide/landslide_state.h"

#include <math.h>

static const double friction_least = 1.0;             // volume [m3]
static const double friction_most = 1.0;              // friction
static const double friction_no_drag = 1e6;           // turbulence of flows without drag [m/s2]
static const double friction_ten = 2.302585092994046; // ln 10

typedef struct friction_class
{
    double friction;
    double turbulence; // [m/s2]
    double scale;      // of Corominas: friction is 10^scale V^power
    double power;
} friction_class;

static const friction_class friction_classes[WADI_LANDSLIDE_KIND_COUNT] = {
    [WADI_LANDSLIDE_DEBRIS_FLOW] = {0.2, 200.0, -0.012, -0.105},
    [WADI_LANDSLIDE_CHANNELISED] = {0.19, 500.0, -0.012, -0.105},
    [WADI_LANDSLIDE_ROCK_AVALANCHE] = {0.1, 500.0, 0.210, -0.109},
};

static const double friction_lucas = -0.0774; // power of the volume

double wadi_landslide_flow_friction(const wadi_landslide_params* p, double volume)
{
    const friction_class* kind = &friction_classes[p->kind];
    const double size = fmax(volume, friction_least);
    if (p->friction > 0.0 || p->volume_law == WADI_LANDSLIDE_ANY_VOLUME)
    {
        return p->friction > 0.0 ? p->friction : kind->friction;
    }
    const double friction =
        p->volume_law == WADI_LANDSLIDE_LUCAS
            ? wadi_pow(size, friction_lucas)
            : wadi_exp(friction_ten * kind->scale) * wadi_pow(size, kind->power);
    return fmin(friction, friction_most);
}

double wadi_landslide_flow_turbulence(const wadi_landslide_params* p)
{
    const bool whole = p->friction <= 0.0 && p->volume_law != WADI_LANDSLIDE_ANY_VOLUME;
    return p->turbulence > 0.0 ? p->turbulence
           : whole             ? friction_no_drag
                               : friction_classes[p->kind].turbulence;
}

// ---- volumes of slides that begin together -----------------------------------------------

static int32_t friction_units(const slide_source* source, int64_t cell)
{
    return source->soil[cell] + source->rock[cell];
}

// Collect the connected source around a cell; returns its cells, and its units in *sum.
static int64_t friction_gather(landslide_state* state, int64_t seed, int32_t* queue, double* sum)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    int64_t count = 1;
    queue[0] = (int32_t)seed;
    state->volumes[seed] = -1.0f;
    *sum = 0.0;
    for (int64_t next = 0; next < count; ++next)
    {
        *sum += (double)friction_units(&state->source, queue[next]);
        for (int k = 0; k < 9; ++k)
        {
            const int64_t to = wadi_slide_land_neighbour(ground, queue[next], k);
            if (to >= 0 && state->volumes[to] == 0.0f && friction_units(&state->source, to) > 0)
            {
                state->volumes[to] = -1.0f;
                queue[count] = (int32_t)to;
                ++count;
            }
        }
    }
    return count;
}

wadi_result wadi_landslide_volumes(landslide_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const double unit = ground->cell_size * ground->cell_size / WADI_UNITS_PER_METRE;
    int32_t* queue;
    WADI_ALLOC(context, queue, ground->cells, "volumes of slides");
    state->volumes = wadi_alloc(context, (size_t)ground->cells, sizeof *state->volumes);
    for (int64_t c = 0; state->volumes != NULL && c < ground->cells; ++c)
    {
        if (state->volumes[c] != 0.0f || friction_units(&state->source, c) == 0)
        {
            continue;
        }
        double sum;
        const int64_t count = friction_gather(state, c, queue, &sum);
        for (int64_t i = 0; i < count; ++i)
        {
            state->volumes[queue[i]] = (float)(sum * unit);
        }
    }
    wadi_free(context, queue);
    return state->volumes != NULL
               ? WADI_OK
               : wadi_fail_memory(context, (size_t)ground->cells * sizeof *state->volumes,
                                  "volumes of slides");
}
