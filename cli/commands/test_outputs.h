// SPDX-License-Identifier: MIT
// Files of `wadi test`: curves, the report, and the grains of the last specimen with their contacts
// and fields.
#pragma once

#include "cli/message.h"

#include "io/tags.h"

#include <wadi/grain_test.h>

#include <jansson.h>

enum
{
    CLI_TEST_SPECIMENS = 6
};

typedef struct cli_test_run
{
    wadi_grain_test_kind kind;
    int32_t count; // specimens
    double stresses[CLI_TEST_SPECIMENS];
    wadi_grain_test* tests[CLI_TEST_SPECIMENS];
    wadi_grain_test_result results[CLI_TEST_SPECIMENS];
    wadi_grain_strength strength;
    bool has_strength;
} cli_test_run;

extern const char* const cli_test_kinds[];

void cli_test_print(const cli_test_run* run);
cli_status cli_test_write_curves(const cli_test_run* run, const char* path);
cli_status cli_test_write_report(const cli_test_run* run, json_t* settings,
                                 const wadi_io_tags* tags, const char* path);
cli_status cli_test_write_grains(wadi_context* context, const cli_test_run* run,
                                 const wadi_io_tags* tags, const char* path);
cli_status cli_test_write_contacts(wadi_context* context, const cli_test_run* run,
                                   const wadi_io_tags* tags, const char* path);
// Smoothed over `width`, on cells of that size.
cli_status cli_test_write_fields(wadi_context* context, const cli_test_run* run, double width,
                                 const char* path);
