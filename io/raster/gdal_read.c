// SPDX-License-Identifier: MIT
// Read rasters with GDAL: GeoTIFF, ASC, HGT, PNG, NetCDF and its other formats.
#include "io/raster/formats.h"
#include "io/raster/gdal_session.h"
#include "io/raster/projection_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static wadi_result gdal_fail(wadi_context* context, const wadi_io_gdal* gdal, const char* path,
                             const char* what)
{
    return wadi_context_fail(context, WADI_ERROR_FORMAT, "%s %s%s%s", path, what,
                             gdal->message[0] != '\0' ? ": " : "", gdal->message);
}

// Set cells to NaN that the file's mask hides: a band beside the heights, or a file FILE.msk.
static wadi_result gdal_apply_mask(wadi_context* context, const wadi_io_gdal* gdal,
                                   GDALRasterBandH band, const char* path,
                                   const wadi_io_part* cells, float* values)
{
    if ((GDALGetMaskFlags(band) & GMF_PER_DATASET) == 0)
    {
        return WADI_OK; // none, or the one that GDAL makes of the nodata value
    }
    const size_t width = (size_t)cells->width;
    unsigned char* seen = malloc(width);
    if (seen == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %s", path);
    }
    GDALRasterBandH mask = GDALGetMaskBand(band);
    CPLErr error = CE_None;
    for (int y = 0; y < cells->height && error == CE_None; ++y)
    {
        error = GDALRasterIO(mask, GF_Read, cells->x, cells->y + y, cells->width, 1, seen,
                             cells->width, 1, GDT_Byte, 0, 0);
        float* row = values + (size_t)y * width;
        for (size_t x = 0; x < width && error == CE_None; ++x)
        {
            row[x] = seen[x] != 0 ? row[x] : NAN;
        }
    }
    free(seen);
    return error == CE_None ? WADI_OK
                            : gdal_fail(context, gdal, path, "has a mask that cannot be read");
}

// `part`: the cells to read; NULL: all of them.
static wadi_result gdal_read_cells(wadi_context* context, const wadi_io_gdal* gdal,
                                   GDALRasterBandH band, const char* path, const wadi_io_part* part,
                                   wadi_io_raster* out)
{
    const wadi_io_part all = {0, 0, GDALGetRasterBandXSize(band), GDALGetRasterBandYSize(band)};
    const wadi_io_part cells = part != NULL ? *part : all;
    if (cells.width == 0)
    {
        out->width = all.width;
        out->height = all.height;
        return WADI_OK; // only its size was asked for
    }
    const int width = cells.width;
    const int height = cells.height;
    const wadi_result result = wadi_io_raster_allocate(context, path, width, height, out);
    if (result != WADI_OK)
    {
        return result;
    }
    const CPLErr error = GDALRasterIO(band, GF_Read, cells.x, cells.y, width, height, out->values,
                                      width, height, GDT_Float32, 0, 0);
    if (error != CE_None || gdal->message[0] != '\0')
    {
        return gdal_fail(context, gdal, path, "cannot be read to its end; is it cut short?");
    }
    const char* driver = GDALGetDriverShortName(GDALGetDatasetDriver(GDALGetBandDataset(band)));
    return strcmp(driver, "AAIGrid") == 0
               ? wadi_io_asc_check(context, path, (int64_t)width * height)
               : gdal_apply_mask(context, gdal, band, path, &cells, out->values);
}

// Set cells marked as nodata to NaN, and apply the band's scale and offset.
static void gdal_apply_band(GDALRasterBandH band, wadi_io_raster* out)
{
    int has_nodata = 0;
    int has_scale = 0;
    int has_offset = 0;
    out->nodata = GDALGetRasterNoDataValue(band, &has_nodata);
    out->has_nodata = has_nodata != 0;
    const double scale = GDALGetRasterScale(band, &has_scale);
    const double offset = GDALGetRasterOffset(band, &has_offset);
    // GDAL's drivers give a scale of 1 where the file has none
    const bool is_scaled = (has_scale != 0 && scale != 1.0) || (has_offset != 0 && offset != 0.0);
    out->step = is_scaled ? (has_scale != 0 ? scale : 1.0) : 0.0;
    const float mark = (float)out->nodata;
    const int64_t cells = out->values != NULL ? (int64_t)out->width * out->height : 0;
    for (int64_t i = 0; i < cells; ++i)
    {
        const float value = out->values[i];
        out->values[i] = out->has_nodata && value == mark ? NAN
                         : has_scale != 0 || has_offset != 0
                             ? (float)((has_scale != 0 ? scale : 1.0) * (double)value +
                                       (has_offset != 0 ? offset : 0.0))
                             : value;
    }
}

