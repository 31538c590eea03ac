// SPDX-License-Identifier: MIT
// Parcels at edges, over voids and at the end of their life. Sand that leaves the grid is booked by
// side, and the parcel enters again through a gate: a cell face that the wind blows in through.
#include "processes/wind/saltation_state.h"

#include "core/prefetch.h"
#include "core/random.h"
#include "lockstep/particle.h"

#include <math.h>
#include <string.h>

enum
{
    EDGE_BLOCK = 256 // parcels
};

// Path on which parcels that enter laden wait [m]. On the flank of a crater the bank at the edge is
// 22 m high after 8 years with 0, 7 m with 4 and 5 m with 8.
static const double edge_settling = 8.0;

static const int32_t edge_dx[4] = {0, 1, 0, -1}; // by wadi_side
static const int32_t edge_dy[4] = {-1, 0, 1, 0};

static bool edge_is_periodic(const saltation* s, int32_t side)
{
    return s->ground->edges[side] == WADI_EDGE_PERIODIC;
}

static int32_t edge_cell(const saltation* s, float x, float y)
{
    return (int32_t)y * s->ground->width + (int32_t)x;
}

// ---- gates --------------------------------------------------------------------------------------

// Width of a face projected across the wind; 0 if the wind blows out through it.
static double edge_width(const saltation* s, int32_t x, int32_t y, int32_t side)
{
    const saltation_aim aim = saltation_aim_at(s, saltation_rim(s, y) + x);
    const double along =
        (double)(aim.ex * (float)edge_dx[side]) + (double)(aim.ey * (float)edge_dy[side]);
    return along < 0.0 ? -along : 0.0;
}

// Does this face of a cell lie on a non-periodic edge or a void? *open: sand can enter there.
static bool edge_is_gate(const saltation* s, int32_t x, int32_t y, int32_t side, bool* open)
{
    const wadi_ground* ground = s->ground;
    const int32_t nx = x + edge_dx[side];
    const int32_t ny = y + edge_dy[side];
    if (nx < 0 || ny < 0 || nx >= ground->width || ny >= ground->height)
    {
        *open = ground->edges[side] == WADI_EDGE_OPEN;
        return !edge_is_periodic(s, side);
    }
    *open = true;
    return ground->valid[(int64_t)ny * ground->width + nx] == 0;
}

// Add the gates of one cell to the list. With `gates` NULL count the possible gates for any wind.
static int32_t edge_list_cell_gates(const saltation* s, int32_t x, int32_t y, saltation_gate* gates,
                                    int32_t count)
{
    const int32_t cell = y * s->ground->width + x;
    for (int32_t side = 0; side < 4 && s->ground->valid[cell] != 0; ++side)
    {
        bool open;
        const double width = edge_width(s, x, y, side);
        if (!edge_is_gate(s, x, y, side, &open) || (gates != NULL && width <= 0.0))
        {
            continue;
        }
        if (gates != NULL)
        {
            const double before = count > 0 ? gates[count - 1].reach : 0.0;
            gates[count] = (saltation_gate){cell, side, open, before + width};
        }
        ++count;
    }
    return count;
}

// List the gates along the edges of the grid and around voids.
static int32_t edge_list_gates(const saltation* s, saltation_gate* gates)
{
    const int32_t width = s->ground->width;
    const int32_t height = s->ground->height;
    int32_t count = 0;
    for (int32_t y = 0; y < height; ++y)
    {
        const bool whole = y == 0 || y == height - 1 || !s->ground->all_valid || width == 1;
        for (int32_t x = 0; x < width; x += whole ? 1 : width - 1)
        {
            count = edge_list_cell_gates(s, x, y, gates, count);
        }
    }
    return count;
}

wadi_result wadi_saltation_edge_create(saltation* s)
{
    s->gate_capacity = edge_list_gates(s, NULL);
    WADI_ALLOC(s->context, s->gates, s->gate_capacity + 1, "gates of the wind");
    return WADI_OK;
}

void wadi_saltation_edge_list_gates(saltation* s)
{
    s->gate_count = edge_list_gates(s, s->gates);
}

// ---- spawning -----------------------------------------------------------------------------------

