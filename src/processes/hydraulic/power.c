// SPDX-License-Identifier: MIT
// Life, steps, maps and books of the model "stream_power".
#include "processes/hydraulic/power.h"

#include "core/paging.h"
#include "core/partition.h"
#include "process/figure_row.h"

#include <wadi/archive.h>

#include <math.h>
#include <string.h>

#define POWER_SECONDS 31557600.0 // of a year

// ---- life --------------------------------------------------------------------------------

static void power_destroy(void* user)
{
    power* p = user;
    void* const arrays[] = {p->rain,  p->surface, p->level,   p->place,    p->way,       p->waits,
                            p->water, p->base,    p->stage,   p->ready.at, p->border.at, p->sent,
                            p->wear,  p->deposit, p->tallies, p->rows};
    wadi_power_relay_close(p);
    for (size_t i = 0; i < WADI_COUNT(arrays); ++i)
    {
        wadi_free(p->context, arrays[i]);
    }
    wadi_free(p->context, p);
}

static wadi_result power_grow(power* p, power_cells* list)
{
    WADI_GROW(p->context, list->at, list->count, list->room, 256, "stream_power");
    return WADI_OK;
}

void wadi_power_push(power* p, power_cells* list, int64_t cell)
{
    const wadi_result result = power_grow(p, list);
    p->all_memory = p->all_memory && result == WADI_OK;
    if (result == WADI_OK)
    {
        list->at[list->count++] = (int32_t)cell;
    }
}

static wadi_result power_allocate(power* p)
{
    WADI_ALLOC(p->context, p->surface, p->cells, "heights");
    WADI_ALLOC(p->context, p->level, p->cells, "levels of water");
    WADI_ALLOC(p->context, p->place, p->cells, "stream_power");
    WADI_ALLOC(p->context, p->way, p->cells, "ways of water");
    WADI_ALLOC(p->context, p->waits, p->cells, "ways of water");
    WADI_ALLOC(p->context, p->water, p->cells, "discharge");
    WADI_ALLOC(p->context, p->base, p->cells, "loads");
    WADI_ALLOC(p->context, p->stage, p->cells, "levels of water");
    WADI_ALLOC(p->context, p->wear, p->cells, "maps of wear");
    WADI_ALLOC(p->context, p->deposit, p->cells, "maps of deposits");
    // a step takes no memory for its books, so that they close when it finds none for its lists
    WADI_ALLOC(p->context, p->tallies, wadi_context_workers(p->context), "books");
    WADI_ALLOC(p->context, p->rows, 2 * (int64_t)p->height, "closed land");
    // a double and an int64_t are as long, and loads begin where heights have been read
    p->load = (int64_t*)(void*)p->base;
    return WADI_OK;
}

// Own cells beside a ghost.
static bool power_is_border(const power* p, int32_t x, int32_t y)
{
    const wadi_partition* part = p->relay.part;
    return (part->halo[WADI_SIDE_WEST] > 0 && x == p->owned.x) ||
           (part->halo[WADI_SIDE_EAST] > 0 && x == p->owned.end_x - 1) ||
           (part->halo[WADI_SIDE_NORTH] > 0 && y == p->owned.y) ||
           (part->halo[WADI_SIDE_SOUTH] > 0 && y == p->owned.end_y - 1);
}

static wadi_result power_find_border(power* p)
{
    for (int32_t y = p->owned.y; p->relay.part != NULL && y < p->owned.end_y; ++y)
    {
        const bool inner = y > p->owned.y && y < p->owned.end_y - 1;
        const int32_t width = p->owned.end_x - p->owned.x;
        for (int32_t x = p->owned.x; x < p->owned.end_x; x += inner && width > 1 ? width - 1 : 1)
        {
            if (power_is_border(p, x, y))
            {
                wadi_power_push(p, &p->border, (int64_t)y * p->width + x);
            }
        }
    }
    WADI_CHECK(p->context, p->all_memory, WADI_ERROR_MEMORY, "out of memory for stream_power");
    WADI_ALLOC(p->context, p->sent, p->border.count + 1, "windows");
    return WADI_OK;
}

static wadi_result power_init(power* p)
{
    WADI_TRY(power_allocate(p));
    WADI_TRY(wadi_power_relay_open(p));
    for (int32_t k = 0; k < 8; ++k)
    {
        p->move[k] = (int64_t)power_dy[k] * p->width + power_dx[k];
    }
    return power_find_border(p);
}

static wadi_result power_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                                void** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    power* p;
    WADI_ALLOC(context, p, 1, "stream_power");
    p->terrain = terrain;
    p->context = context;
    p->ground = wadi_terrain_ground(terrain);
    p->params = *(const wadi_hydraulic_params*)params;
    p->stream = stream;
    p->width = p->ground->width;
    p->height = p->ground->height;
    p->cells = p->ground->cells;
    p->owned = wadi_ground_owned(p->ground);
    p->all_memory = true;
    p->units = 1.0;
    const wadi_result result = power_init(p);
    if (result != WADI_OK)
    {
        power_destroy(p);
        return result;
    }
    *out = p;
    return WADI_OK;
}

