// SPDX-License-Identifier: MIT
#include "replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char replace_pattern[] = ".wadi-XXXXXX";

// Bytes of the folder in front of a name, with its slash: 0 for a bare name.
static size_t replace_stem(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

wadi_result wadi_io_replace_begin(wadi_context* context, const char* target,
                                  wadi_io_replacement* out)
{
    out->target = target;
    const size_t stem = replace_stem(target);
    if (strlen(target) + sizeof replace_pattern + 1 >= PATH_MAX)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "the path '%.60s...' is too long", target);
    }
    memcpy(out->folder, target, stem);
    memcpy(out->folder + stem, replace_pattern, sizeof replace_pattern);
    if (mkdtemp(out->folder) == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_IO,
                                 "cannot write %s: %s; choose a folder that takes new files",
                                 target, strerror(errno));
    }
    (void)snprintf(out->path, sizeof out->path, "%s/%s", out->folder, target + stem);
    return WADI_OK;
}

typedef bool replace_visit(const char* from, const char* to);

static bool replace_move(const char* from, const char* to)
{
    // what is renamed must have reached the disk, or a crash would leave an empty file
    const int file = open(from, O_RDONLY);
    const bool synced = file >= 0 && fsync(file) == 0;
    if (file >= 0)
    {
        (void)close(file);
    }
    return synced && rename(from, to) == 0;
}

static bool replace_remove(const char* from, const char* to)
{
    (void)to;
    return unlink(from) == 0;
}

// Do something to each file in the temporary folder, with its final name.
static bool replace_each(const wadi_io_replacement* replacement, replace_visit* visit)
{
    DIR* folder = opendir(replacement->folder);
    if (folder == NULL)
    {
        return false;
    }
    const int stem = (int)replace_stem(replacement->target);
    bool done = true;
    for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder))
    {
        char from[PATH_MAX + 256];
        char to[PATH_MAX + 256];
        (void)snprintf(from, sizeof from, "%s/%s", replacement->folder, entry->d_name);
        (void)snprintf(to, sizeof to, "%.*s%s", stem, replacement->target, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
        {
            done = visit(from, to) && done;
        }
    }
    (void)closedir(folder);
    return done;
}

static void replace_clear(const wadi_io_replacement* replacement)
{
    (void)replace_each(replacement, replace_remove);
    (void)rmdir(replacement->folder);
}

// Error number of a disk that has no room for another MiB; 0 where there is. Asked of the disk
// itself, because libraries call it "Write Error", or name our temporary file.
static int replace_shortage(const wadi_io_replacement* replacement)
{
    char probe[PATH_MAX + 256];
    (void)snprintf(probe, sizeof probe, "%s/room", replacement->folder);
    const int file = open(probe, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file < 0)
    {
        return errno;
    }
    const int trouble = posix_fallocate(file, 0, 1 << 20);
    (void)close(file);
    return trouble;
}

wadi_result wadi_io_replace_commit(wadi_context* context, wadi_io_replacement* replacement)
{
    errno = 0;
    if (replace_each(replacement, replace_move))
    {
        (void)rmdir(replacement->folder);
        return WADI_OK;
    }
    const int trouble = errno;
    replace_clear(replacement);
    return wadi_context_fail(context, WADI_ERROR_IO, "cannot write %s: %s; choose another place",
                             replacement->target, strerror(trouble));
}

wadi_result wadi_io_replace_abort(wadi_context* context, wadi_io_replacement* replacement,
                                  wadi_result code)
{
    const int shortage = replace_shortage(replacement);
    replace_clear(replacement);
    if (shortage != 0)
    {
        return wadi_context_fail(context, code,
                                 "cannot write %s: %s; make room or choose another place",
                                 replacement->target, strerror(shortage));
    }
    return wadi_context_fail(context, code, "cannot write %s: %s", replacement->target,
                             wadi_error_detail(context));
}
