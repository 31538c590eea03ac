// SPDX-License-Identifier: MIT
// Reads a grid of the whole for windows. Each row is read once: some windows read pieces of rows
// side by side, and send every window the cells that it shows. The pieces bound the memory, however
// wide the grid is. If each window read its own rows instead, 8 x 8 windows would read most blocks
// eight times, since a block of 64 KiB may hold several rows.
#include "core/archive_spread.h"

#include "core/partition_rows.h"

#include <stddef.h>

enum
{
    SPREAD_READERS = 16,    // at most; with windows in one process, pieces of all are in memory
    SPREAD_PIECE = 1 << 20, // bytes of rows that are read at once, if a row is not longer
    SPREAD_HEAD = sizeof(int64_t),
    SPREAD_WELL = 1 // the head of what a window sends that has not failed
};

// Rows of the whole grid.
typedef struct spread_rows
{
    int32_t first;
    int32_t count;
} spread_rows;

typedef struct spread_job
{
    wadi_archive* archive;
    const wadi_partition* window;
    unsigned char* cells;    // of the window
    int32_t bytes;           // of a cell
    int32_t readers;         // the first windows
    int32_t piece;           // rows
    wadi_partition* windows; // all of them, without callbacks
    wadi_part* parts;
    unsigned char* sent; // to all windows
    unsigned char* line; // a row of the whole grid
    size_t room;         // of `sent`
} spread_job;

// ---- who reads what ----------------------------------------------------------------------------

static int64_t spread_row_bytes(const spread_job* job)
{
    return (int64_t)job->window->width * job->bytes;
}

// The rows that a window reads. They follow each other, so few blocks are read twice.
static spread_rows spread_share(const spread_job* job, int32_t reader)
{
    const int64_t height = job->window->height;
    if (reader >= job->readers)
    {
        return (spread_rows){(int32_t)height, 0};
    }
    const int32_t first = (int32_t)(height * reader / job->readers);
    return (spread_rows){first, (int32_t)(height * (reader + 1) / job->readers) - first};
}

// What a reader reads in a turn.
static spread_rows spread_piece(const spread_job* job, int32_t reader, int32_t turn)
{
    const spread_rows share = spread_share(job, reader);
    const int64_t done = (int64_t)turn * job->piece;
    const int64_t left = done < share.count ? share.count - done : 0;
    return (spread_rows){share.first + (int32_t)(share.count - left),
                         (int32_t)(left < job->piece ? left : job->piece)};
}

static void spread_plan(spread_job* job)
{
    const int64_t row = spread_row_bytes(job);
    const int64_t pieces = (row * job->window->height + SPREAD_PIECE - 1) / SPREAD_PIECE;
    const int32_t most = job->window->count < SPREAD_READERS ? job->window->count : SPREAD_READERS;
    job->readers = pieces < most ? (int32_t)pieces : most;
    const int64_t rows = row < SPREAD_PIECE ? SPREAD_PIECE / row : 1;
    const int64_t share = job->window->height / job->readers + 1;
    job->piece = (int32_t)(rows < share ? rows : share);
}

// ---- what a window shows -----------------------------------------------------------------------

// The columns of the whole grid between which a window lies; all of them if it reaches over an
// edge.
static void spread_columns(const wadi_partition* window, int32_t* left, int32_t* right)
{
    const int32_t begin = window->x - window->halo[3];
    const int32_t end = window->x + window->owned_width + window->halo[1];
    const bool wraps = begin < 0 || end > window->width;
    *left = wraps ? 0 : begin;
    *right = wraps ? window->width : end;
}

static int64_t spread_shown(const spread_job* job, int32_t window, spread_rows rows)
{
    int32_t left;
    int32_t right;
    spread_columns(&job->windows[window], &left, &right);
    int64_t count = 0;
    for (int32_t row = rows.first; row < rows.first + rows.count; ++row)
    {
        count += wadi_partition_shows_row(&job->windows[window], row) ? 1 : 0;
    }
    return count * (right - left) * job->bytes;
}

// ---- sending -----------------------------------------------------------------------------------

static wadi_result spread_reserve(spread_job* job, size_t size)
{
    if (size > job->room)
    {
        wadi_free(job->archive->context, job->sent);
        job->room = 0;
        WADI_ALLOC(job->archive->context, job->sent, size, "a part of a saved grid");
        job->room = size;
    }
    return WADI_OK;
}

// Name the parts of all windows, which have no cells yet.
static wadi_result spread_begin(spread_job* job, spread_rows rows)
{
    static const int64_t well = SPREAD_WELL;
    size_t size = 0;
    for (int32_t i = 0; i < job->window->count; ++i)
    {
        job->parts[i].size = SPREAD_HEAD + spread_shown(job, i, rows);
        size += (size_t)job->parts[i].size;
    }
    WADI_TRY(spread_reserve(job, size));
    unsigned char* to = job->sent;
    for (int32_t i = 0; i < job->window->count; ++i)
    {
        memcpy(to, &well, SPREAD_HEAD);
        job->parts[i].bytes = to;
        to += job->parts[i].size;
        job->parts[i].size = SPREAD_HEAD;
    }
    return WADI_OK;
}