// True if coordinates without a reference system are in the range of degrees, not metres.
static bool gdal_looks_like_degrees(const wadi_io_raster* raster)
{
    const double* a = raster->georef.affine;
    const double west = a[0];
    const double north = a[3];
    const double east = west + a[1] * raster->width;
    const double south = north + a[5] * raster->height;
    return a[1] < 0.1 && west >= -181.0 && east <= 361.0 && south >= -91.0 && north <= 91.0 &&
           (raster->width > 200 || fabs(a[1] * 3600.0 - floor(a[1] * 3600.0 + 0.5)) < 1e-6) &&
           (east - west > 0.001);
}

// The coordinate system, which the caller frees; "" if there is none.
static char* gdal_system(wadi_context* context, GDALDatasetH dataset, const char* path)
{
    const char* wkt = GDALGetProjectionRef(dataset);
    const char* driver = GDALGetDriverShortName(GDALGetDatasetDriver(dataset));
    char* beside = (wkt == NULL || wkt[0] == '\0') && strcmp(driver, "AAIGrid") == 0
                       ? wadi_io_projection_beside(context, path)
                       : NULL;
    return beside != NULL ? beside : strdup(wkt != NULL ? wkt : "");
}

static wadi_result gdal_read_system(wadi_context* context, GDALDatasetH dataset, const char* path,
                                    wadi_io_raster* out)
{
    out->georef.wkt = gdal_system(context, dataset, path);
    const char* wkt = out->georef.wkt;
    if (out->georef.wkt == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %s", path);
    }
    double metres = 1.0;
    OGRSpatialReferenceH system = OSRNewSpatialReference(NULL);
    if (wkt[0] != '\0' && OSRSetFromUserInput(system, wkt) == OGRERR_NONE)
    {
        out->geographic = OSRIsGeographic(system) != 0;
        metres = out->geographic ? 1.0 : OSRGetLinearUnits(system, NULL);
    }
    OSRDestroySpatialReference(system);
    out->dx = out->georef.affine[1] * metres;
    out->dy = -out->georef.affine[5] * metres;
    if (out->georef.wkt[0] == '\0' && gdal_looks_like_degrees(out))
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s has no coordinate system and its coordinates look like "
                                 "degrees; name one with gdal_translate -a_srs EPSG:4326",
                                 path);
    }
    return WADI_OK;
}

// The driver of Terragen files turns the rows from the north, but gives them a cell height over 0.
static void gdal_turn_terragen(GDALDatasetH dataset, wadi_io_raster* out)
{
    double* a = out->georef.affine;
    const char* driver = GDALGetDriverShortName(GDALGetDatasetDriver(dataset));
    if (strcmp(driver, "Terragen") == 0 && a[5] > 0.0)
    {
        a[3] = a[5] * out->height;
        a[5] = -a[5];
    }
}

// A rotation that moves no cell by a thousandth of its side is what is left of rounding.
static void gdal_drop_rotation(GDALDatasetH dataset, double* a)
{
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    const double across = fabs(a[2]) * GDALGetRasterBandYSize(band);
    const double down = fabs(a[4]) * GDALGetRasterBandXSize(band);
    if (across < 1e-3 * fabs(a[1]) && down < 1e-3 * fabs(a[5]))
    {
        a[2] = 0.0;
        a[4] = 0.0;
    }
}

