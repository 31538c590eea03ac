// SPDX-License-Identifier: MIT
// labels: fast data
// Two measured series of winds, in their original form: their sand transport and its direction.
#include "outside.h"
#include "sample.h"

#include "io/table.h"
#include "laws/wind/wind_drift.h"

enum
{
    MOST_ROWS = 20000
};

typedef struct series
{
    fixture f;
    wind_course course;
    int32_t rows;
    double hours;
} series;

static void series_open(series* s, const char* path, double gain)
{
    fixture_open(&s->f, 1);
    s->course = (wind_course){0};
    const wadi_table_info* table = &wadi_wind_tables[WIND_TABLE_SERIES];
    double* rows = calloc((size_t)MOST_ROWS * 3, sizeof *rows);
    assert_non_null(rows);
    CHECK_OK(s->f.context,
             wadi_io_table_read(s->f.context, path, table, rows, MOST_ROWS, &s->rows));
    s->hours = 0.0;
    for (int32_t i = 0; i < s->rows; ++i)
    {
        s->hours += rows[3 * i];
    }
    CHECK_OK(s->f.context, wadi_wind_course_table(&s->course, s->f.context, WIND_TABLE_SERIES, rows,
                                                  s->rows, 1.0, gain));
    free(rows);
}

static void series_close(series* s)
{
    wadi_wind_course_destroy(&s->course, s->f.context);
    fixture_close(&s->f);
}

// Two years of hourly winds from the Taklamakan: net transport is 28 % of gross, towards the
// south-east, with a threshold of 6 m/s.
static void the_taklamakan_drifts_south_east(void** state)
{
    (void)state;
    series s;
    series_open(&s, SAMPLE_DATA "taklamakan-era5land-2020-2021.csv", 1.0);
    assert_int_equal(s.rows, 17544);
    CHECK_NEAR(s.hours, 17544.0, 1e-6);
    const wind_drift drift = wadi_wind_drift(&s.course, 6.0);
    CHECK_NEAR(drift.ratio, 0.28, 0.005);
    CHECK_NEAR(drift.direction, 126.0, 1.0);
    series_close(&s);
}

// Three days at El Fangar, every ten minutes, midnight written twice: a north-westerly storm.
static void fangar_has_one_storm(void** state)
{
    (void)state;
    static const char file[] = "wind/fangar-wind-2012-04-15-to-18.txt";
    outside_folder folder;
    const int status = outside_find(&folder, file);
    if (status == 77)
    {
        skip();
    }
    assert_int_equal(status, 0);
    char path[2200];
    (void)snprintf(path, sizeof path, "%s/%s", folder.path, file);
    series s;
    series_open(&s, path, wadi_wind_gain(2.0, 1e-3));
    assert_int_equal(s.rows, 434);
    CHECK_NEAR(s.hours, 433.0 / 6.0, 0.05);
    const wind_drift drift = wadi_wind_drift(&s.course, 6.0);
    // surveys of the dune before and after fit best when moved 8 m towards 128 degrees
    assert_true(drift.ratio > 0.8);
    CHECK_NEAR(drift.direction, 128.0, 10.0);
    series_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_taklamakan_drifts_south_east),
        cmocka_unit_test(fangar_has_one_storm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
