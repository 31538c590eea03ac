// SPDX-License-Identifier: MIT
// Exchanges between windows through boxes: each window packs what others need, waits until all have
// done so, and takes what it needs. So a window reads no array of another one, whose memory may be
// in a file by then; for the same reason boxes come from the caller's allocator.
#include "window/window_internal.h"

#include <string.h>

static void exchange_free(window_group* group, window_box* box)
{
    if (box->bytes != NULL)
    {
        wadi_window_release(group, box->bytes, (size_t)box->room);
    }
    *box = (window_box){0};
}

static bool exchange_reserve(window_group* group, window_box* box, int64_t size)
{
    if (box->room < size)
    {
        exchange_free(group, box);
        box->bytes = wadi_window_allocate(group, (size_t)size);
        box->room = box->bytes != NULL ? size : 0;
    }
    box->size = size;
    return box->room >= size;
}

// Memory for a box is out: this exchange fails in all windows.
static bool exchange_fail(window_seat* seat)
{
    wadi_window_give_up(seat->group);
    return false;
}

// Copy a rectangle of a layer to consecutive bytes, or back.
static unsigned char* exchange_copy(unsigned char* layer, int32_t bytes, int32_t stride, int32_t x,
                                    int32_t y, const window_link* link, unsigned char* box,
                                    bool packs)
{
    const size_t row = (size_t)link->width * (size_t)bytes;
    for (int32_t i = 0; i < link->height; ++i)
    {
        unsigned char* cells = layer + ((int64_t)(y + i) * stride + x) * bytes;
        memcpy(packs ? box : cells, packs ? cells : box, row);
        box += row;
    }
    return box;
}

static int64_t exchange_bytes(const window_link* link, const int32_t* bytes, int32_t count)
{
    int64_t each = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        each += bytes[i];
    }
    return each * link->width * link->height;
}

static bool exchange_pack(window_seat* seat, const window_link* link, window_box* box,
                          void* const* layers, const int32_t* bytes, int32_t count)
{
    const wadi_partition* part = &seat->group->parts[seat->index];
    if (!exchange_reserve(seat->group, box, exchange_bytes(link, bytes, count)))
    {
        return false;
    }
    unsigned char* to = box->bytes;
    for (int32_t i = 0; i < count; ++i)
    {
        to = exchange_copy(layers[i], bytes[i], wadi_partition_local_width(part), link->from_x,
                           link->from_y, link, to, true);
    }
    return true;
}

static void exchange_unpack(const window_seat* seat, const window_link* link, const window_box* box,
                            void* const* layers, const int32_t* bytes, int32_t count)
{
    const wadi_partition* part = &seat->group->parts[seat->index];
    unsigned char* from = box->bytes;
    for (int32_t i = 0; i < count; ++i)
    {
        from = exchange_copy(layers[i], bytes[i], wadi_partition_local_width(part), link->to_x,
                             link->to_y, link, from, false);
    }
}

bool wadi_window_get(void* const* layers, const int32_t* bytes, int32_t count, void* user)
{
    window_seat* seat = user;
    const window_group* group = seat->group;
    const int64_t parity = seat->exchanges % 2;
    for (int32_t i = 0; i < group->link_count; ++i)
    {
        if (group->links[i].from == seat->index &&
            !exchange_pack(seat, &group->links[i], &group->boxes[2 * i + parity], layers, bytes,
                           count))
        {
            return exchange_fail(seat);
        }
    }
    if (!wadi_window_wait(seat))
    {
        return false;
    }
    for (int32_t i = 0; i < group->link_count; ++i)
    {
        if (group->links[i].to == seat->index)
        {
            exchange_unpack(seat, &group->links[i], &group->boxes[2 * i + parity], layers, bytes,
                            count);
        }
    }
    return true;
}

