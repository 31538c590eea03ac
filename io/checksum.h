// SPDX-License-Identifier: MIT
// SHA-256 of a file, as sha256sum prints it (FIPS 180-4).
#pragma once

#include <wadi/context.h>

enum
{
    WADI_IO_CHECKSUM_LENGTH = 65 // 64 digits and 0
};

// Of a text, without the 0 at its end.
void wadi_io_checksum_text(const char* text, char out[WADI_IO_CHECKSUM_LENGTH]);

// `context` may be NULL: no message.
wadi_result wadi_io_checksum(wadi_context* context, const char* path,
                             char out[WADI_IO_CHECKSUM_LENGTH]);
