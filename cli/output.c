// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static cli_status output_copy(const char* path, size_t length, char out[PATH_MAX])
{
    if (length >= PATH_MAX)
    {
        return cli_fail(CLI_USAGE, "the path '%.60s...' is too long: give one under %d bytes", path,
                        PATH_MAX);
    }
    memcpy(out, path, length);
    out[length] = '\0';
    return CLI_DONE;
}

// Make a folder unless it exists.
static cli_status output_make_folder(const char* path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
    {
        return CLI_DONE;
    }
    const int trouble = errno;
    if (stat(path, &status) != 0)
    {
        return cli_fail(CLI_FAILED, "cannot make the folder %s: %s; choose another place", path,
                        strerror(trouble));
    }
    return S_ISDIR(status.st_mode)
               ? CLI_DONE
               : cli_fail(CLI_FAILED, "%s is a file, not a folder; choose another place", path);
}

// Test whether files can be created in a folder by creating one. This covers permissions, read-only
// mounts and special file systems.
static cli_status output_probe(const char* folder)
{
    static const char name[] = "/.wadi-XXXXXX";
    char probe[PATH_MAX + sizeof name];
    (void)snprintf(probe, sizeof probe, "%s%s", folder, name);
    const int file = mkstemp(probe);
    if (file < 0)
    {
        return cli_fail(CLI_FAILED, "cannot write in the folder %s: %s; choose another place",
                        folder, strerror(errno));
    }
    (void)close(file);
    (void)unlink(probe);
    return CLI_DONE;
}

cli_status cli_output_check_folder(const char* path)
{
    char folder[PATH_MAX];
    for (size_t i = 1; path[i] != '\0'; ++i)
    {
        if (path[i] == '/' && path[i - 1] != '/')
        {
            CLI_TRY(output_copy(path, i, folder));
            CLI_TRY(output_make_folder(folder));
        }
    }
    CLI_TRY(output_make_folder(path));
    return output_probe(path);
}

// A name must fit into a folder with its sidecar's ending, and be more than an extension.
static cli_status output_check_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    if (name[0] == '.' && name[1] != '\0' && strchr(name + 1, '.') == NULL)
    {
        return cli_fail(CLI_USAGE, "%s has no name before its extension; name it, such as land%s",
                        path, name);
    }
    return strlen(name) > NAME_MAX - strlen(".json")
               ? cli_fail(CLI_USAGE,
                          "the name %.20s... has more than %d bytes; choose a shorter one", name,
                          (int)(NAME_MAX - strlen(".json")))
               : CLI_DONE;
}

cli_status cli_output_check(const char* path)
{
    struct stat status;
    if (stat(path, &status) == 0)
    {
        if (S_ISDIR(status.st_mode))
        {
            return cli_fail(CLI_FAILED, "%s is a folder; give the name of a file", path);
        }
        if ((status.st_mode & 0222) == 0)
        {
            return cli_fail(CLI_FAILED, "%s is read-only; choose another name or chmod +w it",
                            path);
        }
    }
    CLI_TRY(output_check_name(path));
    const char* slash = strrchr(path, '/');
    if (slash == NULL)
    {
        return output_probe(".");
    }
    if (slash[1] == '\0')
    {
        return cli_fail(CLI_USAGE, "%s names a folder; give the name of a file", path);
    }
    char folder[PATH_MAX];
    CLI_TRY(output_copy(path, slash == path ? 1 : (size_t)(slash - path), folder));
    return cli_output_check_folder(folder);
}

// The name without links and dots in its folder, which may be missing; false: too long.
static bool output_resolve(const char* path, char out[PATH_MAX])
{
    const char* slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 0 : (size_t)(slash - path);
    char folder[PATH_MAX];
    char real[PATH_MAX];
    if (length + 2 > sizeof folder)
    {
        return false;
    }
    (void)snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)length + 1,
                   slash == NULL ? "." : path);
    if (realpath(folder, real) == NULL)
    {
        (void)snprintf(real, sizeof real, "%s", folder);
    }
    const int size = snprintf(out, PATH_MAX, "%s/%s", real, slash == NULL ? path : slash + 1);
    return size > 0 && size < PATH_MAX;
}

