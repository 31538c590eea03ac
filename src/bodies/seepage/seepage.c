// SPDX-License-Identifier: MIT
#include "bodies/seepage/seepage.h"

#include <string.h>

// Steps grow by this factor while the solver converges, and are halved when it does not.
static const double seepage_growth = 1.3;
static const double seepage_first =
    1e-3; // share of the longest step: at the start, water enters dry soil

static wadi_result seepage_check(wadi_context* context, const wadi_seepage_params* params,
                                 const wadi_soil* soils, int32_t soil_count,
                                 const wadi_seepage_node* nodes, int32_t count)
{
    WADI_TRY(wadi_fields_check(context, &wadi_seepage_fields, params));
    WADI_CHECK(context, soil_count >= 1 && soil_count <= WADI_SEEPAGE_MAX_SOILS,
               WADI_ERROR_ARGUMENT, "%d soils; give 1 to %d", soil_count, WADI_SEEPAGE_MAX_SOILS);
    for (int32_t i = 0; i < soil_count; ++i)
    {
        WADI_TRY(wadi_fields_check(context, &wadi_soil_fields, &soils[i]));
    }
    WADI_CHECK(context, count >= 1 && nodes != NULL, WADI_ERROR_ARGUMENT,
               "there is no soil; give at least one node");
    for (int32_t i = 0; i < count; ++i)
    {
        const wadi_seepage_node* n = &nodes[i];
        const double far = fabs(n->position[0]) + fabs(n->position[1]) + fabs(n->position[2]);
        WADI_CHECK(context, far < 1e9, WADI_ERROR_RANGE,
                   "node %d is at (%g, %g, %g); coordinates are numbers of metres under 1e9", i,
                   n->position[0], n->position[1], n->position[2]);
        WADI_CHECK(context, n->room > 0.0 && n->room < 1e12, WADI_ERROR_RANGE,
                   "node %d stands for %g m3; more than 0 and less than 1e12 are needed", i,
                   n->room);
        WADI_CHECK(context, n->saturation >= 0.0 && n->saturation <= 1.0, WADI_ERROR_RANGE,
                   "node %d has saturation %g; it lies in 0..1", i, n->saturation);
        WADI_CHECK(context, n->soil >= 0 && n->soil < soil_count, WADI_ERROR_RANGE,
                   "node %d is of soil %d; there are %d, counted from 0", i, n->soil, soil_count);
    }
    return WADI_OK;
}

static wadi_result seepage_allocate(wadi_seepage* s)
{
    wadi_context* context = s->context;
    WADI_ALLOC(context, s->position, s->count, "water in soil");
    WADI_ALLOC(context, s->soil, s->count, "water in soil");
    WADI_ALLOC(context, s->water, s->count, "water in soil");
    WADI_ALLOC(context, s->leave, s->count, "water in soil");
    WADI_ALLOC(context, s->partial, seepage_blocks(s), "water in soil");
    double** arrays[] = {&s->room,  &s->wide,          &s->sky,      &s->ground, &s->hold,
                         &s->slope, &s->store,         &s->had,      &s->inflow, &s->pressure,
                         &s->move,  &s->outflow_slope, &s->residual, &s->image,  &s->direction,
                         &s->wet,   &s->diagonal};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    {
        WADI_ALLOC(context, *arrays[i], s->count, "water in soil");
    }
    return WADI_OK;
}

// Side of a cube, by Newton's steps from above: no power of the C library has the same bits
// everywhere.
static double seepage_cube_root(double volume)
{
    double x = volume > 1.0 ? volume : 1.0;
    for (int i = 0; i < 200; ++i)
    {
        const double next = (2.0 * x + volume / (x * x)) / 3.0;
        if (next >= x)
        {
            break;
        }
        x = next;
    }
    return x;
}

// Units per cubic metre, so that all pores together hold 2^52 to 2^53 units; the balance can count
// a thousand times as many.
static double seepage_units(double pores)
{
    double units = 1.0;
    while (pores * units < 0x1p52)
    {
        units *= 2.0;
    }
    while (pores * units >= 0x1p53)
    {
        units *= 0.5;
    }
    return units;
}

static void seepage_fill(wadi_seepage* s, const wadi_soil* soils, const wadi_seepage_node* nodes)
{
    for (int32_t i = 0; i < s->soil_count; ++i)
    {
        s->soils[i] = (seepage_soil){soils[i].porosity, soils[i].conductivity, soils[i].suction,
                                     soils[i].shape, soils[i].exponent};
    }
    double pores = 0.0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        memcpy(s->position[i], nodes[i].position, sizeof s->position[i]);
        s->soil[i] = nodes[i].soil;
        s->room[i] = nodes[i].room;
        s->wide[i] = seepage_cube_root(nodes[i].room);
        s->hold[i] = (double)NAN;
        pores += seepage_pores(s, i);
    }
    s->units = seepage_units(pores);
    for (int32_t i = 0; i < s->count; ++i)
    {
        s->water[i] = (int64_t)(nodes[i].saturation * seepage_pores(s, i) * s->units);
        s->before += s->water[i];
    }
    s->step = seepage_first * s->params.step;
}

