// SPDX-License-Identifier: MIT
#include "io/table_time.h"

#include <wadi/field.h>

#include <ctype.h>
#include <stdint.h>
#include <string.h>

// Read exactly `digits` digits; NULL at any other character.
static const char* time_digits(const char* text, int32_t digits, int32_t* value)
{
    *value = 0;
    for (int32_t i = 0; i < digits; ++i, ++text)
    {
        if (isdigit((unsigned char)*text) == 0)
        {
            return NULL;
        }
        *value = 10 * *value + (*text - '0');
    }
    return text;
}

// Read two digits after one of `marks`, such as ":30". Without a mark, the value is 0 and the text
// is returned unchanged.
static const char* time_part(const char* text, const char* marks, int32_t* value)
{
    *value = 0;
    const bool is_there = text != NULL && *text != '\0' && strchr(marks, *text) != NULL;
    return is_there ? time_digits(text + 1, 2, value) : text;
}

// Days since 1970 in the Gregorian calendar, with years that begin in March.
static int32_t time_days(int32_t year, int32_t month, int32_t day)
{
    const int32_t years = month <= 2 ? year - 1 : year;
    const int32_t months = month <= 2 ? month + 9 : month - 3;
    return 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 1 -
           719468;
}

static bool time_parse_calendar(const char* text, double* hours)
{
    int32_t year;
    int32_t month;
    int32_t day;
    int32_t hour;
    int32_t minute;
    int32_t second;
    const char* at = time_digits(text, 4, &year);
    if (at == NULL || *at != '-')
    {
        return false;
    }
    at = time_part(time_part(at, "-", &month), "-", &day);
    at = time_part(time_part(time_part(at, "T ", &hour), ":", &minute), ":", &second);
    const bool is_whole = at != NULL && (*at == '\0' || strcmp(at, "Z") == 0);
    if (!is_whole || month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 ||
        second > 60)
    {
        return false;
    }
    *hours = 24.0 * time_days(year, month, day) + hour + minute / 60.0 + second / 3600.0;
    return true;
}

bool wadi_io_time_parse(const char* text, double* hours)
{
    if (time_parse_calendar(text, hours))
    {
        return true;
    }
    const char* end;
    const double days = wadi_number_parse(text, &end);
    *hours = 24.0 * days;
    return end != text && *end == '\0';
}
