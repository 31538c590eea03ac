// SPDX-License-Identifier: MIT
#include "studio/server/server_socket.h"

#include <libwebsockets.h>

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static_assert(SERVER_ROOM >= LWS_PRE, "the header of a frame fits in front of a message");

enum
{
    SOCKET_PIECE = 64 * 1024, // bytes given to a socket at once
    SOCKET_CONNECTIONS = 128, // at most, with those of HTTP
    SOCKET_HEADERS =
        16 * 1024 // bytes of the headers of a request; cookies of other ports are in it
};

// Codes of the application with which a socket closes (README.md).
enum
{
    SOCKET_TAKEN = 4001,
    SOCKET_TAKEN_OVER = 4002
};

struct server_socket
{
    server_socket_def def;
    struct lws_context* context;
    struct lws* page;        // the one whose messages reach the engine, or NULL
    server_message* sending; // to the page
    size_t sent;             // bytes of it
    atomic_bool stops;
};

// State of one connection: of a WebSocket the message that is coming in, of a request its file.
typedef struct socket_peer
{
    const server_file* file;
    size_t sent;
    server_message* coming; // room for SERVER_MESSAGE_LIMIT bytes
    bool takes;
    bool is_closing; // the reason has been given
} socket_peer;

static server_socket* socket_of(struct lws* wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

// A header of a request as text, or NULL when it is missing or too long.
static const char* socket_header(struct lws* wsi, enum lws_token_indexes token, char* text,
                                 int size)
{
    return lws_hdr_copy(wsi, text, size, token) > 0 ? text : NULL;
}

// ---- files --------------------------------------------------------------------------------------

static int socket_refuse(struct lws* wsi, unsigned status)
{
    (void)lws_return_http_status(wsi, status, NULL);
    return -1;
}

static int socket_begin_file(struct lws* wsi, socket_peer* peer, const char* path)
{
    const server_socket* socket = socket_of(wsi);
    char text[256];
    if (!server_gate_accepts_host(socket->def.gate,
                                  socket_header(wsi, WSI_TOKEN_HOST, text, sizeof text)))
    {
        return socket_refuse(wsi, HTTP_STATUS_FORBIDDEN);
    }
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
    {
        return socket_refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED);
    }
    const server_file* file = server_site_find(socket->def.site, path);
    if (file == NULL)
    {
        return socket_refuse(wsi, HTTP_STATUS_NOT_FOUND);
    }
    unsigned char room[LWS_PRE + 4096];
    unsigned char* at = room + LWS_PRE;
    unsigned char* const end = room + sizeof room - 1;
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, file->type, file->size, &at, end) != 0 ||
        lws_finalize_write_http_header(wsi, room + LWS_PRE, &at, end) != 0)
    {
        return -1;
    }
    *peer = (socket_peer){.file = file};
    (void)lws_callback_on_writable(wsi);
    return 0;
}

