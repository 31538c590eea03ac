// SPDX-License-Identifier: MIT
// Scenes compiled into the command, one per file of scenes/, and the files that they read.
#pragma once

#include <stddef.h>

typedef struct cli_template
{
    const char* name;          // NULL ends the list
    const unsigned char* text; // YAML in UTF-8, ends with 0
    const char* picture;       // in the documentation: "docs/pictures/fig1.jpg"; "" without one
    double seconds;            // about the processor time of a run; 0: not known
} cli_template;

extern const cli_template cli_templates[];

typedef struct cli_template_file
{
    const char* name; // as scenes write it: "data/basin-range.csv"; NULL ends the list
    const unsigned char* bytes;
    size_t size;
} cli_template_file;

extern const cli_template_file cli_template_files[];
