// SPDX-License-Identifier: MIT
// The callbacks of a partition by plain MPI: messages between the ranks that share a halo, a sum
// and a table over all. The halo of a window over periodic edges wraps around the grid, so two
// ranks may share several rectangles; a message is told from others of its pair by the turn around
// the grid.
#include "wadi_mpi.h"

#include <stdlib.h>
#include <string.h>

// Cells that one rank owns and another one has in its halo, in the arrays of this rank.
typedef struct mpi_link
{
    int rank; // the other one
    int turn; // 0..8: how often around the grid; the tag of the message
    int32_t x, y, width, height;
    unsigned char* bytes;
    size_t room;
} mpi_link;

typedef struct mpi_links
{
    mpi_link* list;
    int32_t count;
} mpi_links;

struct wadi_mpi
{
    MPI_Comm ranks;
    wadi_partition part;
    mpi_links send;
    mpi_links receive;
    MPI_Request* requests;
    unsigned char* tables[2]; // of the last two calls
    int64_t* sizes;
    int* counts; // for MPI_Allgatherv: bytes of each rank, and where they begin
    int* begins;
    int* out_counts; // for MPI_Alltoallv: what this rank sends
    int* out_begins;
    int64_t rounds;
    const char* failure; // of an exchange
};

// ---- who has which cells of whom ----------------------------------------------------------------

static int32_t mpi_max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t mpi_min(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t mpi_local_width(const wadi_partition* part)
{
    return part->halo[WADI_SIDE_WEST] + part->owned_width + part->halo[WADI_SIDE_EAST];
}

static int32_t mpi_local_height(const wadi_partition* part)
{
    return part->halo[WADI_SIDE_NORTH] + part->owned_height + part->halo[WADI_SIDE_SOUTH];
}

// The cells of `from` in the halo of `to`, `turn` times around the grid, as places of the grid of
// `to`. False: none.
static bool mpi_overlap(const wadi_partition* from, const wadi_partition* to, int turn,
                        mpi_link* link)
{
    const int32_t dx = (turn % 3 - 1) * to->width;
    const int32_t dy = (turn / 3 - 1) * to->height;
    const int32_t left = to->x - to->halo[WADI_SIDE_WEST];
    const int32_t top = to->y - to->halo[WADI_SIDE_NORTH];
    const int32_t x = mpi_max(left, from->x + dx);
    const int32_t y = mpi_max(top, from->y + dy);
    const int32_t end_x = mpi_min(left + mpi_local_width(to), from->x + dx + from->owned_width);
    const int32_t end_y = mpi_min(top + mpi_local_height(to), from->y + dy + from->owned_height);
    *link = (mpi_link){.turn = turn, .x = x, .y = y, .width = end_x - x, .height = end_y - y};
    return end_x > x && end_y > y && (from->index != to->index || turn != 4);
}

static bool mpi_add_link(mpi_links* links, const mpi_link* link)
{
    mpi_link* more = realloc(links->list, (size_t)(links->count + 1) * sizeof *more);
    if (more != NULL)
    {
        links->list = more;
        more[links->count++] = *link;
    }
    return more != NULL;
}

// Links with one other rank; with itself too, over periodic edges.
static bool mpi_link_with(wadi_mpi* mpi, const wadi_partition* other)
{
    const wadi_partition* own = &mpi->part;
    bool fits = true;
    for (int turn = 0; turn < 9 && fits; ++turn)
    {
        mpi_link link;
        if (mpi_overlap(other, own, turn, &link))
        {
            link.rank = other->index;
            link.x -= own->x - own->halo[WADI_SIDE_WEST];
            link.y -= own->y - own->halo[WADI_SIDE_NORTH];
            fits = mpi_add_link(&mpi->receive, &link);
        }
        if (fits && mpi_overlap(own, other, turn, &link))
        {
            link.rank = other->index;
            link.x -= (turn % 3 - 1) * own->width + own->x - own->halo[WADI_SIDE_WEST];
            link.y -= (turn / 3 - 1) * own->height + own->y - own->halo[WADI_SIDE_NORTH];
            fits = mpi_add_link(&mpi->send, &link);
        }
    }
    return fits;
}

// ---- halos --------------------------------------------------------------------------------------

// Without memory an exchange fails, and the caller ends the other ranks.
static bool mpi_has_room(wadi_mpi* mpi, const void* memory)
{
    mpi->failure = memory == NULL ? "out of memory for what ranks exchange" : mpi->failure;
    return memory != NULL;
}

// A message of MPI has an int as its number of bytes.
static bool mpi_fits(wadi_mpi* mpi, size_t size)
{
    mpi->failure =
        size > INT32_MAX ? "an exchange of ranks has over 2 GiB; use more ranks" : mpi->failure;
    return size <= INT32_MAX;
}

static bool mpi_reserve(wadi_mpi* mpi, mpi_link* link, size_t size)
{
    if (link->room < size && mpi_fits(mpi, size))
    {
        free(link->bytes);
        link->bytes = malloc(size);
        link->room = mpi_has_room(mpi, link->bytes) ? size : 0;
    }
    return link->room >= size;
}

static size_t mpi_bytes(const mpi_link* link, const int32_t* bytes, int32_t count)
{
    size_t each = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        each += (size_t)bytes[i];
    }
    return each * (size_t)link->width * (size_t)link->height;
}

