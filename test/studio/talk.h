// SPDX-License-Identifier: MIT
// A conversation with the engine of the studio: messages go in as text, and answers are kept.
#pragma once

#include "studio/engine/engine.h"

enum
{
    TALK_BYTES = 1 << 23
};

typedef struct talk
{
    wadi_studio* studio;
    char* texts; // all text messages since the last say, one a line
    size_t texts_size;
    unsigned char* last; // latest binary message
    size_t last_size;
    int32_t tiles; // messages since the last say
    int32_t maps;
    int32_t pieces;
    int32_t grain_frames; // messages of grains
    uint32_t grains;      // in the latest of them
    int64_t bytes;        // of all of them
    uint32_t seq;         // of the latest tile or map message
    double clock;         // [ms]
    double pace;          // by which each look at the clock moves it [ms]
} talk;

bool talk_open(talk* t, int32_t threads, bool reads_yaml);
void talk_close(talk* t);
// Send a text message; answers replace former ones.
void talk_say(talk* t, const char* text);
// The same with a printf format.
void talk_sayf(talk* t, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
// Run turns, acknowledging everything, until there is nothing to do; answers are added.
void talk_run(talk* t);
// True if some text message contains a text.
bool talk_has(const talk* t, const char* text);
// The text behind the last `"key":"`, up to a quote, without escapes; "" if there is none.
void talk_value(const talk* t, const char* key, char* out, size_t size);
// Open a scene given as text.
void talk_scene(talk* t, const char* text);
