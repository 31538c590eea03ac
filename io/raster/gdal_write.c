// SPDX-License-Identifier: MIT
// Write rasters with GDAL, as copies of a dataset in memory: the ASC driver has
// no other way.
#include "io/libraries/netcdf_functions.h"
#include "io/raster/formats.h"
#include "io/raster/gdal_session.h"
#include "io/replace.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Copy of the values with `mark` in cells without data.
static float* gdal_write_marked(const wadi_io_raster* raster, double mark)
{
    const int64_t cells = (int64_t)raster->width * raster->height;
    float* out = malloc((size_t)cells * sizeof *out);
    for (int64_t i = 0; out != NULL && i < cells; ++i)
    {
        out[i] = isnan(raster->values[i]) ? (float)mark : raster->values[i];
    }
    return out;
}

static void gdal_write_place(const wadi_io_raster* raster, GDALDatasetH dataset)
{
    double affine[6];
    for (int i = 0; i < 6; ++i)
    {
        affine[i] = raster->georef.affine[i];
    }
    if (!raster->georef.valid)
    {
        // no position, only a cell size
        affine[0] = 0.0;
        affine[1] = raster->dx;
        affine[2] = 0.0;
        affine[3] = raster->dy * raster->height;
        affine[4] = 0.0;
        affine[5] = -raster->dy;
    }
    (void)GDALSetGeoTransform(dataset, affine);
    const bool has_system = raster->georef.wkt != NULL && raster->georef.wkt[0] != '\0';
    if (has_system)
    {
        (void)GDALSetProjection(dataset, raster->georef.wkt);
    }
    if (raster->point)
    {
        (void)GDALSetMetadataItem(dataset, "AREA_OR_POINT", "Point", NULL);
    }
}

// Copy a dataset to a file. Errors of the last bytes show up when the file is closed, as messages
// only. `options` are GDAL creation options separated by blanks.
static wadi_result gdal_copy(wadi_context* context, const char* driver, GDALDatasetH from,
                             const char* options, const char* path)
{
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    GDALDatasetH to = NULL;
    if (from != NULL)
    {
        char** list = CSLTokenizeString(options);
        to = GDALCreateCopy(GDALGetDriverByName(driver), path, from, FALSE, list, NULL, NULL);
        CSLDestroy(list);
    }
    const bool made = to != NULL;
    if (made)
    {
        GDALClose(to);
    }
    wadi_io_gdal_leave();
    return made && gdal.message[0] == '\0'
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_IO, "%s",
                                   gdal.message[0] != '\0' ? gdal.message : "out of memory");
}

static void gdal_write_tags(const wadi_io_tags* tags, GDALDatasetH dataset)
{
    for (int32_t i = 0; tags != NULL && i < tags->count; ++i)
    {
        if (tags->rows[i].value != NULL)
        {
            (void)GDALSetMetadataItem(dataset, tags->rows[i].key, tags->rows[i].value, NULL);
        }
    }
}

// The name that CF has for heights in metres; NULL for other values.
static const char* gdal_standard_name(const wadi_io_raster* raster, const char* name)
{
    const bool is_metres = raster->unit != NULL && strcmp(raster->unit, "m") == 0;
    return !is_metres                                                    ? NULL
           : strcmp(name, "surface") == 0 || strcmp(name, "height") == 0 ? "surface_altitude"
           : strcmp(name, "bedrock") == 0                                ? "bedrock_altitude"
                                                                         : NULL;
}

// Name and unit of the values.
static void gdal_write_names(const wadi_io_raster* raster, bool is_netcdf, GDALDatasetH dataset)
{
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    const char* name = raster->name != NULL ? raster->name : is_netcdf ? "height" : NULL;
    if (is_netcdf)
    {
        char variable[128];
        (void)snprintf(variable, sizeof variable, "%s", name);
        for (char* c = variable; *c != '\0'; ++c)
        {
            *c = isalnum((unsigned char)*c) != 0
                     ? *c
                     : '_'; // dots and blanks are no part of names in CF
        }
        (void)GDALSetMetadataItem(band, "NETCDF_VARNAME", variable, NULL);
        (void)GDALSetMetadataItem(band, "long_name", name, NULL);
        (void)GDALSetMetadataItem(dataset, "NC_GLOBAL#Conventions", "CF-1.8", NULL);
        const char* standard = gdal_standard_name(raster, name);
        if (standard != NULL)
        {
            (void)GDALSetMetadataItem(band, "standard_name", standard, NULL);
        }
    }
    else if (name != NULL)
    {
        GDALSetDescription(band, name);
    }
    if (raster->unit != NULL)
    {
        (void)(is_netcdf ? GDALSetMetadataItem(band, "units", raster->unit, NULL)
                         : GDALSetRasterUnitType(band, raster->unit));
    }
}