static void edge_start(const saltation* s, saltation_parcel* p, int32_t load)
{
    const saltation_aim aim = saltation_aim_at(s, saltation_rim(s, (int32_t)p->y) + (int32_t)p->x);
    p->z = wadi_saltation_freeze_level(s, p->x, p->y);
    p->u = aim.ex;
    p->v = aim.ey;
    p->w = 0.0f;
    memset(p->memory, 0, sizeof p->memory);
    p->load = load;
    // winds that part leave places that parcels reach only by starting there
    const bool around = edge_is_periodic(s, WADI_SIDE_WEST) ||
                        edge_is_periodic(s, WADI_SIDE_NORTH) || s->air != NULL;
    // the life of dust has no end, since dust never settles
    p->left = around && s->law.settle > 0.0f ? s->life : INT32_MAX;
}

static int64_t edge_index(const saltation* s, const saltation_parcel* p)
{
    return (int64_t)p->births * s->fleet_size + p->id;
}

static void edge_place(const saltation* s, saltation_parcel* p)
{
    const particle_places places = {wadi_terrain_seed(s->terrain), s->stream, s->ground->width,
                                    s->ground->height};
    // skip voids; after 64 misses the parcel stays over a void until the next batch
    for (int tries = 0; tries < 64; ++tries)
    {
        wadi_particle_place(&places, edge_index(s, p), &p->x, &p->y);
        ++p->births;
        if (s->ground->all_valid || s->ground->valid[edge_cell(s, p->x, p->y)] != 0)
        {
            break;
        }
    }
}

static float edge_held(float place, float size)
{
    const float last = size * (1.0f - 0x1p-22f);
    return place < 0.0f ? 0.0f : place < last ? place : last;
}

// A place along an axis, moved onto a periodic grid or held at its edge.
static float edge_on_axis(float place, float size, float wrap)
{
    return edge_held(wrap > 0.0f ? place - size * floorf(place / size) : place, size);
}

// Level of the ground `back` cells upwind.
static float edge_level_behind(const saltation* s, const saltation_parcel* p, float back)
{
    const float x = edge_on_axis(p->x - back * p->u, s->law.width, s->law.wrap_x);
    const float y = edge_on_axis(p->y - back * p->v, s->law.height, s->law.wrap_y);
    return wadi_saltation_freeze_level(s, x, y);
}

// Let a parcel remember the slopes upwind of it, as if it had come from there: each memory is the
// slope over twice its length, whose mean age is that of the running mean. In lees the parcel is in
// the air. Waiting until memories settle took 11 cells of a life of 192.
static void edge_remember(const saltation* s, saltation_parcel* p)
{
    float behind[SALTATION_SCALES];
    for (int i = 0; i < SALTATION_SCALES; ++i)
    {
        const float back = 1.0f / s->law.ahead_slope[i];
        behind[i] = edge_level_behind(s, p, back);
        p->z = fmaxf(p->z, behind[i] - s->law.fall * back);
    }
    for (int i = 0; i < SALTATION_SCALES; ++i)
    {
        p->memory[i] = fminf((p->z - behind[i]) * s->law.ahead_slope[i], s->law.max_slope);
    }
}

static void edge_start_empty(const saltation* s, saltation_parcel* p)
{
    edge_start(s, p, 0);
    p->warmup = 0;
    if (s->law.fall > 0.0f)
    {
        edge_remember(s, p);
    }
}

void wadi_saltation_edge_spawn(const saltation* s, saltation_parcel* p)
{
    edge_place(s, p);
    edge_start_empty(s, p);
}

static const saltation_gate* edge_pick(const saltation* s, double reach)
{
    int32_t low = 0;
    int32_t high = s->gate_count - 1;
    while (low < high)
    {
        const int32_t middle = (low + high) / 2;
        if (s->gates[middle].reach > reach)
        {
            high = middle;
        }
        else
        {
            low = middle + 1;
        }
    }
    return &s->gates[low];
}

// Load of a parcel that enters; with local winds by the excess of the wind of its cell.
static int32_t edge_inflow(const saltation* s, int64_t cell)
{
    const double wind = wadi_saltation_local_wind(s, cell);
    const double calm = (double)s->law.threshold;
    const double share = (wind * wind - calm) / (1.0 - calm);
    return wind < 1.0 ? (int32_t)((double)s->law.inflow * fmax(0.0, share))
                      : (int32_t)s->law.inflow;
}

