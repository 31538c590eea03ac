// SPDX-License-Identifier: MIT
// Tables from text: separators, column names of other programs, times instead of durations.
#include "sample.h"
#include "support/notes.h"

#include "io/table.h"
#include "io/table_time.h"
#include "laws/wind/wind_tables.h"

static wadi_result read_bytes(fixture* f, const char* text, size_t size, double* out, int32_t* rows)
{
    FILE* file = fopen("table.csv", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return wadi_io_table_read(f->context, "table.csv", &wadi_wind_tables[WIND_TABLE_SERIES], out, 8,
                              rows);
}

static wadi_result read_text(fixture* f, const char* text, double* out, int32_t* rows)
{
    return read_bytes(f, text, strlen(text), out, rows);
}

// The same three hours from the west and six from the south, in four dialects.
static void dialects_say_the_same(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "hours,direction,speed\n3,270,8\n6,180,9.5\n",
        "# a note\nspeed; direction; hours\n8; 270; 3\n\n9.5; 180; 6\n",
        "time_utc,u,speed_m_s,from_deg\n2019-12-31T22:00Z,1,8,270\n2020-01-01T01:00Z,2,9.5,180\n",
        "Data\tVVT\tDIR\n41014.5\t8\t270\n41014.625\t9.5\t180\n",
    };
    fixture f;
    fixture_open(&f, 1);
    for (int i = 0; i < 4; ++i)
    {
        double rows[3 * 8];
        int32_t count = 0;
        CHECK_OK(f.context, read_text(&f, texts[i], rows, &count));
        assert_int_equal(count, 2);
        CHECK_NEAR(rows[0], 3.0, 1e-9);
        CHECK_NEAR(rows[1], 270.0, 0.0);
        CHECK_NEAR(rows[2], 8.0, 0.0);
        // the last row of a series of times lasts as long as the one before it
        CHECK_NEAR(rows[3], i < 2 ? 6.0 : 3.0, 1e-9);
        CHECK_NEAR(rows[4], 180.0, 0.0);
        CHECK_NEAR(rows[5], 9.5, 0.0);
    }
    fixture_close(&f);
}

// A text that is refused, or read where there is no message, and the rows that are read then.
typedef struct table_case
{
    const char* text;
    wadi_result result;
    const char* message;
    int32_t rows;
} table_case;

static void check_cases(const table_case* cases, size_t count)
{
    fixture f;
    fixture_open(&f, 1);
    for (size_t i = 0; i < count; ++i)
    {
        double rows[3 * 8];
        int32_t read = 0;
        const wadi_result result = read_text(&f, cases[i].text, rows, &read);
        assert_int_equal(result, cases[i].result);
        if (cases[i].message != NULL)
        {
            assert_non_null(strstr(wadi_error_detail(f.context), cases[i].message));
        }
        else
        {
            assert_int_equal(read, cases[i].rows);
        }
    }
    fixture_close(&f);
}

