// SPDX-License-Identifier: MIT
#include "plain_streams.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum
{
    NOWHERE = 8
};

static const int32_t east[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t south[8] = {0, 1, 1, 1, 0, -1, -1, -1};
static const double rise = 1.0 / 65536.0; // of the flood from cell to cell [m]

// Work of a step, by cell.
typedef struct step
{
    plain_streams* s;
    int64_t cells;
    double* level;  // R
    int64_t* order; // by rising R
    int64_t* heap;
    bool* seen; // by the flood
    bool* lake;
    int8_t* to;       // receiver of matter
    int8_t* axis;     // receivers of water
    int8_t* diagonal; //
    double* share;    // of the diagonal
    int64_t* donor;
    double* water; // [m3/yr]
    double* a;     // solution
    double* b;
    double* load; // [m]
} step;

static int64_t neighbour(const step* w, int64_t cell, int32_t d)
{
    const int32_t n = w->s->size;
    const int32_t x = (int32_t)(cell % n) + east[d];
    const int32_t y = (int32_t)(cell / n) + south[d];
    return x < 0 || y < 0 || x >= n || y >= n ? -1 : (int64_t)y * n + x;
}

static bool is_edge(const step* w, int64_t cell)
{
    const int32_t n = w->s->size;
    const int32_t x = (int32_t)(cell % n);
    const int32_t y = (int32_t)(cell / n);
    return x == 0 || y == 0 || x == n - 1 || y == n - 1;
}

// ---- creep -------------------------------------------------------------------------------

// Roering's law at a slope, and its derivative; beyond 0.96 of the critical slope its tangent.
static void creep_law(double s, double* flux, double* conduct)
{
    const double size = fmin(fabs(s), 0.96);
    const double ease = 1.0 / (1.0 - size * size);
    *conduct = (1.0 + size * size) * ease * ease;
    *flux = copysign(size * ease + *conduct * (fabs(s) - size), s);
}

// Solve one line of `n` cells `stride` apart; adds half of the change for twice the time.
static void creep_line(const plain_streams* s, const double* h, int64_t stride, double* work,
                       double* change)
{
    const int32_t n = s->size;
    const double rate = 2.0 * s->creep * s->years / (s->cell * s->cell);
    const double unit = s->cell * s->critical;
    double* conduct = work;
    double* flux = work + n;
    double* upper = work + 2 * n;
    double* x = work + 3 * n;
    for (int32_t i = 0; i < n - 1; ++i)
    {
        creep_law((h[i * stride] - h[(i + 1) * stride]) / unit, &flux[i], &conduct[i]);
        flux[i] *= rate * unit;
        conduct[i] *= rate;
    }
    upper[0] = 0.0;
    x[0] = 0.0;
    for (int32_t i = 1; i < n - 1; ++i)
    {
        const double pivot = 1.0 + conduct[i - 1] * (1.0 - upper[i - 1]) + conduct[i];
        upper[i] = conduct[i] / pivot;
        x[i] = (flux[i - 1] - flux[i] + conduct[i - 1] * x[i - 1]) / pivot;
    }
    x[n - 1] = 0.0;
    for (int32_t i = n - 2; i > 0; --i)
    {
        x[i] += upper[i] * x[i + 1];
        change[i * stride] += 0.5 * x[i];
    }
}

static void creep(const step* w)
{
    const plain_streams* s = w->s;
    double* change = w->a;
    for (int64_t c = 0; c < w->cells; ++c)
    {
        change[c] = 0.0;
    }
    for (int32_t i = 0; i < s->size; ++i)
    {
        creep_line(s, s->height + (int64_t)i * s->size, 1, w->b, change + (int64_t)i * s->size);
        creep_line(s, s->height + i, s->size, w->b, change + i);
    }
    for (int64_t c = 0; c < w->cells; ++c)
    {
        s->height[c] += change[c];
    }
}

// ---- flood -------------------------------------------------------------------------------

static void heap_push(const step* w, int64_t* count, int64_t cell)
{
    int64_t i = (*count)++;
    while (i > 0 && w->level[w->heap[(i - 1) / 2]] > w->level[cell])
    {
        w->heap[i] = w->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    w->heap[i] = cell;
}

static int64_t heap_pop(const step* w, int64_t* count)
{
    const int64_t top = w->heap[0];
    const int64_t last = w->heap[--*count];
    int64_t i = 0;
    for (int64_t child = 1; child < *count; child = 2 * i + 1)
    {
        const bool right =
            child + 1 < *count && w->level[w->heap[child + 1]] < w->level[w->heap[child]];
        child += right ? 1 : 0;
        if (w->level[w->heap[child]] >= w->level[last])
        {
            break;
        }
        w->heap[i] = w->heap[child];
        i = child;
    }
    w->heap[i] = last;
    return top;
}

// Priority flood from the edges (Barnes, Lehman & Mulla 2014).
static void flood(const step* w)
{
    int64_t count = 0;
    int64_t done = 0;
    for (int64_t c = 0; c < w->cells; ++c)
    {
        w->level[c] = w->s->height[c];
        w->seen[c] = is_edge(w, c);
        if (w->seen[c])
        {
            heap_push(w, &count, c);
        }
    }
    while (count > 0)
    {
        const int64_t cell = heap_pop(w, &count);
        w->order[done++] = cell;
        for (int32_t d = 0; d < 8; ++d)
        {
            const int64_t n = neighbour(w, cell, d);
            if (n >= 0 && !w->seen[n])
            {
                w->seen[n] = true;
                w->level[n] = fmax(w->level[n], w->level[cell] + rise);
                heap_push(w, &count, n);
            }
        }
    }
}

// ---- routes ------------------------------------------------------------------------------

static double draw(plain_streams* s)
{
    s->state = s->state * 1664525u + 1013904223u;
    return (double)(s->state >> 8) * 0x1p-24;
}

static bool is_lake(const step* w, int64_t cell)
{
    return w->lake[cell];
}

// The steepest of eight facets (Tarboton 1997).
static void route(const step* w, int64_t cell)
{
    double best = 0.0;
    w->to[cell] = NOWHERE;
    w->share[cell] = 0.0;
    for (int32_t k = 0; k < 8 && !is_edge(w, cell); ++k)
    {
        const int32_t d = k & ~1;
        const int32_t e = (k & 1) != 0 ? d + 1 : (d + 7) & 7;
        const double s1 = w->level[cell] - w->level[neighbour(w, cell, d)];
        const double fall = w->level[cell] - w->level[neighbour(w, cell, e)];
        const double s2 = fall - s1;
        const double along = fmax(s1, 0.0) * fmax(s1, 0.0);
        const double across = 0.5 * fmax(fall, 0.0) * fmax(fall, 0.0);
        const double steep = s2 >= s1 ? across : s2 <= 0.0 ? along : s1 * s1 + s2 * s2;
        if (steep > best)
        {
            best = steep;
            w->axis[cell] = (int8_t)d;
            w->diagonal[cell] = (int8_t)e;
            w->share[cell] = s2 >= s1 ? 1.0 : s2 <= 0.0 ? 0.0 : s2 / s1;
        }
    }
    if (best > 0.0)
    {
        const bool across = draw(w->s) < w->share[cell];
        w->to[cell] = across ? w->diagonal[cell] : w->axis[cell];
    }
}

static void routes(const step* w)
{
    const double rain = w->s->rain * w->s->cell * w->s->cell;
    for (int64_t c = 0; c < w->cells; ++c)
    {
        w->lake[c] = w->level[c] - w->s->height[c] > 0.01;
        route(w, c);
        w->water[c] = rain;
        w->donor[c] = -1;
    }
    for (int64_t i = w->cells - 1; i >= 0; --i)
    {
        const int64_t cell = w->order[i];
        if (w->to[cell] == NOWHERE)
        {
            continue;
        }
        const int64_t next = neighbour(w, cell, w->to[cell]);
        const double share = w->share[cell];
        w->water[neighbour(w, cell, w->axis[cell])] += (1.0 - share) * w->water[cell];
        w->water[neighbour(w, cell, w->diagonal[cell])] += share * w->water[cell];
        const bool most = w->donor[next] < 0 || w->water[cell] > w->water[w->donor[next]];
        w->donor[next] = most ? cell : w->donor[next];
    }
}

// ---- solution ----------------------------------------------------------------------------

static double channel(const step* w, int64_t cell)
{
    return w->water[cell] / (w->water[cell] + w->s->head);
}

// b: the share of the change of a stream that its neighbours take part in.
static double floor_share(const step* w, int64_t cell)
{
    const double width = w->s->floor_width / w->s->cell;
    return fmin(1.0, fmax(0.0, 0.5 * (width - 1.0))) * channel(w, cell);
}

static void solve_down(const step* w, int64_t cell)
{
    const plain_streams* s = w->s;
    const int64_t next = neighbour(w, cell, w->to[cell]);
    const double q = w->water[cell];
    const double area = s->cell * s->cell;
    if (is_lake(w, cell))
    {
        const double afloat = exp(-s->lake_settling * s->rain * area / q);
        w->a[next] += afloat * w->a[cell];
        w->b[next] += afloat * w->b[cell];
        return;
    }
    const double all = 1.0 + 2.0 * floor_share(w, cell);
    const double gathered = fmax(q - 0.75 * s->rain * area, 0.0);
    const double power = q * pow(gathered + s->head, s->exponent - 1.0);
    const double pace = s->erodibility * 30.0 * s->years / area * power / all;
    const double width = (s->cell * 3e4 + 30.0 * q) / (q + 3e4);
    const double length = s->cell * ((w->to[cell] & 1) != 0 ? sqrt(2.0) : 1.0);
    const double settle = (1.0 - exp(-s->settling * s->rain * width * length / q)) / all;
    const double there = is_lake(w, next) ? w->level[next] : s->height[next];
    const double drop = fmin(there - s->height[cell], 0.0);
    const double den = 1.0 + pace - settle * w->b[cell];
    const double c0 = (pace * drop + settle * w->a[cell]) / den;
    const double c1 = pace / den;
    w->a[next] += w->a[cell] + (w->b[cell] - all) * c0;
    w->b[next] += (w->b[cell] - all) * c1;
    w->a[cell] = c0;
    w->b[cell] = c1;
}

static void solve(const step* w)
{
    for (int64_t c = 0; c < w->cells; ++c)
    {
        w->a[c] = 0.0;
        w->b[c] = 0.0;
        w->load[c] = 0.0;
    }
    for (int64_t i = w->cells - 1; i >= 0; --i)
    {
        if (w->to[w->order[i]] != NOWHERE)
        {
            solve_down(w, w->order[i]);
        }
    }
    for (int64_t i = 0; i < w->cells; ++i)
    {
        const int64_t cell = w->order[i];
        const int32_t to = w->to[cell];
        const double below = to != NOWHERE ? w->a[neighbour(w, cell, to)] : 0.0;
        const double water = fmax(below, w->s->height[cell] - w->level[cell]);
        w->a[cell] = to == NOWHERE      ? 0.0
                     : is_lake(w, cell) ? water
                                        : w->a[cell] + w->b[cell] * below;
    }
}

// ---- changes -----------------------------------------------------------------------------

static bool moves(const step* w, int64_t cell)
{
    return w->to[cell] != NOWHERE && !is_lake(w, cell);
}

// Bring `amount` from a cell to the load of a stream; below 0: the other way.
static void take(const step* w, int64_t cell, int64_t from, double amount)
{
    w->s->height[from] -= amount;
    w->load[cell] += amount;
}

static void widen(const step* w, int64_t cell, double part)
{
    for (int32_t d = 0; d < 8; d += 2)
    {
        const int64_t n = neighbour(w, cell, d);
        if (d == w->to[cell] || n == w->donor[cell] || n < 0 || !moves(w, n))
        {
            continue;
        }
        const double above = w->s->height[n] - w->s->height[cell];
        if (part < 0.0 && above > 0.0)
        {
            take(w, cell, n, fmin(-part, above));
        }
        else if (part > 0.0 && above < 0.0)
        {
            take(w, cell, n, -fmin(fmin(part, -above), w->load[cell]));
        }
    }
}

static void cut_corner(const step* w, int64_t cell, double part)
{
    const int64_t a = neighbour(w, cell, (w->to[cell] + 7) & 7);
    const int64_t b = neighbour(w, cell, (w->to[cell] + 1) & 7);
    const int64_t lower = w->s->height[a] <= w->s->height[b] ? a : b;
    const double above = w->s->height[lower] - w->s->height[cell];
    if (above > 0.0 && moves(w, lower))
    {
        take(w, cell, lower, fmin(part, above));
    }
}

static void change_bed(const step* w, int64_t cell)
{
    const double change = w->a[cell];
    if (change > 0.0)
    {
        const int64_t donor = w->donor[cell];
        const double room = donor >= 0 ? w->s->height[donor] - w->s->height[cell] : 0.0;
        take(w, cell, cell, -fmin(fmin(change, fmax(room, 0.0)), w->load[cell]));
    }
    else
    {
        take(w, cell, cell, -change);
        if ((w->to[cell] & 1) != 0)
        {
            cut_corner(w, cell, -3.0 * change * channel(w, cell));
        }
    }
    widen(w, cell, floor_share(w, cell) * change);
}

static void change(const step* w)
{
    const plain_streams* s = w->s;
    for (int64_t i = w->cells - 1; i >= 0; --i)
    {
        const int64_t cell = w->order[i];
        if (w->to[cell] == NOWHERE)
        {
            continue;
        }
        if (is_lake(w, cell))
        {
            const double area = s->cell * s->cell;
            const double settled = 1.0 - exp(-s->lake_settling * s->rain * area / w->water[cell]);
            const double room = w->level[cell] - s->height[cell];
            take(w, cell, cell, -fmin(settled * w->load[cell], room));
        }
        else
        {
            change_bed(w, cell);
        }
        w->load[neighbour(w, cell, w->to[cell])] += w->load[cell];
    }
}

// ---- a step ------------------------------------------------------------------------------

int plain_streams_step(plain_streams* s)
{
    const int64_t n = (int64_t)s->size * s->size;
    const size_t words = 8; // arrays of eight bytes
    char* memory = malloc((size_t)n * (9 * words + 5));
    if (memory == NULL)
    {
        return 0;
    }
    double* doubles = (double*)(void*)memory;
    int64_t* longs = (int64_t*)(void*)(memory + 6 * n * 8);
    int8_t* bytes = (int8_t*)(memory + 9 * n * 8);
    const step w = {
        .s = s,
        .cells = n,
        .level = doubles,
        .share = doubles + n,
        .water = doubles + 2 * n,
        .a = doubles + 3 * n,
        .b = doubles + 4 * n,
        .load = doubles + 5 * n,
        .order = longs,
        .heap = longs + n,
        .donor = longs + 2 * n,
        .to = bytes,
        .axis = bytes + n,
        .diagonal = bytes + 2 * n,
        .seen = (bool*)(void*)(bytes + 3 * n),
        .lake = (bool*)(void*)(bytes + 4 * n),
    };
    creep(&w);
    flood(&w);
    routes(&w);
    solve(&w);
    change(&w);
    free(memory);
    return 1;
}
