// SPDX-License-Identifier: MIT
// What comes to the studio's server from outside before anything is trusted: headers, paths, names
// and arguments. The input is lines, which take these parts in turn.
#include "studio/server/server_gate.h"
#include "studio/server/server_options.h"
#include "studio/server/server_record.h"
#include "studio/server/server_site.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum
{
    FUZZ_LINES = 8
};

// Whoever is let in has said the key, and only our own names are hosts.
static void fuzz_gate(const char* const lines[FUZZ_LINES])
{
    server_gate gate = {.port = 4711};
    memcpy(gate.key, "0123456789abcdef0123456789abcdef", SERVER_KEY_LENGTH);
    const bool is_host = server_gate_accepts_host(&gate, lines[0]);
    const bool is_own =
        strcmp(lines[0], "127.0.0.1:4711") == 0 || strcmp(lines[0], "localhost:4711") == 0;
    if (is_host != is_own || (server_gate_accepts_origin(&gate, lines[0], lines[1]) && !is_own) ||
        (server_gate_read_wish(&gate, lines[2]).has_key && strstr(lines[2], gate.key) == NULL))
    {
        abort();
    }
}

static void fuzz_site(const char* path)
{
    static unsigned char bytes[] = "x";
    static char names[2][16] = {"/deep/a.js", "/index.html"};
    server_file files[2] = {{.path = names[0], .type = "", .bytes = bytes, .size = 1},
                            {.path = names[1], .type = "", .bytes = bytes, .size = 1}};
    const server_site site = {.files = files, .count = 2};
    const server_file* found = server_site_find(&site, path);
    if (found != NULL && strcmp(found->path, path) != 0 && strcmp(path, "/") != 0)
    {
        abort();
    }
}

// A record stays in its folder, whatever a page calls its scene.
static void fuzz_record(const char* name)
{
    static server_record record;
    server_record_create("folder/scene.yaml", &record);
    server_record_choose(&record, name);
    if (strncmp(record.path, "folder/", 7) != 0 || strchr(record.path + 7, '/') != NULL)
    {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char* text = calloc(size + 1, 1);
    if (text == NULL)
    {
        return 0;
    }
    memcpy(text, data, size);
    const char* lines[FUZZ_LINES] = {"", "", "", "", "", "", "", ""};
    char* at = text;
    for (int i = 0; i < FUZZ_LINES && at != NULL; ++i)
    {
        lines[i] = at;
        at = strchr(at, '\n');
        if (at != NULL)
        {
            *at++ = '\0';
        }
    }
    fuzz_gate(lines);
    fuzz_site(lines[3]);
    fuzz_record(lines[4]);
    server_options options;
    char problem[256];
    (void)server_options_read(FUZZ_LINES, lines, &options, problem);
    free(text);
    return 0;
}