// Post bytes for all windows and wait for theirs. Returns the boxes of this exchange, one for each
// window, two apart; NULL: a window has failed.
static const window_box* exchange_post(window_seat* seat, const void* bytes, int64_t size)
{
    window_group* group = seat->group;
    window_box* boxes = group->tables + seat->exchanges % 2;
    window_box* own = boxes + 2 * (int64_t)seat->index;
    if (!exchange_reserve(group, own, size))
    {
        (void)exchange_fail(seat);
        return NULL;
    }
    if (size > 0)
    {
        memcpy(own->bytes, bytes, (size_t)size);
    }
    return wadi_window_wait(seat) ? boxes : NULL;
}

bool wadi_window_sum(int64_t* values, int32_t count, void* user)
{
    window_seat* seat = user;
    const size_t size = (size_t)count * sizeof *values;
    const window_box* boxes = exchange_post(seat, values, (int64_t)size);
    if (boxes == NULL)
    {
        return false;
    }
    memset(values, 0, size);
    for (int32_t w = 0; w < seat->group->count; ++w)
    {
        for (int32_t i = 0; i < count; ++i)
        {
            int64_t value;
            memcpy(&value, boxes[2 * (int64_t)w].bytes + (size_t)i * sizeof value, sizeof value);
            // hashes are summed too, and wrap around
            values[i] = (int64_t)((uint64_t)values[i] + (uint64_t)value);
        }
    }
    return true;
}

bool wadi_window_table(const void* bytes, int64_t size, wadi_part* parts, void* user)
{
    window_seat* seat = user;
    const window_box* boxes = exchange_post(seat, bytes, size);
    for (int32_t w = 0; boxes != NULL && w < seat->group->count; ++w)
    {
        parts[w] = (wadi_part){boxes[2 * (int64_t)w].bytes, boxes[2 * (int64_t)w].size};
    }
    return boxes != NULL;
}

// ---- ghosts to their owners --------------------------------------------------------------------

static void exchange_add_narrow(uint32_t* cells, const unsigned char* more, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        uint32_t term;
        memcpy(&term, more + (size_t)i * sizeof term, sizeof term);
        cells[i] += term;
    }
}

static void exchange_add_wide(uint64_t* cells, const unsigned char* more, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        uint64_t term;
        memcpy(&term, more + (size_t)i * sizeof term, sizeof term);
        cells[i] += term;
    }
}

// Pack the ghosts of a link and set them to 0.
static bool exchange_pack_ghosts(window_seat* seat, const window_link* link, window_box* box,
                                 void* const* layers, const int32_t* bytes, int32_t count)
{
    const int32_t stride = wadi_partition_local_width(&seat->group->parts[seat->index]);
    if (!exchange_reserve(seat->group, box, exchange_bytes(link, bytes, count)))
    {
        return false;
    }
    unsigned char* to = box->bytes;
    for (int32_t i = 0; i < count; ++i)
    {
        unsigned char* layer = layers[i];
        to = exchange_copy(layer, bytes[i], stride, link->to_x, link->to_y, link, to, true);
        for (int32_t y = link->to_y; y < link->to_y + link->height; ++y)
        {
            memset(layer + ((int64_t)y * stride + link->to_x) * bytes[i], 0,
                   (size_t)link->width * (size_t)bytes[i]);
        }
    }
    return true;
}

static void exchange_add_ghosts(const window_seat* seat, const window_link* link,
                                const window_box* box, void* const* layers, const int32_t* bytes,
                                int32_t count)
{
    const int64_t stride = wadi_partition_local_width(&seat->group->parts[seat->index]);
    const unsigned char* from = box->bytes;
    for (int32_t i = 0; i < count; ++i)
    {
        for (int32_t y = link->from_y; y < link->from_y + link->height; ++y)
        {
            const int64_t at = y * stride + link->from_x;
            if (bytes[i] == 4)
            {
                exchange_add_narrow((uint32_t*)layers[i] + at, from, link->width);
            }
            else
            {
                exchange_add_wide((uint64_t*)layers[i] + at, from, link->width);
            }
            from += (ptrdiff_t)link->width * bytes[i];
        }
    }
}

