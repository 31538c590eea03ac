// SPDX-License-Identifier: MIT
// What the command prints as JSON is JSON, and says what the library says.
#include "support/fixture.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

// Run the command with these arguments and read its standard output.
static json_t* ask(const char* arguments, int expected_status)
{
    char line[1024];
    (void)snprintf(line, sizeof line, "'%s' %s", WADI_BINARY, arguments);
    FILE* pipe = popen(line, "r");
    assert_non_null(pipe);
    json_error_t error;
    json_t* root = json_loadf(pipe, JSON_REJECT_DUPLICATES, &error);
    const int status = pclose(pipe);
    if (root == NULL)
    {
        fail_msg("wadi %s: line %d: %s", arguments, error.line, error.text);
    }
    assert_int_equal(status, expected_status << 8);
    return root;
}

static void check_text(const json_t* object, const char* key, const char* expected)
{
    assert_string_equal(json_string_value(json_object_get(object, key)), expected);
}

static void check_number(const json_t* object, const char* key, double expected)
{
    const json_t* value = json_object_get(object, key);
    assert_true(json_is_number(value));
    CHECK_NEAR(json_number_value(value), expected, 1e-12 * fabs(expected));
}

static void check_field(const json_t* said, const wadi_field* field)
{
    check_text(said, "name", field->name);
    check_text(said, "unit", field->unit);
    check_text(said, "doc", field->doc);
    check_text(said, "source", field->source);
    const json_t* initial = json_object_get(said, "default");
    if (field->type == WADI_FIELD_ENUM)
    {
        check_text(said, "default", field->names[(int)field->initial]);
        const json_t* names = json_object_get(said, "values");
        assert_int_equal(json_array_size(names), (size_t)field->max + 1);
        assert_true(json_is_null(json_object_get(said, "min")));
    }
    else if (field->type == WADI_FIELD_BOOL)
    {
        assert_true(json_is_boolean(initial));
        assert_int_equal(json_is_true(initial), field->initial != 0.0);
    }
    else
    {
        check_number(said, "default", field->initial);
        check_number(said, "min", field->min);
        check_number(said, "max", field->max);
    }
}

static void check_process(const json_t* said, const wadi_process* process)
{
    check_text(said, "name", process->name);
    check_text(said, "doc", process->doc);
    check_number(said, "default_years", process->default_years);
    const json_t* fields = json_object_get(said, "fields");
    assert_int_equal(json_array_size(fields), process->fields->count);
    for (int32_t i = 0; i < process->fields->count; ++i)
    {
        check_field(json_array_get(fields, (size_t)i), &process->fields->fields[i]);
    }
    assert_true(json_array_size(json_object_get(said, "maps")) > 0);
    assert_true(json_array_size(json_object_get(said, "presets")) > 0);
    const json_t* layers = json_object_get(said, "layers");
    assert_true(json_array_size(json_object_get(layers, "reads")) > 0);
    assert_true((json_array_size(json_object_get(layers, "writes")) > 0) !=
                wadi_process_has(process, WADI_MODEL_BODIES));
}

static void describe_says_what_the_tables_say(void** state)
{
    (void)state;
    json_t* root = ask("describe --json", 0);
    const json_t* processes = json_object_get(root, "processes");
    assert_int_equal(json_array_size(processes), wadi_process_count(NULL));
    for (int32_t i = 0; i < wadi_process_count(NULL); ++i)
    {
        const wadi_process* process = wadi_process_at(NULL, i);
        check_process(json_array_get(processes, (size_t)i), process);
        char arguments[128];
        (void)snprintf(arguments, sizeof arguments, "describe %s --json", process->name);
        json_t* one = ask(arguments, 0);
        const json_t* alone = json_object_get(one, "processes");
        assert_int_equal(json_array_size(alone), 1);
        assert_true(json_equal(json_array_get(alone, 0), json_array_get(processes, (size_t)i)));
        json_decref(one);
    }
    json_decref(root);
}

static void write_grid(const char* path, const char* cells)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    (void)fprintf(file,
                  "ncols 2\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 5\nNODATA_value -9\n%s\n",
                  cells);
    assert_int_equal(fclose(file), 0);
}

static void info_counts_what_is_there(void** state)
{
    (void)state;
    write_grid("a.asc", "1 2\n-9 6");
    json_t* root = ask("info a.asc --json --hash", 0);
    check_text(root, "format", "AAIGrid");
    check_text(root, "cell_unit", "m");
    check_number(root, "width", 2.0);
    check_number(root, "cell_width", 5.0);
    check_number(root, "cells", 4.0);
    check_number(root, "voids", 1.0);
    check_number(root, "min", 1.0);
    check_number(root, "max", 6.0);
    check_number(root, "mean", 3.0);
    check_number(root, "nodata", -9.0);
    assert_int_equal(strlen(json_string_value(json_object_get(root, "hash"))), 16);
    json_decref(root);
}

static void cells_without_data_have_no_range(void** state)
{
    (void)state;
    write_grid("void.asc", "-9 -9\n-9 -9");
    json_t* root = ask("info void.asc --json", 0);
    check_number(root, "voids", 4.0);
    assert_true(json_is_null(json_object_get(root, "min")));
    assert_true(json_is_null(json_object_get(root, "mean")));
    assert_null(json_object_get(root, "hash"));
    json_decref(root);
}

static void diff_measures_what_changed(void** state)
{
    (void)state;
    write_grid("a.asc", "1 2\n-9 6");
    write_grid("b.asc", "1 4\n-9 5");
    json_t* root = ask("diff a.asc b.asc --json", 1);
    assert_true(json_is_false(json_object_get(root, "equal")));
    check_number(root, "differing", 2.0);
    check_number(root, "max", 2.0);
    check_number(root, "raised_m3", 50.0);
    check_number(root, "lowered_m3", 25.0);
    json_decref(root);
    root = ask("diff a.asc a.asc --json", 0);
    assert_true(json_is_true(json_object_get(root, "equal")));
    json_decref(root);
}

// JSON has no infinity: what is infinite is null there.
static void an_infinite_difference_is_null(void** state)
{
    (void)state;
    const float cells[2][4] = {{1.0f, 2.0f, 3.0f, INFINITY}, {1.0f, 2.0f, 3.0f, 4.0f}};
    static const char* const paths[2] = {"a.r32", "b.r32"};
    for (int i = 0; i < 2; ++i)
    {
        FILE* file = fopen(paths[i], "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(cells[i], sizeof cells[i], 1, file), 1);
        assert_int_equal(fclose(file), 0);
    }
    json_t* root = ask("diff a.r32 b.r32 --json", 1);
    check_number(root, "differing", 1.0);
    assert_true(json_is_null(json_object_get(root, "max")));
    json_decref(root);
    root = ask("info a.r32 --json", 0);
    assert_true(json_is_null(json_object_get(root, "max")));
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describe_says_what_the_tables_say),
        cmocka_unit_test(info_counts_what_is_there),
        cmocka_unit_test(cells_without_data_have_no_range),
        cmocka_unit_test(diff_measures_what_changed),
        cmocka_unit_test(an_infinite_difference_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