// Fail unless rows run from west to east and the first one is in the north.
static wadi_result gdal_check_place(wadi_context* context, const char* path, const double* a)
{
    if (a[2] == 0.0 && a[4] == 0.0 && (!(fabs(a[1]) > 0.0) || !(fabs(a[5]) > 0.0)))
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s has cells of %g x %g; expected a size above 0 in its header "
                                 "or world file",
                                 path, a[1], fabs(a[5]));
    }
    return a[2] == 0.0 && a[4] == 0.0 && a[1] > 0.0 && a[5] < 0.0
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s is not north up; rotate it with gdalwarp first", path);
}

static wadi_result gdal_read_place(wadi_context* context, GDALDatasetH dataset, const char* path,
                                   wadi_io_raster* out)
{
    const char* point = GDALGetMetadataItem(dataset, "AREA_OR_POINT", NULL);
    out->point = point != NULL && strcmp(point, "Point") == 0;
    if (GDALGetGeoTransform(dataset, out->georef.affine) != CE_None)
    {
        return WADI_OK; // no georeference; the caller requires a cell size
    }
    gdal_turn_terragen(dataset, out);
    gdal_drop_rotation(dataset, out->georef.affine);
    const wadi_result placed = gdal_check_place(context, path, out->georef.affine);
    out->georef.valid = placed == WADI_OK;
    return placed == WADI_OK ? gdal_read_system(context, dataset, path, out) : placed;
}

enum
{
    GDAL_NAMES = 512 // bytes of the names of variables
};

// Names of the maps of a file: "height, slope".
static void gdal_list_variables(GDALDatasetH dataset, char names[GDAL_NAMES])
{
    names[0] = '\0';
    char** list = GDALGetMetadata(dataset, "SUBDATASETS");
    for (int i = 0; list != NULL && list[i] != NULL; ++i)
    {
        // SUBDATASET_1_NAME=NETCDF:"file.nc":height
        const char* value = strchr(list[i], '=');
        const char* name = value != NULL ? strrchr(value, ':') : NULL;
        if (name != NULL && strstr(list[i], "_NAME=") != NULL)
        {
            const size_t used = strlen(names);
            (void)snprintf(names + used, GDAL_NAMES - used, "%s%.80s", used > 0 ? ", " : "",
                           name + 1);
        }
    }
    const char* only =
        names[0] == '\0' && GDALGetRasterCount(dataset) > 0
            ? GDALGetMetadataItem(GDALGetRasterBand(dataset, 1), "NETCDF_VARNAME", NULL)
            : NULL;
    if (only != NULL)
    {
        (void)snprintf(names, GDAL_NAMES, "%.80s", only);
    }
}

// Fail with the names of the variables of a file that has several.
static wadi_result gdal_fail_variables(wadi_context* context, GDALDatasetH dataset,
                                       const char* path)
{
    char names[GDAL_NAMES];
    gdal_list_variables(dataset, names);
    return wadi_context_fail(context, WADI_ERROR_FORMAT,
                             "%s has several variables: %s; choose one, such as %s:NAME", path,
                             names, path);
}

// Which of the maps of a variable with an axis of time is meant: FILE.nc:NAME@3 is the third.
static wadi_result gdal_choose_time(wadi_context* context, int bands, const char* path, int* chosen)
{
    const char* at = strrchr(path, '@');
    char* end = NULL;
    const long number = at != NULL ? strtol(at + 1, &end, 10) : bands;
    if ((at == NULL && bands == 1) ||
        (at != NULL && *end == '\0' && number >= 1 && number <= bands))
    {
        *chosen = (int)number;
        return WADI_OK;
    }
    return wadi_context_fail(context, WADI_ERROR_FORMAT,
                             "%s has %d times; choose one from FILE.nc:NAME@1 to FILE.nc:NAME@%d",
                             path, bands, bands);
}

// True if the band has a palette that is not the greys in their order.
static bool gdal_has_colours(GDALRasterBandH band)
{
    GDALColorTableH table = GDALGetRasterColorTable(band);
    bool grey = true;
    for (int i = 0; table != NULL && i < GDALGetColorEntryCount(table); ++i)
    {
        const GDALColorEntry* entry = GDALGetColorEntry(table, i);
        grey = grey && entry->c1 == i && entry->c2 == i && entry->c3 == i;
    }
    return !grey && GDALGetRasterColorInterpretation(band) == GCI_PaletteIndex;
}

