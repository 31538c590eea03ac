// SPDX-License-Identifier: MIT
// The arguments of the server. `wadi studio` has checked them; they are checked again, as the
// program may be started alone.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct server_options
{
    const char* scene; // NULL: none
    const char* site;  // folder of the page; NULL: the installed one
    int port;          // 0: any that is free
    int threads;       // 0: one per core
    bool browser;      // open one
    bool saves;        // the record
} server_options;

// False: the line `problem` says why.
bool server_options_read(int argc, const char* const* argv, server_options* options,
                         char problem[256]);
