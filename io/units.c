// SPDX-License-Identifier: MIT
// Unit conversion by udunits with our own unit system: its XML database takes 20 ms to read, has a
// year of 365.242198781 days, and 2000 units that no scene needs.
#include "io/units.h"

#include "io/units_table.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <udunits2.h>

static ut_unit* units_define(ut_system* system, double factor, const char* of)
{
    if (of == NULL)
    {
        return ut_new_base_unit(system);
    }
    ut_unit* unit =
        of[0] == '\0' ? ut_get_dimensionless_unit_one(system) : ut_parse(system, of, UT_UTF8);
    ut_unit* scaled = ut_scale(factor, unit);
    ut_free(unit);
    return scaled;
}

static bool units_add(const char* name, ut_unit* unit)
{
    const bool added = unit != NULL && ut_map_symbol_to_unit(name, UT_UTF8, unit) == UT_SUCCESS;
    ut_free(unit);
    return added;
}

// "km", "Myr", ... are listed one by one: with a general prefix "min" would be a milli-inch.
static bool units_add_prefixed(ut_system* system, const char* name)
{
    bool added = true;
    for (size_t i = 0; i < sizeof units_prefixes / sizeof units_prefixes[0]; ++i)
    {
        char prefixed[16];
        (void)snprintf(prefixed, sizeof prefixed, "%s%s", units_prefixes[i].symbol, name);
        ut_unit* plain = ut_parse(system, name, UT_UTF8);
        ut_unit* scaled = ut_scale(units_prefixes[i].factor, plain);
        ut_free(plain);
        added = units_add(prefixed, scaled) && added;
    }
    return added;
}

static bool units_fill(ut_system* system)
{
    bool added = true;
    for (size_t i = 0; i < sizeof units_table / sizeof units_table[0]; ++i)
    {
        ut_unit* unit = units_define(system, units_table[i].factor, units_table[i].of);
        added = units_add(units_table[i].name, unit) && added;
        if (units_table[i].prefixed)
        {
            added = units_add_prefixed(system, units_table[i].name) && added;
        }
    }
    for (size_t i = 0; i < sizeof units_aliases / sizeof units_aliases[0]; ++i)
    {
        ut_unit* unit = ut_parse(system, units_aliases[i].name, UT_UTF8);
        added = units_add(units_aliases[i].alias, unit) && added;
    }
    return added;
}

// udunits converts 1 % to 0.01 rad, but 35 % of an angle usually means a slope: refuse it.
static bool units_is_percent_of_angle(ut_system* system, const ut_unit* source, const char* to)
{
    ut_unit* percent = ut_parse(system, "%", UT_UTF8);
    const bool found =
        strcmp(to, "degree") == 0 && percent != NULL && ut_compare(source, percent) == 0;
    ut_free(percent);
    return found;
}

// udunits also converts 10 yr to 0.1 1/yr, which no factor does: refuse it.
static bool units_are_of_one_kind(const ut_unit* source, const ut_unit* target)
{
    ut_unit* ratio = ut_divide(source, target);
    const bool same = ratio != NULL && ut_is_dimensionless(ratio) != 0;
    ut_free(ratio);
    return same;
}

// Conversion factor between two units; 0 if they do not convert.
static double units_factor_in(ut_system* system, const char* from, const char* to)
{
    double factor = 0.0;
    ut_unit* source = ut_parse(system, from, UT_UTF8);
    ut_unit* target = ut_parse(system, to, UT_UTF8);
    if (source != NULL && target != NULL && units_are_of_one_kind(source, target) &&
        ut_are_convertible(source, target) != 0 && !units_is_percent_of_angle(system, source, to))
    {
        cv_converter* converter = ut_get_converter(source, target);
        factor = converter != NULL ? units_whole(cv_convert_double(converter, 1.0)) : 0.0;
        cv_free(converter);
    }
    ut_free(source);
    ut_free(target);
    return factor;
}

// NULL: out of memory.
static ut_system* units_open(void)
{
    (void)ut_set_error_message_handler(ut_ignore); // the default prints to standard error
    return ut_new_system();
}

// Accept names, powers and product signs only. udunits would also accept factors, dates and
// logarithms.
static bool units_is_plain(const char* unit)
{
    char before = ' ';
    for (const char* c = unit; *c != '\0'; before = *c++)
    {
        const bool digit = isdigit((unsigned char)*c) != 0;
        const bool name = isalpha((unsigned char)*c) != 0 || (unsigned char)*c >= 0x80;
        const bool factor = digit && strchr(" /*.", before) != NULL;
        if (factor || (!digit && !name && strchr(" /*^-.%", *c) == NULL))
        {
            return false;
        }
    }
    return strlen(unit) <= 32;
}

void wadi_units_factors(const char* const* from, int32_t count, const char* to, double* factors)
{
    ut_system* system = units_open();
    const bool filled = system != NULL && units_fill(system);
    for (int32_t i = 0; i < count; ++i)
    {
        factors[i] = filled && units_is_plain(from[i]) ? units_factor_in(system, from[i], to) : 0.0;
    }
    ut_free_system(system);
}
