// SPDX-License-Identifier: MIT
#include "io/raster/tiff_rows.h"

#include "io/raster/gdal_session.h"

#include <math.h>
#include <stdlib.h>

#define ROWS_MARK (-9999.0) // of cells without data, as in whole files

static wadi_result rows_fail(wadi_context* context, const wadi_io_gdal* gdal)
{
    return wadi_context_fail(context, WADI_ERROR_IO, "%s",
                             gdal->message[0] != '\0' ? gdal->message : "cannot be written");
}

static void rows_describe(GDALDatasetH dataset, const wadi_io_raster* raster)
{
    double affine[6] = {0.0, raster->dx, 0.0, raster->dy * raster->height, 0.0, -raster->dy};
    for (int i = 0; i < 6 && raster->georef.valid; ++i)
    {
        affine[i] = raster->georef.affine[i];
    }
    (void)GDALSetGeoTransform(dataset, affine);
    if (raster->georef.wkt != NULL && raster->georef.wkt[0] != '\0')
    {
        (void)GDALSetProjection(dataset, raster->georef.wkt);
    }
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    (void)GDALSetRasterNoDataValue(band, ROWS_MARK);
    if (raster->name != NULL)
    {
        GDALSetDescription(band, raster->name);
    }
    if (raster->unit != NULL)
    {
        (void)GDALSetRasterUnitType(band, raster->unit);
    }
    for (int32_t i = 0; raster->tags != NULL && i < raster->tags->count; ++i)
    {
        const char* value = raster->tags->rows[i].value;
        if (value != NULL)
        {
            (void)GDALSetMetadataItem(dataset, raster->tags->rows[i].key, value, NULL);
        }
    }
}

wadi_result wadi_io_tiff_rows_begin(wadi_context* context, const wadi_io_raster* raster,
                                    const char* path, wadi_io_tiff_rows* out)
{
    *out =
        (wadi_io_tiff_rows){.context = context, .width = raster->width, .height = raster->height};
    wadi_result result = wadi_io_gdal_need(context);
    result = result == WADI_OK ? wadi_io_replace_begin(context, path, &out->replacement) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    char** options = CSLTokenizeString("COMPRESS=DEFLATE PREDICTOR=3 TILED=YES BIGTIFF=IF_SAFER");
    out->dataset = GDALCreate(GDALGetDriverByName("GTiff"), out->replacement.path, raster->width,
                              raster->height, 1, GDT_Float32, options);
    CSLDestroy(options);
    if (out->dataset != NULL)
    {
        rows_describe(out->dataset, raster);
    }
    wadi_io_gdal_leave();
    if (out->dataset == NULL || gdal.message[0] != '\0')
    {
        return wadi_io_tiff_rows_end(out, rows_fail(context, &gdal));
    }
    return WADI_OK;
}

static bool rows_mark(wadi_io_tiff_rows* file, const float* values, int64_t cells)
{
    if (file->marked_cells < cells)
    {
        free(file->marked);
        file->marked = malloc((size_t)cells * sizeof *file->marked);
        file->marked_cells = file->marked != NULL ? cells : 0;
    }
    for (int64_t i = 0; i < cells && file->marked != NULL; ++i)
    {
        file->marked[i] = isnan(values[i]) ? (float)ROWS_MARK : values[i];
    }
    return file->marked != NULL;
}

wadi_result wadi_io_tiff_rows_add(wadi_io_tiff_rows* file, const float* values, int32_t rows)
{
    if (!rows_mark(file, values, (int64_t)rows * file->width))
    {
        return wadi_context_fail(file->context, WADI_ERROR_MEMORY, "out of memory for rows of %s",
                                 file->replacement.target);
    }
    wadi_io_gdal gdal;
    wadi_io_gdal_enter(&gdal);
    const CPLErr error =
        GDALRasterIO(GDALGetRasterBand(file->dataset, 1), GF_Write, 0, file->row, file->width, rows,
                     file->marked, file->width, rows, GDT_Float32, 0, 0);
    wadi_io_gdal_leave();
    file->row += rows;
    return error == CE_None && gdal.message[0] == '\0' ? WADI_OK : rows_fail(file->context, &gdal);
}

wadi_result wadi_io_tiff_rows_end(wadi_io_tiff_rows* file, wadi_result result)
{
    wadi_io_gdal gdal = {.message = ""};
    if (file->dataset != NULL)
    {
        wadi_io_gdal_enter(&gdal);
        GDALClose(file->dataset); // writes the last blocks
        wadi_io_gdal_leave();
    }
    file->dataset = NULL;
    free(file->marked);
    file->marked = NULL;
    if (result == WADI_OK && gdal.message[0] != '\0')
    {
        result = rows_fail(file->context, &gdal);
    }
    return result == WADI_OK ? wadi_io_replace_commit(file->context, &file->replacement)
                             : wadi_io_replace_abort(file->context, &file->replacement, result);
}
