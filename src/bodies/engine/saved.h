// SPDX-License-Identifier: MIT
// A world of particles in an archive: as its saved bytes, or as its hash. The bytes hold contacts
// in the order of the neighbour lists, which changes with a restore, so they are never hashed.
#pragma once

#include "core/archive.h"

#include <wadi/grains.h>

typedef struct wadi_saved
{
    unsigned char* bytes; // NULL: the archive hashes
    int64_t size;
    wadi_context* context;
} wadi_saved;

// Allocate the bytes: `size` of them, or as many as the archive to read has. An archive that hashes
// takes the hash.
wadi_result wadi_saved_open(wadi_archive* archive, uint64_t hash, size_t size, wadi_saved* out);
// Write the bytes, which have been filled, or read them. Fails with the archive.
wadi_result wadi_saved_pass(wadi_archive* archive, const wadi_saved* saved);
void wadi_saved_close(wadi_saved* saved);

// List a grain as a world is created from it, without its water.
void wadi_saved_grain(wadi_archive* archive, wadi_grain* grain);
