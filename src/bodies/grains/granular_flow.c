// SPDX-License-Identifier: MIT
// Feeders and sinks, which look at the world at multiples of their own time, and the books.
#include "bodies/grains/granular.h"

#include "core/dmath.h"
#include "core/random.h"

enum
{
    FLOW_TRIES = 64,       // places that a grain looks at before it waits for the next look
    FLOW_STREAM = 0x67726e // of random numbers
};

// ---- books -------------------------------------------------------------------------------------

static double flow_mass(double density, double radius)
{
    return density * 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
}

// So fine that the largest grain has 2^36 of them.
static double flow_unit(const wadi_grains* grains)
{
    double most = 0.0;
    for (int32_t m = 0; m < grains->material_count; ++m)
    {
        const double density = grains->materials[m].density;
        most = density > most ? density : most;
    }
    int exponent;
    (void)frexp(flow_mass(most, grains->list.largest), &exponent);
    return ldexp(1.0, exponent - 36);
}

static int64_t flow_units(const wadi_grains* grains, int32_t material, double radius)
{
    return llrint(flow_mass(grains->materials[material].density, radius) / flow_unit(grains));
}

int64_t wadi_granular_units(const wadi_grains* grains, int32_t place)
{
    const granular_body* body = &grains->bodies[place];
    const int32_t id = grains->ids[place];
    const int32_t clump = granular_clump_of_id(grains, id);
    if (clump >= 0) // its first sphere stands for all
    {
        const granular_clump* of = &grains->clumps->list[clump];
        return of->first == id ? flow_units(grains, body->kind % grains->material_count, of->radius)
                               : 0;
    }
    return flow_units(grains, body->kind % grains->material_count, body->radius);
}

int64_t wadi_granular_units_of(const wadi_grains* grains, const wadi_grain* grain)
{
    return flow_units(grains, grain->material, grain->radius);
}

static granular_tally flow_present(const wadi_grains* grains)
{
    granular_tally sum = {.grains = grains->count};
    for (int32_t i = 0; i < grains->count; ++i)
    {
        sum.units += wadi_granular_units(grains, i);
    }
    return sum;
}

void wadi_granular_books_open(wadi_grains* grains)
{
    grains->flow.books = (granular_books){.first = flow_present(grains)};
}

static wadi_grain_tally flow_tally(const wadi_grains* grains, granular_tally tally)
{
    return (wadi_grain_tally){tally.grains, tally.units, (double)tally.units * flow_unit(grains)};
}

wadi_grain_books wadi_grains_books(const wadi_grains* grains)
{
    const granular_books* books = &grains->flow.books;
    return (wadi_grain_books){
        .unit = flow_unit(grains),
        .first = flow_tally(grains, books->first),
        .come = flow_tally(grains, books->come),
        .gone = flow_tally(grains, books->gone),
        .present = flow_tally(grains, flow_present(grains)),
    };
}

wadi_result wadi_grains_fed(const wadi_grains* grains, int32_t feeder, wadi_grain_tally* out)
{
    WADI_CHECK(grains->context, feeder >= 0 && feeder < grains->flow.feeder_count,
               WADI_ERROR_ARGUMENT, "there is no feeder %d", feeder);
    *out = flow_tally(grains, grains->flow.books.fed[feeder]);
    return WADI_OK;
}

wadi_result wadi_grains_sunk(const wadi_grains* grains, int32_t sink, wadi_grain_tally* out)
{
    WADI_CHECK(grains->context, sink >= 0 && sink < grains->flow.sink_count, WADI_ERROR_ARGUMENT,
               "there is no sink %d", sink);
    *out = flow_tally(grains, grains->flow.books.sunk[sink]);
    return WADI_OK;
}

