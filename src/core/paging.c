// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // mincore
#include "core/paging.h"

#include "core/context.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#endif

enum
{
    PAGING_PAGE = 1 << PAGING_SHIFT,
    PAGING_WORD = 64 // pages of a word
};

bool wadi_is_paged(const wadi_context* context)
{
    return context->paged;
}

// `size` bytes from `before` bytes in front of a place on, which begins a page.
static void paging_expect(const unsigned char* from, size_t size)
{
#if defined(POSIX_MADV_WILLNEED)
    // the call takes no const; it writes nothing
    union
    {
        const void* from;
        void* to;
    } start = {from};
    (void)posix_madvise(start.to, size, POSIX_MADV_WILLNEED);
#else
    (void)from;
    (void)size;
#endif
}

void wadi_expect(const wadi_context* context, const void* memory, size_t size)
{
    const size_t before = (uintptr_t)memory % PAGING_PAGE;
    if (context->paged && size > 0)
    {
        paging_expect((const unsigned char*)memory - before, size + before);
    }
}

// ---- pages here and there ----------------------------------------------------------------

int64_t wadi_pages_words(size_t bytes)
{
    return (int64_t)(bytes / PAGING_PAGE / PAGING_WORD) + 2;
}

wadi_pages wadi_pages_of(uint64_t* bits, const void* array)
{
    return (wadi_pages){.bits = bits, .offset = (uintptr_t)array % PAGING_PAGE, .first = INT64_MAX};
}

// Of the pages of a word those that are in memory, as far as the system tells.
static uint64_t paging_resident(const unsigned char* from, int32_t count)
{
    uint64_t bits = 0;
#if defined(__linux__)
    unsigned char here[PAGING_WORD];
    union
    {
        const void* from;
        void* to;
    } start = {from};
    if (mincore(start.to, (size_t)count * PAGING_PAGE, here) == 0)
    {
        for (int32_t i = 0; i < count; ++i)
        {
            bits |= (uint64_t)(here[i] & 1) << i;
        }
    }
#else
    (void)from;
    (void)count;
#endif
    return bits;
}

// Each run of pages of a word in one call.
static void paging_expect_word(const unsigned char* from, uint64_t wanted)
{
    int32_t first = 0;
    int32_t last = PAGING_WORD;
    for (; (wanted >> first & 1) == 0; ++first)
    {
    }
    for (; (wanted >> (last - 1) & 1) == 0; --last)
    {
    }
    const unsigned char* start = from + (size_t)first * PAGING_PAGE;
    const uint64_t missing = wanted & ~(paging_resident(start, last - first) << first);
    for (int32_t i = first; i < last; ++i)
    {
        int32_t end = i;
        while (end < last && (missing >> end & 1) != 0)
        {
            end += 1;
        }
        if (end > i)
        {
            paging_expect(from + (size_t)i * PAGING_PAGE, (size_t)(end - i) * PAGING_PAGE);
            i = end;
        }
    }
}

void wadi_pages_expect(wadi_pages* pages, const void* array)
{
    const unsigned char* base = (const unsigned char*)array - pages->offset;
    for (int64_t w = pages->first; w < pages->last; ++w)
    {
        if (pages->bits[w] != 0)
        {
            paging_expect_word(base + (size_t)w * PAGING_WORD * PAGING_PAGE, pages->bits[w]);
            pages->bits[w] = 0;
        }
    }
    pages->first = INT64_MAX;
    pages->last = 0;
}
