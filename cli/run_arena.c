// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "cli/run_arena.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    ARENA_PAGE = 4096,
    ARENA_MOST_MAPPED = 1024 // files at once: the system has 65530 maps for a program
};

// A free part of a file.
typedef struct arena_gap
{
    size_t begin;
    size_t end;
} arena_gap;

typedef struct arena_file
{
    cli_arena* arena;
    int32_t window;
    int handle;
    unsigned char* base;
    arena_gap* gaps; // by place
    int32_t gap_count;
    int32_t gap_room;
    size_t given;   // bytes from the start that the disk has set aside
    bool scattered; // what the system knows of the reads of its mapping
} arena_file;

struct cli_arena
{
    char folder[PATH_MAX];
    unsigned char* base; // of the addresses of all windows
    size_t bytes;        // of a window
    size_t reserved;     // bytes of addresses: those of one window, or of all
    int32_t count;
    int32_t current; // the window at work
    int failure;     // errno
    bool scattered;  // how windows read now
    size_t peak;
    arena_file files[];
};

static void arena_path(const cli_arena* arena, int32_t window, char path[PATH_MAX + 32])
{
    (void)snprintf(path, PATH_MAX + 32, "%s/window-%d", arena->folder, (int)window);
}

// ---- files -------------------------------------------------------------------------------------

static bool arena_reserve(cli_arena* arena, void* at, size_t bytes)
{
    const int fixed = at != NULL ? MAP_FIXED : 0;
    void* base =
        mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    arena->base = base != MAP_FAILED ? base : NULL;
    arena->reserved = base != MAP_FAILED ? bytes : 0;
    return arena->base != NULL;
}

static bool arena_is_at_once(const cli_arena* arena)
{
    return arena->reserved > arena->bytes;
}

static bool arena_map(const arena_file* file)
{
    return mmap(file->base, file->arena->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                file->handle, 0) != MAP_FAILED;
}

// Map all files, if as many addresses are left for all else.
static bool arena_map_all(cli_arena* arena)
{
    const size_t count = (size_t)arena->count;
    if (count < 2 || count > ARENA_MOST_MAPPED || arena->bytes > SIZE_MAX / 2 / count ||
        !arena_reserve(arena, NULL, 2 * count * arena->bytes))
    {
        return false;
    }
    arena->reserved = count * arena->bytes;
    bool mapped = munmap(arena->base + arena->reserved, arena->reserved) == 0;
    for (size_t i = 0; i < count && mapped; ++i)
    {
        arena->files[i].base = arena->base + i * arena->bytes;
        mapped = arena_map(&arena->files[i]);
    }
    if (!mapped)
    {
        (void)munmap(arena->base, arena->reserved);
    }
    return mapped;
}

// Reserve addresses for one window, which each file gets in its turn.
static bool arena_share(cli_arena* arena)
{
    const bool reserved = arena_reserve(arena, NULL, arena->bytes);
    for (int32_t i = 0; i < arena->count; ++i)
    {
        arena->files[i].base = arena->base;
    }
    return reserved;
}

static bool arena_make_file(cli_arena* arena, int32_t window)
{
    arena_file* file = &arena->files[window];
    char path[PATH_MAX + 32];
    arena_path(arena, window, path);
    *file = (arena_file){.arena = arena, .window = window, .gap_count = 1, .gap_room = 64};
    file->gaps = malloc((size_t)file->gap_room * sizeof *file->gaps);
    file->handle = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file->gaps != NULL)
    {
        file->gaps[0] = (arena_gap){0, arena->bytes};
    }
    return file->gaps != NULL && file->handle >= 0 &&
           ftruncate(file->handle, (off_t)arena->bytes) == 0;
}

// Delete what a run left that was killed.
static void arena_clean(const char* folder)
{
    DIR* all = opendir(folder);
    for (struct dirent* entry = all != NULL ? readdir(all) : NULL; entry != NULL;
         entry = readdir(all))
    {
        char path[PATH_MAX + 300];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strncmp(entry->d_name, "window-", 7) == 0)
        {
            (void)unlink(path);
        }
    }
    if (all != NULL)
    {
        (void)closedir(all);
    }
}

