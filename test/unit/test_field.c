// SPDX-License-Identifier: MIT
// Field tables: every table of the library is complete, agrees with its *_default(), and refuses
// values outside its ranges.
#include "support/fixture.h"

#include "core/internal.h"

enum
{
    MOST_BYTES = 4096
};

typedef void table_check(wadi_context* context, const wadi_field_table* table);

static void for_each_table(table_check* check)
{
    fixture f;
    fixture_open(&f, 1);
    check(f.context, &wadi_airflow_fields);
    check(f.context, &wadi_amplify_fields);
    check(f.context, &wadi_goal_fields);
    check(f.context, &wadi_hydraulic_fields);
    check(f.context, &wadi_noise_fields);
    check(f.context, &wadi_render_fields);
    for (int32_t i = 0; i < wadi_process_count(NULL); ++i)
    {
        check(f.context, wadi_process_at(NULL, i)->fields);
    }
    fixture_close(&f);
}

static size_t field_size(const wadi_field* field)
{
    return field->type == WADI_FIELD_DOUBLE ? sizeof(double)
           : field->type == WADI_FIELD_BOOL ? sizeof(bool)
                                            : sizeof(int32_t);
}

// Offsets rise without overlap; gaps between fields are padding: smaller than the alignment of the
// next field.
static void check_every_byte(wadi_context* context, const wadi_field_table* table)
{
    (void)context;
    unsigned char covered[MOST_BYTES] = {0};
    assert_true(table->params_size <= MOST_BYTES);
    memset(covered, 1, sizeof(uint32_t)); // the cookie at the start
    for (int32_t i = 0; i < table->count; ++i)
    {
        const wadi_field* field = &table->fields[i];
        assert_true(field->offset % field_size(field) == 0);
        assert_true(field->offset + field_size(field) <= table->params_size);
        for (size_t b = 0; b < field_size(field); ++b)
        {
            assert_int_equal(covered[field->offset + b], 0);
            covered[field->offset + b] = 1;
        }
    }
    size_t hole = 0;
    for (size_t b = 0; b < table->params_size; ++b)
    {
        hole = covered[b] != 0 ? 0 : hole + 1;
        assert_true(hole < sizeof(double));
        // padding ends at an aligned field; a gap of four bytes could be a missing int32_t
        assert_false(hole >= sizeof(int32_t) && b % sizeof(double) < sizeof(int32_t));
    }
}

static void tables_cover_every_byte(void** state)
{
    (void)state;
    for_each_table(check_every_byte);
}

static void check_texts(wadi_context* context, const wadi_field_table* table)
{
    (void)context;
    for (int32_t i = 0; i < table->count; ++i)
    {
        const wadi_field* field = &table->fields[i];
        assert_true(strlen(field->name) > 0 && strlen(field->unit) > 0 && strlen(field->doc) > 0);
        assert_non_null(field->source);
        assert_ptr_equal(wadi_field_find(table, field->name), field); // names are unique
        assert_true(field->min <= field->initial && field->initial <= field->max);
        assert_int_equal(field->type == WADI_FIELD_ENUM, field->names != NULL);
    }
    assert_null(wadi_field_find(table, "no such field"));
}

static void fields_have_names_units_and_docs(void** state)
{
    (void)state;
    for_each_table(check_texts);
}

static void check_defaults(wadi_context* context, const wadi_field_table* table)
{
    _Alignas(double) unsigned char params[MOST_BYTES];
    wadi_fields_init(table, params);
    CHECK_OK(context, wadi_fields_check(context, table, params));
    for (int32_t i = 0; i < table->count; ++i)
    {
        const wadi_field* field = &table->fields[i];
        assert_true(wadi_field_get(field, params) == field->initial);
    }
}

static void defaults_are_in_range(void** state)
{
    (void)state;
    for_each_table(check_defaults);
    const wadi_hydraulic_params params = wadi_hydraulic_params_default();
    assert_int_equal(params.cookie, wadi_cookie(sizeof params));
    assert_true(params.lakes);
}

// One value out of range, by the setter and by the check of the whole struct; the message names the
// field and the struct is unchanged.
static void expect_out_of_range(wadi_context* context, const wadi_field_table* table,
                                const wadi_field* field, double value)
{
    _Alignas(double) unsigned char params[MOST_BYTES];
    unsigned char before[MOST_BYTES];
    wadi_fields_init(table, params);
    memcpy(before, params, table->params_size);
    CHECK_FAILS(context, WADI_ERROR_RANGE, field->name,
                wadi_field_set(context, table, field->name, value, params));
    assert_memory_equal(params, before, table->params_size);
    if (field->type == WADI_FIELD_DOUBLE)
    {
        memcpy(params + field->offset, &value, sizeof value);
        CHECK_FAILS(context, WADI_ERROR_RANGE, field->name,
                    wadi_fields_check(context, table, params));
    }
    else if (field->type != WADI_FIELD_BOOL && value == floor(value))
    {
        const int32_t whole = (int32_t)value;
        memcpy(params + field->offset, &whole, sizeof whole);
        CHECK_FAILS(context, WADI_ERROR_RANGE, field->name,
                    wadi_fields_check(context, table, params));
    }
}

