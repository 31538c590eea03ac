// SPDX-License-Identifier: MIT
// Model "slump": ground above a deep rupture surface turns on it as a block. It tilts backward,
// bares a head scarp above and rides over the ground at its toe.
//
// The surface is one of revolution about a level axis, so a turn by an angle t moves matter at a
// distance a ahead of the axis and d below it to a cos t + d sin t ahead. The turn ends when
// friction has used up the energy of the fall: with the moments M of the weight about the axis and
// B with the depth below it as lever, and the moment of the resistance that is left, R,
//     M sin t - B (1 - cos t) = R t .
//
// Ground of a block may fail again, `secondary` times: after the turn its front and the scarp above
// it are steep, and its broken rock, which lies as sediment, has `residual` of the rock's strength.
// The search weighs it anew, and what is below 1 turns on a surface of its own, so a block breaks
// into steps. What has lost its strength loses no more while it moves.
#include "processes/landslide/landslide_state.h"
#include "processes/landslide/slide_deep.h"

#include "core/dmath.h"

#include <wadi/stability.h>

#include <math.h>

static const double slump_least = 0.1; // way of a block that moves, in cells
static const double slump_degree = 0.017453292519943295;

enum
{
    SLUMP_PARTS = 4, // parts of a cell, along a side
    SLUMP_SLICES = 16,
    SLUMP_HALVINGS = 40
};

// ---- angle -------------------------------------------------------------------------------

// Energy that is left after a turn.
static double slump_energy(const rupture_moments* m, double resistance, double angle)
{
    return m->drive * wadi_sin(angle) - m->below * (1.0 - wadi_cos(angle)) - resistance * angle;
}

// Share of the strength that is left while the block moves: that of broken ground has gone before.
static double slump_share(const slide_deep* deep)
{
    const double fresh = wadi_slide_deep_fresh(deep);
    const double residual = deep->params->residual;
    return fresh < 1.0 ? 1.0 - (1.0 - residual) * fresh : residual;
}

// Angle at which a block comes to rest, at most that of its lowest place.
static double slump_angle(const slide_deep* deep)
{
    const rupture_moments* m = &deep->moments;
    const double resistance = slump_share(deep) * m->factor * (m->drive + m->shake);
    double low = 0.0;
    double high = fmin(deep->params->rotation * slump_degree,
                       m->below > 0.0 ? wadi_atan2(m->drive, m->below) : 3.0);
    if (m->drive <= resistance)
    {
        return 0.0;
    }
    if (slump_energy(m, resistance, high) > 0.0)
    {
        return high;
    }
    for (int32_t k = 0; k < SLUMP_HALVINGS; ++k)
    {
        const double middle = 0.5 * (low + high);
        const bool goes_on = slump_energy(m, resistance, middle) > 0.0;
        low = goes_on ? middle : low;
        high = goes_on ? high : middle;
    }
    return low;
}

// ---- turn --------------------------------------------------------------------------------

typedef struct slump_turn
{
    const slide_deep* deep;
    const wadi_ground* ground;
    wadi_tally* tally;
    int32_t* lifted; // by cell of the block: loose layers, then rock [units]
    double cosine;
    double sine;
} slump_turn;

static int32_t* slump_lifted(const slump_turn* turn, int64_t k)
{
    return &turn->lifted[k * (turn->ground->loose_count + 1)];
}

static void slump_lift(const slump_turn* turn)
{
    const wadi_ground* ground = turn->ground;
    for (int64_t k = 0; k < turn->deep->count; ++k)
    {
        const slide_cell* s = &turn->deep->cells[k];
        int32_t* lifted = slump_lifted(turn, k);
        int32_t left = s->depth;
        for (int32_t l = ground->loose_count - 1; l >= 0; --l)
        {
            lifted[l] = ground->loose[l][s->cell] < left ? ground->loose[l][s->cell] : left;
            left -= lifted[l];
            wadi_ground_lift(ground, s->cell, l, lifted[l], turn->tally);
        }
        lifted[ground->loose_count] = left;
        wadi_ground_take_exact_rock(ground, s->cell, left, turn->tally);
    }
}

// Column or row of a cell, of its images round the map the one nearest the middle of the chord.
static double slump_image(const slump_turn* turn, const slide_cell* s, int axis)
{
    const rupture_surface* surface = &turn->deep->surface;
    const rupture_land* land = &turn->deep->land;
    const double size = axis == 0 ? land->width : land->height;
    const double place = (double)(axis == 0 ? s->cell % land->width : s->cell / land->width);
    const double half = 0.5 * (surface->toe + surface->head) * surface->ahead[axis];
    const double middle = ((axis == 0 ? surface->x : surface->y) + half) / land->cell;
    return land->wraps[axis] ? place + size * floor((middle - place) / size + 0.5) : place;
}

