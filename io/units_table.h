// SPDX-License-Identifier: MIT
// The units that scenes and tables know, for both readers of units: io/units.c and
// studio/wasm/units_plain.c.
#pragma once

#include <math.h>
#include <stdbool.h>

// Units, each defined by units above it. Units with `prefixed` accept k, m, M, ... in front. The
// factors are not part of the text because udunits parses numbers by the program's locale.
static const struct
{
    const char* name;
    double factor;
    const char* of; // NULL: a base unit; "": dimensionless
    bool prefixed;
} units_table[] = {
    {"m", 1.0, NULL, true},       {"s", 1.0, NULL, true},
    {"kg", 1.0, NULL, false},     {"rad", 1.0, "", false},
    {"g", 1e-3, "kg", true},      {"t", 1e3, "kg", true},
    {"min", 60.0, "s", false},    {"h", 3600.0, "s", false},
    {"d", 86400.0, "s", false},   {"yr", 31557600.0, "s", true},
    {"a", 31557600.0, "s", true}, {"N", 1.0, "kg m s-2", true},
    {"Pa", 1.0, "N m-2", true},   {"l", 1e-3, "m3", true},
    {"ha", 1e4, "m2", false},     {"degree", 1.745329251994329576923691e-2, "rad", false},
    {"%", 1e-2, "", false},
};

// Synonyms.
static const struct
{
    const char* alias;
    const char* name;
} units_aliases[] = {
    {"metre", "m"},        {"metres", "m"},        {"meter", "m"},    {"meters", "m"},
    {"second", "s"},       {"seconds", "s"},       {"minute", "min"}, {"minutes", "min"},
    {"hour", "h"},         {"hours", "h"},         {"hr", "h"},       {"day", "d"},
    {"days", "d"},         {"year", "yr"},         {"years", "yr"},   {"deg", "degree"},
    {"degrees", "degree"}, {"\xC2\xB0", "degree"}, {"percent", "%"},  {"L", "l"},
};

static const struct
{
    const char* symbol;
    double factor;
} units_prefixes[] = {
    {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6}, {"\xC2\xB5", 1e-6},
};

// udunits multiplies floating-point factors, so that 1 kyr has 999.9999999999998 yr. Factors that
// are whole numbers, or one over a whole number, are meant to be just that.
static inline double units_whole(double factor)
{
    const double whole = factor >= 1.0 ? round(factor) : round(1.0 / factor);
    const double exact = factor >= 1.0 ? whole : 1.0 / whole;
    return fabs(exact - factor) <= 1e-15 * factor ? exact : factor;
}
