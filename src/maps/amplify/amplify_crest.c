// SPDX-License-Identifier: MIT
// Edges below the cell. The grid rounds off the brinks and crests of dunes and the feet of slip
// faces. Across the edge, both slopes are extrapolated from one cell away. Where the lower of the
// two lies above the smooth surface, it is the crest; where the higher lies below it at the foot of
// a slip face, it is the foot. The direction across the edge is that of the largest bend of the
// surface, so edges of any azimuth are sharpened, whatever the wind.
#include "maps/amplify/amplify_internal.h"

#include <math.h>

static const double crest_gentle = 0.05; // change of the slope over a cell where sharpening begins
static const double crest_full = 0.2;    // where it is complete
static const double crest_most = 0.5;    // largest change of the surface, per bend and cell
static const double crest_face_begin = 0.4; // slopes of faces that have a foot
static const double crest_face_full = 0.55;

static double crest_level(const amplify_job* job, int32_t column, int32_t row)
{
    return job->level[wadi_amplify_cell(job->ground, column, row)];
}

// Second differences, smoothed by 1 2 1 across, of a cell.
static amplify_bend crest_bend(const amplify_job* job, int32_t column, int32_t row)
{
    double h[3][3]; // rows from the north
    for (int32_t j = 0; j < 3; ++j)
    {
        for (int32_t i = 0; i < 3; ++i)
        {
            h[j][i] = crest_level(job, column + i - 1, row + j - 1);
        }
    }
    amplify_bend bend = {0};
    for (int32_t k = 0; k < 3; ++k)
    {
        const double weight = k == 1 ? 0.5 : 0.25;
        bend.xx += weight * (h[k][0] - 2.0 * h[k][1] + h[k][2]);
        bend.yy += weight * (h[0][k] - 2.0 * h[1][k] + h[2][k]);
    }
    bend.xy = 0.25 * (h[0][2] + h[2][0] - h[0][0] - h[2][2]);
    const double per = 1.0 / job->ground->cell_size;
    return (amplify_bend){per * bend.xx, per * bend.yy, per * bend.xy};
}

amplify_bends wadi_amplify_bends(const amplify_job* job, int32_t column, int32_t row)
{
    amplify_bends bends = {.sharp = false};
    for (int32_t k = 0; k < 9; ++k)
    {
        const amplify_bend b = crest_bend(job, column + k % 3 - 1, row + 1 - k / 3);
        bends.at[k] = b;
        const double most = fabs(b.xx) + fabs(b.yy) + fabs(b.xy);
        bends.sharp = bends.sharp || most > crest_gentle;
    }
    bends.sharp = bends.sharp && job->params.sharpen > 0.0;
    return bends;
}

static amplify_bend crest_bend_at(const amplify_job* job, const amplify_bends* bends,
                                  amplify_place at)
{
    const double px = at.x / job->ground->cell_size + 0.5;
    const double py = at.y / job->ground->cell_size + 0.5;
    const double x = px - floor(px); // 0 at the centre of a cell
    const double y = py - floor(py);
    const int32_t first = (x < 0.5 ? 1 : 0) + (y < 0.5 ? 3 : 0);
    const double weights[4] = {(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y};
    amplify_bend sum = {0};
    for (int32_t k = 0; k < 4; ++k)
    {
        const amplify_bend* b = &bends->at[first + k % 2 + 3 * (k / 2)];
        sum.xx += weights[k] * b->xx;
        sum.yy += weights[k] * b->yy;
        sum.xy += weights[k] * b->xy;
    }
    return sum;
}

// Unit vector of a principal bend.
static amplify_place crest_axis(amplify_bend b, double value)
{
    const amplify_place one = {b.xy, value - b.xx};
    const amplify_place two = {value - b.yy, b.xy};
    const double n1 = one.x * one.x + one.y * one.y;
    const double n2 = two.x * two.x + two.y * two.y;
    const amplify_place best = n1 > n2 ? one : two;
    const double length = sqrt(fmax(n1, n2));
    return length > 1e-12 ? (amplify_place){best.x / length, best.y / length}
                          : (amplify_place){1.0, 0.0};
}

// Both slopes beside an edge, extrapolated to a position.
typedef struct crest_sides
{
    double lower; // [m] heights
    double higher;
    double steeper; // slope
} crest_sides;

static crest_sides crest_look(const amplify_job* job, amplify_place at, amplify_place axis)
{
    // linear, since a spline overshoots at an edge: by 3 cm at a ridge of slopes 0.3 on cells of 1
    // m
    const double cell = job->ground->cell_size;
    double edge[2];
    double slope[2];
    for (int32_t k = 0; k < 2; ++k)
    {
        const double way = k == 0 ? -cell : cell;
        const double near =
            wadi_amplify_linear(job, (amplify_place){at.x + way * axis.x, at.y + way * axis.y});
        const double far = wadi_amplify_linear(
            job, (amplify_place){at.x + 2.0 * way * axis.x, at.y + 2.0 * way * axis.y});
        edge[k] = 2.0 * near - far;
        slope[k] = fabs(near - far) / cell;
    }
    return (crest_sides){fmin(edge[0], edge[1]), fmax(edge[0], edge[1]), fmax(slope[0], slope[1])};
}

static double crest_share(double bend)
{
    return amplify_smooth((bend - crest_gentle) / (crest_full - crest_gentle));
}

double wadi_amplify_crest(const amplify_job* job, const amplify_bends* bends, amplify_place at,
                          double here)
{
    const amplify_bend b = crest_bend_at(job, bends, at);
    const double middle = 0.5 * (b.xx + b.yy);
    const double half = 0.5 * (b.xx - b.yy);
    const double spread = sqrt(half * half + b.xy * b.xy);
    const double brink = spread - middle; // bends of the crest and of the foot
    const double foot = spread + middle;
    const double cell = job->ground->cell_size;
    double change = 0.0;
    if (brink > crest_gentle)
    {
        const crest_sides sides = crest_look(job, at, crest_axis(b, middle - spread));
        const double raise = fmin(sides.lower - here, crest_most * brink * cell);
        change += crest_share(brink) * fmax(raise, 0.0);
    }
    if (foot > crest_gentle)
    {
        const crest_sides sides = crest_look(job, at, crest_axis(b, middle + spread));
        const double face = amplify_smooth((sides.steeper - crest_face_begin) /
                                           (crest_face_full - crest_face_begin));
        const double drop = fmin(here - sides.higher, crest_most * foot * cell);
        change -= crest_share(foot) * face * fmax(drop, 0.0);
    }
    return job->params.sharpen * change;
}
