// SPDX-License-Identifier: MIT
#include "io/raster/heights.h"

#include "io/raster/geo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// Units of heights in files, as GDAL and others write them.
static const struct
{
    const char* name;
    double metres;
} heights_units[] = {
    {"ft", 0.3048},
    {"foot", 0.3048},
    {"feet", 0.3048},
    {"international foot", 0.3048},
    {"US survey foot", 1200.0 / 3937.0},
    {"US survey feet", 1200.0 / 3937.0},
    {"Foot_US", 1200.0 / 3937.0},
    {"us-ft", 1200.0 / 3937.0},
    {"ftUS", 1200.0 / 3937.0},
    {"km", 1000.0},
    {"kilometre", 1000.0},
    {"dm", 0.1},
    {"decimetre", 0.1},
    {"cm", 0.01},
    {"centimetre", 0.01},
    {"mm", 0.001},
    {"millimetre", 0.001},
};

// Values that cells of a type can have.
typedef struct heights_range
{
    const char* type;
    double lowest;
    double highest;
    bool integers;
} heights_range;

static const heights_range heights_ranges[] = {
    {"Byte", 0.0, 255.0, true},
    {"UInt16", 0.0, 65535.0, true},
    {"Int16", -32768.0, 32767.0, true},
    {"UInt32", 0.0, 4294967295.0, true},
    {"Int32", -2147483648.0, 2147483647.0, true},
    {"", 0.0, 1.0, false}, // floats, last
};

static const heights_range* heights_range_of(const wadi_io_raster* raster)
{
    const heights_range* range = heights_ranges;
    while (range->integers && strcmp(range->type, raster->type) != 0)
    {
        ++range;
    }
    return range;
}

// Lowest and highest value; both NaN without data.
static void heights_measure(const wadi_io_raster* raster, float* low, float* high)
{
    *low = NAN;
    *high = NAN;
    const int64_t cells = (int64_t)raster->width * raster->height;
    for (int64_t i = 0; i < cells; ++i)
    {
        *low = fminf(*low, raster->values[i]);
        *high = fmaxf(*high, raster->values[i]);
    }
}

bool wadi_io_heights_are_told(const wadi_io_reading* reading)
{
    return reading->relief != 0.0 || reading->low != 0.0 || reading->high != 0.0 ||
           reading->scale != 0.0;
}

bool wadi_io_heights_are_bare(const wadi_io_raster* raster)
{
    float low;
    float high;
    heights_measure(raster, &low, &high);
    // floats that were stretched to 0..1 may exceed it a little; heights in metres do it by far
    return heights_range_of(raster)->integers || isnan(low) || (low >= -1.0f && high <= 2.0f);
}

wadi_result wadi_io_heights_check(wadi_context* context, const wadi_io_reading* reading)
{
    const bool has_range = reading->high > reading->low;
    if (reading->relief != 0.0 && reading->scale != 0.0)
    {
        return wadi_context_fail(context, WADI_ERROR_ARGUMENT,
                                 "relief and scale both say how high the values are; give one of "
                                 "them");
    }
    if ((reading->relief != 0.0 || reading->scale != 0.0) && reading->high != 0.0)
    {
        return wadi_context_fail(context, WADI_ERROR_ARGUMENT,
                                 "max says how high the values are, and so does %s; give one of "
                                 "them",
                                 reading->relief != 0.0 ? "relief" : "scale");
    }
    if (reading->relief == 0.0 && reading->scale == 0.0 && !has_range)
    {
        return wadi_context_fail(context, WADI_ERROR_ARGUMENT,
                                 "max %g m is not above min %g m; give a max above it, or relief "
                                 "or scale",
                                 reading->high, reading->low);
    }
    return WADI_OK;
}

static wadi_result heights_check_floats(wadi_context* context, const char* path,
                                        const wadi_io_raster* raster)
{
    float low;
    float high;
    heights_measure(raster, &low, &high);
    return wadi_io_heights_are_bare(raster)
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s holds floats from %g to %g, not from 0 to 1, so its relief "
                                   "is in the file; leave relief, min and max out, or give scale",
                                   path, (double)low, (double)high);
}

