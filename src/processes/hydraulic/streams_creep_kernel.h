// SPDX-License-Identifier: MIT
// Creep along lines: the law at faces, and the implicit solution of many lines side by side.
// Included by streams_kernel.c. Plain C without branches, so that compilers vectorise it.
#include "lockstep/lanes.h"
#include "processes/hydraulic/streams_kernels.h"

#include <math.h>

// Above this share of S_c the law goes on along its tangent.
#define CREEP_TANGENT 0.96f

// Largest correction of a difference of heights to fourth order, as a share of S_c times a cell.
// Beyond, at the face of one tall cell, the correction takes more than the cell stands above ground
// that keeps its level, and leaves a pit; at 16 it still does. At 2, which cliffs reach, the steps
// of runs from noise have other aspects: 16 of 20 meet all gates of looks, not 19.
#define CREEP_BEND 6.0f

// Height of a padded cell that is not there.
#define CREEP_WALL INT32_MAX

// ---- the law -----------------------------------------------------------------------------

typedef struct creep_face
{
    float conduct; // change of the flux by the difference of heights
    float flux;    // in units of the difference of heights
} creep_face;

// Flux down a difference of heights `along` the line, where the slope across is `across`; both as
// slope / S_c.
static inline creep_face creep_law(float along, float across, float hidden)
{
    const float along2 = along * along;
    const float s2 = along2 + across * across + hidden;
    const float s = sqrtf(s2);
    const float bounded = s2 < CREEP_TANGENT * CREEP_TANGENT ? s2 : CREEP_TANGENT * CREEP_TANGENT;
    const float ease = 1.0f / (1.0f - bounded);
    const float slope = (1.0f + bounded) * ease * ease; // of s / (1 - s2)
    const float beyond = s > CREEP_TANGENT ? s - CREEP_TANGENT : 0.0f;
    const float divisor = s > CREEP_TANGENT ? s : 1.0f;
    const float steep = (CREEP_TANGENT * ease + slope * beyond) / divisor;
    const float over = s > CREEP_TANGENT ? steep : ease;
    const float aligned = s2 > 1e-12f ? along2 / (s2 > 1e-12f ? s2 : 1.0f) : 0.0f;
    return (creep_face){slope * aligned + over * (1.0f - aligned), over * along};
}

static inline float creep_height(int32_t h, int32_t otherwise)
{
    return (float)(h == CREEP_WALL ? otherwise : h);
}

// A face whose explicit flux is more than its giver can spare conducts less. Without that, what the
// solution passes through a cell with thin cover piles up before it, and towers grow.
static inline creep_face creep_within(creep_face face, int32_t spare_p, int32_t spare_q)
{
    const float most = (float)(face.flux > 0.0f ? spare_p : spare_q);
    const float size = fabsf(face.flux);
    const bool over = size > most;
    const float share = over ? most / (over ? size : 1.0f) : 1.0f;
    return (creep_face){share * face.conduct, share * face.flux};
}

// The face between a cell p and the next of its line, q.
static inline creep_face creep_at(const creep_rates* r, const int32_t* p, ptrdiff_t ahead,
                                  ptrdiff_t aside, float ease_p, float ease_q)
{
    const int32_t* q = p + ahead;
    const int32_t hp = *p;
    const int32_t hq = *q;
    // across the line: mean of the slopes at both cells
    const float across = 0.25f * (creep_height(p[aside], hp) - creep_height(p[-aside], hp) +
                                  creep_height(q[aside], hq) - creep_height(q[-aside], hq));
    // fourth order for means of cells, where the cells beyond are there
    const float d0 = (float)(hp - hq);
    const float before = creep_height(p[-ahead], hp);
    const float after = creep_height(q[ahead], hq);
    const float c = (3.0f * d0 - (before - after)) * (1.0f / 12.0f);
    const float bend = CREEP_BEND / r->scale;
    const float limit = fabsf(d0) < bend ? fabsf(d0) : bend;
    const float along = d0 + (c > limit ? limit : c < -limit ? -limit : c);
    const float bend_p = before - 2.0f * (float)hp + (float)hq;
    const float bend_q = (float)hp - 2.0f * (float)hq + after;
    const float hidden = r->hidden * (bend_p * bend_p + bend_q * bend_q);
    const creep_face law = creep_law(along * r->scale, across * r->scale, hidden);
    const float ease = hp >= hq ? ease_p : ease_q; // of the giver
    return (creep_face){r->rate * ease * law.conduct, r->rate * ease * law.flux / r->scale};
}

static void creep_faces_kernel(const creep_run* run)
{
    const creep_rates rates = run->rates;
    const ptrdiff_t ahead = run->ahead;
    const ptrdiff_t aside = run->aside;
    const ptrdiff_t next = run->next;
    const int32_t* restrict h = run->h;
    const float* restrict ease = run->ease;
    const int32_t* restrict spare = run->spare;
    const int32_t* restrict water = run->water;
    float* restrict conduct = run->conduct;
    float* restrict flux = run->flux;
#pragma omp simd
    for (int32_t i = 0; i < run->count; ++i)
    {
        const int32_t hp = h[i];
        const int32_t hq = h[i + ahead];
        creep_face face = creep_at(&rates, h + i, ahead, aside, ease[i], ease[i + next]);
        // loose matter on the bed of a lake
        const bool wet = (water[i] > 0) & (water[i + next] > 0);
        face.conduct = wet ? rates.mud : face.conduct;
        face.flux = wet ? rates.mud * (float)(hp - hq) : face.flux;
        face = creep_within(face, spare[i], spare[i + next]);
        const bool shut =
            (hp == CREEP_WALL) | (hq == CREEP_WALL) | ((hp < rates.sea) & (hq < rates.sea));
        conduct[i] = shut ? 0.0f : face.conduct;
        flux[i] = shut ? 0.0f : face.flux;
    }
}

