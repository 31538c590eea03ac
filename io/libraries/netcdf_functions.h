// SPDX-License-Identifier: MIT
// The library for NetCDF and its functions, which are called by their names and loaded when a file
// first needs them.
#pragma once

#include "io/libraries/library.h"

#include <netcdf.h>
#include <netcdf_mem.h>

// Load the library for NetCDF unless it is there. To be called before any of its functions.
// WADI_ERROR_IO: it cannot be loaded.
wadi_result wadi_io_netcdf_need(wadi_context* context);

#if WADI_IO_LOADS

// All functions that we call. One that is not in the list cannot be linked.
#define WADI_IO_NETCDF_FUNCTIONS(each)                                                             \
    each(nc__enddef) each(nc_close) each(nc_close_memio) each(nc_copy_att) each(nc_create)         \
        each(nc_create_mem) each(nc_def_dim) each(nc_def_var) each(nc_def_var_chunking)            \
            each(nc_def_var_deflate) each(nc_def_var_fill) each(nc_enddef) each(nc_free_string)    \
                each(nc_get_att_double) each(nc_get_att_string) each(nc_get_att_text) each(        \
                    nc_get_var1_double) each(nc_get_var_double) each(nc_get_var_uchar)             \
                    each(nc_get_vara_uchar) each(nc_inq) each(nc_inq_att) each(nc_inq_attid) each( \
                        nc_inq_attname) each(nc_inq_dim) each(nc_inq_dimid) each(nc_inq_dimlen)    \
                        each(nc_inq_nvars) each(nc_inq_var) each(nc_inq_vardimid)                  \
                            each(nc_inq_varid) each(nc_inq_varname) each(nc_inq_varnatts)          \
                                each(nc_inq_varndims) each(nc_inq_vartype) each(nc_open)           \
                                    each(nc_put_att_double) each(nc_put_att_string)                \
                                        each(nc_put_att_text) each(nc_put_var1_double)             \
                                            each(nc_put_var_double) each(nc_put_var_uchar)         \
                                                each(nc_put_vara_double) each(nc_put_vara_float)   \
                                                    each(nc_put_vara_uchar) each(nc_redef)         \
                                                        each(nc_rename_dim) each(nc_rename_var)    \
                                                            each(nc_strerror)

#define WADI_IO_NETCDF_MEMBER(function) __typeof__(function)* to_##function;
typedef struct wadi_io_netcdf_functions
{
    WADI_IO_NETCDF_FUNCTIONS(WADI_IO_NETCDF_MEMBER)
} wadi_io_netcdf_functions;

extern wadi_io_netcdf_functions wadi_io_netcdf_at;

#ifndef WADI_IO_NETCDF_LOADER // which needs the names themselves
#define nc__enddef wadi_io_netcdf_at.to_nc__enddef
#define nc_close wadi_io_netcdf_at.to_nc_close
#define nc_close_memio wadi_io_netcdf_at.to_nc_close_memio
#define nc_copy_att wadi_io_netcdf_at.to_nc_copy_att
#define nc_create wadi_io_netcdf_at.to_nc_create
#define nc_create_mem wadi_io_netcdf_at.to_nc_create_mem
#define nc_def_dim wadi_io_netcdf_at.to_nc_def_dim
#define nc_def_var wadi_io_netcdf_at.to_nc_def_var
#define nc_def_var_chunking wadi_io_netcdf_at.to_nc_def_var_chunking
#define nc_def_var_deflate wadi_io_netcdf_at.to_nc_def_var_deflate
#define nc_def_var_fill wadi_io_netcdf_at.to_nc_def_var_fill
#define nc_enddef wadi_io_netcdf_at.to_nc_enddef
#define nc_free_string wadi_io_netcdf_at.to_nc_free_string
#define nc_get_att_double wadi_io_netcdf_at.to_nc_get_att_double
#define nc_get_att_string wadi_io_netcdf_at.to_nc_get_att_string
#define nc_get_att_text wadi_io_netcdf_at.to_nc_get_att_text
#define nc_get_var1_double wadi_io_netcdf_at.to_nc_get_var1_double
#define nc_get_var_double wadi_io_netcdf_at.to_nc_get_var_double
#define nc_get_var_uchar wadi_io_netcdf_at.to_nc_get_var_uchar
#define nc_get_vara_uchar wadi_io_netcdf_at.to_nc_get_vara_uchar
#define nc_inq wadi_io_netcdf_at.to_nc_inq
#define nc_inq_att wadi_io_netcdf_at.to_nc_inq_att
#define nc_inq_attid wadi_io_netcdf_at.to_nc_inq_attid
#define nc_inq_attname wadi_io_netcdf_at.to_nc_inq_attname
#define nc_inq_dim wadi_io_netcdf_at.to_nc_inq_dim
#define nc_inq_dimid wadi_io_netcdf_at.to_nc_inq_dimid
#define nc_inq_dimlen wadi_io_netcdf_at.to_nc_inq_dimlen
#define nc_inq_nvars wadi_io_netcdf_at.to_nc_inq_nvars
#define nc_inq_var wadi_io_netcdf_at.to_nc_inq_var
#define nc_inq_vardimid wadi_io_netcdf_at.to_nc_inq_vardimid
#define nc_inq_varid wadi_io_netcdf_at.to_nc_inq_varid
#define nc_inq_varname wadi_io_netcdf_at.to_nc_inq_varname
#define nc_inq_varnatts wadi_io_netcdf_at.to_nc_inq_varnatts
#define nc_inq_varndims wadi_io_netcdf_at.to_nc_inq_varndims
#define nc_inq_vartype wadi_io_netcdf_at.to_nc_inq_vartype
#define nc_open wadi_io_netcdf_at.to_nc_open
#define nc_put_att_double wadi_io_netcdf_at.to_nc_put_att_double
#define nc_put_att_string wadi_io_netcdf_at.to_nc_put_att_string
#define nc_put_att_text wadi_io_netcdf_at.to_nc_put_att_text
#define nc_put_var1_double wadi_io_netcdf_at.to_nc_put_var1_double
#define nc_put_var_double wadi_io_netcdf_at.to_nc_put_var_double
#define nc_put_var_uchar wadi_io_netcdf_at.to_nc_put_var_uchar
#define nc_put_vara_double wadi_io_netcdf_at.to_nc_put_vara_double
#define nc_put_vara_float wadi_io_netcdf_at.to_nc_put_vara_float
#define nc_put_vara_uchar wadi_io_netcdf_at.to_nc_put_vara_uchar
#define nc_redef wadi_io_netcdf_at.to_nc_redef
#define nc_rename_dim wadi_io_netcdf_at.to_nc_rename_dim
#define nc_rename_var wadi_io_netcdf_at.to_nc_rename_var
#define nc_strerror wadi_io_netcdf_at.to_nc_strerror
#endif

#endif
