// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200112L
#include "core/paging.h"

#include "core/context.h"

#include <stdint.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#endif

enum
{
    PAGING_PAGE = 4096 // bytes; larger pages are read as a whole anyway
};

void wadi_expect(const wadi_context* context, const void* memory, size_t size)
{
#if defined(POSIX_MADV_WILLNEED)
    const size_t before = (uintptr_t)memory % PAGING_PAGE;
    if (context->paged && size > 0)
    {
        // the call takes no const; it writes nothing
        union
        {
            const void* from;
            void* to;
        } start = {(const unsigned char*)memory - before};
        (void)posix_madvise(start.to, size + before, POSIX_MADV_WILLNEED);
    }
#else
    (void)context;
    (void)memory;
    (void)size;
#endif
}