static void check_ranges(wadi_context* context, const wadi_field_table* table)
{
    for (int32_t i = 0; i < table->count; ++i)
    {
        const wadi_field* field = &table->fields[i];
        expect_out_of_range(context, table, field, (double)NAN);
        if (field->type == WADI_FIELD_DOUBLE)
        {
            expect_out_of_range(context, table, field, nextafter(field->min, -(double)INFINITY));
            expect_out_of_range(context, table, field, nextafter(field->max, (double)INFINITY));
            expect_out_of_range(context, table, field, (double)INFINITY);
            expect_out_of_range(context, table, field, -(double)INFINITY);
        }
        else
        {
            expect_out_of_range(context, table, field, field->min - 1.0);
            expect_out_of_range(context, table, field, field->max + 1.0);
            expect_out_of_range(context, table, field, field->min + 0.5);
        }
    }
}

static void values_out_of_range_are_refused(void** state)
{
    (void)state;
    for_each_table(check_ranges);
}

static void check_cookie(wadi_context* context, const wadi_field_table* table)
{
    _Alignas(double) unsigned char params[MOST_BYTES];
    wadi_fields_init(table, params);
    params[0] ^= 1u;
    CHECK_FAILS(context, WADI_ERROR_PARAMS, table->name, wadi_fields_check(context, table, params));
}

static void params_that_nobody_filled_in_are_refused(void** state)
{
    (void)state;
    for_each_table(check_cookie);
}

static void text_is_read_to_its_end(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_field_table* table = &wadi_hydraulic_fields;
    wadi_hydraulic_params p = wadi_hydraulic_params_default();
    CHECK_OK(f.context, wadi_field_set_text(f.context, table, "rain", "1.25", &p));
    assert_true(p.rain == 1.25);
    CHECK_OK(f.context, wadi_field_set_text(f.context, table, "lakes", "off", &p));
    assert_false(p.lakes);
    CHECK_OK(f.context, wadi_field_set_text(f.context, table, "lakes", "yes", &p));
    assert_true(p.lakes);
    CHECK_OK(f.context, wadi_field_set_text(f.context, table, "model", "droplets", &p));
    assert_int_equal(p.model, WADI_HYDRAULIC_DROPLETS);
    CHECK_OK(f.context, wadi_field_set_text(f.context, table, "batches", "12", &p));
    assert_int_equal(p.batches, 12);

    const wadi_hydraulic_params kept = p;
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "rain",
                wadi_field_set_text(f.context, table, "rain", "1.25 m", &p));
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "rain",
                wadi_field_set_text(f.context, table, "rain", "", &p));
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "rain",
                wadi_field_set_text(f.context, table, "rain", "nan", &p));
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "true or false",
                wadi_field_set_text(f.context, table, "lakes", "perhaps", &p));
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "streams, parcels, droplets",
                wadi_field_set_text(f.context, table, "model", "grains", &p));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "batches",
                wadi_field_set_text(f.context, table, "batches", "1.5", &p));
    assert_memory_equal(&p, &kept, sizeof p);
    fixture_close(&f);
}

static void misspelt_names_get_a_hint(void** state)
{
    (void)state;
    const wadi_field_table* table = &wadi_hydraulic_fields;
    assert_string_equal(wadi_field_nearest(table, "rian"), "rain");
    assert_string_equal(wadi_field_nearest(table, "erodability"), "erodibility");
    assert_string_equal(wadi_field_nearest(table, "slope_exponentt"), "slope_exponent");
    assert_null(wadi_field_nearest(table, "temperature_of_the_sea"));
    char endless[500];
    memset(endless, 'r', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_null(wadi_field_nearest(table, endless));

    fixture f;
    fixture_open(&f, 1);
    wadi_hydraulic_params p = wadi_hydraulic_params_default();
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "did you mean 'rain'",
                wadi_field_set(f.context, table, "rian", 1.0, &p));
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "wadi describe hydraulic",
                wadi_field_set(f.context, table, "temperature_of_the_sea", 1.0, &p));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_cover_every_byte),
        cmocka_unit_test(fields_have_names_units_and_docs),
        cmocka_unit_test(defaults_are_in_range),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(params_that_nobody_filled_in_are_refused),
        cmocka_unit_test(text_is_read_to_its_end),
        cmocka_unit_test(misspelt_names_get_a_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
