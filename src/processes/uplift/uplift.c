// SPDX-License-Identifier: MIT
// The process "uplift": rock rises or sinks, with all that lies on it.
#include <wadi/uplift.h>

#include "core/internal.h"
#include "process/figure_row.h"
#include "processes/uplift/uplift_rate.h"

#include <wadi/archive.h>

#include <math.h>
#include <string.h>

// A mountain range of a few kilometres grows in that time.
#define UPLIFT_DEFAULT_YEARS 1e6

// Times closer than this share of a step are equal.
#define UPLIFT_SLACK 1e-6

enum
{
    UPLIFT_GRAIN = 16 // rows of a block
};

enum
{
    UPLIFT_MAP_RATE, // input
    UPLIFT_MAP_RISE,
    UPLIFT_MAP_SPEED,
    UPLIFT_MAP_COUNT
};

enum
{
    UPLIFT_TABLE_DOMES,
    UPLIFT_TABLE_FAULTS,
    UPLIFT_TABLE_BASE_LEVEL,
    UPLIFT_TABLE_COUNT
};

typedef struct uplift_state
{
    wadi_terrain* terrain;
    wadi_uplift_params params;
    uint32_t stream;
    float* map; // of the rate; NULL: none
    double* domes;
    int32_t dome_count;
    uplift_corner* corners;
    int32_t corner_count;
    double* base; // rows of year and change
    int32_t base_count;
    double* rate;  // [units/yr]
    bool stale;    // the rate must be computed anew
    int64_t* rise; // since creation [units]
    bool started;
    double until; // the year up to which the land has moved
    double years;
    int64_t cells;
    wadi_tally* tallies; // by worker
} uplift_state;

// ---- making ------------------------------------------------------------------------------

static void uplift_destroy(void* user)
{
    uplift_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    wadi_free(context, state->map);
    wadi_free(context, state->domes);
    wadi_free(context, state->corners);
    wadi_free(context, state->base);
    wadi_free(context, state->rate);
    wadi_free(context, state->rise);
    wadi_free(context, state->tallies);
    wadi_free(context, state);
}

static wadi_result uplift_check(const wadi_terrain* terrain, const wadi_uplift_params* params)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const double cell = wadi_terrain_cell_size(terrain);
    const bool wraps = wadi_terrain_edge(terrain, WADI_SIDE_WEST) == WADI_EDGE_PERIODIC ||
                       wadi_terrain_edge(terrain, WADI_SIDE_NORTH) == WADI_EDGE_PERIODIC;
    WADI_CHECK(context, params->tilt == 0.0 || !wraps, WADI_ERROR_ARGUMENT,
               "tilt is %g mm/yr/km, but tilted land cannot meet itself over periodic edges; give "
               "tilt 0, or open or closed edges",
               params->tilt);
    WADI_CHECK(context, params->noise == 0.0 || params->noise_wavelength >= 2.0 * cell,
               WADI_ERROR_RANGE,
               "noise_wavelength is %g m but must be at least two cells, %g m, or noise 0",
               params->noise_wavelength, 2.0 * cell);
    return WADI_OK;
}

static wadi_result uplift_allocate(uplift_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    WADI_ALLOC(context, state->rate, cells, "rates of uplift");
    WADI_ALLOC(context, state->rise, cells, "the map of uplift");
    WADI_ALLOC(context, state->tallies, wadi_context_workers(context), "books of uplift");
    return WADI_OK;
}

