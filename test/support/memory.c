// SPDX-License-Identifier: MIT
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define aligned_alloc(alignment, size) _aligned_malloc(size, alignment)
#define free _aligned_free
#endif

// Each block is preceded by its size, padded to the alignment.
static void* counted_allocate(size_t size, size_t alignment, void* user)
{
    counted_memory* memory = user;
    memory->calls += 1;
    if (memory->fail_at != 0 && memory->calls >= memory->fail_at)
    {
        return NULL;
    }
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    unsigned char* front = aligned_alloc(alignment, rounded + alignment);
    if (front == NULL)
    {
        return NULL;
    }
    memcpy(front, &size, sizeof size);
    memory->live_blocks += 1;
    memory->live_bytes += (int64_t)size;

    // the library must not rely on zeroed memory
    memset(front + alignment, 0xA5, size);
    return front + alignment;
}

static void counted_release(void* block, size_t size, void* user)
{
    counted_memory* memory = user;
    enum
    {
        ALIGNMENT = 64 // of all allocations of a context
    };
    unsigned char* front = (unsigned char*)block - ALIGNMENT;
    size_t asked;
    memcpy(&asked, front, sizeof asked);
    memory->bad_releases += asked != size ? 1 : 0;
    memory->live_blocks -= 1;
    memory->live_bytes -= (int64_t)asked;
    free(front);
}

wadi_allocator counted_allocator(counted_memory* memory)
{
    return (wadi_allocator){counted_allocate, counted_release, memory};
}
