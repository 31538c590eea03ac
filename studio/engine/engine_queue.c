// SPDX-License-Identifier: MIT
// Messages that wait until the running tick has ended, or until the replay of a command is done.
#include "studio/engine/engine_internal.h"

#include <stdlib.h>
#include <string.h>

enum
{
    QUEUE_BYTES = 1 << 20, // of all messages that wait
    QUEUE_COUNT = 4096
};

bool wadi_studio_is_full(const wadi_studio* studio)
{
    return studio->queue_bytes > QUEUE_BYTES || studio->queue_count >= QUEUE_COUNT;
}

bool wadi_studio_push(wadi_studio* studio, bool is_binary, const void* bytes, size_t size)
{
    studio_waiting* waiting = malloc(sizeof *waiting + size);
    if (waiting == NULL)
    {
        return false;
    }
    *waiting = (studio_waiting){NULL, size, is_binary, false};
    memcpy(waiting->bytes, bytes, size);
    studio_waiting** end = &studio->queue;
    while (*end != NULL)
    {
        end = &(*end)->next;
    }
    *end = waiting;
    studio->queue_bytes += size;
    studio->queue_count += 1;
    return true;
}

void wadi_studio_pop(wadi_studio* studio)
{
    studio_waiting* first = studio->queue;
    studio->queue = first->next;
    studio->queue_bytes -= first->size;
    studio->queue_count -= 1;
    free(first);
}
