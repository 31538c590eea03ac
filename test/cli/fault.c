// SPDX-License-Identifier: MIT
// Fault injection: every entry in the ledger says one unit more than was laid down. With the
// objects of the command this makes a command whose ledger does not close; see cli/residual.test.
#include <wadi/model.h>

void __wrap_wadi_terrain_book(wadi_terrain* terrain, const char* process, const wadi_tally* tally);
void __real_wadi_terrain_book(wadi_terrain* terrain, const char* process, const wadi_tally* tally);

void __wrap_wadi_terrain_book(wadi_terrain* terrain, const char* process, const wadi_tally* tally)
{
    wadi_tally wrong = *tally;
    wrong.deposited[WADI_MATERIAL_SEDIMENT] += 1;
    wrong.in[WADI_MATERIAL_SEDIMENT] += 1;
    __real_wadi_terrain_book(terrain, process, &wrong);
}
