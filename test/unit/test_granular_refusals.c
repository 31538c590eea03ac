// SPDX-License-Identifier: MIT
// Refusals of grains, and no leaks when memory runs out.
#include "core/seal.h"
#include "support/soil.h"

#include <wadi/grain_mesh.h>

#include <math.h>

static wadi_result make(soil* s)
{
    wadi_grains_destroy(s->grains);
    return wadi_grains_create(s->f.context, &s->params, s->materials, s->material_count, s->list,
                              s->count, &s->grains);
}

// A valid grain.
static wadi_grain* open_one(soil* s)
{
    soil_open(s, 1, 4);
    return soil_add(s, 0.0, 0.0, 0.0, 0.01);
}

static void every_parameter_out_of_range_is_refused(void** state)
{
    (void)state;
    const wadi_field_table* tables[] = {&wadi_grains_fields, &wadi_grain_material_fields};
    soil s;
    open_one(&s);
    for (int t = 0; t < 2; ++t)
    {
        for (int32_t i = 0; i < tables[t]->count; ++i)
        {
            const wadi_field* field = &tables[t]->fields[i];
            const double outside[] = {field->min - 1.0, field->max * 2.0 + 1.0, (double)NAN};
            for (int k = 0; k < (field->type == WADI_FIELD_DOUBLE ? 3 : 2); ++k)
            {
                s.params = wadi_grains_params_default();
                s.materials[0] = wadi_grain_material_default();
                unsigned char* at =
                    (t == 0 ? (unsigned char*)&s.params : (unsigned char*)&s.materials[0]) +
                    field->offset;
                const double most = outside[k] < (double)INT32_MAX ? outside[k] : (double)INT32_MAX;
                const int32_t whole = k < 2 ? (int32_t)most : 0;
                memcpy(at, field->type == WADI_FIELD_DOUBLE ? (const void*)&outside[k] : &whole,
                       field->type == WADI_FIELD_DOUBLE ? sizeof outside[k] : sizeof whole);
                CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, field->name, make(&s));
                assert_null(s.grains);
            }
        }
    }
    soil_close(&s);
}

static void grains_that_make_no_sense_are_refused(void** state)
{
    (void)state;
    soil s;
    wadi_grain* grain = open_one(&s);
    const wadi_grain good = *grain;
    grain->radius = 0.0;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "radius of grain 0", make(&s));
    *grain = good;
    grain->position[2] = (double)INFINITY;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "no number", make(&s));
    *grain = good;
    grain->material = 1;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "material 1", make(&s));
    *grain = good;
    grain->wetness = -0.1;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "wetness", make(&s));
    *grain = good;
    s.params.period_x = 0.05;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "period_x", make(&s));
    grain->position[0] = 2.0;
    s.params.period_x = 1.0;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "outside of the world's period", make(&s));
    s.count = 0;
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "0 grains", make(&s));
    s.material_count = 0;
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "0 materials", make(&s));
    s.material_count = 1;
    s.materials[0].liquid_limit = 0.1;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "liquid_limit", make(&s));
    soil_close(&s);
}

static void step_above_the_stable_limit_is_refused(void** state)
{
    (void)state;
    soil s;
    open_one(&s);
    soil_add(&s, 0.02, 0.0, 0.0, 0.01);
    soil_make(&s);
    const double limit = wadi_grains_step_limit(s.grains);
    const double expected = 0.2 * sqrt(soil_mass(&s, 0) / s.materials[0].stiffness);
    CHECK_NEAR(limit, expected, 1e-12);
    s.params.step = 1.001 * limit;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "longest that is stable", make(&s));
    s.params.step = limit;
    CHECK_OK(s.f.context, make(&s));

    // stiffer bonds than contacts need shorter steps
    s.materials[0].bond_modulus = 1e9;
    CHECK_OK(s.f.context, make(&s));
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "longest that is stable",
                wadi_grains_bond(s.grains, 0.1, NULL));
    assert_int_equal(wadi_grains_summarize(s.grains).bonds, 0);
    soil_run(&s, 10);
    soil_close(&s);
}