uint64_t wadi_granular_flow_hash(const wadi_grains* grains, uint64_t hash)
{
    const granular_books* books = &grains->flow.books;
    if (books->come.grains + books->gone.grains == 0 && grains->flow.feeder_count == 0)
    {
        return hash;
    }
    for (int32_t id = 0; id < grains->count; ++id)
    {
        hash = wadi_stream_mix(hash, (uint64_t)grains->names[id]);
    }
    for (int32_t f = 0; f < grains->flow.feeder_count; ++f)
    {
        hash = wadi_stream_mix(hash, (uint64_t)books->fed[f].tries);
    }
    hash = wadi_stream_mix(hash, (uint64_t)books->come.units);
    return wadi_stream_mix(hash, (uint64_t)books->gone.units);
}

// ---- making ------------------------------------------------------------------------------------

wadi_result wadi_grains_expect(wadi_grains* grains, double smallest, double largest)
{
    WADI_CHECK(grains->context, grains->steps == 0, WADI_ERROR_STATE,
               "grains are expected after %lld steps: say so before the first",
               (long long)grains->steps);
    WADI_CHECK(grains->context, smallest > 1e-6 && smallest <= largest && largest < 1e4,
               WADI_ERROR_RANGE, "expected radii are %g to %g m but must rise, within 1e-6 to 1e4",
               smallest, largest);
    grains->flow.expects[0] = smallest;
    grains->flow.expects[1] = largest;
    grains->list.largest = fmax(grains->list.largest, largest);
    WADI_TRY(wadi_granular_check_period(grains));
    WADI_TRY(wadi_granular_law_set_step(grains));
    wadi_granular_books_open(grains);
    grains->stale = true;
    return WADI_OK;
}

wadi_result wadi_granular_check_newcomer(const wadi_grains* grains, const wadi_grain* grain,
                                         int32_t number)
{
    WADI_TRY(wadi_granular_check_grain(grains, grain, number));
    const double largest = grains->list.largest;
    WADI_CHECK(grains->context, grain->radius <= largest, WADI_ERROR_RANGE,
               "grain %d that comes has a radius of %g m, but this world is made for %g m: call "
               "wadi_grains_expect() before the first step",
               number, grain->radius, largest);
    const double mass = flow_mass(grains->materials[grain->material].density, grain->radius);
    const double limit = wadi_granular_law_limit(grains, mass);
    WADI_CHECK(grains->context, grain->fixed || grains->step <= limit, WADI_ERROR_RANGE,
               "grain %d that comes, with a radius of %g m, needs a step of %g s, but it is %g s: "
               "call wadi_grains_expect() before the first step",
               number, grain->radius, limit, grains->step);
    return WADI_OK;
}

static bool flow_is_box(const double low[3], const double high[3])
{
    return low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2];
}

static wadi_result flow_check_feeder(const wadi_grains* grains, const wadi_grain_feeder* f)
{
    wadi_context* context = grains->context;
    WADI_CHECK(
        context, flow_is_box(f->low, f->high) && wadi_is_finite(f->low) && wadi_is_finite(f->high),
        WADI_ERROR_RANGE, "the box of a feeder must have finite corners, the lower one first");
    WADI_CHECK(context, f->every > 0.0 && f->from >= 0.0 && f->until >= 0.0 && f->scatter >= 0.0,
               WADI_ERROR_RANGE,
               "a feeder looks every %g s from %g s on; expected times of 0 or more, `every` above "
               "0, and no scatter below 0",
               f->every, f->from);
    WADI_CHECK(context,
               f->mass_rate >= 0.0 && f->number_rate >= 0.0 &&
                   (f->mass_rate > 0.0) != (f->number_rate > 0.0) &&
                   f->mass_rate + f->number_rate < 1e12,
               WADI_ERROR_RANGE,
               "a feeder has rates of %g kg/s and %g 1/s; expected one above 0 and under 1e12, and "
               "0 for the other",
               f->mass_rate, f->number_rate);
    WADI_CHECK(
        context, f->radius_low <= f->radius_high && fabs(f->exponent) <= 10.0, WADI_ERROR_RANGE,
        "a feeder has radii of %g to %g m and an exponent of %g; they must rise, and it must "
        "lie in -10 to 10",
        f->radius_low, f->radius_high, f->exponent);
    return WADI_OK;
}

