// SPDX-License-Identifier: MIT
#include "processes/regulate/regulate_works.h"

#include "core/internal.h"

#include <math.h>

enum
{
    WORKS_BLOCK = 4096 // cells per task
};

// ---- corridor ----------------------------------------------------------------------------

typedef struct corridor_run
{
    regulate_works* works;
    uint32_t* queue;
    int32_t* station; // station of each cell reached; -1: not reached
    int64_t begin;
    int64_t end;
} corridor_run;

static double corridor_x(const wadi_ground* ground, int64_t cell)
{
    return ((double)(cell % ground->width) + 0.5) * ground->cell_size;
}

static double corridor_y(const wadi_ground* ground, int64_t cell)
{
    return (ground->height - (double)(cell / ground->width) - 0.5) * ground->cell_size;
}

// Position of a cell relative to a station: its axis segment reaches half way to the next stations,
// and continues straight past an end over a border. False if the cell lies past any other end.
static bool corridor_place(const regulate_works* works, int64_t cell, int32_t station,
                           works_cell* out)
{
    const channel_station* s = &works->axis->station[station];
    const double half = 0.5 * works->axis->spacing;
    const double x = corridor_x(works->ground, cell) - s->x;
    const double y = corridor_y(works->ground, cell) - s->y;
    const double along = x * s->tangent_x + y * s->tangent_y;
    const double across = y * s->tangent_x - x * s->tangent_y;
    const bool before = station == 0 && along < 0.0;
    const bool past = station == works->axis->count - 1 && along > 0.0;
    const double on_axis = before || past ? along : fmin(fmax(along, -half), half);
    *out = (works_cell){
        .cell = cell,
        .station = station,
        .along = (float)on_axis,
        .aside = (float)sqrt(across * across + (along - on_axis) * (along - on_axis)),
    };
    return !(before && !works->enters) && !(past && !works->leaves);
}

static void corridor_reach(corridor_run* run, int64_t cell, int32_t from)
{
    const regulate_works* works = run->works;
    const int32_t station = wadi_channel_axis_nearest(
        works->axis, from, corridor_x(works->ground, cell), corridor_y(works->ground, cell));
    works_cell place;
    if (corridor_place(works, cell, station, &place) && (double)place.aside <= works->reach &&
        fabs((double)place.along) <= works->reach)
    {
        run->station[cell] = station;
        run->queue[run->end++] = (uint32_t)cell;
    }
}

static void corridor_start(corridor_run* run)
{
    const regulate_works* works = run->works;
    const wadi_ground* ground = works->ground;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        run->station[i] = -1;
    }
    for (int32_t i = 0; i < works->axis->count; ++i)
    {
        const double column = works->axis->station[i].x / ground->cell_size;
        const double row = ground->height - works->axis->station[i].y / ground->cell_size;
        if (column >= 0.0 && row >= 0.0 && column < ground->width && row < ground->height)
        {
            const int64_t cell = (int64_t)row * ground->width + (int64_t)column;
            if (run->station[cell] < 0)
            {
                corridor_reach(run, cell, i);
            }
        }
    }
}

static void corridor_spread(corridor_run* run)
{
    const wadi_ground* ground = run->works->ground;
    while (run->begin < run->end)
    {
        const int64_t cell = (int64_t)run->queue[run->begin++];
        const int32_t column = (int32_t)(cell % ground->width);
        const int64_t next[4] = {column > 0 ? cell - 1 : -1,
                                 column + 1 < ground->width ? cell + 1 : -1, cell - ground->width,
                                 cell + ground->width};
        for (int k = 0; k < 4; ++k)
        {
            if (next[k] >= 0 && next[k] < ground->cells && run->station[next[k]] < 0)
            {
                corridor_reach(run, next[k], run->station[cell]);
            }
        }
    }
}

