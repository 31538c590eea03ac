// SPDX-License-Identifier: MIT
// EXR by OpenEXRCore: float heights in metres, of one channel; files with several are read. NaN is
// stored as is. GDAL of Debian 12 has no EXR driver.
#include "io/raster/formats.h"

#include <math.h>
#include <openexr.h>
#include <stdlib.h>
#include <string.h>

// Viewers show a channel of this name as grey.
static const char exr_channel[] = "Y";

// Without a handler the library prints to standard error; the return codes are enough.
static void exr_ignore(exr_const_context_t exr, exr_result_t code, const char* message)
{
    (void)exr;
    (void)code;
    (void)message;
}

static exr_context_initializer_t exr_quiet(void)
{
    exr_context_initializer_t out = EXR_DEFAULT_CONTEXT_INITIALIZER;
    out.error_handler_fn = exr_ignore;
    return out;
}

static bool exr_is_height(const char* name)
{
    return strcmp(name, "height") == 0 || strcmp(name, exr_channel) == 0;
}

// Index of the channel `name`; without a name that of heights: the only channel, or one named
// height or Y. -1: none.
static int exr_find_channel(const exr_attr_chlist_t* channels, const char* name)
{
    if (channels->num_channels == 1 && name[0] == '\0')
    {
        return 0;
    }
    for (int i = 0; i < channels->num_channels; ++i)
    {
        const char* other = channels->entries[i].name.str;
        if (name[0] != '\0' ? strcmp(other, name) == 0 : exr_is_height(other))
        {
            return i;
        }
    }
    return -1;
}

// Fail with the names of the channels.
static wadi_result exr_fail_channel(wadi_context* context, const char* path,
                                    const exr_attr_chlist_t* channels)
{
    char names[256] = "";
    for (int i = 0; i < channels->num_channels; ++i)
    {
        (void)strncat(names, i > 0 ? ", " : "", sizeof names - strlen(names) - 1);
        (void)strncat(names, channels->entries[i].name.str, sizeof names - strlen(names) - 1);
    }
    return wadi_context_fail(context, WADI_ERROR_FORMAT,
                             "%s has the channels %s; choose one as FILE.exr:NAME", path, names);
}

// Check size and layout of a file; the read functions rely on it.
static wadi_result exr_check(wadi_context* context, exr_context_t exr, const char* path,
                             exr_attr_box2i_t* window, int* channel)
{
    exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
    const exr_attr_chlist_t* channels = NULL;
    if (exr_get_storage(exr, 0, &storage) != EXR_ERR_SUCCESS ||
        exr_get_channels(exr, 0, &channels) != EXR_ERR_SUCCESS ||
        exr_get_data_window(exr, 0, window) != EXR_ERR_SUCCESS || storage != EXR_STORAGE_SCANLINE)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s is tiled or deep; save it as a plain scanline EXR", path);
    }
    char file[4096];
    const char* name;
    wadi_io_variable_of(path, file, &name);
    *channel = exr_find_channel(channels, name);
    if (*channel < 0)
    {
        return exr_fail_channel(context, path, channels);
    }
    const exr_attr_chlist_entry_t* entry = &channels->entries[*channel];
    return entry->pixel_type != EXR_PIXEL_UINT && entry->x_sampling == 1 && entry->y_sampling == 1
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s: the channel %s is not of half or float in every pixel",
                                   path, entry->name.str);
}

// Decode one chunk of rows into `cells`.
static exr_result_t exr_decode_chunk(exr_context_t exr, const exr_chunk_info_t* chunk, int channel,
                                     int32_t width, float* cells)
{
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_result_t code = exr_decoding_initialize(exr, 0, chunk, &pipeline);
    if (code == EXR_ERR_SUCCESS)
    {
        exr_coding_channel_info_t* to = &pipeline.channels[channel];
        to->user_bytes_per_element = sizeof *cells;
        to->user_data_type = EXR_PIXEL_FLOAT;
        to->user_pixel_stride = sizeof *cells;
        to->user_line_stride = width * (int32_t)sizeof *cells;
        to->decode_to_ptr = (uint8_t*)cells;
        code = exr_decoding_choose_default_routines(exr, 0, &pipeline);
    }
    code = code == EXR_ERR_SUCCESS ? exr_decoding_run(exr, 0, &pipeline) : code;
    (void)exr_decoding_destroy(exr, &pipeline);
    return code;
}

static exr_result_t exr_read_rows(exr_context_t exr, int32_t first, int channel,
                                  wadi_io_raster* out)
{
    exr_result_t code = EXR_ERR_SUCCESS;
    for (int32_t row = 0; code == EXR_ERR_SUCCESS && row < out->height;)
    {
        exr_chunk_info_t chunk = {0};
        code = exr_read_scanline_chunk_info(exr, 0, first + row, &chunk);
        if (code != EXR_ERR_SUCCESS || chunk.height < 1 || chunk.height > out->height - row)
        {
            return EXR_ERR_BAD_CHUNK_LEADER;
        }
        code = exr_decode_chunk(exr, &chunk, channel, out->width,
                                out->values + (int64_t)row * out->width);
        row += chunk.height;
    }
    return code;
}

