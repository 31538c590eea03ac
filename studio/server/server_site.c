// SPDX-License-Identifier: MIT
#include "studio/server/server_site.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    SITE_LIMIT = 256 << 20, // bytes
    SITE_DEPTH = 8          // folders within folders
};

typedef struct site_type
{
    const char* ending;
    const char* type;
} site_type;

static const char* site_type_of(const char* path)
{
    static const site_type types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".wasm", "application/wasm"},
        {".json", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".webp", "image/webp"},
        {".svg", "image/svg+xml"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".yaml", "text/plain; charset=utf-8"},
        {".csv", "text/plain; charset=utf-8"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char* ending = strrchr(path, '.');
    for (size_t i = 0; ending != NULL && i < sizeof types / sizeof types[0]; ++i)
    {
        if (strcmp(ending, types[i].ending) == 0)
        {
            return types[i].type;
        }
    }
    return "application/octet-stream";
}

// Read a whole file of a known size; one byte more is allocated, as an empty file has bytes too.
static unsigned char* site_bytes(const char* path, size_t size)
{
    unsigned char* bytes = malloc(size + 1);
    FILE* file = bytes != NULL ? fopen(path, "rb") : NULL;
    const bool is_read = file != NULL && fread(bytes, 1, size, file) == size;
    if (file != NULL)
    {
        (void)fclose(file);
    }
    if (!is_read)
    {
        free(bytes);
        return NULL;
    }
    return bytes;
}

static bool site_add(server_site* site, const char* file, const char* path, size_t size)
{
    if (site->count % 64 == 0)
    {
        server_file* more = realloc(site->files, (site->count + 64) * sizeof *more);
        if (more == NULL)
        {
            return false;
        }
        site->files = more;
    }
    server_file* added = &site->files[site->count];
    *added = (server_file){.path = strdup(path), .type = site_type_of(path), .size = size};
    added->bytes = site_bytes(file, size);
    site->count += 1; // so that server_site_free() finds it
    site->bytes += size;
    return added->path != NULL && added->bytes != NULL;
}

static bool site_walk(server_site* site, const char* folder, const char* path, int depth,
                      char problem[256]);

static bool site_take(server_site* site, const char* folder, const char* path, const char* name,
                      int depth, char problem[256])
{
    char inner[PATH_MAX];
    char request[PATH_MAX];
    struct stat status;
    const int lengths[2] = {snprintf(inner, sizeof inner, "%s/%s", folder, name),
                            snprintf(request, sizeof request, "%s/%s", path, name)};
    if (lengths[0] >= PATH_MAX || lengths[1] >= PATH_MAX || lstat(inner, &status) != 0)
    {
        (void)snprintf(problem, 256, "cannot read %.200s", inner);
        return false;
    }
    if (S_ISDIR(status.st_mode))
    {
        return site_walk(site, inner, request, depth + 1, problem);
    }
    if (!S_ISREG(status.st_mode))
    {
        return true;
    }
    if ((size_t)status.st_size > SITE_LIMIT - site->bytes)
    {
        (void)snprintf(problem, 256, "%.200s: more than 256 MB of files", folder);
        return false;
    }
    if (!site_add(site, inner, request, (size_t)status.st_size))
    {
        (void)snprintf(problem, 256, "cannot read %.200s", inner);
        return false;
    }
    return true;
}

static bool site_walk(server_site* site, const char* folder, const char* path, int depth,
                      char problem[256])
{
    DIR* directory = depth < SITE_DEPTH ? opendir(folder) : NULL;
    if (directory == NULL)
    {
        (void)snprintf(problem, 256, "cannot read the folder %.200s", folder);
        return false;
    }
    bool is_read = true;
    for (const struct dirent* entry = readdir(directory); is_read && entry != NULL;
         entry = readdir(directory))
    {
        is_read =
            entry->d_name[0] == '.' || site_take(site, folder, path, entry->d_name, depth, problem);
    }
    (void)closedir(directory);
    return is_read;
}

static int site_compare(const void* a, const void* b)
{
    return strcmp(((const server_file*)a)->path, ((const server_file*)b)->path);
}

bool server_site_read(const char* folder, server_site* site, char problem[256])
{
    *site = (server_site){0};
    bool is_read = site_walk(site, folder, "", 0, problem);
    if (is_read && site->count > 0)
    {
        qsort(site->files, site->count, sizeof *site->files, site_compare);
    }
    if (is_read && server_site_find(site, "/") == NULL)
    {
        (void)snprintf(problem, 256, "%.200s holds no index.html", folder);
        is_read = false;
    }
    if (!is_read)
    {
        server_site_free(site);
    }
    return is_read;
}

void server_site_free(server_site* site)
{
    for (size_t i = 0; i < site->count; ++i)
    {
        free(site->files[i].path);
        free(site->files[i].bytes);
    }
    free(site->files);
    *site = (server_site){0};
}

const server_file* server_site_find(const server_site* site, const char* path)
{
    char name[PATH_MAX];
    const bool is_root = strcmp(path, "/") == 0;
    if (site->count == 0 ||
        snprintf(name, sizeof name, "%s", is_root ? "/index.html" : path) >= PATH_MAX)
    {
        return NULL;
    }
    const server_file key = {.path = name};
    return bsearch(&key, site->files, site->count, sizeof *site->files, site_compare);
}