static void mpi_copy(const wadi_mpi* mpi, const mpi_link* link, void* const* layers,
                     const int32_t* bytes, int32_t count, bool packs)
{
    const int64_t stride = mpi_local_width(&mpi->part);
    unsigned char* box = link->bytes;
    for (int32_t i = 0; i < count; ++i)
    {
        const size_t row = (size_t)link->width * (size_t)bytes[i];
        for (int32_t y = link->y; y < link->y + link->height; ++y)
        {
            unsigned char* cells = (unsigned char*)layers[i] + (y * stride + link->x) * bytes[i];
            memcpy(packs ? box : cells, packs ? cells : box, row);
            box += row;
        }
    }
}

static void mpi_clear(const wadi_mpi* mpi, const mpi_link* link, void* const* layers,
                      const int32_t* bytes, int32_t count)
{
    const int64_t stride = mpi_local_width(&mpi->part);
    for (int32_t i = 0; i < count; ++i)
    {
        for (int32_t y = link->y; y < link->y + link->height; ++y)
        {
            memset((unsigned char*)layers[i] + (y * stride + link->x) * bytes[i], 0,
                   (size_t)link->width * (size_t)bytes[i]);
        }
    }
}

// Send the cells of the links `from`, which may be set to 0 then, and wait for those of `to`, which
// are in the boxes of these links afterwards.
static bool mpi_swap(wadi_mpi* mpi, const mpi_links* from, const mpi_links* to, bool clears,
                     void* const* layers, const int32_t* bytes, int32_t count)
{
    bool fits = true;
    int pending = 0;
    for (int32_t i = 0; i < to->count && fits; ++i)
    {
        mpi_link* link = &to->list[i];
        const size_t size = mpi_bytes(link, bytes, count);
        fits = mpi_reserve(mpi, link, size) &&
               MPI_Irecv(link->bytes, (int)size, MPI_BYTE, link->rank, link->turn, mpi->ranks,
                         &mpi->requests[pending++]) == MPI_SUCCESS;
    }
    for (int32_t i = 0; i < from->count && fits; ++i)
    {
        mpi_link* link = &from->list[i];
        const size_t size = mpi_bytes(link, bytes, count);
        fits = mpi_reserve(mpi, link, size);
        if (fits)
        {
            mpi_copy(mpi, link, layers, bytes, count, true);
            fits = MPI_Isend(link->bytes, (int)size, MPI_BYTE, link->rank, link->turn, mpi->ranks,
                             &mpi->requests[pending++]) == MPI_SUCCESS;
        }
        if (fits && clears)
        {
            mpi_clear(mpi, link, layers, bytes, count);
        }
    }
    mpi->rounds += 1;
    return fits && MPI_Waitall(pending, mpi->requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS;
}

static bool mpi_get(void* const* layers, const int32_t* bytes, int32_t count, void* user)
{
    wadi_mpi* mpi = user;
    const bool came = mpi_swap(mpi, &mpi->send, &mpi->receive, false, layers, bytes, count);
    for (int32_t i = 0; i < mpi->receive.count && came; ++i)
    {
        mpi_copy(mpi, &mpi->receive.list[i], layers, bytes, count, false);
    }
    return came;
}

// ---- ghosts to their owners ---------------------------------------------------------------------

static void mpi_add_narrow(unsigned char* cell, const unsigned char* more)
{
    uint32_t terms[2];
    memcpy(&terms[0], cell, sizeof *terms);
    memcpy(&terms[1], more, sizeof *terms);
    terms[0] += terms[1];
    memcpy(cell, &terms[0], sizeof *terms);
}

static void mpi_add_wide(unsigned char* cell, const unsigned char* more)
{
    uint64_t terms[2];
    memcpy(&terms[0], cell, sizeof *terms);
    memcpy(&terms[1], more, sizeof *terms);
    terms[0] += terms[1];
    memcpy(cell, &terms[0], sizeof *terms);
}

static void mpi_add_cells(unsigned char* cells, const unsigned char* more, int32_t count,
                          int32_t bytes)
{
    for (ptrdiff_t at = 0; at < (ptrdiff_t)count * bytes; at += bytes)
    {
        if (bytes == 4)
        {
            mpi_add_narrow(cells + at, more + at);
        }
        else
        {
            mpi_add_wide(cells + at, more + at);
        }
    }
}

static void mpi_add_link_cells(const wadi_mpi* mpi, const mpi_link* link, void* const* layers,
                               const int32_t* bytes, int32_t count)
{
    const int64_t stride = mpi_local_width(&mpi->part);
    const unsigned char* box = link->bytes;
    for (int32_t i = 0; i < count; ++i)
    {
        for (int32_t y = link->y; y < link->y + link->height; ++y)
        {
            mpi_add_cells((unsigned char*)layers[i] + (y * stride + link->x) * bytes[i], box,
                          link->width, bytes[i]);
            box += (ptrdiff_t)link->width * bytes[i];
        }
    }
}

static bool mpi_add(void* const* layers, const int32_t* bytes, int32_t count, void* user)
{
    wadi_mpi* mpi = user;
    const bool came = mpi_swap(mpi, &mpi->receive, &mpi->send, true, layers, bytes, count);
    for (int32_t i = 0; i < mpi->send.count && came; ++i)
    {
        mpi_add_link_cells(mpi, &mpi->send.list[i], layers, bytes, count);
    }
    return came;
}

// ---- sums and tables ----------------------------------------------------------------------------

// Hashes are summed too, so numbers wrap around.
static bool mpi_sum(int64_t* values, int32_t count, void* user)
{
    wadi_mpi* mpi = user;
    mpi->rounds += 1;
    return MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_UINT64_T, MPI_SUM, mpi->ranks) ==
           MPI_SUCCESS;
}

