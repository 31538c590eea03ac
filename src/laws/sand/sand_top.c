// SPDX-License-Identifier: MIT
#include "laws/sand/sand_top_state.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

// Loose, fine sand.
static const sand_grip top_free = {1.0f, 1.0f, SAND_GRIP_FREE};

// ---- create and destroy ------------------------------------------------------------------------

// Rains and drying in balance: the thickness of dry sand at the start [m].
static float top_dry_start(const sand_top_law* law)
{
    const double skin = law->dry_depth;
    const double balance = law->dry_rain > 0.0 ? law->dry_rate / law->dry_rain : 0.0;
    return (float)(sqrt(balance + skin * skin) - skin);
}

static wadi_result top_allocate(sand_top* top)
{
    const int64_t cells = top->ground->cells;
    WADI_ALLOC(top->context, top->level, cells, "the surface of sand");
    if (top->law.crust_gain > 0.0)
    {
        WADI_ALLOC(top->context, top->crust, cells, "crusts");
    }
    if (top->law.dry_rate > 0.0)
    {
        WADI_ALLOC(top->context, top->dry, cells, "dry sand");
    }
    if (top->layer > 0)
    {
        WADI_ALLOC(top->context, top->coarse, cells, "coarse grains");
        WADI_ALLOC(top->context, top->lag, cells, "coarse grains");
        WADI_ALLOC(top->context, top->cap, cells, "coarse grains");
        WADI_ALLOC(top->context, top->came, cells, "coarse grains");
    }
    return WADI_OK;
}

static void top_start(const sand_top* top)
{
    const float dry = top_dry_start(&top->law);
    for (int64_t cell = 0; cell < top->ground->cells; ++cell)
    {
        if (top->crust != NULL)
        {
            top->crust[cell] = (float)top->law.crust_start;
        }
        if (top->dry != NULL)
        {
            top->dry[cell] = dry;
        }
        if (top->coarse != NULL)
        {
            wadi_sand_coarse_start(top, cell, (float)top->law.coarse_share);
        }
    }
}

// Note what is given of a kind that is not switched on.
static void top_note_idle(wadi_context* context, const sand_top_law* law)
{
    if (law->crust_gain <= 0.0 && (law->crust_start > 0.0 || law->crust_growth > 0.0))
    {
        wadi_log_line(context, "there are no crusts, because crust_gain is 0");
    }
}

wadi_result wadi_sand_top_create(wadi_terrain* terrain, const sand_top_law* law, sand_top** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    *out = NULL;
    top_note_idle(context, law);
    if (law->crust_gain <= 0.0 && law->dry_rate <= 0.0 && law->coarse_depth <= 0.0)
    {
        return WADI_OK;
    }
    sand_top* top;
    WADI_ALLOC(context, top, 1, "the surface of sand");
    top->context = context;
    top->ground = wadi_terrain_ground_const(terrain);
    top->law = *law;
    top->layer = (int32_t)(law->coarse_depth * WADI_UNITS_PER_METRE);
    const wadi_result result = top_allocate(top);
    if (result != WADI_OK)
    {
        wadi_sand_top_destroy(top);
        return result;
    }
    top_start(top);
    for (int32_t y = 0; y < top->ground->height; ++y)
    {
        wadi_sand_top_note_row(top, y);
    }
    *out = top;
    return WADI_OK;
}

void wadi_sand_top_destroy(sand_top* top)
{
    if (top != NULL)
    {
        void* const owned[] = {top->crust, top->dry, top->level, top->coarse,
                               top->lag,   top->cap, top->came};
        for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
        {
            wadi_free(top->context, owned[i]);
        }
        wadi_free(top->context, top);
    }
}

// ---- maps --------------------------------------------------------------------------------------

static wadi_result top_check_shares(const sand_top* top, const float* values)
{
    for (int64_t cell = 0; cell < top->ground->cells; ++cell)
    {
        WADI_CHECK(top->context,
                   top->ground->valid[cell] == 0 || (values[cell] >= 0.0f && values[cell] <= 1.0f),
                   WADI_ERROR_RANGE, "the map is %g at column %d, row %d but must lie in [0, 1]",
                   (double)values[cell],
                   wadi_ground_column(top->ground, (int32_t)(cell % top->ground->width)),
                   wadi_ground_row(top->ground, (int32_t)(cell / top->ground->width)));
    }
    return WADI_OK;
}

