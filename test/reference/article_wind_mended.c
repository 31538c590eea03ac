// SPDX-License-Identifier: MIT
// The wind kernel with its defects repaired: the reference for statistics. Mended are
//   - the units: a height of 1 is `scale` cells high, and so are gravity and the speed upwards;
//     as published, speeds in cells are added to heights in units;
//   - contact: a grain at or below the ground slides; as published, the rounding of float against
//     double calls half of those grains flying;
//   - thin sand: what is there is lifted; as published, it is destroyed;
//   - flight: the half laid down behind and the half ahead are what the grain lost;
//   - abrasion: a grain has a mass of its own, else a fresh one never cuts;
//   - the cascade: the neighbours are those of its cell, not of the grain's place, and diagonal
//     ones may stand sqrt 2 as much higher;
//   - the edges: what is missing is as high as the cell itself; grains start all along the edges
//     that the wind blows in at, evenly; what leaves is counted.
// The normal, which the article does not show, is that of the cell, by central differences.
#include "article_wind.h"

#include <math.h>

enum
{
    MENDED_LIFE = 1 << 20 // steps
};

typedef struct mended_land
{
    double* h; // [cells]
    double* s;
    int32_t size;
} mended_land;

typedef struct mended_grain
{
    double x;
    double y;
    double z; // all in cells
    double u;
    double v;
    double w;
    double load; // [cells]
} mended_grain;

static double mended_level(const mended_land* land, int32_t i)
{
    return land->h[i] + land->s[i];
}

static int mended_inside(const mended_land* land, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < land->size && y < land->size;
}

static int32_t mended_cell(const mended_land* land, const mended_grain* g)
{
    return (int32_t)g->y * land->size + (int32_t)g->x;
}

// Level beside a cell; its own where there is none.
static double mended_beside(const mended_land* land, int32_t i, int32_t dx, int32_t dy)
{
    const int32_t x = i % land->size + dx;
    const int32_t y = i / land->size + dy;
    return mended_level(land, mended_inside(land, x, y) ? y * land->size + x : i);
}

// Equation 1 of the article, (v x n) x n = n (v . n) - v.
static void mended_deflect(const mended_land* land, const article_wind_params* p, int32_t i,
                           mended_grain* g)
{
    const double gx = 0.5 * (mended_beside(land, i, 1, 0) - mended_beside(land, i, -1, 0));
    const double gy = 0.5 * (mended_beside(land, i, 0, 1) - mended_beside(land, i, 0, -1));
    const double q = (g->w - gx * g->u - gy * g->v) / (1.0 + gx * gx + gy * gy);
    const double dt = (double)p->step;
    g->u += dt * (-gx * q - g->u);
    g->v += dt * (-gy * q - g->v);
    g->w += dt * (q - g->w);
}

static void mended_move(const mended_land* land, const article_wind_params* p, mended_grain* g,
                        article_wind_outcome* sum)
{
    const int32_t i = mended_cell(land, g);
    const double dt = (double)p->step;
    if (g->z <= mended_level(land, i))
    {
        g->z = mended_level(land, i);
        mended_deflect(land, p, i, g);
        sum->contacts += 1;
    }
    else
    {
        g->w -= dt * 0.01;
    }
    g->u += 0.1 * dt * ((double)p->wind_x - g->u);
    g->v += 0.1 * dt * ((double)p->wind_y - g->v);
    g->w += 0.1 * dt * (0.0 - g->w);
    g->x += dt * g->u;
    g->y += dt * g->v;
    g->z += dt * (double)p->scale * g->w;
    sum->steps += 1;
}

static void mended_cascade(mended_land* land, const article_wind_params* p, int32_t i)
{
    double* s = land->s;
    for (int32_t k = 0; k < 9; ++k)
    {
        const int32_t dx = k % 3 - 1;
        const int32_t dy = k / 3 - 1;
        const int32_t x = i % land->size + dx;
        const int32_t y = i / land->size + dy;
        if (k == 4 || !mended_inside(land, x, y))
        {
            continue;
        }
        const int32_t n = y * land->size + x;
        const double diff = mended_level(land, i) - mended_level(land, n);
        const double stable = (double)p->roughness * (double)p->scale * sqrt(dx * dx + dy * dy);
        const double half = 0.5 * fmax(fabs(diff) - stable, 0.0);
        const double transfer = diff > 0.0 ? fmin(s[i], half) : -fmin(s[n], half);
        s[i] -= (double)(p->step * p->settling) * transfer;
        s[n] += (double)(p->step * p->settling) * transfer;
    }
}