static wadi_result flow_check_shape(const wadi_grains* grains, const wadi_grain_feeder* f)
{
    const int32_t count = grains->clumps != NULL ? grains->clumps->shape_count : 0;
    WADI_CHECK(grains->context, f->clump_share >= 0.0 && f->clump_share <= 1.0, WADI_ERROR_RANGE,
               "a feeder's share of clumps is %g but must lie in 0 to 1", f->clump_share);
    WADI_CHECK(
        grains->context,
        f->clump_share == 0.0 || (f->shape >= 0 && f->shape < count && f->wetness == 0.0),
        WADI_ERROR_RANGE,
        "a feeder brings dry clumps of shape %d, but its wetness is %g and this world has %d "
        "shapes, counted from 0",
        f->shape, f->wetness, count);
    WADI_CHECK(grains->context, count == 0 || f->wetness == 0.0, WADI_ERROR_RANGE,
               "a feeder brings grains with a wetness of %g to a world with clumps, which is dry",
               f->wetness);
    return f->clump_share > 0.0
               ? wadi_granular_check_reach(grains,
                                           f->radius_high * grains->clumps->shapes[f->shape].reach)
               : WADI_OK;
}

// A clump needs a shorter step than the sphere of its mass.
static wadi_result flow_check_step(const wadi_grains* grains, const wadi_grain_feeder* f)
{
    if (f->clump_share == 0.0)
    {
        return WADI_OK;
    }
    const double mass = flow_mass(grains->materials[f->material].density, f->radius_low);
    const double share = grains->clumps->shapes[f->shape].slowness;
    const double limit = wadi_granular_law_limit(grains, share * mass);
    WADI_CHECK(grains->context, grains->step <= limit, WADI_ERROR_RANGE,
               "clumps of a feeder, with radii from %g m on, need a step of %g s, but it is %g s: "
               "call wadi_grains_expect() before the first step",
               f->radius_low, limit, grains->step);
    return WADI_OK;
}

static wadi_grain flow_sample(const wadi_grain_feeder* f, double radius)
{
    wadi_grain grain = {.radius = radius, .wetness = f->wetness, .material = f->material};
    memcpy(grain.position, f->low, sizeof grain.position);
    memcpy(grain.velocity, f->velocity, sizeof grain.velocity);
    return grain;
}

wadi_result wadi_grains_add_feeder(wadi_grains* grains, const wadi_grain_feeder* feeder,
                                   int32_t* out)
{
    *out = -1;
    WADI_TRY(wadi_granular_check_free(grains));
    WADI_TRY(flow_check_feeder(grains, feeder));
    const wadi_grain small = flow_sample(feeder, feeder->radius_low);
    const wadi_grain large = flow_sample(feeder, feeder->radius_high);
    WADI_TRY(wadi_granular_check_newcomer(grains, &small, 0));
    WADI_TRY(wadi_granular_check_newcomer(grains, &large, 0));
    WADI_TRY(flow_check_shape(grains, feeder));
    WADI_TRY(flow_check_step(grains, feeder));
    WADI_CHECK(grains->context, grains->flow.feeder_count < WADI_GRAIN_MAX_FEEDERS,
               WADI_ERROR_STATE, "there are %d feeders already, the most there can be",
               grains->flow.feeder_count);
    *out = grains->flow.feeder_count++;
    grains->flow.feeders[*out] = *feeder;
    return WADI_OK;
}

wadi_result wadi_grains_add_sink(wadi_grains* grains, const wadi_grain_sink* sink, int32_t* out)
{
    *out = -1;
    WADI_TRY(wadi_granular_check_free(grains));
    WADI_CHECK(grains->context, flow_is_box(sink->low, sink->high) && sink->every > 0.0,
               WADI_ERROR_RANGE,
               "a sink must have corners, the lower one first, and look at times above 0; got %g s",
               sink->every);
    WADI_CHECK(grains->context, grains->flow.sink_count < WADI_GRAIN_MAX_SINKS, WADI_ERROR_STATE,
               "there are %d sinks already, the most there can be", grains->flow.sink_count);
    *out = grains->flow.sink_count++;
    grains->flow.sinks[*out] = *sink;
    return WADI_OK;
}

