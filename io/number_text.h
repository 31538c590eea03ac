// SPDX-License-Identifier: MIT
// Numbers as text of files, with a decimal point in every locale.
#pragma once

enum
{
    WADI_IO_NUMBER = 40 // characters that every number has room in
};

// A number with so many significant digits, at most 17, as "%.*g" has it in the C locale. Returns
// `text`.
const char* wadi_io_number_text(double value, int digits, char text[WADI_IO_NUMBER]);
