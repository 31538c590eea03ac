// SPDX-License-Identifier: MIT
// The short account of a run that a reader wants first.
#pragma once

#include "report.h"

// Print years, figures of each process, what became of solids and water, residual and state hash.
void cli_summary_print(const cli_report* report, const wadi_terrain* terrain);

// The law of the ledger: a residual that is not zero is a defect of ours, and is said to be one.
cli_status cli_summary_check(const wadi_terrain* terrain);
