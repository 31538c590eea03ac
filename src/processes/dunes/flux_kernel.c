// SPDX-License-Identifier: MIT
// Row kernels as plain loops, which compilers vectorize. Equation numbers: docs/theory/dunes.md.
#include "core/float_order.h"
#include "processes/dunes/flux_kernels.h"
#include "terrain/ground.h"

static inline float flux_smaller(float a, float b)
{
    return a < b ? a : b;
}

static inline float flux_larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float flux_clamp(float x, float low, float high)
{
    return flux_smaller(flux_larger(x, low), high);
}

// Nearest whole number, halves away from zero: the same for a mirrored field.
static inline int32_t flux_round(float x)
{
    return (int32_t)(x + (x < 0.0f ? -0.5f : 0.5f));
}

// ---- levels and shelter --------------------------------------------------------------------

static void flux_row_level(const flux_level_row* row, float range[2])
{
    const int32_t* restrict rock = row->rock;
    const int32_t* restrict sand = row->sand;
    const float* restrict plants = row->plants;
    float* restrict level = row->level;
    float* restrict roof = row->roof;
    const int32_t base = row->base;
    const float unit = (float)(1.0 / WADI_UNITS_PER_METRE);
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        level[x] = (float)(rock[x] + sand[x] - base) * unit;
        roof[x] = level[x];
    }
    if (plants != NULL)
    {
#pragma omp simd
        for (int32_t x = 0; x < row->count; ++x)
        {
            roof[x] += plants[x];
        }
    }
    int32_t low = wadi_order_of_float(range[0]);
    int32_t high = wadi_order_of_float(range[1]);
#pragma omp simd reduction(min : low) reduction(max : high)
    for (int32_t x = 0; x < row->count; ++x)
    {
        const int32_t here = wadi_order_of_float(roof[x]);
        low = here < low ? here : low;
        high = here > high ? here : high;
    }
    range[0] = wadi_float_of_order(low);
    range[1] = wadi_float_of_order(high);
}

static void flux_row_mix(const flux_mix_row* row)
{
    const float* restrict near = row->near;
    const float* restrict far = row->far;
    float* restrict out = row->out;
    const float share = row->share;
    const float rest = 1.0f - share;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        out[x] = rest * near[x] + share * far[x];
    }
}

static void flux_row_raise(const flux_raise_row* row)
{
    const float* restrict here = row->here;
    const float* restrict from = row->from - row->shift;
    const float* restrict beside = from + row->beside;
    float* restrict out = row->out;
    const float share = row->share;
    const float rest = 1.0f - share;
    const float drop = row->drop;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        out[x] = flux_larger(here[x], rest * from[x] + share * beside[x] - drop);
    }
}

// For a span of a row: the two cells upwind of each cell between which a value is interpolated.
enum
{
    FLUX_LOOK_SPAN = 128
};
typedef struct flux_look_span
{
    int32_t first;
    int32_t count;
    int32_t near[FLUX_LOOK_SPAN];
    int32_t far[FLUX_LOOK_SPAN];
    float share[FLUX_LOOK_SPAN]; // weight of the far cell
    float drop[FLUX_LOOK_SPAN];  // [m]
} flux_look_span;

// Index of a row or column, wrapped once by `turn`; with turn 0 clamped to the edge.
static inline int32_t flux_place(int32_t at, int32_t count, int32_t turn)
{
    const int32_t after = at < 0 ? at + turn : at;
    const int32_t back = after >= count ? after - turn : after;
    const int32_t above = back > 0 ? back : 0;
    return above < count ? above : count - 1;
}

