// SPDX-License-Identifier: MIT
// A scene as rows of a table, for platforms that have no reader of scene files. print.c makes them
// from a scene file, and scene.c makes a scene of them.
#pragma once

#include <stdint.h>

typedef enum scene_row_kind
{
    ROW_SEED,
    ROW_SIZE,    // width, then height [cells]
    ROW_CELL,    // [m]
    ROW_EDGES,   // name: digits of the four edges
    ROW_SOURCE,  // name: begins a source
    ROW_REGION,  // name: begins an outline
    ROW_SOFT,    // of the outline [m]
    ROW_POINT,   // a coordinate of the outline [m]: x, then y, of corner after corner
    ROW_PROCESS, // name: begins a step of a process
    ROW_EDIT,    // name: begins an edit
    ROW_FIELD,   // name and value, of what was begun last
    ROW_GROUND,  // name: how the source is combined with the ground; value: its weight
    ROW_LAYER,   // value: the layer that the source fills
    ROW_FLAGS,   // 1: the process goes on; 2: the next one runs over the same years
    ROW_COUPLED, // interval [yr]
    ROW_RUN,     // value: years. Ends the step
    ROW_APPLY    // ends the edit
} scene_row_kind;

typedef struct scene_row
{
    scene_row_kind kind;
    const char* name;
    double value;
} scene_row;

extern const scene_row golden_scene_rows[];
extern const int32_t golden_scene_row_count;
