// SPDX-License-Identifier: MIT
// R8, R16 and R32: raw cells without a header, rows from the north, low byte first unless the
// sidecar says big-endian. The size comes from the sidecar, the name (_513x257) or the square root
// of the number of cells.
#include "io/raster/formats.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Read the size in a name such as "mountain_513x257.r16".
static bool raw_size_of_name(const char* path, int32_t* width, int32_t* height)
{
    const char* at = strrchr(path, '_');
    int length = 0;
    return at != NULL && sscanf(at, "_%5dx%5d%n", width, height, &length) == 2 && at[length] == '.';
}

static wadi_result raw_find_size(wadi_context* context, const char* path, int64_t cells,
                                 const wadi_io_sidecar* sidecar, int32_t* width, int32_t* height)
{
    const bool told = sidecar != NULL && sidecar->width > 0;
    const bool named = raw_size_of_name(path, width, height);
    if (told)
    {
        *width = sidecar->width;
        *height = sidecar->height;
    }
    else if (!named)
    {
        *width = (int32_t)lround(sqrt((double)cells));
        *height = *width;
    }
    if ((int64_t)*width * *height == cells && cells > 0)
    {
        return WADI_OK;
    }
    if (cells == 0 || (!told && !named))
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT, "%s holds %lld cells, %s", path,
                                 (long long)cells,
                                 cells == 0 ? "so nothing was written to it"
                                            : "which make no square; name it NAME_WxH.r16, such "
                                              "as land_513x257.r16");
    }
    return wadi_context_fail(context, WADI_ERROR_FORMAT,
                             "%s holds %lld cells, which are not %d x %d; name it "
                             "NAME_WxH.r16 or correct its sidecar",
                             path, (long long)cells, *width, *height);
}

static wadi_result raw_read_bytes(wadi_context* context, const char* path, unsigned char* bytes,
                                  size_t size)
{
    FILE* file = fopen(path, "rb");
    const bool done = file != NULL && fread(bytes, 1, size, file) == size;
    if (file != NULL)
    {
        (void)fclose(file);
    }
    return done ? WADI_OK : wadi_context_fail(context, WADI_ERROR_IO, "cannot read %s", path);
}

static float raw_cell(const unsigned char* bytes, size_t size, bool big_endian)
{
    uint32_t bits = 0;
    for (size_t byte = 0; byte < size; ++byte)
    {
        bits |= (uint32_t)bytes[big_endian ? size - 1 - byte : byte] << (8 * byte);
    }
    float value = (float)bits;
    if (size == sizeof value)
    {
        memcpy(&value, &bits, sizeof value);
    }
    return value;
}

static wadi_result raw_read_cells(wadi_context* context, const char* path, size_t size,
                                  int64_t cells, const wadi_io_sidecar* sidecar, float* out)
{
    const bool big_endian = sidecar != NULL && sidecar->big_endian;
    unsigned char* bytes = malloc((size_t)cells * size);
    const wadi_result result =
        bytes != NULL ? raw_read_bytes(context, path, bytes, (size_t)cells * size)
                      : wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory: %s", path);
    for (int64_t i = 0; result == WADI_OK && i < cells; ++i)
    {
        out[i] = raw_cell(bytes + (size_t)i * size, size, big_endian);
    }
    free(bytes);
    return result;
}

static wadi_result raw_read(wadi_context* context, const char* path, size_t size,
                            const wadi_io_sidecar* sidecar, wadi_io_raster* out)
{
    struct stat status;
    int32_t width = 0;
    int32_t height = 0;
    if (stat(path, &status) != 0 || (size_t)status.st_size % size != 0)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "the size of %s is not a multiple of %zu bytes; is it cut short?",
                                 path, size);
    }
    const int64_t cells = (int64_t)((size_t)status.st_size / size);
    wadi_result result = raw_find_size(context, path, cells, sidecar, &width, &height);
    result =
        result == WADI_OK ? wadi_io_raster_allocate(context, path, width, height, out) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    result = raw_read_cells(context, path, size, cells, sidecar, out->values);
    static const char* const types[] = {[1] = "Byte", [2] = "UInt16", [4] = "Float32"};
    static const char* const formats[] = {[1] = "R8", [2] = "R16", [4] = "R32"};
    (void)snprintf(out->type, sizeof out->type, "%s", types[size]);
    (void)snprintf(out->format, sizeof out->format, "%s", formats[size]);
    return result;
}

wadi_result wadi_io_raw8_read(wadi_context* context, const char* path,
                              const wadi_io_sidecar* sidecar, wadi_io_raster* out)
{
    return raw_read(context, path, 1, sidecar, out);
}

wadi_result wadi_io_raw16_read(wadi_context* context, const char* path,
                               const wadi_io_sidecar* sidecar, wadi_io_raster* out)
{
    // .raw may have either width
    return raw_read(context, path, sidecar != NULL && sidecar->bits == 8 ? 1 : 2, sidecar, out);
}

wadi_result wadi_io_raw32_read(wadi_context* context, const char* path,
                               const wadi_io_sidecar* sidecar, wadi_io_raster* out)
{
    return raw_read(context, path, 4, sidecar, out);
}

// Write cells of `size` bytes, low byte first on every machine.
static wadi_result raw_write(wadi_context* context, const void* cells, int64_t count, size_t size,
                             const char* path)
{
    errno = 0;
    FILE* file = fopen(path, "wb");
    bool done = file != NULL;
    for (int64_t i = 0; done && i < count; ++i)
    {
        uint32_t bits = 0;
        if (size == 2)
        {
            bits = ((const uint16_t*)cells)[i];
        }
        else
        {
            memcpy(&bits, (const float*)cells + i, sizeof bits);
        }
        for (size_t byte = 0; byte < size; ++byte)
        {
            done = putc((int)(bits >> (8 * byte) & 0xFFu), file) != EOF && done;
        }
    }
    const int trouble = errno;
    done = file != NULL && fclose(file) == 0 && done;
    return done ? WADI_OK
                : wadi_context_fail(context, WADI_ERROR_IO, "%s",
                                    strerror(trouble != 0 ? trouble : errno));
}

// Tell of a name with another size than that of the cells: other programs read it from there.
static void raw_note_size(wadi_context* context, const wadi_io_raster* raster, const char* path)
{
    int32_t width;
    int32_t height;
    if (raw_size_of_name(path, &width, &height) &&
        (width != raster->width || height != raster->height))
    {
        const char* slash = strrchr(path, '/');
        wadi_log_line(context, "%s is named for %d x %d cells, but holds %d x %d",
                      slash != NULL ? slash + 1 : path, width, height, raster->width,
                      raster->height);
    }
}

wadi_result wadi_io_raw16_write(wadi_context* context, const wadi_io_raster* raster,
                                const wadi_io_sidecar* sidecar, const char* path)
{
    raw_note_size(context, raster, path);
    uint16_t* cells = NULL;
    wadi_result result = wadi_io_quantise(context, raster, sidecar, &cells);
    if (result == WADI_OK)
    {
        result = raw_write(context, cells, (int64_t)raster->width * raster->height, 2, path);
    }
    free(cells);
    return result;
}

wadi_result wadi_io_raw32_write(wadi_context* context, const wadi_io_raster* raster,
                                const wadi_io_sidecar* sidecar, const char* path)
{
    (void)sidecar;
    raw_note_size(context, raster, path);
    return raw_write(context, raster->values, (int64_t)raster->width * raster->height, 4, path);
}