// NULL for another reason than memory has been told already.
static bool mpi_has_table(wadi_mpi* mpi, const void* table)
{
    return mpi->failure != NULL ? false : mpi_has_room(mpi, table);
}

static bool mpi_table(const void* bytes, int64_t size, wadi_part* parts, void* user)
{
    wadi_mpi* mpi = user;
    if (MPI_Allgather(&size, 1, MPI_INT64_T, mpi->sizes, 1, MPI_INT64_T, mpi->ranks) != MPI_SUCCESS)
    {
        return false;
    }
    int64_t all = 0;
    for (int i = 0; i < mpi->part.count; ++i)
    {
        mpi->begins[i] = (int)all;
        mpi->counts[i] = (int)mpi->sizes[i];
        all += mpi->sizes[i];
    }
    unsigned char** table = &mpi->tables[mpi->rounds++ % 2];
    free(*table);
    *table = mpi_fits(mpi, (size_t)all) ? malloc((size_t)all + 1) : NULL;
    if (!mpi_has_table(mpi, *table) ||
        MPI_Allgatherv(bytes, (int)size, MPI_BYTE, *table, mpi->counts, mpi->begins, MPI_BYTE,
                       mpi->ranks) != MPI_SUCCESS)
    {
        return false;
    }
    for (int i = 0; i < mpi->part.count; ++i)
    {
        parts[i] = (wadi_part){*table + mpi->begins[i], mpi->sizes[i]};
    }
    return true;
}

// Bytes for single ranks, behind each other in one buffer.
static unsigned char* mpi_join(wadi_mpi* mpi, const wadi_part* parts)
{
    size_t all = 0;
    for (int i = 0; i < mpi->part.count; ++i)
    {
        mpi->out_begins[i] = (int)all;
        mpi->out_counts[i] = (int)parts[i].size;
        all += (size_t)parts[i].size;
    }
    unsigned char* joined = mpi_fits(mpi, all) ? malloc(all + 1) : NULL;
    (void)mpi_has_table(mpi, joined);
    for (int i = 0; i < mpi->part.count && joined != NULL; ++i)
    {
        if (parts[i].size > 0)
        {
            memcpy(joined + mpi->out_begins[i], parts[i].bytes, (size_t)parts[i].size);
        }
    }
    return joined;
}

// Room for what all ranks send; NULL: none.
static unsigned char* mpi_room(wadi_mpi* mpi)
{
    int64_t all = 0;
    for (int i = 0; i < mpi->part.count; ++i)
    {
        mpi->begins[i] = (int)all;
        all += mpi->counts[i];
    }
    unsigned char** table = &mpi->tables[mpi->rounds++ % 2];
    free(*table);
    *table = mpi_fits(mpi, (size_t)all) ? malloc((size_t)all + 1) : NULL;
    (void)mpi_has_table(mpi, *table);
    return *table;
}

