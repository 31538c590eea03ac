// SPDX-License-Identifier: MIT
// Passes of a step of the runner (docs/runner.md). Loops without branches over rows of a tile.
#include "lockstep/lanes.h"
#include "processes/landslide/runner_kernels.h"

#include <math.h>

static const float runner_gravity = 9.81f;

static LANES_INLINE float runner_higher(float a, float b)
{
    return a > b ? a : b;
}

static LANES_INLINE float runner_lower(float a, float b)
{
    return a < b ? a : b;
}

// Difference of two heights, which may lie 65 km apart.
static LANES_INLINE float runner_apart(const int32_t* h, ptrdiff_t a, ptrdiff_t b)
{
    return (float)(int32_t)((uint32_t)h[a] - (uint32_t)h[b]);
}

// Slopes along and across the edge between i and j; `side` leads to the neighbours across.
typedef struct runner_slopes
{
    float along;
    float across;
    float cos2; // of the slope
} runner_slopes;

static LANES_INLINE runner_slopes runner_slopes_at(const runner_planes* p, const runner_step* s,
                                                   ptrdiff_t i, ptrdiff_t j, ptrdiff_t side)
{
    const float along = runner_apart(p->bed, j, i) * s->slope;
    const float across =
        (runner_apart(p->bed, i + side, i - side) + runner_apart(p->bed, j + side, j - side)) *
        (0.25f * s->slope);
    return (runner_slopes){along, across, 1.0f / (1.0f + along * along + across * across)};
}

// Gravity and the centripetal acceleration, both normal to the ground.
static LANES_INLINE float runner_normal(const runner_planes* p, ptrdiff_t i, ptrdiff_t j)
{
    return runner_higher(runner_gravity + 0.5f * (p->bend[i] + p->bend[j]), 0.0f);
}

// ---- 1: gravity, pressure, advection -----------------------------------------------------

static LANES_INLINE float runner_drive(const runner_planes* p, const runner_step* s, ptrdiff_t i,
                                       ptrdiff_t j, ptrdiff_t side)
{
    const runner_slopes z = runner_slopes_at(p, s, i, j, side);
    const float along = runner_apart(p->mass, j, i) * s->slope;
    const float across =
        (runner_apart(p->mass, i + side, i - side) + runner_apart(p->mass, j + side, j - side)) *
        (0.25f * s->slope);
    const float tilt = (z.along * along + z.across * across) * z.cos2;
    return -z.cos2 * (runner_normal(p, i, j) * z.along + runner_gravity * (along - z.along * tilt));
}

// Velocity mixed with that of the flow that comes over the four sides of the edge's volume: upwind,
// conserving momentum (Stelling & Duinmeijer 2003). `w` is a plane of velocities along, `q` the
// flow along and `r` the flow across.
static LANES_INLINE float runner_advect(const runner_planes* p, const runner_step* s,
                                        const float* w, const int32_t* q, const int32_t* r,
                                        ptrdiff_t i, ptrdiff_t j, ptrdiff_t side)
{
    const ptrdiff_t back = i - (j - i);
    const float half = 0.5f * s->carry;
    const float rear = runner_higher((float)(q[back] + q[i]) * half, 0.0f);
    const float fore = runner_higher((float)(q[i] + q[j]) * -half, 0.0f);
    const float left = runner_higher((float)(r[i - side] + r[j - side]) * half, 0.0f);
    const float right = runner_higher((float)(r[i] + r[j]) * -half, 0.0f);
    const float thick = runner_higher(0.5f * ((float)p->mass[i] + (float)p->mass[j]), 1.0f);
    const float sum = runner_higher(rear + fore + left + right, thick);
    const float here = w[i];
    return here + (rear * (w[back] - here) + fore * (w[j] - here) + left * (w[i - side] - here) +
                   right * (w[i + side] - here)) /
                      sum;
}

static LANES_INLINE float runner_push_edge(const runner_planes* p, const runner_step* s,
                                           const float* w, const int32_t* q, const int32_t* r,
                                           ptrdiff_t i, ptrdiff_t j, ptrdiff_t side)
{
    const float kept = 1.0f - 0.5f * (p->added[i] + p->added[j]);
    const float next =
        kept * runner_advect(p, s, w, q, r, i, j, side) + s->step * runner_drive(p, s, i, j, side);
    const int32_t from = p->mass[i] >= p->least[i];
    const int32_t back = p->mass[j] >= p->least[j];
    const float gives = next > 0.0f ? (float)from : (float)back;
    return next * gives * p->gate[i] * p->gate[j];
}

static void runner_push_kernel(const runner_planes* p, const runner_step* s, ptrdiff_t first,
                               int32_t count)
{
    const runner_planes at = *p;
    const runner_step law = *s;
    for (int32_t row = 0; row < RUNNER_TILE_HEIGHT; ++row)
    {
        const ptrdiff_t start = first + row * at.stride;
#pragma omp simd
        for (int32_t x = 0; x < count; ++x)
        {
            const ptrdiff_t i = start + x;
            at.rub[i] = at.mixed[i];
            at.us[i] = runner_push_edge(&at, &law, at.u, at.qx, at.qy, i, i + 1, at.stride);
            at.vs[i] = runner_push_edge(&at, &law, at.v, at.qy, at.qx, i, i + at.stride, 1);
        }
    }
}