wadi_result wadi_sand_top_set(wadi_context* context, sand_top* top, sand_top_map map,
                              const float* values)
{
    const bool crust = top != NULL && map == SAND_TOP_CRUST_START && top->crust != NULL;
    const bool coarse = top != NULL && map == SAND_TOP_COARSE_SHARE && top->coarse != NULL;
    if (top != NULL)
    {
        WADI_TRY(top_check_shares(top, values));
    }
    if (!crust && !coarse)
    {
        const bool of_crust = map == SAND_TOP_CRUST_START;
        wadi_log_line(context, "the map %s has no effect, because %s is 0",
                      of_crust ? "crust_start" : "coarse_share",
                      of_crust ? "crust_gain" : "coarse_depth");
    }
    for (int64_t cell = 0; crust && cell < top->ground->cells; ++cell)
    {
        top->crust[cell] = top->ground->valid[cell] != 0 ? values[cell] : 0.0f;
    }
    for (int64_t cell = 0; coarse && cell < top->ground->cells; ++cell)
    {
        const bool valid = top->ground->valid[cell] != 0;
        wadi_sand_coarse_start(top, cell, valid ? values[cell] : 0.0f);
    }
    return WADI_OK;
}

float wadi_sand_top_value(const sand_top* top, sand_top_map map, int64_t cell)
{
    if (map == SAND_TOP_CRUST)
    {
        return top != NULL && top->crust != NULL ? top->crust[cell] : 0.0f;
    }
    if (map == SAND_TOP_COARSE)
    {
        return top != NULL && top->coarse != NULL ? wadi_sand_coarse_cover(top, cell) : 0.0f;
    }
    return top != NULL && top->dry != NULL ? top->dry[cell] : 0.0f;
}

// ---- what the wind meets -----------------------------------------------------------------------

bool wadi_sand_top_dries(const sand_top* top)
{
    return top != NULL && top->dry != NULL;
}

sand_grip wadi_sand_top_grip(const sand_top* top, int64_t cell)
{
    sand_grip grip = top_free;
    if (top->crust != NULL)
    {
        const float speed = 1.0f + (float)top->law.crust_gain * top->crust[cell];
        grip.threshold = speed * speed;
    }
    if (top->coarse != NULL)
    {
        const float cover = wadi_sand_coarse_cover(top, cell);
        grip.threshold *= wadi_sand_coarse_threshold(top, cover);
        grip.share = 1.0f - cover;
        grip.most = wadi_sand_coarse_supply(top, cell);
    }
    if (top->dry != NULL && top->ground->moisture[cell] != 0)
    {
        const float dry = top->dry[cell] * WADI_UNITS_PER_METRE;
        grip.most = dry < grip.most ? dry : grip.most;
    }
    return grip;
}

float wadi_sand_top_loose(const sand_top* top, int64_t cell)
{
    const float crusted = top->crust != NULL ? top->crust[cell] : 0.0f;
    const float coarse = top->coarse != NULL ? wadi_sand_coarse_cover(top, cell) : 0.0f;
    return (1.0f - crusted) * (1.0f - coarse);
}

double wadi_sand_top_moist(const sand_top* top, int64_t cell)
{
    const double left =
        top != NULL && top->dry != NULL ? 1.0 - (double)top->dry[cell] / top->law.dry_depth : 1.0;
    return left > 0.0 ? left : 0.0;
}

// ---- time --------------------------------------------------------------------------------------

// Constants of a span of time.
typedef struct top_ageing
{
    const sand_top* top;
    float grown;   // growth of crusts, as a power of e
    float passed;  // abrasion of crusts by a unit of what passes
    float rained;  // share of the distance from balance that is left by rain
    float dried;   // gain of the square of the dry thickness [m2]
    float balance; // of that square [m2]
} top_ageing;

static top_ageing top_ageing_of(const sand_top* top, const sand_top_span* span)
{
    const sand_top_law* law = &top->law;
    const bool rains = law->dry_rain > 0.0;
    return (top_ageing){
        .top = top,
        .grown = (float)law->crust_growth * span->years,
        .passed = (float)law->crust_abrasion * span->scale,
        .rained = wadi_expf(-2.0f * (float)law->dry_rain * span->years),
        .dried = rains ? 0.0f : 2.0f * (float)law->dry_rate * span->years,
        .balance = rains ? (float)(law->dry_rate / law->dry_rain) : 0.0f,
    };
}

// dc/dt = growth x water x (1 - c) - abrasion x q x c - |dh/dt| / depth, q the flux of sand over it
// (Houser & Nickling 2001).
static float top_crust(const top_ageing* age, int64_t cell, float passed, float risen)
{
    const sand_top* top = age->top;
    const float rain = (float)top->law.crust_rain;
    const float water = rain + (1.0f - rain) * ((float)top->ground->moisture[cell] / 65535.0f);
    const float gain = age->grown * water;
    const float loss = age->passed * passed;
    const float balance = gain > 0.0f ? gain / (gain + loss) : 0.0f;
    const float left = balance + (top->crust[cell] - balance) * wadi_expf(-(gain + loss));
    const float lost = (risen > 0.0f ? risen : -risen) / (float)top->law.crust_depth;
    const float next = left - lost;
    return next < 0.0f ? 0.0f : next < 1.0f ? next : 1.0f;
}