static wadi_result uplift_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                                 void** out)
{
    const wadi_uplift_params* params = user_params;
    wadi_context* context = wadi_terrain_context(terrain);
    WADI_TRY(uplift_check(terrain, params));
    uplift_state* state;
    WADI_ALLOC(context, state, 1, "uplift");
    state->terrain = terrain;
    state->params = *params;
    state->stream = stream;
    state->stale = true;
    const wadi_result result = uplift_allocate(state);
    if (result != WADI_OK)
    {
        uplift_destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

// ---- inputs ------------------------------------------------------------------------------

static wadi_result uplift_set_map(void* user, int32_t index, const float* rate)
{
    uplift_state* state = user;
    (void)index; // there is one
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    wadi_context* context = wadi_terrain_context(state->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        WADI_CHECK(context, ground->valid[c] == 0 || fabs((double)rate[c]) <= 100.0,
                   WADI_ERROR_RANGE,
                   "rate at column %d, row %d is %g mm/yr but must lie in [-100, 100]",
                   (int32_t)(c % ground->width), (int32_t)(c / ground->width), (double)rate[c]);
    }
    if (state->map == NULL)
    {
        WADI_ALLOC(context, state->map, ground->cells, "the map of rates");
    }
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        state->map[c] = ground->valid[c] != 0 ? rate[c] : 0.0f;
    }
    state->stale = true;
    return WADI_OK;
}

static wadi_result uplift_check_domes(wadi_context* context, const double* rows, int32_t count)
{
    (void)rows;
    WADI_CHECK(context, count <= UPLIFT_MOST_DOMES, WADI_ERROR_RANGE,
               "the table domes has %d rows; expected at most %d", count, UPLIFT_MOST_DOMES);
    return WADI_OK;
}

static wadi_result uplift_check_faults(wadi_context* context, const double* rows, int32_t count)
{
    bool moves = false; // does the trace so far have a length?
    for (int32_t i = 0; i < count; ++i)
    {
        const double* row = rows + (ptrdiff_t)i * UPLIFT_FAULT_COLUMNS;
        const bool before = i > 0 && row[-UPLIFT_FAULT_COLUMNS] == row[0];
        const bool after = i + 1 < count && row[UPLIFT_FAULT_COLUMNS] == row[0];
        WADI_CHECK(context, before || after, WADI_ERROR_RANGE,
                   "fault %g in row %d has one point; a trace needs two or more, in rows one after "
                   "the other",
                   row[0], i + 1);
        moves = before && (moves || row[1] != row[1 - UPLIFT_FAULT_COLUMNS] ||
                           row[2] != row[2 - UPLIFT_FAULT_COLUMNS]);
        WADI_CHECK(context, after || moves, WADI_ERROR_RANGE,
                   "all points of fault %g up to row %d are (%g, %g) m; a trace goes from point to "
                   "point, and its direction gives the sides",
                   row[0], i + 1, row[1], row[2]);
    }
    return WADI_OK;
}

static wadi_result uplift_check_base(wadi_context* context, const double* rows, int32_t count)
{
    for (int32_t i = 1; i < count; ++i)
    {
        const ptrdiff_t at = 2 * (ptrdiff_t)i;
        WADI_CHECK(
            context, rows[at] > rows[at - 2], WADI_ERROR_RANGE,
            "row %d of base_level is for the year %g, which does not come after %g: sort the "
            "rows by year",
            i + 1, rows[at], rows[at - 2]);
    }
    return WADI_OK;
}

// Replace an array by a copy of `count` numbers.
static wadi_result uplift_replace(wadi_context* context, void** array, const double* values,
                                  int64_t count)
{
    double* copy = NULL;
    if (count > 0)
    {
        WADI_ALLOC(context, copy, count, "a table of uplift");
        memcpy(copy, values, (size_t)count * sizeof *copy);
    }
    wadi_free(context, *array);
    *array = copy;
    return WADI_OK;
}

static wadi_result uplift_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    uplift_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    const int64_t n = rows;
    void* array;
    switch (index)
    {
    case UPLIFT_TABLE_DOMES:
        WADI_TRY(uplift_check_domes(context, values, rows));
        array = state->domes;
        WADI_TRY(uplift_replace(context, &array, values, n * UPLIFT_DOME_COLUMNS));
        state->domes = array;
        state->dome_count = rows;
        break;
    case UPLIFT_TABLE_FAULTS:
        WADI_TRY(uplift_check_faults(context, values, rows));
        array = state->corners; // a struct of doubles in the order of the columns
        WADI_TRY(uplift_replace(context, &array, values, n * UPLIFT_FAULT_COLUMNS));
        state->corners = array;
        state->corner_count = rows;
        break;
    default:
        WADI_TRY(uplift_check_base(context, values, rows));
        array = state->base;
        WADI_TRY(uplift_replace(context, &array, values, n * 2));
        state->base = array;
        state->base_count = rows;
    }
    state->stale = true;
    return WADI_OK;
}

