// SPDX-License-Identifier: MIT
// PNG files of grey, RGB and RGBA pixels. Rows are filtered and compressed in bands of a fixed
// size, one band a block of work, so the bytes do not depend on the number of threads.
#include "io/raster/formats.h"
#include "io/replace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum
{
    PNG_BAND = 1 << 18, // [bytes] of pixels in a band, at least one row
    PNG_FILTERS = 5
};

typedef struct png_band
{
    uint8_t* packed;
    size_t size;
    uint32_t sum; // adler32 of the filtered rows
    size_t raw;   // [bytes] of the filtered rows
} png_band;

typedef struct png_job
{
    const wadi_io_pixels* pixels;
    size_t stride;     // [bytes] of a row
    size_t step;       // [bytes] from a pixel to the next
    int32_t band_rows; // the last band may have fewer
    int32_t count;
    png_band* bands;
} png_job;

// ---- filters ------------------------------------------------------------------------------------

static uint8_t png_paeth(int left, int above, int corner)
{
    const int from_left = abs(above - corner);
    const int from_above = abs(left - corner);
    const int from_corner = abs(left + above - 2 * corner);
    return (uint8_t)(from_left <= from_above && from_left <= from_corner ? left
                     : from_above <= from_corner                         ? above
                                                                         : corner);
}

// Bytes of a row, the first in memory also the first in the file: a 16-bit value begins with its
// high byte.
static void png_load_row(const png_job* job, int32_t row, uint8_t* out)
{
    const uint8_t* from = (const uint8_t*)job->pixels->values + (size_t)row * job->stride;
    memcpy(out, from, job->stride);
    if (job->pixels->wide)
    {
        const uint16_t* values = (const uint16_t*)(const void*)from;
        for (size_t i = 0; i < job->stride / 2; ++i)
        {
            out[2 * i] = (uint8_t)(values[i] >> 8);
            out[2 * i + 1] = (uint8_t)(values[i] & 0xFFu);
        }
    }
}

// What a filter subtracts from a byte: nothing, its left neighbour, the one above, their mean, or
// the nearest of three. One loop each, so that compilers make vector instructions of them. `row`
// and `above` have `step` zeros before their first byte.
static void png_filter_row(const png_job* job, int kind, const uint8_t* row, const uint8_t* above,
                           uint8_t* restrict out)
{
    const size_t size = job->stride;
    const uint8_t* left = row - job->step;
    const uint8_t* corner = above - job->step;
    switch (kind)
    {
    case 0:
        memcpy(out, row, size);
        break;
    case 1:
        for (size_t i = 0; i < size; ++i)
        {
            out[i] = (uint8_t)(row[i] - left[i]);
        }
        break;
    case 2:
        for (size_t i = 0; i < size; ++i)
        {
            out[i] = (uint8_t)(row[i] - above[i]);
        }
        break;
    case 3:
        for (size_t i = 0; i < size; ++i)
        {
            out[i] = (uint8_t)(row[i] - (left[i] + above[i]) / 2);
        }
        break;
    default:
        for (size_t i = 0; i < size; ++i)
        {
            out[i] = (uint8_t)(row[i] - png_paeth(left[i], above[i], corner[i]));
        }
        break;
    }
}

// Sum of the magnitudes of bytes as signed numbers: a small sum packs well.
static uint64_t png_weigh(const uint8_t* bytes, size_t size)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; ++i)
    {
        sum += (uint64_t)(bytes[i] < 128 ? bytes[i] : 256 - bytes[i]);
    }
    return sum;
}

// Filter a row in the way that leaves the smallest bytes; `out` has room for 1 + stride bytes.
static void png_choose_filter(const png_job* job, const uint8_t* row, const uint8_t* above,
                              uint8_t* trial, uint8_t* out)
{
    uint64_t least = UINT64_MAX;
    for (int kind = 0; kind < PNG_FILTERS; ++kind)
    {
        png_filter_row(job, kind, row, above, trial);
        const uint64_t sum = png_weigh(trial, job->stride);
        if (sum < least)
        {
            least = sum;
            out[0] = (uint8_t)kind;
            memcpy(out + 1, trial, job->stride);
        }
    }
}

// ---- bands --------------------------------------------------------------------------------------

static int32_t png_band_end(const png_job* job, int32_t band)
{
    const int32_t end = (band + 1) * job->band_rows;
    return end < job->pixels->height ? end : job->pixels->height;
}