static wadi_result corridor_keep(wadi_context* context, corridor_run* run)
{
    regulate_works* works = run->works;
    WADI_ALLOC(context, works->cells, run->end, "cells of earthworks");
    for (int64_t i = 0; i < run->end; ++i)
    {
        const int64_t cell = (int64_t)run->queue[i];
        if (works->ground->valid[cell] != 0)
        {
            (void)corridor_place(works, cell, run->station[cell], &works->cells[works->count++]);
        }
    }
    WADI_ALLOC(context, works->sums, works->count / WORKS_BLOCK + 1, "sums of earthworks");
    return WADI_OK;
}

static wadi_result corridor_find(wadi_context* context, corridor_run* run)
{
    const int64_t cells = run->works->ground->cells;
    WADI_ALLOC(context, run->queue, cells, "cells of earthworks");
    WADI_ALLOC(context, run->station, cells, "cells of earthworks");
    corridor_start(run);
    corridor_spread(run);
    return corridor_keep(context, run);
}

wadi_result wadi_regulate_works_create(wadi_context* context, regulate_works* works)
{
    corridor_run run = {.works = works};
    works->count = 0;
    const wadi_result result = corridor_find(context, &run);
    wadi_free(context, run.queue);
    wadi_free(context, run.station);
    return result;
}

void wadi_regulate_works_free(wadi_context* context, regulate_works* works)
{
    wadi_free(context, works->cells);
    wadi_free(context, works->sums);
    works->cells = NULL;
    works->sums = NULL;
}

// ---- the plan ----------------------------------------------------------------------------

void wadi_regulate_works_bed(const regulate_works* works, const regulate_design* design,
                             double* bed)
{
    const double depth = works->params->end_depth;
    const double drop = works->params->drop;
    const int32_t last = works->axis->count - 1;
    bed[last] = works->terrain[last] - depth;
    for (int32_t i = last - 1; i >= 0; --i)
    {
        bed[i] = bed[i + 1] + design->grade * works->axis->spacing;
        const double below = works->terrain[i] - depth - bed[i];
        bed[i] += drop > 0.0 && below >= drop ? drop * floor(below / drop) : 0.0;
    }
}

// A levee on cells leaks at corners if its crest is narrower than the diagonal of a cell.
static const double works_least_crest = 1.5; // cells

// The two lines of a design at a place across the channel [m above the bed].
typedef struct works_lines
{
    double least; // ground below it is filled
    double most;  // ground above it is cut
    bool in_channel;
} works_lines;

static works_lines works_lines_at(const regulate_works* works, const regulate_design* design,
                                  double aside)
{
    const wadi_regulate_params* p = works->params;
    const double levee = fmax(p->levee_width, works_least_crest * works->ground->cell_size);
    const double shoulder = 0.5 * design->width + p->side_slope * design->crest;
    const double wall = fmax(0.0, aside - 0.5 * design->width) / p->side_slope;
    const double beyond = aside - shoulder - levee;
    return (works_lines){
        .least = aside <= shoulder ? wall : design->crest - fmax(0.0, beyond) / p->levee_slope,
        .most = wall,
        .in_channel = aside <= shoulder,
    };
}

// Change that fits 32 bits; from the highest to the lowest height is twice as much [units].
static const double works_most_change = 2147483647.0;

// Change of the ground of a cell [units]; negative: cut.
static int32_t works_change(const regulate_works* works, const regulate_design* design,
                            const double* bed, const works_cell* c, bool* in_channel)
{
    const works_lines lines = works_lines_at(works, design, (double)c->aside);
    const double base = bed[c->station] - design->grade * (double)c->along;
    const double surface = (double)wadi_ground_surface(works->ground, c->cell);
    const double least = (base + lines.least) * WADI_UNITS_PER_METRE;
    const double most = (base + lines.most) * WADI_UNITS_PER_METRE;
    const double limit = WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE;
    const double plan = fmin(fmax(fmin(fmax(surface, least), most), -limit), limit);
    const double change = floor(plan - surface + 0.5);
    *in_channel = lines.in_channel;
    return (int32_t)fmin(fmax(change, -works_most_change), works_most_change);
}

