// SPDX-License-Identifier: MIT
// Memory that grows by a table of arrays.
#include "bodies/engine/arrays.h"

#include <string.h>

static void* arrays_pointer(const wadi_array* array, const void* owner)
{
    void* pointer;
    memcpy(&pointer, (const unsigned char*)owner + array->pointer, sizeof pointer);
    return pointer;
}

static void arrays_set(wadi_context* context, const wadi_array* array, void* owner, void* pointer)
{
    wadi_free(context, arrays_pointer(array, owner));
    memcpy((unsigned char*)owner + array->pointer, &pointer, sizeof pointer);
}

wadi_result wadi_arrays_resize(wadi_context* context, const wadi_arrays* arrays, void* owner,
                               int32_t kept, int32_t wanted)
{
    if (kept == 0)
    {
        wadi_arrays_free(context, arrays, owner); // old and new need not fit into memory together
    }
    for (int32_t k = 0; k < arrays->count; ++k)
    {
        const wadi_array* array = &arrays->table[k];
        const size_t count = (size_t)(wanted / array->per) + (size_t)array->more;
        void* longer = wadi_alloc(context, count, array->size);
        if (longer == NULL)
        {
            return wadi_fail_memory(context, count * array->size, arrays->what);
        }
        if (kept > 0)
        {
            memcpy(longer, arrays_pointer(array, owner), (size_t)kept * array->size);
        }
        arrays_set(context, array, owner, longer);
    }
    return WADI_OK;
}

void wadi_arrays_free(wadi_context* context, const wadi_arrays* arrays, void* owner)
{
    for (int32_t k = 0; k < arrays->count; ++k)
    {
        arrays_set(context, &arrays->table[k], owner, NULL);
    }
}
