// SPDX-License-Identifier: MIT
// Bends that grow, migrate and are cut off by themselves (path free). The course is a chain of
// points. Each moves across the river at the speed of Howard & Knutson (1984): the sum of the local
// curvature and a weighted mean of curvatures upstream, whose weights fall off exponentially. This
// is the response of the flow in the theory of Ikeda, Parker & Sawai (1981). From a small
// perturbation bends of a certain length grow, become skewed upstream, and meet at their necks.
//
// Time is counted in units in which a bend of one width's curvature would move by one width.
#include "processes/riverbed/graded_free.h"

#include "core/dmath.h"
#include "core/internal.h"
#include "core/random.h"

#include <math.h>

static const double free_pi = 3.14159265358979323846;

static const double free_local = -1.0;   // weight of the local curvature (Howard & Knutson 1984)
static const double free_upstream = 2.5; // and of the mean upstream, likewise
// Bends whose double length is this many decay lengths grow fastest: 2 pi over the wave number at
// which k2 (2.5 / (1 + k2) - 1) is largest.
static const double free_fastest = 8.26;
// Speed of a long bend with a radius of 2.5 widths [widths per unit of time].
static const double free_speed = 0.6;
static const double free_sharpest = 0.5; // curvature at which the response saturates [1/width]
static const double free_step = 0.08;    // [units of time]; points half a width apart stay stable
static const double free_far = 1.0;      // points further apart get one between [widths]
static const double free_close = 0.45;   // of closer ones the second is deleted
static const double free_neck = 1.3;     // a neck as narrow as this is cut through [widths]
static const double free_loop = 4.0;     // shortest loop [widths]
static const double free_chute = 5.0;    // longest chute [widths]
static const double free_inlet = 0.9;    // largest angle at which a river enters [radian]
static const double free_beyond = 10.0;  // a chain extends so far beyond the terrain [widths]
static const double free_still = 0.06;   // share of the batches that run on the last course

// A family of wavelengths, in multiples of `bend_length`, and their amplitudes.
enum
{
    FREE_WAVES = 4
};
static const double free_waves[FREE_WAVES] = {1.0, 0.62, 1.47, 2.3};
static const double free_heights[FREE_WAVES] = {1.0, 0.6, 0.7, 0.5};