static bool mpi_send(wadi_part* parts, void* user)
{
    wadi_mpi* mpi = user;
    unsigned char* joined = mpi_join(mpi, parts);
    bool fits = joined != NULL && MPI_Alltoall(mpi->out_counts, 1, MPI_INT, mpi->counts, 1, MPI_INT,
                                               mpi->ranks) == MPI_SUCCESS;
    unsigned char* room = fits ? mpi_room(mpi) : NULL;
    fits = room != NULL &&
           MPI_Alltoallv(joined, mpi->out_counts, mpi->out_begins, MPI_BYTE, room, mpi->counts,
                         mpi->begins, MPI_BYTE, mpi->ranks) == MPI_SUCCESS;
    for (int i = 0; i < mpi->part.count && fits; ++i)
    {
        parts[i] = (wadi_part){room + mpi->begins[i], mpi->counts[i]};
    }
    free(joined);
    return fits;
}

// ---- life ---------------------------------------------------------------------------------------

static wadi_result mpi_fill(wadi_mpi* mpi, wadi_context* context, const wadi_windows_def* def,
                            int rank, int count)
{
    const wadi_result result = wadi_windows_partition(context, def, rank, &mpi->part);
    if (result != WADI_OK)
    {
        return result;
    }
    mpi->part.get = mpi_get;
    mpi->part.sum = mpi_sum;
    mpi->part.table = mpi_table;
    mpi->part.add = mpi_add;
    mpi->part.send = mpi_send;
    mpi->part.user = mpi;
    bool fits = true;
    for (int32_t i = 0; i < count && fits; ++i)
    {
        wadi_partition other;
        fits = wadi_windows_partition(context, def, i, &other) == WADI_OK &&
               mpi_link_with(mpi, &other);
    }
    const size_t requests = (size_t)(mpi->send.count + mpi->receive.count + 1);
    mpi->requests = malloc(requests * sizeof(MPI_Request));
    mpi->sizes = malloc((size_t)count * sizeof *mpi->sizes);
    mpi->counts = malloc((size_t)count * sizeof *mpi->counts);
    mpi->begins = malloc((size_t)count * sizeof *mpi->begins);
    mpi->out_counts = malloc((size_t)count * sizeof *mpi->out_counts);
    mpi->out_begins = malloc((size_t)count * sizeof *mpi->out_begins);
    return fits && mpi->requests != NULL && mpi->sizes != NULL && mpi->counts != NULL &&
                   mpi->begins != NULL && mpi->out_counts != NULL && mpi->out_begins != NULL
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for a rank's window");
}

wadi_result wadi_mpi_create(MPI_Comm ranks, wadi_context* context, const wadi_windows_def* def,
                            wadi_mpi** out)
{
    int rank = 0;
    int count = 0;
    *out = NULL;
    (void)MPI_Comm_rank(ranks, &rank);
    (void)MPI_Comm_size(ranks, &count);
    if ((int64_t)def->columns * def->rows != count)
    {
        return wadi_context_fail(context, WADI_ERROR_ARGUMENT,
                                 "%d x %d windows on %d ranks: each rank has one window",
                                 def->columns, def->rows, count);
    }
    wadi_mpi* mpi = calloc(1, sizeof *mpi);
    if (mpi == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for a rank's window");
    }
    mpi->ranks = ranks;
    const wadi_result result = mpi_fill(mpi, context, def, rank, count);
    if (result != WADI_OK)
    {
        wadi_mpi_destroy(mpi);
        return result;
    }
    *out = mpi;
    return WADI_OK;
}

static void mpi_free_links(mpi_links* links)
{
    for (int32_t i = 0; i < links->count; ++i)
    {
        free(links->list[i].bytes);
    }
    free(links->list);
}

void wadi_mpi_destroy(wadi_mpi* mpi)
{
    if (mpi == NULL)
    {
        return;
    }
    mpi_free_links(&mpi->send);
    mpi_free_links(&mpi->receive);
    free(mpi->requests);
    free(mpi->tables[0]);
    free(mpi->tables[1]);
    free(mpi->sizes);
    free(mpi->counts);
    free(mpi->begins);
    free(mpi->out_counts);
    free(mpi->out_begins);
    free(mpi);
}

const wadi_partition* wadi_mpi_partition(const wadi_mpi* mpi)
{
    return &mpi->part;
}

int64_t wadi_mpi_rounds(const wadi_mpi* mpi)
{
    return mpi->rounds;
}

const char* wadi_mpi_failure(const wadi_mpi* mpi)
{
    return mpi->failure;
}
