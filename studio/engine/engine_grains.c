// SPDX-License-Identifier: MIT
// Grains of slides on their way, for the page to draw: positions and radii while a tick runs.
#include "studio/engine/engine_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRAINS_PERIOD 80.0 // least time between two messages [ms]

enum
{
    GRAINS_HEADER = 32,
    GRAINS_BYTES = 16 // of a grain in a message
};

static bool grains_reserve(wadi_studio* studio, int32_t count)
{
    if (count > studio->grains_room)
    {
        wadi_grain* grains = realloc(studio->grains, (size_t)count * sizeof *grains);
        studio->grains = grains != NULL ? grains : studio->grains;
        studio->grains_room = grains != NULL ? count : studio->grains_room;
    }
    return count <= studio->grains_room;
}

static void grains_send(wadi_studio* studio, int32_t count, double seconds)
{
    const size_t size = GRAINS_HEADER + (size_t)count * GRAINS_BYTES;
    if (wadi_studio_reserve(studio, size) != WADI_OK)
    {
        return;
    }
    unsigned char* out = studio->buffer;
    const uint32_t words[4] = {0, 0, (uint32_t)count, 0};
    const double times[2] = {wadi_session_year(studio->session), seconds};
    memcpy(out, words, sizeof words);
    memcpy(out, "wadg", 4);
    memcpy(out + 16, times, sizeof times);
    for (int32_t i = 0; i < count; ++i)
    {
        const wadi_grain* grain = &studio->grains[i];
        const float values[4] = {(float)grain->position[0], (float)grain->position[1],
                                 (float)grain->position[2], (float)grain->radius};
        memcpy(out + GRAINS_HEADER + (size_t)i * GRAINS_BYTES, values, sizeof values);
    }
    studio->grains_sent = count;
    studio->def.send(studio->def.user, true, out, size);
}

// The soil of a slide has just become grains: show the ground that it left.
static void grains_show_scar(wadi_studio* studio)
{
    if (studio->under_way < STUDIO_CREDITS)
    {
        wadi_studio_mark_all(studio);
        (void)wadi_studio_send_tiles(studio);
    }
}

wadi_result wadi_studio_watch_grains(void* user, wadi_solver* solver, double seconds)
{
    wadi_studio* studio = user;
    const double now = studio->def.now(studio->def.user);
    // a replay on the way to another year is not shown
    if (!studio->plays || studio->session == NULL || now - studio->grains_time < GRAINS_PERIOD)
    {
        return WADI_OK;
    }
    const int32_t count = wadi_solver_grains(solver, NULL, 0, NULL);
    if (count == 0 || !grains_reserve(studio, count))
    {
        return WADI_OK;
    }
    studio->grains_time = now;
    if (studio->grains_sent == 0)
    {
        grains_show_scar(studio);
    }
    (void)wadi_solver_grains(solver, studio->grains, count, NULL);
    grains_send(studio, count, seconds);
    return WADI_OK;
}

void wadi_studio_end_grains(wadi_studio* studio)
{
    if (studio->grains_sent == 0 || wadi_session_is_within(studio->session))
    {
        return;
    }
    // soil that soaks stands as grains from tick to tick
    int32_t standing = 0;
    wadi_run* run = wadi_session_run(studio->session);
    for (int32_t i = 0; i < wadi_process_count(studio->context); ++i)
    {
        const wadi_process* process = wadi_process_at(studio->context, i);
        const wadi_solver* solver = wadi_run_solver(run, process);
        standing += solver != NULL && wadi_process_has(process, WADI_MODEL_GRAINS)
                        ? wadi_solver_grains(solver, NULL, 0, NULL)
                        : 0;
    }
    if (standing == 0)
    {
        grains_send(studio, 0, 0.0);
    }
}