static riverbed_point free_between(riverbed_point a, riverbed_point b, double share)
{
    return (riverbed_point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

static double free_apart(riverbed_point a, riverbed_point b)
{
    return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

static const graded_axis* free_axis(const graded_river* river, const graded_point* point)
{
    return &river->axis[point->axis];
}

static double free_width(const graded_free* run, const graded_point* point)
{
    return free_axis(run->river, point)->width / run->graded->ground->cell_size;
}

// Rivers on slopes over 0.03 are straight, as in graded_axis.c.
static double free_gentle(const graded_free* run, int32_t i)
{
    const graded_river* river = run->river;
    const graded_land* land = &run->graded->land;
    const int32_t reach = (int32_t)(3.0 * river->axis[i].width / river->spacing);
    const int32_t from = i > reach ? i - reach : 0;
    const int32_t to = i + reach < river->axis_count ? i + reach : river->axis_count - 1;
    const double fall = wadi_graded_land_at(land, land->broad, river->axis[from].at) -
                        wadi_graded_land_at(land, land->broad, river->axis[to].at);
    const double slope = to > from ? fall / ((to - from) * river->spacing) / 0.035 : 0.0;
    return 1.0 / (1.0 + slope * slope * slope * slope);
}

// ---- time --------------------------------------------------------------------------------

double wadi_graded_free_units(const wadi_graded* graded)
{
    return graded->params.migration / free_speed / graded->params.batches;
}

bool wadi_graded_free_moves(const wadi_graded* graded, int32_t batch)
{
    return batch > 0 && batch < (1.0 - free_still) * graded->params.batches;
}

// A sum of sines of a place or time [double bends], in -1..1. Phases are random; `quarter` shifts
// all waves by a quarter, from sines to cosines.
static double free_family(const graded_free* run, double phase, double quarter)
{
    const wadi_graded* graded = run->graded;
    double sum = 0.0;
    double most = 0.0;
    for (int i = 0; i < FREE_WAVES; ++i)
    {
        const wadi_philox words =
            wadi_random(wadi_terrain_seed(graded->terrain), graded->stream,
                        (uint64_t)1 << 40 | (uint64_t)i, (uint32_t)run->river->number);
        const double height = i == 0 ? 1.0 : graded->params.irregularity * free_heights[i];
        const double shift = (double)wadi_unit_float(words.v[0]);
        const double turns = phase / free_waves[i] + shift + 0.25 * quarter;
        sum += height * wadi_sin(2.0 * free_pi * (turns - floor(turns)));
        most += height;
    }
    return sum / most;
}

// ---- the first course --------------------------------------------------------------------

static void free_add(graded_river* river, riverbed_point at, int32_t axis)
{
    if (river->chain_count < river->chain_capacity)
    {
        river->chain[river->chain_count++] = (graded_point){.at = at, .axis = axis};
    }
}

// Distance of a point from the axis, to the right [widths].
static double free_aside(const graded_free* run, riverbed_point at, const graded_axis* axis)
{
    const double aside = axis->along.x * (at.y - axis->at.y) - axis->along.y * (at.x - axis->at.x);
    return aside * run->graded->ground->cell_size / axis->width;
}

// Points along the axis, with a deviation of at most 15 degrees that has all wavelengths.
static void free_begin(const graded_free* run)
{
    graded_river* river = run->river;
    const double cell = run->graded->ground->cell_size;
    const int32_t stride = GRADED_NODES / 2;
    const double step = stride * river->spacing / cell;
    riverbed_point at = river->axis[0].at;
    river->chain_count = 0;
    for (int32_t i = 0; i < river->axis_count; i += stride)
    {
        const graded_axis* axis = &river->axis[i];
        const double along = i * river->spacing / (run->graded->params.bend_length * axis->width);
        const double turn = 0.26 * free_gentle(run, i) * free_family(run, along, 0.0) -
                            0.3 * graded_clamp(free_aside(run, at, axis), -1.0, 1.0);
        const double c = wadi_cos(turn);
        const double s = wadi_sin(turn);
        free_add(river, at, i);
        at.x += step * (axis->along.x * c - axis->along.y * s);
        at.y += step * (axis->along.y * c + axis->along.x * s);
    }
    // straight on beyond the side
    const graded_axis* last = &river->axis[river->axis_count - 1];
    const double width = last->width / cell;
    const double rest = river->into >= 0 ? 0.0 : free_beyond * width;
    double out = 0.0;
    while (out < rest && river->chain_count < river->chain_capacity)
    {
        free_add(river, at, river->axis_count - 1);
        at.x += step * last->along.x;
        at.y += step * last->along.y;
        out += graded_cell_at(run->graded->ground, at) >= 0 ? 0.0 : step;
    }
}

// ---- migration ---------------------------------------------------------------------------

// Nearest points of the axis, which go downstream only.
static void free_locate(const graded_free* run)
{
    graded_river* river = run->river;
    int32_t here = 0;
    for (int32_t i = 0; i < river->chain_count; ++i)
    {
        const int32_t last = here + 3 * GRADED_NODES;
        double nearest = HUGE_VAL;
        for (int32_t k = here; k < river->axis_count && k <= last; ++k)
        {
            const double dx = river->chain[i].at.x - river->axis[k].at.x;
            const double dy = river->chain[i].at.y - river->axis[k].at.y;
            if (dx * dx + dy * dy < nearest)
            {
                nearest = dx * dx + dy * dy;
                here = k;
            }
        }
        river->chain[i].axis = here;
        river->chain[i].gentle = free_gentle(run, here);
    }
}

// Curvature at a point, from the circle through it and its neighbours; rightwards [1/cell].
static double free_turn(const graded_point* p)
{
    const double ax = p[0].at.x - p[-1].at.x;
    const double ay = p[0].at.y - p[-1].at.y;
    const double bx = p[1].at.x - p[0].at.x;
    const double by = p[1].at.y - p[0].at.y;
    const double sides =
        sqrt((ax * ax + ay * ay) * (bx * bx + by * by)) * free_apart(p[-1].at, p[1].at);
    return sides > 0.0 ? 2.0 * (ax * by - ay * bx) / sides : 0.0;
}

// Strength of a floodplain varies from place to place, because of clay, sand and roots: a sum of
// plane waves of 8 to 24 widths in all directions, as a factor of 0.4 to 1.6.
static double free_patch(const graded_free* run, riverbed_point at)
{
    const double width = run->river->axis[0].width / run->graded->ground->cell_size;
    double sum = 0.0;
    for (int i = 0; i < FREE_PATCHES; ++i)
    {
        const riverbed_point wave = run->patches[i];
        const double turns = (at.x * wave.x + at.y * wave.y) / width + run->shifts[i];
        sum += wadi_sin(2.0 * free_pi * (turns - floor(turns)));
    }
    return graded_clamp(1.0 + 0.1 * run->graded->params.irregularity * sum, 0.4, 1.6);
}

static void free_patches(graded_free* run)
{
    const wadi_graded* graded = run->graded;
    for (int i = 0; i < FREE_PATCHES; ++i)
    {
        const wadi_philox words = wadi_random(wadi_terrain_seed(graded->terrain), graded->stream,
                                              (uint64_t)1 << 41 | (uint64_t)i, 0);
        const double heading = 2.0 * free_pi * (double)wadi_unit_float(words.v[0]);
        const double length = 8.0 + 16.0 * (i + 0.5) / FREE_PATCHES; // [widths]
        run->patches[i] = (riverbed_point){wadi_cos(heading) / length, wadi_sin(heading) / length};
        run->shifts[i] = (double)wadi_unit_float(words.v[1]);
    }
}

// Share of the speed at which a bank yields: rock yields less, and a high bank takes longer.
static double free_yield(const graded_free* run, const graded_point* p, riverbed_point outward)
{
    const graded_land* land = &run->graded->land;
    const graded_axis* axis = free_axis(run->river, p);
    const double width = free_width(run, p);
    const riverbed_point bank = {p->at.x + 0.6 * width * outward.x,
                                 p->at.y + 0.6 * width * outward.y};
    const riverbed_point far = {p->at.x + 1.5 * width * outward.x,
                                p->at.y + 1.5 * width * outward.y};
    const double rise =
        wadi_graded_land_at(land, land->broad, far) - wadi_graded_land_at(land, land->broad, p->at);
    const double soft = wadi_graded_land_at(land, land->broad_soft, bank);
    return p->gentle * soft * free_patch(run, bank) / (1.0 + 0.5 * fmax(0.0, rise) / axis->depth);
}

// No bend leaves the terrain except where the axis does: share of the speed near a side.
static double free_room(const graded_free* run, const graded_point* p, riverbed_point outward)
{
    const graded_river* river = run->river;
    const wadi_ground* ground = run->graded->ground;
    const double width = free_width(run, p);
    const riverbed_point end = river->axis[river->axis_count - 1].at;
    const bool beyond = graded_cell_at(ground, p->at) < 0;
    if (beyond || free_apart(p->at, end) < 5.0 * width)
    {
        return 1.0;
    }
    const double offs[] = {outward.x < 0.0 ? p->at.x : HUGE_VAL,
                           outward.y < 0.0 ? p->at.y : HUGE_VAL,
                           outward.x > 0.0 ? ground->width - 1.0 - p->at.x : HUGE_VAL,
                           outward.y > 0.0 ? ground->height - 1.0 - p->at.y : HUGE_VAL};
    double least = HUGE_VAL;
    for (int side = 0; side < 4; ++side)
    {
        least = fmin(least, offs[side]);
    }
    return graded_clamp((least / width - 1.5) / 1.5, 0.0, 1.0);
}

static void free_move_point(const graded_free* run, int32_t i, double speed, double share)
{
    graded_point* p = &run->river->chain[i];
    const double length = free_apart(p[-1].at, p[1].at);
    const double hand = speed > 0.0 ? 1.0 : -1.0;
    if (length <= 0.0)
    {
        return;
    }
    // a river that bends to the right moves to the left
    const riverbed_point outward = {hand * (p[1].at.y - p[-1].at.y) / length,
                                    hand * (p[-1].at.x - p[1].at.x) / length};
    const double way = fabs(speed) * share * free_step * free_width(run, p) *
                       free_yield(run, p, outward) * free_room(run, p, outward);
    p->moved = (riverbed_point){way * outward.x, way * outward.y};
}

// Bends come from upstream: the river enters with a heading that changes as bends pass by at the
// speed of those that grow fastest, a double bend of 12 widths in 19 units. Returns the curvature
// upstream.
static double free_enter(const graded_free* run, double time)
{
    graded_river* river = run->river;
    const graded_axis* source = &river->axis[0];
    const double length = run->graded->params.bend_length;
    const double phase = -time / (1.6 * length);
    const double most = free_inlet * river->chain[0].gentle;
    const double turn = most * free_family(run, phase, 0.0);
    const double apart = free_apart(river->chain[0].at, river->chain[1].at);
    const double c = wadi_cos(turn);
    const double s = wadi_sin(turn);
    river->chain[1].at.x = source->at.x + apart * (source->along.x * c - source->along.y * s);
    river->chain[1].at.y = source->at.y + apart * (source->along.y * c + source->along.x * s);
    return 2.0 * free_pi / length * most * free_family(run, phase, 1.0);
}

// One step of free_step units. The ends stay where they are.
static void free_move(const graded_free* run, double time)
{
    graded_river* river = run->river;
    const double length = run->graded->params.bend_length;
    double felt = free_enter(run, time);
    double before = felt;
    double way = 0.0;
    for (int32_t i = 2; i + 1 < river->chain_count; ++i)
    {
        graded_point* p = &river->chain[i];
        const double width = free_width(run, p);
        const double apart = free_apart(p[-1].at, p->at);
        const double bend = width * free_turn(p);
        const double sharp = bend / free_sharpest;
        const double response = bend / sqrt(1.0 + sharp * sharp);
        // the mean upstream, exact for a response that is linear between points
        const double gap = fmax(1e-6, free_fastest * apart / (length * width));
        const double decay = wadi_exp(-gap);
        const double share = (1.0 - decay) / gap;
        felt = decay * felt + (share - decay) * before + (1.0 - share) * response;
        before = response;
        way += apart / width;
        free_move_point(run, i, free_local * bend + free_upstream * felt, fmin(1.0, way));
    }
    for (int32_t i = 2; i + 1 < river->chain_count; ++i)
    {
        graded_point* p = &river->chain[i];
        p->at.x += p->moved.x;
        p->at.y += p->moved.y;
    }
}

// ---- spacing -----------------------------------------------------------------------------

riverbed_point wadi_graded_curve(const graded_point* chain, int32_t count, int32_t i, double share,
                                 riverbed_point* along)
{
    const riverbed_point b = chain[i].at;
    const riverbed_point c = chain[i + 1].at;
    const riverbed_point a = i > 0 ? chain[i - 1].at : free_between(b, c, -1.0);
    const riverbed_point d = i + 2 < count ? chain[i + 2].at : free_between(b, c, 2.0);
    const double u = share;
    const double wa = u * (-0.5 + u * (1.0 - 0.5 * u));
    const double wb = 1.0 + u * u * (-2.5 + 1.5 * u);
    const double wc = u * (0.5 + u * (2.0 - 1.5 * u));
    const double wd = u * u * (-0.5 + 0.5 * u);
    const double va = -0.5 + u * (2.0 - 1.5 * u);
    const double vb = u * (-5.0 + 4.5 * u);
    const double vc = 0.5 + u * (4.0 - 4.5 * u);
    const double vd = u * (-1.0 + 1.5 * u);
    along->x = va * a.x + vb * b.x + vc * c.x + vd * d.x;
    along->y = va * a.y + vb * b.y + vc * c.y + vd * d.y;
    return (riverbed_point){wa * a.x + wb * b.x + wc * c.x + wd * d.x,
                            wa * a.y + wb * b.y + wc * c.y + wd * d.y};
}

// Delete points that are too close to the one before them.
static void free_thin(const graded_free* run)
{
    graded_river* river = run->river;
    graded_point* chain = river->chain;
    int32_t kept = 1;
    for (int32_t i = 1; i < river->chain_count; ++i)
    {
        const double least = free_close * free_width(run, &chain[i]);
        if (i + 1 == river->chain_count || free_apart(chain[kept - 1].at, chain[i].at) >= least)
        {
            chain[kept++] = chain[i];
        }
    }
    river->chain_count = kept;
}

// Add points between those that are too far apart, from the last to the first.
static void free_fill(const graded_free* run)
{
    graded_river* river = run->river;
    graded_point* chain = river->chain;
    int32_t more = 0;
    for (int32_t i = 0; i + 1 < river->chain_count; ++i)
    {
        const double most = free_far * free_width(run, &chain[i]);
        chain[i].far = free_apart(chain[i].at, chain[i + 1].at) > most;
        more += chain[i].far;
    }
    if (more == 0 || river->chain_count + more > river->chain_capacity)
    {
        return;
    }
    const int32_t count = river->chain_count;
    int32_t to = count + more;
    // new points come from the old ones around them: they lie behind `to` or not yet overwritten
    graded_point after = chain[count - 1];
    graded_point later = after;
    chain[--to] = after;
    for (int32_t i = count - 2; i >= 0; --i)
    {
        const graded_point here = chain[i];
        if (here.far)
        {
            const graded_point four[4] = {i > 0 ? chain[i - 1] : here, here, after, later};
            riverbed_point along;
            chain[--to] = (graded_point){.at = wadi_graded_curve(four, 4, 1, 0.5, &along),
                                         .axis = here.axis,
                                         .gentle = here.gentle};
        }
        chain[--to] = here;
        later = after;
        after = here;
    }
    river->chain_count = count + more;
}

// ---- cut-offs ----------------------------------------------------------------------------

// Is the ground between two points floodplain? Floods cross no ground higher than half a depth over
// bankfull.
static bool free_is_low(const graded_free* run, const graded_point* a, const graded_point* b)
{
    const wadi_graded* graded = run->graded;
    const double depth = free_axis(run->river, a)->depth;
    const int64_t start = graded_cell_at(graded->ground, a->at);
    const int32_t slot = start >= 0 ? graded->corridor.slot[start] : 0;
    if (slot == 0)
    {
        return false;
    }
    const int32_t most = graded->corridor.cells[slot - 1].level + graded_units(0.5 * depth);
    for (int i = 1; i < 8; ++i)
    {
        const int64_t cell = graded_cell_at(graded->ground, free_between(a->at, b->at, 0.125 * i));
        if (cell < 0 || graded->last[cell] <= 0.0f ||
            wadi_ground_surface(graded->ground, cell) > most)
        {
            return false;
        }
    }
    return true;
}

// Does the river leave its bed from point i to point j? Over a neck, or through a chute inside the
// bend that is much steeper than the course.
static bool free_cuts(const graded_free* run, int32_t i, int32_t j, double apart, double loop)
{
    const graded_river* river = run->river;
    const double width = free_width(run, &river->chain[i]);
    if (loop < free_loop * width)
    {
        return false;
    }
    const double steeper = run->graded->params.chute;
    return apart < free_neck * width ||
           (steeper > 0.0 && apart < free_chute * width && loop > steeper * apart &&
            free_is_low(run, &river->chain[i], &river->chain[j]));
}

// Remove the points between i and j. A cut-off has kinks at its ends, which are rounded.
static void free_cut(const graded_free* run, int32_t i, int32_t j)
{
    graded_river* river = run->river;
    graded_point* chain = river->chain;
    const int32_t gone = j - i - 1;
    for (int32_t k = j; k < river->chain_count; ++k)
    {
        chain[k - gone] = chain[k];
    }
    river->chain_count -= gone;
    for (int pass = 0; pass < 4; ++pass)
    {
        for (int32_t k = i > 3 ? i - 2 : 1; k <= i + 3 && k + 1 < river->chain_count; ++k)
        {
            const riverbed_point middle = free_between(chain[k - 1].at, chain[k + 1].at, 0.5);
            chain[k].at = free_between(chain[k].at, middle, 0.5);
        }
    }
}

// The first cut from point i on: index of its end, or -1. Points that are far away are skipped,
// because neighbours are at most 1.2 widths apart.
static int32_t free_find(const graded_free* run, int32_t i)
{
    const graded_river* river = run->river;
    const graded_point* chain = river->chain;
    const double width = free_width(run, &chain[i]);
    for (int32_t j = i + 1; j < river->chain_count;)
    {
        const double apart = free_apart(chain[i].at, chain[j].at);
        const int32_t skip = (int32_t)((apart - free_chute * width) / (1.3 * free_far * width));
        if (skip <= 1 && free_cuts(run, i, j, apart, chain[j].way - chain[i].way))
        {
            return j;
        }
        j += skip > 1 ? skip : 1;
    }
    return -1;
}

static void free_measure(const graded_free* run)
{
    graded_point* chain = run->river->chain;
    for (int32_t i = 1; i < run->river->chain_count; ++i)
    {
        chain[i].way = chain[i - 1].way + free_apart(chain[i - 1].at, chain[i].at);
    }
}

static wadi_result free_cut_all(const graded_free* run)
{
    graded_river* river = run->river;
    free_measure(run);
    for (int32_t i = 1; i + 2 < river->chain_count; ++i)
    {
        const int32_t j = free_find(run, i);
        if (j >= 0 && j + 1 < river->chain_count)
        {
            WADI_TRY(wadi_graded_lake_begin(run->graded, river, i, j));
            free_cut(run, i, j);
            free_measure(run);
            ++run->graded->cutoffs;
        }
    }
    return WADI_OK;
}

// ---- a batch -----------------------------------------------------------------------------

wadi_result wadi_graded_migrate(wadi_graded* graded, graded_river* river)
{
    graded_free run = {.graded = graded, .river = river};
    free_patches(&run);
    if (river->chain_count == 0)
    {
        free_begin(&run);
    }
    if (!wadi_graded_free_moves(graded, graded->batch))
    {
        return WADI_OK;
    }
    const double units = wadi_graded_free_units(graded);
    const int64_t from = (int64_t)((graded->batch - 1) * units / free_step);
    const int64_t to = (int64_t)(graded->batch * units / free_step);
    free_locate(&run);
    for (int64_t step = from; step < to && river->chain_count > 4; ++step)
    {
        free_move(&run, (double)step * free_step);
        free_thin(&run);
        free_fill(&run);
        WADI_TRY(free_cut_all(&run));
    }
    return WADI_OK;
}
