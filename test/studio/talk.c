// SPDX-License-Identifier: MIT
#include "studio/talk.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void talk_take_text(talk* t, const void* bytes, size_t size)
{
    if (t->texts_size + size + 2 < TALK_BYTES)
    {
        memcpy(t->texts + t->texts_size, bytes, size);
        t->texts_size += size;
        t->texts[t->texts_size++] = '\n';
        t->texts[t->texts_size] = '\0';
    }
}

static void talk_take_bytes(talk* t, const void* bytes, size_t size)
{
    unsigned char* last = realloc(t->last, size);
    if (last == NULL)
    {
        return;
    }
    memcpy(last, bytes, size);
    t->last = last;
    t->last_size = size;
    t->tiles += memcmp(bytes, "wad1", 4) == 0;
    t->maps += memcmp(bytes, "wadm", 4) == 0;
    t->pieces += memcmp(bytes, "wadx", 4) == 0;
    t->bytes += (int64_t)size;
    if (memcmp(bytes, "wadg", 4) == 0)
    {
        t->grain_frames += 1;
        memcpy(&t->grains, last + 8, sizeof t->grains);
        return;
    }
    memcpy(&t->seq, last + 4, sizeof t->seq);
}

static void talk_take(void* user, bool is_binary, const void* bytes, size_t size)
{
    if (is_binary)
    {
        talk_take_bytes(user, bytes, size);
    }
    else
    {
        talk_take_text(user, bytes, size);
    }
}

// A clock of its own, so that no test depends on the machine.
static double talk_now(void* user)
{
    talk* t = user;
    t->clock += t->pace;
    return t->clock;
}

bool talk_open(talk* t, int32_t threads, bool reads_yaml)
{
    *t = (talk){.texts = calloc(TALK_BYTES, 1), .pace = 0.5};
    wadi_studio_def def = {.context = wadi_context_def_default(),
                           .send = talk_take,
                           .now = talk_now,
                           .user = t,
                           .reads_yaml = reads_yaml};
    def.context.threads = threads;
    return t->texts != NULL && wadi_studio_create(&def, &t->studio) == WADI_OK;
}

void talk_close(talk* t)
{
    wadi_studio_destroy(t->studio);
    free(t->texts);
    free(t->last);
}

void talk_say(talk* t, const char* text)
{
    t->texts_size = 0;
    t->texts[0] = '\0';
    t->tiles = 0;
    t->maps = 0;
    t->pieces = 0;
    t->grain_frames = 0;
    t->bytes = 0;
    wadi_studio_receive(t->studio, false, text, strlen(text));
}

void talk_sayf(talk* t, const char* format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    talk_say(t, text);
}

void talk_run(talk* t)
{
    char ack[64];
    for (bool more = true; more;)
    {
        const int32_t before = t->tiles + t->maps;
        more = wadi_studio_turn(t->studio, 12.0);
        const int32_t after = t->tiles + t->maps;
        more = more || after != before;
        for (int32_t i = before; i < after; ++i)
        {
            (void)snprintf(ack, sizeof ack, "{\"type\":\"ack\",\"seq\":%u}", t->seq);
            wadi_studio_receive(t->studio, false, ack, strlen(ack));
        }
        t->clock += 40.0;
    }
}

bool talk_has(const talk* t, const char* text)
{
    return strstr(t->texts, text) != NULL;
}

void talk_value(const talk* t, const char* key, char* out, size_t size)
{
    char quoted[64];
    (void)snprintf(quoted, sizeof quoted, "\"%s\":\"", key);
    const char* at = NULL;
    for (const char* next = strstr(t->texts, quoted); next != NULL; next = strstr(next + 1, quoted))
    {
        at = next + strlen(quoted);
    }
    size_t used = 0;
    for (; at != NULL && *at != '"' && used + 1 < size; ++at)
    {
        if (*at == '\\' && strncmp(at, "\\u000a", 6) == 0)
        {
            out[used++] = '\n';
            at += 5;
            continue;
        }
        at += *at == '\\';
        out[used++] = *at;
    }
    out[used] = '\0';
}

void talk_scene(talk* t, const char* text)
{
    static char message[1 << 17];
    size_t used =
        (size_t)snprintf(message, sizeof message, "{\"type\":\"open\",\"id\":1,\"scene\":\"");
    for (const char* c = text; *c != '\0' && used + 16 < sizeof message; ++c)
    {
        const char* escape = *c == '\n' ? "\\n" : *c == '"' ? "\\\"" : *c == '\\' ? "\\\\" : NULL;
        used += escape != NULL ? (size_t)snprintf(message + used, 4, "%s", escape)
                               : (size_t)snprintf(message + used, 2, "%c", *c);
    }
    (void)snprintf(message + used, sizeof message - used, "\"}");
    talk_say(t, message);
}