// An even sequence from 0 to 1 over the parcels that have entered.
static double edge_sequence(const saltation* s, const saltation_parcel* p, uint64_t golden)
{
    const uint64_t turn = (uint64_t)edge_index(s, p) * golden;
    return wadi_unit_double((uint32_t)(turn >> 32), (uint32_t)turn);
}

// Of the parcels that enter laden, the share `inflow` exchanges no sand on its first metres, until
// it remembers slopes. If all did at once, sand would fall onto the edge wherever the ground behind
// it slopes, and a bank would grow there that takes all that comes: 32 m in 24 years on a sheet of
// 3 m. If none did, a strip of sand would stay where little enters.
static int32_t edge_wait(const saltation* s, const saltation_parcel* p)
{
    const double place = edge_sequence(s, p, 0xC13FA9A902A6328Fu);
    const bool waits = p->load > 0 && place < s->params.inflow;
    return waits ? (int32_t)(edge_settling * s->scale + 0.5) : 0;
}

// Let the first step of a parcel end in the cell of its gate. Winds within 8 degrees of an axis
// carried all parcels into the next one, so that a rim of sand stayed along the edge. Their speeds
// differ, so that they do not all meet a brink at the same part of a step: then a lee behind a wall
// had 38 degrees.
static void edge_slow(const saltation* s, saltation_parcel* p, int32_t side)
{
    const float along = p->u * -(float)edge_dx[side] + p->v * -(float)edge_dy[side];
    const float most = 0.98f; // a parcel starts 0.01 cells inside
    const float least = 0.6f; // with 0.75 the lee has half a degree more
    if (along > most)
    {
        const float part = (float)edge_sequence(s, p, 0xABC98388FB8FAC03u);
        const float share = (least + part * (most - least)) / along;
        p->u *= share;
        p->v *= share;
    }
}

// Enter through a gate. A golden-ratio sequence picks gates evenly, weighted by their width.
static void edge_enter(const saltation* s, saltation_worker* worker, saltation_parcel* p)
{
    if (s->gate_count == 0)
    {
        wadi_saltation_edge_spawn(s, p);
        return;
    }
    const wadi_philox turn = wadi_random(wadi_terrain_seed(s->terrain), s->stream, UINT64_MAX, 1);
    const uint64_t golden =
        (uint64_t)edge_index(s, p) * 0x9E3779B97F4A7C15u + ((uint64_t)turn.v[0] << 32 | turn.v[1]);
    const double share = wadi_unit_double((uint32_t)(golden >> 32), (uint32_t)golden);
    const saltation_gate* gate = edge_pick(s, share * s->gates[s->gate_count - 1].reach);
    const float across = wadi_unit_float((uint32_t)golden * 0x9E3779B1u);
    ++p->births;

    const int32_t x = gate->cell % s->ground->width;
    const int32_t y = gate->cell / s->ground->width;
    const float inset = 0.01f;
    p->x = (float)x + (edge_dx[gate->side] < 0   ? inset
                       : edge_dx[gate->side] > 0 ? 1.0f - inset
                                                 : across);
    p->y = (float)y + (edge_dy[gate->side] < 0   ? inset
                       : edge_dy[gate->side] > 0 ? 1.0f - inset
                                                 : across);
    const int32_t load = gate->open ? edge_inflow(s, gate->cell) : 0;
    worker->tally.in[WADI_MATERIAL_SEDIMENT] += load;
    edge_start(s, p, load);
    edge_slow(s, p, gate->side);
    p->warmup = edge_wait(s, p);
}

// ---- leaving ------------------------------------------------------------------------------------

// The side that a parcel has crossed, or -1.
static int32_t edge_side(const saltation* s, const saltation_parcel* p)
{
    return p->x < 0.0f             ? WADI_SIDE_WEST
           : p->x >= s->law.width  ? WADI_SIDE_EAST
           : p->y < 0.0f           ? WADI_SIDE_NORTH
           : p->y >= s->law.height ? WADI_SIDE_SOUTH
                                   : -1;
}