// Find the upwind cells of a span: whole cells along the major axis of each wind, interpolated
// along the minor axis. Offsets are relative to the cell, so its position on a torus changes no
// bit. Indices are computed instead of read from a table, since memory gathers dominate the cost.
static void flux_look_aim(const flux_look_row* row, flux_look_span* span)
{
    const flux_look_row r = *row;
    const float* restrict ex = r.ex + span->first;
    const float* restrict ey = r.ey + span->first;
    const float reach = (float)r.reach;
#pragma omp simd
    for (int32_t i = 0; i < span->count; ++i)
    {
        const float ax = ex[i] < 0.0f ? -ex[i] : ex[i];
        const float ay = ey[i] < 0.0f ? -ey[i] : ey[i];
        const float major = ax >= ay ? ex[i] : ey[i];
        const float minor = ax >= ay ? ey[i] : ex[i];
        const float per_cell = 1.0f / (ax >= ay ? ax : ay);
        const float off = -minor * (reach * per_cell);
        const int32_t towards = (int32_t)off;
        const int32_t side = off < (float)towards ? towards - 1 : towards; // a floor
        const int32_t main = major > 0.0f ? -r.reach : r.reach;
        const int32_t beside = ax >= ay ? 0 : 1; // 1: the far cell is to the east, else south
        const int32_t x = span->first + i + (ax >= ay ? main : side);
        const int32_t y = r.row + (ax >= ay ? side : main);
        span->near[i] =
            flux_place(y, r.height, r.turn_y) * r.stride + flux_place(x, r.count, r.turn_x);
        span->far[i] = flux_place(y + 1 - beside, r.height, r.turn_y) * r.stride +
                       flux_place(x + beside, r.count, r.turn_x);
        span->share[i] = off - (float)side;
        span->drop[i] = r.drop * per_cell;
    }
}

static void flux_row_trace(const flux_look_row* row)
{
    flux_look_span span;
    const float* restrict from = row->from;
    for (int32_t x = 0; x < row->count; x += FLUX_LOOK_SPAN)
    {
        span.first = x;
        span.count = row->count - x < FLUX_LOOK_SPAN ? row->count - x : FLUX_LOOK_SPAN;
        flux_look_aim(row, &span);
        const float* restrict here = row->here + x;
        float* restrict out = row->out + x;
#pragma omp simd
        for (int32_t i = 0; i < span.count; ++i)
        {
            const float share = span.share[i];
            const float seen = (1.0f - share) * from[span.near[i]] + share * from[span.far[i]];
            out[i] = flux_larger(here[i], seen - span.drop[i]);
        }
    }
}

// ---- smoothing -----------------------------------------------------------------------------

static void flux_row_across(const flux_across_row* row)
{
    const float* restrict a = row->from[0];
    const float* restrict b = row->from[1];
    const float* restrict c = row->from[2];
    const float* restrict d = row->from[3];
    const float* restrict e = row->from[4];
    float* restrict out = row->out;
    const flux_taps taps = row->taps;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        out[x] = taps.centre * c[x] + taps.side * (b[x] + d[x]) + taps.outer * (a[x] + e[x]);
    }
}

static void flux_row_along(const flux_along_row* row)
{
    const float* restrict a = row->from - 2 * row->spacing;
    const float* restrict b = row->from - row->spacing;
    const float* restrict c = row->from;
    const float* restrict d = row->from + row->spacing;
    const float* restrict e = row->from + 2 * row->spacing;
    float* restrict out = row->out;
    float* restrict sum = row->sum;
    const flux_taps taps = row->taps;
    const float weight = row->weight;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        out[x] = taps.centre * c[x] + taps.side * (b[x] + d[x]) + taps.outer * (a[x] + e[x]);
    }
    if (sum != NULL)
    {
#pragma omp simd
        for (int32_t x = 0; x < row->count; ++x)
        {
            sum[x] += weight * out[x];
        }
    }
}

// ---- shear ---------------------------------------------------------------------------------

// Second derivatives of a potential, in cells.
typedef struct flux_bend
{
    float xx;
    float yy;
    float xy;
} flux_bend;

static inline flux_bend flux_bend_at(const float* const rows[3], ptrdiff_t x)
{
    const float* n = rows[0] + x;
    const float* c = rows[1] + x;
    const float* s = rows[2] + x;
    const float middle = 2.0f * c[0];
    return (flux_bend){(c[-1] + c[1]) - middle, (n[0] + s[0]) - middle,
                       0.25f * ((s[1] + n[-1]) - (s[-1] + n[1]))};
}

// Height of a cell above the weighted mean of its neighbourhood: taps 1 2 1 along x and along y.
static inline float flux_standing_out(const float* const rows[3], ptrdiff_t x)
{
    const float* n = rows[0] + x;
    const float* c = rows[1] + x;
    const float* s = rows[2] + x;
    const float beside = (n[0] + s[0]) + (c[-1] + c[1]);
    const float corners = (n[-1] + s[1]) + (s[-1] + n[1]);
    return 0.75f * c[0] - (0.125f * beside + 0.0625f * corners);
}

