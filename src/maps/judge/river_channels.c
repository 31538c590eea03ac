// SPDX-License-Identifier: MIT
// Channels of a river. Its cells are sorted by their distance from the source, within the river.
// Cells of one interval of distances that touch are a piece of a channel. A bend has one piece at a
// distance, however it winds, and a braid has several. Pieces that lead nowhere are left out.
#include "maps/judge/river_forms_internal.h"

enum
{
    CHANNELS_KNIGHTS = 16, // neighbours, with the knight's moves
    CHANNELS_BUCKETS = 12  // more than the longest step
};

static const int8_t channels_dx[CHANNELS_KNIGHTS] = {1, 1, 0,  -1, -1, -1, 0, 1,
                                                     2, 1, -1, -2, -2, -1, 1, 2};
static const int8_t channels_dy[CHANNELS_KNIGHTS] = {0, 1, 1, 1, 0,  -1, -1, -1,
                                                     1, 2, 2, 1, -1, -2, -2, -1};

static int32_t channels_step(int32_t k)
{
    return k >= 8 ? 11 : k % 2 == 0 ? 5 : 7;
}

// ---- distances ---------------------------------------------------------------------------

// Lists of cells by distance (Dial 1969): buckets in a ring.
typedef struct channels_queue
{
    int32_t heads[CHANNELS_BUCKETS];
    int32_t* next; // by entry
    int32_t* cell; // likewise
    int32_t count;
    int32_t capacity;
} channels_queue;

static wadi_result channels_push(const river_grid* grid, channels_queue* queue, int32_t cell,
                                 int32_t way)
{
    if (queue->count == queue->capacity)
    {
        return wadi_context_fail(grid->context, WADI_ERROR_STATE, "too many ways in a river");
    }
    queue->cell[queue->count] = cell;
    queue->next[queue->count] = queue->heads[way % CHANNELS_BUCKETS];
    queue->heads[way % CHANNELS_BUCKETS] = queue->count++;
    return WADI_OK;
}

// A knight's move needs one of the two cells that it passes.
static bool channels_passes(const river_grid* grid, int32_t cell, int32_t k)
{
    if (k < 8)
    {
        return true;
    }
    const int32_t dx = channels_dx[k] / 2;
    const int32_t dy = channels_dy[k] / 2;
    const int32_t straight = river_beside(grid, cell, dx, dy);
    const int32_t oblique = river_beside(grid, cell, channels_dx[k] - dx, channels_dy[k] - dy);
    return straight >= 0 && oblique >= 0 && grid->mask[straight] != 0 && grid->mask[oblique] != 0;
}

static wadi_result channels_spread(const river_grid* grid, channels_queue* queue, int32_t cell,
                                   river_part* part)
{
    for (int32_t k = 0; k < CHANNELS_KNIGHTS; ++k)
    {
        const int32_t n = river_beside(grid, cell, channels_dx[k], channels_dy[k]);
        const int32_t way = part->way[cell] + channels_step(k);
        if (n >= 0 && grid->mask[n] != 0 && (part->way[n] < 0 || way < part->way[n]) &&
            channels_passes(grid, cell, k))
        {
            part->way[n] = way;
            WADI_TRY(channels_push(grid, queue, n, way));
        }
    }
    return WADI_OK;
}

static wadi_result channels_run(const river_grid* grid, channels_queue* queue, river_part* part)
{
    int32_t idle = 0;
    for (int32_t way = 0; idle < CHANNELS_BUCKETS; ++way)
    {
        int32_t entry = queue->heads[way % CHANNELS_BUCKETS];
        queue->heads[way % CHANNELS_BUCKETS] = -1;
        idle = entry < 0 ? idle + 1 : 0;
        for (; entry >= 0; entry = queue->next[entry])
        {
            const int32_t cell = queue->cell[entry];
            if (part->way[cell] == way && (grid->mask[cell] & 2) == 0)
            {
                grid->mask[cell] |= 2; // done
                part->order[part->count++] = cell;
                WADI_TRY(channels_spread(grid, queue, cell, part));
            }
        }
    }
    for (int32_t i = 0; i < part->count; ++i)
    {
        grid->mask[part->order[i]] &= 1;
    }
    return WADI_OK;
}

wadi_result wadi_river_part_open(const river_grid* grid, river_part* part)
{
    int32_t cells = 0;
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        cells += grid->mask[i] != 0 ? 1 : 0;
    }
    part->room = CHANNELS_KNIGHTS * cells + 1;
    WADI_ALLOC(grid->context, part->order, (int64_t)cells + 1, "the plan of a river");
    WADI_ALLOC(grid->context, part->way, grid->cells, "the plan of a river");
    WADI_ALLOC(grid->context, part->queue, 2 * (int64_t)part->room, "the plan of a river");
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        part->way[i] = -1;
    }
    return WADI_OK;
}

