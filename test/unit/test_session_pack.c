// SPDX-License-Identifier: MIT
// Packing of snapshots: any bytes come back, ground becomes small, damage is refused.
#include "support/fixture.h"

#include "session/session_pack.h"

#include <math.h>

static session_packer* packer_of(fixture* f, int32_t row)
{
    session_packer* packer = wadi_alloc(f->context, 1, sizeof *packer);
    assert_non_null(packer);
    packer->context = f->context;
    packer->row = row;
    return packer;
}

// Written in two parts, of which the second begins a chunk where it does not fit into the first.
static void pack_all(session_packer* packer, const session_packed* former,
                     const unsigned char* bytes, size_t size, session_packed* out)
{
    const wadi_context* context = packer->context;
    wadi_session_pack(packer, former, out);
    CHECK_OK(context, wadi_session_pack_write(packer, bytes, size / 12 * 4));
    CHECK_OK(context, wadi_session_pack_write(packer, bytes + size / 12 * 4, size - size / 12 * 4));
    CHECK_OK(context, wadi_session_pack_end(packer));
}

static void open_all(fixture* f, const session_packed* packed, int32_t row,
                     const unsigned char* bytes, size_t size)
{
    session_opener* opener = wadi_alloc(f->context, 1, sizeof *opener);
    unsigned char* back = wadi_alloc(f->context, 1, size);
    *opener = (session_opener){.context = f->context, .packed = packed, .row = row};
    CHECK_OK(f->context, wadi_session_open_read(opener, back, size / 2));
    CHECK_OK(f->context, wadi_session_open_read(opener, back + size / 2, size - size / 2));
    assert_memory_equal(back, bytes, size);
    assert_int_equal(wadi_session_open_read(opener, back, 1), WADI_ERROR_FORMAT);
    wadi_free(f->context, back);
    wadi_free(f->context, opener);
}

static void round_trip(fixture* f, const unsigned char* bytes, size_t size, int32_t row,
                       size_t* packed_size)
{
    session_packer* packer = packer_of(f, row);
    session_packed packed;
    pack_all(packer, NULL, bytes, size, &packed);
    open_all(f, &packed, row, bytes, size);
    *packed_size = 0;
    for (int32_t i = 0; i < packed.count; ++i)
    {
        *packed_size += packed.chunks[i]->size;
    }
    (void)wadi_session_free_packed(f->context, &packed);
    wadi_free(f->context, packer);
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

static void even_bytes_take_next_to_nothing(void** state)
{
    fixture* f = *state;
    static unsigned char bytes[70000];
    size_t packed;
    memset(bytes, 5, sizeof bytes);
    round_trip(f, bytes, sizeof bytes, 64, &packed);
    assert_true(packed < sizeof bytes / 30);
}

// Each width of differences, from words that are equal to words that have nothing in common.
static void each_width_comes_back(void** state)
{
    fixture* f = *state;
    static uint32_t words[4096];
    uint32_t random = 1;
    size_t packed;
    for (uint32_t width = 0; width <= 32; ++width)
    {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        {
            words[i] = width > 0 ? next_random(&random) >> (32 - width) : 0;
        }
        round_trip(f, (const unsigned char*)words, sizeof words, 61, &packed);
        assert_true(packed <= sizeof words * (width + 1) / 32 + 128);
    }
}

// A plane over cells of 2 bytes is predicted but at its west end.
static void small_cells_are_predicted(void** state)
{
    fixture* f = *state;
    enum
    {
        SIDE = 256
    };
    static uint16_t cells[SIDE * SIDE];
    uint16_t west = 0;
    uint32_t random = 1;
    size_t packed;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        west = (uint16_t)(i < SIDE ? next_random(&random) : cells[i - SIDE]);
        cells[i] = west;
    }
    round_trip(f, (const unsigned char*)cells, sizeof cells, SIDE, &packed);
    assert_true(packed < sizeof cells / 10);
}

// A state that differs in one place shares the other chunks with the snapshot before, which may go
// first.
static void equal_chunks_are_shared(void** state)
{
    fixture* f = *state;
    enum
    {
        SIZE = 20 * SESSION_CHUNK
    };
    unsigned char* bytes = wadi_alloc(f->context, 1, SIZE);
    uint32_t random = 1;
    for (int32_t i = 0; i < SIZE; ++i)
    {
        bytes[i] = (unsigned char)next_random(&random);
    }
    session_packer* packer = packer_of(f, 100);
    session_packed first;
    session_packed second;
    pack_all(packer, NULL, bytes, SIZE, &first);
    bytes[11 * SESSION_CHUNK] ^= 1;
    pack_all(packer, &first, bytes, SIZE, &second);
    assert_true(first.own > SIZE && second.own > 0 && second.own < 2 * SESSION_CHUNK);
    const int64_t freed = wadi_session_free_packed(f->context, &first);
    assert_true(freed > 0 && freed < 2 * SESSION_CHUNK);
    open_all(f, &second, 100, bytes, SIZE);
    assert_true(wadi_session_free_packed(f->context, &second) > SIZE);
    wadi_free(f->context, packer);
    wadi_free(f->context, bytes);
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
        const double y = (double)(i / SIDE);
        heights[i] = (int32_t)(65536.0 * (200.0 + 30.0 * sin(0.03 * x + 0.01 * y) +
                                          5.0 * cos(0.11 * y - 0.05 * x)));
    }
    round_trip(f, (const unsigned char*)heights, (size_t)SIDE * SIDE * sizeof *heights, SIDE,
               &packed);
    assert_true(packed < (size_t)SIDE * SIDE * sizeof *heights / 2);
    wadi_free(f->context, heights);
}

// Each bit of the packed form is changed in turn: it is refused, or gives other bytes of the same
// number; nothing is read or written outside (the sanitizers watch).
static void damage_does_no_harm(void** state)
{
    (void)state;
    unsigned char bytes[1600];
    unsigned char packed[SESSION_CHUNK_PACKED];
    unsigned char back[sizeof bytes];
    for (size_t i = 0; i < sizeof bytes; ++i)
    {
        bytes[i] = (unsigned char)(i * i / 40);
    }
    const size_t size = wadi_session_pack_chunk(bytes, sizeof bytes, 10, packed);
    int32_t refused = 0;
    for (size_t i = 0; i < size; ++i)
    {
        for (uint32_t bit = 0; bit < 8; ++bit)
        {
            packed[i] ^= (unsigned char)(1u << bit);
            refused += !wadi_session_open_chunk(packed, size, 10, back, sizeof back);
            packed[i] ^= (unsigned char)(1u << bit);
        }
    }
    assert_true(refused > 20);
    assert_false(wadi_session_open_chunk(packed, size - 1, 10, back, sizeof back));
    assert_false(wadi_session_open_chunk(packed, size + 1, 10, back, sizeof back));
    assert_false(wadi_session_open_chunk(packed, 0, 10, back, sizeof back));
    assert_true(wadi_session_open_chunk(packed, size, 10, back, sizeof back));
    assert_memory_equal(back, bytes, sizeof bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes_come_back),
        cmocka_unit_test(even_bytes_take_next_to_nothing),
        cmocka_unit_test(each_width_comes_back),
        cmocka_unit_test(small_cells_are_predicted),
        cmocka_unit_test(equal_chunks_are_shared),
        cmocka_unit_test(ground_becomes_small),
        cmocka_unit_test(damage_does_no_harm),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