void wadi_power_enter(const power* p, const char* stage, uint32_t uses)
{
    const wadi_ground* ground = p->ground;
    const struct
    {
        const void* array;
        size_t bytes;
    } all[] = {
        {p->surface, 4},    {p->level, 4},   {p->place, 1},        {p->way, 1},
        {p->waits, 1},      {p->water, 8},   {p->load, 8},         {p->stage, 4},
        {p->wear, 4},       {p->deposit, 4}, {ground->bedrock, 4}, {ground->hardness, 2},
        {ground->water, 4},
    };
    wadi_stage(p->context, stage);
    for (size_t i = 0; i < WADI_COUNT(all); ++i)
    {
        if ((uses >> i & 1) != 0)
        {
            wadi_expect(p->context, all[i].array, (size_t)p->cells * all[i].bytes);
        }
    }
    for (int32_t i = 0; i < ground->loose_count && (uses & POWER_USES_GROUND) != 0; ++i)
    {
        wadi_expect(p->context, ground->loose[i], (size_t)p->cells * sizeof(int32_t));
    }
}

// ---- a step ------------------------------------------------------------------------------

static double power_step(const void* user)
{
    return ((const power*)user)->params.max_step;
}

// Lakes stand in the layer of water; the sea does not.
static void power_write_lakes(power* p)
{
    int32_t* water = p->ground->water;
    for (int32_t y = p->owned.y; y < p->owned.end_y; ++y)
    {
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            const bool wet = (p->way[c] & POWER_WET) != 0 && p->stage[c] != p->sea;
            const int64_t depth =
                wet ? (int64_t)p->stage[c] - wadi_ground_surface(p->ground, c) : 0;
            const int32_t held = (int32_t)(depth > 0 ? depth : 0);
            const int64_t change = (int64_t)held - water[c];
            p->tally.in[WADI_MATERIAL_WATER] += change > 0 ? change : 0;
            p->tally.lost[WADI_MATERIAL_WATER] += change < 0 ? -change : 0;
            water[c] = held;
        }
    }
}

// Water leaves as it came. The first window books that of all, since a share of a unit would
// be lost in each.
static wadi_result power_book_water(power* p)
{
    int64_t sums[WADI_SIDE_COUNT + 1];
    memcpy(sums, p->out, sizeof p->out);
    sums[WADI_SIDE_COUNT] = p->ended;
    memset(p->out, 0, sizeof p->out);
    p->ended = 0;
    if (!wadi_partition_sum(p->relay.part, sums, WADI_SIDE_COUNT + 1))
    {
        return wadi_partition_lost(p->context);
    }
    const double cell = p->ground->cell_size;
    const double scale = p->years / p->units / (cell * cell) * WADI_UNITS_PER_METRE;
    const bool first = wadi_ground_is_first(p->ground);
    for (int32_t side = 0; side <= WADI_SIDE_COUNT; ++side)
    {
        const int64_t left = first ? (int64_t)((double)sums[side] * scale) : 0;
        int64_t* to = side < WADI_SIDE_COUNT ? &p->tally.out[WADI_MATERIAL_WATER][side]
                                             : &p->tally.lost[WADI_MATERIAL_WATER];
        *to += left;
        p->tally.in[WADI_MATERIAL_WATER] += left;
        p->outflow_sum += (double)sums[side] / p->units * p->years;
    }
    return WADI_OK;
}

static wadi_result power_close(power* p)
{
    wadi_power_enter(p, "lakes",
                     POWER_USES_WAY | POWER_USES_STAGE | POWER_USES_GROUND | POWER_USES_LAKES);
    power_write_lakes(p);
    WADI_TRY(power_book_water(p));
    return wadi_ground_refresh_with(p->ground, p->ground->water, (int32_t)sizeof(int32_t))
               ? WADI_OK
               : wadi_partition_lost(p->context);
}

static wadi_result power_run(power* p, const wadi_span* span)
{
    WADI_TRY(wadi_power_read(p, span));
    WADI_TRY(wadi_power_flood(p));
    WADI_TRY(wadi_power_find_ways(p));
    WADI_TRY(wadi_power_gather(p));
    WADI_TRY(wadi_power_climb(p));
    WADI_TRY(wadi_power_carry(p));
    WADI_TRY(wadi_power_fill(p));
    return power_close(p);
}

// A step that fails books what it has done.
static wadi_result power_advance(void* user, const wadi_span* span)
{
    power* p = user;
    wadi_hydraulic_note_rivers(p->terrain, "stream_power", &p->noted);
    p->run_years += span->years;
    p->all_memory = true;
    p->ready.count = 0;
    const wadi_result result = power_run(p, span);
    wadi_terrain_book(p->terrain, "hydraulic", &p->tally);
    p->tally = (wadi_tally){0};
    wadi_stage(p->context, NULL);
    return result;
}

