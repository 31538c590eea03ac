// SPDX-License-Identifier: MIT
// Summary of a run on standard output.
#pragma once

#include "cli/report.h"

// Print years, figures of each process, balance of solids and water, residual and state hash.
// `hash` covers terrain and solvers.
void cli_summary_print(const cli_report* report, const wadi_terrain* terrain, uint64_t hash);

// Print the balance of all solids, and that of water with the residual of both, from the rows of
// the whole ledger.
void cli_summary_print_solids(const wadi_ledger_row* rows, int32_t count);
// What masks have undone, if they have: from the rows of the account WADI_MASK_ACCOUNT.
void cli_summary_print_masked(const wadi_ledger_row* rows, int32_t count);
void cli_summary_print_water(const wadi_ledger_row* rows, int32_t count);

// Fail if the ledger has a residual, which is a bug in wadi.
cli_status cli_summary_check(const wadi_terrain* terrain);
