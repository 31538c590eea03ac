// SPDX-License-Identifier: MIT
#include "processes/articles/slabs/slab_riders.h"

#include <stdlib.h>
#include <string.h>

enum
{
    RIDERS_BAND = 64 // rows whose slabs fly between two looks at the room for riders
};

// A slab on its way to another window.
typedef struct slab_rider
{
    uint32_t start;
    float x, y; // of the whole grid
    float along, across;
    int32_t amount;
    uint32_t purpose;
    uint32_t round;
    int32_t drawn;
} slab_rider;

enum
{
    RIDERS_HEAD = sizeof(int64_t), // bytes
    RIDERS_EACH = sizeof(slab_rider)
};

struct slab_riders
{
    wadi_box* owners; // by window
    wadi_part* parts; // by window
    unsigned char* sorted;
    int64_t sorted_room; // bytes
    slab_rider* list;
    atomic_int_fast64_t count;
    int64_t room;
};

// ---- making ------------------------------------------------------------------------------------

wadi_result wadi_slab_riders_create(slab_bed* bed)
{
    bed->field = wadi_slab_field(bed->ground);
    if (bed->ground->part == NULL)
    {
        return WADI_OK;
    }
    WADI_ALLOC(bed->context, bed->riders, 1, "slabs between windows");
    WADI_ALLOC(bed->context, bed->riders->parts, bed->ground->part->count, "slabs between windows");
    return wadi_partition_owners(bed->context, &bed->riders->owners);
}

void wadi_slab_riders_destroy(slab_bed* bed)
{
    if (bed->riders != NULL)
    {
        wadi_free(bed->context, bed->riders->owners);
        wadi_free(bed->context, bed->riders->parts);
        wadi_free(bed->context, bed->riders->sorted);
        wadi_free(bed->context, bed->riders->list);
        wadi_free(bed->context, bed->riders);
    }
}

static int64_t riders_count(const slab_riders* riders)
{
    return (int64_t)atomic_load_explicit(&riders->count, memory_order_relaxed);
}

// Room for `more` riders, which threads may then add at once.
static wadi_result riders_reserve(const slab_bed* bed, int64_t more)
{
    slab_riders* riders = bed->riders;
    const int64_t count = riders_count(riders);
    if (count + more <= riders->room)
    {
        return WADI_OK;
    }
    const int64_t twice = 2 * riders->room;
    const int64_t room = count + more > twice ? count + more : twice;
    void* list;
    WADI_TRY(wadi_grow(bed->context, riders->list, (size_t)count, (size_t)room,
                       sizeof *riders->list, "slabs between windows", &list));
    riders->list = list;
    riders->room = room;
    return WADI_OK;
}

// ---- places ------------------------------------------------------------------------------------

// Index in the arrays of a column or row of the grid, which a halo may show beyond an edge.
static int32_t riders_index(int32_t place, int32_t first, int32_t count, int32_t whole)
{
    const int32_t index = place - first;
    return index < 0 ? index + whole : index >= count ? index - whole : index;
}

static int32_t riders_local(const slab_bed* bed, int32_t column, int32_t row)
{
    const wadi_ground* ground = bed->ground;
    const int32_t x =
        riders_index(column, bed->field.x, ground->width, wadi_ground_whole_width(ground));
    const int32_t y =
        riders_index(row, bed->field.y, ground->height, wadi_ground_whole_height(ground));
    const bool inside = x >= 0 && x < ground->width && y >= 0 && y < ground->height;
    return inside ? y * ground->width + x : -1;
}

int32_t wadi_slab_riders_cell(const slab_bed* bed, float x, float y)
{
    return riders_local(bed, (int32_t)x, (int32_t)y);
}

static int32_t riders_owner(const slab_bed* bed, const slab_rider* rider)
{
    const int32_t x = (int32_t)rider->x;
    const int32_t y = (int32_t)rider->y;
    int32_t owner = 0;
    for (const wadi_box* box = bed->riders->owners;
         owner < bed->ground->part->count - 1 &&
         (x < box->x || x >= box->x + box->width || y < box->y || y >= box->y + box->height);
         ++box)
    {
        owner += 1;
    }
    return owner;
}

// ---- leaving -----------------------------------------------------------------------------------

static void riders_push(slab_riders* riders, const slab_rider* rider)
{
    const int64_t at = (int64_t)atomic_fetch_add_explicit(&riders->count, 1, memory_order_relaxed);
    WADI_ASSERT(at < riders->room);
    riders->list[at] = *rider;
}

