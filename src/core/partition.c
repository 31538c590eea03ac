// SPDX-License-Identifier: MIT
#include "core/partition.h"

#include "core/context.h"

#include <string.h>

const wadi_partition* wadi_partition_of(const wadi_context* context)
{
    return context->def.partition.width > 0 ? &context->def.partition : NULL;
}

const wadi_partition* wadi_context_partition(const wadi_context* context)
{
    return wadi_partition_of(context);
}

bool wadi_partition_get(const wadi_partition* part, void* const* layers, const int32_t* bytes,
                        int32_t count)
{
    return part == NULL || part->get(layers, bytes, count, part->user);
}

bool wadi_partition_sum(const wadi_partition* part, int64_t* values, int32_t count)
{
    return part == NULL || part->sum(values, count, part->user);
}

bool wadi_partition_add(const wadi_partition* part, void* const* layers, const int32_t* bytes,
                        int32_t count)
{
    return part == NULL || part->add(layers, bytes, count, part->user);
}

bool wadi_partition_to_first(const wadi_partition* part, const void* bytes, int64_t size,
                             wadi_part* parts)
{
    for (int32_t i = 0; i < part->count; ++i)
    {
        parts[i] = (wadi_part){i == 0 ? bytes : NULL, i == 0 ? size : 0};
    }
    return part->send(parts, part->user);
}

bool wadi_partition_any(const wadi_partition* part, bool here)
{
    int64_t any = here ? 1 : 0;
    (void)wadi_partition_sum(part, &any, 1);
    return any != 0;
}

bool wadi_partition_tell(const wadi_partition* part, bool knows, double* value)
{
    int64_t bits = 0;
    if (knows)
    {
        memcpy(&bits, value, sizeof bits);
    }
    const bool told = wadi_partition_sum(part, &bits, 1);
    memcpy(value, &bits, sizeof bits);
    return told;
}

wadi_result wadi_partition_lost(wadi_context* context)
{
    return wadi_fail(context, WADI_ERROR_CANCELLED,
                     "this window stopped because another window failed or was stopped");
}

wadi_result wadi_partition_whole_context(const wadi_context* window, wadi_context** out)
{
    wadi_context_def def = window->def;
    def.partition = (wadi_partition){0};
    def.progress = NULL;
    WADI_TRY(wadi_context_create(&def, out));
    (*out)->paged = window->paged;
    return WADI_OK;
}

// Does a span of owned cells with its halos fit along one axis? A part that is alone needs no tiles
// of sums, has no halo, and may go on beyond a periodic edge.
static bool partition_span_is_sound(int32_t whole, int32_t first, int32_t owned, int32_t before,
                                    int32_t behind, bool alone)
{
    const bool cut = first % WADI_PARTITION_TILE == 0 &&
                     (first + owned == whole || owned % WADI_PARTITION_TILE == 0);
    return whole >= 1 && whole <= 65536 && first >= 0 && first < whole && owned >= 1 &&
           owned <= (alone ? whole : whole - first) && before >= 0 && behind >= 0 &&
           before <= whole && behind <= whole && (alone ? before + behind == 0 : cut);
}

wadi_result wadi_partition_check(const wadi_partition* part)
{
    if (part->width == 0)
    {
        return WADI_OK;
    }
    const bool alone = wadi_partition_is_alone(part);
    const bool sound = partition_span_is_sound(part->width, part->x, part->owned_width,
                                               part->halo[3], part->halo[1], alone) &&
                       partition_span_is_sound(part->height, part->y, part->owned_height,
                                               part->halo[0], part->halo[2], alone) &&
                       part->count >= 1 && part->index >= 0 && part->index < part->count &&
                       part->get != NULL && part->sum != NULL && part->table != NULL &&
                       part->add != NULL && part->send != NULL;
    return sound ? WADI_OK : WADI_ERROR_ARGUMENT;
}