// ---- sinks -------------------------------------------------------------------------------------

// Whether something that looks every so many seconds does so before this step.
static bool flow_looks(const wadi_grains* grains, double every)
{
    const double steps = floor(every / grains->step + 0.5);
    const int64_t apart = steps > 1.0 ? (steps < 1e15 ? (int64_t)steps : INT64_MAX) : 1;
    return grains->steps % apart == 0;
}

static bool flow_is_in(const wadi_grain_sink* sink, const double x[3])
{
    return flow_is_box(sink->low, x) && flow_is_box(x, sink->high);
}

// The same of clumps: their centres of mass count.
static bool flow_sink_clumps(wadi_grains* grains, int32_t number, bool* gone)
{
    granular_tally* sunk = &grains->flow.books.sunk[number];
    bool any = false;
    for (int32_t n = 0; n < wadi_grains_clump_count(grains); ++n)
    {
        const granular_clump* clump = &grains->clumps->list[n];
        if (!gone[clump->first] && flow_is_in(&grains->flow.sinks[number], clump->x))
        {
            const int32_t spheres = granular_shape_of(grains, clump)->count;
            memset(gone + clump->first, 1, (size_t)spheres * sizeof *gone);
            any = true;
            sunk->grains += 1;
            sunk->units += wadi_granular_units(grains, grains->places[clump->first]);
        }
    }
    return any;
}

// Mark what a sink takes that none before it took.
static bool flow_sink(wadi_grains* grains, int32_t number, bool* gone)
{
    granular_tally* sunk = &grains->flow.books.sunk[number];
    bool any = false;
    for (int32_t i = 0; i < grains->count; ++i)
    {
        const int32_t id = grains->ids[i];
        if (!gone[id] && granular_clump_of_id(grains, id) < 0 &&
            flow_is_in(&grains->flow.sinks[number], grains->bodies[i].x))
        {
            gone[id] = true;
            any = true;
            sunk->grains += 1;
            sunk->units += wadi_granular_units(grains, i);
        }
    }
    return flow_sink_clumps(grains, number, gone) || any;
}

static wadi_result flow_sinks(wadi_grains* grains)
{
    bool* gone;
    bool any = false;
    const granular_books before = grains->flow.books;
    WADI_ALLOC(grains->context, gone, grains->count + 1, "grains that go");
    for (int32_t s = 0; s < grains->flow.sink_count; ++s)
    {
        any =
            (flow_looks(grains, grains->flow.sinks[s].every) && flow_sink(grains, s, gone)) || any;
    }
    const wadi_result result = any ? wadi_grains_remove(grains, gone) : WADI_OK;
    grains->flow.books = result == WADI_OK ? grains->flow.books : before;
    wadi_free(grains->context, gone);
    return result;
}

// ---- feeders -----------------------------------------------------------------------------------

// Grains beside the box of a feeder, and those that come in this step.
typedef struct flow_crowd
{
    wadi_grain* come;
    int32_t count;
    int32_t room;
    granular_clump* clumps; // `first` counts from the first that comes
    int32_t clump_count;
    int32_t clump_room;
    const granular_body** beside;
    int32_t beside_count;
} flow_crowd;

static double flow_share(const wadi_philox words, int first)
{
    return wadi_unit_double(words.v[first], words.v[first + 1]);
}

// Radius of the next grain of a feeder: it depends on its number only, so that large grains that
// wait for room are not left out.
static double flow_radius(const wadi_grain_feeder* f, uint64_t number)
{
    const double u = flow_share(wadi_random(f->seed, FLOW_STREAM, number, 0), 0);
    const double p = f->exponent + 1.0;
    const double ratio = f->radius_high / f->radius_low;
    const double share = fabs(p) < 1e-9 ? wadi_pow(ratio, u)
                                        : wadi_pow(1.0 + u * (wadi_pow(ratio, p) - 1.0), 1.0 / p);
    const double radius = f->radius_low * share;
    return radius < f->radius_high ? radius : f->radius_high;
}

