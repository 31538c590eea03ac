// SPDX-License-Identifier: MIT
// Grids and long texts that the page sends in pieces, and the hooks by which scenes read grids.
#include "studio/engine/engine_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    UPLOAD_HEADER = 16
};

static uint32_t upload_u32(const unsigned char* bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

const studio_upload* wadi_studio_find_upload(const wadi_studio* studio, const char* name,
                                             bool is_grid)
{
    for (int32_t i = 0; i < STUDIO_MAX_UPLOADS; ++i)
    {
        const studio_upload* upload = &studio->uploads[i];
        if (upload->bytes != NULL && upload->is_grid == is_grid && strcmp(upload->name, name) == 0)
        {
            return upload;
        }
    }
    return NULL;
}

bool wadi_studio_grid_at(const wadi_studio* studio, int32_t index, wadi_studio_grid* out)
{
    for (int32_t i = 0; i < STUDIO_MAX_UPLOADS; ++i)
    {
        const studio_upload* upload = &studio->uploads[i];
        const bool is_whole =
            upload->bytes != NULL && upload->is_grid && upload->received == upload->size;
        if (is_whole && index-- == 0)
        {
            // allocated for floats: malloc() aligns them
            *out = (wadi_studio_grid){upload->name, upload->width, upload->height, upload->cell,
                                      (const float*)(const void*)upload->bytes};
            return true;
        }
    }
    return false;
}

void wadi_studio_free_uploads(wadi_studio* studio)
{
    for (int32_t i = 0; i < STUDIO_MAX_UPLOADS; ++i)
    {
        free(studio->uploads[i].bytes);
        studio->uploads[i] = (studio_upload){0};
    }
}

// The place of a content of that name, or a free one.
static studio_upload* upload_place(wadi_studio* studio, const char* name)
{
    studio_upload* free_one = NULL;
    for (int32_t i = 0; i < STUDIO_MAX_UPLOADS; ++i)
    {
        studio_upload* upload = &studio->uploads[i];
        if (upload->bytes != NULL && strcmp(upload->name, name) == 0)
        {
            return upload;
        }
        free_one = upload->bytes == NULL && free_one == NULL ? upload : free_one;
    }
    return free_one;
}

// The place of a grid that the scene does not name, when all places are taken: maps that were
// dropped for former scenes.
static studio_upload* upload_unused(wadi_studio* studio)
{
    for (int32_t i = 0; i < STUDIO_MAX_UPLOADS; ++i)
    {
        studio_upload* upload = &studio->uploads[i];
        if (upload->is_grid && upload->received == upload->size &&
            (studio->preamble == NULL || strstr(studio->preamble, upload->name) == NULL))
        {
            return upload;
        }
    }
    return NULL;
}

static wadi_result upload_read_grid(wadi_studio* studio, const studio_message* message,
                                    studio_upload* upload)
{
    double width;
    double height;
    SCENE_TRY(wadi_studio_number(message, "width", (double)NAN, 1.0, 65536.0, &width));
    SCENE_TRY(wadi_studio_number(message, "height", (double)NAN, 1.0, 65536.0, &height));
    SCENE_TRY(wadi_studio_number(message, "cell", (double)NAN, 1e-3, 1e6, &upload->cell));
    upload->width = (int32_t)width;
    upload->height = (int32_t)height;
    const int64_t cells = (int64_t)upload->width * upload->height;
    if (cells > studio->def.max_cells || (double)upload->size != (double)cells * 4.0)
    {
        return wadi_context_fail(
            studio->context, WADI_ERROR_RANGE,
            "a grid of %d x %d cells has 4 bytes a cell, and at most %lld cells", upload->width,
            upload->height, (long long)studio->def.max_cells);
    }
    return WADI_OK;
}

wadi_result wadi_studio_announce(wadi_studio* studio, const studio_message* message, bool is_grid)
{
    const char* name;
    double bytes;
    studio_upload upload = {.is_grid = is_grid};
    const double most = is_grid ? 4.0 * (double)studio->def.max_cells : WADI_YAML_MAX_BYTES;
    SCENE_TRY(wadi_studio_text(message, "name", &name));
    SCENE_TRY(wadi_studio_number(message, "bytes", (double)NAN, 1.0, most, &bytes));
    upload.size = (uint32_t)bytes;
    SCENE_TRY(is_grid ? upload_read_grid(studio, message, &upload) : WADI_OK);
    studio_upload* place = upload_place(studio, name);
    place = place != NULL ? place : upload_unused(studio);
    if (place == NULL || name[0] == '\0' || strlen(name) >= sizeof upload.name)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_ARGUMENT,
                                 "a content has a name of up to 127 bytes, and there are at most "
                                 "%d of them",
                                 STUDIO_MAX_UPLOADS);
    }
    (void)snprintf(upload.name, sizeof upload.name, "%s", name);
    upload.bytes = calloc((size_t)upload.size + 1, 1);
    if (upload.bytes == NULL)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_MEMORY, "out of memory for '%s'",
                                 name);
    }
    free(place->bytes);
    *place = upload;
    return WADI_OK;
}

static void upload_send_received(wadi_studio* studio, const char* name)
{
    wadi_json_reset(&studio->text);
    wadi_json_open(&studio->text, NULL, '{');
    wadi_json_text(&studio->text, "type", "received");
    wadi_json_text(&studio->text, "name", name);
    wadi_json_close(&studio->text, '}');
    wadi_studio_send_text(studio);
}

