// SPDX-License-Identifier: MIT
// GDAL 3.6 silently fills missing cells of a truncated ESRI ASCII grid with 0 (sea level). So the
// values are counted before reading.
#include "io/raster/formats.h"

#include <ctype.h>
#include <stdio.h>

// Skip white space and the next word. Returns its first character, or EOF.
static int asc_skip_word(FILE* file)
{
    int c = getc(file);
    while (c != EOF && isspace(c) != 0)
    {
        c = getc(file);
    }
    const int first = c;
    while (c != EOF && isspace(c) == 0)
    {
        c = getc(file);
    }
    return first;
}

// Number of values after the header, which consists of name-number pairs.
static int64_t asc_count_cells(FILE* file)
{
    int first = asc_skip_word(file);
    while (first != EOF && isalpha(first) != 0)
    {
        (void)asc_skip_word(file);
        first = asc_skip_word(file);
    }
    int64_t cells = 0;
    for (; first != EOF; first = asc_skip_word(file))
    {
        ++cells;
    }
    return cells;
}

wadi_result wadi_io_asc_check(wadi_context* context, const char* path, int64_t cells)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "cannot read %s", path);
    }
    const int64_t found = asc_count_cells(file);
    (void)fclose(file);
    return found == cells
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s holds %lld cells but its header says %lld; %s", path,
                                   (long long)found, (long long)cells,
                                   found < cells ? "is it cut short?" : "correct ncols and nrows");
}