bool wadi_window_add(void* const* layers, const int32_t* bytes, int32_t count, void* user)
{
    window_seat* seat = user;
    const window_group* group = seat->group;
    const int64_t parity = seat->exchanges % 2;
    for (int32_t i = 0; i < group->link_count; ++i)
    {
        if (group->links[i].to == seat->index &&
            !exchange_pack_ghosts(seat, &group->links[i], &group->boxes[2 * i + parity], layers,
                                  bytes, count))
        {
            return exchange_fail(seat);
        }
    }
    if (!wadi_window_wait(seat))
    {
        return false;
    }
    for (int32_t i = 0; i < group->link_count; ++i)
    {
        if (group->links[i].from == seat->index)
        {
            exchange_add_ghosts(seat, &group->links[i], &group->boxes[2 * i + parity], layers,
                                bytes, count);
        }
    }
    return true;
}

// ---- bytes for single windows ------------------------------------------------------------------

// Bytes of a box of parts before the parts: where each begins, and where the last one ends.
static int64_t exchange_head(const window_group* group)
{
    return (group->count + 1) * (int64_t)sizeof(int64_t);
}

// The box of parts of the next exchange.
static window_box* exchange_next_parts(const window_seat* seat)
{
    return seat->group->tables + seat->exchanges % 2 + 2 * (int64_t)seat->index;
}

void* wadi_window_room(int64_t size, void* user)
{
    window_seat* seat = user;
    window_box* box = exchange_next_parts(seat);
    if (!exchange_reserve(seat->group, box, exchange_head(seat->group) + size))
    {
        (void)exchange_fail(seat);
        return NULL;
    }
    return box->bytes + exchange_head(seat->group);
}

// All parts in one box, unless they have been packed there.
static bool exchange_pack_parts(window_seat* seat, window_box* box, const wadi_part* parts)
{
    const int32_t count = seat->group->count;
    int64_t at = exchange_head(seat->group);
    int64_t size = at;
    for (int32_t i = 0; i < count; ++i)
    {
        size += parts[i].size;
    }
    if (!exchange_reserve(seat->group, box, size))
    {
        return false;
    }
    for (int32_t i = 0; i <= count; ++i)
    {
        memcpy(box->bytes + (size_t)i * sizeof at, &at, sizeof at);
        if (i < count && parts[i].size > 0)
        {
            if (parts[i].bytes != box->bytes + at)
            {
                memcpy(box->bytes + at, parts[i].bytes, (size_t)parts[i].size);
            }
            at += parts[i].size;
        }
    }
    return true;
}

bool wadi_window_send(wadi_part* parts, void* user)
{
    window_seat* seat = user;
    window_group* group = seat->group;
    const window_box* boxes = group->tables + seat->exchanges % 2;
    if (!exchange_pack_parts(seat, exchange_next_parts(seat), parts))
    {
        return exchange_fail(seat);
    }
    if (!wadi_window_wait(seat))
    {
        return false;
    }
    for (int32_t i = 0; i < group->count; ++i)
    {
        const unsigned char* box = boxes[2 * (int64_t)i].bytes;
        int64_t ends[2];
        memcpy(ends, box + (size_t)seat->index * sizeof *ends, sizeof ends);
        parts[i] = (wadi_part){box + ends[0], ends[1] - ends[0]};
    }
    return true;
}

void wadi_window_free_boxes(window_group* group)
{
    for (int32_t i = 0; group->boxes != NULL && i < 2 * group->link_count; ++i)
    {
        exchange_free(group, &group->boxes[i]);
    }
    for (int32_t i = 0; group->tables != NULL && i < 2 * group->count; ++i)
    {
        exchange_free(group, &group->tables[i]);
    }
}
