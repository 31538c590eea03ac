// SPDX-License-Identifier: MIT
#include "maps/render/stream_lines.h"

#include "core/internal.h"

#include <math.h>

enum
{
    STREAM_ROUNDS = 10 // of smoothing: bends of three cells are gone, those of ten stay
};

static const float stream_reach = 0.85f; // half of a line's width, with its soft edge [cells]
static const float stream_core = 0.15f;  // of full opacity [cells]

typedef struct stream_point
{
    float x; // [cells]
    float y;
} stream_point;

// A cell with a stream.
typedef struct stream_cell
{
    stream_point at;
    stream_point next; // place after a round of smoothing
    int32_t cell;
    int32_t down; // in the list of these cells; -1: none
    int32_t up;   // that of the largest catchment; -1: a head
} stream_cell;

typedef struct stream_job
{
    const stream_lines* streams;
    stream_cell* cells;
    int32_t* place; // in the list, of each cell; -1: no stream
    int32_t count;
} stream_job;

// Cell that receives the water of `cell`, or -1.
static int32_t stream_receiver(const stream_lines* s, int32_t cell)
{
    static const int32_t dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int32_t dy[8] = {0, -1, -1, -1, 0, 1, 1, 1};
    const int32_t to = s->targets[cell].first;
    const int32_t x = to < 0 ? -1 : cell % s->width + dx[to];
    const int32_t y = to < 0 ? -1 : cell / s->width + dy[to];
    return x >= 0 && y >= 0 && x < s->width && y < s->height ? y * s->width + x : -1;
}

static void stream_list(stream_job* job)
{
    const stream_lines* s = job->streams;
    const int32_t cells = s->width * s->height;
    for (int32_t i = 0; i < cells; ++i)
    {
        job->place[i] = -1;
        if (s->cover[i] > 0.0f)
        {
            const stream_point at = {(float)(i % s->width), (float)(i / s->width)};
            job->place[i] = job->count;
            job->cells[job->count++] = (stream_cell){at, at, i, -1, -1};
        }
    }
}

static void stream_join(const stream_job* job)
{
    const stream_lines* s = job->streams;
    for (int32_t k = 0; k < job->count; ++k)
    {
        stream_cell* c = &job->cells[k];
        const int32_t to = stream_receiver(s, c->cell);
        c->down = to >= 0 ? job->place[to] : -1;
        if (c->down >= 0)
        {
            stream_cell* below = &job->cells[c->down];
            const bool main =
                below->up < 0 || s->area[c->cell] > s->area[job->cells[below->up].cell];
            below->up = main ? k : below->up;
        }
    }
}

// Heads and mouths stay where they are.
static void stream_smooth(const stream_job* job)
{
    stream_cell* cells = job->cells;
    for (int32_t k = 0; k < job->count; ++k)
    {
        stream_cell* c = &cells[k];
        if (c->up >= 0 && c->down >= 0)
        {
            const stream_point up = cells[c->up].at;
            const stream_point down = cells[c->down].at;
            c->next.x = 0.5f * c->at.x + 0.25f * (up.x + down.x);
            c->next.y = 0.5f * c->at.y + 0.25f * (up.y + down.y);
        }
    }
    for (int32_t k = 0; k < job->count; ++k)
    {
        cells[k].at = cells[k].next;
    }
}

// A piece of a stream on the grid of the relief.
typedef struct stream_piece
{
    stream_point from;
    stream_point to;
    float cover_from;
    float cover_to;
    float wide; // [cells of the relief] for a cell of the land
} stream_piece;

static float stream_cover(const stream_piece* p, float x, float y)
{
    const float dx = p->to.x - p->from.x;
    const float dy = p->to.y - p->from.y;
    const float squared = dx * dx + dy * dy + 1e-6f;
    const float along = clamp01(((x - p->from.x) * dx + (y - p->from.y) * dy) / squared);
    const float ox = x - p->from.x - along * dx;
    const float oy = y - p->from.y - along * dy;
    const float away = sqrtf(ox * ox + oy * oy) / p->wide;
    const float cover = p->cover_from + along * (p->cover_to - p->cover_from);
    return cover * (1.0f - smooth(stream_core, stream_reach, away));
}

static int32_t stream_bound(float at, int32_t most)
{
    return (int32_t)clamp(at, 0.0f, (float)most);
}

static void stream_draw_piece(const render_relief* r, const stream_piece* p, float* out)
{
    const float reach = stream_reach * p->wide;
    const int32_t x0 = stream_bound(fminf(p->from.x, p->to.x) - reach, r->width - 1);
    const int32_t x1 = stream_bound(fmaxf(p->from.x, p->to.x) + reach, r->width - 1);
    const int32_t y0 = stream_bound(fminf(p->from.y, p->to.y) - reach, r->height - 1);
    const int32_t y1 = stream_bound(fmaxf(p->from.y, p->to.y) + reach, r->height - 1);
    for (int32_t y = y0; y <= y1; ++y)
    {
        for (int32_t x = x0; x <= x1; ++x)
        {
            float* cell = &out[(ptrdiff_t)y * r->width + x];
            *cell = fmaxf(*cell, stream_cover(p, (float)x, (float)y));
        }
    }
}

static void stream_draw(const stream_job* job, const render_relief* r, float refine, float* out)
{
    const float* cover = job->streams->cover;
    for (int32_t k = 0; k < job->count; ++k)
    {
        const stream_cell* c = &job->cells[k];
        const stream_cell* to = c->down >= 0 ? &job->cells[c->down] : c;
        const stream_piece piece = {
            {(c->at.x + 0.5f) * refine - 0.5f, (c->at.y + 0.5f) * refine - 0.5f},
            {(to->at.x + 0.5f) * refine - 0.5f, (to->at.y + 0.5f) * refine - 0.5f},
            cover[c->cell],
            cover[to->cell],
            refine > 1.0f ? refine : 1.0f};
        stream_draw_piece(r, &piece, out);
    }
}

static wadi_result stream_draw_all(stream_job* job, const render_relief* r, float refine,
                                   float* out)
{
    const size_t cells = (size_t)job->streams->width * (size_t)job->streams->height;
    size_t streams = 1;
    for (size_t i = 0; i < cells; ++i)
    {
        streams += job->streams->cover[i] > 0.0f ? 1 : 0;
    }
    WADI_ALLOC(r->context, job->place, cells, "the streams of the picture");
    WADI_ALLOC(r->context, job->cells, streams, "the streams of the picture");
    stream_list(job);
    stream_join(job);
    for (int32_t round = 0; round < STREAM_ROUNDS; ++round)
    {
        stream_smooth(job);
    }
    stream_draw(job, r, refine, out);
    return WADI_OK;
}

wadi_result wadi_stream_lines_draw(const stream_lines* streams, const render_relief* r,
                                   float refine, float* out)
{
    stream_job job = {.streams = streams};
    const wadi_result result = stream_draw_all(&job, r, refine, out);
    wadi_free(r->context, job.place);
    wadi_free(r->context, job.cells);
    return result;
}
