// SPDX-License-Identifier: MIT
// Shared libraries that are loaded when a file first needs them. GDAL brings a hundred others with
// it: to link them takes 35 ms of processor time at each start of a program, and most commands read
// and write none of its files. Where shared libraries have no names that a program can load them
// by, and with -DWADI_LOAD=OFF, they are linked (WADI_IO_LOADS is 0).
#pragma once

#include <wadi/context.h>

#include <stdbool.h>
#include <stddef.h>

// A library as the build found it, and the functions that are wanted of it.
typedef struct wadi_io_library
{
    const char* name;         // for messages: "GDAL"
    const char* file;         // by which the system finds it: "libgdal.so.32"
    const char* path;         // where it lay when Wadi was built; tried second
    const char* const* names; // of `count` functions
    void* functions; // a structure of nothing but `count` pointers to functions, in that order
    size_t count;
    bool loaded;
} wadi_io_library;

// Load a library and look up its functions, unless that was done. It stays loaded for as long as
// the program runs. Any thread may ask. WADI_ERROR_IO: it is not there, or lacks a function;
// `context` may be NULL, and gets no message then.
wadi_result wadi_io_library_need(wadi_context* context, wadi_io_library* library);