// Name and unit of the values, where the file has them and they are not too long.
static void gdal_read_names(GDALRasterBandH band, wadi_io_raster* out)
{
    const char* unit = GDALGetRasterUnitType(band);
    const char* title = GDALGetMetadataItem(band, "long_name", NULL);
    const char* name = title != NULL ? title : GDALGetDescription(band);
    if (unit != NULL && strlen(unit) < sizeof out->read_unit)
    {
        memcpy(out->read_unit, unit, strlen(unit) + 1);
    }
    if (name != NULL && strlen(name) < sizeof out->read_name)
    {
        memcpy(out->read_name, name, strlen(name) + 1);
    }
}

// With a scale of 0 all heights would be one.
static bool gdal_has_scale(GDALRasterBandH band, double* scale)
{
    int has_scale = 0;
    *scale = GDALGetRasterScale(band, &has_scale);
    return has_scale == 0 || (*scale != 0.0 && isfinite(*scale));
}

// The band that holds the heights.
static wadi_result gdal_choose_band(wadi_context* context, GDALDatasetH dataset, const char* path,
                                    GDALRasterBandH* band)
{
    const int bands = GDALGetRasterCount(dataset);
    const char* driver = GDALGetDriverShortName(GDALGetDatasetDriver(dataset));
    int chosen = 1;
    wadi_result result = bands == 0 ? gdal_fail_variables(context, dataset, path)
                         : strcmp(driver, "netCDF") == 0
                             ? gdal_choose_time(context, bands, path, &chosen)
                             : WADI_OK;
    if (result == WADI_OK && strcmp(driver, "netCDF") != 0 && bands != 1)
    {
        result = wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s has %d bands; a map of heights has one (gdal_translate -b 1 "
                                   "picks one)",
                                   path, bands);
    }
    *band = result == WADI_OK ? GDALGetRasterBand(dataset, chosen) : NULL;
    double scale = 1.0;
    if (*band != NULL && !gdal_has_scale(*band, &scale))
    {
        result = wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s has a scale of %g for its heights; expected one other than "
                                   "0, which gdal_edit.py -scale 1 sets",
                                   path, scale);
    }
    if (*band != NULL && GDALDataTypeIsComplex(GDALGetRasterDataType(*band)) != 0)
    {
        result = wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s holds complex numbers, which are no heights", path);
    }
    return result;
}

static wadi_result gdal_read_dataset(wadi_context* context, const wadi_io_gdal* gdal,
                                     GDALDatasetH dataset, const char* path,
                                     const wadi_io_part* part, wadi_io_raster* out)
{
    GDALRasterBandH band = NULL;
    wadi_result result = gdal_choose_band(context, dataset, path, &band);
    result = result == WADI_OK ? gdal_read_cells(context, gdal, band, path, part, out) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    gdal_apply_band(band, out);
    gdal_read_names(band, out);
    out->is_picture = gdal_has_colours(band);
    (void)snprintf(out->type, sizeof out->type, "%s",
                   GDALGetDataTypeName(GDALGetRasterDataType(band)));
    (void)snprintf(out->format, sizeof out->format, "%s",
                   GDALGetDriverShortName(GDALGetDatasetDriver(dataset)));
    return gdal_read_place(context, dataset, path, out);
}

// The name under which GDAL opens a file, or a variable of it.
static void gdal_name(const char* path, char file[4096], char name[4224])
{
    const char* variable;
    wadi_io_variable_of(path, file, &variable);
    (void)snprintf(name, 4224, "%s%s%s%.*s", variable[0] != '\0' ? "NETCDF:\"" : "", file,
                   variable[0] != '\0' ? "\":" : "", (int)strcspn(variable, "@"), variable);
}

