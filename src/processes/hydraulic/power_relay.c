// SPDX-License-Identifier: MIT
// What windows of model "stream_power" tell each other. Water, heights and loads go along ways
// that cross windows back and forth, so windows take turns: each goes on as far as it can, and
// tells the owners what comes to their cells. A way that crosses borders n times takes n rounds.
#include "processes/hydraulic/power.h"

#include "core/partition.h"

#include <string.h>

// Does a box touch or overlap a span that is one cell wider, perhaps across a periodic edge?
static bool relay_meets(int32_t whole, int32_t first, int32_t count, int32_t other,
                        int32_t other_count)
{
    for (int32_t turn = -1; turn <= 1; ++turn)
    {
        const int32_t at = other + turn * whole;
        if (at <= first + count && at + other_count >= first)
        {
            return true;
        }
    }
    return false;
}

static bool relay_is_beside(const wadi_partition* part, const wadi_box* box)
{
    return relay_meets(part->width, part->x, part->owned_width, box->x, box->width) &&
           relay_meets(part->height, part->y, part->owned_height, box->y, box->height);
}

static wadi_result relay_find_links(power* p)
{
    power_relay* relay = &p->relay;
    wadi_box* boxes;
    WADI_TRY(wadi_partition_owners(p->context, &boxes));
    for (int32_t i = 0; i < relay->part->count; ++i)
    {
        if (i != relay->part->index && relay_is_beside(relay->part, &boxes[i]))
        {
            relay->links[relay->link_count++] = (power_link){.window = i, .box = boxes[i]};
        }
    }
    wadi_free(p->context, boxes);
    return WADI_OK;
}

wadi_result wadi_power_relay_open(power* p)
{
    power_relay* relay = &p->relay;
    relay->part = p->ground->part;
    if (relay->part == NULL)
    {
        return WADI_OK;
    }
    WADI_ALLOC(p->context, relay->links, relay->part->count, "windows");
    WADI_ALLOC(p->context, relay->parts, relay->part->count, "windows");
    return relay_find_links(p);
}

void wadi_power_relay_close(power* p)
{
    power_relay* relay = &p->relay;
    for (int32_t i = 0; i < relay->link_count; ++i)
    {
        wadi_free(p->context, relay->links[i].notes);
    }
    wadi_free(p->context, relay->links);
    wadi_free(p->context, relay->parts);
    wadi_free(p->context, relay->bytes);
    wadi_free(p->context, relay->got);
}

static power_link* relay_owner(power* p, int64_t ghost)
{
    const int32_t x = wadi_ground_column(p->ground, (int32_t)(ghost % p->width));
    const int32_t y = wadi_ground_row(p->ground, (int32_t)(ghost / p->width));
    for (int32_t i = 0; i < p->relay.link_count; ++i)
    {
        const wadi_box* box = &p->relay.links[i].box;
        if (x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height)
        {
            return &p->relay.links[i];
        }
    }
    return NULL; // not for ghosts beside own cells
}

static wadi_result relay_add(power* p, power_link* link, const power_note* note)
{
    WADI_GROW(p->context, link->notes, link->count, link->room, 64, "windows");
    link->notes[link->count++] = *note;
    return WADI_OK;
}

wadi_result wadi_power_tell_owner(power* p, int64_t ghost, const power_note* note)
{
    return relay_add(p, relay_owner(p, ghost), note);
}

wadi_result wadi_power_tell_around(power* p, int64_t cell, int64_t value, int64_t stage)
{
    const power_note note = {power_number(p, cell), value, stage};
    power_link* told[8];
    int32_t count = 0;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int64_t n = power_beside(p, cell, k);
        if (n < 0 || (p->place[n] & POWER_GHOST) == 0)
        {
            continue;
        }
        power_link* link = relay_owner(p, n);
        bool knows = false;
        for (int32_t i = 0; i < count; ++i)
        {
            knows = knows || told[i] == link;
        }
        if (!knows)
        {
            told[count++] = link;
            WADI_TRY(relay_add(p, link, &note));
        }
    }
    return WADI_OK;
}

// Bytes for each window: how many notes this window sends in all, and the notes for it.
static wadi_result relay_pack(power* p, int64_t sent)
{
    power_relay* relay = &p->relay;
    const int64_t head = (int64_t)sizeof sent;
    const int64_t size = relay->part->count * head + sent * (int64_t)sizeof(power_note);
    if (size > relay->bytes_room)
    {
        wadi_free(p->context, relay->bytes);
        relay->bytes_room = 0;
        WADI_ALLOC(p->context, relay->bytes, size, "windows");
        relay->bytes_room = size;
    }
    unsigned char* to = relay->bytes;
    int32_t next = 0;
    for (int32_t i = 0; i < relay->part->count; ++i)
    {
        relay->parts[i] = (wadi_part){to, head};
        memcpy(to, &sent, sizeof sent);
        to += head;
        if (next < relay->link_count && relay->links[next].window == i)
        {
            power_link* link = &relay->links[next++];
            const size_t bytes = (size_t)link->count * sizeof *link->notes;
            if (bytes > 0)
            {
                memcpy(to, link->notes, bytes);
            }
            to += bytes;
            relay->parts[i].size += (int64_t)bytes;
            link->count = 0;
        }
    }
    return WADI_OK;
}

static wadi_result relay_unpack(power* p, int64_t* all)
{
    power_relay* relay = &p->relay;
    *all = 0;
    relay->got_count = 0;
    for (int32_t i = 0; i < relay->part->count; ++i)
    {
        const unsigned char* from = relay->parts[i].bytes;
        int64_t sent;
        memcpy(&sent, from, sizeof sent);
        *all += sent;
        const int64_t count =
            (relay->parts[i].size - (int64_t)sizeof sent) / (int64_t)sizeof(power_note);
        for (int64_t k = 0; k < count; ++k)
        {
            WADI_GROW(p->context, relay->got, relay->got_count, relay->got_room, 64, "windows");
            memcpy(&relay->got[relay->got_count++],
                   from + sizeof sent + (size_t)k * sizeof(power_note), sizeof(power_note));
        }
    }
    return WADI_OK;
}

wadi_result wadi_power_exchange(power* p, int64_t* all)
{
    power_relay* relay = &p->relay;
    *all = 0;
    if (relay->part == NULL)
    {
        return WADI_OK;
    }
    int64_t sent = 0;
    for (int32_t i = 0; i < relay->link_count; ++i)
    {
        sent += relay->links[i].count;
    }
    WADI_TRY(relay_pack(p, sent));
    if (!relay->part->send(relay->parts, relay->part->user))
    {
        return wadi_partition_lost(p->context);
    }
    return relay_unpack(p, all);
}

int64_t wadi_power_place_of(const power* p, int64_t number)
{
    const wadi_partition* part = p->relay.part;
    int32_t x = (int32_t)(number % part->width) - part->x;
    int32_t y = (int32_t)(number / part->width) - part->y;
    x += x < -1 ? part->width : x > part->owned_width ? -part->width : 0;
    y += y < -1 ? part->height : y > part->owned_height ? -part->height : 0;
    return (int64_t)(y + p->owned.y) * p->width + x + p->owned.x;
}

wadi_result wadi_power_refresh(power* p, void* layer, int32_t bytes)
{
    return wadi_partition_get(p->relay.part, &layer, &bytes, 1) ? WADI_OK
                                                                : wadi_partition_lost(p->context);
}