// Domes and faults that miss the map are seldom meant.
static void uplift_note_still(const uplift_state* state)
{
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    for (int64_t c = 0; c < cells; ++c)
    {
        if (state->rate[c] != 0.0)
        {
            return;
        }
    }
    if (state->base_count == 0)
    {
        const double cell = wadi_terrain_cell_size(state->terrain);
        wadi_log_line(wadi_terrain_context(state->terrain),
                      "uplift: the rate is 0 on all of the map, so nothing rises; places of domes "
                      "and faults are metres from the south-west corner of %g x %g m",
                      wadi_terrain_width(state->terrain) * cell,
                      wadi_terrain_height(state->terrain) * cell);
    }
}

static void uplift_refresh(uplift_state* state)
{
    const uplift_field field = {
        .ground = wadi_terrain_ground_const(state->terrain),
        .params = &state->params,
        .map = state->map,
        .domes = state->domes,
        .dome_count = state->dome_count,
        .corners = state->corners,
        .corner_count = state->corner_count,
        .key = state->stream ^ (uint32_t)wadi_terrain_seed(state->terrain),
    };
    if (state->stale)
    {
        wadi_uplift_fill(wadi_terrain_context(state->terrain), &field, state->rate);
        state->stale = false;
        uplift_note_still(state);
    }
}

// ---- advancing ---------------------------------------------------------------------------

// Change of the base level since the first row [m].
static double uplift_base(const uplift_state* state, double year)
{
    const double* rows = state->base;
    const int32_t last = state->base_count - 1;
    if (last < 0 || year <= rows[0])
    {
        return 0.0;
    }
    int32_t i = 0;
    while (i < last && rows[2 * (i + 1)] <= year)
    {
        ++i;
    }
    const double* a = rows + 2 * (ptrdiff_t)i;
    if (i == last)
    {
        return a[1] - rows[1];
    }
    return a[1] + (year - a[0]) / (a[2] - a[0]) * (a[3] - a[1]) - rows[1];
}

enum
{
    UPLIFT_LANES = 32,                          // cells that rise side by side
    UPLIFT_MOST_LOOSE = 5,                      // loose layers with which they do
    UPLIFT_HIGH = 16000 * WADI_UNITS_PER_METRE, // of rock, up or down, and of other layers:
    UPLIFT_THICK = 2000 * WADI_UNITS_PER_METRE  // together they stay in the range of heights
};

#define UPLIFT_EXACT 1125899906842624.0 // 2^50 [units]: up to here uplift_floor() is exact
#define UPLIFT_SMALL 33554432.0         // 2^25 [units]: the sum of 32 rises fits into 32 bits
#define UPLIFT_EACH_OF(words) _Pragma(#words) for (int32_t k = 0; k < UPLIFT_LANES; ++k)
#define UPLIFT_EACH(sum) UPLIFT_EACH_OF(omp simd reduction(+ : sum))
#define UPLIFT_EACH_TWO(a, b) UPLIFT_EACH_OF(omp simd simdlen(4) reduction(+ : a, b))

typedef struct uplift_job
{
    uplift_state* state;
    const wadi_ground* ground;
    double from;  // [yr]
    double until; // [yr]
    int64_t rim;  // of the base level [units]
} uplift_job;

static int64_t uplift_whole(double units)
{
    const int64_t cut = (int64_t)units; // towards 0; one less below 0. floor() is a call
    return cut - ((double)cut > units ? 1 : 0);
}

// Does matter leave beyond this neighbour? Grid edges are as their sides, cells without data open.
static bool uplift_leaves(const wadi_ground* ground, int32_t x, int32_t y)
{
    const wadi_side side = y < 0                 ? WADI_SIDE_NORTH
                           : x >= ground->width  ? WADI_SIDE_EAST
                           : y >= ground->height ? WADI_SIDE_SOUTH
                           : x < 0               ? WADI_SIDE_WEST
                                                 : WADI_SIDE_VOID;
    if (side != WADI_SIDE_VOID && ground->edges[side] != WADI_EDGE_PERIODIC)
    {
        return ground->edges[side] == WADI_EDGE_OPEN;
    }
    const int32_t column = (x + ground->width) % ground->width;
    const int32_t row = (y + ground->height) % ground->height;
    return ground->valid[(int64_t)row * ground->width + column] == 0;
}

