// SPDX-License-Identifier: MIT
// Save and restore of a test: its state, its curve and the grains.
#include "bodies/engine/stream.h"
#include "bodies/grains/specimen.h"
#include "core/seal.h"

#define SAVE_MAGIC UINT64_C(0x57414449544531)

typedef struct save_header
{
    uint64_t magic;
    int32_t kind;
    int32_t grains;
    specimen_state state;
    wadi_grain_test_point points[2 * SPECIMEN_POINTS];
} save_header;

size_t wadi_grain_test_save_size(const wadi_grain_test* test)
{
    return sizeof(save_header) + wadi_grains_save_size(test->grains) + WADI_SEAL;
}

void wadi_grain_test_save(const wadi_grain_test* test, void* bytes)
{
    save_header header;
    memset(&header, 0, sizeof header);
    header.magic = SAVE_MAGIC;
    header.kind = (int32_t)test->kind;
    header.grains = test->grains->count;
    header.state = test->state;
    memcpy(header.points, test->points, sizeof header.points);
    memcpy(bytes, &header, sizeof header);
    wadi_grains_save(test->grains, (unsigned char*)bytes + sizeof header);
    wadi_seal(bytes, wadi_grain_test_save_size(test));
}

// Walls lie around the specimen, and stresses and the curve are numbers.
static bool save_are_numbers(const save_header* header)
{
    const specimen_state* s = &header->state;
    const double most = 1e15;
    const double singles[3] = {s->drag, s->slide, s->unbalanced};
    bool fit = s->steps >= 0 && s->staged >= 0 && s->summed >= 0 && s->calm >= 0 &&
               wadi_stream_is_within(s->place, SPECIMEN_WALLS, 1e6) &&
               wadi_stream_is_within(s->speed, SPECIMEN_WALLS, 1e6) &&
               wadi_stream_is_within(s->drift, 3, 1e6) &&
               wadi_stream_is_within(s->force, SPECIMEN_WALLS, most) &&
               wadi_stream_is_within(s->mean, 3, most) && wadi_stream_is_within(s->size, 3, 1e6) &&
               wadi_stream_is_within(s->sums, 3, most) && wadi_stream_is_within(singles, 3, most);
    for (int axis = 0; axis < 3; ++axis)
    {
        fit = fit && s->place[2 * axis] < s->place[2 * axis + 1];
    }
    for (int32_t k = 0; k < s->points && fit; ++k)
    {
        fit = wadi_stream_is_within(&header->points[k].strain, 7, most);
    }
    return fit;
}

static wadi_result save_check(const wadi_grain_test* test, const save_header* header)
{
    const int32_t most = 2 * SPECIMEN_POINTS;
    WADI_CHECK(test->context,
               header->kind == (int32_t)test->kind && header->grains == test->grains->count,
               WADI_ERROR_ARGUMENT,
               "a test of kind %d with %d grains was saved, but this one is of kind %d with %d: "
               "make it with the same arguments",
               header->kind, header->grains, (int)test->kind, test->grains->count);
    WADI_CHECK(test->context,
               header->state.stage >= SPECIMEN_PACK && header->state.stage <= SPECIMEN_DONE &&
                   header->state.points >= 0 && header->state.points <= most &&
                   save_are_numbers(header),
               WADI_ERROR_FORMAT, "the saved test is damaged: save it anew");
    return WADI_OK;
}

// Walls and friction of the stage, which the grains do not save.
static wadi_result save_prepare(wadi_grain_test* test)
{
    const bool packing = test->state.stage == SPECIMEN_PACK;
    WADI_TRY(wadi_specimen_walls_remove(test));
    if (packing || !specimen_is_shear(test))
    {
        WADI_TRY(wadi_specimen_walls_add(test));
    }
    wadi_specimen_set_friction(test, packing);
    return WADI_OK;
}

wadi_result wadi_grain_test_restore(wadi_grain_test* test, const void* bytes, size_t size)
{
    save_header header;
    WADI_TRY(wadi_stream_header(test->context, bytes, size, SAVE_MAGIC, "a saved test", &header,
                                sizeof header));
    WADI_CHECK(test->context, size > sizeof header + WADI_SEAL, WADI_ERROR_FORMAT,
               "%zu bytes are too few to be a saved test", size);
    WADI_TRY(wadi_seal_check(test->context, bytes, size, "the test"));
    WADI_TRY(save_check(test, &header));
    test->failed = true;
    test->state = header.state;
    memcpy(test->points, header.points, sizeof header.points);
    WADI_TRY(save_prepare(test));
    WADI_TRY(wadi_grains_restore(test->grains, (const unsigned char*)bytes + sizeof header,
                                 size - sizeof header - WADI_SEAL));
    test->failed = false;
    return WADI_OK;
}
