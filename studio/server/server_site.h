// SPDX-License-Identifier: MIT
// The files of the page. All are read once at the start, and a request is looked up among their
// names; so no request, however it is written, can reach another file.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct server_file
{
    char* path;       // as in a request: "/index.html"
    const char* type; // for the header Content-Type
    unsigned char* bytes;
    size_t size;
} server_file;

typedef struct server_site
{
    server_file* files; // sorted by path
    size_t count;
    size_t bytes;
} server_site;

// Read a folder with all below it, without symbolic links and names that begin with a dot. Fails
// without index.html or above 256 MB; then the line `problem` says why.
bool server_site_read(const char* folder, server_site* site, char problem[256]);
void server_site_free(server_site* site);

// The file of a request, or NULL. "/" is "/index.html".
const server_file* server_site_find(const server_site* site, const char* path);
