// SPDX-License-Identifier: MIT
#include "io/raster/gdal_session.h"

#include <stdio.h>
#include <string.h>

static void CPL_STDCALL gdal_session_keep(CPLErr severity, CPLErrorNum number, const char* text)
{
    (void)number;
    wadi_io_gdal* gdal = CPLGetErrorHandlerUserData();
    if (severity >= CE_Failure && gdal->message[0] == '\0')
    {
        (void)snprintf(gdal->message, sizeof gdal->message, "%.*s", (int)strcspn(text, "\n"), text);
    }
}

void wadi_io_gdal_enter(wadi_io_gdal* gdal)
{
    *gdal = (wadi_io_gdal){.message = ""};
    GDALRegister_GTiff();
    GDALRegister_AAIGrid();
    GDALRegister_SRTMHGT();
    GDALRegister_PNG();
    GDALRegister_MEM();
    GDALRegister_netCDF();
    // heights of World Machine that hold their scale
    GDALRegister_BT();
    GDALRegister_HF2();
    GDALRegister_Terragen();
    CPLPushErrorHandlerEx(gdal_session_keep, gdal);
}

void wadi_io_gdal_leave(void)
{
    CPLPopErrorHandler();
}

GDALDatasetH wadi_io_gdal_wrap(const void* values, int32_t width, int32_t height, int32_t bands,
                               GDALDataType type)
{
    GDALDatasetH dataset =
        GDALCreate(GDALGetDriverByName("MEM"), "", width, height, bands, type, NULL);
    const int size = GDALGetDataTypeSizeBytes(type) * bands;
    for (int32_t band = 0; dataset != NULL && band < bands; ++band)
    {
        // bands are interleaved by pixel; GDALRasterIO reads this buffer but its parameter is not
        // const
        union
        {
            const void* from;
            void* to;
        } start = {.from = (const char*)values + band * GDALGetDataTypeSizeBytes(type)};
        if (GDALRasterIOEx(GDALGetRasterBand(dataset, band + 1), GF_Write, 0, 0, width, height,
                           start.to, width, height, type, size, (GSpacing)size * width,
                           NULL) != CE_None)
        {
            GDALClose(dataset);
            return NULL;
        }
    }
    return dataset;
}