static void flow_place(const wadi_grain_feeder* f, uint64_t look, wadi_grain* grain)
{
    const wadi_philox a = wadi_random(f->seed, FLOW_STREAM, look, 1);
    const wadi_philox b = wadi_random(f->seed, FLOW_STREAM, look, 2);
    const wadi_philox c = wadi_random(f->seed, FLOW_STREAM, look, 3);
    const double at[3] = {flow_share(a, 0), flow_share(a, 2), flow_share(b, 0)};
    const double way[3] = {flow_share(b, 2), flow_share(c, 0), flow_share(c, 2)};
    for (int k = 0; k < 3; ++k)
    {
        grain->position[k] = f->low[k] + at[k] * (f->high[k] - f->low[k]);
        grain->velocity[k] = f->velocity[k] + (2.0 * way[k] - 1.0) * f->scatter;
    }
}

static bool flow_overlaps(const wadi_grains* grains, const wadi_grain* grain, const double x[3],
                          double radius)
{
    const double* periods = &grains->params.period_x;
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        const double period = c < 2 ? periods[c] : 0.0;
        const double inverse = c < 2 ? grains->list.inverse_period[c] : 0.0;
        const double d = wadi_exact_nearest(grain->position[c] - x[c], period, inverse);
        square += d * d;
    }
    return square < (grain->radius + radius) * (grain->radius + radius);
}

static bool flow_sphere_has_room(const wadi_grains* grains, const flow_crowd* crowd,
                                 const wadi_grain* grain)
{
    bool room = wadi_granular_walls_leave_room(grains, grain->position, grain->radius);
    for (int32_t k = 0; k < crowd->count && room; ++k)
    {
        const wadi_grain* other = &crowd->come[k];
        room = !flow_overlaps(grains, grain, other->position, other->radius);
    }
    for (int32_t k = 0; k < crowd->beside_count && room; ++k)
    {
        const granular_body* other = crowd->beside[k];
        room = !flow_overlaps(grains, grain, other->x, other->radius);
    }
    return room;
}

// What a feeder lays: a grain, or a clump of its radius.
typedef struct flow_body
{
    wadi_grain grain;
    bool is_clump;
    granular_clump clump;
    int32_t spheres;
} flow_body;

// Sphere k of a body.
static wadi_grain flow_sphere(const flow_body* body, const double (*spheres)[4], int32_t k)
{
    wadi_grain grain = body->grain;
    if (body->is_clump)
    {
        memcpy(grain.position, spheres[k], sizeof grain.position);
        grain.radius = spheres[k][3];
    }
    return grain;
}

static bool flow_has_room(const wadi_grains* grains, const flow_crowd* crowd, const flow_body* body)
{
    double spheres[WADI_GRAIN_SHAPE_SPHERES][4];
    bool room = true;
    if (body->is_clump)
    {
        wadi_granular_clump_spheres(grains, &body->clump, spheres);
    }
    for (int32_t k = 0; k < body->spheres && room; ++k)
    {
        const wadi_grain grain = flow_sphere(body, (const double(*)[4])spheres, k);
        room = flow_sphere_has_room(grains, crowd, &grain);
    }
    return room;
}

static void flow_turn(const wadi_grain_feeder* f, uint64_t look, double out[4])
{
    const wadi_philox a = wadi_random(f->seed, FLOW_STREAM, look, 4);
    const wadi_philox b = wadi_random(f->seed, FLOW_STREAM, look, 5);
    const double u[3] = {flow_share(a, 0), flow_share(a, 2), flow_share(b, 0)};
    wadi_clump_turn_at_random(u, out);
}

// Place a body anew for a look.
static void flow_lay(const wadi_grains* grains, const wadi_grain_feeder* f, uint64_t look,
                     flow_body* body)
{
    flow_place(f, look, &body->grain);
    if (body->is_clump)
    {
        wadi_grain_clump clump = {
            .radius = body->grain.radius, .shape = f->shape, .material = f->material};
        memcpy(clump.position, body->grain.position, sizeof clump.position);
        memcpy(clump.velocity, body->grain.velocity, sizeof clump.velocity);
        flow_turn(f, look, clump.turn);
        body->clump = wadi_granular_clump_of(grains, &clump, 0);
    }
}

