// SPDX-License-Identifier: MIT
// Priority flood with a tilt (Barnes, Lehman & Mulla 2014), for ground on which most cells already
// drain.
//
// The result R is the only solution of R(c) = max(h(c), min over neighbours n of R(n) + rise), with
// R = h at the outlets: the order of the work cannot change it. Two things follow. A cell that
// stands above a finished neighbour by the rise is finished at once, R = h, so slopes are climbed
// with a plain stack (the idea of Zhou, Sun & Fu 2016). Only hollows need an order. And there most
// cells are reached from a cell that has just been flooded, at its level plus one of two rises:
// such levels never fall, so a queue for each rise keeps them in order by itself, and the heap is
// left to the shores.
#include "hydraulic/parcel.h"

#include <string.h>

enum
{
    FLOOD_OPEN,    // not finished
    FLOOD_DONE,    // R is final
    FLOOD_WALL,    // not there
    FLOOD_WRAPPED, // ghost of a cell on the opposite, periodic edge
};

enum
{
    FLOOD_BUCKETS = 33 // of the radix heap: one per bit of a level, and one for the level itself
};

// Candidates: level << 32 | padded index.
typedef struct flood_list
{
    uint64_t* entry;
    int64_t begin; // of a queue
    int64_t end;
    int64_t capacity;
} flood_list;

typedef struct parcel_flood_work
{
    uint8_t* outline; // padded: state before any work
    uint8_t* state;   // padded
    uint32_t* stack;  // finished cells whose neighbours are to be looked at
    int64_t stack_size;
    uint32_t* shore; // finished cells that had an unfinished neighbour too low to climb to
    int64_t shore_size;
    uint32_t* outlets; // padded indices
    int64_t outlet_count;
    flood_list heap[FLOOD_BUCKETS]; // a radix heap
    uint32_t heap_last;             // level of the last candidate that left it
    flood_list queue[2];            // by rise: in order by themselves
} parcel_flood_work;

// One flood in progress.
typedef struct flood_run
{
    const parcel_level* level;
    parcel_flood_work* work;
    int32_t* out;
    int32_t rise[2];     // by axis and diagonal
    ptrdiff_t step[8];   // padded index offsets
    bool climbing_first; // candidates wait on the shore until all slopes are climbed
    bool from_flood;     // spreading from a cell that was just flooded: levels never fall
    wadi_result result;
} flood_run;

// ---- candidates --------------------------------------------------------------------------

static wadi_result flood_list_grow(wadi_context* context, flood_list* list)
{
    const int64_t capacity = list->capacity > 0 ? 2 * list->capacity : 4096;
    uint64_t* entry;
    WADI_ALLOC(context, entry, capacity, "the flood's candidates");
    if (list->end > 0)
    {
        memcpy(entry, list->entry, (size_t)list->end * sizeof *entry);
    }
    wadi_free(context, list->entry);
    list->entry = entry;
    list->capacity = capacity;
    return WADI_OK;
}

// Room for one more; false when memory is out, which the run then reports.
static bool flood_list_has_room(flood_run* run, flood_list* list)
{
    if (list->end == list->capacity && run->result == WADI_OK)
    {
        run->result = flood_list_grow(run->level->context, list);
    }
    return run->result == WADI_OK;
}

static uint32_t flood_level_of(uint64_t entry)
{
    return (uint32_t)(entry >> 32);
}

// Radix heap (Ahuja et al. 1990): candidates leave in rising order, so they can lie in buckets by
// the highest bit in which their level differs from the last one out. No comparisons to mispredict:
// a binary heap took half of the time of a whole run.
static int32_t flood_bucket(const parcel_flood_work* work, uint64_t entry)
{
    const uint32_t differs = flood_level_of(entry) ^ work->heap_last;
    return differs == 0 ? 0 : 32 - __builtin_clz(differs);
}

static void flood_list_push(flood_run* run, flood_list* list, uint64_t entry)
{
    if (flood_list_has_room(run, list))
    {
        list->entry[list->end++] = entry;
    }
}

static void flood_heap_push(flood_run* run, uint64_t entry)
{
    flood_list_push(run, &run->work->heap[flood_bucket(run->work, entry)], entry);
}

// Spread a bucket over lower ones. Candidates whose cell has been finished meanwhile, most of all
// along divides, are dropped on the way. No level below `floor` will be asked for again.
static void flood_heap_settle(flood_run* run, int32_t bucket, uint32_t floor)
{
    parcel_flood_work* work = run->work;
    flood_list* list = &work->heap[bucket];
    int64_t kept = 0;
    uint32_t least = floor;
    for (int64_t k = 0; k < list->end; ++k)
    {
        const uint64_t entry = list->entry[k];
        if (work->state[(uint32_t)entry] == FLOOD_OPEN)
        {
            least = flood_level_of(entry) < least ? flood_level_of(entry) : least;
            list->entry[kept++] = entry;
        }
    }
    list->end = 0;
    if (kept == 0)
    {
        return;
    }
    work->heap_last = least;
    for (int64_t k = 0; k < kept; ++k)
    {
        flood_heap_push(run, list->entry[k]);
    }
}

