// SPDX-License-Identifier: MIT
// Rasters of one quantity at several times, in one NetCDF file. Each raster is first written as a
// file of its own; the series has the same variables and attributes, and an axis of time in front.
// Classic format, as for single rasters, whose records are added without touching the others.
#include "io/libraries/netcdf_functions.h"
#include "io/raster/raster.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SERIES_TRY(expression)                                                                     \
    do                                                                                             \
    {                                                                                              \
        const int try_status = (expression);                                                       \
        if (try_status != NC_NOERR)                                                                \
        {                                                                                          \
            return try_status;                                                                     \
        }                                                                                          \
    } while (0)

enum
{
    SERIES_ROOM = 1024 // bytes that are free behind the header
};

// ---- a new file ---------------------------------------------------------------------------------

static int series_copy_attributes(int from, int variable, int to, int copy)
{
    int count = 0;
    SERIES_TRY(nc_inq_varnatts(from, variable, &count));
    for (int i = 0; i < count; ++i)
    {
        char name[NC_MAX_NAME + 1];
        SERIES_TRY(nc_inq_attname(from, variable, i, name));
        SERIES_TRY(nc_copy_att(from, variable, name, to, copy));
    }
    return NC_NOERR;
}

static int series_put_text(int file, int variable, const char* name, const char* text)
{
    return nc_put_att_text(file, variable, name, strlen(text), text);
}

static int series_define_time(int file, int* axis)
{
    int variable = 0;
    SERIES_TRY(nc_def_dim(file, "time", NC_UNLIMITED, axis));
    SERIES_TRY(nc_def_var(file, "time", NC_DOUBLE, 1, axis, &variable));
    SERIES_TRY(series_put_text(file, variable, "long_name", "time of the simulation"));
    SERIES_TRY(series_put_text(file, variable, "units", "yr"));
    return series_put_text(file, variable, "axis", "T");
}

// Variables keep their order, behind `time`; maps get its axis in front.
static int series_define_variable(int from, int variable, int to, int time)
{
    char name[NC_MAX_NAME + 1];
    nc_type type = NC_NAT;
    int axes[3] = {time, 0, 0};
    int count = 0;
    int copy = 0;
    SERIES_TRY(nc_inq_varndims(from, variable, &count));
    if (count > 2)
    {
        return NC_EBADDIM;
    }
    SERIES_TRY(nc_inq_var(from, variable, name, &type, NULL, axes + 1, NULL));
    for (int i = 1; i <= count; ++i)
    {
        axes[i] += 1; // `time` is the first axis
    }
    const bool is_map = count == 2;
    SERIES_TRY(nc_def_var(to, name, type, is_map ? 3 : count, is_map ? axes : axes + 1, &copy));
    return series_copy_attributes(from, variable, to, copy);
}

static int series_define(int from, int to)
{
    int axes = 0;
    int variables = 0;
    int time = 0;
    SERIES_TRY(nc_inq(from, &axes, &variables, NULL, NULL));
    SERIES_TRY(series_define_time(to, &time));
    for (int i = 0; i < axes; ++i)
    {
        char name[NC_MAX_NAME + 1];
        size_t length = 0;
        int copy = 0;
        SERIES_TRY(nc_inq_dim(from, i, name, &length));
        SERIES_TRY(nc_def_dim(to, name, length, &copy));
    }
    for (int i = 0; i < variables; ++i)
    {
        SERIES_TRY(series_define_variable(from, i, to, time));
    }
    SERIES_TRY(series_copy_attributes(from, NC_GLOBAL, to, NC_GLOBAL));
    // room for longer texts, so that maps stay where they are
    return nc__enddef(to, SERIES_ROOM, 4, 0, 4);
}

// ---- values -------------------------------------------------------------------------------------

