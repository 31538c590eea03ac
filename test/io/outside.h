// SPDX-License-Identifier: MIT
// Data sets that the repository does not carry; test/data/outside.sh finds them.
#pragma once

#include "support/check.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

typedef struct outside_folder
{
    char path[2048];
} outside_folder;

// Find the folder that has all `files`, which are separated by spaces. Returns 0; or 77, the exit
// status of a test that is skipped, or 1, and prints which file is missing or damaged.
static inline int outside_find(outside_folder* folder, const char* files)
{
    char line[2048];
    *folder = (outside_folder){0};
    (void)snprintf(line, sizeof line, "'%s/test/data/outside.sh' %s", WADI_SOURCE_DIR, files);
    FILE* pipe = popen(line, "r");
    if (pipe == NULL)
    {
        return 1;
    }
    while (fgets(line, sizeof line, pipe) != NULL)
    {
        (void)fputs(line, stdout);
        line[strcspn(line, "\n")] = '\0';
        (void)strcpy(folder->path, line);
    }
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// True if the data set is here; fails if it is damaged.
static inline bool outside_has(outside_folder* folder, const char* files)
{
    const int status = outside_find(folder, files);
    assert_true(status == 0 || status == 77);
    return status == 0;
}
