// SPDX-License-Identifier: MIT
// Opening the page in the user's browser.
#pragma once

#include <stdbool.h>

// A file with a link to the page, readable by its owner only. The address holds the key, and the
// arguments of a browser can be read by every user of the machine; so the browser gets the name of
// this file instead.
typedef struct server_browser
{
    char path[256]; // "": none
} server_browser;

// False: there is no display, or no way to open a browser.
bool server_browser_open(const char* address, server_browser* browser);
void server_browser_close(server_browser* browser); // removes the file
