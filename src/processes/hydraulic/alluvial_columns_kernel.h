// SPDX-License-Identifier: MIT
// Pairs of numbers around the places of many parcels, with one parcel in each lane.
//
// The pairs of two cells beside each other are four numbers in a row. Rows of four parcels are
// turned into four columns, so that arithmetic has no shuffles.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX__)
#include <immintrin.h>
#endif

typedef float columns_four __attribute__((vector_size(16)));

#if defined(__AVX512F__)
enum
{
    COLUMNS_LANES = 16
};
typedef float columns_lane __attribute__((vector_size(64)));
// within each four lanes: the first or last two of both in turns, and first or last pairs of both
#define COLUMNS_LOW(a, b)                                                                          \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define COLUMNS_HIGH(a, b)                                                                         \
    __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define COLUMNS_FRONT(a, b)                                                                        \
    __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define COLUMNS_BACK(a, b)                                                                         \
    __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#elif defined(__AVX__)
enum
{
    COLUMNS_LANES = 8
};
typedef float columns_lane __attribute__((vector_size(32)));
#define COLUMNS_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define COLUMNS_HIGH(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define COLUMNS_FRONT(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define COLUMNS_BACK(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#else
enum
{
    COLUMNS_LANES = 4
};
typedef columns_four columns_lane;
#define COLUMNS_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define COLUMNS_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define COLUMNS_FRONT(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define COLUMNS_BACK(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#endif

static inline columns_lane columns_load(const float* from)
{
    columns_lane lane;
    memcpy(&lane, from, sizeof lane);
    return lane;
}

static inline void columns_store(float* to, columns_lane lane)
{
    memcpy(to, &lane, sizeof lane);
}

#if defined(__AVX__)
static inline __m128 columns_row(const float* from, int32_t at, int32_t size)
{
    return _mm_loadu_ps(from + (ptrdiff_t)at * size);
}
#endif

// Rows of every fourth parcel, each in four lanes.
static inline columns_lane columns_rows(const float* from, const int32_t* at, int32_t size)
{
#if defined(__AVX512F__)
    __m512 rows = _mm512_zextps128_ps512(columns_row(from, at[0], size));
    rows = _mm512_mask_broadcast_f32x4(rows, 0x00F0, columns_row(from, at[4], size));
    rows = _mm512_mask_broadcast_f32x4(rows, 0x0F00, columns_row(from, at[8], size));
    rows = _mm512_mask_broadcast_f32x4(rows, 0xF000, columns_row(from, at[12], size));
    return (columns_lane)rows;
#elif defined(__AVX__)
    const __m256 rows = _mm256_castps128_ps256(columns_row(from, at[0], size));
    return (columns_lane)_mm256_insertf128_ps(rows, columns_row(from, at[4], size), 1);
#else
    return columns_load(from + (ptrdiff_t)at[0] * size);
#endif
}

// Four numbers of each parcel from `at` times `size` on, as four columns.
static inline void columns_read(const float* from, const int32_t* at, int32_t size,
                                columns_lane* columns)
{
    const columns_lane a = columns_rows(from, at, size);
    const columns_lane b = columns_rows(from, at + 1, size);
    const columns_lane c = columns_rows(from, at + 2, size);
    const columns_lane d = columns_rows(from, at + 3, size);
    const columns_lane first = COLUMNS_LOW(a, b);
    const columns_lane second = COLUMNS_LOW(c, d);
    const columns_lane third = COLUMNS_HIGH(a, b);
    const columns_lane fourth = COLUMNS_HIGH(c, d);
    columns[0] = COLUMNS_FRONT(first, second);
    columns[1] = COLUMNS_BACK(first, second);
    columns[2] = COLUMNS_FRONT(third, fourth);
    columns[3] = COLUMNS_BACK(third, fourth);
}