void wadi_river_part_close(const river_grid* grid, river_part* part)
{
    wadi_free(grid->context, part->order);
    wadi_free(grid->context, part->way);
    wadi_free(grid->context, part->queue);
}

wadi_result wadi_river_reach(const river_grid* grid, int32_t from, river_part* part)
{
    channels_queue queue = {
        .capacity = part->room, .cell = part->queue, .next = part->queue + part->room};
    for (int32_t i = 0; i < CHANNELS_BUCKETS; ++i)
    {
        queue.heads[i] = -1;
    }
    for (int32_t i = 0; i < part->count; ++i)
    {
        part->way[part->order[i]] = -1;
    }
    part->count = 0;
    part->way[from] = 0;
    WADI_TRY(channels_push(grid, &queue, from, 0));
    return channels_run(grid, &queue, part);
}

// ---- pieces ------------------------------------------------------------------------------

typedef struct channels_piece
{
    double x; // sums, then means
    double y;
    int32_t cells;
    int32_t bin;
    int32_t before; // largest piece upstream, or -1
    int32_t links;  // first pair whose lower piece this is not, or -1
    int32_t befores;
    bool alive;
} channels_piece;

typedef struct channels_pair
{
    int32_t up;
    int32_t next;
} channels_pair;

typedef struct channels_net
{
    const river_grid* grid;
    const river_part* part;
    int32_t* label; // by cell of the grid: piece
    int32_t* stack;
    channels_piece* pieces;
    int32_t count;
    channels_pair* pairs;
    int32_t pair_count;
    int32_t interval; // of distances
} channels_net;

static int32_t channels_bin(const channels_net* net, int32_t cell)
{
    return net->part->way[cell] / net->interval;
}

static void channels_fill(channels_net* net, int32_t from)
{
    const river_grid* grid = net->grid;
    channels_piece* piece = &net->pieces[net->count];
    *piece = (channels_piece){.bin = channels_bin(net, from), .before = -1, .links = -1};
    int32_t tail = 0;
    net->stack[tail++] = from;
    net->label[from] = net->count;
    while (tail > 0)
    {
        const int32_t cell = net->stack[--tail];
        piece->x += cell % grid->width;
        piece->y += cell / grid->width;
        ++piece->cells;
        for (int32_t k = 0; k < 8; ++k)
        {
            const int32_t n = river_beside(grid, cell, channels_dx[k], channels_dy[k]);
            if (n >= 0 && net->part->way[n] >= 0 && net->label[n] < 0 &&
                channels_bin(net, n) == piece->bin)
            {
                net->label[n] = net->count;
                net->stack[tail++] = n;
            }
        }
    }
    piece->x /= piece->cells;
    piece->y /= piece->cells;
    ++net->count;
}

static void channels_link(channels_net* net, int32_t up, int32_t down)
{
    channels_piece* piece = &net->pieces[down];
    for (int32_t i = piece->links; i >= 0; i = net->pairs[i].next)
    {
        if (net->pairs[i].up == up)
        {
            return;
        }
    }
    net->pairs[net->pair_count] = (channels_pair){up, piece->links};
    piece->links = net->pair_count++;
    ++piece->befores;
    if (piece->before < 0 || net->pieces[up].cells > net->pieces[piece->before].cells)
    {
        piece->before = up;
    }
}

// Does a channel leave here: into the sea, over the edge of the map or into a void?
static bool channels_is_exit(const river_grid* grid, int32_t cell)
{
    for (int32_t k = 0; k < 8; ++k)
    {
        const int32_t n = river_beside(grid, cell, channels_dx[k], channels_dy[k]);
        if (n < 0 || !river_is_land(grid, n))
        {
            return true;
        }
    }
    return false;
}

// Pieces, in the order of distances, and their links.
static void channels_find(channels_net* net)
{
    const river_part* part = net->part;
    for (int32_t i = 0; i < net->grid->cells; ++i)
    {
        net->label[i] = -1;
    }
    for (int32_t i = 0; i < part->count; ++i)
    {
        if (net->label[part->order[i]] < 0)
        {
            channels_fill(net, part->order[i]);
        }
    }
    for (int32_t i = 0; i < part->count; ++i)
    {
        const int32_t cell = part->order[i];
        const int32_t here = net->label[cell];
        for (int32_t k = 0; k < 8; ++k)
        {
            const int32_t n = river_beside(net->grid, cell, channels_dx[k], channels_dy[k]);
            if (n >= 0 && net->label[n] >= 0 &&
                net->pieces[net->label[n]].bin + 1 == net->pieces[here].bin)
            {
                channels_link(net, net->label[n], here);
            }
        }
        net->pieces[here].alive = net->pieces[here].alive || channels_is_exit(net->grid, cell);
    }
}