static int socket_send_file(struct lws* wsi, socket_peer* peer)
{
    if (peer->file == NULL)
    {
        return -1;
    }
    unsigned char room[LWS_PRE + SOCKET_PIECE];
    const size_t left = peer->file->size - peer->sent;
    const size_t size = left < SOCKET_PIECE ? left : SOCKET_PIECE;
    memcpy(room + LWS_PRE, peer->file->bytes + peer->sent, size);
    const bool is_last = size == left;
    if (lws_write(wsi, room + LWS_PRE, size, is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0)
    {
        return -1;
    }
    peer->sent += size;
    if (!is_last)
    {
        (void)lws_callback_on_writable(wsi);
        return 0;
    }
    peer->file = NULL;
    return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

static int socket_on_http(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                          size_t length)
{
    switch (reason)
    {
    case LWS_CALLBACK_HTTP:
        return socket_begin_file(wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return socket_send_file(wsi, user);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: // a WebSocket without our protocol
        return socket_refuse(wsi, HTTP_STATUS_FORBIDDEN);
    default:
        return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

// ---- messages -----------------------------------------------------------------------------------

// Close a WebSocket from within its callback.
static int socket_end(struct lws* wsi, int code, const char* why)
{
    unsigned char text[64];
    const size_t length = strlen(why);
    memcpy(text, why, length);
    lws_close_reason(wsi, (enum lws_close_status)code, text, length);
    return -1;
}

static int socket_check(struct lws* wsi)
{
    const server_gate* gate = socket_of(wsi)->def.gate;
    char host[128];
    char origin[128];
    char words[256];
    char path[64];
    const char* at = socket_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path);
    const char* name = socket_header(wsi, WSI_TOKEN_HOST, host, sizeof host);
    const char* from = socket_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    const char* protocols = socket_header(wsi, WSI_TOKEN_PROTOCOL, words, sizeof words);
    const bool is_right = at != NULL && strcmp(at, "/socket") == 0 &&
                          server_gate_accepts_origin(gate, name, from) &&
                          server_gate_read_wish(gate, protocols).has_key;
    return is_right ? 0 : socket_refuse(wsi, HTTP_STATUS_FORBIDDEN);
}

static void socket_forget(server_socket* socket)
{
    free(socket->sending);
    socket->sending = NULL;
    socket->sent = 0;
}

static int socket_begin(struct lws* wsi, socket_peer* peer)
{
    server_socket* socket = socket_of(wsi);
    char words[256];
    *peer = (socket_peer){0};
    const server_wish wish = server_gate_read_wish(
        socket->def.gate, socket_header(wsi, WSI_TOKEN_PROTOCOL, words, sizeof words));
    struct lws* before = socket->page;
    if (before != NULL && !wish.takes)
    {
        return socket_end(wsi, SOCKET_TAKEN, "another page is connected");
    }
    socket_forget(socket);
    socket->page = wsi;
    server_link_connect(socket->def.link, true);
    if (before != NULL)
    {
        (void)lws_callback_on_writable(before); // closes it
    }
    return 0;
}

static void socket_finish(struct lws* wsi, socket_peer* peer)
{
    server_socket* socket = socket_of(wsi);
    free(peer->coming);
    peer->coming = NULL;
    if (socket->page == wsi)
    {
        socket->page = NULL;
        socket_forget(socket);
        server_link_connect(socket->def.link, false);
    }
}

static int socket_pass(struct lws* wsi, socket_peer* peer)
{
    server_socket* socket = socket_of(wsi);
    server_message* message = server_message_create(
        peer->coming->is_binary, peer->coming->bytes + SERVER_ROOM, peer->coming->size);
    peer->coming->size = 0;
    if (message == NULL)
    {
        return socket_end(wsi, 1011, "out of memory");
    }
    if (server_link_receive(socket->def.link, message))
    {
        (void)lws_rx_flow_control(wsi, 0);
    }
    return 0;
}

// A piece of a message: libwebsockets cuts messages where its buffer ends, and peers cut them into
// fragments, so that only the sum of all pieces says how long a message is.
static int socket_receive(struct lws* wsi, socket_peer* peer, const void* bytes, size_t size)
{
    if (socket_of(wsi)->page != wsi)
    {
        return 0; // closing
    }
    if (peer->coming == NULL)
    {
        peer->coming = server_message_create(false, NULL, SERVER_MESSAGE_LIMIT);
        if (peer->coming == NULL)
        {
            return socket_end(wsi, 1011, "out of memory");
        }
        peer->coming->size = 0;
    }
    if (lws_is_first_fragment(wsi) != 0)
    {
        peer->coming->is_binary = lws_frame_is_binary(wsi) != 0;
    }
    if (size > SERVER_MESSAGE_LIMIT - peer->coming->size)
    {
        return socket_end(wsi, 1009, "a message above 64 kB");
    }
    memcpy(peer->coming->bytes + SERVER_ROOM + peer->coming->size, bytes, size);
    peer->coming->size += size;
    return lws_is_final_fragment(wsi) != 0 ? socket_pass(wsi, peer) : 0;
}

static int socket_send_piece(struct lws* wsi, server_socket* socket)
{
    server_message* message = socket->sending;
    const size_t left = message->size - socket->sent;
    const size_t size = left < SOCKET_PIECE ? left : SOCKET_PIECE;
    const bool is_first = socket->sent == 0;
    const bool is_last = size == left;
    const int kind = lws_write_ws_flags(message->is_binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT,
                                        is_first ? 1 : 0, is_last ? 1 : 0);
    // the header of a frame goes where the piece before it lay, which has been sent
    if (lws_write(wsi, message->bytes + SERVER_ROOM + socket->sent, size,
                  (enum lws_write_protocol)kind) < 0)
    {
        return -1;
    }
    socket->sent += size;
    if (is_last)
    {
        socket_forget(socket);
    }
    return 0;
}

static int socket_send(struct lws* wsi)
{
    server_socket* socket = socket_of(wsi);
    if (atomic_load(&socket->stops))
    {
        return socket_end(wsi, 1001, "the server stops");
    }
    if (socket->page != wsi)
    {
        return socket_end(wsi, SOCKET_TAKEN_OVER, "another page has taken over");
    }
    if (server_link_is_full(socket->def.link))
    {
        return socket_end(wsi, 1008, "the page does not read");
    }
    if (socket->sending == NULL)
    {
        socket->sending = server_link_next(socket->def.link);
    }
    if (socket->sending == NULL)
    {
        return 0;
    }
    (void)lws_callback_on_writable(wsi);
    return socket_send_piece(wsi, socket);
}

// The engine's thread has sent something, or has taken what waited for it; or the server stops.
static void socket_wake(struct lws* wsi)
{
    server_socket* socket = socket_of(wsi);
    if (socket->page == NULL)
    {
        return;
    }
    if (server_link_release(socket->def.link))
    {
        (void)lws_rx_flow_control(socket->page, 1);
    }
    if (atomic_load(&socket->stops))
    {
        // a page that does not read is not told, but closed all the same
        lws_set_timeout(socket->page, PENDING_TIMEOUT_USER_OK, 1);
    }
    (void)lws_callback_on_writable(socket->page);
}

static int socket_on_message(struct lws* wsi, enum lws_callback_reasons reason, void* user,
                             void* in, size_t length)
{
    switch (reason)
    {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return socket_check(wsi);
    case LWS_CALLBACK_ESTABLISHED:
        return socket_begin(wsi, user);
    case LWS_CALLBACK_CLOSED:
        socket_finish(wsi, user);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return socket_receive(wsi, user, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return socket_send(wsi);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        socket_wake(wsi);
        return 0;
    default:
        return 0;
    }
}

// ---- the thread ---------------------------------------------------------------------------------

static const struct lws_protocols socket_protocols[] = {
    {.name = "http", .callback = socket_on_http, .per_session_data_size = sizeof(socket_peer)},
    {.name = "wadi-studio",
     .callback = socket_on_message,
     .per_session_data_size = sizeof(socket_peer),
     .rx_buffer_size = 4096},
    {0},
};

// Headers of every answer: no code from elsewhere, no frames, no address passed on, and the
// isolation without which browsers give a page no threads.
static const struct lws_protocol_vhost_options socket_headers[] = {
    {&socket_headers[1], NULL, "content-security-policy:",
     "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src "
     "'self'; "
     "img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; "
     "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {&socket_headers[2], NULL, "cross-origin-opener-policy:", "same-origin"},
    {&socket_headers[3], NULL, "cross-origin-embedder-policy:", "require-corp"},
    {&socket_headers[4], NULL, "cross-origin-resource-policy:", "same-origin"},
    {&socket_headers[5], NULL, "referrer-policy:", "no-referrer"},
    {&socket_headers[6], NULL, "x-content-type-options:", "nosniff"},
    {NULL, NULL, "cache-control:", "no-cache"},
};

static void socket_on_wake(void* user)
{
    lws_cancel_service(((server_socket*)user)->context);
}

server_socket* server_socket_open(const server_socket_def* def)
{
    server_socket* socket = calloc(1, sizeof *socket);
    if (socket == NULL)
    {
        return NULL;
    }
    socket->def = *def;
    lws_set_log_level(0, NULL);
    const struct lws_context_creation_info info = {
        .port = def->port,
        .iface = "127.0.0.1",
        .protocols = socket_protocols,
        .headers = socket_headers,
        .server_string = "wadi",
        .gid = -1,
        .uid = -1,
        .options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                   LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
        .timeout_secs = 10,
        .max_http_header_data = SOCKET_HEADERS,
        .max_http_header_pool = SOCKET_CONNECTIONS,
        .fd_limit_per_thread = SOCKET_CONNECTIONS + 4,
        .alpn = "http/1.1",
        .user = socket,
    };
    socket->context = lws_create_context(&info);
    struct lws_vhost* vhost =
        socket->context != NULL ? lws_get_vhost_by_name(socket->context, "default") : NULL;
    if (vhost == NULL)
    {
        server_socket_close(socket);
        return NULL;
    }
    def->gate->port = lws_get_vhost_listen_port(vhost);
    def->link->wake = socket_on_wake;
    def->link->user = socket;
    return socket;
}

void* server_socket_run(void* user)
{
    server_socket* socket = user;
    while (lws_service(socket->context, 0) >= 0 &&
           !(atomic_load(&socket->stops) && socket->page == NULL))
    {
    }
    return NULL;
}

void server_socket_stop(server_socket* socket)
{
    atomic_store(&socket->stops, true);
    lws_cancel_service(socket->context);
}

void server_socket_close(server_socket* socket)
{
    if (socket->context != NULL)
    {
        lws_context_destroy(socket->context);
    }
    socket_forget(socket);
    free(socket);
}