static bool uplift_is_rim(const wadi_ground* ground, int32_t x, int32_t y)
{
    if (ground->all_valid && x > 0 && y > 0 && x < ground->width - 1 && y < ground->height - 1)
    {
        return false;
    }
    return uplift_leaves(ground, x, y - 1) || uplift_leaves(ground, x + 1, y) ||
           uplift_leaves(ground, x, y + 1) || uplift_leaves(ground, x - 1, y);
}

// The part of a rise with which rock, loose matter and water stay in the range of heights.
static int32_t uplift_clamp(const wadi_ground* ground, int64_t cell, int64_t rise)
{
    const int64_t limit = (int64_t)WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE;
    int64_t top = (int64_t)ground->bedrock[cell] + ground->water[cell];
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        top += ground->loose[i][cell];
    }
    const int64_t most = limit - top > 0 ? limit - top : 0;
    const int64_t least = -limit - ground->bedrock[cell];
    rise = rise > most ? most : rise;
    return (int32_t)(rise < least ? least : rise);
}

static void uplift_move(const uplift_job* job, int64_t cell, int64_t rise, wadi_tally* tally)
{
    const wadi_ground* ground = job->ground;
    const int32_t part = uplift_clamp(ground, cell, rise);
    ground->bedrock[cell] += part;
    job->state->rise[cell] += part;
    tally->in[WADI_MATERIAL_ROCK] += part > 0 ? part : 0;
    tally->lost[WADI_MATERIAL_ROCK] -= part < 0 ? part : 0;
    if (ground->strata != NULL)
    {
        // beds rise with the rock, within the range of numbers
        const int64_t top = (int64_t)ground->strata->top[cell] + part;
        ground->strata->top[cell] =
            (int32_t)(top > INT32_MAX ? INT32_MAX : (top < INT32_MIN ? INT32_MIN : top));
    }
}

// One cell, with its rim and limits.
static void uplift_cell(const uplift_job* job, int32_t x, int32_t y, wadi_tally* tally)
{
    const uplift_state* state = job->state;
    const int64_t i = (int64_t)y * job->ground->width + x;
    const bool fixed = state->params.rim == WADI_UPLIFT_RIM_FIXED;
    if (job->ground->valid[i] == 0)
    {
        return;
    }
    const bool rim = uplift_is_rim(job->ground, x, y);
    // whole units up to both years: the sum over steps does not depend on their number
    const int64_t land =
        uplift_whole(state->rate[i] * job->until) - uplift_whole(state->rate[i] * job->from);
    const int64_t rise = (rim && fixed ? 0 : land) + (rim ? job->rim : 0);
    if (rise != 0)
    {
        uplift_move(job, i, rise, tally);
    }
}

#define UPLIFT_ROUNDS 6755399441055744.0 // 1.5 x 2^52: adding it rounds to a whole number

// floor() of a number within UPLIFT_EXACT, without a call or a branch.
static inline double uplift_floor(double units)
{
#ifdef __wasm_simd128__
    return __builtin_floor(units); // one instruction there
#endif
    const double near = (units + UPLIFT_ROUNDS) - UPLIFT_ROUNDS;
    return near - (near > units ? 1.0 : 0.0);
}

static inline uint64_t uplift_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// A whole number within UPLIFT_EXACT as such, and of others anything: the sum with UPLIFT_ROUNDS
// has it in its last bits. Processors without AVX-512 have no vectors of conversions from double to
// 64 bits.
static inline int64_t uplift_number(double whole)
{
    return (int64_t)(uplift_bits(whole + UPLIFT_ROUNDS) - uplift_bits(UPLIFT_ROUNDS));
}

