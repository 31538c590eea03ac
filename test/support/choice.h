// SPDX-License-Identifier: MIT
// One preset of one process of the registry, for the tests that run over all of them.
#pragma once

#include "support/fixture.h"

#include <wadi/process.h>

enum
{
    CHOICE_WIDTH = 61, // odd on purpose
    CHOICE_HEIGHT = 47
};

typedef struct choice
{
    const wadi_process* process;
    const char* preset;
} choice;

// Holds the registry: the library's processes and those registered with each context. Set it first.
extern const wadi_context* choice_registry;

// Call `fn` for every preset of every process.
void choice_for_each(void (*fn)(const choice* c));

// Parameters of the preset; for landslides changed to a cheaper run, for droplets to shorter steps.
void choice_params(const choice* c, void* params);

wadi_solver* choice_solver(const choice* c, wadi_terrain* terrain, uint32_t instance);
// Winds blow towards a side, and rivers come from the one beyond; -1: as they are.
wadi_solver* choice_solver_aimed(const choice* c, wadi_terrain* terrain, uint32_t instance,
                                 int side);
const wadi_model* choice_model(const choice* c);
bool choice_has(const choice* c, wadi_model_trait trait);
// Run a share of the default duration and destroy the solver.
void choice_run(const choice* c, wadi_terrain* terrain, double share);
// No negative layer, and a ledger that closes.
void choice_check_layers(wadi_terrain* terrain);
