// SPDX-License-Identifier: MIT
// GDAL and its C functions, which are called by their names and loaded when a file first needs
// them.
#pragma once

#include "io/libraries/library.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <gdal.h>
#include <gdal_frmts.h>
#include <ogr_srs_api.h>

// Load GDAL unless it is there. To be called before any of its functions.
// WADI_ERROR_IO: it cannot be loaded.
wadi_result wadi_io_gdal_need(wadi_context* context);

#if WADI_IO_LOADS

// All functions that we call. One that is not in the list cannot be linked.
#define WADI_IO_GDAL_FUNCTIONS(each)                                                                       \
    each(VSIFree) each(CPLGetErrorHandlerUserData) each(CPLPopErrorHandler) each(                          \
        CPLPushErrorHandlerEx) each(CPLSetThreadLocalConfigOption) each(CSLDestroy)                        \
        each(CSLTokenizeString) each(GDALBuildOverviews) each(GDALClose) each(GDALCreate) each(            \
            GDALCreateCopy) each(GDALGetBandDataset) each(GDALGetColorEntry)                               \
            each(GDALGetColorEntryCount) each(GDALDataTypeIsComplex) each(GDALGetDataTypeName) each(       \
                GDALGetDataTypeSizeBytes) each(GDALGetDatasetDriver) each(GDALGetDescription)              \
                each(GDALGetDriverByName) each(GDALGetDriverShortName) each(                               \
                    GDALGetGeoTransform) each(GDALGetMaskBand) each(GDALGetMaskFlags)                      \
                    each(GDALGetMetadata) each(GDALGetMetadataItem) each(GDALGetProjectionRef) each(       \
                        GDALGetRasterBand) each(GDALGetRasterBandXSize) each(GDALGetRasterBandYSize)       \
                        each(GDALGetRasterColorInterpretation) each(GDALGetRasterColorTable) each(         \
                            GDALGetRasterCount) each(GDALGetRasterDataType)                                \
                            each(GDALGetRasterNoDataValue) each(GDALGetRasterOffset) each(                 \
                                GDALGetRasterScale) each(GDALGetRasterUnitType) each(GDALOpenEx)           \
                                each(GDALRasterIO) each(GDALRasterIOEx) each(GDALRegister_AAIGrid) each(   \
                                    GDALRegister_BT) each(GDALRegister_GTiff) each(GDALRegister_HF2)       \
                                    each(GDALRegister_MEM) each(GDALRegister_PNG) each(                    \
                                        GDALRegister_SRTMHGT) each(GDALRegister_Terragen)                  \
                                        each(GDALRegister_netCDF) each(GDALSetCacheMax64) each(            \
                                            GDALSetDescription) each(GDALSetGeoTransform)                  \
                                            each(GDALSetMetadataItem) each(GDALSetProjection) each(        \
                                                GDALSetRasterNoDataValue) each(GDALSetRasterUnitType)      \
                                                each(OCTDestroyCoordinateTransformation) each(             \
                                                    OCTNewCoordinateTransformation)                        \
                                                    each(OCTTransform) each(OSRCopyGeogCSFrom) each(       \
                                                        OSRDestroySpatialReference)                        \
                                                        each(OSRExportToWkt) each(                         \
                                                            OSRExportToWktEx) each(OSRGetAttrValue)        \
                                                            each(OSRGetInvFlattening) each(                \
                                                                OSRGetLinearUnits)                         \
                                                                each(OSRGetNormProjParm) each(             \
                                                                    OSRGetSemiMajor) each(OSRIsGeographic) \
                                                                    each(OSRNewSpatialReference) each(     \
                                                                        OSRSetAxisMappingStrategy)         \
                                                                        each(OSRSetFromUserInput)          \
                                                                            each(OSRSetLAEA) each(         \
                                                                                OSRSetLinearUnits)         \
                                                                                each(OSRSetProjCS)         \
                                                                                    each(                  \
                                                                                        OSRStripVertical)