// ---- 2: friction -------------------------------------------------------------------------

// An edge stands where friction would turn its motion back within the step.
static LANES_INLINE float runner_rub_edge(const runner_planes* p, const runner_step* s,
                                          const float* along, const float* across, ptrdiff_t i,
                                          ptrdiff_t j, ptrdiff_t side, float* fast)
{
    const runner_slopes z = runner_slopes_at(p, s, i, j, side);
    const float w = along[i];
    const float v = 0.25f * (across[i - side] + across[i] + across[j - side] + across[j]);
    const float rise = w * z.along + v * z.across;
    const float speed = sqrtf(w * w + v * v + rise * rise);
    const float here = (float)p->mass[i];
    const float there = (float)p->mass[j];
    const float rub = (p->rub[i] * here + p->rub[j] * there) / runner_higher(here + there, 1.0f);
    const float cosine = sqrtf(z.cos2);
    const float left = runner_higher(speed - s->step * rub * runner_normal(p, i, j) * cosine, 0.0f);
    const float thick = runner_higher((w > 0.0f ? here : there) * s->metre, 1e-4f);
    const float slowed = left / (1.0f + s->drag * left / (thick * cosine));
    const float next = w * slowed / runner_higher(speed, 1e-12f);
    const float limit = 0.9f / s->share;
    const float kept = runner_lower(runner_higher(next, -limit), limit);
    *fast = fabsf(kept) + fabsf(v) + sqrtf(runner_gravity * thick);
    return kept;
}

static void runner_rub_kernel(const runner_planes* p, const runner_step* s, ptrdiff_t first,
                              int32_t count, float* fastest, float* moving)
{
    const runner_planes at = *p;
    const runner_step law = *s;
    for (int32_t row = 0; row < RUNNER_TILE_HEIGHT; ++row)
    {
        const ptrdiff_t start = first + row * at.stride;
#pragma omp simd
        for (int32_t x = 0; x < count; ++x)
        {
            const ptrdiff_t i = start + x;
            float across;
            float along;
            const float u = runner_rub_edge(&at, &law, at.us, at.vs, i, i + 1, at.stride, &across);
            const float v = runner_rub_edge(&at, &law, at.vs, at.us, i, i + at.stride, 1, &along);
            at.u[i] = u;
            at.v[i] = v;
            fastest[x] = runner_higher(fastest[x], runner_higher(across, along));
            moving[x] = runner_higher(moving[x], runner_higher(fabsf(u), fabsf(v)));
        }
    }
}

// ---- 3: flow -----------------------------------------------------------------------------

// Share of the wanted flow out of a cell that it can give; 0.999 pays for rounding.
static LANES_INLINE float runner_grant(const runner_planes* p, const runner_step* s, ptrdiff_t i)
{
    const float out = (runner_higher(p->u[i], 0.0f) + runner_higher(-p->u[i - 1], 0.0f) +
                       runner_higher(p->v[i], 0.0f) + runner_higher(-p->v[i - p->stride], 0.0f)) *
                      s->share;
    return out > 0.999f ? 0.999f / out : 1.0f;
}

static LANES_INLINE int32_t runner_flow_edge(const runner_planes* p, const runner_step* s, float w,
                                             ptrdiff_t i, ptrdiff_t j, float here, float there)
{
    const float mass = w > 0.0f ? (float)p->mass[i] : (float)p->mass[j];
    const float grant = w > 0.0f ? here : there;
    return (int32_t)(mass * (w * s->share * grant));
}

// Ground entrained in the step [units] (RAMMS: Frank et al. 2015): a potential depth that grows
// with the shear stress, reached at a limited rate.
static LANES_INLINE int32_t runner_entrain(const runner_planes* p, const runner_step* s,
                                           ptrdiff_t i, float cos2)
{
    const float stress = s->weight * p->rub[i] * (float)p->mass[i] * cos2 + s->blast * p->fast[i];
    const float may = (stress - s->threshold) * s->potential - (float)p->worn[i];
    const float soil = (float)p->soil[i] * 0.999999f; // rounding never takes more than there is
    const float take = runner_lower(runner_lower(may, soil), s->rate);
    const int32_t moves = (p->fast[i] > 1e-6f) & (p->mass[i] >= p->least[i]);
    return (int32_t)runner_higher(take * (float)moves, 0.0f);
}