static void mended_touch(mended_land* land, const article_wind_params* p, mended_grain* g,
                         int32_t i, double depth, article_wind_outcome* sum)
{
    const double speed = sqrt(g->u * g->u + g->v * g->v + g->w * g->w);
    const double force = (double)p->step * speed * depth;
    if (land->s[i] <= 0.0)
    {
        const double mass = (double)p->grain_mass + g->load / (double)p->scale;
        const double rub = (double)p->abrasion * force * mass;
        land->h[i] -= rub;
        land->s[i] += rub;
        sum->abraded += rub;
        return;
    }
    const double lift = fmin((double)p->suspension * force, land->s[i]);
    land->s[i] -= lift;
    g->load += lift;
    sum->lifted += lift;
    mended_cascade(land, p, i);
}

static void mended_drop(mended_land* land, const article_wind_params* p, mended_grain* g,
                        int32_t from, int32_t to, article_wind_outcome* sum)
{
    const double lost = (double)(p->step * p->suspension) * g->load;
    g->load -= lost;
    land->s[to] += 0.5 * lost;
    land->s[from] += 0.5 * lost;
    sum->deposited += lost;
    mended_cascade(land, p, to);
    mended_cascade(land, p, from);
}

static void mended_fly(mended_land* land, const article_wind_params* p, mended_grain g,
                       article_wind_outcome* sum)
{
    for (int32_t age = 0; age < MENDED_LIFE; ++age)
    {
        const int32_t from = mended_cell(land, &g);
        mended_move(land, p, &g, sum);
        if (!(g.x >= 0.0 && g.y >= 0.0 && g.x < land->size && g.y < land->size))
        {
            sum->exported += g.load;
            return;
        }
        const int32_t to = mended_cell(land, &g);
        const double depth = mended_level(land, to) - g.z;
        if (depth >= 0.0)
        {
            mended_touch(land, p, &g, from, depth, sum);
        }
        else
        {
            mended_drop(land, p, &g, from, to, sum);
        }
        if (g.u * g.u + g.v * g.v + g.w * g.w < 0.01 * 0.01)
        {
            break;
        }
    }
    land->s[mended_cell(land, &g)] += g.load;
    sum->deposited += g.load;
}

static double mended_random(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) * 0x1p-24;
}

// A place on the edges that the wind blows in at, in proportion to what blows in there.
static mended_grain mended_spawn(const article_wind_params* p, int32_t size, uint64_t* state)
{
    mended_grain g = {.u = (double)p->wind_x, .v = (double)p->wind_y, .z = -1e9};
    const double across = fabs(g.u) / (fabs(g.u) + fabs(g.v));
    const double along = mended_random(state) * size;
    const double depth = mended_random(state);
    if (mended_random(state) < across)
    {
        g.x = g.u > 0.0 ? depth : size - 1.0 + depth;
        g.y = along;
    }
    else
    {
        g.x = along;
        g.y = g.v > 0.0 ? depth : size - 1.0 + depth;
    }
    return g;
}

static void mended_scale(mended_land* land, double factor)
{
    for (int32_t i = 0; i < land->size * land->size; ++i)
    {
        land->h[i] *= factor;
        land->s[i] *= factor;
    }
}

article_wind_outcome article_blow_mended(double* rock, double* sand, int32_t size,
                                         const article_wind_params* params, int64_t grains,
                                         uint32_t seed)
{
    article_wind_outcome sum = {0};
    mended_land land = {rock, sand, size};
    const double scale = (double)params->scale;
    uint64_t state = (uint64_t)seed * 0x9E3779B97F4A7C15u + 1u;
    (void)mended_random(&state);
    mended_scale(&land, scale);
    for (int64_t i = 0; i < grains; ++i)
    {
        mended_fly(&land, params, mended_spawn(params, size, &state), &sum);
    }
    mended_scale(&land, 1.0 / scale);
    sum.lifted /= scale;
    sum.deposited /= scale;
    sum.abraded /= scale;
    sum.exported /= scale;
    return sum;
}
