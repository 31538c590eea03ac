// SPDX-License-Identifier: MIT
// Write rasters and pictures with GDAL, as copies of a dataset in memory: the PNG and ASC drivers
// have no other way.
#include "io/raster/formats.h"
#include "io/raster/gdal_session.h"
#include "io/replace.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <math.h>
#include <stdlib.h>

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
    if (raster->georef.wkt != NULL && raster->georef.wkt[0] != '\0')
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

static wadi_result gdal_write_heights(wadi_context* context, const wadi_io_raster* raster,
                                      const char* driver, const char* options, const char* path)
{
    const double mark = raster->has_nodata ? raster->nodata : -9999.0;
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
        gdal_write_place(raster, dataset);
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

wadi_result wadi_io_tiff_write(wadi_context* context, const wadi_io_raster* raster,
                               const wadi_io_sidecar* sidecar, const char* path)
{
    (void)sidecar;
    return gdal_write_heights(context, raster, "GTiff",
                              "COMPRESS=DEFLATE PREDICTOR=3 TILED=YES BIGTIFF=IF_SAFER", path);
}

wadi_result wadi_io_asc_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path)
{
    (void)sidecar;
    // nine digits are enough to restore every float
    return gdal_write_heights(context, raster, "AAIGrid", "SIGNIFICANT_DIGITS=9", path);
}

wadi_result wadi_io_netcdf_write(wadi_context* context, const wadi_io_raster* raster,
                                 const wadi_io_sidecar* sidecar, const char* path)
{
    (void)sidecar;
    // classic format with 64-bit offsets: HDF5 (NC4) crashes at exit after the disk was full
    return gdal_write_heights(context, raster, "netCDF", "FORMAT=NC2", path);
}

// Write a PNG of 16-bit grey or 8-bit RGB pixels.
static wadi_result gdal_write_png(wadi_context* context, const void* pixels, int32_t width,
                                  int32_t height, int32_t bands, const char* path)
{
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    GDALDatasetH dataset =
        wadi_io_gdal_wrap(pixels, width, height, bands, bands == 1 ? GDT_UInt16 : GDT_Byte);
    wadi_io_gdal_leave();
    const wadi_result result = gdal_copy(context, "PNG", dataset, "", path);
    if (dataset != NULL)
    {
        GDALClose(dataset);
    }
    return result;
}

wadi_result wadi_io_png_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path)
{
    uint16_t* cells = NULL;
    wadi_result result = wadi_io_quantise(context, raster, sidecar, &cells);
    if (result == WADI_OK)
    {
        result = gdal_write_png(context, cells, raster->width, raster->height, 1, path);
    }
    free(cells);
    return result;
}

wadi_result wadi_io_picture_write(wadi_context* context, const uint8_t* rgb, int32_t width,
                                  int32_t height, const char* path)
{
    wadi_io_replacement replacement;
    wadi_result result = wadi_io_replace_begin(context, path, &replacement);
    if (result != WADI_OK)
    {
        return result;
    }
    result = gdal_write_png(context, rgb, width, height, 3, replacement.path);
    return result == WADI_OK ? wadi_io_replace_commit(context, &replacement)
                             : wadi_io_replace_abort(context, &replacement, result);
}
