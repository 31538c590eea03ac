// SPDX-License-Identifier: MIT
// A test program works in an empty folder of its own, wherever it is started from, and removes the
// folder when it ends: no test leaves files where somebody works. Being linked is enough.
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char scratch_folder[4096];
static pid_t scratch_owner; // a forked child leaves the folder to its parent

static int scratch_remove_entry(const char* path, const struct stat* about, int kind,
                                struct FTW* place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

__attribute__((constructor)) static void scratch_enter(void)
{
    const char* base = getenv("TMPDIR");
    const int length = snprintf(scratch_folder, sizeof scratch_folder, "%s/wadi-test-XXXXXX",
                                base != NULL && base[0] == '/' ? base : "/tmp");
    scratch_owner = getpid();
    if (length >= (int)sizeof scratch_folder || mkdtemp(scratch_folder) == NULL ||
        chdir(scratch_folder) != 0)
    {
        perror(scratch_folder);
        _exit(EXIT_FAILURE);
    }
}

__attribute__((destructor)) static void scratch_leave(void)
{
    enum
    {
        MOST_OPEN = 16 // folders at a time
    };
    if (getpid() == scratch_owner &&
        (chdir("/") != 0 ||
         nftw(scratch_folder, scratch_remove_entry, MOST_OPEN, FTW_DEPTH | FTW_PHYS) != 0))
    {
        perror(scratch_folder);
    }
}