// Part of a cut that the material of the cell allows.
static int32_t works_cut(const regulate_works* works, int64_t cell, int32_t wanted)
{
    int64_t give = wadi_ground_erodible_rock(works->ground, cell);
    for (int32_t i = 0; i < works->ground->loose_count; ++i)
    {
        give += works->ground->loose[i][cell];
    }
    return give < wanted ? (int32_t)give : wanted;
}

// ---- measuring and building --------------------------------------------------------------

static void works_count(const regulate_works* works, const works_cell* c, int32_t change,
                        bool in_channel, works_sums* sums)
{
    const int32_t cut = change < 0 ? works_cut(works, c->cell, -change) : 0;
    const int32_t fill = change > 0 ? change : 0;
    sums->cut += cut;
    sums->stuck += change < 0 ? -change - cut : 0;
    sums->fill += in_channel ? fill : 0;
    sums->levee += in_channel ? 0 : fill;
    const double rim = works->reach - 2.0 * works->ground->cell_size;
    sums->beyond += (double)c->aside > rim ? cut + fill : 0;
}

static void works_add(works_sums* sum, const works_sums* part)
{
    sum->cut += part->cut;
    sum->fill += part->fill;
    sum->levee += part->levee;
    sum->stuck += part->stuck;
    sum->beyond += part->beyond;
}

typedef struct works_job
{
    const regulate_works* works;
    const regulate_design* design;
    const double* bed;
} works_job;

static void works_measure_block(int64_t block, int32_t worker, void* user)
{
    const works_job* job = user;
    const regulate_works* works = job->works;
    const int64_t begin = block * WORKS_BLOCK;
    const int64_t end = begin + WORKS_BLOCK < works->count ? begin + WORKS_BLOCK : works->count;
    works_sums sums = {0};
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
    {
        bool in_channel;
        const int32_t change =
            works_change(works, job->design, job->bed, &works->cells[i], &in_channel);
        works_count(works, &works->cells[i], change, in_channel, &sums);
    }
    works->sums[block] = sums;
}

works_sums wadi_regulate_works_measure(wadi_context* context, const regulate_works* works,
                                       const regulate_design* design, const double* bed)
{
    works_job job = {works, design, bed};
    works_sums sum = {0};
    const int64_t blocks = (works->count + WORKS_BLOCK - 1) / WORKS_BLOCK;
    wadi_parallel_blocks(context, blocks, works_measure_block, &job);
    for (int64_t i = 0; i < blocks; ++i)
    {
        works_add(&sum, &works->sums[i]);
    }
    return sum;
}

static void works_move(const regulate_works* works, int64_t cell, int32_t change,
                       const works_marks* marks, wadi_tally* tally)
{
    if (change < 0)
    {
        const int32_t cut = works_cut(works, cell, -change);
        wadi_ground_take_exact(works->ground, cell, cut, tally);
        marks->cut[cell] += cut;
        tally->lost[WADI_MATERIAL_SEDIMENT] += cut;
    }
    else if (change > 0)
    {
        wadi_ground_put(works->ground, cell, change, tally);
        marks->fill[cell] += change;
        tally->in[WADI_MATERIAL_SEDIMENT] += change;
    }
}

// Cut material is used as fill; only the difference is brought in or taken away.
static void works_balance(wadi_tally* tally)
{
    int64_t* lost = &tally->lost[WADI_MATERIAL_SEDIMENT];
    int64_t* in = &tally->in[WADI_MATERIAL_SEDIMENT];
    const int64_t reused = *lost < *in ? *lost : *in;
    *lost -= reused;
    *in -= reused;
}

static void works_peak_of(int64_t cell, int32_t change, works_peaks* peaks)
{
    works_peak* peak = change > 0 ? &peaks->fill : &peaks->cut;
    const int32_t most = change > 0 ? change : -change;
    if (most > peak->change)
    {
        *peak = (works_peak){cell, most};
    }
}

