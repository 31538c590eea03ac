// SPDX-License-Identifier: MIT
// Hummocks: mounds of blocks that stand out of the deposits of large slides.
//
// A flow of one depth cannot hold the blocks that survive in it, so they are set where it comes to
// rest. Their areas A follow N(>= A) ~ A^-2 (17 debris avalanches have powers of 1 to 3: Yoshida
// 2016), up to a largest that falls with the distance from the source as exp(-beta D) (Yoshida
// 2013), here to a tenth at the farthest deposit. Their long axes point away from the source, as at
// Mount St. Helens. Each takes its matter from the deposit around it, in whole units; where the
// deposit is thin beside its height there is none.
#include "core/dmath.h"
#include "core/random.h"
#include "processes/landslide/landslide_state.h"

#include <math.h>
#include <stdlib.h>

static const double hummock_power = 2.0; // of the number by area
static const double hummock_fall = 2.3;  // of the logarithm of the largest area, over the deposit
static const double hummock_size = 0.1;  // width of the largest over the volume's cube root
static const double hummock_cells = 3.0; // least width [cells]
static const double hummock_lots = 0.2;  // of places that hold a block
static const double hummock_gap = 1.25;  // width without others, over its own
static const double hummock_yard = 1.2;  // radius that gives matter, over the width
static const double hummock_gives = 0.6; // share of the deposit there that may be taken
static const double hummock_rests = 0.3; // of its height, on so much deposit
static const double hummock_long = 1.0;  // most that the axes' ratio lies above 1
static const double hummock_thinnest = 0.1; // deposit that bears blocks, and is left [m]

enum
{
    HUMMOCK_APART = 3 // cells between two places
};

typedef struct hummock_work
{
    landslide_state* state;
    const wadi_ground* ground;
    double largest; // width at the source [cells]
    double top[2];  // of the source
    double far;     // farthest deposit from it [cells]
    int32_t count;
} hummock_work;

// What a visit of the cells in a circle is for.
typedef struct hummock_visit
{
    hummock_work* work;
    const landslide_hummock* mound;
    int32_t number; // of the mound, from 1
    double tall;    // height of its middle [units]
    double share;   // of what it may take or lay down
    int64_t sum;    // [units]
    bool is_free;
} hummock_visit;

typedef void hummock_see(hummock_visit* visit, int64_t cell, double away);

// ---- cells -------------------------------------------------------------------------------

static int64_t hummock_cell(const wadi_ground* ground, int64_t column, int64_t row)
{
    const bool wraps_x = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const int64_t x = wraps_x ? (column + ground->width) % ground->width : column;
    const int64_t y = wraps_y ? (row + ground->height) % ground->height : row;
    const bool inside = x >= 0 && x < ground->width && y >= 0 && y < ground->height;
    return inside ? y * ground->width + x : -1;
}

static int32_t* hummock_mass(const hummock_work* work, int64_t cell)
{
    const runner* flow = work->state->flow;
    return &flow->planes.mass[wadi_runner_at(flow, cell)];
}

static int32_t hummock_spare(const hummock_work* work, int64_t cell)
{
    const int32_t left = (int32_t)(hummock_thinnest * WADI_UNITS_PER_METRE);
    const int32_t mass = *hummock_mass(work, cell);
    const int32_t most = (int32_t)(hummock_gives * mass);
    const int32_t over = mass > left && work->ground->valid[cell] != 0 ? mass - left : 0;
    return most < over ? most : over;
}

// Way from the source to a place [cells].
static double hummock_way(const hummock_work* work, double x, double y, double way[2])
{
    const wadi_ground* ground = work->ground;
    const bool wraps_x = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    way[0] = wadi_slide_apart(x, work->top[0], wraps_x ? ground->width : 0.0);
    way[1] = wadi_slide_apart(y, work->top[1], wraps_y ? ground->height : 0.0);
    return sqrt(way[0] * way[0] + way[1] * way[1]);
}

// Visit the cells within a radius of a mound; beyond edges there is cell -1.
static void hummock_round(hummock_visit* visit, double radius, hummock_see* see)
{
    const landslide_hummock* m = visit->mound;
    const int64_t reach = (int64_t)ceil(radius * m->stretch);
    const int64_t column = (int64_t)floor(m->at[0] + 0.5);
    const int64_t row = (int64_t)floor(m->at[1] + 0.5);
    for (int64_t y = row - reach; y <= row + reach; ++y)
    {
        for (int64_t x = column - reach; x <= column + reach; ++x)
        {
            const double dx = (double)x - m->at[0];
            const double dy = (double)y - m->at[1];
            const double u = (dx * m->along[0] + dy * m->along[1]) / m->stretch;
            const double v = (dy * m->along[0] - dx * m->along[1]) * m->stretch;
            const double away = sqrt(u * u + v * v);
            if (away <= radius)
            {
                see(visit, hummock_cell(visit->work->ground, x, y), away);
            }
        }
    }
}

// ---- places ------------------------------------------------------------------------------

