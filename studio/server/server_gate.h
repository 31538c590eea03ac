// SPDX-License-Identifier: MIT
// What a request must show before the server answers it. All functions are pure: text that came
// from outside goes in, a decision comes out.
#pragma once

#include <stdbool.h>

enum
{
    SERVER_KEY_LENGTH = 32
};

typedef struct server_gate
{
    char key[SERVER_KEY_LENGTH + 1]; // hexadecimal
    int port;
} server_gate;

// The words of the header Sec-WebSocket-Protocol.
typedef struct server_wish
{
    bool has_key; // of this server
    bool takes;   // the engine over from another page
} server_wish;

// A new random key. False: the system has no random numbers.
bool server_gate_make_key(server_gate* gate);

// Whether the header Host names this server: 127.0.0.1:PORT or localhost:PORT. A foreign name that
// resolves to this machine (DNS rebinding) is refused. NULL, for no such header, is refused.
bool server_gate_accepts_host(const server_gate* gate, const char* host);

// Whether the header Origin is that of a page from this server, under the name of `host`.
bool server_gate_accepts_origin(const server_gate* gate, const char* host, const char* origin);

server_wish server_gate_read_wish(const server_gate* gate, const char* protocols);
