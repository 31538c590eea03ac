// SPDX-License-Identifier: MIT
// Memory that lies in a file.
#pragma once

#include <wadi/context.h>

#include <stddef.h>
#include <stdint.h>

enum
{
    PAGING_SHIFT = 12 // pages of 4096 bytes; larger ones are read as a whole anyway
};

// Is memory of this context in a file (wadi_windows_def.enter), where a page may have to be read?
bool wadi_is_paged(const wadi_context* context);

// Memory that is read soon, all of it: where it is in a file the system reads it in one go. Nothing
// elsewhere.
void wadi_expect(const wadi_context* context, const void* memory, size_t size);

// Pages of an array that are read soon, here and there: the system reads many at once, where one
// after the other would take the disk ten times as long. For one thread.
typedef struct wadi_pages
{
    uint64_t* bits; // by page from that of the array's first byte; all 0 between uses
    size_t offset;  // of this byte in its page
    int64_t first;  // words with pages, from the first
    int64_t last;   // to the one before this; none yet: 0
} wadi_pages;

// Words of `bits` for an array of so many bytes.
int64_t wadi_pages_words(size_t bytes);
wadi_pages wadi_pages_of(uint64_t* bits, const void* array);

// Add the page of a byte of the array.
static inline void wadi_pages_add(wadi_pages* pages, size_t byte)
{
    const size_t page = (byte + pages->offset) >> PAGING_SHIFT;
    const int64_t word = (int64_t)(page / 64);
    pages->bits[word] |= UINT64_C(1) << page % 64;
    pages->first = word < pages->first ? word : pages->first;
    pages->last = word >= pages->last ? word + 1 : pages->last;
}

// Let the system read the pages that are not in memory, and forget all.
void wadi_pages_expect(wadi_pages* pages, const void* array);