#define WADI_IO_GDAL_MEMBER(function) __typeof__(function)* to_##function;
typedef struct wadi_io_gdal_functions
{
    WADI_IO_GDAL_FUNCTIONS(WADI_IO_GDAL_MEMBER)
} wadi_io_gdal_functions;

extern wadi_io_gdal_functions wadi_io_gdal_at;

#ifndef WADI_IO_GDAL_LOADER // which needs the names themselves
#define VSIFree wadi_io_gdal_at.to_VSIFree
#define CPLGetErrorHandlerUserData wadi_io_gdal_at.to_CPLGetErrorHandlerUserData
#define CPLPopErrorHandler wadi_io_gdal_at.to_CPLPopErrorHandler
#define CPLPushErrorHandlerEx wadi_io_gdal_at.to_CPLPushErrorHandlerEx
#define CPLSetThreadLocalConfigOption wadi_io_gdal_at.to_CPLSetThreadLocalConfigOption
#define CSLDestroy wadi_io_gdal_at.to_CSLDestroy
#define CSLTokenizeString wadi_io_gdal_at.to_CSLTokenizeString
#define GDALBuildOverviews wadi_io_gdal_at.to_GDALBuildOverviews
#define GDALClose wadi_io_gdal_at.to_GDALClose
#define GDALCreate wadi_io_gdal_at.to_GDALCreate
#define GDALCreateCopy wadi_io_gdal_at.to_GDALCreateCopy
#define GDALGetBandDataset wadi_io_gdal_at.to_GDALGetBandDataset
#define GDALGetColorEntry wadi_io_gdal_at.to_GDALGetColorEntry
#define GDALGetColorEntryCount wadi_io_gdal_at.to_GDALGetColorEntryCount
#define GDALDataTypeIsComplex wadi_io_gdal_at.to_GDALDataTypeIsComplex
#define GDALGetDataTypeName wadi_io_gdal_at.to_GDALGetDataTypeName
#define GDALGetDataTypeSizeBytes wadi_io_gdal_at.to_GDALGetDataTypeSizeBytes
#define GDALGetDatasetDriver wadi_io_gdal_at.to_GDALGetDatasetDriver
#define GDALGetDescription wadi_io_gdal_at.to_GDALGetDescription
#define GDALGetDriverByName wadi_io_gdal_at.to_GDALGetDriverByName
#define GDALGetDriverShortName wadi_io_gdal_at.to_GDALGetDriverShortName
#define GDALGetGeoTransform wadi_io_gdal_at.to_GDALGetGeoTransform
#define GDALGetMaskBand wadi_io_gdal_at.to_GDALGetMaskBand
#define GDALGetMaskFlags wadi_io_gdal_at.to_GDALGetMaskFlags
#define GDALGetMetadata wadi_io_gdal_at.to_GDALGetMetadata
#define GDALGetMetadataItem wadi_io_gdal_at.to_GDALGetMetadataItem
#define GDALGetProjectionRef wadi_io_gdal_at.to_GDALGetProjectionRef
#define GDALGetRasterBand wadi_io_gdal_at.to_GDALGetRasterBand
#define GDALGetRasterBandXSize wadi_io_gdal_at.to_GDALGetRasterBandXSize
#define GDALGetRasterBandYSize wadi_io_gdal_at.to_GDALGetRasterBandYSize
#define GDALGetRasterColorInterpretation wadi_io_gdal_at.to_GDALGetRasterColorInterpretation
#define GDALGetRasterColorTable wadi_io_gdal_at.to_GDALGetRasterColorTable
#define GDALGetRasterCount wadi_io_gdal_at.to_GDALGetRasterCount
#define GDALGetRasterDataType wadi_io_gdal_at.to_GDALGetRasterDataType
#define GDALGetRasterNoDataValue wadi_io_gdal_at.to_GDALGetRasterNoDataValue
#define GDALGetRasterOffset wadi_io_gdal_at.to_GDALGetRasterOffset
#define GDALGetRasterScale wadi_io_gdal_at.to_GDALGetRasterScale
#define GDALGetRasterUnitType wadi_io_gdal_at.to_GDALGetRasterUnitType
#define GDALOpenEx wadi_io_gdal_at.to_GDALOpenEx
#define GDALRasterIO wadi_io_gdal_at.to_GDALRasterIO
#define GDALRasterIOEx wadi_io_gdal_at.to_GDALRasterIOEx
#define GDALRegister_AAIGrid wadi_io_gdal_at.to_GDALRegister_AAIGrid
#define GDALRegister_BT wadi_io_gdal_at.to_GDALRegister_BT
#define GDALRegister_GTiff wadi_io_gdal_at.to_GDALRegister_GTiff
#define GDALRegister_HF2 wadi_io_gdal_at.to_GDALRegister_HF2
#define GDALRegister_MEM wadi_io_gdal_at.to_GDALRegister_MEM
#define GDALRegister_PNG wadi_io_gdal_at.to_GDALRegister_PNG
#define GDALRegister_SRTMHGT wadi_io_gdal_at.to_GDALRegister_SRTMHGT
#define GDALRegister_Terragen wadi_io_gdal_at.to_GDALRegister_Terragen
#define GDALRegister_netCDF wadi_io_gdal_at.to_GDALRegister_netCDF
#define GDALSetCacheMax64 wadi_io_gdal_at.to_GDALSetCacheMax64
#define GDALSetDescription wadi_io_gdal_at.to_GDALSetDescription
#define GDALSetGeoTransform wadi_io_gdal_at.to_GDALSetGeoTransform
#define GDALSetMetadataItem wadi_io_gdal_at.to_GDALSetMetadataItem
#define GDALSetProjection wadi_io_gdal_at.to_GDALSetProjection
#define GDALSetRasterNoDataValue wadi_io_gdal_at.to_GDALSetRasterNoDataValue
#define GDALSetRasterUnitType wadi_io_gdal_at.to_GDALSetRasterUnitType
#define OCTDestroyCoordinateTransformation wadi_io_gdal_at.to_OCTDestroyCoordinateTransformation
#define OCTNewCoordinateTransformation wadi_io_gdal_at.to_OCTNewCoordinateTransformation
#define OCTTransform wadi_io_gdal_at.to_OCTTransform
#define OSRCopyGeogCSFrom wadi_io_gdal_at.to_OSRCopyGeogCSFrom
#define OSRDestroySpatialReference wadi_io_gdal_at.to_OSRDestroySpatialReference
#define OSRExportToWkt wadi_io_gdal_at.to_OSRExportToWkt
#define OSRExportToWktEx wadi_io_gdal_at.to_OSRExportToWktEx
#define OSRGetAttrValue wadi_io_gdal_at.to_OSRGetAttrValue
#define OSRGetInvFlattening wadi_io_gdal_at.to_OSRGetInvFlattening
#define OSRGetLinearUnits wadi_io_gdal_at.to_OSRGetLinearUnits
#define OSRGetNormProjParm wadi_io_gdal_at.to_OSRGetNormProjParm
#define OSRGetSemiMajor wadi_io_gdal_at.to_OSRGetSemiMajor
#define OSRIsGeographic wadi_io_gdal_at.to_OSRIsGeographic
#define OSRNewSpatialReference wadi_io_gdal_at.to_OSRNewSpatialReference
#define OSRSetAxisMappingStrategy wadi_io_gdal_at.to_OSRSetAxisMappingStrategy
#define OSRSetFromUserInput wadi_io_gdal_at.to_OSRSetFromUserInput
#define OSRSetLAEA wadi_io_gdal_at.to_OSRSetLAEA
#define OSRSetLinearUnits wadi_io_gdal_at.to_OSRSetLinearUnits
#define OSRSetProjCS wadi_io_gdal_at.to_OSRSetProjCS
#define OSRStripVertical wadi_io_gdal_at.to_OSRStripVertical
#endif

#endif