// Filter the rows of a band into `out`; `lines` has room for two rows with zeros before them, and
// one without.
static void png_filter_band(const png_job* job, int32_t band, uint8_t* lines, uint8_t* out)
{
    const int32_t begin = band * job->band_rows;
    uint8_t* above = lines + job->step;
    uint8_t* row = above + job->stride + job->step;
    if (begin > 0)
    {
        png_load_row(job, begin - 1, above);
    }
    for (int32_t y = begin; y < png_band_end(job, band); ++y)
    {
        png_load_row(job, y, row);
        png_choose_filter(job, row, above, lines + 2 * (job->stride + job->step), out);
        memcpy(above, row, job->stride);
        out += job->stride + 1;
    }
}

static bool png_pack(const png_job* job, bool last, const uint8_t* raw, png_band* band)
{
    z_stream stream = {0};
    if (deflateInit2(&stream, job->pixels->level, Z_DEFLATED, -15, 8, Z_FILTERED) != Z_OK)
    {
        return false;
    }
    const size_t room = deflateBound(&stream, (uLong)band->raw) + 64;
    band->packed = malloc(room);
    stream.next_in = (z_const Bytef*)(uintptr_t)raw;
    stream.avail_in = (uInt)band->raw;
    stream.next_out = band->packed;
    stream.avail_out = (uInt)room;
    const int status =
        band->packed != NULL ? deflate(&stream, last ? Z_FINISH : Z_SYNC_FLUSH) : Z_MEM_ERROR;
    band->size = (size_t)stream.total_out;
    (void)deflateEnd(&stream);
    return status == (last ? Z_STREAM_END : Z_OK);
}

static void png_pack_bands(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    png_job* job = user;
    for (int32_t i = begin; i < end; ++i)
    {
        png_band* band = &job->bands[i];
        const int32_t rows = png_band_end(job, i) - i * job->band_rows;
        band->raw = (size_t)rows * (job->stride + 1);
        uint8_t* raw = malloc(band->raw);
        uint8_t* lines = calloc(3, job->stride + job->step);
        bool packed = raw != NULL && lines != NULL;
        if (packed)
        {
            png_filter_band(job, i, lines, raw);
            band->sum = (uint32_t)adler32(1, raw, (uInt)band->raw);
            packed = png_pack(job, i + 1 == job->count, raw, band);
        }
        if (!packed)
        {
            free(band->packed);
            band->packed = NULL;
        }
        free(lines);
        free(raw);
    }
}

// ---- chunks -------------------------------------------------------------------------------------

static void png_put_number(uint8_t out[4], uint32_t value)
{
    for (int i = 0; i < 4; ++i)
    {
        out[i] = (uint8_t)(value >> (24 - 8 * i) & 0xFFu);
    }
}

// An empty part has no address, which fwrite() must not be given.
static void png_put_bytes(FILE* file, const void* bytes, size_t size)
{
    if (size > 0)
    {
        (void)fwrite(bytes, 1, size, file);
    }
}

// A chunk of two parts, of which one may be empty.
static void png_put_chunk(FILE* file, const char* kind, const void* head, size_t head_size,
                          const void* tail, size_t tail_size)
{
    uint8_t number[4];
    uLong sum = crc32(0, (const Bytef*)kind, 4);
    sum = head_size > 0 ? crc32(sum, head, (uInt)head_size) : sum;
    sum = tail_size > 0 ? crc32(sum, tail, (uInt)tail_size) : sum;
    png_put_number(number, (uint32_t)(head_size + tail_size));
    (void)fwrite(number, 1, 4, file);
    (void)fwrite(kind, 1, 4, file);
    png_put_bytes(file, head, head_size);
    png_put_bytes(file, tail, tail_size);
    png_put_number(number, (uint32_t)sum);
    (void)fwrite(number, 1, 4, file);
}