// Lay down a slice of a cell, `depth` metres below its surface, in parts that move by themselves.
static void slump_slice(const slump_turn* turn, const slide_cell* s, int32_t layer, double depth,
                        int32_t units)
{
    const rupture_surface* surface = &turn->deep->surface;
    const rupture_land* land = &turn->deep->land;
    const double column = slump_image(turn, s, 0);
    const double row = slump_image(turn, s, 1);
    const int32_t parts = SLUMP_PARTS * SLUMP_PARTS;
    for (int32_t k = 0; k < parts; ++k)
    {
        const int32_t part =
            (int32_t)((int64_t)units * (k + 1) / parts - (int64_t)units * k / parts);
        const double x = column + ((double)(k % SLUMP_PARTS) + 0.5) / (double)SLUMP_PARTS - 0.5;
        const double y = row + ((double)(k / SLUMP_PARTS) + 0.5) / (double)SLUMP_PARTS - 0.5;
        double at[2];
        wadi_rupture_frame(surface, x * land->cell, y * land->cell, at);
        const double below = surface->z - (wadi_rupture_height(land, x, y) - depth);
        const double way = (at[0] * turn->cosine + below * turn->sine - at[0]) / land->cell;
        wadi_slide_spread(turn->ground, layer, x + way * surface->ahead[0],
                          y + way * surface->ahead[1], part, turn->tally);
    }
}

// Lay down what was lifted from a cell, from the surface down.
static void slump_lay(const slump_turn* turn, int64_t k)
{
    const wadi_ground* ground = turn->ground;
    const int32_t* lifted = slump_lifted(turn, k);
    const double half = 0.5 * ground->cell_size * WADI_UNITS_PER_METRE;
    double depth = 0.0;
    for (int32_t l = ground->loose_count; l >= 0; --l)
    {
        const int32_t layer = l > 0 ? l - 1 : ground->loose_count; // rock is the lowest
        const double wanted = ceil((double)lifted[layer] / half);
        const int32_t slices = (int32_t)fmin(fmax(wanted, 1.0), (double)SLUMP_SLICES);
        for (int32_t i = 0; i < slices; ++i)
        {
            const int64_t units = lifted[layer];
            const int32_t part = (int32_t)(units * (i + 1) / slices - units * i / slices);
            const double middle = depth + ((double)i + 0.5) * (double)units / slices;
            slump_slice(turn, &turn->deep->cells[k],
                        layer == ground->loose_count ? SLIDE_ROCK : layer,
                        middle / WADI_UNITS_PER_METRE, part);
        }
        depth += (double)lifted[layer];
    }
}

static wadi_result slump_move(landslide_state* state, slide_deep* deep, double angle)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    wadi_tally tally = {0};
    slump_turn turn = {.deep = deep,
                       .ground = wadi_terrain_ground(state->terrain),
                       .tally = &tally,
                       .cosine = wadi_cos(angle),
                       .sine = wadi_sin(angle)};
    WADI_ALLOC(context, turn.lifted, deep->count * (turn.ground->loose_count + 1), "a block");
    const wadi_result result = wadi_slide_deep_keep(deep);
    if (result == WADI_OK)
    {
        slump_lift(&turn);
        for (int64_t k = 0; k < deep->count; ++k)
        {
            slump_lay(&turn, k);
        }
        wadi_terrain_book(state->terrain, "landslide", &tally);
        wadi_terrain_changed(state->terrain);
    }
    wadi_free(context, turn.lifted);
    return result;
}

// ---- slumps ------------------------------------------------------------------------------

static wadi_result slump_run(landslide_state* state, slide_deep* deep)
{
    const double cell = wadi_terrain_cell_size(state->terrain);
    while (wadi_slide_deep_next(deep))
    {
        const double angle = slump_angle(deep);
        if (angle * deep->surface.radius < slump_least * cell)
        {
            wadi_rupture_search_skip(deep->search);
            continue;
        }
        state->account.secondary += wadi_slide_deep_is_secondary(deep) ? 1.0 : 0.0;
        WADI_TRY(slump_move(state, deep, angle));
        state->account.rotation = fmax(state->account.rotation, angle / slump_degree);
        wadi_slide_deep_follow(deep, angle * deep->surface.radius);
    }
    return WADI_OK;
}

static void slump_account(landslide_state* state)
{
    landslide_account* account = &state->account;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const double area = ground->cell_size * ground->cell_size;
    wadi_slide_source_sum(ground, &state->source);
    account->areas += (double)state->source.areas;
    account->largest = (double)state->source.largest * area;
    account->released += (double)state->source.units / WADI_UNITS_PER_METRE * area;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        state->released[c] += (int64_t)state->source.soil[c] + state->source.rock[c];
    }
    wadi_landslide_compare(state);
    wadi_landslide_measure(state);
    wadi_landslide_paint_all(state);
}

wadi_result wadi_landslide_slump(landslide_state* state, const slide_region* region)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    slide_deep deep;
    WADI_TRY(wadi_slide_source_create(state->terrain, region, &state->source));
    wadi_result result =
        wadi_slide_deep_create(state->terrain, region, &state->source, false, &deep);
    if (result == WADI_OK)
    {
        for (int64_t c = 0; c < ground->cells; ++c)
        {
            state->before[c] = wadi_ground_surface(ground, c);
        }
        wadi_rupture_search_map(deep.search, (float)WADI_STABILITY_MOST, state->stability);
        result = slump_run(state, &deep);
        slump_account(state);
    }
    wadi_slide_deep_destroy(&deep);
    return result;
}