works_sums wadi_regulate_works_build(const regulate_works* works, const regulate_design* design,
                                     const double* bed, const works_marks* marks,
                                     works_peaks* peaks, wadi_tally* tally)
{
    works_sums sum = {0};
    *peaks = (works_peaks){0};
    for (int64_t i = 0; i < works->count; ++i)
    {
        bool in_channel;
        const works_cell* c = &works->cells[i];
        const int32_t change = works_change(works, design, bed, c, &in_channel);
        works_count(works, c, change, in_channel, &sum);
        works_move(works, c->cell, change, marks, tally);
        works_peak_of(c->cell, change, peaks);
    }
    works_balance(tally);
    return sum;
}

// ---- spoil -------------------------------------------------------------------------------

// Height that spoil may get on a cell [units]: beside the outer foot of a levee, and not so high
// that the side of a cutting reached it; 0 elsewhere.
static int32_t spoil_room(const regulate_works* works, const regulate_design* design,
                          const double* bed, const works_cell* c)
{
    const wadi_regulate_params* p = works->params;
    const double levee = fmax(p->levee_width, works_least_crest * works->ground->cell_size);
    const double foot = 0.5 * design->width + p->side_slope * design->crest + levee +
                        p->levee_slope * design->crest;
    const double beyond = (double)c->aside - foot;
    if (beyond <= 0.0 || beyond > p->spoil_width)
    {
        return 0;
    }
    const works_lines lines = works_lines_at(works, design, (double)c->aside);
    const double top = bed[c->station] - design->grade * (double)c->along + lines.most;
    const double room =
        top * WADI_UNITS_PER_METRE - (double)wadi_ground_surface(works->ground, c->cell);
    return room > 0.0 ? (int32_t)fmin(room, WADI_UNITS_PER_METRE * 1000.0) : 0;
}

int64_t wadi_regulate_works_spoil(const regulate_works* works, const regulate_design* design,
                                  const double* bed, const works_marks* marks, wadi_tally* tally)
{
    int64_t* rest = &tally->lost[WADI_MATERIAL_SEDIMENT];
    const int64_t surplus = *rest;
    int64_t cells = 0;
    for (int64_t i = 0; i < works->count && surplus > 0; ++i)
    {
        cells += spoil_room(works, design, bed, &works->cells[i]) > 0 ? 1 : 0;
    }
    for (int64_t i = 0; i < works->count && cells > 0; ++i)
    {
        const works_cell* c = &works->cells[i];
        const int32_t room = spoil_room(works, design, bed, c);
        if (room > 0)
        {
            const int64_t share = *rest / cells;
            const int32_t part = (int32_t)(share < room ? share : room);
            wadi_ground_put(works->ground, c->cell, part, tally);
            marks->fill[c->cell] += part;
            *rest -= part;
            cells -= 1;
        }
    }
    return surplus - *rest;
}

// ---- water -------------------------------------------------------------------------------

void wadi_regulate_works_pour(const regulate_works* works, const regulate_design* design,
                              const double* bed, wadi_tally* tally)
{
    for (int64_t i = 0; i < works->count; ++i)
    {
        const works_cell* c = &works->cells[i];
        const works_lines lines = works_lines_at(works, design, (double)c->aside);
        const double level = bed[c->station] - design->grade * (double)c->along + design->depth;
        const int32_t surface = wadi_ground_surface(works->ground, c->cell);
        const double depth = fmin(level * WADI_UNITS_PER_METRE - (double)surface,
                                  WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE);
        const double missing = floor(depth - (double)works->ground->water[c->cell]);
        if (lines.in_channel && missing > 0.0)
        {
            works->ground->water[c->cell] += (int32_t)missing;
            tally->in[WADI_MATERIAL_WATER] += (int32_t)missing;
        }
    }
}
