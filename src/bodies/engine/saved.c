// SPDX-License-Identifier: MIT
#include "bodies/engine/saved.h"

static const int64_t saved_most = INT64_C(1) << 36; // bytes

wadi_result wadi_saved_open(wadi_archive* archive, uint64_t hash, size_t size, wadi_saved* out)
{
    *out = (wadi_saved){.context = wadi_archive_context(archive), .size = (int64_t)size};
    if (archive->mode == ARCHIVE_HASHES)
    {
        wadi_archive_u64(archive, &hash, 1);
        return WADI_OK;
    }
    WADI_TRY(wadi_archive_count(archive, &out->size, saved_most, "bytes of particles"));
    WADI_ALLOC(out->context, out->bytes, out->size + 1, "saved particles");
    return WADI_OK;
}

wadi_result wadi_saved_pass(wadi_archive* archive, const wadi_saved* saved)
{
    if (saved->bytes != NULL)
    {
        wadi_archive_bytes(archive, saved->bytes, saved->size);
    }
    return wadi_archive_result(archive);
}

void wadi_saved_close(wadi_saved* saved)
{
    wadi_free(saved->context, saved->bytes);
    saved->bytes = NULL;
}

void wadi_saved_grain(wadi_archive* archive, wadi_grain* grain)
{
    wadi_archive_f64(archive, grain->position, 3);
    wadi_archive_f64(archive, grain->velocity, 3);
    wadi_archive_f64(archive, grain->spin, 3);
    wadi_archive_f64(archive, &grain->radius, 1);
    wadi_archive_i32(archive, &grain->material, 1);
    wadi_archive_bool(archive, &grain->fixed);
}