static wadi_result exr_read_part(wadi_context* context, exr_context_t exr, const char* path,
                                 wadi_io_raster* out)
{
    exr_attr_box2i_t window = {.min = {.x = 0}};
    int channel = 0;
    wadi_result result = exr_check(context, exr, path, &window, &channel);
    const int64_t width = (int64_t)window.max.x - window.min.x + 1;
    const int64_t height = (int64_t)window.max.y - window.min.y + 1;
    result =
        result == WADI_OK ? wadi_io_raster_allocate(context, path, width, height, out) : result;
    if (result != WADI_OK)
    {
        return result;
    }
    const exr_result_t code = exr_read_rows(exr, window.min.y, channel, out);
    return code == EXR_ERR_SUCCESS
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s cannot be read to its end; is it cut short? (%s)", path,
                                   exr_get_default_error_message(code));
}

wadi_result wadi_io_exr_read(wadi_context* context, const char* path,
                             const wadi_io_sidecar* sidecar, wadi_io_raster* out)
{
    (void)sidecar;
    exr_context_t exr = NULL;
    const exr_context_initializer_t quiet = exr_quiet();
    char file[4096];
    const char* name;
    wadi_io_variable_of(path, file, &name);
    const exr_result_t code = exr_start_read(&exr, file, &quiet);
    if (code != EXR_ERR_SUCCESS)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT, "%s is not an EXR file: %s", path,
                                 exr_get_default_error_message(code));
    }
    const wadi_result result = exr_read_part(context, exr, path, out);
    (void)exr_finish(&exr);
    memcpy(out->type, "Float32", sizeof "Float32");
    memcpy(out->format, "EXR", sizeof "EXR");
    return result;
}

static exr_result_t exr_write_header_of(exr_context_t exr, const wadi_io_raster* raster)
{
    int part = 0;
    exr_result_t code = exr_add_part(exr, "height", EXR_STORAGE_SCANLINE, &part);
    code = code == EXR_ERR_SUCCESS
               ? exr_initialize_required_attr_simple(exr, part, raster->width, raster->height,
                                                     EXR_COMPRESSION_ZIP)
               : code;
    code = code == EXR_ERR_SUCCESS ? exr_add_channel(exr, part, exr_channel, EXR_PIXEL_FLOAT,
                                                     EXR_PERCEPTUALLY_LINEAR, 1, 1)
                                   : code;
    return code == EXR_ERR_SUCCESS ? exr_write_header(exr) : code;
}

// Encode the chunk that starts at `row`; returns its number of rows.
static exr_result_t exr_encode_chunk(exr_context_t exr, const wadi_io_raster* raster, int32_t row,
                                     int32_t* rows)
{
    exr_chunk_info_t chunk = {0};
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    exr_result_t code = exr_write_scanline_chunk_info(exr, 0, row, &chunk);
    *rows = chunk.height;
    code = code == EXR_ERR_SUCCESS ? exr_encoding_initialize(exr, 0, &chunk, &pipeline) : code;
    if (code == EXR_ERR_SUCCESS)
    {
        exr_coding_channel_info_t* from = &pipeline.channels[0];
        from->user_bytes_per_element = sizeof *raster->values;
        from->user_data_type = EXR_PIXEL_FLOAT;
        from->user_pixel_stride = sizeof *raster->values;
        from->user_line_stride = raster->width * (int32_t)sizeof *raster->values;
        from->encode_from_ptr = (const uint8_t*)(raster->values + (int64_t)row * raster->width);
        code = exr_encoding_choose_default_routines(exr, 0, &pipeline);
    }
    code = code == EXR_ERR_SUCCESS ? exr_encoding_run(exr, 0, &pipeline) : code;
    (void)exr_encoding_destroy(exr, &pipeline);
    return code;
}

wadi_result wadi_io_exr_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path)
{
    (void)sidecar;
    exr_context_t exr = NULL;
    const exr_context_initializer_t quiet = exr_quiet();
    exr_result_t code = exr_start_write(&exr, path, EXR_WRITE_FILE_DIRECTLY, &quiet);
    code = code == EXR_ERR_SUCCESS ? exr_write_header_of(exr, raster) : code;
    int32_t rows = 0;
    for (int32_t row = 0; code == EXR_ERR_SUCCESS && row < raster->height; row += rows)
    {
        code = exr_encode_chunk(exr, raster, row, &rows);
    }
    const exr_result_t closed = exr != NULL ? exr_finish(&exr) : EXR_ERR_SUCCESS;
    code = code == EXR_ERR_SUCCESS ? closed : code;
    return code == EXR_ERR_SUCCESS ? WADI_OK
                                   : wadi_context_fail(context, WADI_ERROR_IO, "%s",
                                                       exr_get_default_error_message(code));
}