wadi_result wadi_io_heights_apply(wadi_context* context, const char* path,
                                  const wadi_io_reading* reading, wadi_io_raster* raster)
{
    const heights_range* range = heights_range_of(raster);
    double scale = reading->scale;
    double offset = reading->low;
    if (scale == 0.0)
    {
        const double relief =
            reading->relief != 0.0 ? reading->relief : reading->high - reading->low;
        const wadi_result result =
            range->integers ? WADI_OK : heights_check_floats(context, path, raster);
        if (result != WADI_OK)
        {
            return result;
        }
        scale = relief / (range->highest - range->lowest);
        offset = reading->low - scale * range->lowest;
    }
    const int64_t cells = (int64_t)raster->width * raster->height;
    for (int64_t i = 0; i < cells; ++i)
    {
        // NaN stays NaN
        raster->values[i] = (float)(offset + scale * (double)raster->values[i]);
    }
    // the mark of the file is an integer that could be a height now
    raster->nodata = (double)NAN;
    raster->step = scale;
    (void)snprintf(raster->read_unit, sizeof raster->read_unit, "m");
    return WADI_OK;
}

double wadi_io_heights_unit(const char* unit)
{
    double metres = 1.0;
    for (size_t i = 0; i < sizeof heights_units / sizeof heights_units[0]; ++i)
    {
        metres = strcasecmp(unit, heights_units[i].name) == 0 ? heights_units[i].metres : metres;
    }
    return metres;
}

bool wadi_io_heights_is_foot(double metres)
{
    return metres > 0.3 && metres < 0.31;
}

wadi_result wadi_io_heights_to_metres(wadi_context* context, const char* path, bool quiet,
                                      wadi_io_raster* raster)
{
    const double metres = wadi_io_heights_unit(raster->read_unit);
    if (metres == 1.0)
    {
        return WADI_OK;
    }
    // turned into metres they would look like heights
    wadi_result result = wadi_io_heights_is_foot(metres)
                             ? wadi_io_heights_check_marks(context, path, raster)
                             : WADI_OK;
    if (result != WADI_OK)
    {
        return result;
    }
    if (!quiet)
    {
        wadi_log_line(context, "%s gives its heights in '%s'; they are turned into metres", path,
                      raster->read_unit);
    }
    const double step = raster->step != 0.0 ? raster->step : 1.0;
    const wadi_io_reading reading = {.scale = metres};
    result = wadi_io_heights_apply(context, path, &reading, raster);
    raster->step = step * metres;
    return result == WADI_OK ? wadi_io_raster_drop_vertical(context, raster) : result;
}

// Numbers that programs write where there is no data.
static bool heights_is_mark(float value)
{
    return value == -9999.0f || value == -32767.0f || value == -32768.0f;
}

wadi_result wadi_io_heights_check_marks(wadi_context* context, const char* path,
                                        const wadi_io_raster* raster)
{
    float low;
    float high;
    float next = INFINITY; // lowest value above `low`
    int64_t marked = 0;
    heights_measure(raster, &low, &high);
    for (int64_t i = 0; heights_is_mark(low) && i < (int64_t)raster->width * raster->height; ++i)
    {
        const float value = raster->values[i];
        marked += value == low ? 1 : 0;
        next = value > low ? fminf(next, value) : next;
    }
    return marked == 0 || next - low < 1000.0f
               ? WADI_OK
               : wadi_context_fail(
                     context, WADI_ERROR_FORMAT,
                     "%s: %lld cells are %g %s, a usual mark of no data that the file "
                     "does not declare; declare it: gdal_translate -a_nodata %g IN "
                     "OUT.tif",
                     path, (long long)marked, (double)low,
                     raster->read_unit[0] != '\0' ? raster->read_unit : "m", (double)low);
}

void wadi_io_heights_note(wadi_context* context, const char* path, const wadi_io_raster* raster)
{
    float low;
    float high;
    heights_measure(raster, &low, &high);
    if (strcmp(raster->type, "Byte") == 0)
    {
        wadi_log_line(context,
                      "%s has 8 bits, so its heights are terraces %.4g m high; export 16 bits or "
                      "floats",
                      path, raster->step != 0.0 ? fabs(raster->step) : 1.0);
    }
    if (raster->step == 0.0 && heights_range_of(raster)->integers && !raster->georef.valid)
    {
        wadi_log_line(context,
                      "%s does not say what its values are: %g to %g are taken as metres; "
                      "--relief or --scale say otherwise",
                      path, (double)low, (double)high);
    }
    if (raster->step == 0.0 && !heights_range_of(raster)->integers && !raster->georef.valid &&
        low >= 0.0f && high <= 1.0f && low < high)
    {
        wadi_log_line(context,
                      "%s holds %g to %g, as heights that are scaled to 0 to 1 do; they are taken "
                      "as metres; --relief or --scale say otherwise",
                      path, (double)low, (double)high);
    }
}
