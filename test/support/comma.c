// SPDX-License-Identifier: MIT
#include "support/comma.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(_WIN32)

bool comma_enter(void)
{
    return setlocale(LC_NUMERIC, "German_Germany.1252") != NULL &&
           strcmp(localeconv()->decimal_point, ",") == 0;
}

#elif defined(__wasm__)

bool comma_enter(void)
{
    return false; // it has the locale C only
}

#else

static const char comma_source[] = "LC_NUMERIC\n"
                                   "decimal_point \",\"\n"
                                   "thousands_sep \".\"\n"
                                   "grouping 3;3\n"
                                   "END LC_NUMERIC\n";

// Make the locale in the working directory. --force: missing categories only cause warnings.
static bool comma_make(void)
{
    FILE* file = fopen("comma.src", "w");
    const bool written = file != NULL && fputs(comma_source, file) != EOF;
    if (file == NULL || fclose(file) != 0 || !written)
    {
        return false;
    }
    (void)system("localedef --force --no-archive -i comma.src ./comma 2>/dev/null");
    return access("comma/LC_NUMERIC", R_OK) == 0;
}

bool comma_enter(void)
{
    char folder[4096];
    return comma_make() && getcwd(folder, sizeof folder) != NULL &&
           setenv("LOCPATH", folder, 1) == 0 && setlocale(LC_NUMERIC, "comma") != NULL &&
           strcmp(localeconv()->decimal_point, ",") == 0;
}

#endif

void comma_leave(void)
{
    (void)setlocale(LC_NUMERIC, "C");
}
