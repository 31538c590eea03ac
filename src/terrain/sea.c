// SPDX-License-Identifier: MIT
#include "terrain/terrain.h"

#include "core/archive.h"

#include <math.h>
#include <string.h>

static wadi_result sea_check(wadi_context* context, const double* years, const double* levels,
                             int32_t count)
{
    WADI_CHECK(context, count >= 0 && count <= WADI_MAX_SEA_ROWS, WADI_ERROR_RANGE,
               "the table of the sea level has %d rows; expected 0 (no sea) to %d", (int)count,
               WADI_MAX_SEA_ROWS);
    WADI_CHECK(context, count == 0 || levels != NULL, WADI_ERROR_ARGUMENT,
               "the table of the sea level has %d rows and no levels", (int)count);
    WADI_CHECK(context, count <= 1 || years != NULL, WADI_ERROR_ARGUMENT,
               "the table of the sea level has %d rows and no years", (int)count);
    for (int32_t i = 0; i < count; ++i)
    {
        // written so that NaN fails too
        WADI_CHECK(context, fabs(levels[i]) <= WADI_HEIGHT_LIMIT, WADI_ERROR_RANGE,
                   "row %d of the sea level has %g m; it must stay within %g m of 0", (int)i + 1,
                   levels[i], WADI_HEIGHT_LIMIT);
        WADI_CHECK(context, years == NULL || fabs(years[i]) <= 1e9, WADI_ERROR_RANGE,
                   "row %d of the sea level is for the year %g; it must stay within 1e9 of 0",
                   (int)i + 1, years[i]);
        WADI_CHECK(context, i == 0 || years[i] > years[i - 1], WADI_ERROR_RANGE,
                   "row %d of the sea level is for the year %g, which does not come after %g: "
                   "sort the rows by year",
                   (int)i + 1, years[i], years[i - 1]);
    }
    return WADI_OK;
}

// ---- life --------------------------------------------------------------------------------------

void wadi_sea_free(wadi_context* context, wadi_sea* sea)
{
    wadi_free(context, sea->years);
    wadi_free(context, sea->levels);
    *sea = (wadi_sea){0};
}

// Room for `count` rows, all 0.
static wadi_result sea_make(wadi_context* context, int32_t count, wadi_sea* out)
{
    *out = (wadi_sea){0};
    if (count == 0)
    {
        return WADI_OK;
    }
    wadi_result result = WADI_OK;
    out->years = wadi_alloc(context, (size_t)count, sizeof *out->years);
    out->levels = wadi_alloc(context, (size_t)count, sizeof *out->levels);
    if (out->years == NULL || out->levels == NULL)
    {
        wadi_sea_free(context, out);
        result = wadi_fail_memory(context, (size_t)count * sizeof(double), "the sea level");
    }
    out->count = result == WADI_OK ? count : 0;
    return result;
}

static wadi_result sea_set(wadi_terrain* terrain, const double* years, const double* levels,
                           int32_t count)
{
    wadi_sea sea;
    WADI_TRY(sea_make(terrain->context, count, &sea));
    if (count > 0)
    {
        memcpy(sea.levels, levels, (size_t)count * sizeof *levels);
    }
    if (count > 0 && years != NULL)
    {
        memcpy(sea.years, years, (size_t)count * sizeof *years);
    }
    wadi_sea_free(terrain->context, &terrain->sea);
    terrain->sea = sea;
    return WADI_OK;
}

wadi_result wadi_terrain_set_sea_level(wadi_terrain* terrain, const double* years,
                                       const double* levels, int32_t count)
{
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_TRY(sea_check(terrain->context, years, levels, count));
    return sea_set(terrain, years, levels, count);
}

wadi_result wadi_sea_copy(const wadi_terrain* from, wadi_terrain* to)
{
    return sea_set(to, from->sea.years, from->sea.levels, from->sea.count);
}

// ---- the level ---------------------------------------------------------------------------------

// Number of rows at or before a year.
static int32_t sea_rows_before(const wadi_sea* sea, double year)
{
    int32_t low = 0;
    int32_t high = sea->count;
    while (low < high)
    {
        const int32_t middle = low + (high - low) / 2;
        if (sea->years[middle] <= year)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

bool wadi_terrain_sea_level(const wadi_terrain* terrain, double year, double* level)
{
    const wadi_sea* sea = &terrain->sea;
    if (sea->count == 0)
    {
        return false;
    }
    const int32_t next = sea_rows_before(sea, year);
    if (next == 0 || next == sea->count)
    {
        *level = sea->levels[next == 0 ? 0 : sea->count - 1];
        return true;
    }
    const int32_t i = next - 1;
    const double share = (year - sea->years[i]) / (sea->years[next] - sea->years[i]);
    *level = sea->levels[i] + share * (sea->levels[next] - sea->levels[i]);
    return true;
}

int32_t wadi_terrain_sea_table(const wadi_terrain* terrain, double* years, double* levels,
                               int32_t capacity)
{
    const wadi_sea* sea = &terrain->sea;
    for (int32_t i = 0; i < sea->count && i < capacity; ++i)
    {
        years[i] = sea->years[i];
        levels[i] = sea->levels[i];
    }
    return sea->count;
}

bool wadi_terrain_sea_units(const wadi_terrain* terrain, double year, int32_t* units)
{
    double level;
    if (!wadi_terrain_sea_level(terrain, year, &level))
    {
        return false;
    }
    *units = (int32_t)floor(level * WADI_UNITS_PER_METRE + 0.5);
    return true;
}

void wadi_terrain_note_drowned(const wadi_terrain* terrain, const char* process, double year)
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    int32_t sea = 0;
    if (wadi_terrain_valid_count(terrain) == 0 || !wadi_terrain_sea_units(terrain, year, &sea))
    {
        return;
    }
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        if (ground->valid[c] != 0 && wadi_ground_surface(ground, c) > sea)
        {
            return;
        }
    }
    wadi_log_line(wadi_terrain_context(terrain),
                  "%s: in the year %g the sea, at %g m, covers all ground, so there is no land to "
                  "wear; is sea_level above the zero of the heights, in metres?",
                  process, year, (double)sea / WADI_UNITS_PER_METRE);
}

// ---- archive -----------------------------------------------------------------------------------

wadi_result wadi_sea_archive(wadi_archive* archive, wadi_terrain* terrain)
{
    // a terrain without a sea keeps the hash that it had before there were seas
    if (archive->mode == ARCHIVE_HASHES && terrain->sea.count == 0)
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_archive_part(archive, "sea", 1));
    int64_t count = terrain->sea.count;
    WADI_TRY(wadi_archive_count(archive, &count, WADI_MAX_SEA_ROWS, "rows of the sea level"));
    if (wadi_archive_is_reading(archive))
    {
        WADI_TRY(sea_make(terrain->context, (int32_t)count, &terrain->sea));
    }
    wadi_archive_f64(archive, terrain->sea.years, count);
    wadi_archive_f64(archive, terrain->sea.levels, count);
    WADI_TRY(wadi_archive_result(archive));
    return wadi_archive_is_reading(archive) &&
                   sea_check(terrain->context, terrain->sea.years, terrain->sea.levels,
                             terrain->sea.count) != WADI_OK
               ? WADI_ERROR_FORMAT
               : WADI_OK;
}
