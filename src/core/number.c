// SPDX-License-Identifier: MIT
// Numbers from text, the same in every locale. strtod() rounds correctly but expects the decimal
// point of the program's locale, so the point is replaced before the call.
#include <wadi/field.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum
{
    NUMBER_LONGEST = 256, // characters
    NUMBER_POINT = 16     // bytes of a locale's decimal point
};

static size_t number_digits(const char* text)
{
    return strspn(text, "0123456789");
}

// Length of the number at the start of a text: sign, digits with a point, exponent. 0: no number.
static size_t number_length(const char* text, const char** point)
{
    const char* at = text + (text[0] == '-' || text[0] == '+' ? 1 : 0);
    const size_t whole = number_digits(at);
    at += whole;
    const bool has_point = at[0] == '.';
    *point = has_point ? at : NULL;
    const size_t fraction = has_point ? number_digits(at + 1) : 0;
    if (whole + fraction == 0)
    {
        return 0;
    }
    at += has_point ? 1 + fraction : 0;
    if (at[0] == 'e' || at[0] == 'E')
    {
        const char* exponent = at + (at[1] == '-' || at[1] == '+' ? 2 : 1);
        const size_t digits = number_digits(exponent);
        at = digits > 0 ? exponent + digits : at;
    }
    return (size_t)(at - text);
}

double wadi_number_parse(const char* text, const char** end)
{
    const char* point;
    const size_t length = number_length(text, &point);
    const char* local = localeconv()->decimal_point;
    const size_t local_length = strlen(local);
    *end = text;
    if (length == 0 || length > NUMBER_LONGEST || local_length > NUMBER_POINT)
    {
        return 0.0;
    }
    char copy[NUMBER_LONGEST + NUMBER_POINT + 1];
    const size_t before = point != NULL ? (size_t)(point - text) : length;
    memcpy(copy, text, before);
    char* to = copy + before;
    if (point != NULL)
    {
        memcpy(to, local, local_length);
        to += local_length;
        memcpy(to, point + 1, length - before - 1);
        to += length - before - 1;
    }
    *to = '\0';
    *end = text + length;
    return strtod(copy, NULL);
}