// The highest place that gave matter, or where debris enters.
static void hummock_find_top(hummock_work* work)
{
    const landslide_state* state = work->state;
    const runner* flow = state->flow;
    int64_t top = state->inflow.cell_count > 0 ? state->inflow.cells[0] : -1;
    int64_t best = INT64_MIN;
    for (int64_t c = wadi_runner_next(flow, -1); c >= 0; c = wadi_runner_next(flow, c))
    {
        const ptrdiff_t i = wadi_runner_at(flow, c);
        const int64_t before = (int64_t)flow->planes.bed[i] + state->lifted[c];
        top = state->lifted[c] > 0 && before > best ? c : top;
        best = state->lifted[c] > 0 && before > best ? before : best;
    }
    work->top[0] = (double)(top < 0 ? 0 : top % work->ground->width);
    work->top[1] = (double)(top < 0 ? 0 : top / work->ground->width);
}

// The farthest deposit, and the width of the largest block at the source.
static void hummock_measure(hummock_work* work)
{
    const landslide_state* state = work->state;
    const wadi_ground* ground = work->ground;
    const double cell = ground->cell_size;
    work->far = 1.0;
    for (int64_t c = wadi_runner_next(state->flow, -1); c >= 0;
         c = wadi_runner_next(state->flow, c))
    {
        double way[2];
        const double away =
            hummock_way(work, (double)(c % ground->width), (double)(c / ground->width), way);
        work->far = hummock_spare(work, c) > 0 && away > work->far ? away : work->far;
    }
    const double units = (double)wadi_runner_holds(state->flow);
    const double volume = units / WADI_UNITS_PER_METRE * cell * cell;
    const double given = state->params.hummock_width;
    const double width = given > 0.0 ? given : hummock_size * wadi_pow(volume, 1.0 / 3.0);
    const int32_t side = ground->width < ground->height ? ground->width : ground->height;
    work->largest = fmin(width / cell, 0.25 * side);
}

// Draw the block at a place. Returns false if there is none.
static bool hummock_draw(const hummock_work* work, const wadi_philox* lot, landslide_hummock* m)
{
    const double away = hummock_way(work, m->at[0], m->at[1], m->along);
    const double widest = work->largest * wadi_exp(-0.5 * hummock_fall * away / work->far);
    const double luck = wadi_unit_double(lot->v[2], 0) / hummock_lots;
    if (widest <= hummock_cells || luck > 1.0 || away < 1.0)
    {
        return false;
    }
    m->along[0] /= away;
    m->along[1] /= away;
    m->stretch = sqrt(1.0 + hummock_long * luck);
    const double ratio = widest * widest / (hummock_cells * hummock_cells); // of areas
    const double rest = wadi_pow(ratio, -hummock_power);
    const double chance = 1.0 - wadi_unit_double(lot->v[3], 0) * (1.0 - rest);
    m->width = hummock_cells * wadi_pow(chance, -0.5 / hummock_power);
    return true;
}

static void hummock_collect(hummock_work* work)
{
    landslide_state* state = work->state;
    const int64_t width = work->ground->width;
    const uint64_t seed = wadi_terrain_seed(state->terrain);
    for (int64_t c = wadi_runner_next(state->flow, -1); c >= 0;
         c = wadi_runner_next(state->flow, c))
    {
        state->blocks.owner[c] = 0;
        if (c % width % HUMMOCK_APART != 0 || c / width % HUMMOCK_APART != 0)
        {
            continue;
        }
        const wadi_philox lot =
            wadi_random(seed, state->stream ^ 0x68756d6du, (uint64_t)c, (uint32_t)state->slides);
        landslide_hummock m = {
            .cell = c,
            .at = {
                (double)(c % width) + (double)HUMMOCK_APART * wadi_unit_double(lot.v[0], 0) - 0.5,
                (double)(c / width) + (double)HUMMOCK_APART * wadi_unit_double(lot.v[1], 0) - 0.5}};
        if (hummock_draw(work, &lot, &m))
        {
            state->blocks.list[work->count] = m;
            ++work->count;
        }
    }
}

// From large to small.
static int hummock_order(const void* left, const void* right)
{
    const landslide_hummock* a = left;
    const landslide_hummock* b = right;
    return a->width > b->width ? -1 : a->width < b->width ? 1 : a->cell < b->cell ? -1 : 1;
}

// ---- mounds ------------------------------------------------------------------------------

// Height of the middle of a mound [units].
static double hummock_tall(const hummock_work* work, const landslide_hummock* m)
{
    const double width = m->width * work->ground->cell_size;
    return work->state->params.hummocks * width * WADI_UNITS_PER_METRE;
}

static void hummock_see_free(hummock_visit* visit, int64_t cell, double away)
{
    (void)away;
    visit->is_free = visit->is_free && cell >= 0 && hummock_spare(visit->work, cell) > 0 &&
                     *hummock_mass(visit->work, cell) >= hummock_rests * visit->tall &&
                     visit->work->state->blocks.owner[cell] == 0;
}

