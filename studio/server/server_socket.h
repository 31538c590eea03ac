// SPDX-License-Identifier: MIT
// The sockets: files of the page by HTTP, messages by WebSocket, on the loopback interface only.
#pragma once

#include "studio/server/server_gate.h"
#include "studio/server/server_link.h"
#include "studio/server/server_site.h"

typedef struct server_socket server_socket;

typedef struct server_socket_def
{
    server_gate* gate; // its port is set when the socket is open
    const server_site* site;
    server_link* link;
    int port; // 0: any that is free
} server_socket_def;

// Open the socket. NULL: the port is taken, or there is no memory. What `def` points to must
// outlive it.
server_socket* server_socket_open(const server_socket_def* def);
// The thread: serves until server_socket_stop(). `user` is a server_socket.
void* server_socket_run(void* user);
// From any thread: the page is told that the server stops.
void server_socket_stop(server_socket* socket);
void server_socket_close(server_socket* socket);