// Bend across the wind of a straight ridge that lies obliquely, from the bends along the wind and
// twisted, and their sum `all`. A ridge with a bend K and an angle a to the wind has K cos2 a along
// it and K sin a cos a twisted, so this is K sin2 a, until the ridge lies along the wind; a heap
// has no twist.
static inline float flux_oblique(float along, float twist, float all)
{
    const float square = twist * twist;
    return square * all / ((along * along + square) + (0.05f * all * all + 1e-20f));
}

// Equations 4 to 6.
static void flux_row_shear(const flux_shear_row* row)
{
    const flux_shear_law law = *row->law;
    const float* const shape[3] = {row->shape[0], row->shape[1], row->shape[2]};
    const float* const deep[3] = {row->deep[0], row->deep[1], row->deep[2]};
    const float* const smooth[3] = {row->smooth[0], row->smooth[1], row->smooth[2]};
    const float* const level[3] = {row->level[0], row->level[1], row->level[2]};
    const float* restrict roof = row->roof;
    const float* restrict plants = row->plants;
    const float* restrict skin = row->skin;
    const float* restrict bond = row->bond;
    const float* restrict ex = row->ex;
    const float* restrict ey = row->ey;
    const float* restrict strength = row->strength;
    float* restrict stress = row->stress;
    float* restrict drift = row->drift;
    int32_t* restrict capacity = row->capacity;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const flux_bend b = flux_bend_at(shape, x);
        const flux_bend d = flux_bend_at(deep, x);
        const float xx = ex[x] * ex[x];
        const float yy = ey[x] * ey[x];
        const float xy = ex[x] * ey[x];
        const float along = (xx * b.xx + yy * b.yy) + 2.0f * (xy * b.xy);
        const float aside = (yy * b.xx + xx * b.yy) - 2.0f * (xy * b.xy);
        const float twist = xy * (b.yy - b.xx) + (xx - yy) * b.xy;
        const float bend = along + law.across * flux_oblique(along, twist, along + aside);
        const float across = xy * (d.yy - d.xx) + (xx - yy) * d.xy;
        const float rise = ex[x] * (0.5f * (smooth[1][x + 1] - smooth[1][x - 1])) +
                           ey[x] * (0.5f * (smooth[2][x] - smooth[0][x]));
        const float lull = 1.0f - law.shelter * (roof[x] - level[1][x] - plants[x]);
        const float open = flux_larger(lull, 0.0f) * flux_larger(lull, 0.0f);
        const float out = law.exposure * flux_standing_out(level, x);
        const float bare =
            flux_clamp(1.0f - law.gain * bend + law.lead * rise + out, 0.0f, law.cap);
        const float tau = bare * open * skin[x];
        const float turn = flux_clamp(-law.deflection * across, -0.5f, 0.5f);
        const float local = strength[x] * tau;
        const float excess = flux_larger(local - law.threshold * bond[x], 0.0f);
        stress[x] = local;
        drift[x] = turn * (open * skin[x]) / flux_larger(tau, 0.3f);
        capacity[x] = (int32_t)(law.saturated * excess + 0.5f);
    }
}

// ---- the load ------------------------------------------------------------------------------

// Equation 8: the outflow of a cell, forward and backward. Both are rounded down, and the rest
// stays in the cell.
static void flux_row_parts(const flux_parts_row* row)
{
    const int32_t* restrict load = row->load;
    const float* restrict e = row->e;
    int32_t* restrict forward = row->forward;
    int32_t* restrict back = row->back;
    const float path = row->path;
    const float spread = row->spread;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const float c = path * e[x];
        const float both = spread + c * c;
        const float amount = (float)load[x];
        forward[x] = (int32_t)(0.5f * (both + c) * amount);
        back[x] = (int32_t)(0.5f * (both - c) * amount);
    }
}

static void flux_row_gather(const flux_gather_row* row)
{
    const int32_t* restrict load = row->load;
    const int32_t* forward = row->forward;
    const int32_t* back = row->back;
    const int32_t* behind = row->from_behind;
    const int32_t* ahead = row->from_ahead;
    int32_t* restrict out = row->out;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        out[x] = (load[x] - (forward[x] + back[x])) + (behind[x] + ahead[x]);
    }
}

