// SPDX-License-Identifier: MIT
// io/units.h without a library: names of a table with powers, joined by blanks, '*', '.' and '/'.
// A scene gives the same bits with udunits: test/studio compares both, value by value.
#include "io/units.h"

#include "io/units_table.h"

#include <math.h>
#include <string.h>

enum
{
    UNITS_COUNT = sizeof units_table / sizeof units_table[0],
    UNITS_ALIASES = sizeof units_aliases / sizeof units_aliases[0],
    UNITS_PREFIXES = sizeof units_prefixes / sizeof units_prefixes[0],
    UNITS_MOST = 32 // bytes of a unit
};

// A product of units: a factor, and powers of the units of the table that have no definition.
typedef struct units_product
{
    double scale;
    int32_t powers[UNITS_COUNT];
} units_product;

static bool units_parse(const char* text, units_product* product);

static int32_t units_find(const char* name, size_t length)
{
    for (int32_t i = 0; i < UNITS_COUNT; ++i)
    {
        if (strlen(units_table[i].name) == length && memcmp(units_table[i].name, name, length) == 0)
        {
            return i;
        }
    }
    for (int32_t i = 0; i < UNITS_ALIASES; ++i)
    {
        if (strlen(units_aliases[i].alias) == length &&
            memcmp(units_aliases[i].alias, name, length) == 0)
        {
            return units_find(units_aliases[i].name, strlen(units_aliases[i].name));
        }
    }
    return -1;
}

// A unit of the table in base units.
static bool units_expand(int32_t unit, double prefix, units_product* out)
{
    *out = (units_product){.scale = 1.0};
    if (units_table[unit].of == NULL)
    {
        out->powers[unit] = 1;
    }
    else if (units_table[unit].of[0] != '\0' && !units_parse(units_table[unit].of, out))
    {
        return false;
    }
    out->scale *= units_table[unit].factor;
    out->scale *= prefix;
    return true;
}

static bool units_lookup(const char* name, size_t length, units_product* out)
{
    const int32_t unit = units_find(name, length);
    if (unit >= 0)
    {
        return units_expand(unit, 1.0, out);
    }
    for (int32_t p = 0; p < UNITS_PREFIXES; ++p)
    {
        const size_t prefix = strlen(units_prefixes[p].symbol);
        const bool fits = length > prefix && memcmp(name, units_prefixes[p].symbol, prefix) == 0;
        const int32_t bare = fits ? units_find(name + prefix, length - prefix) : -1;
        if (bare >= 0 && units_table[bare].prefixed &&
            strlen(units_table[bare].name) == length - prefix)
        {
            return units_expand(bare, units_prefixes[p].factor, out);
        }
    }
    return false;
}

// Multiply by a unit to a power, then by 1 or -1 more: udunits divides by the inverse.
static bool units_multiply(units_product* product, const char* name, size_t length, int32_t power,
                           int32_t side)
{
    units_product unit;
    if (!units_lookup(name, length, &unit))
    {
        return false;
    }
    const double raised = power == 1 ? unit.scale : pow(unit.scale, power);
    product->scale *= side > 0 ? raised : pow(raised, -1.0);
    for (int32_t i = 0; i < UNITS_COUNT; ++i)
    {
        product->powers[i] += side * power * unit.powers[i];
    }
    return true;
}

static bool units_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || (unsigned char)c >= 0x80;
}

// "2", "-2", "^2" or nothing behind a name.
static bool units_power(const char** at, int32_t* power)
{
    const bool raised = **at == '^';
    const char* c = *at + raised;
    const int32_t sign = *c == '-' ? -1 : 1;
    c += *c == '-';
    *power = 1;
    if (*c >= '0' && *c <= '9')
    {
        *power = sign * (*c++ - '0');
        *at = c;
        return !(*c >= '0' && *c <= '9');
    }
    return !raised && sign == 1;
}

// Multiply by the units of a text.
static bool units_parse(const char* text, units_product* product)
{
    const char* at = text;
    int32_t side = 1;
    if (*at == '1' && (at[1] == '\0' || at[1] == '/'))
    {
        at += 1;
        side = *at == '/' ? -1 : 1;
        at += *at == '/';
    }
    bool joined = side < 0;
    while (*at != '\0')
    {
        at += strspn(at, " ");
        size_t length = 0;
        while (units_is_name(at[length]))
        {
            ++length;
        }
        const char* name = at;
        int32_t power;
        at += length;
        if (length == 0 || !units_power(&at, &power) ||
            !units_multiply(product, name, length, power, side))
        {
            return false;
        }
        at += strspn(at, " ");
        side = *at == '/' ? -1 : 1;
        joined = *at == '/' || *at == '*' || *at == '.';
        at += joined;
    }
    return !joined;
}

// The order of the operations is that of udunits, for the same bits.
static double units_factor(const char* from, const char* to)
{
    units_product source = {.scale = 1.0};
    units_product target = {.scale = 1.0};
    // percent of an angle usually means a slope
    if (from[0] == '1' ||
        (strcmp(to, "degree") == 0 && (strcmp(from, "%") == 0 || strcmp(from, "percent") == 0)) ||
        !units_parse(from, &source) || !units_parse(to, &target))
    {
        return 0.0;
    }
    return memcmp(source.powers, target.powers, sizeof source.powers) == 0
               ? units_whole(source.scale * (1.0 / target.scale))
               : 0.0;
}

void wadi_units_factors(const char* const* from, int32_t count, const char* to, double* factors)
{
    for (int32_t i = 0; i < count; ++i)
    {
        factors[i] = strlen(from[i]) <= UNITS_MOST ? units_factor(from[i], to) : 0.0;
    }
}
