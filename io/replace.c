// SPDX-License-Identifier: MIT
#include "io/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char replace_pattern[] = ".wadi-XXXXXX";

// Length of the folder part of a path with its slash; 0 without a folder.
static size_t replace_folder_length(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

wadi_result wadi_io_replace_begin(wadi_context* context, const char* target,
                                  wadi_io_replacement* out)
{
    out->target = target;
    const size_t length = replace_folder_length(target);
    if (strlen(target) + sizeof replace_pattern + 1 >= PATH_MAX)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "the path '%.60s...' is too long", target);
    }
    memcpy(out->folder, target, length);
    memcpy(out->folder + length, replace_pattern, sizeof replace_pattern);
    if (mkdtemp(out->folder) == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_IO,
                                 "cannot write %s: %s; choose a folder that takes new files",
                                 target, strerror(errno));
    }
    out->lock = open(out->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    (void)flock(out->lock, LOCK_EX | LOCK_NB);
    (void)snprintf(out->path, sizeof out->path, "%s/%s", out->folder, target + length);
    return WADI_OK;
}

typedef bool replace_visit(const char* from, const char* to);

static bool replace_move(const char* from, const char* to)
{
    // flush to disk before the rename: a crash must not leave an empty file
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

// Call `visit` for each file in the temporary folder, with its final name.
static bool replace_each(const wadi_io_replacement* replacement, replace_visit* visit)
{
    DIR* folder = opendir(replacement->folder);
    if (folder == NULL)
    {
        return false;
    }
    const int length = (int)replace_folder_length(replacement->target);
    bool done = true;
    for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder))
    {
        char from[PATH_MAX + 256];
        char to[PATH_MAX + 256];
        (void)snprintf(from, sizeof from, "%s/%s", replacement->folder, entry->d_name);
        (void)snprintf(to, sizeof to, "%.*s%s", length, replacement->target, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
        {
            done = visit(from, to) && done;
        }
    }
    (void)closedir(folder);
    return done;
}

static void replace_unlock(wadi_io_replacement* replacement)
{
    if (replacement->lock >= 0)
    {
        (void)close(replacement->lock);
    }
    replacement->lock = -1;
}

static void replace_clear(wadi_io_replacement* replacement)
{
    (void)replace_each(replacement, replace_remove);
    (void)rmdir(replacement->folder);
    replace_unlock(replacement);
}

// Flush the names in the target's folder: without it a crash may bring the old file back. Some file
// systems cannot, which is no failure.
static void replace_sync_folder(const wadi_io_replacement* replacement)
{
    char path[PATH_MAX + 8];
    const int length = (int)replace_folder_length(replacement->target);
    (void)snprintf(path, sizeof path, "%.*s.", length, replacement->target);
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0)
    {
        (void)fsync(folder);
        (void)close(folder);
    }
}

// Error number of a disk with less than 1 MiB free, else 0. The disk is tested directly because
// libraries report "Write Error" or name the temporary file.
static int replace_disk_error(const wadi_io_replacement* replacement)
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

wadi_result wadi_io_close_written(wadi_context* context, FILE* file)
{
    bool done = file != NULL && ferror(file) == 0;
    done = (file == NULL || fclose(file) == 0) && done;
    return done ? WADI_OK : wadi_context_fail(context, WADI_ERROR_IO, "%s", strerror(errno));
}

wadi_result wadi_io_replace_commit(wadi_context* context, wadi_io_replacement* replacement)
{
    errno = 0;
    if (replace_each(replacement, replace_move))
    {
        (void)rmdir(replacement->folder);
        replace_unlock(replacement);
        replace_sync_folder(replacement);
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
    const int disk_error = replace_disk_error(replacement);
    replace_clear(replacement);
    if (disk_error != 0)
    {
        return wadi_context_fail(context, code,
                                 "cannot write %s: %s; make room or choose another place",
                                 replacement->target, strerror(disk_error));
    }
    return wadi_context_fail(context, code, "cannot write %s: %s", replacement->target,
                             wadi_error_detail(context));
}

// ---- leftovers ----------------------------------------------------------------------------------

static void clean_folder(const char* path)
{
    DIR* folder = opendir(path);
    const struct dirent* entry = folder != NULL ? readdir(folder) : NULL;
    for (; entry != NULL; entry = readdir(folder))
    {
        char file[PATH_MAX + 512];
        (void)snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        (void)unlink(file); // fails for "." and ".."
    }
    if (folder != NULL)
    {
        (void)closedir(folder);
    }
    (void)rmdir(path);
}

// A program that is alive holds a lock on its temporary files and folders.
static void clean_one(const char* path)
{
    struct stat status;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
    {
        return;
    }
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &status) == 0)
    {
        if (S_ISDIR(status.st_mode))
        {
            clean_folder(path);
        }
        else
        {
            (void)unlink(path);
        }
    }
    (void)close(file);
}

void wadi_io_replace_clean(const char* path)
{
    DIR* folder = opendir(path);
    const struct dirent* entry = folder != NULL ? readdir(folder) : NULL;
    for (; entry != NULL; entry = readdir(folder))
    {
        // such as ".wadi-a1B2c3"
        const bool ours = strlen(entry->d_name) + 1 == sizeof replace_pattern &&
                          strncmp(entry->d_name, replace_pattern, 6) == 0;
        char file[PATH_MAX + 256];
        (void)snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (ours)
        {
            clean_one(file);
        }
    }
    if (folder != NULL)
    {
        (void)closedir(folder);
    }
}