static void bad_times_are_refused(void** state)
{
    (void)state;
    static const table_case cases[] = {
        {"time,direction,speed\nnoon,270,8\n", WADI_ERROR_FORMAT,
         "table.csv:2: 'noon' is neither a time", 0},
        {"time,direction,speed\n5,270,8\n4,270,8\n", WADI_ERROR_FORMAT, "row 2 is earlier", 0},
        {"time,direction,speed\n5,270,8\n", WADI_ERROR_FORMAT, "how long a single row", 0},
        {"direction,speed\n270,8\n", WADI_ERROR_FORMAT, "there is no column 'hours'", 0},
        // the tables themselves refuse to be empty
        {"time,direction,speed\n", WADI_OK, NULL, 0},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

static void values_out_of_range_are_refused_with_their_line(void** state)
{
    (void)state;
    static const table_case cases[] = {
        {"hours,direction,speed\n\n1,270,8\n1,270,-9999\n", WADI_ERROR_RANGE,
         "table.csv:4: speed is -9999, expected 0 to 60 m/s; leave out rows without data", 0},
        {"hours,direction,speed\n1,400,8\n", WADI_ERROR_RANGE,
         "table.csv:2: direction is 400, expected 0 to 360 degree", 0},
        {"time,direction,speed\n1,270,8\n2,270,NaN\n", WADI_ERROR_FORMAT,
         "table.csv:3: speed is 'NaN', expected a number in m/s; leave out rows", 0},
        {"hours;direction;speed\n1;270;8,5\n", WADI_ERROR_FORMAT,
         "table.csv:2: speed is '8,5', expected a number in m/s; write decimals with a point", 0},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

// Rows with decimal commas have more values than columns; a second column of a name would win.
static void doubtful_tables_are_refused(void** state)
{
    (void)state;
    static const table_case cases[] = {
        {"hours,direction,speed\n1,270,8,5\n", WADI_ERROR_FORMAT,
         "table.csv:2: the row has 4 values for 3 columns; write decimals with a point", 0},
        {"hours;direction;speed\n1;270;8\n1;270;8;;x\n", WADI_ERROR_FORMAT,
         "table.csv:3: the row has 5 values for 3 columns; name each column", 0},
        {"hours,direction,speed,speed\n1,270,8,5\n", WADI_ERROR_FORMAT,
         "table.csv:1: the column 'speed' is given twice; keep one of them", 0},
        // empty cells at the end, and columns that the table does not need
        {"hours,direction,speed,u,u\n1,270,8,1,2,,\n", WADI_OK, NULL, 1},
    };
    check_cases(cases, sizeof cases / sizeof cases[0]);
}

// A byte 0 hid the rest of its line, and a table in UTF-16 had none of its columns.
static void a_byte_0_is_refused_with_its_line(void** state)
{
    (void)state;
    static const char after[] = "hours,direction,speed\n1,270,8\n1,270,9\0,x\n";
    static const char wide[] = "h\0o\0u\0r\0s\0";
    fixture f;
    fixture_open(&f, 1);
    double rows[3 * 8];
    int32_t count = 0;
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "table.csv:3: a byte 0; expected text in UTF-8",
                read_bytes(&f, after, sizeof after - 1, rows, &count));
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "table.csv:1: a byte 0; expected text in UTF-8",
                read_bytes(&f, wide, sizeof wide - 1, rows, &count));
    // the last line may end without its mark
    CHECK_OK(f.context, read_text(&f, "hours,direction,speed\n1,270,8", rows, &count));
    assert_int_equal(count, 1);
    fixture_close(&f);
}

static void gaps_of_a_record_are_noted(void** state)
{
    (void)state;
    notes said;
    fixture f = {.context = notes_open(&said)};
    double rows[3 * 8];
    int32_t count = 0;
    CHECK_OK(f.context,
             read_text(&f,
                       "time,direction,speed\n2020-01-01T00:00,270,8\n2020-01-01T01:00,270,8\n"
                       "2020-01-01T02:00,270,8\n2020-01-01T10:00,270,8\n",
                       rows, &count));
    assert_non_null(strstr(said.last, "row 3 lasts 8 h"));
    CHECK_NEAR(rows[6], 8.0, 1e-9);
    CHECK_OK(f.context, read_text(&f,
                                  "time,direction,speed\n2020-01-01T00:00,270,8\n"
                                  "2020-01-01T01:00,270,8\n2020-01-01T03:00,270,8\n",
                                  rows, &count));
    assert_int_equal(said.count, 1);
    wadi_context_destroy(f.context);
}

static void times_are_counted_by_the_calendar(void** state)
{
    (void)state;
    static const struct
    {
        const char* from;
        const char* to;
        double hours;
    } spans[] = {
        {"2020-02-28", "2020-03-01", 48.0},
        {"2021-02-28", "2021-03-01", 24.0},
        {"1970-01-01", "1970-01-01T01:30Z", 1.5},
        {"1999-12-31 23:59:30", "2000-01-01", 1.0 / 120},
        {"1900-02-28", "1900-03-01", 24.0},
        {"2000-02-28", "2000-03-01", 48.0},
        {"41014.5", "41014.75", 6.0},
    };
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; ++i)
    {
        double from;
        double to;
        assert_true(wadi_io_time_parse(spans[i].from, &from));
        assert_true(wadi_io_time_parse(spans[i].to, &to));
        CHECK_NEAR(to - from, spans[i].hours, 1e-6);
    }
    static const char* const bad[] = {
        "", "2020", "2020-13-01", "2020-1-1", "2020-01-01T", "2020-01-01x", "2020-01-00", "T12:00"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        double hours;
        assert_true(wadi_io_time_parse(bad[i], &hours) == (strcmp(bad[i], "2020") == 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dialects_say_the_same),
        cmocka_unit_test(bad_times_are_refused),
        cmocka_unit_test(values_out_of_range_are_refused_with_their_line),
        cmocka_unit_test(doubtful_tables_are_refused),
        cmocka_unit_test(a_byte_0_is_refused_with_its_line),
        cmocka_unit_test(gaps_of_a_record_are_noted),
        cmocka_unit_test(times_are_counted_by_the_calendar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