// The load that arrives, summed over both passes.
static void flux_note_arrival(const flux_settle_row* row)
{
    const int32_t* restrict load = row->load;
    int32_t* restrict arrived = row->arrived;
    const int32_t keep = row->pass == 0 ? 0 : 1;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        arrived[x] = keep * arrived[x] + load[x];
    }
}

// Equation 10: grains that arrive make the sand creep, also where they all settle. Among plants and
// on wet sand they stick in the share in which these reduce the stress or raise the threshold, and
// then only those that stay in the air make it creep.
static void flux_note_creep(const flux_settle_row* row)
{
    const int32_t* restrict load = row->load;
    const float* restrict skin = row->skin;
    const float* restrict bond = row->bond;
    int32_t* restrict arrived = row->arrived;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const float loose = skin[x] / bond[x];
        arrived[x] = load[x] + (int32_t)(loose * (float)((arrived[x] >> 1) - load[x]));
    }
}

// The same where a crust, coarse grains or moisture hold the sand: it is lifted up to one capacity,
// and settles down to another.
static void flux_settle_held(const flux_settle_row* row)
{
    const int32_t* restrict capacity = row->capacity;
    const int32_t* restrict lift = row->lift;
    const int32_t* restrict supply = row->supply;
    const int32_t* restrict sand = row->sand;
    int32_t* restrict load = row->load;
    int32_t* restrict change = row->change;
    const float share = row->share;
    const float hard = row->hard;
    const float cover = row->cover;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const float rock = hard * flux_larger(1.0f - cover * (float)sand[x], 0.0f);
        const int32_t most_held = capacity[x] + (int32_t)(rock * (float)capacity[x]);
        const int32_t loss = flux_round((float)(most_held - load[x]) * share);
        const int32_t gain = flux_round((float)(lift[x] - load[x]) * share);
        const int32_t half = sand[x] / 2;
        const int32_t most = half < supply[x] ? half : supply[x];
        const int32_t lifted = gain < most ? gain : most;
        const int32_t laid = loss > -load[x] ? loss : -load[x];
        const int32_t delta = gain > 0 ? lifted : (laid < 0 ? laid : 0);
        load[x] += delta;
        change[x] = -delta;
    }
}

// Equation 9. At most half of the sand is lifted at once. Over bare rock the wind holds more.
static void flux_settle_loose(const flux_settle_row* row)
{
    const int32_t* restrict capacity = row->capacity;
    const int32_t* restrict sand = row->sand;
    int32_t* restrict load = row->load;
    int32_t* restrict change = row->change;
    const float share = row->share;
    const float hard = row->hard;
    const float cover = row->cover;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const float bare = hard * flux_larger(1.0f - cover * (float)sand[x], 0.0f);
        const int32_t most_held = capacity[x] + (int32_t)(bare * (float)capacity[x]);
        const int32_t gain = flux_round((float)(most_held - load[x]) * share);
        const int32_t most = sand[x] / 2;
        const int32_t lifted = gain < most ? gain : most;
        const int32_t delta = lifted > -load[x] ? lifted : -load[x];
        load[x] += delta;
        change[x] = -delta;
    }
}

static void flux_row_settle(const flux_settle_row* row)
{
    flux_note_arrival(row);
    if (row->lift != NULL)
    {
        flux_settle_held(row);
    }
    else
    {
        flux_settle_loose(row);
    }
    if (row->pass == 1)
    {
        flux_note_creep(row);
    }
}

// ---- creep ---------------------------------------------------------------------------------

// Equations 10 and 11. Creep and drift are upwinded separately: each reads the load of the cell
// that it comes from. A common upwind direction suppressed the weaker of two opposed fluxes, which
// grew a checkerboard of 0.1 m on windward slopes.
static void flux_row_creep(const flux_creep_row* row)
{
    const flux_creep_law law = *row->law;
    const flux_bank a = row->near;
    const flux_bank b = row->far;
    int32_t* restrict flux = row->flux;
    const float turn = 0.5f * row->turn;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const float near = (float)a.load[x];
        const float far = (float)b.load[x];
        const float most_near = FLUX_MOST_ROLLS * a.sand[x];
        const float most_far = FLUX_MOST_ROLLS * b.sand[x];
        const float fall = law.slope * (a.level[x] - b.level[x]);
        const float drift = turn * (a.drift[x] * a.e[x] + b.drift[x] * b.e[x]);
        const float down = law.amount * flux_smaller(fall > 0.0f ? near : far, law.most) * fall;
        const float aside = law.amount * (drift > 0.0f ? near : far) * drift;
        flux[x] = (int32_t)flux_clamp(down, -most_far, most_near) +
                  (int32_t)flux_clamp(aside, -most_far, most_near);
    }
}