static void walls_and_forces_that_make_no_sense_are_refused(void** state)
{
    (void)state;
    soil s;
    open_one(&s);
    soil_make(&s);
    int32_t number = 7;
    wadi_grain_wall wall = {.normal = {0.0, 0.0, 0.0}};
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "normal",
                wadi_grains_add_wall(s.grains, &wall, &number));
    assert_int_equal(number, -1);
    wall.normal[0] = 1.0;
    wall.material = 3;
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "material 3",
                wadi_grains_add_wall(s.grains, &wall, &number));
    wall.material = 0;
    for (int i = 0; i < WADI_GRAIN_MAX_WALLS; ++i)
    {
        CHECK_OK(s.f.context, wadi_grains_add_wall(s.grains, &wall, &number));
    }
    CHECK_FAILS(s.f.context, WADI_ERROR_STATE, "remove one first",
                wadi_grains_add_wall(s.grains, &wall, &number));
    CHECK_OK(s.f.context, wadi_grains_remove_wall(s.grains, 3));
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "no wall 3",
                wadi_grains_remove_wall(s.grains, 3));
    CHECK_OK(s.f.context, wadi_grains_add_wall(s.grains, &wall, &number));
    assert_int_equal(number, 3);
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "no grain 1",
                wadi_grains_set_force(s.grains, 1, (double[3]){0.0, 0.0, 0.0}));
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "no number",
                wadi_grains_set_force(s.grains, 0, (double[3]){0.0, (double)NAN, 0.0}));
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "wetness of grain 0",
                wadi_grains_set_wetness(s.grains, (double[1]){-1.0}));
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "twice the skin",
                wadi_grains_bond(s.grains, 3.0, NULL));
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "-1 steps", wadi_grains_advance(s.grains, -1));
    soil_close(&s);
}

static void ground_with_a_hole_is_refused(void** state)
{
    (void)state;
    soil s;
    open_one(&s);
    soil_make(&s);
    float heights[4] = {0.0f, 0.0f, NAN, 0.0f};
    wadi_grain_ground ground = {.heights = heights, .width = 2, .height = 2, .cell_size = 1.0};
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "cell (0, 1)",
                wadi_grains_set_ground(s.grains, &ground));
    heights[2] = 0.0f;
    CHECK_OK(s.f.context, wadi_grains_set_ground(s.grains, &ground));
    ground.width = 1;
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "1 x 2 cells",
                wadi_grains_set_ground(s.grains, &ground));
    soil_close(&s);
}

// Overlapping grains make the step fail; only a restore recovers the world.
static void force_beyond_counting_is_refused(void** state)
{
    (void)state;
    soil s;
    open_one(&s);
    wadi_grain* other = soil_add(&s, 0.05, 0.0, 0.0, 0.01);
    other->velocity[0] = -4000.0;
    s.params.skin = 1.0;
    s.params.step = 1e-5;
    soil_make(&s);
    const size_t size = wadi_grains_save_size(s.grains);
    void* bytes = test_calloc(size, 1);
    wadi_grains_save(s.grains, bytes);
    CHECK_FAILS(s.f.context, WADI_ERROR_STATE, "push each other",
                wadi_grains_advance(s.grains, 10));
    CHECK_FAILS(s.f.context, WADI_ERROR_STATE, "restore", wadi_grains_advance(s.grains, 1));
    CHECK_OK(s.f.context, wadi_grains_restore(s.grains, bytes, size));
    CHECK_FAILS(s.f.context, WADI_ERROR_FORMAT, "take",
                wadi_grains_restore(s.grains, bytes, size - 1));
    CHECK_FAILS(s.f.context, WADI_ERROR_FORMAT, "too few", wadi_grains_restore(s.grains, bytes, 3));
    memset(bytes, 1, 8);
    CHECK_FAILS(s.f.context, WADI_ERROR_FORMAT, "no saved grains",
                wadi_grains_restore(s.grains, bytes, size));
    test_free(bytes);
    soil_close(&s);
}

// ---- saved states under a checksum of their own ------------------------------------------

// A block of four bonded grains on a floor, beside a mesh that turns, and a grain that leans on it.
static void saved_world(soil* s)
{
    static const double corners[3][3] = {
        {-0.0095, -1.0, 0.0}, {-0.0095, 1.0, 0.0}, {-0.0095, 0.0, 1.0}};
    static const int32_t triangle[1][3] = {{0, 1, 2}};
    const wadi_mesh mesh = {corners, 3, triangle, 1};
    const wadi_grain_motion motion = {.axis = {1.0, 0.0, 0.0}, .spin = 1.0};
    int32_t number;
    soil_open(s, 1, 5);
    for (int i = 0; i < 4; ++i)
    {
        soil_add(s, 0.0199 * (i % 2), 0.0, 0.0099 + 0.0199 * (i / 2), 0.01);
    }
    soil_add(s, 0.0, 0.0198, 0.0098, 0.01)->velocity[0] = 0.2;
    s->materials[0].bond_tension = 1e4;
    soil_make(s);
    soil_floor(s);
    CHECK_OK(s->f.context, wadi_grains_add_mesh(s->grains, &mesh, 0, &motion, &number));
    CHECK_OK(s->f.context, wadi_grains_bond(s->grains, 0.0, NULL));
    const double push[3] = {0.0, -1e-3, 0.0};
    CHECK_OK(s->f.context, wadi_grains_set_force(s->grains, 4, push));
    CHECK_OK(s->f.context, wadi_grains_advance(s->grains, 20));
}