// The file of the window at work was cut short, so memory is gone that it is about to touch.
static void arena_on_lost_memory(int signal_number)
{
    static const char text[] =
        "wadi: the file of a window was cut short by another program, or its disk fails; go on "
        "from the last saved state with --resume\n";
    (void)signal_number;
    const ssize_t told = write(STDERR_FILENO, text, sizeof text - 1);
    (void)told; // there is nothing else to do
    _exit(CLI_FAILED);
}

void cli_arena_sweep(const char* output)
{
    char folder[PATH_MAX + 16];
    (void)snprintf(folder, sizeof folder, "%s/" CLI_ARENA_FOLDER, output);
    arena_clean(folder);
    (void)rmdir(folder);
}

cli_status cli_arena_open(const char* folder, int32_t count, size_t bytes, bool at_once,
                          cli_arena** out)
{
    *out = calloc(1, sizeof **out + (size_t)count * sizeof(arena_file));
    if (*out == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory");
    }
    cli_arena* arena = *out;
    (void)snprintf(arena->folder, sizeof arena->folder, "%s", folder);
    arena->bytes = (bytes + ARENA_PAGE - 1) / ARENA_PAGE * ARENA_PAGE;
    for (int32_t i = 0; i < count; ++i)
    {
        arena->files[i].handle = -1;
    }
    arena->count = count;
    (void)signal(SIGBUS, arena_on_lost_memory);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
    {
        return cli_fail(CLI_FAILED, "%s: cannot be made: %s", folder, strerror(errno));
    }
    arena_clean(folder);
    for (int32_t i = 0; i < count; ++i)
    {
        if (!arena_make_file(arena, i))
        {
            return cli_fail(CLI_FAILED, "%s/window-%d: cannot be made: %s", folder, (int)i,
                            strerror(errno));
        }
    }
    if (!(at_once && arena_map_all(arena)) && !arena_share(arena))
    {
        return cli_fail(CLI_FAILED, "no addresses for windows of %zu MB; use more windows",
                        arena->bytes >> 20);
    }
    return CLI_DONE;
}

void cli_arena_close(cli_arena* arena)
{
    for (int32_t i = 0; arena != NULL && i < arena->count; ++i)
    {
        char path[PATH_MAX + 32];
        arena_path(arena, i, path);
        if (arena->files[i].handle >= 0)
        {
            (void)close(arena->files[i].handle);
            (void)unlink(path);
        }
        free(arena->files[i].gaps);
    }
    if (arena != NULL)
    {
        (void)rmdir(arena->folder);
        if (arena->base != NULL)
        {
            (void)munmap(arena->base, arena->reserved);
        }
    }
    free(arena);
}

// The memory of a window is lost, and with it all that its thread could go on with.
static void arena_die(const arena_file* file, const char* why)
{
    (void)cli_fail(CLI_FAILED, "%s/window-%d: %s; go on from the last saved state with --resume",
                   file->arena->folder, (int)file->window, why);
    (void)fflush(NULL);
    _exit(CLI_FAILED);
}

// Tell the system how the window at work reads its memory, if it does not know.
static void arena_tell(cli_arena* arena)
{
    arena_file* file = &arena->files[arena->current];
    if (file->scattered != arena->scattered)
    {
        (void)madvise(file->base, arena->bytes, arena->scattered ? MADV_RANDOM : MADV_NORMAL);
        file->scattered = arena->scattered;
    }
}

void cli_arena_enter(int32_t window, void* user)
{
    cli_arena* arena = user;
    const arena_file* file = &arena->files[window];
    struct stat status;
    if (fstat(file->handle, &status) != 0 || (size_t)status.st_size != arena->bytes)
    {
        arena_die(file, "was cut short by another program");
    }
    arena->current = window;
    if (!arena_is_at_once(arena) && !arena_map(file))
    {
        arena_die(file, strerror(errno));
    }
    arena_tell(arena);
}