void wadi_slab_riders_add(const slab_bed* bed, const slab_flock* flock, int32_t i)
{
    const slab_rider rider = {.start = flock->start[i],
                              .x = flock->x[i],
                              .y = flock->y[i],
                              .along = flock->along[i],
                              .across = flock->across[i],
                              .amount = flock->amount[i],
                              .purpose = flock->purpose,
                              .round = flock->round,
                              .drawn = flock->drawn};
    riders_push(bed->riders, &rider);
}

// ---- arriving ----------------------------------------------------------------------------------

static bool riders_are_alike(const slab_rider* a, const slab_rider* b)
{
    return a->purpose == b->purpose && a->round == b->round && a->drawn == b->drawn;
}

static int riders_compare(const void* left, const void* right)
{
    const slab_rider* a = left;
    const slab_rider* b = right;
    return a->purpose != b->purpose ? (a->purpose < b->purpose ? -1 : 1)
           : a->round != b->round   ? (a->round < b->round ? -1 : 1)
           : a->drawn != b->drawn   ? (a->drawn < b->drawn ? -1 : 1)
                                    : 0;
}

static void riders_seat(slab_flock* flock, const slab_rider* rider, int32_t cell)
{
    const int32_t i = flock->count++;
    flock->start[i] = rider->start;
    flock->cell[i] = cell;
    flock->amount[i] = rider->amount;
    flock->x[i] = rider->x;
    flock->y[i] = rider->y;
    flock->along[i] = rider->along;
    flock->across[i] = rider->across;
}

// Let alike riders fly on as a flock.
static void riders_go_on(const slab_bed* bed, const slab_rider* list, int64_t count,
                         wadi_tally* tally)
{
    slab_flock flock;
    flock.count = 0;
    for (int64_t i = 0; i < count; ++i)
    {
        const int32_t cell = wadi_slab_riders_cell(bed, list[i].x, list[i].y);
        if (!wadi_slab_flock_falls(bed, cell, list[i].amount, tally))
        {
            riders_seat(&flock, &list[i], cell);
        }
    }
    flock.purpose = list->purpose;
    flock.round = list->round;
    wadi_slab_flock_draw(bed, &flock);
    flock.drawn = list->drawn;
    wadi_slab_flock_land(bed, &flock, tally);
}

static void riders_arrive(const slab_bed* bed, slab_rider* list, int64_t count)
{
    qsort(list, (size_t)count, sizeof *list, riders_compare);
    for (int64_t first = 0; first < count;)
    {
        int64_t end = first + 1;
        while (end < count && end - first < SLAB_FLOCK &&
               riders_are_alike(&list[end], &list[first]))
        {
            ++end;
        }
        riders_go_on(bed, list + first, end - first, &bed->tallies[0]);
        first = end;
    }
}

// ---- handing on --------------------------------------------------------------------------------

// Sort the riders by the windows they go to, and name each window's part: how many riders leave
// this window for any other one, so that all windows know when none is left, and those for the
// window.
static void riders_sort(const slab_bed* bed, unsigned char* sorted, wadi_part* parts)
{
    const slab_riders* riders = bed->riders;
    const int32_t windows = bed->ground->part->count;
    const int64_t count = riders_count(riders);
    memset(parts, 0, (size_t)windows * sizeof *parts);
    for (int64_t i = 0; i < count; ++i)
    {
        parts[riders_owner(bed, &riders->list[i])].size += RIDERS_EACH;
    }
    unsigned char* begin = sorted;
    for (int32_t i = 0; i < windows; ++i)
    {
        parts[i].bytes = begin;
        memcpy(begin, &count, RIDERS_HEAD);
        begin += RIDERS_HEAD + parts[i].size;
        parts[i].size = RIDERS_HEAD;
    }
    for (int64_t i = 0; i < count; ++i)
    {
        wadi_part* part = &parts[riders_owner(bed, &riders->list[i])];
        const unsigned char* first = part->bytes;
        memcpy(sorted + (first - sorted) + part->size, &riders->list[i], RIDERS_EACH);
        part->size += RIDERS_EACH;
    }
}

// Riders that have come to this window, and those that are on their way to any.
static int64_t riders_came(const slab_bed* bed, const wadi_part* parts, int64_t* all)
{
    int64_t here = 0;
    *all = 0;
    for (int32_t i = 0; i < bed->ground->part->count; ++i)
    {
        int64_t sent;
        memcpy(&sent, parts[i].bytes, sizeof sent);
        *all += sent;
        here += (parts[i].size - RIDERS_HEAD) / RIDERS_EACH;
    }
    return here;
}

