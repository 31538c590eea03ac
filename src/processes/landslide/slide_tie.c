// SPDX-License-Identifier: MIT
// Attach soil to grains. The column of a cell is cut into as many equal slices as it has grains,
// the lowest slice for the lowest grain, and each slice into parcels by layer. A cell too thin for
// a grain is attached to a grain of the nearest cell with grains, its host.
#include "processes/landslide/landslide_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct tie_entry
{
    double height; // above the floor [m]
    int32_t home;
    int32_t grain;
} tie_entry;

typedef struct tie_job
{
    slide* s;
    const wadi_ground* ground;
    tie_entry* entries; // grains sorted by cell, then by height
    int32_t* first;     // by cell: its first entry; -1: none
    int32_t* host;      // by cell: the cell whose grains carry it; -1: none
    int32_t* queue;
    int64_t* cargo; // grains x (loose layers + 1) [units x cells]
} tie_job;

static int tie_compare(const void* a, const void* b)
{
    const tie_entry* p = a;
    const tie_entry* q = b;
    if (p->home != q->home)
    {
        return p->home < q->home ? -1 : 1;
    }
    if (p->height < q->height || p->height > q->height)
    {
        return p->height < q->height ? -1 : 1;
    }
    return (p->grain > q->grain) - (p->grain < q->grain);
}

static void tie_sort(tie_job* job)
{
    const slide* s = job->s;
    const wadi_facets floor = wadi_slide_land_facets(&s->land, s->land.floor);
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double* at = s->grains[i].position;
        double slope[2];
        const double below = wadi_facets_height(&floor, at[0], at[1], slope);
        job->entries[i] = (tie_entry){at[2] - below, s->homes[i], i};
    }
    qsort(job->entries, (size_t)s->count, sizeof *job->entries, tie_compare);
    for (int32_t i = s->count - 1; i >= 0; --i)
    {
        job->first[job->entries[i].home] = i;
    }
}

// Find the hosts: breadth-first search from cells with grains over cells with soil cut out.
static void tie_hosts(tie_job* job)
{
    const wadi_ground* ground = job->ground;
    const slide_source* source = job->s->source;
    int64_t count = 0;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        job->host[c] = job->first[c] >= 0 ? (int32_t)c : -1;
        if (job->first[c] >= 0)
        {
            job->queue[count] = (int32_t)c;
            ++count;
        }
    }
    for (int64_t next = 0; next < count; ++next)
    {
        const int32_t from = job->queue[next];
        for (int k = 1; k < 9; k += 2) // north, west, east, south
        {
            const int64_t to = wadi_slide_land_neighbour(ground, from, k);
            if (to >= 0 && job->host[to] < 0 && source->soil[to] + source->rock[to] > 0)
            {
                job->host[to] = job->host[from];
                job->queue[count] = (int32_t)to;
                ++count;
            }
        }
    }
}

static int32_t tie_grains_of(const tie_job* job, int32_t home)
{
    int32_t count = 0;
    const int32_t first = job->first[home];
    while (first + count < job->s->count && job->entries[first + count].home == home)
    {
        ++count;
    }
    return count;
}

// ---- parcels -----------------------------------------------------------------------------

// Thickness cut out of each layer of a cell, from the bottom up: rock first.
static void tie_column(const tie_job* job, int64_t cell, int32_t gives[WADI_MAX_LOOSE + 1])
{
    const wadi_ground* ground = job->ground;
    int32_t left = job->s->source->soil[cell];
    gives[0] = job->s->source->rock[cell];
    for (int32_t l = ground->loose_count - 1; l >= 0; --l)
    {
        const int32_t have = ground->loose[l][cell];
        gives[l + 1] = have < left ? have : left;
        left -= gives[l + 1];
    }
}