static void hummock_claim(hummock_visit* visit, int64_t cell, double away)
{
    (void)away;
    visit->work->state->blocks.owner[cell] = visit->number;
}

// Set the mounds that have room, and close up the list of them.
static void hummock_place(hummock_work* work)
{
    landslide_hummock* list = work->state->blocks.list;
    int32_t kept = 0;
    for (int32_t k = 0; k < work->count; ++k)
    {
        hummock_visit visit = {
            .work = work, .mound = &list[k], .number = kept + 1, .is_free = true};
        visit.tall = hummock_tall(work, &list[k]);
        hummock_round(&visit, 0.5 * hummock_gap * list[k].width, hummock_see_free);
        if (visit.is_free)
        {
            hummock_round(&visit, 0.5 * list[k].width, hummock_claim);
            list[kept] = list[k];
            ++kept;
        }
    }
    work->count = kept;
}

// Height of a mound over the deposit [units].
static int32_t hummock_height(const hummock_visit* visit, double away)
{
    const double way = away / (0.5 * visit->mound->width);
    const double left = fmax(1.0 - way * way, 0.0);
    return (int32_t)(visit->tall * left * left);
}

static void hummock_sum_height(hummock_visit* visit, int64_t cell, double away)
{
    (void)cell;
    visit->sum += hummock_height(visit, away);
}

// Cells of the yard are those that no mound has, nor a larger one's yard.
static void hummock_sum_yard(hummock_visit* visit, int64_t cell, double away)
{
    (void)away;
    int32_t* owner = cell >= 0 ? &visit->work->state->blocks.owner[cell] : NULL;
    if (owner != NULL && *owner == 0 && hummock_spare(visit->work, cell) > 0)
    {
        *owner = -visit->number;
        visit->sum += hummock_spare(visit->work, cell);
    }
}

static void hummock_take(hummock_visit* visit, int64_t cell, double away)
{
    (void)away;
    if (cell >= 0 && visit->work->state->blocks.owner[cell] == -visit->number)
    {
        const int32_t units = (int32_t)(visit->share * hummock_spare(visit->work, cell));
        *hummock_mass(visit->work, cell) -= units;
        visit->sum += units;
        visit->work->state->blocks.owner[cell] = INT32_MIN; // has given
    }
}

static void hummock_lay(hummock_visit* visit, int64_t cell, double away)
{
    const int32_t units = (int32_t)(visit->share * hummock_height(visit, away));
    *hummock_mass(visit->work, cell) += units;
    visit->sum -= units;
}

// Heap a mound up from its yard; what rounding leaves goes to its middle.
static void hummock_heap(hummock_work* work, int32_t k)
{
    const landslide_hummock* mound = &work->state->blocks.list[k];
    hummock_visit visit = {.work = work, .mound = mound, .number = k + 1};
    visit.tall = hummock_tall(work, mound);
    hummock_round(&visit, 0.5 * mound->width, hummock_sum_height);
    const double wanted = (double)visit.sum;
    visit.sum = 0;
    hummock_round(&visit, hummock_yard * mound->width, hummock_sum_yard);
    const double there = (double)visit.sum;
    visit.sum = 0;
    visit.share = there > wanted ? wanted / there : 1.0;
    hummock_round(&visit, hummock_yard * mound->width, hummock_take);
    visit.share = wanted > 0.0 ? (double)visit.sum / wanted : 0.0;
    hummock_round(&visit, 0.5 * mound->width, hummock_lay);
    const int64_t middle = hummock_cell(work->ground, (int64_t)floor(mound->at[0] + 0.5),
                                        (int64_t)floor(mound->at[1] + 0.5));
    *hummock_mass(work, middle) += (int32_t)visit.sum;
}

wadi_result wadi_landslide_hummocks_create(landslide_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const int64_t places = ((int64_t)ground->width / HUMMOCK_APART + 1) *
                           ((int64_t)ground->height / HUMMOCK_APART + 1);
    WADI_ALLOC(context, state->blocks.owner, ground->cells, "hummocks");
    WADI_ALLOC(context, state->blocks.list, places, "hummocks");
    return WADI_OK;
}

void wadi_landslide_hummocks_drop(landslide_state* state)
{
    wadi_free(wadi_terrain_context(state->terrain), state->blocks.owner);
    wadi_free(wadi_terrain_context(state->terrain), state->blocks.list);
    state->blocks = (landslide_blocks){0};
}

void wadi_landslide_hummocks(landslide_state* state)
{
    hummock_work work = {.state = state, .ground = wadi_terrain_ground_const(state->terrain)};
    if (state->params.hummocks <= 0.0)
    {
        return;
    }
    hummock_find_top(&work);
    hummock_measure(&work);
    hummock_collect(&work);
    qsort(state->blocks.list, (size_t)work.count, sizeof *state->blocks.list, hummock_order);
    hummock_place(&work);
    for (int32_t k = 0; k < work.count; ++k)
    {
        hummock_heap(&work, k);
    }
    state->account.hummocks += work.count;
}
