// SPDX-License-Identifier: MIT
// A world of `wadi pour` from its beginning, or a saved state, to its end, with rows of a table.
#pragma once

#include "cli/message.h"

#include "io/pour/pour_file.h"

#include <jansson.h>
#include <stdio.h>

typedef struct cli_pour
{
    wadi_context* context;
    wadi_io_pour file;
    wadi_grains* grains;
    FILE* table; // NULL: none
} cli_pour;

// Go on to the time at which the file ends, and take meshes away on the way. A mesh is taken away,
// and a row written, before the step whose time is nearest, so runs can be cut anywhere.
cli_status cli_pour_run(cli_pour* pour);
void cli_pour_print(const cli_pour* pour);
// What came, went and is there, what each feeder and sink did, and what acts on each mesh.
json_t* cli_pour_json(const cli_pour* pour);
