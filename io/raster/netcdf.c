// SPDX-License-Identifier: MIT
// Consistency checks of classic NetCDF files. libnetcdf silently fills missing cells of a truncated
// file with 0 (sea level), and 4.9.0 crashes on a header with too many dimensions. HDF5-based files
// store their length and need no check. Format: docs.unidata.ucar.edu/netcdf-c, "File Format
// Specifications".
#include "io/raster/formats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct netcdf_header
{
    FILE* file;
    int version; // 1, 2 or 5: width of counts and offsets
    bool failed; // the header is truncated or invalid
} netcdf_header;

// Read a number of the header; all are big-endian.
static uint64_t netcdf_number(netcdf_header* header, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
    {
        const int c = getc(header->file);
        header->failed = header->failed || c == EOF;
        value = value << 8 | (uint64_t)(c & 0xFF);
    }
    return value;
}

static uint64_t netcdf_count(netcdf_header* header)
{
    return netcdf_number(header, header->version == 5 ? 8 : 4);
}

// Skip elements of `size` bytes with their padding to a multiple of four.
static void netcdf_skip(netcdf_header* header, uint64_t count, uint64_t size)
{
    enum
    {
        LONGEST = 1 << 24 // bytes of a name or an attribute
    };
    header->failed = header->failed || count > LONGEST;
    for (uint64_t left = (count * size + 3) / 4; left > 0 && !header->failed; --left)
    {
        (void)netcdf_number(header, 4);
    }
}

static void netcdf_skip_name(netcdf_header* header)
{
    netcdf_skip(header, netcdf_count(header), 1);
}

// Number of elements of the next list. An absent list has tag 0 and count 0.
static uint64_t netcdf_list(netcdf_header* header)
{
    (void)netcdf_number(header, 4);
    const uint64_t count = netcdf_count(header);
    return header->failed ? 0 : count;
}

static void netcdf_skip_attributes(netcdf_header* header)
{
    // byte, char, short, int, float, double, and the unsigned and 64-bit types of version 5
    static const uint8_t sizes[] = {1, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    for (uint64_t left = netcdf_list(header); left > 0 && !header->failed; --left)
    {
        netcdf_skip_name(header);
        const uint64_t type = netcdf_number(header, 4);
        header->failed = header->failed || type >= sizeof sizes;
        netcdf_skip(header, netcdf_count(header), header->failed ? 1 : sizes[type]);
    }
}

// Index of the record dimension, which has length 0; UINT64_MAX: none.
static uint64_t netcdf_record_dimension(netcdf_header* header)
{
    uint64_t record = UINT64_MAX;
    const uint64_t count = netcdf_list(header);
    for (uint64_t i = 0; i < count && !header->failed; ++i)
    {
        netcdf_skip_name(header);
        record = netcdf_count(header) == 0 ? i : record;
    }
    return record;
}

// File offset of the end of the next variable; 0 if it depends on the number of records.
static uint64_t netcdf_variable_end(netcdf_header* header, uint64_t record)
{
    netcdf_skip_name(header);
    const uint64_t dimensions = netcdf_count(header);
    bool grows = false;
    for (uint64_t i = 0; i < dimensions && !header->failed; ++i)
    {
        grows = netcdf_count(header) == record || grows;
    }
    netcdf_skip_attributes(header);
    const uint64_t type = netcdf_number(header, 4);
    const uint64_t size = netcdf_count(header);
    const uint64_t begin = netcdf_number(header, header->version == 1 ? 4 : 8);
    // one- and two-byte cells are padded to four bytes; the padding may be missing at the end
    const bool fills = type <= 3 || type == 7 || type == 8;
    return grows || header->failed ? 0 : begin + size - (fills && size > 3 ? 3 : 0);
}

// Smallest possible file size according to the header.
static uint64_t netcdf_read_header(netcdf_header* header)
{
    (void)netcdf_count(header); // records
    const uint64_t record = netcdf_record_dimension(header);
    netcdf_skip_attributes(header);
    uint64_t end = 0;
    for (uint64_t left = netcdf_list(header); left > 0 && !header->failed; --left)
    {
        const uint64_t last = netcdf_variable_end(header, record);
        end = last > end ? last : end;
    }
    return end;
}

static wadi_result netcdf_check_file(wadi_context* context, const char* path, FILE* file)
{
    netcdf_header header = {.file = file};
    const bool classic = netcdf_number(&header, 3) == 0x434446; // "CDF"
    header.version = (int)netcdf_number(&header, 1);
    if (!classic || (header.version != 1 && header.version != 2 && header.version != 5))
    {
        return WADI_OK; // not a classic NetCDF file
    }
    const uint64_t least = netcdf_read_header(&header);
    struct stat status;
    if (header.failed || fstat(fileno(file), &status) != 0)
    {
        return wadi_context_fail(context, WADI_ERROR_FORMAT,
                                 "%s has an invalid NetCDF header; is it cut short?", path);
    }
    return (uint64_t)status.st_size >= least
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_FORMAT,
                                   "%s has %lld bytes but its header says %llu; is it cut short?",
                                   path, (long long)status.st_size, (unsigned long long)least);
}

wadi_result wadi_io_netcdf_check(wadi_context* context, const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_IO, "cannot read %s: %s", path,
                                 strerror(errno));
    }
    const wadi_result result = netcdf_check_file(context, path, file);
    (void)fclose(file);
    return result;
}