// Lowest level that a bucket can hold: the last one out, with the bucket's bit set.
static uint32_t flood_bucket_floor(const parcel_flood_work* work, int32_t bucket)
{
    return bucket == 0 ? work->heap_last : (work->heap_last >> (bucket - 1) | 1u) << (bucket - 1);
}

// The front of the two queues; NULL when both are empty.
static flood_list* flood_front_queue(parcel_flood_work* work, uint64_t* entry)
{
    flood_list* best = NULL;
    *entry = UINT64_MAX;
    for (int i = 0; i < 2; ++i)
    {
        flood_list* queue = &work->queue[i];
        if (queue->begin < queue->end && queue->entry[queue->begin] < *entry)
        {
            best = queue;
            *entry = queue->entry[queue->begin];
        }
    }
    return best;
}

// The lowest candidate of the heap and the queues; false when there is none.
static bool flood_pop(flood_run* run, uint64_t* entry)
{
    parcel_flood_work* work = run->work;
    flood_list* queue = flood_front_queue(work, entry);
    const uint32_t front = flood_level_of(*entry);
    int32_t bucket = 0;
    while (bucket < FLOOD_BUCKETS && run->result == WADI_OK)
    {
        if (work->heap[bucket].end == 0)
        {
            bucket += 1;
            continue;
        }
        if (front < flood_bucket_floor(work, bucket))
        {
            break;
        }
        if (bucket == 0)
        {
            *entry = work->heap[0].entry[--work->heap[0].end];
            return true;
        }
        flood_heap_settle(run, bucket, front);
        bucket = 0;
    }
    if (queue != NULL)
    {
        queue->begin += 1;
    }
    return queue != NULL;
}

// ---- flood -------------------------------------------------------------------------------

// Real cell behind a ghost of a periodic edge.
static int64_t flood_unwrap(const parcel_level* level, int64_t ghost)
{
    const int32_t y = (int32_t)(ghost / level->stride) - 1;
    const int32_t x = (int32_t)(ghost % level->stride) - 1;
    return parcel_padded_index(level, (x + level->width) % level->width,
                               (y + level->height) % level->height);
}

static void flood_finish(flood_run* run, int64_t cell, int32_t height)
{
    run->out[cell] = height;
    run->work->state[cell] = FLOOD_DONE;
    run->work->stack[run->work->stack_size++] = (uint32_t)cell;
}

// A neighbour that lies too low to be finished from here: it will stand under water unless another
// way to it is found. Returns true when it has to wait until the slopes have been climbed.
static bool flood_consider(flood_run* run, int64_t cell, int32_t height, int32_t rise)
{
    if (run->climbing_first)
    {
        return true;
    }
    if (height < run->out[cell])
    {
        const uint64_t entry = (uint64_t)(uint32_t)height << 32 | (uint32_t)cell;
        run->out[cell] = height;
        if (run->from_flood)
        {
            flood_list_push(run, &run->work->queue[rise], entry);
        }
        else
        {
            flood_heap_push(run, entry);
        }
    }
    return false;
}

// Look at the neighbours of a finished cell.
static void flood_spread(flood_run* run, int64_t cell)
{
    parcel_flood_work* work = run->work;
    const int32_t* surface = run->level->surface;
    bool waits = false;
    for (int d = 0; d < 8; ++d)
    {
        int64_t n = cell + run->step[d];
        if (work->state[n] == FLOOD_WRAPPED)
        {
            n = flood_unwrap(run->level, n);
        }
        if (work->state[n] != FLOOD_OPEN)
        {
            continue;
        }
        const int32_t height = run->out[cell] + run->rise[d & 1];
        if (surface[n] >= height)
        {
            flood_finish(run, n, surface[n]);
        }
        else
        {
            waits |= flood_consider(run, n, height, d & 1);
        }
    }
    if (waits)
    {
        work->shore[work->shore_size++] = (uint32_t)cell;
    }
}

static void flood_climb(flood_run* run)
{
    while (run->work->stack_size > 0)
    {
        flood_spread(run, run->work->stack[--run->work->stack_size]);
    }
}