static void edge_drop(const saltation* s, saltation_worker* worker, saltation_parcel* p)
{
    const ptrdiff_t cell = saltation_rim(s, (int32_t)p->y) + (int32_t)p->x;
    worker->sums.sand[cell] += p->load * SALTATION_LAID;
    p->load = 0;
}

static void edge_fall_into_void(const saltation* s, saltation_worker* worker, saltation_parcel* p)
{
    const wadi_side side = wadi_ground_void_side(s->ground, edge_cell(s, p->x, p->y));
    worker->tally.out[WADI_MATERIAL_SEDIMENT][side] += p->load;
    p->load = 0;
}

// Reflect a parcel that turbulence carried over a side that the wind does not blow out of.
static void edge_mirror(const saltation* s, saltation_parcel* p, int32_t side)
{
    if (edge_dx[side] != 0)
    {
        p->x = side == WADI_SIDE_WEST ? -p->x : 2.0f * s->law.width - p->x;
        p->u = -p->u;
    }
    else
    {
        p->y = side == WADI_SIDE_NORTH ? -p->y : 2.0f * s->law.height - p->y;
        p->v = -p->v;
    }
    p->x = edge_held(p->x, s->law.width);
    p->y = edge_held(p->y, s->law.height);
}

static void edge_leave(const saltation* s, saltation_worker* worker, saltation_parcel* p,
                       int32_t side)
{
    const int32_t x = (int32_t)edge_held(p->x, s->law.width);
    const int32_t y = (int32_t)edge_held(p->y, s->law.height);
    const saltation_aim aim = saltation_aim_at(s, saltation_rim(s, y) + x);
    const float out = aim.ex * (float)edge_dx[side] + aim.ey * (float)edge_dy[side];
    if (out <= 0.0f)
    {
        edge_mirror(s, p, side);
        return;
    }
    if (s->ground->edges[side] == WADI_EDGE_OPEN)
    {
        worker->tally.out[WADI_MATERIAL_SEDIMENT][side] += p->load;
        p->load = 0;
    }
    p->x = edge_held(p->x, s->law.width);
    p->y = edge_held(p->y, s->law.height);
    if (p->load != 0 && s->ground->valid[edge_cell(s, p->x, p->y)] != 0)
    {
        edge_drop(s, worker, p);
    }
    edge_fall_into_void(s, worker, p); // the rest, where a void lies at the wall
    edge_enter(s, worker, p);
}

void wadi_saltation_edge_cross(const saltation* s, saltation_worker* worker, saltation_parcel* p)
{
    const int32_t side = edge_side(s, p);
    if (side >= 0)
    {
        edge_leave(s, worker, p, side);
    }
    else if (s->ground->valid[edge_cell(s, p->x, p->y)] == 0)
    {
        edge_fall_into_void(s, worker, p);
        edge_enter(s, worker, p);
    }
}

static void edge_respawn_block(int64_t block, int32_t worker, void* user)
{
    const saltation* s = user;
    const int32_t begin = (int32_t)block * EDGE_BLOCK;
    const int32_t end = begin + EDGE_BLOCK < s->fleet_size ? begin + EDGE_BLOCK : s->fleet_size;
    for (int32_t i = begin; i < end; ++i)
    {
        saltation_parcel* p = &s->fleet[i];
        if (p->left <= 0)
        {
            edge_drop(s, &s->workers[worker], p);
            edge_place(s, p);
            const float* north_west = s->level + (ptrdiff_t)p->y * s->law.stride + (ptrdiff_t)p->x;
            wadi_prefetch(north_west);
            wadi_prefetch(north_west + s->law.stride);
            wadi_prefetch(north_west + 2 * (ptrdiff_t)s->law.stride);
        }
    }
    // the levels around all new positions have been prefetched
    for (int32_t i = begin; i < end; ++i)
    {
        if (s->fleet[i].left <= 0)
        {
            edge_start_empty(s, &s->fleet[i]);
        }
    }
}

void wadi_saltation_edge_respawn(saltation* s)
{
    wadi_parallel_blocks(s->context, (s->fleet_size + EDGE_BLOCK - 1) / EDGE_BLOCK,
                         edge_respawn_block, s);
}