// Speed, the centripetal acceleration u^2 z_xx + 2 u v z_xy + v^2 z_yy of the ground smoothed
// across, and entrainment.
static LANES_INLINE void runner_meet_ground(const runner_planes* p, const runner_step* s,
                                            ptrdiff_t i)
{
    const ptrdiff_t n = p->stride;
    const float nw = runner_apart(p->bed, i - n - 1, i);
    const float ne = runner_apart(p->bed, i - n + 1, i);
    const float sw = runner_apart(p->bed, i + n - 1, i);
    const float se = runner_apart(p->bed, i + n + 1, i);
    const float north = runner_apart(p->bed, i - n, i);
    const float south = runner_apart(p->bed, i + n, i);
    const float west = runner_apart(p->bed, i - 1, i);
    const float east = runner_apart(p->bed, i + 1, i);
    const float corners = 0.25f * (nw + ne + sw + se);
    const float cross = 0.5f * (west + east - north - south);
    const float xy = 0.25f * (nw + se - ne - sw);
    const float u = 0.5f * (p->u[i - 1] + p->u[i]);
    const float v = 0.5f * (p->v[i - n] + p->v[i]);
    const float bend =
        (u * u * (corners + cross) + 2.0f * u * v * xy + v * v * (corners - cross)) * s->turn;
    p->bend[i] = runner_lower(runner_higher(bend, -runner_gravity), 3.0f * runner_gravity);
    const float zx = (east - west) * (0.5f * s->slope);
    const float zy = (south - north) * (0.5f * s->slope);
    const float rise = u * zx + v * zy;
    p->fast[i] = u * u + v * v + rise * rise;
    p->takes[i] = runner_entrain(p, s, i, 1.0f / (1.0f + zx * zx + zy * zy));
}

static void runner_flow_kernel(const runner_planes* p, const runner_step* s, ptrdiff_t first,
                               int32_t count)
{
    const runner_planes at = *p;
    const runner_step law = *s;
    float grant[RUNNER_TILE_HEIGHT + 1][RUNNER_RUN_WIDTH + 1];
    for (int32_t row = 0; row <= RUNNER_TILE_HEIGHT; ++row)
    {
        const ptrdiff_t start = first + row * at.stride;
#pragma omp simd
        for (int32_t x = 0; x < count; ++x)
        {
            grant[row][x] = runner_grant(&at, &law, start + x);
        }
        grant[row][count] = runner_grant(&at, &law, start + count);
    }
    for (int32_t row = 0; row < RUNNER_TILE_HEIGHT; ++row)
    {
        const ptrdiff_t start = first + row * at.stride;
#pragma omp simd
        for (int32_t x = 0; x < count; ++x)
        {
            const ptrdiff_t i = start + x;
            at.qx[i] =
                runner_flow_edge(&at, &law, at.u[i], i, i + 1, grant[row][x], grant[row][x + 1]);
            at.qy[i] = runner_flow_edge(&at, &law, at.v[i], i, i + at.stride, grant[row][x],
                                        grant[row + 1][x]);
            runner_meet_ground(&at, &law, i);
        }
    }
}

// ---- 4: thickness, friction, ground ------------------------------------------------------

// Friction of the flow that stays and of that which comes in, mixed by mass. Pore pressure drains
// the faster the thinner the flow is.
static LANES_INLINE float runner_mix(const runner_planes* p, const runner_step* s, ptrdiff_t i,
                                     float mass)
{
    const ptrdiff_t n = p->stride;
    const float west = runner_higher((float)p->qx[i - 1], 0.0f);
    const float east = runner_higher((float)-p->qx[i], 0.0f);
    const float north = runner_higher((float)p->qy[i - n], 0.0f);
    const float south = runner_higher((float)-p->qy[i], 0.0f);
    const float own = p->rub[i];
    const float mixed = own + (west * (p->rub[i - 1] - own) + east * (p->rub[i + 1] - own) +
                               north * (p->rub[i - n] - own) + south * (p->rub[i + n] - own)) /
                                  runner_higher(mass, 1.0f);
    const float thick = runner_higher(mass * s->metre, 1e-3f);
    const float dries = runner_lower(s->drain / (thick * thick), 1.0f);
    return mixed + runner_higher(s->drained - mixed, 0.0f) * dries;
}

static void runner_settle_kernel(const runner_planes* p, const runner_step* s, ptrdiff_t first,
                                 int32_t count)
{
    const runner_planes at = *p;
    const runner_step law = *s;
    for (int32_t row = 0; row < RUNNER_TILE_HEIGHT; ++row)
    {
        const ptrdiff_t start = first + row * at.stride;
#pragma omp simd
        for (int32_t x = 0; x < count; ++x)
        {
            const ptrdiff_t i = start + x;
            const int32_t came = at.qx[i - 1] - at.qx[i] + at.qy[i - at.stride] - at.qy[i];
            const int32_t mass = at.mass[i] + came + at.takes[i];
            const float high = (float)mass;
            at.mixed[i] = runner_mix(&at, &law, i, (float)(mass - at.takes[i]));
            at.added[i] = (float)at.takes[i] / runner_higher(high, 1.0f);
            at.mass[i] = mass;
            at.bed[i] -= at.takes[i];
            at.soil[i] -= at.takes[i];
            at.worn[i] += at.takes[i];
            at.depth[i] = runner_higher(at.depth[i], high);
            at.push[i] = runner_higher(at.push[i], at.fast[i]);
            at.dawn[i] = runner_lower(at.dawn[i], high >= law.arrival ? law.time : INFINITY);
        }
    }
}
