// SPDX-License-Identifier: MIT
// Run a fuzz harness over the files of a directory, for compilers without libFuzzer.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static int replay_file(const char* path)
{
    enum
    {
        LARGEST = 1 << 20
    };
    static uint8_t data[LARGEST];
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        perror(path);
        return 1;
    }
    const size_t size = fread(data, 1, sizeof data, file);
    (void)fclose(file);

    // a copy of the exact size, so that the sanitizer sees a read past its end
    uint8_t* copy = malloc(size > 0 ? size : 1);
    if (copy == NULL)
    {
        return 1;
    }
    for (size_t i = 0; i < size; ++i)
    {
        copy[i] = data[i];
    }
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return 0;
}

int main(int argc, char** argv)
{
    DIR* directory = argc == 2 ? opendir(argv[1]) : NULL;
    if (directory == NULL)
    {
        (void)fputs("usage: fuzz_NAME CORPUS_DIRECTORY\n", stderr);
        return EXIT_FAILURE;
    }
    int files = 0;
    int failed = 0;
    for (const struct dirent* entry = readdir(directory); entry != NULL; entry = readdir(directory))
    {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        if (entry->d_name[0] != '.')
        {
            failed += replay_file(path);
            files += 1;
        }
    }
    (void)closedir(directory);
    (void)printf("%d inputs\n", files);
    return files > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