// The mark of cells without data: that of the input, but in maps, where it may be a value; 0 is one
// of slopes and depths.
static double gdal_mark(const wadi_io_raster* raster)
{
    const bool keeps = raster->has_nodata && (!raster->is_map || isnan(raster->nodata));
    return keeps ? raster->nodata : -9999.0;
}

static wadi_result gdal_write_heights(wadi_context* context, const wadi_io_raster* raster,
                                      const char* driver, const char* options, const char* path)
{
    const wadi_result ready = wadi_io_gdal_need(context);
    if (ready != WADI_OK)
    {
        return ready;
    }
    const double mark = gdal_mark(raster);
    float* values = gdal_write_marked(raster, mark);
    if (values == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory");
    }
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    GDALDatasetH dataset = wadi_io_gdal_wrap(values, raster->width, raster->height, 1, GDT_Float32);
    if (dataset != NULL)
    {
        (void)GDALSetRasterNoDataValue(GDALGetRasterBand(dataset, 1), mark);
        const bool is_netcdf = strcmp(driver, "netCDF") == 0;
        gdal_write_place(raster, dataset);
        // an ESRI grid has no room for text: its tags are in a sidecar
        if (strcmp(driver, "AAIGrid") != 0)
        {
            gdal_write_names(raster, is_netcdf, dataset);
            gdal_write_tags(is_netcdf ? NULL : raster->tags, dataset);
        }
    }
    wadi_io_gdal_leave();
    const wadi_result result = gdal_copy(context, driver, dataset, options, path);
    if (dataset != NULL)
    {
        GDALClose(dataset);
    }
    free(values);
    return result;
}

// Overviews inside the file: means of 2, 4, 8 ... cells, down to 256 cells on a side, so that a
// viewer need not read all of a large file.
static wadi_result gdal_add_overviews(wadi_context* context, const wadi_io_raster* raster,
                                      const char* path)
{
    int factors[16];
    int count = 0;
    const int32_t side = raster->width > raster->height ? raster->width : raster->height;
    for (int factor = 2; side / (factor / 2) > 512; factor *= 2)
    {
        factors[count++] = factor;
    }
    if (count == 0)
    {
        return WADI_OK;
    }
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_UPDATE, NULL, NULL, NULL);
    CPLSetThreadLocalConfigOption("COMPRESS_OVERVIEW", "DEFLATE");
    CPLSetThreadLocalConfigOption("PREDICTOR_OVERVIEW", "3");
    const bool made = dataset != NULL && GDALBuildOverviews(dataset, "AVERAGE", count, factors, 0,
                                                            NULL, NULL, NULL) == CE_None;
    CPLSetThreadLocalConfigOption("COMPRESS_OVERVIEW", NULL);
    CPLSetThreadLocalConfigOption("PREDICTOR_OVERVIEW", NULL);
    if (dataset != NULL)
    {
        GDALClose(dataset);
    }
    wadi_io_gdal_leave();
    return made && gdal.message[0] == '\0'
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_IO, "%s",
                                   gdal.message[0] != '\0' ? gdal.message : "out of memory");
}

wadi_result wadi_io_tiff_write(wadi_context* context, const wadi_io_raster* raster,
                               const wadi_io_sidecar* sidecar, const char* path)
{
    (void)sidecar;
    const wadi_result result = gdal_write_heights(
        context, raster, "GTiff", "COMPRESS=DEFLATE PREDICTOR=3 TILED=YES BIGTIFF=IF_SAFER", path);
    return result == WADI_OK ? gdal_add_overviews(context, raster, path) : result;
}

wadi_result wadi_io_asc_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path)
{
    // nine digits are enough to restore every float
    const wadi_result result =
        gdal_write_heights(context, raster, "AAIGrid", "SIGNIFICANT_DIGITS=9", path);
    return result == WADI_OK ? wadi_io_sidecar_write_tags(context, sidecar->tags, path) : result;
}

// GDAL writes coordinates without a system as degrees: name them for what they are, metres.
static int gdal_name_metres(int file)
{
    static const char* const rows[2][4] = {
        {"lon", "x", "projection_x_coordinate", "distance from the west"},
        {"lat", "y", "projection_y_coordinate", "distance from the south"},
    };
    int status = NC_NOERR;
    for (int i = 0; i < 2 && status == NC_NOERR; ++i)
    {
        int axis = 0;
        int variable = 0;
        const char* const* row = rows[i];
        status = nc_inq_dimid(file, row[0], &axis);
        status = status == NC_NOERR ? nc_rename_dim(file, axis, row[1]) : status;
        status = status == NC_NOERR ? nc_inq_varid(file, row[0], &variable) : status;
        status = status == NC_NOERR ? nc_rename_var(file, variable, row[1]) : status;
        const char* const texts[3][2] = {
            {"standard_name", row[2]}, {"long_name", row[3]}, {"units", "m"}};
        for (int k = 0; k < 3 && status == NC_NOERR; ++k)
        {
            status = nc_put_att_text(file, variable, texts[k][0], strlen(texts[k][1]), texts[k][1]);
        }
    }
    return status;
}

