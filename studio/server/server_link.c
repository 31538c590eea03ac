// SPDX-License-Identifier: MIT
#include "studio/server/server_link.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

server_message* server_message_create(bool is_binary, const void* bytes, size_t size)
{
    server_message* message = malloc(sizeof *message + SERVER_ROOM + size);
    if (message != NULL)
    {
        *message = (server_message){.size = size, .is_binary = is_binary};
        if (bytes != NULL)
        {
            memcpy(message->bytes + SERVER_ROOM, bytes, size);
        }
    }
    return message;
}

static void queue_push(server_queue* queue, server_message* message)
{
    message->next = NULL;
    if (queue->last != NULL)
    {
        queue->last->next = message;
    }
    else
    {
        queue->first = message;
    }
    queue->last = message;
    queue->count += 1;
    queue->bytes += sizeof *message + SERVER_ROOM + message->size;
}

static server_message* queue_pop(server_queue* queue)
{
    server_message* message = queue->first;
    if (message != NULL)
    {
        queue->first = message->next;
        queue->last = queue->first != NULL ? queue->last : NULL;
        queue->count -= 1;
        queue->bytes -= sizeof *message + SERVER_ROOM + message->size;
    }
    return message;
}

static void queue_clear(server_queue* queue)
{
    for (server_message* message = queue_pop(queue); message != NULL; message = queue_pop(queue))
    {
        free(message);
    }
}

void server_link_create(server_link* link)
{
    *link = (server_link){0};
    (void)pthread_mutex_init(&link->lock, NULL);
    pthread_condattr_t clock;
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&link->arrived, &clock);
    (void)pthread_condattr_destroy(&clock);
}

void server_link_destroy(server_link* link)
{
    queue_clear(&link->in);
    queue_clear(&link->out);
    (void)pthread_cond_destroy(&link->arrived);
    (void)pthread_mutex_destroy(&link->lock);
}

void server_link_connect(server_link* link, bool is_page)
{
    (void)pthread_mutex_lock(&link->lock);
    queue_clear(&link->in);
    queue_clear(&link->out);
    link->pages += is_page ? 1 : 0;
    link->page = is_page ? link->pages : 0;
    link->is_full = false;
    link->is_held = false;
    (void)pthread_cond_signal(&link->arrived);
    (void)pthread_mutex_unlock(&link->lock);
}

bool server_link_receive(server_link* link, server_message* message)
{
    (void)pthread_mutex_lock(&link->lock);
    queue_push(&link->in, message);
    link->is_held = link->in.bytes >= SERVER_IN_LIMIT;
    const bool is_held = link->is_held;
    (void)pthread_cond_signal(&link->arrived);
    (void)pthread_mutex_unlock(&link->lock);
    return is_held;
}

bool server_link_release(server_link* link)
{
    (void)pthread_mutex_lock(&link->lock);
    const bool is_released = link->is_held && link->in.bytes < SERVER_IN_LIMIT / 2;
    link->is_held = link->is_held && !is_released;
    (void)pthread_mutex_unlock(&link->lock);
    return is_released;
}

server_message* server_link_next(server_link* link)
{
    (void)pthread_mutex_lock(&link->lock);
    server_message* message = queue_pop(&link->out);
    (void)pthread_mutex_unlock(&link->lock);
    return message;
}

bool server_link_is_full(server_link* link)
{
    (void)pthread_mutex_lock(&link->lock);
    const bool is_full = link->is_full;
    (void)pthread_mutex_unlock(&link->lock);
    return is_full;
}

static struct timespec link_time_after(int wait)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += wait / 1000;
    time.tv_nsec += wait % 1000 * 1000000L;
    time.tv_sec += time.tv_nsec / 1000000000L;
    time.tv_nsec %= 1000000000L;
    return time;
}

// Wait with the lock held. False: the time is over.
static bool link_wait(server_link* link, int wait, const struct timespec* end)
{
    return wait < 0 ? pthread_cond_wait(&link->arrived, &link->lock) == 0
                    : pthread_cond_timedwait(&link->arrived, &link->lock, end) == 0;
}

server_message* server_link_take(server_link* link, int wait, uint32_t* page)
{
    const struct timespec end = link_time_after(wait > 0 ? wait : 0);
    bool waits = wait != 0;
    (void)pthread_mutex_lock(&link->lock);
    while (waits && link->in.first == NULL && link->page == *page && !link->is_stopping)
    {
        waits = link_wait(link, wait, &end);
    }
    server_message* message = queue_pop(&link->in);
    *page = link->page;
    const bool wakes = link->is_held && link->in.bytes < SERVER_IN_LIMIT / 2;
    (void)pthread_mutex_unlock(&link->lock);
    if (wakes)
    {
        link->wake(link->user);
    }
    return message;
}

void server_link_send(server_link* link, uint32_t page, server_message* message)
{
    (void)pthread_mutex_lock(&link->lock);
    const bool is_sent = page != 0 && page == link->page && !link->is_full;
    // the first message that waits wakes the sockets' thread, which then takes all
    const bool wakes = is_sent && link->out.first == NULL;
    if (is_sent)
    {
        queue_push(&link->out, message);
        link->is_full = link->out.bytes > SERVER_OUT_LIMIT || link->out.count > SERVER_OUT_COUNT;
    }
    const bool is_full = link->is_full;
    (void)pthread_mutex_unlock(&link->lock);
    if (!is_sent)
    {
        free(message);
    }
    if (wakes || is_full)
    {
        link->wake(link->user);
    }
}

bool server_link_is_stopping(server_link* link)
{
    (void)pthread_mutex_lock(&link->lock);
    const bool is_stopping = link->is_stopping;
    (void)pthread_mutex_unlock(&link->lock);
    return is_stopping;
}

void server_link_stop(server_link* link)
{
    (void)pthread_mutex_lock(&link->lock);
    link->is_stopping = true;
    (void)pthread_cond_signal(&link->arrived);
    (void)pthread_mutex_unlock(&link->lock);
}