static void flood_start(flood_run* run)
{
    const parcel_level* level = run->level;
    parcel_flood_work* work = run->work;
    memcpy(work->state, work->outline, (size_t)level->padded);
    work->stack_size = 0;
    work->shore_size = 0;
    work->heap_last = 0;
    for (int i = 0; i < FLOOD_BUCKETS; ++i)
    {
        work->heap[i].end = 0;
    }
    for (int i = 0; i < 2; ++i)
    {
        work->queue[i].begin = 0;
        work->queue[i].end = 0;
    }
    for (int64_t i = 0; i < level->padded; ++i)
    {
        run->out[i] = PARCEL_WALL;
    }
    for (int64_t i = 0; i < work->outlet_count; ++i)
    {
        flood_finish(run, work->outlets[i], level->surface[work->outlets[i]]);
    }
    if (level->sink >= 0)
    {
        const int64_t i = parcel_padded_index(level, (int32_t)(level->sink % level->width),
                                              (int32_t)(level->sink / level->width));
        flood_finish(run, i, level->surface[i]);
    }
}

// Let the lowest shore spill first, again and again.
static void flood_fill(flood_run* run)
{
    uint64_t entry;
    while (run->result == WADI_OK && flood_pop(run, &entry))
    {
        const int64_t cell = (int64_t)(uint32_t)entry;
        if (run->work->state[cell] != FLOOD_OPEN)
        {
            continue;
        }
        run->work->state[cell] = FLOOD_DONE;
        run->out[cell] = (int32_t)(entry >> 32);
        run->from_flood = true;
        flood_spread(run, cell);
        run->from_flood = false;
        flood_climb(run);
    }
}

wadi_result parcel_flood(parcel_level* level, int32_t rise_axis, int32_t rise_diagonal,
                         int32_t* out)
{
    const ptrdiff_t s = level->stride;
    parcel_flood_work* work = level->flood;
    flood_run run = {
        .level = level,
        .work = work,
        .out = out,
        .rise = {rise_axis, rise_diagonal},
        .step = {1, s + 1, s, s - 1, -1, -s - 1, -s, -s + 1},
        .climbing_first = true,
    };
    flood_start(&run);
    flood_climb(&run);
    run.climbing_first = false;
    for (int64_t i = 0; i < work->shore_size; ++i)
    {
        flood_spread(&run, work->shore[i]);
    }
    flood_climb(&run);
    flood_fill(&run);
    parcel_level_refresh_ghosts(level, out);
    return run.result;
}

// ---- life --------------------------------------------------------------------------------

static uint8_t flood_outline_of(const parcel_level* level, int32_t x, int32_t y)
{
    const bool out_x = x < 0 || x >= level->width;
    const bool out_y = y < 0 || y >= level->height;
    const bool wraps_x = level->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = level->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    if ((out_x && !wraps_x) || (out_y && !wraps_y))
    {
        return FLOOD_WALL;
    }
    if (out_x || out_y)
    {
        return FLOOD_WRAPPED;
    }
    return level->rim[(int64_t)y * level->width + x] == PARCEL_VOID ? FLOOD_WALL : FLOOD_OPEN;
}

wadi_result parcel_flood_create(parcel_level* level)
{
    WADI_ALLOC(level->context, level->flood, 1, "the flood");
    parcel_flood_work* work = level->flood;
    WADI_ALLOC(level->context, work->outline, level->padded, "the flood");
    WADI_ALLOC(level->context, work->state, level->padded, "the flood");
    WADI_ALLOC(level->context, work->stack, level->cells, "the flood");
    WADI_ALLOC(level->context, work->shore, level->cells, "the flood");
    WADI_ALLOC(level->context, work->outlets, level->cells, "the flood");
    for (int32_t y = -1; y <= level->height; ++y)
    {
        for (int32_t x = -1; x <= level->width; ++x)
        {
            const int64_t i = parcel_padded_index(level, x, y);
            work->outline[i] = flood_outline_of(level, x, y);
            if (work->outline[i] == FLOOD_OPEN && level->rim[(int64_t)y * level->width + x] != 0)
            {
                work->outlets[work->outlet_count++] = (uint32_t)i;
            }
        }
    }
    return WADI_OK;
}

void parcel_flood_destroy(parcel_level* level)
{
    parcel_flood_work* work = level->flood;
    if (work != NULL)
    {
        wadi_free(level->context, work->outline);
        wadi_free(level->context, work->state);
        wadi_free(level->context, work->stack);
        wadi_free(level->context, work->shore);
        wadi_free(level->context, work->outlets);
        for (int i = 0; i < FLOOD_BUCKETS; ++i)
        {
            wadi_free(level->context, work->heap[i].entry);
        }
        wadi_free(level->context, work->queue[0].entry);
        wadi_free(level->context, work->queue[1].entry);
        wadi_free(level->context, work);
        level->flood = NULL;
    }
}