// Tags as global attributes. GDAL would cut their values at a second '='.
static int gdal_put_tags(int file, const wadi_io_tags* tags)
{
    int status = NC_NOERR;
    for (int32_t i = 0; tags != NULL && i < tags->count && status == NC_NOERR; ++i)
    {
        const wadi_io_tag* tag = &tags->rows[i];
        if (tag->value != NULL)
        {
            status = nc_put_att_text(file, NC_GLOBAL, tag->key, strlen(tag->value), tag->value);
        }
    }
    return status;
}

static wadi_result gdal_finish_netcdf(wadi_context* context, const wadi_io_raster* raster,
                                      const char* path)
{
    int file = 0;
    int status = nc_open(path, NC_WRITE, &file);
    if (status == NC_NOERR)
    {
        const bool has_system = raster->georef.wkt != NULL && raster->georef.wkt[0] != '\0';
        status = nc_redef(file);
        status = status == NC_NOERR ? gdal_put_tags(file, raster->tags) : status;
        status = status == NC_NOERR && !has_system ? gdal_name_metres(file) : status;
        const int closed = nc_close(file);
        status = status == NC_NOERR ? closed : status;
    }
    return status == NC_NOERR
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_IO, "NetCDF: %s", nc_strerror(status));
}

wadi_result wadi_io_netcdf_write(wadi_context* context, const wadi_io_raster* raster,
                                 const wadi_io_sidecar* sidecar, const char* path)
{
    (void)sidecar;
    // classic format with 64-bit offsets: HDF5 (NC4) crashes at exit after the disk was full
    wadi_result result = wadi_io_netcdf_need(context);
    if (result != WADI_OK)
    {
        return result;
    }
    result = gdal_write_heights(context, raster, "netCDF",
                                "FORMAT=NC2 WRITE_GDAL_VERSION=NO WRITE_GDAL_HISTORY=NO", path);
    return result == WADI_OK ? gdal_finish_netcdf(context, raster, path) : result;
}

// ---- some rows at a time ------------------------------------------------------------------------

static wadi_result gdal_fail_rows(wadi_context* context, const wadi_io_gdal* gdal)
{
    return wadi_context_fail(context, WADI_ERROR_IO, "%s",
                             gdal->message[0] != '\0' ? gdal->message : "out of memory");
}

wadi_result wadi_io_tiff_create_rows(wadi_context* context, const char* path, wadi_io_rows* rows)
{
    const wadi_io_raster* header = &rows->header;
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    char** list =
        CSLTokenizeString("COMPRESS=DEFLATE PREDICTOR=3 TILED=YES BIGTIFF=IF_SAFER SPARSE_OK=NO");
    rows->path = path;
    rows->dataset = GDALCreate(GDALGetDriverByName("GTiff"), path, header->width, header->height, 1,
                               GDT_Float32, list);
    CSLDestroy(list);
    if (rows->dataset != NULL)
    {
        rows->band = GDALGetRasterBand(rows->dataset, 1);
        (void)GDALSetRasterNoDataValue(rows->band, gdal_mark(header));
        gdal_write_place(header, rows->dataset);
        gdal_write_names(header, false, rows->dataset);
        gdal_write_tags(header->tags, rows->dataset);
    }
    wadi_io_gdal_leave();
    return rows->dataset != NULL ? WADI_OK : gdal_fail_rows(context, &gdal);
}

wadi_result wadi_io_tiff_write_rows(wadi_context* context, const wadi_io_rows* rows, int32_t y,
                                    int32_t count, float* values)
{
    const int width = rows->header.width;
    const float mark = (float)gdal_mark(&rows->header);
    for (int64_t i = 0; i < (int64_t)width * count; ++i)
    {
        values[i] = isnan(values[i]) ? mark : values[i];
    }
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    const CPLErr error = GDALRasterIO(rows->band, GF_Write, 0, y, width, count, values, width,
                                      count, GDT_Float32, 0, 0);
    wadi_io_gdal_leave();
    return error == CE_None && gdal.message[0] == '\0' ? WADI_OK : gdal_fail_rows(context, &gdal);
}

wadi_result wadi_io_tiff_finish_rows(wadi_context* context, wadi_io_rows* rows)
{
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    GDALClose(rows->dataset);
    rows->dataset = NULL;
    wadi_io_gdal_leave();
    return gdal.message[0] == '\0' ? gdal_add_overviews(context, &rows->header, rows->path)
                                   : gdal_fail_rows(context, &gdal);
}
