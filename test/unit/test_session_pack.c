// SPDX-License-Identifier: MIT
// Packing of snapshots: any bytes come back, ground becomes small, damage is refused.
#include "support/fixture.h"

#include "session/session_pack.h"

#include <math.h>

static void round_trip(fixture* f, const unsigned char* bytes, size_t size, int32_t row,
                       size_t* packed_size)
{
    session_bytes packed = {0};
    session_bytes back = {0};
    CHECK_OK(f->context, wadi_session_pack(f->context, bytes, size, row, &packed));
    CHECK_OK(f->context, wadi_session_unpack(f->context, packed.data, packed.size, row, &back));
    assert_int_equal(back.size, size);
    assert_memory_equal(back.data, bytes, size);
    *packed_size = packed.size;
    wadi_free(f->context, packed.data);
    wadi_free(f->context, back.data);
}

// xorshift (Marsaglia 2003): bytes that do not repeat.
static uint32_t next_random(uint32_t* state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void any_bytes_come_back(void** state)
{
    fixture* f = *state;
    static unsigned char bytes[200003];
    uint32_t random = 1;
    size_t packed;
    static const size_t sizes[] = {1, 3, 4, 12, 13, 64, 255, 4096, 65535, 65536, 65540, 200003};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s)
    {
        for (uint32_t range = 1; range <= 256; range *= 4) // few values repeat, many do not
        {
            for (size_t i = 0; i < sizes[s]; ++i)
            {
                bytes[i] = (unsigned char)(next_random(&random) % range);
            }
            round_trip(f, bytes, sizes[s], 1 + (int32_t)(sizes[s] % 97), &packed);
            assert_true(packed <= sizes[s] + sizes[s] / 200 + 64 * (1 + sizes[s] / 65536));
        }
    }
}

static void long_matches_come_back(void** state)
{
    fixture* f = *state;
    static unsigned char bytes[70000];
    size_t packed;
    for (size_t i = 0; i < sizeof bytes; ++i)
    {
        bytes[i] = (unsigned char)(i % 7 == 0 ? i / 7000 : 5);
    }
    round_trip(f, bytes, sizeof bytes, 64, &packed);
    assert_true(packed < sizeof bytes / 50);
}

// Smooth ground of 512 x 512 heights: at most half.
static void ground_becomes_small(void** state)
{
    fixture* f = *state;
    enum
    {
        SIDE = 512
    };
    int32_t* heights = wadi_alloc(f->context, (size_t)SIDE * SIDE, sizeof *heights);
    size_t packed;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double x = i % SIDE;
        const double y = i / SIDE;
        heights[i] = (int32_t)(65536.0 * (200.0 + 30.0 * sin(0.03 * x + 0.01 * y) +
                                          5.0 * cos(0.11 * y - 0.05 * x)));
    }
    round_trip(f, (const unsigned char*)heights, (size_t)SIDE * SIDE * sizeof *heights, SIDE,
               &packed);
    assert_true(packed < (size_t)SIDE * SIDE * sizeof *heights / 2);
    wadi_free(f->context, heights);
}

// Each byte of the packed form is changed in turn: it is refused, or gives other bytes of the same
// number; nothing is read or written outside (the sanitizers watch).
static void damage_does_no_harm(void** state)
{
    fixture* f = *state;
    unsigned char bytes[600];
    for (size_t i = 0; i < sizeof bytes; ++i)
    {
        bytes[i] = (unsigned char)(i * i / 40);
    }
    session_bytes packed = {0};
    CHECK_OK(f->context, wadi_session_pack(f->context, bytes, sizeof bytes, 10, &packed));
    int32_t refused = 0;
    for (size_t i = 0; i < packed.size; ++i)
    {
        for (uint32_t bit = 0; bit < 8; ++bit)
        {
            session_bytes back = {0};
            packed.data[i] ^= (unsigned char)(1u << bit);
            const wadi_result result =
                wadi_session_unpack(f->context, packed.data, packed.size, 10, &back);
            packed.data[i] ^= (unsigned char)(1u << bit);
            refused += result == WADI_ERROR_FORMAT;
            assert_true(result == WADI_ERROR_FORMAT || back.size <= 65536);
            wadi_free(f->context, back.data);
        }
    }
    assert_true(refused > 100);
    session_bytes cut = {0};
    assert_int_equal(wadi_session_unpack(f->context, packed.data, packed.size - 1, 10, &cut),
                     WADI_ERROR_FORMAT);
    wadi_free(f->context, cut.data);
    wadi_free(f->context, packed.data);
}

// A match that would begin before the first byte.
static void matches_begin_inside(void** state)
{
    fixture* f = *state;
    unsigned char packed[] = {10,   0,   0,   0,   10,  0,  0, 0, 0, // 10 bytes in 10, as they are
                              0x10, 'a', 9,   0,                     // one literal, 9 bytes back
                              0x50, 'b', 'c', 'd', 'e', 'f'};        // and five literals
    session_bytes back = {0};
    assert_int_equal(wadi_session_unpack(f->context, packed, sizeof packed, 1, &back),
                     WADI_ERROR_FORMAT);
    wadi_free(f->context, back.data);
    back = (session_bytes){0};
    packed[11] = 1;
    CHECK_OK(f->context, wadi_session_unpack(f->context, packed, sizeof packed, 1, &back));
    assert_memory_equal(back.data, "aaaaabcdef", 10);
    wadi_free(f->context, back.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes_come_back),  cmocka_unit_test(long_matches_come_back),
        cmocka_unit_test(ground_becomes_small), cmocka_unit_test(damage_does_no_harm),
        cmocka_unit_test(matches_begin_inside),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
