// SPDX-License-Identifier: MIT
#pragma once

#include <wadi/process.h>

// A row of `figures`, whose unit and kind are those of wadi_process::figures.
static inline wadi_figure wadi_figure_of(const char* name, double value)
{
    return (wadi_figure){.name = name, .value = value};
}