// Body of a number: whether it is a clump depends on the number alone, as its radius does.
static flow_body flow_body_of(const wadi_grains* grains, const wadi_grain_feeder* f,
                              uint64_t number)
{
    flow_body body = {.grain = flow_sample(f, flow_radius(f, number)), .spheres = 1};
    const double u = flow_share(wadi_random(f->seed, FLOW_STREAM, number, 6), 0);
    body.is_clump = u < f->clump_share;
    body.spheres = body.is_clump ? grains->clumps->shapes[f->shape].count : 1;
    return body;
}

// Whether a body may overlap a grain of the feeder; in worlds that repeat each may.
static bool flow_is_beside(const wadi_grains* grains, const wadi_grain_feeder* f,
                           const granular_body* body)
{
    const double* periods = &grains->params.period_x;
    const double own = f->clump_share > 0.0 ? grains->clumps->shapes[f->shape].reach : 1.0;
    const double reach = body->radius + own * f->radius_high;
    bool beside = true;
    for (int c = 0; c < 3; ++c)
    {
        beside = beside && ((c < 2 && periods[c] > 0.0) ||
                            (body->x[c] > f->low[c] - reach && body->x[c] < f->high[c] + reach));
    }
    return beside;
}

static void flow_look_around(const wadi_grains* grains, const wadi_grain_feeder* f,
                             flow_crowd* crowd)
{
    crowd->beside_count = 0;
    for (int32_t id = 0; id < grains->count; ++id)
    {
        const granular_body* body = &grains->bodies[grains->places[id]];
        if (flow_is_beside(grains, f, body))
        {
            crowd->beside[crowd->beside_count++] = body;
        }
    }
}

// Whether the next grain is due: half of it may be in advance.
static bool flow_is_due(const wadi_grains* grains, const wadi_grain_feeder* f,
                        const granular_tally* fed, int64_t units)
{
    const double now = (double)grains->steps * grains->step;
    const double end = f->until > 0.0 && f->until < now ? f->until : now;
    const double time = end - f->from;
    const double mass = ((double)fed->units + 0.5 * (double)units) * flow_unit(grains);
    return time > 0.0 && (f->mass_rate > 0.0 ? mass < f->mass_rate * time
                                             : (double)fed->grains + 0.5 < f->number_rate * time);
}

// Room for so many entries in a list; those that are there are kept.
static wadi_result flow_grow(wadi_context* context, void** list, size_t size, int32_t count,
                             int32_t wanted, int32_t* room)
{
    if (wanted <= *room)
    {
        return WADI_OK;
    }
    const int32_t more = 2 * *room + 64;
    void* longer = wadi_alloc(context, (size_t)more, size);
    if (longer == NULL)
    {
        return wadi_fail_memory(context, (size_t)more * size, "grains and clumps that come");
    }
    if (count > 0)
    {
        memcpy(longer, *list, (size_t)count * size);
    }
    wadi_free(context, *list);
    *list = longer;
    *room = more;
    return WADI_OK;
}

static wadi_result flow_grow_grains(wadi_context* context, flow_crowd* crowd, int32_t spheres)
{
    void* list = crowd->come;
    const wadi_result result = flow_grow(context, &list, sizeof *crowd->come, crowd->count,
                                         crowd->count + spheres, &crowd->room);
    crowd->come = list;
    return result;
}

static wadi_result flow_grow_clumps(wadi_context* context, flow_crowd* crowd)
{
    void* list = crowd->clumps;
    const wadi_result result = flow_grow(context, &list, sizeof *crowd->clumps, crowd->clump_count,
                                         crowd->clump_count + 1, &crowd->clump_room);
    crowd->clumps = list;
    return result;
}