static void png_put_header(FILE* file, const wadi_io_pixels* pixels)
{
    static const uint8_t mark[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const uint8_t colours[5] = {0, 0, 0, 2, 6}; // by the number of channels
    uint8_t head[13] = {0};
    png_put_number(head, (uint32_t)pixels->width);
    png_put_number(head + 4, (uint32_t)pixels->height);
    head[8] = pixels->wide ? 16 : 8;
    head[9] = colours[pixels->channels];
    (void)fwrite(mark, 1, sizeof mark, file);
    png_put_chunk(file, "IHDR", head, sizeof head, NULL, 0);
}

static bool png_is_latin(const char* text)
{
    while (*text != '\0' && (unsigned char)*text < 0x80u)
    {
        ++text;
    }
    return *text == '\0';
}

// Tags as text: tEXt holds ASCII, iTXt holds UTF-8.
static void png_put_tags(FILE* file, const wadi_io_tags* tags)
{
    for (int32_t i = 0; tags != NULL && i < tags->count; ++i)
    {
        const wadi_io_tag* tag = &tags->rows[i];
        if (tag->value != NULL)
        {
            char key[80 + 5] = "";
            const int length = snprintf(key, 80, "%s", tag->key);
            const bool latin = png_is_latin(tag->value);
            png_put_chunk(file, latin ? "tEXt" : "iTXt", key, (size_t)length + (latin ? 1 : 5),
                          tag->value, strlen(tag->value));
        }
    }
}

// A part of the pixels. Those of later frames have a number in the sequence of the animation.
static void png_put_part(FILE* file, uint32_t* sequence, const uint8_t* head, size_t head_size,
                         const void* tail, size_t tail_size)
{
    uint8_t start[8];
    const size_t begin = sequence != NULL ? 4 : 0;
    if (sequence != NULL)
    {
        png_put_number(start, (*sequence)++);
    }
    memcpy(start + begin, head, head_size);
    png_put_chunk(file, sequence != NULL ? "fdAT" : "IDAT", start, begin + head_size, tail,
                  tail_size);
}

// The bands as one stream of zlib. `sequence`: of an animation's later frames, or NULL.
static void png_put_bands(FILE* file, const png_job* job, uint32_t* sequence)
{
    static const uint8_t head[2] = {0x78, 0x01};
    uLong sum = 1;
    for (int32_t i = 0; i < job->count; ++i)
    {
        const png_band* band = &job->bands[i];
        png_put_part(file, sequence, head, i == 0 ? sizeof head : 0, band->packed, band->size);
        sum = adler32_combine(sum, band->sum, (z_off_t)band->raw);
    }
    uint8_t end[4];
    png_put_number(end, (uint32_t)sum);
    png_put_part(file, sequence, end, sizeof end, NULL, 0);
}

// ---- files --------------------------------------------------------------------------------------

static void png_job_free(png_job* job)
{
    for (int32_t i = 0; job->bands != NULL && i < job->count; ++i)
    {
        free(job->bands[i].packed);
    }
    free(job->bands);
}

// Filter and compress all bands; the caller frees the job, also after a failure.
static wadi_result png_job_begin(wadi_context* context, const wadi_io_pixels* pixels, png_job* job)
{
    const size_t step = (size_t)pixels->channels * (pixels->wide ? 2 : 1);
    const size_t stride = (size_t)pixels->width * step;
    *job = (png_job){.pixels = pixels, .stride = stride, .step = step};
    job->band_rows = stride < PNG_BAND ? (int32_t)(PNG_BAND / stride) : 1;
    job->count = (pixels->height + job->band_rows - 1) / job->band_rows;
    job->bands = calloc((size_t)job->count, sizeof *job->bands);
    bool packed = job->bands != NULL;
    if (packed)
    {
        wadi_parallel_rows(context, job->count, 1, png_pack_bands, job);
    }
    for (int32_t i = 0; i < job->count && packed; ++i)
    {
        packed = job->bands[i].packed != NULL;
    }
    return packed ? WADI_OK
                  : wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for a PNG");
}

static wadi_result png_write(wadi_context* context, const wadi_io_pixels* pixels, const char* path)
{
    png_job job;
    wadi_result result = png_job_begin(context, pixels, &job);
    if (result == WADI_OK)
    {
        errno = 0;
        FILE* file = fopen(path, "wb");
        if (file != NULL)
        {
            png_put_header(file, pixels);
            png_put_tags(file, pixels->tags);
            png_put_bands(file, &job, NULL);
            png_put_chunk(file, "IEND", NULL, 0, NULL, 0);
        }
        result = wadi_io_close_written(context, file);
    }
    png_job_free(&job);
    return result;
}

// ---- animations ---------------------------------------------------------------------------------

wadi_result wadi_io_animation_begin(wadi_context* context, const char* path, int32_t frames,
                                    int32_t delay, wadi_io_animation* out)
{
    *out = (wadi_io_animation){.context = context, .frames = frames, .delay = delay};
    wadi_result result = wadi_io_replace_begin(context, path, &out->replacement);
    if (result == WADI_OK)
    {
        errno = 0;
        out->file = fopen(out->replacement.path, "wb");
        result = out->file != NULL ? WADI_OK : wadi_io_close_written(context, NULL);
        result =
            result == WADI_OK ? WADI_OK : wadi_io_replace_abort(context, &out->replacement, result);
    }
    return result;
}

// What comes before the pixels of a frame: the header before the first, and its size and time.
static void png_put_frame(wadi_io_animation* animation, const wadi_io_pixels* pixels)
{
    if (animation->count == 0)
    {
        uint8_t control[8] = {0};
        png_put_number(control, (uint32_t)animation->frames);
        png_put_header(animation->file, pixels);
        png_put_tags(animation->file, pixels->tags);
        png_put_chunk(animation->file, "acTL", control, sizeof control, NULL, 0);
    }
    uint8_t frame[26] = {0};
    png_put_number(frame, animation->sequence++);
    png_put_number(frame + 4, (uint32_t)pixels->width);
    png_put_number(frame + 8, (uint32_t)pixels->height);
    frame[20] = (uint8_t)(animation->delay >> 8);
    frame[21] = (uint8_t)(animation->delay & 0xFF);
    frame[22] = 1000 >> 8;
    frame[23] = 1000 & 0xFF;
    png_put_chunk(animation->file, "fcTL", frame, sizeof frame, NULL, 0);
}

wadi_result wadi_io_animation_add(wadi_io_animation* animation, const wadi_io_pixels* pixels)
{
    png_job job;
    const wadi_result result = png_job_begin(animation->context, pixels, &job);
    if (result == WADI_OK)
    {
        png_put_frame(animation, pixels);
        png_put_bands(animation->file, &job, animation->count > 0 ? &animation->sequence : NULL);
        animation->count += 1;
    }
    png_job_free(&job);
    return result;
}

wadi_result wadi_io_animation_end(wadi_io_animation* animation, wadi_result result)
{
    if (result == WADI_OK)
    {
        png_put_chunk(animation->file, "IEND", NULL, 0, NULL, 0);
    }
    const wadi_result closed = wadi_io_close_written(animation->context, animation->file);
    result = result == WADI_OK ? closed : result;
    return result == WADI_OK
               ? wadi_io_replace_commit(animation->context, &animation->replacement)
               : wadi_io_replace_abort(animation->context, &animation->replacement, result);
}

// ---- heights and pictures -----------------------------------------------------------------------

wadi_result wadi_io_png_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path)
{
    uint16_t* cells = NULL;
    wadi_result result = wadi_io_quantise(context, raster, sidecar, &cells);
    if (result == WADI_OK)
    {
        const bool narrow = sidecar->bits == 8;
        uint8_t* bytes = (uint8_t*)cells;
        for (int64_t i = 0; narrow && i < (int64_t)raster->width * raster->height; ++i)
        {
            bytes[i] = (uint8_t)cells[i]; // in place: byte i lies at or before cell i
        }
        const wadi_io_pixels pixels = {.values = cells,
                                       .width = raster->width,
                                       .height = raster->height,
                                       .channels = 1,
                                       .wide = !narrow,
                                       .level = 6,
                                       .tags = raster->tags};
        result = png_write(context, &pixels, path);
    }
    free(cells);
    return result;
}

wadi_result wadi_io_pixels_write(wadi_context* context, const wadi_io_pixels* pixels,
                                 const char* path)
{
    wadi_io_replacement replacement;
    wadi_result result = wadi_io_replace_begin(context, path, &replacement);
    if (result != WADI_OK)
    {
        return result;
    }
    result = png_write(context, pixels, replacement.path);
    return result == WADI_OK ? wadi_io_replace_commit(context, &replacement)
                             : wadi_io_replace_abort(context, &replacement, result);
}

wadi_result wadi_io_picture_write_tagged(wadi_context* context, const uint8_t* rgb, int32_t width,
                                         int32_t height, const wadi_io_tags* tags, const char* path)
{
    const wadi_io_pixels pixels = {
        .values = rgb, .width = width, .height = height, .channels = 3, .level = 1, .tags = tags};
    return wadi_io_pixels_write(context, &pixels, path);
}

wadi_result wadi_io_picture_write(wadi_context* context, const uint8_t* rgb, int32_t width,
                                  int32_t height, const char* path)
{
    return wadi_io_picture_write_tagged(context, rgb, width, height, NULL, path);
}
