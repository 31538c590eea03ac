// SPDX-License-Identifier: MIT
#include "io/libraries/library.h"

#if WADI_IO_LOADS

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static wadi_result library_fail(wadi_context* context, const wadi_io_library* library)
{
    const char* why = dlerror();
    if (context == NULL)
    {
        return WADI_ERROR_IO;
    }
    return wadi_context_fail(context, WADI_ERROR_IO,
                             "%s cannot be loaded: %s; install the package that has %s",
                             library->name, why != NULL ? why : "not found", library->file);
}

static wadi_result library_load(wadi_context* context, wadi_io_library* library)
{
    void* handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
    handle = handle != NULL ? handle : dlopen(library->path, RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL)
    {
        return library_fail(context, library);
    }
    for (size_t i = 0; i < library->count; ++i)
    {
        void* function = dlsym(handle, library->names[i]);
        if (function == NULL)
        {
            return library_fail(context, library);
        }
        // as POSIX has it: C lets no cast turn the address into a pointer to a function
        memcpy((char*)library->functions + i * sizeof function, &function, sizeof function);
    }
    library->loaded = true;
    return WADI_OK;
}

wadi_result wadi_io_library_need(wadi_context* context, wadi_io_library* library)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    (void)pthread_mutex_lock(&lock);
    const wadi_result result = library->loaded ? WADI_OK : library_load(context, library);
    (void)pthread_mutex_unlock(&lock);
    return result;
}

#endif
