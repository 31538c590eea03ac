// SPDX-License-Identifier: MIT
// Talus the plain way: every cell in every sweep, one after the other. The reference of the
// library's version: results must be equal to the bit, and speed is compared.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct plain_talus
{
    int32_t width;
    int32_t height;
    bool periodic; // else closed
    const int32_t* rock;
    int32_t* sand;
    float hold;  // slope that rests [units/cell]
    float start; // slope that slides
    float share;
    int32_t* change; // scratch, a cell each
} plain_talus;

// Until all rests; returns the number of sweeps.
int32_t plain_talus_relax(const plain_talus* job);
