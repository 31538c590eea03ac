// SPDX-License-Identifier: MIT
#include "io/checksum.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum
{
    CHECKSUM_BLOCK = 64 // bytes
};

typedef struct checksum
{
    uint32_t h[8];
    uint64_t bytes;
} checksum;

static uint32_t checksum_turn(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

// Fractions of the cube roots of the first 64 primes, 32 bits.
static const uint32_t checksum_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void checksum_expand(const unsigned char* block, uint32_t w[64])
{
    for (int i = 0; i < 16; ++i)
    {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | (uint32_t)block[4 * i + 3];
    }
    for (int i = 16; i < 64; ++i)
    {
        const uint32_t a = w[i - 15];
        const uint32_t b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (checksum_turn(a, 7) ^ checksum_turn(a, 18) ^ a >> 3) +
               (checksum_turn(b, 17) ^ checksum_turn(b, 19) ^ b >> 10);
    }
}

static void checksum_block(checksum* sum, const unsigned char* block)
{
    uint32_t w[64];
    uint32_t s[8];
    checksum_expand(block, w);
    memcpy(s, sum->h, sizeof s);
    for (int i = 0; i < 64; ++i)
    {
        const uint32_t e = s[4];
        const uint32_t a = s[0];
        const uint32_t one = s[7] + checksum_k[i] + w[i] + ((e & s[5]) ^ (~e & s[6])) +
                             (checksum_turn(e, 6) ^ checksum_turn(e, 11) ^ checksum_turn(e, 25));
        const uint32_t two = ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2])) +
                             (checksum_turn(a, 2) ^ checksum_turn(a, 13) ^ checksum_turn(a, 22));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; ++i)
    {
        sum->h[i] += s[i];
    }
}

// The last bytes, a bit 1, zeros, and the number of bits.
static void checksum_end(checksum* sum, const unsigned char* rest, size_t size)
{
    unsigned char last[2 * CHECKSUM_BLOCK] = {0};
    memcpy(last, rest, size);
    last[size] = 0x80;
    const size_t end = size < CHECKSUM_BLOCK - 8 ? CHECKSUM_BLOCK : 2 * CHECKSUM_BLOCK;
    for (size_t i = 0; i < 8; ++i)
    {
        last[end - 1 - i] = (unsigned char)(sum->bytes * 8 >> (8 * i));
    }
    for (size_t at = 0; at < end; at += CHECKSUM_BLOCK)
    {
        checksum_block(sum, last + at);
    }
}

static checksum checksum_begin(void)
{
    return (checksum){.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                            0x1f83d9ab, 0x5be0cd19}};
}

static void checksum_print(const checksum* sum, char out[WADI_IO_CHECKSUM_LENGTH])
{
    for (int i = 0; i < 8; ++i)
    {
        (void)snprintf(out + 8 * i, 9, "%08x", sum->h[i]);
    }
}

void wadi_io_checksum_text(const char* text, char out[WADI_IO_CHECKSUM_LENGTH])
{
    checksum sum = checksum_begin();
    size_t left = strlen(text);
    for (sum.bytes = left; left >= CHECKSUM_BLOCK; left -= CHECKSUM_BLOCK)
    {
        checksum_block(&sum, (const unsigned char*)text);
        text += CHECKSUM_BLOCK;
    }
    checksum_end(&sum, (const unsigned char*)text, left);
    checksum_print(&sum, out);
}

wadi_result wadi_io_checksum(wadi_context* context, const char* path,
                             char out[WADI_IO_CHECKSUM_LENGTH])
{
    checksum sum = checksum_begin();
    unsigned char block[CHECKSUM_BLOCK];
    size_t size = 0;
    errno = 0;
    FILE* file = fopen(path, "rb");
    while (file != NULL && (size = fread(block, 1, sizeof block, file)) == sizeof block)
    {
        checksum_block(&sum, block);
        sum.bytes += size;
    }
    const bool failed = file == NULL || ferror(file) != 0;
    if (file != NULL)
    {
        (void)fclose(file);
    }
    if (failed)
    {
        return context == NULL ? WADI_ERROR_IO
                               : wadi_context_fail(context, WADI_ERROR_IO, "cannot read %s: %s",
                                                   path, strerror(errno));
    }
    sum.bytes += size;
    checksum_end(&sum, block, size);
    checksum_print(&sum, out);
    return WADI_OK;
}
