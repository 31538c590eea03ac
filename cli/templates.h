// SPDX-License-Identifier: MIT
// Scenes compiled into the command, one per file of scenes/.
#pragma once

typedef struct cli_template
{
    const char* name;          // NULL ends the list
    const unsigned char* text; // YAML in UTF-8, ends with 0
} cli_template;

extern const cli_template cli_templates[];