static wadi_result flow_put(const wadi_grains* grains, const flow_body* body, flow_crowd* crowd)
{
    double spheres[WADI_GRAIN_SHAPE_SPHERES][4];
    WADI_TRY(flow_grow_grains(grains->context, crowd, body->spheres));
    if (body->is_clump)
    {
        WADI_TRY(flow_grow_clumps(grains->context, crowd));
        wadi_granular_clump_spheres(grains, &body->clump, spheres);
        crowd->clumps[crowd->clump_count] = body->clump;
        crowd->clumps[crowd->clump_count++].first = crowd->count;
    }
    for (int32_t k = 0; k < body->spheres; ++k)
    {
        crowd->come[crowd->count++] = flow_sphere(body, (const double(*)[4])spheres, k);
    }
    return WADI_OK;
}

// Find a place for one grain; false: it waits.
static bool flow_settle(const wadi_grains* grains, const wadi_grain_feeder* f, granular_tally* fed,
                        const flow_crowd* crowd, flow_body* body)
{
    bool room = false;
    for (int32_t k = 0; k < FLOW_TRIES && !room; ++k)
    {
        flow_lay(grains, f, (uint64_t)fed->tries++, body);
        room = flow_has_room(grains, crowd, body);
    }
    return room;
}

static wadi_result flow_feed(wadi_grains* grains, int32_t number, flow_crowd* crowd)
{
    const wadi_grain_feeder* f = &grains->flow.feeders[number];
    granular_tally* fed = &grains->flow.books.fed[number];
    bool goes_on = true;
    flow_look_around(grains, f, crowd);
    while (goes_on)
    {
        flow_body body = flow_body_of(grains, f, (uint64_t)fed->grains);
        const int64_t units = wadi_granular_units_of(grains, &body.grain);
        goes_on = flow_is_due(grains, f, fed, units) && flow_settle(grains, f, fed, crowd, &body);
        if (goes_on)
        {
            WADI_TRY(wadi_granular_check_newcomer(grains, &body.grain, crowd->count));
            WADI_TRY(flow_put(grains, &body, crowd));
            fed->grains += 1;
            fed->units += units;
        }
    }
    return WADI_OK;
}

static wadi_result flow_come(wadi_grains* grains, const flow_crowd* crowd)
{
    const granular_change change = {NULL, crowd->come, crowd->count, crowd->clumps,
                                    crowd->clump_count};
    WADI_CHECK(grains->context, crowd->count <= 100000000 - grains->count, WADI_ERROR_ARGUMENT,
               "%d grains come to %d; there can be 1e8", crowd->count, grains->count);
    return crowd->count > 0 ? wadi_granular_change(grains, &change) : WADI_OK;
}

static wadi_result flow_feeders(wadi_grains* grains)
{
    flow_crowd crowd = {.count = 0};
    const granular_books before = grains->flow.books;
    WADI_ALLOC(grains->context, crowd.beside, grains->count + 1, "grains beside a feeder");
    wadi_result result = wadi_granular_meshes_ready(grains);
    for (int32_t f = 0; f < grains->flow.feeder_count && result == WADI_OK; ++f)
    {
        if (flow_looks(grains, grains->flow.feeders[f].every))
        {
            result = flow_feed(grains, f, &crowd);
        }
    }
    result = result == WADI_OK ? flow_come(grains, &crowd) : result;
    grains->flow.books = result == WADI_OK ? grains->flow.books : before;
    wadi_free(grains->context, crowd.come);
    wadi_free(grains->context, crowd.clumps);
    wadi_free(grains->context, (void*)crowd.beside);
    return result;
}

static bool flow_any_looks(const wadi_grains* grains, bool feeders)
{
    const granular_flow* flow = &grains->flow;
    bool looks = false;
    for (int32_t k = 0; k < (feeders ? flow->feeder_count : flow->sink_count); ++k)
    {
        looks =
            looks || flow_looks(grains, feeders ? flow->feeders[k].every : flow->sinks[k].every);
    }
    return looks;
}

wadi_result wadi_granular_flow(wadi_grains* grains)
{
    WADI_TRY(flow_any_looks(grains, false) ? flow_sinks(grains) : WADI_OK);
    return flow_any_looks(grains, true) ? flow_feeders(grains) : WADI_OK;
}
