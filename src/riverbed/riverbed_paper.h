// SPDX-License-Identifier: MIT
// The paper's model: particles that circle as they go and stamp the ground, which is taken away and
// put nowhere (Warszawski & Nikiel 2014).
#pragma once

#include "riverbed/riverbed_emitter.h"

typedef struct riverbed_paper riverbed_paper;

wadi_result wadi_riverbed_paper_create(wadi_terrain* terrain, const wadi_riverbed_params* params,
                                       uint32_t stream, riverbed_paper** out);
void wadi_riverbed_paper_destroy(riverbed_paper* paper); // NULL is allowed

// Windows that particles come from; copied.
wadi_result wadi_riverbed_paper_set_emitters(riverbed_paper* paper,
                                             const riverbed_emitter* emitters, int32_t count);
wadi_result wadi_riverbed_paper_advance(riverbed_paper* paper, double years);

const int64_t* wadi_riverbed_paper_wear(const riverbed_paper* paper); // [units] by cell
riverbed_work wadi_riverbed_paper_work(const riverbed_paper* paper);
uint64_t wadi_riverbed_paper_hash(const riverbed_paper* paper);