// Fail for a file, or a variable of it, that GDAL cannot open.
static wadi_result gdal_fail_open(wadi_context* context, const wadi_io_gdal* gdal, const char* path)
{
    char file[4096];
    const char* variable;
    char names[GDAL_NAMES] = "";
    wadi_io_variable_of(path, file, &variable);
    GDALDatasetH whole = variable[0] != '\0'
                             ? GDALOpenEx(file, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL)
                             : NULL;
    if (whole != NULL)
    {
        gdal_list_variables(whole, names);
        GDALClose(whole);
    }
    return names[0] != '\0'
               ? wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s has no variable '%.*s'; it has: %s", file,
                                   (int)strcspn(variable, "@"), variable, names)
               : gdal_fail(context, gdal, path,
                           "is not a readable raster (GeoTIFF, ASC, HGT, PNG, NetCDF, R16, R32, "
                           "EXR)");
}

wadi_result wadi_io_gdal_read(wadi_context* context, const char* path,
                              const wadi_io_sidecar* sidecar, wadi_io_raster* out)
{
    (void)sidecar;
    return wadi_io_gdal_read_part(context, path, NULL, out);
}

wadi_result wadi_io_gdal_read_part(wadi_context* context, const char* path,
                                   const wadi_io_part* part, wadi_io_raster* out)
{
    char file[4096];
    char name[4224];
    gdal_name(path, file, name);
    wadi_result result = wadi_io_netcdf_check(context, file);
    result = result == WADI_OK ? wadi_io_gdal_need(context) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    GDALDatasetH dataset = GDALOpenEx(name, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    result = dataset == NULL ? gdal_fail_open(context, &gdal, path)
                             : gdal_read_dataset(context, &gdal, dataset, path, part, out);
    if (dataset != NULL)
    {
        GDALClose(dataset);
    }
    wadi_io_gdal_leave();
    return result;
}

// ---- some rows at a time ------------------------------------------------------------------------

static wadi_result gdal_open_rows(wadi_context* context, GDALDatasetH dataset, const char* path,
                                  wadi_io_rows* rows)
{
    GDALRasterBandH band = NULL;
    wadi_io_raster* header = &rows->header;
    const wadi_result result = gdal_choose_band(context, dataset, path, &band);
    if (result != WADI_OK)
    {
        return result;
    }
    rows->band = band;
    gdal_apply_band(band, header); // without cells: the mark and the step
    gdal_read_names(band, header);
    header->width = GDALGetRasterBandXSize(band);
    header->height = GDALGetRasterBandYSize(band);
    header->is_picture = gdal_has_colours(band);
    return gdal_read_place(context, dataset, path, header);
}

wadi_result wadi_io_gdal_open_rows(wadi_context* context, const char* path, wadi_io_rows* rows)
{
    char file[4096];
    char name[4224];
    gdal_name(path, file, name);
    wadi_result result = wadi_io_netcdf_check(context, file);
    result = result == WADI_OK ? wadi_io_gdal_need(context) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    rows->dataset = GDALOpenEx(name, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    result = rows->dataset == NULL ? gdal_fail_open(context, &gdal, path)
                                   : gdal_open_rows(context, rows->dataset, path, rows);
    wadi_io_gdal_leave();
    return result;
}

wadi_result wadi_io_gdal_read_rows(wadi_context* context, const wadi_io_rows* rows, int32_t y,
                                   int32_t count, float* values)
{
    const int width = rows->header.width;
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    const CPLErr error = GDALRasterIO(rows->band, GF_Read, 0, y, width, count, values, width, count,
                                      GDT_Float32, 0, 0);
    wadi_result result =
        error == CE_None && gdal.message[0] == '\0'
            ? WADI_OK
            : gdal_fail(context, &gdal, rows->path, "cannot be read to its end; is it cut short?");
    if (result == WADI_OK)
    {
        const wadi_io_part cells = {0, y, width, count};
        wadi_io_raster part = {.width = width, .height = count, .values = values};
        result = gdal_apply_mask(context, &gdal, rows->band, rows->path, &cells, values);
        gdal_apply_band(rows->band, &part);
    }
    wadi_io_gdal_leave();
    return result;
}
