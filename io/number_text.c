// SPDX-License-Identifier: MIT
#include "io/number_text.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

const char* wadi_io_number_text(double value, int digits, char text[WADI_IO_NUMBER])
{
    (void)snprintf(text, WADI_IO_NUMBER, "%.*g", digits, value);
    const char* local = localeconv()->decimal_point;
    char* point = strcmp(local, ".") != 0 ? strstr(text, local) : NULL;
    if (point != NULL)
    {
        const size_t length = strlen(local);
        *point = '.';
        memmove(point + 1, point + length, strlen(point + length) + 1);
    }
    return text;
}