// Links between nodes, and what is kept for each.
typedef struct seepage_ties
{
    seepage_links links;
    double* conductance;
    int64_t* flow;
    int64_t* gone;
} seepage_ties;

static void seepage_free_ties(wadi_context* context, seepage_ties* ties)
{
    wadi_free(context, ties->conductance);
    wadi_free(context, ties->flow);
    wadi_free(context, ties->gone);
    wadi_seepage_unlink(context, &ties->links);
}

static wadi_result seepage_make_ties(wadi_seepage* s, const double (*positions)[3],
                                     seepage_ties* ties)
{
    WADI_TRY(wadi_seepage_link(s, positions, &ties->links));
    WADI_ALLOC(s->context, ties->conductance, ties->links.count + 1, "neighbours");
    WADI_ALLOC(s->context, ties->flow, ties->links.count + 1, "neighbours");
    WADI_ALLOC(s->context, ties->gone, ties->links.count + 1, "neighbours");
    WADI_TRY(wadi_seepage_find_exposure(s->context, s, positions, 1.0, s->move));
    return wadi_seepage_find_exposure(s->context, s, positions, -1.0, s->image);
}

// Neighbours and sky for nodes at new places; all or nothing.
static wadi_result seepage_relink(wadi_seepage* s, const double (*positions)[3])
{
    seepage_ties ties = {.links = {.count = 0}};
    const wadi_result result = seepage_make_ties(s, positions, &ties);
    if (result != WADI_OK)
    {
        seepage_free_ties(s->context, &ties);
        return result;
    }
    seepage_ties old = {s->links, s->conductance, s->flow, s->gone};
    seepage_free_ties(s->context, &old);
    s->links = ties.links;
    s->conductance = ties.conductance;
    s->flow = ties.flow;
    s->gone = ties.gone;
    memcpy(s->sky, s->move, (size_t)s->count * sizeof *s->sky);
    memcpy(s->ground, s->image, (size_t)s->count * sizeof *s->ground);
    return WADI_OK;
}

wadi_result wadi_seepage_create(wadi_context* context, const wadi_seepage_params* params,
                                const wadi_soil* soils, int32_t soil_count,
                                const wadi_seepage_node* nodes, int32_t count, wadi_seepage** out)
{
    *out = NULL;
    WADI_TRY(seepage_check(context, params, soils, soil_count, nodes, count));
    wadi_seepage* s;
    WADI_ALLOC(context, s, 1, "water in soil");
    s->context = context;
    s->params = *params;
    s->soil_count = soil_count;
    s->count = count;
    wadi_result result = seepage_allocate(s);
    if (result == WADI_OK)
    {
        seepage_fill(s, soils, nodes);
        result = seepage_relink(s, (const double(*)[3])s->position);
    }
    if (result != WADI_OK)
    {
        wadi_seepage_destroy(s);
        return result;
    }
    *out = s;
    return WADI_OK;
}

void wadi_seepage_destroy(wadi_seepage* s)
{
    if (s == NULL)
    {
        return;
    }
    wadi_seepage_unlink(s->context, &s->links);
    void* arrays[] = {s->position, s->soil,        s->water,         s->leave,    s->partial,
                      s->room,     s->wide,        s->sky,           s->ground,   s->hold,
                      s->slope,    s->store,       s->had,           s->inflow,   s->pressure,
                      s->move,     s->direction,   s->outflow_slope, s->residual, s->image,
                      s->flow,     s->conductance, s->gone,          s->wet,      s->diagonal};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
    {
        wadi_free(s->context, arrays[i]);
    }
    wadi_free(s->context, s);
}

wadi_result wadi_seepage_set_weather(wadi_seepage* s, double rain, double evaporation)
{
    wadi_seepage_params params = s->params;
    params.rain = rain;
    params.evaporation = evaporation;
    WADI_TRY(wadi_fields_check(s->context, &wadi_seepage_fields, &params));
    s->params = params;
    return WADI_OK;
}

wadi_result wadi_seepage_hold(wadi_seepage* s, int32_t node, double head)
{
    WADI_CHECK(s->context, node >= 0 && node < s->count, WADI_ERROR_RANGE,
               "there is no node %d to hold; there are %d, counted from 0", node, s->count);
    WADI_CHECK(s->context, isnan(head) || fabs(head) < 1e6, WADI_ERROR_RANGE,
               "a pressure head of %g m cannot be held; give one under 1e6 m, or NaN to let go",
               head);
    s->hold[node] = head;
    return WADI_OK;
}