// Add the cells of a row that a window shows to its part.
static void spread_pack(const spread_job* job, int32_t window, int32_t row)
{
    wadi_part* part = &job->parts[window];
    int32_t left;
    int32_t right;
    spread_columns(&job->windows[window], &left, &right);
    if (wadi_partition_shows_row(&job->windows[window], row))
    {
        const int64_t size = (int64_t)(right - left) * job->bytes;
        const ptrdiff_t at = (const unsigned char*)part->bytes - job->sent + part->size;
        memcpy(job->sent + at, job->line + (int64_t)left * job->bytes, (size_t)size);
        part->size += size;
    }
}

static wadi_result spread_read(spread_job* job, int32_t turn)
{
    wadi_archive* archive = job->archive;
    const spread_rows rows = spread_piece(job, job->window->index, turn);
    WADI_TRY(archive->result);
    WADI_TRY(spread_begin(job, rows));
    for (int32_t row = rows.first; row < rows.first + rows.count; ++row)
    {
        wadi_archive_cells(archive, job->line, job->bytes, job->window->width);
        WADI_TRY(archive->result);
        for (int32_t i = 0; i < job->window->count; ++i)
        {
            spread_pack(job, i, row);
        }
    }
    return WADI_OK;
}

// Tell all windows that this one has failed.
static void spread_give_up(const spread_job* job)
{
    static const int64_t failed = 0;
    for (int32_t i = 0; i < job->window->count; ++i)
    {
        job->parts[i] = (wadi_part){&failed, SPREAD_HEAD};
    }
}

// ---- taking ------------------------------------------------------------------------------------

static void spread_take(const spread_job* job, int32_t reader, int32_t turn)
{
    const wadi_partition* window = job->window;
    const spread_rows rows = spread_piece(job, reader, turn);
    const unsigned char* from = (const unsigned char*)job->parts[reader].bytes + SPREAD_HEAD;
    int32_t left;
    int32_t right;
    spread_columns(window, &left, &right);
    const size_t size = (size_t)(right - left) * (size_t)job->bytes;
    for (int32_t row = rows.first; row < rows.first + rows.count; ++row)
    {
        if (wadi_partition_shows_row(window, row))
        {
            memcpy(job->line + (int64_t)left * job->bytes, from, size);
            wadi_partition_take_row(window, row, job->line, job->bytes, job->cells);
            from += size;
        }
    }
}

// ---- all turns ---------------------------------------------------------------------------------

// Did no window fail?
static bool spread_all_well(const spread_job* job)
{
    bool well = true;
    for (int32_t i = 0; i < job->window->count; ++i)
    {
        int64_t head;
        memcpy(&head, job->parts[i].bytes, sizeof head);
        well = well && head == SPREAD_WELL;
    }
    return well;
}

static wadi_result spread_turn(spread_job* job, int32_t turn)
{
    const wadi_partition* window = job->window;
    const wadi_result read = spread_read(job, turn);
    if (read != WADI_OK)
    {
        spread_give_up(job);
    }
    const bool sent = window->send(job->parts, window->user);
    WADI_TRY(read);
    if (!sent || !spread_all_well(job))
    {
        return wadi_partition_lost(job->archive->context);
    }
    for (int32_t reader = 0; reader < job->readers; ++reader)
    {
        spread_take(job, reader, turn);
    }
    return WADI_OK;
}

static int32_t spread_turns(const spread_job* job)
{
    const int32_t most = job->window->height / job->readers + 1; // rows of a share
    return (most + job->piece - 1) / job->piece;
}

static wadi_result spread_run(spread_job* job)
{
    const spread_rows share = spread_share(job, job->window->index);
    const int64_t row = spread_row_bytes(job);
    const int32_t behind = job->window->height - share.first - share.count;
    wadi_archive_pass(job->archive, (uint64_t)(share.first * row));
    wadi_result result = WADI_OK;
    for (int32_t turn = 0; turn < spread_turns(job) && result == WADI_OK; ++turn)
    {
        result = spread_turn(job, turn);
    }
    wadi_archive_pass(job->archive, (uint64_t)(behind * row));
    return result;
}

// What all windows are, but for their callbacks.
static wadi_result spread_meet(const spread_job* job)
{
    const wadi_partition* window = job->window;
    const size_t size = offsetof(wadi_partition, get);
    if (!window->table(window, (int64_t)size, job->parts, window->user))
    {
        return wadi_partition_lost(job->archive->context);
    }
    for (int32_t i = 0; i < window->count; ++i)
    {
        memcpy(&job->windows[i], job->parts[i].bytes, size);
    }
    return WADI_OK;
}

static wadi_result spread_allocate(spread_job* job)
{
    wadi_context* context = job->archive->context;
    const int64_t row = spread_row_bytes(job);
    WADI_ALLOC(context, job->windows, job->window->count, "a part of a saved grid");
    WADI_ALLOC(context, job->parts, job->window->count, "a part of a saved grid");
    WADI_ALLOC(context, job->line, row, "a part of a saved grid");
    return WADI_OK;
}

void wadi_archive_spread(wadi_archive* archive, const wadi_partition* window, void* cells,
                         int32_t bytes)
{
    spread_job job = {.archive = archive, .window = window, .cells = cells, .bytes = bytes};
    spread_plan(&job);
    wadi_result result = spread_allocate(&job);
    result = result == WADI_OK ? spread_meet(&job) : result;
    result = result == WADI_OK ? spread_run(&job) : result;
    archive->result = archive->result == WADI_OK ? result : archive->result;
    wadi_free(archive->context, job.windows);
    wadi_free(archive->context, job.parts);
    wadi_free(archive->context, job.line);
    wadi_free(archive->context, job.sent);
}
