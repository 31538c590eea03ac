// SPDX-License-Identifier: MIT
// Chi profiles of the channels of the largest basins (Perron & Royden 2013). The concavity is the
// one that orders them best (disorder, after Goren et al. 2014 and Gailleton et al. 2021).
#include "maps/judge/land_forms_internal.h"

#include "core/radix_heap.h"

enum
{
    CHI_BASINS = 12,
    CHI_LEAST = 60, // channel cells of a basin
    CHI_STEPS = 21, // concavities 0, 0.05, ... 1
    CHI_REFERENCE = 9
};

// Channel cells of a basin, from the lowest filled ground up.
typedef struct chi_basin
{
    uint64_t* cells; // cell in the lower 32 bits
    int64_t count;
    double disorder[CHI_STEPS];
    double r2[CHI_STEPS];
} chi_basin;

typedef struct chi_run
{
    const land_drainage* drainage;
    int32_t threshold;
    int32_t* root;  // outlet of the basin of each channel cell
    int32_t* cells; // channel cells of each outlet
    double* chi;
    uint64_t* list; // channel cells by basin
    uint64_t* spare;
    int64_t channels;
    chi_basin basin[CHI_BASINS];
    int32_t basins;
} chi_run;

static void chi_find_roots(chi_run* run)
{
    const land_drainage* d = run->drainage;
    for (int64_t q = 0; q < d->count; ++q)
    {
        const int64_t cell = d->order[q];
        if (d->area[cell] >= run->threshold)
        {
            const int64_t receiver = land_receiver(d, cell);
            run->root[cell] = receiver < 0 ? (int32_t)cell : run->root[receiver];
            ++run->cells[run->root[cell]];
            ++run->channels;
        }
    }
}

// The outlet with the most channel cells; its number is then cleared.
static int64_t chi_take_largest(chi_run* run, int32_t* count)
{
    const int64_t cells = run->drainage->grid->cells;
    int64_t best = 0;
    for (int64_t i = 1; i < cells; ++i)
    {
        best = run->cells[i] > run->cells[best] ? i : best;
    }
    *count = run->cells[best];
    run->cells[best] = 0;
    return best;
}

static bool chi_has_relief(const land_grid* grid, const chi_basin* basin)
{
    const float first = grid->z[basin->cells[0] & 0xFFFFFFFFu];
    for (int64_t i = 1; i < basin->count; ++i)
    {
        if (grid->z[basin->cells[i] & 0xFFFFFFFFu] != first)
        {
            return true;
        }
    }
    return false;
}

static void chi_gather(chi_run* run)
{
    const land_drainage* d = run->drainage;
    uint64_t* next = run->list;
    for (int32_t b = 0; b < CHI_BASINS; ++b)
    {
        int32_t count;
        const int64_t root = chi_take_largest(run, &count);
        chi_basin basin = {.cells = next};
        for (int64_t i = 0; i < d->grid->cells && count >= CHI_LEAST; ++i)
        {
            if (d->area[i] >= run->threshold && run->root[i] == (int32_t)root &&
                !isnan(d->grid->z[i]))
            {
                basin.cells[basin.count++] =
                    (uint64_t)wadi_radix_key(d->level[i]) << 32 | (uint64_t)i;
            }
        }
        if (basin.count >= CHI_LEAST && chi_has_relief(d->grid, &basin))
        {
            wadi_land_sort(basin.cells, run->spare, basin.count);
            next += basin.count;
            run->basin[run->basins++] = basin;
        }
    }
}

static void chi_integrate(chi_run* run, double concavity)
{
    const land_drainage* d = run->drainage;
    for (int64_t q = 0; q < d->count; ++q)
    {
        const int64_t cell = d->order[q];
        if (d->area[cell] < run->threshold)
        {
            continue;
        }
        const int64_t receiver = land_receiver(d, cell);
        const double ratio = (double)run->threshold / (double)d->area[cell];
        run->chi[cell] = receiver < 0
                             ? 0.0
                             : run->chi[receiver] + wadi_pow(ratio, concavity) *
                                                        land_step(d->grid, d->towards[cell]);
    }
}

