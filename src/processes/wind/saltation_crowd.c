// SPDX-License-Identifier: MIT
// Feedback of the parcels on the wind (`momentum`). Parcels are deflected around an obstacle: their
// density rises beside it, where the air moves faster, and falls in its lee. The speeds of parcels
// along the wind are summed by block. Their ratio to the mean over the grid is the local wind.
#include "processes/wind/saltation_state.h"

#include <string.h>

// Weight of a new count in the running mean. With one parcel step per cell and batch, the count of
// 16 batches over a block and its neighbours has 6 % noise, the running mean about 2 %.
static const float crowd_renewal = 0.2f;
static const double crowd_least = 0.3;
static const double crowd_most = 1.8;

static int32_t crowd_columns(const saltation* s)
{
    return (s->ground->width + SALTATION_CROWD - 1) / SALTATION_CROWD;
}

static int32_t crowd_rows(const saltation* s)
{
    return (s->ground->height + SALTATION_CROWD - 1) / SALTATION_CROWD;
}

wadi_result wadi_saltation_crowd_create(saltation* s)
{
    if (s->params.momentum <= 0.0)
    {
        return WADI_OK;
    }
    const int32_t blocks = crowd_columns(s) * crowd_rows(s);
    WADI_ALLOC(s->context, s->crowd, blocks, "the wind between obstacles");
    WADI_ALLOC(s->context, s->count, blocks, "the wind between obstacles");
    for (int32_t i = 0; i < blocks; ++i)
    {
        s->crowd[i] = 1.0f;
    }
    return WADI_OK;
}

static wadi_result crowd_archive_shares(const saltation* s, wadi_archive* archive, float* shares)
{
    wadi_archive_grid(archive, shares, 4, crowd_columns(s), crowd_rows(s));
    WADI_TRY(wadi_archive_result(archive));
    for (int32_t i = 0; i < crowd_columns(s) * crowd_rows(s); ++i)
    {
        WADI_CHECK(s->context, shares[i] >= 0.0f && shares[i] < 1e6f, WADI_ERROR_FORMAT,
                   "the saved wind has a density of parcels of %g in block %d; expected 0 to 1e6",
                   (double)shares[i], i);
    }
    return WADI_OK;
}

// The density of parcels. A change of `momentum` from 0 begins with even density.
wadi_result wadi_saltation_crowd_archive(saltation* s, wadi_archive* archive)
{
    bool has = s->crowd != NULL;
    wadi_archive_bool(archive, &has);
    WADI_TRY(wadi_archive_result(archive));
    if (!has)
    {
        return WADI_OK;
    }
    if (s->crowd != NULL)
    {
        return crowd_archive_shares(s, archive, s->crowd);
    }
    float* unused;
    WADI_ALLOC(s->context, unused, crowd_columns(s) * crowd_rows(s), "the wind between obstacles");
    const wadi_result result = crowd_archive_shares(s, archive, unused);
    wadi_free(s->context, unused);
    return result;
}

// All rows of a block belong to one worker: SALTATION_GRAIN is a multiple of SALTATION_CROWD.
void wadi_saltation_crowd_count(const saltation* s, int32_t x, int32_t y, float along)
{
    s->count[y / SALTATION_CROWD * crowd_columns(s) + x / SALTATION_CROWD] += along;
}

static int32_t crowd_cells(int32_t block, int32_t size)
{
    const int32_t left = size - block * SALTATION_CROWD;
    return left < SALTATION_CROWD ? left : SALTATION_CROWD;
}

// Count of a block and its eight neighbours, relative to the mean count of as many cells.
static float crowd_share(const saltation* s, int32_t column, int32_t row, double per_cell)
{
    double sum = 0.0;
    double cells = 0.0;
    for (int32_t y = row - 1; y <= row + 1; ++y)
    {
        for (int32_t x = column - 1; x <= column + 1; ++x)
        {
            if (x >= 0 && y >= 0 && x < crowd_columns(s) && y < crowd_rows(s))
            {
                sum += (double)s->count[y * crowd_columns(s) + x];
                cells += crowd_cells(x, s->ground->width) * crowd_cells(y, s->ground->height);
            }
        }
    }
    return (float)(sum / (cells * per_cell));
}

void wadi_saltation_crowd_update(saltation* s)
{
    const int32_t blocks = crowd_columns(s) * crowd_rows(s);
    double sum = 0.0;
    for (int32_t i = 0; i < blocks; ++i)
    {
        sum += (double)s->count[i];
    }
    const double per_cell = sum / (double)wadi_terrain_valid_count(s->terrain);
    for (int32_t i = 0; i < blocks && per_cell > 0.0; ++i)
    {
        const float share = crowd_share(s, i % crowd_columns(s), i / crowd_columns(s), per_cell);
        s->crowd[i] += crowd_renewal * (share - s->crowd[i]);
    }
    memset(s->count, 0, (size_t)blocks * sizeof *s->count);
    wadi_saltation_freeze_skin(s);
}

double wadi_saltation_crowd_wind(const saltation* s, int32_t x, int32_t y)
{
    if (s->crowd == NULL)
    {
        return 1.0;
    }
    const int32_t block = y / SALTATION_CROWD * crowd_columns(s) + x / SALTATION_CROWD;
    const double wind = 1.0 + s->params.momentum * ((double)s->crowd[block] - 1.0);
    return wind < crowd_least ? crowd_least : wind < crowd_most ? wind : crowd_most;
}
