// SPDX-License-Identifier: MIT
// Grains come and go by a saved state: the world is saved without those that go and with those that
// come, and restored. Contacts, bonds and springs of the others go on as they do in any restore.
#include "bodies/grains/granular.h"
#include "core/seal.h"

// ---- names -------------------------------------------------------------------------------------

// New ids of those that stay, in their order, -1 of those that go.
static void change_number(const wadi_grains* grains, const bool* gone, int32_t* ids)
{
    int32_t stay = 0;
    for (int32_t id = 0; id < grains->count; ++id)
    {
        ids[id] = gone != NULL && gone[id] ? -1 : stay++;
    }
}

void wadi_grains_names(const wadi_grains* grains, int64_t* out)
{
    memcpy(out, grains->names, (size_t)grains->count * sizeof *out);
}

// ---- the change --------------------------------------------------------------------------------

static wadi_result change_write(const wadi_grains* grains, const granular_change* change,
                                const int32_t* ids, unsigned char** bytes, size_t* size)
{
    wadi_stream counter = {NULL, 0};
    wadi_granular_save_changed(grains, change, ids, &counter);
    *size = counter.used + WADI_SEAL;
    WADI_ALLOC(grains->context, *bytes, *size, "grains that come and go");
    wadi_stream writer = {*bytes, 0};
    wadi_granular_save_changed(grains, change, ids, &writer);
    wadi_seal(*bytes, *size);
    return WADI_OK;
}

// Mass of what comes: of a clump, that of its sphere of the same volume.
static int64_t change_units(const wadi_grains* grains, const granular_change* change)
{
    int64_t units = 0;
    int32_t clump = 0;
    for (int32_t k = 0; k < change->count;)
    {
        const bool single = clump == change->clump_count || change->clumps[clump].first > k;
        wadi_grain body = change->come[k];
        body.radius = single ? body.radius : change->clumps[clump].radius;
        units += wadi_granular_units_of(grains, &body);
        k += single ? 1 : granular_shape_of(grains, &change->clumps[clump])->count;
        clump += single ? 0 : 1;
    }
    return units;
}

static void change_book(wadi_grains* grains, const granular_change* change)
{
    granular_books* books = &grains->flow.books;
    for (int32_t id = 0; id < grains->count && change->gone != NULL; ++id)
    {
        if (change->gone[id])
        {
            books->gone.grains += 1;
            books->gone.units += wadi_granular_units(grains, grains->places[id]);
        }
    }
    books->come.grains += change->count;
    books->come.units += change_units(grains, change);
}

static wadi_result change_apply(wadi_grains* grains, const granular_change* change, int32_t* ids)
{
    unsigned char* bytes = NULL;
    size_t size = 0;
    change_number(grains, change->gone, ids);
    const granular_books before = grains->flow.books;
    change_book(grains, change);
    wadi_result result = change_write(grains, change, ids, &bytes, &size);
    if (result != WADI_OK)
    {
        grains->flow.books = before;
        wadi_free(grains->context, bytes);
        return result;
    }
    result = wadi_grains_restore(grains, bytes, size);
    grains->failed = grains->failed || result != WADI_OK;
    wadi_free(grains->context, bytes);
    return result;
}

void wadi_grains_tie(wadi_grains* grains)
{
    grains->tied = true;
}

wadi_result wadi_granular_check_free(const wadi_grains* grains)
{
    WADI_CHECK(grains->context, !grains->tied, WADI_ERROR_STATE,
               "water seeps through these grains: none can come or go");
    return WADI_OK;
}

wadi_result wadi_granular_change(wadi_grains* grains, const granular_change* change)
{
    WADI_TRY(wadi_granular_check_free(grains));
    WADI_CHECK(grains->context, !grains->failed, WADI_ERROR_STATE,
               "a step of these grains has failed: restore a saved state first");
    int32_t* ids;
    WADI_ALLOC(grains->context, ids, grains->count + 1, "names of grains");
    const wadi_result result = change_apply(grains, change, ids);
    wadi_free(grains->context, ids);
    return result;
}

// ---- by hand -----------------------------------------------------------------------------------

wadi_result wadi_grains_insert(wadi_grains* grains, const wadi_grain* list, int32_t count)
{
    WADI_CHECK(grains->context, count >= 0 && count <= 100000000 - grains->count,
               WADI_ERROR_ARGUMENT, "%d grains come to %d; there can be 1e8", count, grains->count);
    for (int32_t k = 0; k < count; ++k)
    {
        WADI_TRY(wadi_granular_check_newcomer(grains, &list[k], k));
    }
    const granular_change change = {NULL, list, count, NULL, 0};
    return count > 0 ? wadi_granular_change(grains, &change) : WADI_OK;
}

wadi_result wadi_grains_remove(wadi_grains* grains, const bool* which)
{
    const granular_change change = {which, NULL, 0, NULL, 0};
    WADI_TRY(wadi_granular_clumps_check_whole(grains, which));
    return wadi_granular_change(grains, &change);
}