// Below 0 where the size of a number is not less than a limit, or it is none: the bits of positive
// numbers have the order of the numbers. GCC 12 makes no vectors of comparisons of doubles that it
// counts in whole numbers.
static inline int64_t uplift_beyond(double value, double limit)
{
    return (int64_t)(uplift_bits(limit) - 1 - uplift_bits(fabs(value)));
}

// Rises of a row of cells inside. False: some are out of the range of the fast sums, and nothing
// was written but `rises`.
static bool uplift_rises(const uplift_job* job, int64_t first, int64_t rises[restrict UPLIFT_LANES])
{
    const double* rate = &job->state->rate[first];
    const double from = job->from;
    const double until = job->until;
    int64_t far = 0; // below 0 as soon as a number is out of range
    for (int32_t k = 0; k < UPLIFT_LANES; ++k)
    {
        const double before = rate[k] * from;
        const double after = rate[k] * until;
        const double rise = uplift_floor(after) - uplift_floor(before);
        far |= uplift_beyond(before, UPLIFT_EXACT) | uplift_beyond(after, UPLIFT_EXACT) |
               uplift_beyond(rise, UPLIFT_SMALL);
        rises[k] = uplift_number(rise);
    }
    return far >= 0;
}

// True if heights and thicknesses of a row of cells leave so much room that no rise is cut.
static bool uplift_has_room(const wadi_ground* ground, int64_t first)
{
    int32_t far = ground->loose_count <= UPLIFT_MOST_LOOSE ? 0 : 1;
    const int32_t* bedrock = &ground->bedrock[first];
    const int32_t* water = &ground->water[first];
    UPLIFT_EACH(far)
    {
        far += bedrock[k] > UPLIFT_HIGH ? 1 : 0;
        far += bedrock[k] < -UPLIFT_HIGH ? 1 : 0;
        far += water[k] > UPLIFT_THICK ? 1 : 0;
    }
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        const int32_t* loose = &ground->loose[i][first];
        UPLIFT_EACH(far)
        {
            far += loose[k] > UPLIFT_THICK;
        }
    }
    return far == 0;
}

static void uplift_lift(const int64_t rises[UPLIFT_LANES], int32_t* restrict bedrock,
                        wadi_tally* tally)
{
    int32_t up = 0;
    int32_t all = 0;
    UPLIFT_EACH_TWO(up, all)
    {
        const int32_t rise = (int32_t)rises[k];
        bedrock[k] += rise;
        up += rise > 0 ? rise : 0;
        all += rise;
    }
    tally->in[WADI_MATERIAL_ROCK] += up;
    tally->lost[WADI_MATERIAL_ROCK] += up - all;
}

// A row of cells inside that rise by less than their limits, side by side. False: nothing was done.
static bool uplift_block(const uplift_job* job, int64_t first, wadi_tally* tally)
{
    int64_t rises[UPLIFT_LANES];
    if (!uplift_has_room(job->ground, first) || !uplift_rises(job, first, rises))
    {
        return false;
    }
    uplift_lift(rises, &job->ground->bedrock[first], tally);
    int64_t* restrict sum = &job->state->rise[first];
    for (int32_t k = 0; k < UPLIFT_LANES; ++k)
    {
        sum[k] += rises[k];
    }
    return true;
}

static void uplift_row(const uplift_job* job, int32_t y, wadi_owned owned, wadi_tally* tally)
{
    const wadi_ground* ground = job->ground;
    const bool is_inside =
        ground->all_valid && ground->strata == NULL && y > 0 && y < ground->height - 1;
    const int32_t last = owned.end_x < ground->width - 1 ? owned.end_x : ground->width - 1;
    int32_t x = owned.x;
    while (x < owned.end_x)
    {
        const bool is_block = is_inside && x > 0 && x + UPLIFT_LANES <= last;
        const int32_t end = is_block ? x + UPLIFT_LANES : x + 1;
        if (is_block && uplift_block(job, (int64_t)y * ground->width + x, tally))
        {
            x = end;
        }
        for (; x < end; ++x)
        {
            uplift_cell(job, x, y, tally);
        }
    }
}

static void uplift_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const uplift_job* job = user;
    const wadi_owned owned = wadi_ground_owned(job->ground);
    for (int32_t y = begin > owned.y ? begin : owned.y; y < end && y < owned.end_y; ++y)
    {
        uplift_row(job, y, owned, &job->state->tallies[worker]);
    }
}

