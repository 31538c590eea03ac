// SPDX-License-Identifier: MIT
// Messages to the studio's engine, one a line, over the JSON reader of the module: whatever comes,
// each command is answered once, and the books stay closed. A line that begins with '#' is a binary
// message.
#include "studio/engine/engine.h"

// in place of the reader of YAML in io/
#include "studio/wasm/tree.c"

#include <ctype.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum
{
    FUZZ_TURNS = 3,
    FUZZ_DIGITS = 4 // longer numbers only make the same things slow
};

typedef struct fuzz_page
{
    double clock;
    int32_t answers;
    bool leaks; // some material is not balanced
} fuzz_page;

static void fuzz_require(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

static void fuzz_send(void* user, bool is_binary, const void* bytes, size_t size)
{
    fuzz_page* page = user;
    static const char residual[] = "\"residual\":";
    const char* text = bytes;
    fuzz_require(size > 0);
    if (is_binary)
    {
        fuzz_require(memcmp(text, "wad", 3) == 0);
        return;
    }
    page->answers += size > 14 && (memcmp(text, "{\"type\":\"done\"", 14) == 0 ||
                                   memcmp(text, "{\"type\":\"error", 14) == 0);
    for (size_t i = 0; i + sizeof residual < size; ++i)
    {
        if (memcmp(text + i, residual, sizeof residual - 1) == 0)
        {
            page->leaks = page->leaks || text[i + sizeof residual - 1] != '0';
        }
    }
}

static double fuzz_now(void* user)
{
    fuzz_page* page = user;
    page->clock += 5.0;
    return page->clock;
}

static bool fuzz_is_slow(const char* line, size_t size)
{
    size_t digits = 0;
    for (size_t i = 0; i < size; ++i)
    {
        digits = isdigit((unsigned char)line[i]) != 0 ? digits + 1 : 0;
        if (digits >= FUZZ_DIGITS)
        {
            return true;
        }
    }
    return false;
}

static void fuzz_line(wadi_studio* studio, fuzz_page* page, const char* line, size_t size)
{
    const bool is_binary = line[0] == '#';
    if (!is_binary && fuzz_is_slow(line, size))
    {
        return;
    }
    const int32_t before = page->answers;
    wadi_studio_receive(studio, is_binary, line + is_binary, size - is_binary);
    // `step` may answer for a former one too
    fuzz_require(page->answers - before <= 2);
    for (int32_t i = 0; i < FUZZ_TURNS; ++i)
    {
        (void)wadi_studio_turn(studio, 10.0);
    }
    wadi_studio_receive(studio, false, "{\"type\":\"ack\",\"seq\":1}", 22);
}

static const char fuzz_scene[] =
    "{\"type\":\"open\",\"scene\":\"{\\\"wadi\\\":\\\"1\\\",\\\"terrain\\\":{\\\"size\\\":"
    "\\\"12\\\","
    "\\\"cell\\\":\\\"5\\\",\\\"flat\\\":\\\"0\\\"},\\\"layers\\\":{\\\"sediment\\\":\\\"2\\\"},"
    "\\\"timeline\\\":{\\\"tick\\\":\\\"1\\\",\\\"end\\\":\\\"9\\\",\\\"run\\\":[{\\\"talus\\\":{}}"
    "]}}\"}";

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz_page page = {0};
    wadi_studio_def def = {.context = wadi_context_def_default(),
                           .send = fuzz_send,
                           .now = fuzz_now,
                           .user = &page,
                           .max_cells = 4096};
    def.context.threads = 1;
    wadi_studio* studio;
    fuzz_require(wadi_studio_create(&def, &studio) == WADI_OK);
    wadi_studio_receive(studio, false, fuzz_scene, sizeof fuzz_scene - 1);
    for (size_t at = 0; at < size;)
    {
        const char* line = (const char*)data + at;
        const char* end = memchr(line, '\n', size - at);
        const size_t length = end != NULL ? (size_t)(end - line) : size - at;
        if (length > 0)
        {
            fuzz_line(studio, &page, line, length);
        }
        at += length + 1;
    }
    fuzz_require(!page.leaks);
    wadi_studio_destroy(studio);
    return 0;
}