// Sum of the steps of chi from cell to cell in rising order, above the least possible, over the
// largest chi: 0 if chi rises with the ground.
static double chi_disorder(const chi_run* run, const chi_basin* basin)
{
    double before = run->chi[basin->cells[0] & 0xFFFFFFFFu];
    double sum = before;
    double most = before;
    for (int64_t i = 1; i < basin->count; ++i)
    {
        const double chi = run->chi[basin->cells[i] & 0xFFFFFFFFu];
        sum += fabs(chi - before);
        most = fmax(most, chi);
        before = chi;
    }
    return (sum - most) / fmax(most, 1e-30);
}

// Squared correlation of height and chi.
static double chi_straightness(const chi_run* run, const chi_basin* basin)
{
    const float* z = run->drainage->grid->z;
    double mean[2] = {0.0, 0.0};
    for (int64_t i = 0; i < basin->count; ++i)
    {
        const uint64_t cell = basin->cells[i] & 0xFFFFFFFFu;
        mean[0] += run->chi[cell] / (double)basin->count;
        mean[1] += (double)z[cell] / (double)basin->count;
    }
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    for (int64_t i = 0; i < basin->count; ++i)
    {
        const uint64_t cell = basin->cells[i] & 0xFFFFFFFFu;
        const double x = run->chi[cell] - mean[0];
        const double y = (double)z[cell] - mean[1];
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    return xx > 0.0 && yy > 0.0 ? xy * xy / (xx * yy) : (double)NAN;
}

static void chi_compare(chi_run* run)
{
    for (int32_t step = 0; step < CHI_STEPS; ++step)
    {
        chi_integrate(run, step / 20.0);
        for (int32_t b = 0; b < run->basins; ++b)
        {
            run->basin[b].disorder[step] = chi_disorder(run, &run->basin[b]);
            run->basin[b].r2[step] = chi_straightness(run, &run->basin[b]);
        }
    }
}

// Basins weigh by their channel cells; the disorder of each is relative to its largest.
static void chi_conclude(const chi_run* run, wadi_land_forms* out)
{
    double total[CHI_STEPS] = {0};
    double r2 = 0.0;
    double weight = 0.0;
    for (int32_t b = 0; b < run->basins; ++b)
    {
        const chi_basin* basin = &run->basin[b];
        double most = 1e-30;
        for (int32_t step = 0; step < CHI_STEPS; ++step)
        {
            most = fmax(most, basin->disorder[step]);
        }
        for (int32_t step = 0; step < CHI_STEPS; ++step)
        {
            total[step] += basin->disorder[step] / most * (double)basin->count;
        }
        r2 += basin->r2[CHI_REFERENCE] * (double)basin->count;
        weight += (double)basin->count;
    }
    int32_t best = 0;
    for (int32_t step = 1; step < CHI_STEPS; ++step)
    {
        best = total[step] < total[best] ? step : best;
    }
    out->theta_chi = best / 20.0;
    out->chi_r2 = r2 / weight;
}

static wadi_result chi_run_all(chi_run* run, wadi_land_forms* out)
{
    const land_grid* grid = run->drainage->grid;
    WADI_ALLOC(grid->context, run->root, grid->cells, "basins");
    WADI_ALLOC(grid->context, run->cells, grid->cells, "basins");
    chi_find_roots(run);
    WADI_ALLOC(grid->context, run->list, run->channels, "channels");
    WADI_ALLOC(grid->context, run->spare, run->channels, "channels");
    WADI_ALLOC(grid->context, run->chi, grid->cells, "chi");
    chi_gather(run);
    if (run->basins > 0)
    {
        chi_compare(run);
        chi_conclude(run, out);
    }
    return WADI_OK;
}

wadi_result wadi_land_chi(const land_drainage* drainage, int32_t threshold, wadi_land_forms* out)
{
    wadi_context* context = drainage->grid->context;
    chi_run run = {.drainage = drainage, .threshold = threshold};
    const wadi_result result = chi_run_all(&run, out);
    wadi_free(context, run.root);
    wadi_free(context, run.cells);
    wadi_free(context, run.chi);
    wadi_free(context, run.list);
    wadi_free(context, run.spare);
    return result;
}
