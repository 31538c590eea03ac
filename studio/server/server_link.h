// SPDX-License-Identifier: MIT
// The two queues between the thread that serves sockets and the thread of the engine. Neither waits
// for the other: what a page sends is taken off its socket only while there is room, and a page
// that does not read loses its connection when too much waits for it.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
    SERVER_ROOM = 64,                 // bytes in front of a message, for the frame's header
    SERVER_MESSAGE_LIMIT = 64 * 1024, // bytes of a message from a page
    SERVER_IN_LIMIT = 1 << 20,        // bytes that wait for the engine
    SERVER_OUT_LIMIT = 256 << 20,     // bytes that wait for the page
    SERVER_OUT_COUNT = 8192           // messages that wait for the page
};

typedef struct server_message
{
    struct server_message* next;
    size_t size;
    bool is_binary;
    unsigned char bytes[]; // SERVER_ROOM, then the message
} server_message;

typedef struct server_queue
{
    server_message* first;
    server_message* last;
    size_t count;
    size_t bytes;
} server_queue;

typedef struct server_link
{
    pthread_mutex_t lock;
    pthread_cond_t arrived; // a message, another page, or the end
    server_queue in;
    server_queue out;
    uint32_t page; // number of the connected page; 0: none
    uint32_t pages;
    bool is_full; // too much waits for the page
    bool is_held; // the socket is not read, because the engine is behind
    bool is_stopping;
    void (*wake)(void* user); // tells the sockets' thread that something changed
    void* user;
} server_link;

// A message with a copy of `size` bytes, or with room for them when `bytes` is NULL. NULL: no
// memory.
server_message* server_message_create(bool is_binary, const void* bytes, size_t size);

void server_link_create(server_link* link);
void server_link_destroy(server_link* link);

// ---- for the sockets' thread --------------------------------------------------------------------
// Another page is connected, or none: messages from and for the page before are dropped.
void server_link_connect(server_link* link, bool is_page);
// Pass on a message; the link owns it then. True: read no more from the socket until woken.
bool server_link_receive(server_link* link, server_message* message);
// True when a socket that was held may be read again.
bool server_link_release(server_link* link);
// Next message for the page, owned by the caller, or NULL.
server_message* server_link_next(server_link* link);
bool server_link_is_full(server_link* link);

// ---- for the engine's thread --------------------------------------------------------------------
// Next message from the page, owned by the caller, or NULL. Waits for one, for another page than
// *page or for the end, at most `wait` ms; -1: as long as it takes. *page becomes the number of the
// connected page.
server_message* server_link_take(server_link* link, int wait, uint32_t* page);
// Send to page number `page`; dropped when it is gone.
void server_link_send(server_link* link, uint32_t page, server_message* message);
bool server_link_is_stopping(server_link* link);

// From any thread: the engine's thread ends after what it does now.
void server_link_stop(server_link* link);