static bool output_is_sidecar(const char* path, const char* of)
{
    const size_t length = strlen(of);
    return strncmp(path, of, length) == 0 && strcmp(path + length, ".json") == 0;
}

cli_status cli_output_check_apart(const char* output, const char* other, const char* what)
{
    char a[PATH_MAX];
    char b[PATH_MAX];
    if (!output_resolve(output, a) || !output_resolve(other, b))
    {
        return CLI_DONE; // too long to be opened
    }
    struct stat first;
    struct stat second;
    const bool same =
        strcmp(a, b) == 0 || (stat(output, &first) == 0 && stat(other, &second) == 0 &&
                              first.st_dev == second.st_dev && first.st_ino == second.st_ino);
    if (same)
    {
        return cli_fail(CLI_USAGE, "the output %s %s; give it another name", output, what);
    }
    return output_is_sidecar(a, b) || output_is_sidecar(b, a)
               ? cli_fail(CLI_USAGE, "%s is the name of a sidecar of %s; give another name",
                          output_is_sidecar(a, b) ? output : other,
                          output_is_sidecar(a, b) ? other : output)
               : CLI_DONE;
}

cli_status cli_output_check_distinct(const char* output, const char* input)
{
    struct stat a;
    struct stat b;
    if (stat(output, &a) == 0 && stat(input, &b) == 0 && a.st_dev == b.st_dev &&
        a.st_ino == b.st_ino)
    {
        return cli_fail(CLI_USAGE, "the output %s is the input; give another name with -o", output);
    }
    return CLI_DONE;
}

cli_status cli_output_check_all(const char* const* outputs, size_t count, const char* input)
{
    for (size_t k = 0; k < count; ++k)
    {
        if (outputs[k] == NULL)
        {
            continue;
        }
        CLI_TRY(input != NULL ? cli_output_check_apart(outputs[k], input, "is an input")
                              : CLI_DONE);
        for (size_t j = 0; j < k; ++j)
        {
            CLI_TRY(outputs[j] != NULL ? cli_output_check_apart(outputs[k], outputs[j],
                                                                "is another output as well")
                                       : CLI_DONE);
        }
        CLI_TRY(cli_output_check(outputs[k]));
    }
    return CLI_DONE;
}

cli_status cli_output_lock(const char* folder, int* lock)
{
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
        (void)close(*lock);
        *lock = -1;
        return cli_fail(CLI_FAILED,
                        "another run is writing into the folder %s; wait until it has ended, or "
                        "choose another folder with -o",
                        folder);
    }
    return CLI_DONE; // some file systems have no locks
}

void cli_output_unlock(int* lock)
{
    if (*lock >= 0)
    {
        (void)close(*lock);
    }
    *lock = -1;
}

static bool output_write_all(int file, const char* bytes, size_t left)
{
    while (left > 0)
    {
        const ssize_t written = write(file, bytes, left);
        if (written < 0 && errno != EINTR)
        {
            return false;
        }
        bytes += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    return fsync(file) == 0;
}

cli_status cli_output_write(const char* path, const char* text)
{
    return cli_output_write_bytes(path, text, strlen(text));
}

cli_status cli_output_write_bytes(const char* path, const void* bytes, size_t size)
{
    char temporary[PATH_MAX + 16];
    const char* slash = strrchr(path, '/');
    const int length = slash != NULL ? (int)(slash - path) + 1 : 0;
    (void)snprintf(temporary, sizeof temporary, "%.*s.wadi-XXXXXX", length, path);
    const int file = mkstemp(temporary);
    if (file < 0)
    {
        return cli_fail(CLI_FAILED, "cannot write %s: %s; choose another place", path,
                        strerror(errno));
    }
    (void)flock(file, LOCK_EX | LOCK_NB); // see wadi_io_replace_clean()
    // mkstemp() makes private files; give the output the usual permissions
    const mode_t mask = umask(0);
    (void)umask(mask);
    const bool written = output_write_all(file, bytes, size) && fchmod(file, 0666 & ~mask) == 0;
    const int trouble = errno;
    (void)close(file);
    if (!written || rename(temporary, path) != 0)
    {
        (void)unlink(temporary);
        return cli_fail(CLI_FAILED, "cannot write %s: %s; make room or choose another place", path,
                        strerror(written ? errno : trouble));
    }
    return CLI_DONE;
}