static void tie_add(tie_job* job, int32_t cell, int32_t level, int32_t units, int32_t grain)
{
    slide* s = job->s;
    s->parcels[s->parcel_count] = (slide_parcel){cell, level - 1, units, grain};
    s->parcel_count += 1;
    job->cargo[(int64_t)grain * (job->ground->loose_count + 1) + level] += units;
}

// Slice number i of n ends at floor(total (i + 1) / n).
static void tie_slices(tie_job* job, int32_t cell, int32_t first, int32_t n)
{
    int32_t gives[WADI_MAX_LOOSE + 1];
    tie_column(job, cell, gives);
    const int64_t total = (int64_t)job->s->source->soil[cell] + job->s->source->rock[cell];
    int64_t done = 0;
    int32_t level = 0;
    for (int32_t i = 0; i < n; ++i)
    {
        const int64_t end = total * (i + 1) / n;
        while (done < end)
        {
            const int64_t room = end - done;
            const int32_t part = gives[level] < room ? gives[level] : (int32_t)room;
            if (part > 0)
            {
                tie_add(job, cell, level, part, job->entries[first + i].grain);
            }
            gives[level] -= part;
            done += part;
            level += gives[level] == 0 && done < total ? 1 : 0;
        }
    }
}

// Cut every cell into slices. The soil of a cell without grains is one slice for a grain of its
// host.
static void tie_cells(tie_job* job)
{
    for (int64_t c = 0; c < job->ground->cells; ++c)
    {
        const int32_t host = job->host[c];
        if (host < 0)
        {
            continue;
        }
        const int32_t n = tie_grains_of(job, host);
        if (host == c)
        {
            tie_slices(job, (int32_t)c, job->first[c], n);
        }
        else
        {
            tie_slices(job, (int32_t)c, job->first[host] + (int32_t)(c % n), 1);
        }
    }
}

// The material of a grain is that of the largest part of its soil; attached rock does not count.
static void tie_materials(tie_job* job)
{
    const int32_t levels = job->ground->loose_count + 1;
    for (int32_t i = 0; i < job->s->count; ++i)
    {
        const int64_t* cargo = job->cargo + (int64_t)i * levels;
        int32_t most = 1;
        for (int32_t level = 2; level < levels; ++level)
        {
            most = cargo[level] > cargo[most] ? level : most;
        }
        job->s->grains[i].material = most - 1;
    }
}

static int64_t tie_most_parcels(const tie_job* job)
{
    int64_t cells = 0;
    for (int64_t c = 0; c < job->ground->cells; ++c)
    {
        cells += job->host[c] >= 0 ? 1 : 0;
    }
    return job->s->count + cells * (job->ground->loose_count + 1);
}

static wadi_result tie_run(tie_job* job)
{
    wadi_context* context = wadi_terrain_context(job->s->terrain);
    const int64_t cells = job->ground->cells;
    const int64_t levels = job->ground->loose_count + 1;
    WADI_ALLOC(context, job->entries, job->s->count, "cells of grains");
    WADI_ALLOC(context, job->first, cells, "cells of grains");
    WADI_ALLOC(context, job->host, cells, "cells of grains");
    WADI_ALLOC(context, job->queue, cells, "cells of grains");
    WADI_ALLOC(context, job->cargo, job->s->count * levels, "cargo of grains");
    memset(job->first, 0xff, (size_t)cells * sizeof *job->first);
    tie_sort(job);
    tie_hosts(job);
    WADI_ALLOC(context, job->s->parcels, tie_most_parcels(job), "soil on grains");
    tie_cells(job);
    tie_materials(job);
    return WADI_OK;
}

wadi_result wadi_slide_attach_parcels(slide* s)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    tie_job job = {.s = s, .ground = wadi_terrain_ground_const(s->terrain)};
    const wadi_result result = tie_run(&job);
    wadi_free(context, job.entries);
    wadi_free(context, job.first);
    wadi_free(context, job.host);
    wadi_free(context, job.queue);
    wadi_free(context, job.cargo);
    return result;
}