// ---- maps and figures --------------------------------------------------------------------

static wadi_result power_set_map(void* user, int32_t index, const float* rain)
{
    power* p = user;
    (void)index; // the rain map is the only input map of the model
    for (int64_t c = 0; c < p->cells; ++c)
    {
        const bool sound =
            p->ground->valid[c] == 0 || (rain[c] >= 0.0f && rain[c] <= (float)POWER_MOST_RAIN);
        WADI_CHECK(p->context, sound, WADI_ERROR_RANGE,
                   "rain at column %d, row %d is %g m/yr but must lie in [0, %g]",
                   wadi_ground_column(p->ground, (int32_t)(c % p->width)),
                   wadi_ground_row(p->ground, (int32_t)(c / p->width)), (double)rain[c],
                   POWER_MOST_RAIN);
    }
    if (p->rain == NULL)
    {
        WADI_ALLOC(p->context, p->rain, p->cells, "the rain map");
    }
    for (int64_t c = 0; c < p->cells; ++c)
    {
        p->rain[c] = p->ground->valid[c] != 0 ? rain[c] : 0.0f;
    }
    return WADI_OK;
}

static float power_map_value(const power* p, int32_t map, int64_t c)
{
    const double q = (double)p->water[c] / p->units; // [m3/yr]
    switch (map)
    {
    case HYDRAULIC_MAP_FLOW:
        return p->mean_rain > 0.0 ? (float)(q / p->mean_rain) : 0.0f;
    case HYDRAULIC_MAP_DISCHARGE:
        return (float)(q / POWER_SECONDS);
    case HYDRAULIC_MAP_VELOCITY:
        return wadi_hydraulic_velocity(p->ground, c, (float)(q / POWER_SECONDS));
    case HYDRAULIC_MAP_WEAR:
        return (float)p->wear[c] / WADI_UNITS_PER_METRE;
    case HYDRAULIC_MAP_DEPOSIT:
        return (float)p->deposit[c] / WADI_UNITS_PER_METRE;
    default:
        return (float)p->ground->water[c] / WADI_UNITS_PER_METRE;
    }
}

static wadi_result power_map(void* user, int32_t index, float* out)
{
    const power* p = user;
    for (int64_t c = 0; c < p->cells; ++c)
    {
        out[c] = p->ground->valid[c] != 0 ? power_map_value(p, index, c) : NAN;
    }
    return WADI_OK;
}

static int32_t power_work(const void* user, wadi_work* rows)
{
    rows[0] = (wadi_work){"cells", (double)((const power*)user)->visits};
    return 1;
}

static int32_t power_figures(const void* user, wadi_figure* rows)
{
    const power* p = user;
    const int32_t count = wadi_hydraulic_figures(p->terrain, p->run_years, rows);
    rows[count] = wadi_figure_of("rain", p->rain_sum);
    rows[count + 1] = wadi_figure_of("outflow", p->outflow_sum);
    return count + 2;
}

static wadi_result power_check_saved(const power* p)
{
    bool sound = p->units > 0.0 && isfinite(p->units) && p->mean_rain >= 0.0 &&
                 isfinite(p->mean_rain) && p->visits >= 0;
    for (int64_t c = 0; c < p->cells && sound; ++c)
    {
        sound = p->water[c] >= 0;
    }
    WADI_CHECK(p->context, sound, WADI_ERROR_FORMAT,
               "the saved discharge of stream_power is out of range");
    return wadi_hydraulic_check_sums(p->terrain, p->wear, p->deposit);
}

static wadi_result power_archive(void* user, wadi_archive* archive)
{
    power* p = user;
    wadi_archive_grid(archive, p->water, sizeof *p->water, p->width, p->height);
    wadi_archive_grid(archive, p->wear, sizeof *p->wear, p->width, p->height);
    wadi_archive_grid(archive, p->deposit, sizeof *p->deposit, p->width, p->height);
    wadi_archive_f64(archive, &p->units, 1);
    wadi_archive_f64(archive, &p->mean_rain, 1);
    wadi_archive_f64(archive, &p->run_years, 1);
    wadi_archive_f64(archive, &p->rain_sum, 1);
    wadi_archive_f64(archive, &p->outflow_sum, 1);
    wadi_archive_i64(archive, &p->visits, 1);
    return wadi_archive_is_reading(archive) ? power_check_saved(p) : wadi_archive_result(archive);
}

const wadi_model_api wadi_stream_power_api = {
    .create = power_create,
    .step = power_step,
    .advance = power_advance,
    .destroy = power_destroy,
    .map = power_map,
    .set_map = power_set_map,
    .work = power_work,
    .figures = power_figures,
    .archive = power_archive,
};