// ---- lines -------------------------------------------------------------------------------

// One row of the elimination, of cell `at` of all lanes. `cut` is the conductance of the face at
// which periodic lines are cut.
static inline void creep_eliminate(const creep_lines* a, int32_t at, const float* cut)
{
    const int32_t last = a->count - 1;
    const int64_t row = (int64_t)at * CREEP_LANES;
    const int64_t behind = at > 0 ? row - CREEP_LANES : (int64_t)last * CREEP_LANES;
    const uint8_t* restrict fixed = a->fixed + at * a->fixed_step;
    const float* restrict conduct = a->conduct + row;
    const float* restrict flux = a->flux + row;
    const float* restrict flux_in = at > 0 ? a->flux + behind : a->enters;
    const float* restrict back = at > 0 ? a->conduct + behind : cut;
    float* restrict upper = a->upper + row;
    float* restrict right = a->right + row;
    const float* before = at > 0 ? a->upper + behind : cut; // unused in the first row
    const float* right_before = at > 0 ? a->right + behind : cut;
    const float couples = at > 0 ? 1.0f : 0.0f;
    const float ends = a->wraps && (at == 0 || at == last) ? 1.0f : 0.0f;
    float pivot[CREEP_LANES];
    float lower[CREEP_LANES];
#pragma omp simd
    for (int32_t i = 0; i < a->lanes; ++i)
    {
        const bool held = fixed[i] == CREEP_FIXED;
        lower[i] = held ? 0.0f : couples * back[i];
        // the cut: corners of the matrix move to its ends
        const float diagonal = 1.0f + back[i] + conduct[i] + ends * cut[i];
        pivot[i] = held ? 1.0f : diagonal - lower[i] * before[i];
        const float source = held ? 0.0f : flux_in[i] - flux[i];
        upper[i] = held ? 0.0f : conduct[i] / pivot[i];
        right[i] = (source + lower[i] * right_before[i]) / pivot[i];
    }
    for (int32_t i = 0; i < a->lanes && a->wraps; ++i)
    {
        const float corner = fixed[i] == CREEP_FIXED ? 0.0f : ends * cut[i];
        const float wrap_before = at > 0 ? a->wrap[behind + i] : 0.0f;
        a->wrap[row + i] = (corner + lower[i] * wrap_before) / pivot[i];
    }
}

static inline void creep_substitute(const creep_lines* a, float* values)
{
    for (int32_t at = a->count - 2; at >= 0; --at)
    {
        float* restrict here = values + (int64_t)at * CREEP_LANES;
        const float* restrict ahead = here + CREEP_LANES;
        const float* restrict upper = a->upper + (int64_t)at * CREEP_LANES;
#pragma omp simd
        for (int32_t i = 0; i < a->lanes; ++i)
        {
            here[i] += upper[i] * ahead[i];
        }
    }
}

// Solve the tridiagonal systems (1 + r- + r+) x - r- x- - r+ x+ = q- - q+, whose fixed cells stay.
// A periodic line is cut before its first cell; the cut adds a second right-hand side (Sherman &
// Morrison 1950).
static void creep_solve_kernel(const creep_lines* a)
{
    const int64_t last = (int64_t)(a->count - 1) * CREEP_LANES;
    float cut[CREEP_LANES] = {0};
    for (int32_t i = 0; i < a->lanes && a->wraps; ++i)
    {
        cut[i] = a->conduct[last + i];
    }
    for (int32_t at = 0; at < a->count; ++at)
    {
        creep_eliminate(a, at, cut);
    }
    creep_substitute(a, a->right);
    if (!a->wraps)
    {
        return;
    }
    creep_substitute(a, a->wrap);
    float scale[CREEP_LANES] = {0};
    for (int32_t i = 0; i < a->lanes; ++i)
    {
        const float ends = a->right[i] + a->right[last + i];
        scale[i] = cut[i] > 0.0f ? ends / (1.0f - (a->wrap[i] + a->wrap[last + i])) : 0.0f;
    }
    for (int32_t at = 0; at < a->count; ++at)
    {
        for (int32_t i = 0; i < a->lanes; ++i)
        {
            const int64_t k = (int64_t)at * CREEP_LANES + i;
            a->right[k] += scale[i] * a->wrap[k];
        }
    }
}

// ---- whole units -------------------------------------------------------------------------

static inline int32_t creep_whole(float flux, float most)
{
    const float high = lanes_pickf(-(flux > most), most, flux);
    const float bounded = lanes_pickf(-(high < -most), -most, high) + 0.5f;
    const int32_t cut = (int32_t)bounded; // towards 0; one less below 0
    return cut - ((float)cut > bounded);
}

static void creep_round_kernel(int32_t count, float most, const float* restrict conduct,
                               const float* restrict flux, const float* change, const float* next,
                               int32_t* restrict out)
{
#pragma omp simd
    for (int32_t i = 0; i < count; ++i)
    {
        out[i] = creep_whole(0.5f * (flux[i] + conduct[i] * (change[i] - next[i])), most);
    }
}

static void creep_bound_kernel(int32_t count, const int32_t* spare, const int32_t* next,
                               int32_t* restrict flux)
{
#pragma omp simd
    for (int32_t i = 0; i < count; ++i)
    {
        const int32_t most = spare[i];
        const int32_t least = -next[i];
        const int32_t high = flux[i] < most ? flux[i] : most;
        flux[i] = high > least ? high : least;
    }
}
