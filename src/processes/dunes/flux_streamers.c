// SPDX-License-Identifier: MIT
// Streamers: gusts make the stress of the wind vary from place to place and with time. The model
// has no noise of its own. Over a thin sheet its waves are washed out downwind faster than they
// grow, unless something keeps starting new ones.
//
// The noise is bilinear between the nodes of a lattice, with smooth weights. A node holds a uniform
// random number in [-1, 1] for each interval; two intervals are mixed by cosine and sine, which
// keeps the variance constant. Intervals are counted by the sand that has passed flat ground, so
// that dunes do not depend on the flux per year.
#include "processes/dunes/flux.h"

#include "core/dmath.h"
#include "core/internal.h"
#include "core/random.h"

#include <math.h>

static const double streamer_spacing = 15.0; // of nodes [saturation lengths]
static const double streamer_span = 5.0;     // of an interval [saturation lengths squared]
static const double streamer_least = 2.0;    // spacing of nodes [cells]
static const uint64_t streamer_entity = UINT64_C(1) << 62;

// Place the nodes of an axis: a whole number of them on a torus.
static wadi_result streamer_axis_create(flux* f, flux_streamer_axis* axis, int32_t cells,
                                        double spacing, bool wraps)
{
    const double count = fmax(1.0, floor(cells / spacing + 0.5));
    const double per_cell = wraps ? count / cells : 1.0 / spacing;
    axis->nodes = (wraps ? (int32_t)count : (int32_t)(cells * per_cell) + 1) + 1;
    WADI_ALLOC(f->context, axis->node, cells, "streamers");
    WADI_ALLOC(f->context, axis->weight, cells, "streamers");
    for (int32_t i = 0; i < cells; ++i)
    {
        const double place = (i + 0.5) * per_cell;
        const double part = place - floor(place);
        axis->node[i] = (int32_t)place;
        axis->weight[i] = (float)(part * part * (3.0 - 2.0 * part));
    }
    axis->wraps = wraps;
    return WADI_OK;
}

wadi_result wadi_flux_streamers_create(flux* f)
{
    if (f->params.streamers <= 0.0)
    {
        return WADI_OK;
    }
    const double cell = f->ground->cell_size;
    const double length = f->law.saturation * cell;
    const double size =
        f->params.streamer_size > 0.0 ? f->params.streamer_size : streamer_spacing * length;
    WADI_CHECK(f->context, size >= streamer_least * cell, WADI_ERROR_RANGE,
               "streamer_size %g m does not suit cells of %g m: give %g m or more, or 0", size,
               cell, streamer_least * cell);
    flux_streamers* s;
    WADI_ALLOC(f->context, s, 1, "streamers");
    f->streamers = s;
    s->interval =
        f->params.streamer_life > 0.0 ? f->params.streamer_life : streamer_span * length * length;
    WADI_TRY(streamer_axis_create(f, &s->x, f->ground->width, size / cell, f->wrap_x));
    WADI_TRY(streamer_axis_create(f, &s->y, f->ground->height, size / cell, f->wrap_y));
    WADI_ALLOC(f->context, s->gusts, (int64_t)s->x.nodes * s->y.nodes, "streamers");
    return WADI_OK;
}

void wadi_flux_streamers_destroy(flux* f)
{
    flux_streamers* s = f->streamers;
    if (s != NULL)
    {
        wadi_free(f->context, s->x.node);
        wadi_free(f->context, s->x.weight);
        wadi_free(f->context, s->y.node);
        wadi_free(f->context, s->y.weight);
        wadi_free(f->context, s->gusts);
        wadi_free(f->context, s);
        f->streamers = NULL;
    }
}

// The last node of an axis that wraps is the first one.
static int32_t streamer_first(const flux_streamer_axis* axis, int32_t node)
{
    return axis->wraps && node == axis->nodes - 1 ? 0 : node;
}

static float streamer_number(const flux* f, uint64_t node, uint32_t interval)
{
    const wadi_philox words =
        wadi_random(wadi_terrain_seed(f->terrain), f->stream, streamer_entity | node, interval);
    return 2.0f * wadi_unit_float(words.v[0]) - 1.0f;
}

void wadi_flux_streamers_blow(flux* f)
{
    flux_streamers* s = f->streamers;
    if (s == NULL)
    {
        return;
    }
    const double time = fmod(f->sand_passed / s->interval, 0x1p32);
    const double quarter = 1.5707963267948966 * (time - floor(time));
    const uint32_t interval = (uint32_t)time;
    const float fades = (float)(f->params.streamers * wadi_cos(quarter));
    const float comes = (float)(f->params.streamers * wadi_sin(quarter));
    for (int32_t y = 0; y < s->y.nodes; ++y)
    {
        for (int32_t x = 0; x < s->x.nodes; ++x)
        {
            const uint64_t node = (uint64_t)streamer_first(&s->y, y) * (uint64_t)s->x.nodes +
                                  (uint64_t)streamer_first(&s->x, x);
            s->gusts[(int64_t)y * s->x.nodes + x] = fades * streamer_number(f, node, interval) +
                                                    comes * streamer_number(f, node, interval + 1u);
        }
    }
}

// Excess of the stress in row y at two nodes of x.
typedef struct streamer_pair
{
    float here;
    float next;
} streamer_pair;

static streamer_pair streamer_between(const flux_streamers* s, int32_t node, int32_t y)
{
    const float* north = s->gusts + (int64_t)s->y.node[y] * s->x.nodes + node;
    const float* south = north + s->x.nodes;
    const float down = s->y.weight[y];
    return (streamer_pair){north[0] + down * (south[0] - north[0]),
                           north[1] + down * (south[1] - north[1])};
}

static inline float streamer_of(streamer_pair pair, float weight)
{
    const float gust = 1.0f + (pair.here + weight * (pair.next - pair.here));
    return gust > 0.0f ? gust : 0.0f;
}

float wadi_flux_streamer(const flux* f, int32_t x, int32_t y)
{
    const flux_streamers* s = f->streamers;
    return streamer_of(streamer_between(s, s->x.node[x], y), s->x.weight[x]);
}

const float* wadi_flux_streamer_row(const flux* f, int32_t y, const float* strength, float* out)
{
    if (f->streamers == NULL)
    {
        return strength;
    }
    const flux_streamer_axis* axis = &f->streamers->x;
    const int32_t width = f->ground->width;
    for (int32_t x = 0; x < width;)
    {
        const int32_t node = axis->node[x];
        const streamer_pair pair = streamer_between(f->streamers, node, y);
        for (; x < width && axis->node[x] == node; ++x)
        {
            out[x] = strength[x] * streamer_of(pair, axis->weight[x]);
        }
    }
    return out;
}