// ---- abrasion --------------------------------------------------------------------------------

// Share of the grains that fly at `heights` times the height of their cloud: (1 + x / 16)^-16.
static inline float flux_aloft_share(float heights)
{
    const float x = 1.0f + 0.0625f * flux_larger(heights, 0.0f);
    const float x4 = (x * x) * (x * x);
    return 1.0f / ((x4 * x4) * (x4 * x4));
}

// Equation 13: wear grows with exposure and convexity. Grains strike a windward face from its foot
// up, so the face is worn by those that fly at its foot.
// True if sand covers all rock of the cells [begin, end): nothing wears there.
static inline bool flux_is_covered(const flux_wear_row* row, int32_t begin, int32_t end)
{
    const int32_t* restrict sand = row->sand;
    const float cover = row->law->cover;
    int32_t bare = 0;
#pragma omp simd reduction(| : bare)
    for (int32_t x = begin; x < end; ++x)
    {
        bare |= cover * (float)sand[x] < 1.0f ? 1 : 0;
    }
    return bare == 0;
}

// Wear of the cells [begin, end).
static inline float flux_wear_cells(const flux_wear_row* row, int32_t begin, int32_t end)
{
    const flux_wear_law law = *row->law;
    const float* north = row->level[0];
    const float* here = row->level[1];
    const float* south = row->level[2];
    const float* restrict floor = row->floor;
    const int32_t* restrict sand = row->sand;
    const int32_t* restrict load = row->load;
    const float* restrict stress = row->stress;
    const float* restrict ex = row->ex;
    const float* restrict ey = row->ey;
    float* restrict due = row->due;
    int32_t most = 0; // in the order of floats
#pragma omp simd reduction(max : most)
    for (int32_t x = begin; x < end; ++x)
    {
        const float rise = 0.5f * law.per_cell *
                           (ex[x] * (here[x + 1] - here[x - 1]) + ey[x] * (south[x] - north[x]));
        const float around = (north[x] + south[x]) + (here[x - 1] + here[x + 1]);
        const float convex = flux_clamp(law.per_cell * (4.0f * here[x] - around), 0.0f, 1.0f);
        const float bare = flux_larger(1.0f - law.cover * (float)sand[x], 0.0f);
        const float face = flux_larger(rise, 0.0f);
        const float above = law.above * (here[x] - floor[x]);
        const float top = flux_aloft_share(above);
        const float foot = flux_aloft_share(above - law.above * face / law.per_cell);
        const float strikes = stress[x] * (0.15f * top + face * foot);
        due[x] += law.rate * (float)load[x] * bare * strikes * (1.0f + law.edge * convex);
        const int32_t worn = wadi_order_of_float(due[x]);
        most = worn > most ? worn : most;
    }
    return wadi_float_of_order(most);
}

static float flux_row_wear(const flux_wear_row* row)
{
    float most = 0.0f;
    for (int32_t begin = 0; begin < row->count; begin += FLUX_WEAR_CELLS)
    {
        const int32_t rest = row->count - begin;
        const int32_t end = begin + (rest < FLUX_WEAR_CELLS ? rest : FLUX_WEAR_CELLS);
        if (!flux_is_covered(row, begin, end))
        {
            const float worn = flux_wear_cells(row, begin, end);
            most = worn > most ? worn : most;
        }
    }
    return most;
}

#define FLUX_KERNELS                                                                               \
    {                                                                                              \
        flux_row_level, flux_row_mix, flux_row_raise, flux_row_trace, flux_row_across,             \
            flux_row_along, flux_row_shear, flux_row_parts, flux_row_gather, flux_row_settle,      \
            flux_row_creep, flux_row_wear                                                          \
    }

const flux_kernels WADI_ISA_BUILD(flux_kernels) = FLUX_KERNELS;