// Copy a variable: a map to a record, coordinates as they are.
static int series_copy_values(int from, int variable, int to, size_t record)
{
    char name[NC_MAX_NAME + 1];
    int axes[2];
    int count = 0;
    int copy = 0;
    size_t start[3] = {record, 0, 0};
    size_t lengths[3] = {1, 1, 1};
    SERIES_TRY(nc_inq_varname(from, variable, name));
    SERIES_TRY(nc_inq_varndims(from, variable, &count));
    SERIES_TRY(nc_inq_vardimid(from, variable, axes));
    SERIES_TRY(nc_inq_varid(to, name, &copy));
    for (int i = 0; i < count; ++i)
    {
        SERIES_TRY(nc_inq_dimlen(from, axes[i], &lengths[i + 1]));
    }
    if (count == 0)
    {
        return NC_NOERR; // a grid mapping, which has attributes only
    }
    double* values = malloc(lengths[1] * lengths[2] * sizeof *values);
    if (values == NULL)
    {
        return NC_ENOMEM;
    }
    int status = nc_get_var_double(from, variable, values);
    if (status == NC_NOERR)
    {
        status = count == 2 ? nc_put_vara_double(to, copy, start, lengths, values)
                            : nc_put_var_double(to, copy, values);
    }
    free(values);
    return status;
}

// The record of a year: that of the same year, or one behind all earlier ones.
static int series_find_record(int file, double years, size_t* record)
{
    int axis = 0;
    int variable = 0;
    size_t count = 0;
    SERIES_TRY(nc_inq_dimid(file, "time", &axis));
    SERIES_TRY(nc_inq_varid(file, "time", &variable));
    SERIES_TRY(nc_inq_dimlen(file, axis, &count));
    for (*record = 0; *record < count; ++*record)
    {
        double there = 0.0;
        SERIES_TRY(nc_get_var1_double(file, variable, record, &there));
        if (there >= years - 1e-9 * fabs(years))
        {
            break;
        }
    }
    return nc_put_var1_double(file, variable, record, &years);
}

// Clock and hash of the file are those of its last map.
static int series_put_state(int from, int to)
{
    static const char* const names[] = {"wadi_clock_yr", "wadi_state_hash"};
    SERIES_TRY(nc_redef(to));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        const bool is_there = nc_inq_attid(from, NC_GLOBAL, names[i], NULL) == NC_NOERR;
        SERIES_TRY(is_there ? nc_copy_att(from, NC_GLOBAL, names[i], to, NC_GLOBAL) : NC_NOERR);
    }
    return nc_enddef(to);
}

static int series_put(int from, int to, double years)
{
    int axis = 0;
    size_t count = 0;
    size_t record = 0;
    int variables = 0;
    SERIES_TRY(series_find_record(to, years, &record));
    SERIES_TRY(nc_inq_nvars(from, &variables));
    for (int i = 0; i < variables; ++i)
    {
        SERIES_TRY(series_copy_values(from, i, to, record));
    }
    SERIES_TRY(nc_inq_dimid(to, "time", &axis));
    SERIES_TRY(nc_inq_dimlen(to, axis, &count));
    return record + 1 == count ? series_put_state(from, to) : NC_NOERR;
}

static int series_add(int from, const char* path, bool first, double years)
{
    int to = 0;
    const bool begins = first || access(path, F_OK) != 0;
    SERIES_TRY(begins ? nc_create(path, NC_CLOBBER | NC_64BIT_OFFSET, &to)
                      : nc_open(path, NC_WRITE, &to));
    int status = begins ? series_define(from, to) : NC_NOERR;
    status = status == NC_NOERR ? series_put(from, to, years) : status;
    const int closed = nc_close(to);
    return status == NC_NOERR ? closed : status;
}

wadi_result wadi_io_netcdf_add(wadi_context* context, const wadi_io_raster* raster,
                               const char* path, bool first, double years)
{
    char part[4096];
    int from = 0;
    if (snprintf(part, sizeof part, "%s.frame.nc", path) >= (int)sizeof part)
    {
        return wadi_context_fail(context, WADI_ERROR_ARGUMENT, "the name of a file is too long");
    }
    wadi_result result = wadi_io_netcdf_need(context);
    result = result == WADI_OK ? wadi_io_raster_write(context, raster, part) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    int status = nc_open(part, NC_NOWRITE, &from);
    if (status == NC_NOERR)
    {
        status = series_add(from, path, first, years);
        (void)nc_close(from);
    }
    (void)unlink(part);
    return status == NC_NOERR ? WADI_OK
                              : wadi_context_fail(context, WADI_ERROR_IO, "cannot add to %s: %s",
                                                  path, nc_strerror(status));
}
