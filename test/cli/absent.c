// SPDX-License-Identifier: MIT
// Fault injection: no shared library can be loaded while a program runs. With the objects of the
// command this makes a command on a machine that lacks GDAL and NetCDF; see cli/absent.test.
#include <stddef.h>

void* __wrap_dlopen(const char* file, int mode);

void* __wrap_dlopen(const char* file, int mode)
{
    (void)file;
    (void)mode;
    return NULL;
}