static bool grains_are_numbers(const soil* s)
{
    wadi_grain list[5];
    bool numbers = true;
    wadi_grains_read(s->grains, list);
    for (int32_t i = 0; i < wadi_grains_count(s->grains); ++i)
    {
        for (int c = 0; c < 3; ++c)
        {
            numbers = numbers && isfinite(list[i].position[c]) && isfinite(list[i].velocity[c]) &&
                      isfinite(list[i].spin[c]);
        }
        numbers = numbers && isfinite(list[i].radius) && isfinite(list[i].wetness);
    }
    return numbers;
}

// Whether a state is refused with a message. One that is not moves on, with numbers, or stops with
// a message.
static bool is_refused(soil* s, unsigned char* bytes, size_t size)
{
    wadi_seal(bytes, size);
    const bool refused = wadi_grains_restore(s->grains, bytes, size) != WADI_OK;
    const bool moves = !refused && wadi_grains_advance(s->grains, 3) == WADI_OK;
    assert_true(moves || wadi_error_detail(s->f.context)[0] != '\0');
    assert_true(!moves || grains_are_numbers(s));
    return refused;
}

// Write a value over each word of a state in turn; returns how many were refused.
static int32_t spoil_words(soil* s, const unsigned char* bytes, size_t size, const void* value,
                           size_t width)
{
    unsigned char* spoilt = test_calloc(size, 1);
    int32_t refused = 0;
    for (size_t at = 0; at + width <= size - WADI_SEAL; at += width)
    {
        memcpy(spoilt, bytes, size);
        memcpy(spoilt + at, value, width);
        refused += is_refused(s, spoilt, size);
    }
    test_free(spoilt);
    return refused;
}

static void every_spoilt_number_is_refused_or_harmless(void** state)
{
    (void)state;
    soil s;
    saved_world(&s);
    const size_t size = wadi_grains_save_size(s.grains);
    unsigned char* bytes = test_calloc(size, 1);
    wadi_grains_save(s.grains, bytes);
    const uint64_t hash = wadi_grains_hash(s.grains);
    const double odd[] = {(double)NAN, (double)INFINITY, 1e300, -1e300, -1.0};
    const int32_t least[] = {342, 342, 345, 347, 159};
    for (int k = 0; k < 5; ++k)
    {
        const int32_t refused = spoil_words(&s, bytes, size, &odd[k], sizeof odd[k]);
        print_message("%g: %d of %zu numbers are refused\n", odd[k], refused, size / 8);
        assert_true(refused >= least[k]);
    }
    const int32_t other = 77;
    assert_true(spoil_words(&s, bytes, size, &other, sizeof other) >= 20); // kinds, ids, walls
    CHECK_OK(s.f.context, wadi_grains_restore(s.grains, bytes, size));
    assert_true(wadi_grains_hash(s.grains) == hash);
    test_free(bytes);
    soil_close(&s);
}

// ---- memory ------------------------------------------------------------------------------

// All operations that allocate, one after another.
static wadi_result live(soil* s)
{
    float heights[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    const wadi_grain_ground ground = {
        .heights = heights, .width = 2, .height = 2, .cell_size = 1.0};
    const wadi_grain_wall wall = {.point = {0.0, 0.0, -0.02}, .normal = {0.0, 0.0, 1.0}};
    int32_t number;
    wadi_result result = make(s);
    result = result == WADI_OK ? wadi_grains_add_wall(s->grains, &wall, &number) : result;
    result = result == WADI_OK ? wadi_grains_set_ground(s->grains, &ground) : result;
    result = result == WADI_OK ? wadi_grains_bond(s->grains, 0.2, NULL) : result;
    result = result == WADI_OK ? wadi_grains_set_force(s->grains, 0, (double[3]){0.1, 0.0, 0.0})
                               : result;
    return result == WADI_OK ? wadi_grains_advance(s->grains, 5) : result;
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    bool reached = true;
    int64_t n = 1;
    for (; reached; ++n)
    {
        soil s;
        soil_open(&s, 1, 300);
        s.params.chunk = 16;
        soil_pack(&s, (double[3]){0.0, 0.0, 0.0}, (double[3]){0.12, 0.12, 0.08}, 0.01, false);
        s.f.memory.calls = 0;
        s.f.memory.fail_at = n;
        const wadi_result result = live(&s);
        reached = s.f.memory.calls >= n;
        assert_int_equal(result, reached ? WADI_ERROR_MEMORY : WADI_OK);
        s.f.memory.fail_at = 0;
        if (reached && s.grains != NULL)
        {
            CHECK_OK(s.f.context, wadi_grains_advance(s.grains, 5)); // there is memory again
        }
        soil_close(&s); // fails when a byte is still held
    }
    assert_true(n > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_parameter_out_of_range_is_refused),
        cmocka_unit_test(grains_that_make_no_sense_are_refused),
        cmocka_unit_test(step_above_the_stable_limit_is_refused),
        cmocka_unit_test(walls_and_forces_that_make_no_sense_are_refused),
        cmocka_unit_test(ground_with_a_hole_is_refused),
        cmocka_unit_test(force_beyond_counting_is_refused),
        cmocka_unit_test(every_spoilt_number_is_refused_or_harmless),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
