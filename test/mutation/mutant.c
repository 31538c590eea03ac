// SPDX-License-Identifier: MIT
// Which mutant is on: its name is in the environment variable WADI_MUTANT. Part of the mutation
// gate's copy of the library only.
#include <stdlib.h>

unsigned wadi_mutant_key;
extern const unsigned wadi_mutant __attribute__((alias("wadi_mutant_key")));

__attribute__((constructor)) static void mutant_read(void)
{
    const char* name = getenv("WADI_MUTANT");
    if (name == NULL || name[0] == '\0')
    {
        return;
    }
    unsigned key = 0x811C9DC5u; // FNV-1a, as in mutate.py
    for (; *name != '\0'; ++name)
    {
        key = (key ^ (unsigned char)*name) * 0x01000193u;
    }
    wadi_mutant_key = key;
}