static void uplift_book(uplift_state* state)
{
    wadi_tally tally = {0};
    wadi_tally_collect(&tally, state->tallies, wadi_terrain_context(state->terrain));
    wadi_terrain_book(state->terrain, "uplift", &tally);
}

static double uplift_step(const void* user)
{
    const uplift_state* state = user;
    return state->params.max_step;
}

static wadi_result uplift_advance(void* user, const wadi_span* span)
{
    uplift_state* state = user;
    // the end of the last step is taken as it was rounded then, so that no unit is lost or doubled
    const double gap = fabs(span->from - state->until);
    const double from =
        state->started && gap <= UPLIFT_SLACK * span->years ? state->until : span->from;
    uplift_job job = {.state = state,
                      .ground = wadi_terrain_ground_const(state->terrain),
                      .from = from,
                      .until = span->from + span->years};
    job.rim = uplift_whole(uplift_base(state, job.until) * WADI_UNITS_PER_METRE) -
              uplift_whole(uplift_base(state, job.from) * WADI_UNITS_PER_METRE);
    uplift_refresh(state);
    wadi_parallel_rows(wadi_terrain_context(state->terrain), job.ground->height, UPLIFT_GRAIN,
                       uplift_rows, &job);
    uplift_book(state);
    if (!wadi_ground_refresh(job.ground))
    {
        return wadi_partition_lost(wadi_terrain_context(state->terrain));
    }
    state->started = true;
    state->until = job.until;
    state->years += span->years;
    state->cells += wadi_terrain_valid_count(state->terrain);
    return WADI_OK;
}

// ---- maps and reports --------------------------------------------------------------------

static wadi_result uplift_map(void* user, int32_t index, float* out)
{
    uplift_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    uplift_refresh(state);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        const double value = index == UPLIFT_MAP_RISE
                                 ? (double)state->rise[i] / WADI_UNITS_PER_METRE
                                 : state->rate[i] * 1000.0 / WADI_UNITS_PER_METRE;
        out[i] = ground->valid[i] != 0 ? (float)value : NAN;
    }
    return WADI_OK;
}

static int32_t uplift_work(const void* user, wadi_work* rows)
{
    const uplift_state* state = user;
    rows[0] = (wadi_work){"cells", (double)state->cells};
    return 1;
}

static double uplift_mean_rise(const uplift_state* state)
{
    const double sum = wadi_terrain_map_sum(state->terrain, state->rise);
    const int64_t cells = wadi_terrain_valid_count(state->terrain);
    return cells > 0 ? sum / WADI_UNITS_PER_METRE / (double)cells : 0.0;
}