// The content to which a piece belongs; NULL if it fits to none.
static studio_upload* upload_of_piece(wadi_studio* studio, const unsigned char* bytes, size_t size,
                                      size_t* data)
{
    if (size < UPLOAD_HEADER || memcmp(bytes, "wadp", 4) != 0)
    {
        return NULL;
    }
    const uint32_t length = upload_u32(bytes + 12);
    const uint32_t count = upload_u32(bytes + 8);
    if (length >= 128 || length > size - UPLOAD_HEADER)
    {
        return NULL;
    }
    char name[128] = {0};
    memcpy(name, bytes + UPLOAD_HEADER, length);
    *data = UPLOAD_HEADER + ((size_t)length + 3) / 4 * 4;
    studio_upload* upload = upload_place(studio, name);
    const bool fits = *data <= size && size - *data == count && upload != NULL &&
                      upload->bytes != NULL && upload_u32(bytes + 4) == upload->received &&
                      count <= upload->size - upload->received && count > 0;
    return fits ? upload : NULL;
}

void wadi_studio_take_piece(wadi_studio* studio, const unsigned char* bytes, size_t size)
{
    size_t data = 0;
    studio_upload* upload = upload_of_piece(studio, bytes, size, &data);
    if (upload == NULL)
    {
        wadi_studio_note(studio, "a piece that fits to no announced content was refused");
        return;
    }
    memcpy(upload->bytes + upload->received, bytes + data, size - data);
    upload->received += (uint32_t)(size - data);
    if (upload->received == upload->size)
    {
        upload_send_received(studio, upload->name);
    }
}

// ---- hooks --------------------------------------------------------------------------------------

static const studio_upload* upload_of_source(const wadi_studio* studio, const wadi_source* source)
{
    const studio_upload* upload = wadi_studio_find_upload(studio, source->file, true);
    return upload != NULL && upload->received == upload->size ? upload : NULL;
}

static wadi_result upload_no_file(const wadi_studio* studio, const char* file)
{
    return wadi_context_fail(studio->context, WADI_ERROR_IO,
                             "the file '%s' is not here; drop it onto the page", file);
}

static wadi_result upload_frame(void* user, const wadi_source* source, wadi_frame* out)
{
    wadi_studio* studio = user;
    const studio_upload* upload = upload_of_source(studio, source);
    if (upload == NULL)
    {
        return studio->files != NULL && studio->files->frame != NULL
                   ? studio->files->frame(studio->files->user, source, out)
                   : upload_no_file(studio, source->file);
    }
    // the place is that of a file which the server saves: heights of no place on the earth
    const double cell = upload->cell;
    *out = (wadi_frame){.width = upload->width,
                        .height = upload->height,
                        .cell_size = cell,
                        .georef = {.valid = true,
                                   .affine = {0.0, cell, 0.0, cell * upload->height, 0.0, -cell},
                                   .wkt = ""}};
    return WADI_OK;
}

// Bilinear between the centres of cells; the nearest cell where one of the four has no data.
static float upload_sample(const studio_upload* upload, double x, double y)
{
    const double right = upload->width - 1;
    const double bottom = upload->height - 1;
    x = x < 0.0 ? 0.0 : x > right ? right : x;
    y = y < 0.0 ? 0.0 : y > bottom ? bottom : y;
    const int32_t x0 = (int32_t)x;
    const int32_t y0 = (int32_t)y;
    const int32_t x1 = x0 < upload->width - 1 ? x0 + 1 : x0;
    const int32_t y1 = y0 < upload->height - 1 ? y0 + 1 : y0;
    const double u = x - x0;
    const double v = y - y0;
    const int32_t columns[4] = {x0, x1, x0, x1};
    const int32_t rows[4] = {y0, y0, y1, y1};
    const double weights[4] = {(1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v, u * v};
    double sum = 0.0;
    int32_t best = 0;
    float values[4];
    for (int32_t i = 0; i < 4; ++i)
    {
        memcpy(&values[i],
               upload->bytes + 4 * ((size_t)rows[i] * (size_t)upload->width + (size_t)columns[i]),
               sizeof values[i]);
        sum += weights[i] > 0.0 ? weights[i] * (double)values[i] : 0.0;
        best = weights[i] > weights[best] ? i : best;
    }
    return isfinite(sum) ? (float)sum : values[best];
}

// The grid is stretched over the whole frame.
static wadi_result upload_values(void* user, const wadi_source* source, const wadi_frame* frame,
                                 float* out)
{
    wadi_studio* studio = user;
    const studio_upload* upload = upload_of_source(studio, source);
    if (upload == NULL)
    {
        return studio->files != NULL && studio->files->read != NULL
                   ? studio->files->read(studio->files->user, source, frame, out)
                   : upload_no_file(studio, source->file);
    }
    for (int32_t y = 0; y < frame->height; ++y)
    {
        for (int32_t x = 0; x < frame->width; ++x)
        {
            const double u = (x + 0.5) * upload->width / frame->width - 0.5;
            const double v = (y + 0.5) * upload->height / frame->height - 0.5;
            out[(int64_t)y * frame->width + x] = upload_sample(upload, u, v);
        }
    }
    return WADI_OK;
}

static wadi_result upload_table(void* user, const char* file, const wadi_table_info* table,
                                double* out, int32_t capacity, int32_t* rows)
{
    wadi_studio* studio = user;
    *rows = 0;
    return studio->files != NULL && studio->files->table != NULL
               ? studio->files->table(studio->files->user, file, table, out, capacity, rows)
               : upload_no_file(studio, file);
}

void wadi_studio_set_host(wadi_studio* studio)
{
    studio->host = (wadi_host){.frame = upload_frame,
                               .read = upload_values,
                               .table = upload_table,
                               .watch = wadi_studio_watch_grains,
                               .user = studio};
}
