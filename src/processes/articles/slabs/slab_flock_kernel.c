// SPDX-License-Identifier: MIT
// The loops over a batch of slabs, compiled once for each instruction set.
#include "processes/articles/slabs/slab_flock.h"

static void flock_draw_kernel(slab_flock* flock, const slab_flock_key* key)
{
    const slab_flock_key k = *key;
    const uint32_t high = flock->purpose << 8 | flock->round << 12;
#pragma omp simd
    for (int32_t i = 0; i < flock->count; ++i)
    {
        const wadi_philox words =
            wadi_philox4x32(flock->start[i], high, k.step, k.stream, k.seed_low, k.seed_high);
        flock->word[0][i] = words.v[0];
        flock->word[1][i] = words.v[1];
        flock->word[2][i] = words.v[2];
        flock->word[3][i] = words.v[3];
    }
    flock->drawn = 0;
}

// The low half of a word says how the next hop strays.
static inline void flock_stray(slab_flock* flock, int32_t i, uint32_t word)
{
    flock->along[i] = (float)(int32_t)(word >> 8 & 0xFFu) * (1.0f / 127.5f) - 1.0f;
    flock->across[i] = (float)(int32_t)(word & 0xFFu) * (1.0f / 127.5f) - 1.0f;
}

static void flock_depart_kernel(slab_flock* flock, const slab_field* field)
{
    const int32_t width = field->width;
    const int32_t west = field->x;
    const int32_t north = field->y;
#pragma omp simd
    for (int32_t i = 0; i < flock->count; ++i)
    {
        // the first word says where in the cell
        const uint32_t place = flock->word[0][i];
        const int32_t row = flock->cell[i] / width;
        const int32_t column = flock->cell[i] - row * width;
        flock->x[i] = (float)(west + column) + (float)(int32_t)(place >> 16) * 0x1p-16f;
        flock->y[i] = (float)(north + row) + (float)(int32_t)(place & 0xFFFFu) * 0x1p-16f;
        flock_stray(flock, i, flock->word[1][i]);
    }
    flock->drawn = 2;
}

static int32_t flock_hop_kernel(slab_flock* flock, const slab_site* sites, float spread,
                                const slab_field* field)
{
    const slab_field f = *field;
    int32_t leaving = 0;
#pragma omp simd reduction(+ : leaving)
    for (int32_t i = 0; i < flock->count; ++i)
    {
        const slab_site* from = &sites[flock->cell[i]];
        const float along = 1.0f + spread * flock->along[i];
        const float across = spread * flock->across[i];
        const float x = flock->x[i] + (along * from->hop_x - across * from->hop_y);
        const float y = flock->y[i] + (along * from->hop_y + across * from->hop_x);
        const int32_t inside = (x >= f.west ? 1 : 0) & (x < f.east ? 1 : 0) &
                               (y >= f.north ? 1 : 0) & (y < f.south ? 1 : 0);
        flock->x[i] = x;
        flock->y[i] = y;
        flock->to[i] = inside != 0 ? ((int32_t)y - f.y) * f.width + (int32_t)x - f.x : -1;
        leaving += 1 - inside;
    }
    return leaving;
}

static void flock_strike_kernel(slab_flock* flock, const slab_site* sites)
{
    const uint32_t* words = flock->word[flock->drawn];
#pragma omp simd
    for (int32_t i = 0; i < flock->count; ++i)
    {
        const uint32_t word = words[i];
        const float chance = (float)(int32_t)(word >> 16) * 0x1p-16f;
        flock->bounces[i] = chance >= sites[flock->cell[i]].settle ? 1 : 0;
        flock_stray(flock, i, word);
    }
    flock->drawn += 1;
}

const slab_flock_kernels WADI_ISA_BUILD(slab_flock_kernels) = {
    flock_draw_kernel,
    flock_depart_kernel,
    flock_hop_kernel,
    flock_strike_kernel,
};