// Copy what the windows have sent, so that it may be sorted. The caller frees it.
static wadi_result riders_collect(const slab_bed* bed, const wadi_part* parts, int64_t count,
                                  slab_rider** out)
{
    WADI_ALLOC(bed->context, *out, count + 1, "slabs between windows");
    slab_rider* to = *out;
    for (int32_t i = 0; i < bed->ground->part->count; ++i)
    {
        const int64_t size = parts[i].size - RIDERS_HEAD;
        memcpy(to, (const unsigned char*)parts[i].bytes + RIDERS_HEAD, (size_t)size);
        to += size / RIDERS_EACH;
    }
    return WADI_OK;
}

static wadi_result riders_exchange(const slab_bed* bed, unsigned char* sorted, wadi_part* parts,
                                   int64_t* all)
{
    const wadi_partition* part = bed->ground->part;
    riders_sort(bed, sorted, parts);
    if (!part->send(parts, part->user))
    {
        return wadi_partition_lost(bed->context);
    }
    slab_rider* list = NULL;
    const int64_t count = riders_came(bed, parts, all);
    WADI_TRY(riders_collect(bed, parts, count, &list));
    atomic_store_explicit(&bed->riders->count, 0, memory_order_relaxed);
    const wadi_result result = riders_reserve(bed, count);
    if (result == WADI_OK)
    {
        riders_arrive(bed, list, count);
    }
    wadi_free(bed->context, list);
    return result;
}

// One round: all riders go to their windows, and fly on there. `all`: how many, of all windows.
static wadi_result riders_round(const slab_bed* bed, int64_t* all)
{
    slab_riders* riders = bed->riders;
    const int64_t windows = bed->ground->part->count;
    const int64_t size = windows * RIDERS_HEAD + riders_count(riders) * RIDERS_EACH;
    if (size > riders->sorted_room)
    {
        wadi_free(bed->context, riders->sorted);
        riders->sorted_room = 0;
        WADI_ALLOC(bed->context, riders->sorted, 2 * size, "slabs between windows");
        riders->sorted_room = 2 * size;
    }
    return riders_exchange(bed, riders->sorted, riders->parts, all);
}

wadi_result wadi_slab_riders_go(const slab_bed* bed)
{
    int64_t left = bed->riders != NULL ? 1 : 0;
    while (left > 0)
    {
        WADI_TRY(riders_round(bed, &left));
    }
    return WADI_OK;
}

// ---- flying ------------------------------------------------------------------------------------

typedef struct riders_job
{
    slab_bed* bed;
    wadi_rows_fn* rows;
    int32_t first; // row of the band
} riders_job;

static void riders_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const riders_job* job = user;
    job->rows(job->first + begin, job->first + end, worker, job->bed);
}

wadi_result wadi_slab_riders_fly(slab_bed* bed, int32_t grain, wadi_rows_fn* rows)
{
    const int32_t height = bed->ground->height;
    if (bed->riders == NULL)
    {
        wadi_parallel_rows(bed->context, height, grain, rows, bed);
        return WADI_OK;
    }
    riders_job job = {bed, rows, 0};
    for (; job.first < height; job.first += RIDERS_BAND)
    {
        const int32_t left = height - job.first;
        const int32_t count = left < RIDERS_BAND ? left : RIDERS_BAND;
        WADI_TRY(riders_reserve(bed, (int64_t)count * bed->ground->width));
        wadi_parallel_rows(bed->context, count, grain, riders_rows, &job);
    }
    return WADI_OK;
}

// ---- halos -------------------------------------------------------------------------------------

wadi_result wadi_slab_riders_sites(const slab_bed* bed)
{
    void* const layers[] = {bed->sites};
    const int32_t bytes[] = {(int32_t)sizeof *bed->sites};
    return wadi_partition_get(bed->ground->part, layers, bytes, 1)
               ? WADI_OK
               : wadi_partition_lost(bed->context);
}

wadi_result wadi_slab_riders_land(const slab_bed* bed)
{
    void* const layers[] = {bed->landings};
    const int32_t bytes[] = {(int32_t)sizeof *bed->landings};
    return wadi_partition_add(bed->ground->part, layers, bytes, 1)
               ? WADI_OK
               : wadi_partition_lost(bed->context);
}

wadi_result wadi_slab_riders_struck(const slab_bed* bed)
{
    return wadi_ground_refresh_with(bed->ground, bed->struck, (int32_t)sizeof *bed->struck)
               ? WADI_OK
               : wadi_partition_lost(bed->context);
}

wadi_result wadi_slab_riders_ground(const slab_bed* bed)
{
    return wadi_ground_refresh(bed->ground) ? WADI_OK : wadi_partition_lost(bed->context);
}