// Vapour diffuses through the dry sand y above the front: dy/dt = D / (y + skin) (Ritchie 1972), so
// that s = y^2 + 2 skin y grows by 2 D a year; rains take it back by 2 n s a year.
static float top_dry(const top_ageing* age, int64_t cell, float risen)
{
    const float skin = (float)age->top->law.dry_depth;
    const float y = age->top->dry[cell];
    const float before = y * (y + 2.0f * skin);
    const float square = age->balance + (before - age->balance) * age->rained + age->dried;
    const float next = square / (sqrtf(square + skin * skin) + skin) + risen;
    return next > 0.0f ? next : 0.0f;
}

void wadi_sand_top_note_row(const sand_top* top, int32_t y)
{
    const int64_t width = top->ground->width;
    for (int64_t cell = y * width; cell < (y + 1) * width; ++cell)
    {
        top->level[cell] = wadi_ground_surface(top->ground, cell);
    }
}

void wadi_sand_top_age_row(const sand_top* top, int32_t y, const sand_top_span* span)
{
    const top_ageing age = top_ageing_of(top, span);
    const int64_t first = (int64_t)y * top->ground->width;
    for (int32_t x = 0; x < top->ground->width; ++x)
    {
        const int64_t cell = first + x;
        const int32_t level = wadi_ground_surface(top->ground, cell);
        const int64_t units = (int64_t)level - top->level[cell];
        const float risen = (float)units / WADI_UNITS_PER_METRE;
        if (top->crust != NULL)
        {
            const float passed = span->passed != NULL ? span->passed[x] : 0.0f;
            top->crust[cell] = top_crust(&age, cell, passed, risen);
        }
        if (top->dry != NULL)
        {
            top->dry[cell] = top_dry(&age, cell, risen);
        }
        if (top->coarse != NULL)
        {
            wadi_sand_coarse_bury(top, cell, units);
        }
        top->level[cell] = level;
    }
}

// ---- saved state -------------------------------------------------------------------------------

// Grids in the order in which they are saved.
enum
{
    TOP_GRIDS = 5
};

// A grid that was saved, or that is. NULL: it has no use under the parameters of now.
static wadi_result top_archive_grid(void* values, wadi_archive* archive, const wadi_ground* ground)
{
    wadi_context* context = wadi_archive_context(archive);
    bool saved = values != NULL;
    wadi_archive_bool(archive, &saved);
    int32_t* unused = NULL;
    if (saved && values == NULL)
    {
        WADI_ALLOC(context, unused, ground->cells, "the surface of sand");
    }
    if (saved)
    {
        wadi_archive_grid(archive, values != NULL ? values : unused, 4, ground->width,
                          ground->height);
    }
    wadi_free(context, unused);
    return wadi_archive_result(archive);
}

static wadi_result top_check(const sand_top* top)
{
    for (int64_t cell = 0; cell < top->ground->cells; ++cell)
    {
        const float crust = top->crust != NULL ? top->crust[cell] : 0.0f;
        const float dry = top->dry != NULL ? top->dry[cell] : 0.0f;
        WADI_CHECK(top->context, crust >= 0.0f && crust <= 1.0f && dry >= 0.0f && dry <= 1e9f,
                   WADI_ERROR_FORMAT,
                   "the saved state of sand has a crust of strength %g and %g m of dry sand in "
                   "cell %lld",
                   (double)crust, (double)dry, (long long)cell);
        WADI_TRY(top->coarse != NULL ? wadi_sand_coarse_check(top, cell) : WADI_OK);
    }
    return WADI_OK;
}

wadi_result wadi_sand_top_archive(sand_top* top, wadi_archive* archive, const wadi_ground* ground)
{
    const sand_top none = {0};
    const sand_top* from = top != NULL ? top : &none;
    void* const grids[TOP_GRIDS] = {from->crust, from->dry, from->coarse, from->lag, from->cap};
    WADI_TRY(wadi_archive_part(archive, "sand_top", 1));
    for (int i = 0; i < TOP_GRIDS; ++i)
    {
        WADI_TRY(top_archive_grid(grids[i], archive, ground));
    }
    return top != NULL && wadi_archive_is_reading(archive) ? top_check(top) : WADI_OK;
}
