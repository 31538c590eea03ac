// SPDX-License-Identifier: MIT
// Open a scene file in the engine of the studio, play it to its end and print what it came to:
//   studio_play SCENE.yaml [THREADS]
// The first line is the scene as JSON, for the WebAssembly module; the second has the year, the
// hash at the end and the seconds of processor time of this thread. A scene that cannot be held
// exits by 77.
#include "talk.h"

#include "studio/engine/engine_internal.h"

#include "io/scene/scene_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double play_seconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool play_print_json(talk* t, const char* text, size_t length)
{
    wadi_yaml* yaml;
    studio_json json = {0};
    if (wadi_yaml_parse(wadi_studio_context(t->studio), "scene", text, length, &yaml) != WADI_OK)
    {
        return false;
    }
    wadi_studio_write_tree(&json, NULL, wadi_yaml_root(yaml));
    (void)printf("%.*s\n", (int)json.size, json.text);
    wadi_json_free(&json);
    wadi_yaml_destroy(yaml);
    return true;
}

static double play_number(const talk* t, const char* key)
{
    const char* at = strstr(t->texts, key);
    return at != NULL ? atof(at + strlen(key)) : 0.0;
}

int main(int count, char** arguments)
{
    talk t;
    char* text = NULL;
    size_t length = 0;
    const int32_t threads = count > 2 ? atoi(arguments[2]) : 1;
    if (count < 2 || !talk_open(&t, threads, true) ||
        wadi_io_scene_text(wadi_studio_context(t.studio), arguments[1], &text, &length) !=
            WADI_OK ||
        !play_print_json(&t, text, length))
    {
        (void)fprintf(stderr, "studio_play: cannot read a scene\n");
        return EXIT_FAILURE;
    }
    t.pace = 0.0; // slices end with their ticks
    talk_scene(&t, text);
    const double end = play_number(&t, "\"end\":");
    if (!talk_has(&t, "\"type\":\"done\"") || talk_has(&t, "\"type\":\"note\"") || end == 0.0)
    {
        (void)fprintf(stderr, "studio_play: %s\n", t.texts);
        return 77;
    }
    const double begin = play_seconds();
    talk_sayf(&t, "{\"type\":\"seek\",\"id\":2,\"year\":%.17g}", end);
    const double seconds = play_seconds() - begin;
    const bool done = talk_has(&t, "\"type\":\"done\"");
    talk_say(&t, "{\"type\":\"hash\"}");
    char hash[24];
    talk_value(&t, "end", hash, sizeof hash);
    (void)printf("%g %s %.3f\n", end, hash, seconds);
    free(text);
    talk_close(&t);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