static int32_t uplift_figures(const void* user, wadi_figure* rows)
{
    const uplift_state* state = user;
    const double metres = uplift_mean_rise(state);
    const wadi_figure all[] = {
        wadi_figure_of("years", state->years),
        wadi_figure_of("mean_uplift", state->years > 0.0 ? metres / state->years * 1e6 : 0.0),
        wadi_figure_of("rise", metres),
        wadi_figure_of("acceleration", 1.0),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static wadi_result uplift_archive(void* user, wadi_archive* archive)
{
    uplift_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    wadi_archive_bool(archive, &state->started);
    wadi_archive_f64(archive, &state->until, 1);
    wadi_archive_f64(archive, &state->years, 1);
    wadi_archive_i64(archive, &state->cells, 1);
    wadi_archive_grid(archive, state->rise, sizeof *state->rise, ground->width, ground->height);
    return wadi_archive_result(archive);
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_map_info uplift_maps[UPLIFT_MAP_COUNT] = {
    [UPLIFT_MAP_RATE] = {"rate", "mm/yr", "uplift, in place of the constant", true, 0},
    [UPLIFT_MAP_RISE] = {"rise", "m", "rise of the rock since the start", false, 0},
    [UPLIFT_MAP_SPEED] = {"speed", "mm/yr",
                          "rate of all parts together; a fixed rim does not follow it", false, 0},
};

static const wadi_column uplift_dome_columns[UPLIFT_DOME_COLUMNS] = {
    {"x", "m", -1e9, 1e9},
    {"y", "m", -1e9, 1e9},
    {"length", "m", 1.0, 1e9},
    {"width", "m", 1.0, 1e9},
    {"azimuth", "degree", -360.0, 360.0},
    {"rate", "mm/yr", -100.0, 100.0},
};

static const wadi_column uplift_fault_columns[UPLIFT_FAULT_COLUMNS] = {
    {"fault", "1", 0.0, 1e6},
    {"x", "m", -1e9, 1e9},
    {"y", "m", -1e9, 1e9},
    {"left", "mm/yr", -100.0, 100.0},
    {"right", "mm/yr", -100.0, 100.0},
    {"width", "m", 0.0, 1e9},
    {"left_reach", "m", 0.0, 1e9},
    {"right_reach", "m", 0.0, 1e9},
};

static const wadi_column uplift_base_columns[] = {
    {"year", "yr", -1e9, 1e9},
    {"change", "m", -20000.0, 20000.0},
};

static const wadi_table_info uplift_tables[UPLIFT_TABLE_COUNT] = {
    [UPLIFT_TABLE_DOMES] = {"domes",
                            "domes: centre from the south-west corner, radii along and across the "
                            "axis, azimuth of the axis, rate at the centre",
                            uplift_dome_columns, UPLIFT_DOME_COLUMNS, 0, 0},
    [UPLIFT_TABLE_FAULTS] =
        {"faults",
         "traces of faults: one row for each point, rows of one number are one trace; rates of the "
         "sides left and right of it, width of the zone between them, and reaches at which the "
         "rates have fallen to 0 (0: none)",
         uplift_fault_columns, UPLIFT_FAULT_COLUMNS, 0, 0},
    [UPLIFT_TABLE_BASE_LEVEL] = {"base_level",
                                 "height of the rim by year, against the first row; linear between "
                                 "rows",
                                 uplift_base_columns, 2, 0, 0},
};

static const wadi_preset uplift_presets[] = {
    {"default", "half a millimetre a year, with fixed rims", NULL, 0},
};

static const wadi_model_api uplift_api = {
    .create = uplift_create,
    .step = uplift_step,
    .advance = uplift_advance,
    .destroy = uplift_destroy,
    .map = uplift_map,
    .set_map = uplift_set_map,
    .set_table = uplift_set_table,
    .work = uplift_work,
    .figures = uplift_figures,
    .archive = uplift_archive,
};

// clang-format off
static const wadi_figure_info uplift_figure_list[] = {
    {"years", "yr", WADI_FIGURE_SUM, "time that the process ran", 0},
    {"mean_uplift", "mm/kyr", WADI_FIGURE_MEAN, "mean rise of the map a year; below 0: subsidence", 0},
    {"rise", "m", WADI_FIGURE_SUM, "the same over all years", 0},
    {"acceleration", "1", WADI_FIGURE_STATE, "how many times faster than in nature the process runs: always 1", 0},
};
// clang-format on

static const wadi_model uplift_models[] = {
    {"kinematic", "Rates are given; the crust has no strength of its own.",
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK), WADI_LAYER_BIT(WADI_LAYER_BEDROCK), WADI_MODEL_WINDOWS,
     &uplift_api},
};

const wadi_process wadi_uplift_process = {
    .name = "uplift",
    .doc =
        "Rock rises or sinks with all that lies on it: a rate or a map of rates, domes, tilting, "
        "faults, and a rim whose base level rises or falls.",
    .fields = &wadi_uplift_fields,
    .presets = uplift_presets,
    .preset_count = WADI_COUNT(uplift_presets),
    .maps = uplift_maps,
    .map_count = UPLIFT_MAP_COUNT,
    .figures = uplift_figure_list,
    .figure_count = WADI_COUNT(uplift_figure_list),
    .tables = uplift_tables,
    .table_count = UPLIFT_TABLE_COUNT,
    .models = uplift_models,
    .model_count = WADI_COUNT(uplift_models),
    .default_years = UPLIFT_DEFAULT_YEARS,
};
