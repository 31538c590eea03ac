// SPDX-License-Identifier: MIT
/// \file archive.h
/// Archives: one function of a model lists its state, and the archive writes it, reads it or hashes
/// it. So what is saved, what is restored and what the state hash covers are the same by
/// construction.
///
/// Format: values are little-endian, in blocks of up to 64 KiB, each with a checksum. A block is
/// checked before its values are handed out, so a flipped bit or a cut file is refused and never
/// reaches a model. Not stable before version 1.0: an archive of another version is refused.
#pragma once

#include <wadi/field.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Where the bytes of a saved state go, and where they come from. Both fail with a result of their
/// own, which is handed to the caller.
typedef wadi_result wadi_write_fn(void* user, const void* bytes, size_t size);
/// Must fill all of \p bytes.
typedef wadi_result wadi_read_fn(void* user, void* bytes, size_t size);

typedef struct wadi_archive wadi_archive;

/// True when the archive reads: pointers given to it are then written to.
WADI_API bool wadi_archive_is_reading(const wadi_archive* archive);
WADI_API wadi_context* wadi_archive_context(const wadi_archive* archive);

/// Begin a part. A reading archive fails with WADI_ERROR_FORMAT when another part or another
/// version follows; so does any call after a failure.
WADI_API wadi_result wadi_archive_part(wadi_archive* archive, const char* name, uint32_t version);

/// Write, read or hash \p count values. After a failure a reading archive gives zeros;
/// wadi_archive_result() tells. Numbers are hashed as numbers, so byte order does not matter.
WADI_API void wadi_archive_bytes(wadi_archive* archive, void* values, int64_t count);
WADI_API void wadi_archive_u8(wadi_archive* archive, uint8_t* values, int64_t count);
WADI_API void wadi_archive_u16(wadi_archive* archive, uint16_t* values, int64_t count);
WADI_API void wadi_archive_i32(wadi_archive* archive, int32_t* values, int64_t count);
WADI_API void wadi_archive_u32(wadi_archive* archive, uint32_t* values, int64_t count);
WADI_API void wadi_archive_i64(wadi_archive* archive, int64_t* values, int64_t count);
WADI_API void wadi_archive_u64(wadi_archive* archive, uint64_t* values, int64_t count);
WADI_API void wadi_archive_f32(wadi_archive* archive, float* values, int64_t count);
WADI_API void wadi_archive_f64(wadi_archive* archive, double* values, int64_t count);
WADI_API void wadi_archive_bool(wadi_archive* archive, bool* value);

/// A number of things, at least 0 and at most \p limit: a reading archive fails when the stored
/// number is not, before the caller allocates for it.
WADI_API wadi_result wadi_archive_count(wadi_archive* archive, int64_t* count, int64_t limit,
                                        const char* what);

/// A number that must be what it was when the state was saved, such as a width.
WADI_API wadi_result wadi_archive_same(wadi_archive* archive, int64_t value, const char* what);

/// The values of a parameter struct in the order of its table. A reading archive fails when the
/// table has another number of fields, or a value is out of range.
WADI_API wadi_result wadi_archive_fields(wadi_archive* archive, const wadi_field_table* table,
                                         void* params);

/// An array of a grid, `width x height` values of 1, 2, 4 or 8 bytes each. Its hash is a sum over
/// tiles of WADI_ARCHIVE_TILE cells, so parts of a grid can be hashed apart and added.
WADI_API void wadi_archive_grid(wadi_archive* archive, void* values, int32_t bytes, int32_t width,
                                int32_t height);
#define WADI_ARCHIVE_TILE 62

/// The first failure, or WADI_OK.
WADI_API wadi_result wadi_archive_result(const wadi_archive* archive);

#ifdef __cplusplus
}
#endif
