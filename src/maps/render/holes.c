// SPDX-License-Identifier: MIT
#include "maps/render/holes.h"

#include "core/internal.h"

#include <math.h>

enum
{
    HOLES_ROUNDS = 64,  // of relaxation: ripples of the first fill, up to 8 cells wide, are gone
    HOLES_FEW = 20,     // one known cell in so many may be a sliver
    HOLES_SEAM = 2,     // cells of the land: voids along the border so narrow come from projections
    HOLES_ENCLOSED = 3, // a hole has at least so many cells of rim for each at the border
    HOLES_UNSEEN = 0,
    HOLES_OUTSIDE = 1,
    HOLES_NICK = 2
};

// Cells in the order of a search. Each cell enters once, so one list of all cells is long enough
// for both searches.
typedef struct holes_queue
{
    int32_t* cells;
    int32_t count;
} holes_queue;

// Axis neighbours of a cell; fewer at the border.
static int32_t holes_neighbours(const render_relief* r, int32_t cell, int32_t out[4])
{
    const int32_t x = cell % r->width;
    const int32_t y = cell / r->width;
    int32_t count = 0;
    if (x > 0)
    {
        out[count++] = cell - 1;
    }
    if (x + 1 < r->width)
    {
        out[count++] = cell + 1;
    }
    if (y > 0)
    {
        out[count++] = cell - r->width;
    }
    if (y + 1 < r->height)
    {
        out[count++] = cell + r->width;
    }
    return count;
}

// Add the void cells connected with `seed` to the queue.
static void holes_grow(const render_relief* r, int32_t seed, uint8_t* mark, holes_queue* queue)
{
    int32_t near[4];
    mark[seed] = HOLES_OUTSIDE;
    queue->cells[queue->count++] = seed;
    for (int32_t head = queue->count - 1; head < queue->count; ++head)
    {
        const int32_t count = holes_neighbours(r, queue->cells[head], near);
        for (int32_t k = 0; k < count; ++k)
        {
            if (isnan(r->ground[near[k]]) && mark[near[k]] == HOLES_UNSEEN)
            {
                mark[near[k]] = HOLES_OUTSIDE;
                queue->cells[queue->count++] = near[k];
            }
        }
    }
}

// A void a cell or two wide along the border, which a projection leaves, is a nick, and so it does
// not join the voids that it touches. From a cell of the border inwards.
static void holes_mark_seam(const render_relief* r, int32_t from, int32_t step, uint8_t* mark)
{
    int32_t wide = 0;
    while (wide <= HOLES_SEAM * r->refined && isnan(r->ground[from + wide * step]))
    {
        wide += 1;
    }
    for (int32_t k = 0; k < wide && wide <= HOLES_SEAM * r->refined; ++k)
    {
        mark[from + k * step] = HOLES_NICK;
    }
}

static void holes_mark_seams(const render_relief* r, uint8_t* mark)
{
    const int32_t last = r->width * r->height - 1;
    const int32_t room = HOLES_SEAM * r->refined + 1;
    for (int32_t x = 0; x < r->width && r->height > room; ++x)
    {
        holes_mark_seam(r, x, r->width, mark);
        holes_mark_seam(r, last - x, -r->width, mark);
    }
    for (int32_t y = 0; y < r->height && r->width > room; ++y)
    {
        holes_mark_seam(r, y * r->width, 1, mark);
        holes_mark_seam(r, last - y * r->width, -1, mark);
    }
}

// Heights of all ground.
typedef struct holes_range
{
    float low;
    float high;
} holes_range;

static holes_range holes_heights(const render_relief* r)
{
    holes_range range = {INFINITY, -INFINITY};
    for (int32_t i = 0; i < r->width * r->height; ++i)
    {
        range.low = r->ground[i] < range.low ? r->ground[i] : range.low; // false for voids
        range.high = r->ground[i] > range.high ? r->ground[i] : range.high;
    }
    return range;
}

// Is a void that touches the border a hole in the data? A small notch is, and so is one that land
// encloses for the most part, unless its rim is as low as a shore: then it is the sea.
static bool holes_is_nick(const render_relief* r, const int32_t* cells, int32_t count,
                          holes_range range)
{
    int32_t near[4];
    int32_t border = 0;
    int32_t rim = 0;
    double sum = 0.0;
    for (int32_t k = 0; k < count; ++k)
    {
        const int32_t beside = holes_neighbours(r, cells[k], near);
        border += 4 - beside;
        for (int32_t n = 0; n < beside; ++n)
        {
            const float z = r->ground[near[n]];
            rim += isnan(z) ? 0 : 1;
            sum += isnan(z) ? 0.0 : (double)(z - range.low);
        }
    }
    const bool high = sum > 0.1 * (double)rim * (double)(range.high - range.low);
    return count < r->width * r->height / 200 || (high && rim > HOLES_ENCLOSED * border);
}

// Mark the voids that touch the border, except those that are holes.
static void holes_mark_outside(const render_relief* r, uint8_t* mark, holes_queue* queue)
{
    const holes_range range = holes_heights(r);
    int32_t near[4];
    for (int32_t i = 0; i < r->width * r->height; ++i)
    {
        const bool border = holes_neighbours(r, i, near) < 4;
        if (!border || !isnan(r->ground[i]) || mark[i] != HOLES_UNSEEN)
        {
            continue;
        }
        const int32_t begin = queue->count;
        holes_grow(r, i, mark, queue);
        const bool nick = holes_is_nick(r, queue->cells + begin, queue->count - begin, range);
        for (int32_t k = begin; nick && k < queue->count; ++k)
        {
            mark[queue->cells[k]] = HOLES_NICK;
        }
    }
}