// The system reads a part of the file around a page that it misses, of 128 KiB or, on some disks,
// of several MiB. That helps a pass over rows, and costs a hundred times what is needed where
// streams are followed.
void cli_arena_expect(cli_arena* arena, bool scattered)
{
    if (arena != NULL)
    {
        arena->scattered = scattered;
        arena_tell(arena);
    }
}

void cli_arena_leave(int32_t window, void* user)
{
    cli_arena* arena = user;
    arena_file* file = &arena->files[window];
    if (arena_is_at_once(arena))
    {
        return;
    }
    file->scattered = false;
    if (!arena_reserve(arena, arena->base, arena->bytes))
    {
        arena_die(file, strerror(errno));
    }
}

// ---- memory ------------------------------------------------------------------------------------

// Let the disk set room aside before anything is written there: a write to a mapped file on a full
// disk ends the program.
static bool arena_set_aside(arena_file* file, size_t end)
{
    if (end <= file->given)
    {
        return true;
    }
    const int error = posix_fallocate(file->handle, (off_t)file->given, (off_t)(end - file->given));
    if (error != 0)
    {
        file->arena->failure = error;
        return false;
    }
    file->given = end;
    file->arena->peak = end > file->arena->peak ? end : file->arena->peak;
    return true;
}

static void arena_drop_gap(arena_file* file, int32_t index)
{
    file->gap_count -= 1;
    memmove(&file->gaps[index], &file->gaps[index + 1],
            (size_t)(file->gap_count - index) * sizeof *file->gaps);
}

static void* arena_allocate(size_t size, size_t alignment, void* user)
{
    arena_file* file = user;
    const size_t need = (size + alignment - 1) / alignment * alignment;
    for (int32_t i = 0; i < file->gap_count; ++i)
    {
        arena_gap* gap = &file->gaps[i];
        if (gap->end - gap->begin < need)
        {
            continue;
        }
        if (!arena_set_aside(file, gap->begin + need))
        {
            return NULL;
        }
        unsigned char* memory = file->base + gap->begin;
        gap->begin += need;
        if (gap->begin == gap->end)
        {
            arena_drop_gap(file, i);
        }
        return memory;
    }
    file->arena->failure = file->arena->failure != 0 ? file->arena->failure : ENOMEM;
    return NULL;
}

static bool arena_add_gap(arena_file* file, int32_t index, arena_gap gap)
{
    if (file->gap_count == file->gap_room)
    {
        arena_gap* more = realloc(file->gaps, 2 * (size_t)file->gap_room * sizeof *more);
        if (more == NULL)
        {
            return false; // the room is lost until the end
        }
        file->gaps = more;
        file->gap_room *= 2;
    }
    memmove(&file->gaps[index + 1], &file->gaps[index],
            (size_t)(file->gap_count - index) * sizeof *file->gaps);
    file->gaps[index] = gap;
    file->gap_count += 1;
    return true;
}

// Blocks are multiples of the cache line, which is the alignment of all of them.
static void arena_release(void* memory, size_t size, void* user)
{
    arena_file* file = user;
    const size_t line = 64;
    const size_t begin = (size_t)((unsigned char*)memory - file->base);
    arena_gap gap = {begin, begin + (size + line - 1) / line * line};
    int32_t i = 0;
    while (i < file->gap_count && file->gaps[i].begin < begin)
    {
        ++i;
    }
    if (i < file->gap_count && file->gaps[i].begin == gap.end)
    {
        gap.end = file->gaps[i].end;
        arena_drop_gap(file, i);
    }
    if (i > 0 && file->gaps[i - 1].end == gap.begin)
    {
        file->gaps[i - 1].end = gap.end;
        return;
    }
    (void)arena_add_gap(file, i, gap);
}

wadi_allocator cli_arena_allocator(int32_t window, void* user)
{
    cli_arena* arena = user;
    return (wadi_allocator){arena_allocate, arena_release, &arena->files[window]};
}

const char* cli_arena_failure(const cli_arena* arena)
{
    return arena != NULL && arena->failure != 0 ? strerror(arena->failure) : NULL;
}

size_t cli_arena_peak(const cli_arena* arena)
{
    return arena != NULL ? arena->peak : 0;
}