// A piece is active if it leads to an end of the river, or where two channels meet.
static void channels_prune(channels_net* net)
{
    const river_part* part = net->part;
    net->pieces[net->label[part->order[part->count - 1]]].alive = true;
    for (int32_t i = net->count - 1; i >= 0; --i)
    {
        channels_piece* piece = &net->pieces[i];
        piece->alive = piece->alive || piece->befores > 1;
        for (int32_t k = piece->links; k >= 0 && piece->alive; k = net->pairs[k].next)
        {
            net->pieces[net->pairs[k].up].alive = true;
        }
    }
}

// ---- results -----------------------------------------------------------------------------

// Groups of exits that touch, but for the one at the source.
static int32_t channels_mouths(channels_net* net)
{
    const river_grid* grid = net->grid;
    const river_part* part = net->part;
    int32_t mouths = 0;
    for (int32_t i = 0; i < part->count; ++i)
    {
        const int32_t cell = part->order[i];
        const bool exit = net->pieces[net->label[cell]].alive && channels_is_exit(grid, cell);
        grid->mask[cell] |= exit ? 4 : 0;
    }
    for (int32_t i = 0; i < part->count; ++i)
    {
        if ((grid->mask[part->order[i]] & 4) == 0)
        {
            continue;
        }
        int32_t tail = 0;
        bool source = false;
        net->stack[tail++] = part->order[i];
        grid->mask[part->order[i]] &= 3;
        while (tail > 0)
        {
            const int32_t cell = net->stack[--tail];
            source = source || channels_bin(net, cell) < 2;
            for (int32_t k = 0; k < 8; ++k)
            {
                const int32_t n = river_beside(grid, cell, channels_dx[k], channels_dy[k]);
                if (n >= 0 && (grid->mask[n] & 4) != 0)
                {
                    grid->mask[n] &= 3;
                    net->stack[tail++] = n;
                }
            }
        }
        mouths += source ? 0 : 1;
    }
    return mouths;
}

static double channels_apart(river_point a, river_point b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

// The main course goes up from the end by the largest pieces.
static void channels_main(const channels_net* net, river_course* course)
{
    const river_part* part = net->part;
    const int32_t last = net->label[part->order[part->count - 1]];
    double area = 0.0;
    for (int32_t i = last; i >= 0; i = net->pieces[i].before)
    {
        course->points[course->count++] = (river_point){net->pieces[i].x, net->pieces[i].y};
        area += net->pieces[i].cells;
    }
    for (int32_t i = 0; i < course->count / 2; ++i)
    {
        const river_point other = course->points[i];
        course->points[i] = course->points[course->count - 1 - i];
        course->points[course->count - 1 - i] = other;
    }
    double length = 1.0;
    for (int32_t i = 1; i < course->count; ++i)
    {
        length += channels_apart(course->points[i], course->points[i - 1]);
    }
    int32_t alive = 0;
    for (int32_t i = 0; i < net->count; ++i)
    {
        alive += net->pieces[i].alive ? 1 : 0;
    }
    course->width = area / length;
    course->braiding = (double)alive / course->count;
}

static wadi_result channels_measure(channels_net* net, river_course* course)
{
    wadi_context* context = net->grid->context;
    const int64_t count = net->part->count;
    WADI_ALLOC(context, net->label, net->grid->cells, "channels of a river");
    WADI_ALLOC(context, net->stack, count, "channels of a river");
    WADI_ALLOC(context, net->pieces, count, "channels of a river");
    WADI_ALLOC(context, net->pairs, 8 * count, "channels of a river");
    WADI_ALLOC(context, course->points, count, "the course of a river");
    channels_find(net);
    channels_prune(net);
    channels_main(net, course);
    course->mouths = channels_mouths(net);
    return WADI_OK;
}

wadi_result wadi_river_channels(const river_grid* grid, const river_part* part,
                                river_course* course)
{
    // intervals of half the mean width of all channels together, two cells at least
    const double longest = (double)part->way[part->order[part->count - 1]] / RIVER_UNIT;
    const double width = part->count / fmax(1.0, longest);
    channels_net net = {.grid = grid, .part = part};
    net.interval = (int32_t)(RIVER_UNIT * fmax(2.0, 0.5 * width));
    const wadi_result result = channels_measure(&net, course);
    wadi_free(grid->context, net.label);
    wadi_free(grid->context, net.stack);
    wadi_free(grid->context, net.pieces);
    wadi_free(grid->context, net.pairs);
    return result;
}