// Mean of the neighbours with a height; NaN if none has one.
static float holes_mean(const render_relief* r, int32_t cell)
{
    int32_t near[4];
    float sum = 0.0f;
    float known = 0.0f;
    const int32_t count = holes_neighbours(r, cell, near);
    for (int32_t k = 0; k < count; ++k)
    {
        if (!isnan(r->ground[near[k]]))
        {
            sum += r->ground[near[k]];
            known += 1.0f;
        }
    }
    return known > 0.0f ? sum / known : NAN;
}

// List the cells of holes, rim first: `hole` is 1 once a cell is in the list.
static void holes_list(const render_relief* r, const uint8_t* mark, holes_queue* queue)
{
    const int32_t cells = r->width * r->height;
    int32_t near[4];
    queue->count = 0; // the outside is marked; reuse the list
    for (int32_t i = 0; i < cells; ++i)
    {
        if (isnan(r->ground[i]) && mark[i] != HOLES_OUTSIDE && !isnan(holes_mean(r, i)))
        {
            r->hole[i] = 1;
            queue->cells[queue->count++] = i;
        }
    }
    for (int32_t head = 0; head < queue->count; ++head)
    {
        const int32_t count = holes_neighbours(r, queue->cells[head], near);
        for (int32_t k = 0; k < count; ++k)
        {
            if (isnan(r->ground[near[k]]) && r->hole[near[k]] == 0 &&
                mark[near[k]] != HOLES_OUTSIDE)
            {
                r->hole[near[k]] = 1;
                queue->cells[queue->count++] = near[k];
            }
        }
    }
}

// Chessboard distance of each cell from the nearest that has 0, up to 255; beyond the border there
// is none.
static void holes_distance(const render_relief* r, uint8_t* mark)
{
    const int32_t cells = r->width * r->height;
    for (int32_t pass = 0; pass < 2; ++pass)
    {
        const int32_t way = pass == 0 ? -1 : 1; // rows and cells that this pass has been to
        for (int32_t k = 0; k < cells; ++k)
        {
            const int32_t i = pass == 0 ? k : cells - 1 - k;
            const int32_t x = i % r->width;
            const int32_t y = i / r->width + way;
            int32_t least = x + way >= 0 && x + way < r->width ? mark[i + way] : 255;
            for (int32_t dx = -1; dx <= 1 && y >= 0 && y < r->height; ++dx)
            {
                const bool inside = x + dx >= 0 && x + dx < r->width;
                const int32_t beside = inside ? mark[i + way * r->width + dx] : 255;
                least = beside < least ? beside : least;
            }
            mark[i] = (uint8_t)(least + 1 < mark[i] ? least + 1 : mark[i]);
        }
    }
}

// The outside takes land without room for 3 x 3 cells beside it, which would stand as fences of
// posts: an opening. Data that are mostly such land stay.
static void holes_take_slivers(const render_relief* r, uint8_t* mark, holes_queue* queue)
{
    const int32_t cells = r->width * r->height;
    int32_t known = 0;
    holes_mark_outside(r, mark, queue);
    for (int32_t i = 0; i < cells; ++i)
    {
        known += !isnan(r->ground[i]);
        mark[i] = mark[i] == HOLES_OUTSIDE ? 0 : 255;
    }
    holes_distance(r, mark);
    for (int32_t i = 0; i < cells; ++i)
    {
        mark[i] = mark[i] > r->refined ? 0 : 255;
    }
    holes_distance(r, mark);
    int32_t slivers = 0;
    for (int32_t i = 0; i < cells; ++i)
    {
        slivers += mark[i] > r->refined && !isnan(r->ground[i]);
    }
    for (int32_t i = 0; i < cells; ++i)
    {
        const bool sliver = mark[i] > r->refined && slivers < known / HOLES_FEW;
        r->ground[i] = sliver ? NAN : r->ground[i];
        mark[i] = HOLES_UNSEEN;
    }
    queue->count = 0;
}

static void holes_search(render_relief* r, uint8_t* mark, holes_queue* queue)
{
    holes_take_slivers(r, mark, queue);
    holes_mark_seams(r, mark);
    holes_mark_outside(r, mark, queue);
    holes_list(r, mark, queue);

    r->has_holes = queue->count > 0;

    // the first round fills from the rim inwards, the others smooth in alternating order
    for (int32_t round = 0; round < HOLES_ROUNDS; ++round)
    {
        for (int32_t k = 0; k < queue->count; ++k)
        {
            const int32_t at = round % 2 == 0 ? k : queue->count - 1 - k;
            r->ground[queue->cells[at]] = holes_mean(r, queue->cells[at]);
        }
    }
}

static bool holes_has_voids(const render_relief* r)
{
    const int32_t cells = r->width * r->height;
    int32_t i = 0;
    while (i < cells && !isnan(r->ground[i]))
    {
        i += 1;
    }
    return i < cells;
}

wadi_result wadi_holes_fill(render_relief* r)
{
    const size_t cells = (size_t)r->width * (size_t)r->height;
    WADI_ALLOC(r->context, r->hole, cells, "the holes of the picture");
    if (!holes_has_voids(r))
    {
        return WADI_OK;
    }
    uint8_t* mark = wadi_alloc(r->context, cells, sizeof *mark);
    holes_queue queue = {wadi_alloc(r->context, cells, sizeof *queue.cells), 0};
    const bool enough = mark != NULL && queue.cells != NULL;
    if (enough)
    {
        holes_search(r, mark, &queue);
    }
    wadi_free(r->context, mark);
    wadi_free(r->context, queue.cells);
    return enough ? WADI_OK
                  : wadi_fail_memory(r->context, cells * (1 + sizeof *queue.cells),
                                     "the search for holes");
}
