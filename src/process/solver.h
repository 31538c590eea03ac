// SPDX-License-Identifier: MIT
// Declarations shared by the files of src/process.
#pragma once

#include <wadi/model.h>

// Fail with "model M reads no N; models A and B do". `verb` is "reads", "makes" or "takes".
wadi_result wadi_process_refuse(wadi_context* context, const wadi_process* process,
                                const wadi_model* model, const char* verb, const char* name,
                                uint32_t models);
