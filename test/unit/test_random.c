// SPDX-License-Identifier: MIT
// Philox against known answers and against an independent implementation.
#include "core/random.h"
#include "support/check.h"

#if !defined(__wasm__) // which its headers refuse
#include <Random123/philox.h>
#endif

typedef struct known_answer
{
    uint32_t counter[4];
    uint32_t key[2];
    uint32_t output[4];
} known_answer;

// Random123 1.14, kat_vectors, philox4x32 10.
static const known_answer known_answers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}},
    {{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu},
     {0xffffffffu, 0xffffffffu},
     {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}},
    {{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
     {0xa4093822u, 0x299f31d0u},
     {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}},
};

static void philox_gives_the_known_answers(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known_answers / sizeof known_answers[0]; ++i)
    {
        const known_answer* k = &known_answers[i];
        const wadi_philox got = wadi_philox4x32(k->counter[0], k->counter[1], k->counter[2],
                                                k->counter[3], k->key[0], k->key[1]);
        assert_memory_equal(got.v, k->output, sizeof got.v);
    }
}

#if !defined(__wasm__)
static void philox_agrees_with_random123(void** state)
{
    (void)state;
    for (uint32_t i = 0; i < 10000; ++i)
    {
        const uint32_t s = i * 2654435761u;
        const philox4x32_ctr_t counter = {{s, s ^ 0x5bd1e995u, i, ~s}};
        const philox4x32_key_t key = {{s * 3u, i * 7u}};
        const philox4x32_ctr_t want = philox4x32(counter, key);
        const wadi_philox got = wadi_philox4x32(counter.v[0], counter.v[1], counter.v[2],
                                                counter.v[3], key.v[0], key.v[1]);
        assert_memory_equal(got.v, want.v, sizeof got.v);
    }
}
#endif

// Seed, stream, entity and step all change the result, including their high words.
static void every_key_counts(void** state)
{
    (void)state;
    const wadi_philox base = wadi_random(1, 2, 3, 4);
    const wadi_philox other[] = {
        wadi_random(2, 2, 3, 4),
        wadi_random(1 | UINT64_C(1) << 40, 2, 3, 4),
        wadi_random(1, 3, 3, 4),
        wadi_random(1, 2, 4, 4),
        wadi_random(1, 2, 3 | UINT64_C(1) << 40, 4),
        wadi_random(1, 2, 3, 5),
    };
    for (size_t i = 0; i < sizeof other / sizeof other[0]; ++i)
    {
        assert_memory_not_equal(base.v, other[i].v, sizeof base.v);
    }
}

static void units_stay_below_one(void** state)
{
    (void)state;
    assert_true(wadi_unit_float(0xffffffffu) < 1.0f);
    assert_true(wadi_unit_float(0) == 0.0f);
    assert_true(wadi_unit_double(0xffffffffu, 0xffffffffu) < 1.0);
    assert_true(wadi_unit_double(0, 0) == 0.0);
    assert_true(wadi_unit_double(0x80000000u, 0) == 0.5);
}

// Mean 1/2 and variance 1/12 within five standard errors of 100 000 draws.
static void units_are_uniform(void** state)
{
    (void)state;
    enum
    {
        DRAWS = 100000
    };
    double sum = 0.0;
    double sum2 = 0.0;
    for (uint32_t i = 0; i < DRAWS; ++i)
    {
        const double u = (double)wadi_unit_float(wadi_random(7, 1, i, 0).v[0]) - 0.5;
        sum += u;
        sum2 += u * u;
    }
    assert_true(sum / DRAWS > -0.00457 && sum / DRAWS < 0.00457);
    assert_true(sum2 / DRAWS > 1.0 / 12.0 - 0.00118 && sum2 / DRAWS < 1.0 / 12.0 + 0.00118);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_known_answers),
#if !defined(__wasm__)
        cmocka_unit_test(philox_agrees_with_random123),
#endif
        cmocka_unit_test(every_key_counts),
        cmocka_unit_test(units_stay_below_one),
        cmocka_unit_test(units_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