wadi_result wadi_seepage_move(wadi_seepage* s, const double (*positions)[3])
{
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double far = fabs(positions[i][0]) + fabs(positions[i][1]) + fabs(positions[i][2]);
        WADI_CHECK(s->context, far < 1e9, WADI_ERROR_RANGE,
                   "node %d would be at (%g, %g, %g); coordinates are numbers of metres under 1e9",
                   i, positions[i][0], positions[i][1], positions[i][2]);
    }
    WADI_TRY(seepage_relink(s, positions));
    memcpy(s->position, positions, (size_t)s->count * sizeof *s->position);
    return WADI_OK;
}

wadi_result wadi_seepage_give(wadi_seepage* s, const double* volumes, double* taken)
{
    for (int32_t i = 0; i < s->count; ++i)
    {
        WADI_CHECK(s->context, volumes[i] >= 0.0 && volumes[i] < 1e12, WADI_ERROR_RANGE,
                   "node %d cannot be given %g m3; give 0 to 1e12", i, volumes[i]);
    }
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double room = seepage_pores(s, i) - (double)s->water[i] / s->units;
        const double fits = volumes[i] < room ? volumes[i] : room;
        const int64_t units = fits > 0.0 ? (int64_t)(fits * s->units) : 0;
        s->water[i] += units;
        s->given += units;
        taken[i] = (double)units / s->units;
    }
    return WADI_OK;
}

wadi_result wadi_seepage_advance(wadi_seepage* s, double seconds)
{
    WADI_CHECK(s->context, seconds >= 0.0 && seconds < 1e12, WADI_ERROR_RANGE,
               "%g s cannot pass; give 0 to 1e12", seconds);
    memset(s->gone, 0, (size_t)s->links.count * sizeof *s->gone);
    double left = seconds;
    while (left > 0.0)
    {
        // the last two steps are equal, so that none is very short
        double step = s->step < left ? (s->step < 0.5 * left ? s->step : 0.5 * left) : left;
        step = left - step < 1e-9 * seconds ? left : step;
        while (!wadi_seepage_solve(s, step) && step > 1e-6 * s->params.step)
        {
            step *= 0.5;
        }
        wadi_seepage_flow(s, step);
        left -= step;
        left = left < 1e-9 * seconds ? 0.0 : left;
        s->time += step;
        ++s->steps;
        s->step = fmin(s->params.step, seepage_growth * step);
        WADI_CHECK(s->context, wadi_progress(s->context, 1.0 - left / seconds, "seepage"),
                   WADI_ERROR_CANCELLED, "stopped at %g s of %g", seconds - left, seconds);
    }
    return WADI_OK;
}

void wadi_seepage_saturation(const wadi_seepage* s, double* out)
{
    for (int32_t i = 0; i < s->count; ++i)
    {
        out[i] = seepage_now(s, i);
    }
}

void wadi_seepage_pressure(const wadi_seepage* s, double* out)
{
    for (int32_t i = 0; i < s->count; ++i)
    {
        out[i] = wadi_seepage_pressure_at(s, i, seepage_now(s, i));
    }
}

void wadi_seepage_carried(const wadi_seepage* s, const double (*what)[3], double (*carried)[3],
                          double* net)
{
    const double unit = 1.0 / s->units;
    for (int32_t i = 0; i < s->count; ++i)
    {
        memset(carried[i], 0, sizeof carried[i]);
        net[i] = 0.0;
        for (int64_t k = s->links.first[i]; k < s->links.first[i + 1]; ++k)
        {
            const int32_t j = s->links.other[k];
            const double came = (double)s->gone[s->links.back[k]] * unit;
            const double left = (double)s->gone[k] * unit;
            net[i] += came - left;
            for (int c = 0; c < 3; ++c)
            {
                carried[i][c] += came * what[j][c] - left * what[i][c];
            }
        }
    }
}

wadi_seepage_books wadi_seepage_account(const wadi_seepage* s)
{
    int64_t now = 0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        now += s->water[i];
    }
    const double unit = 1.0 / s->units;
    return (wadi_seepage_books){
        .before = (double)s->before * unit,
        .now = (double)now * unit,
        .rain = (double)s->rained * unit,
        .given = (double)s->given * unit,
        .held = (double)s->held * unit,
        .runoff = (double)s->runoff * unit,
        .evaporated = (double)s->evaporated * unit,
        .drained = (double)s->drained * unit,
        .residual = s->before + s->rained + s->given + s->held - now - s->runoff - s->evaporated -
                    s->drained,
        .unit = unit,
        .time = s->time,
        .steps = s->steps,
    };
}

uint64_t wadi_seepage_hash(const wadi_seepage* s)
{
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int32_t i = 0; i < s->count; ++i)
    {
        hash = (hash ^ (uint64_t)s->water[i]) * 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 29;
    }
    return hash;
}
