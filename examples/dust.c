// SPDX-License-Identifier: MIT
// A small process of one's own: dust falls from the air. ice.c is a larger one.
#include <wadi/model.h>
#include <wadi/wadi.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct dust_params
{
    uint32_t cookie;
    double rate;
} dust_params;

typedef struct dust
{
    wadi_terrain* terrain;
    double rate; // [units/yr]
} dust;

static wadi_result create(wadi_terrain* terrain, const void* params, uint32_t stream, void** state)
{
    (void)stream; // the key of random numbers, which dust does not need
    dust* d = wadi_alloc(wadi_terrain_context(terrain), 1, sizeof *d);
    *state = d;
    if (d == NULL)
    {
        return wadi_context_fail(wadi_terrain_context(terrain), WADI_ERROR_MEMORY, "no memory");
    }
    *d = (dust){terrain, ((const dust_params*)params)->rate * 1e-3 * WADI_UNITS_PER_METRE};
    return WADI_OK;
}

static void destroy(void* state)
{
    wadi_free(wadi_terrain_context(((dust*)state)->terrain), state);
}

// Matter comes `in` from outside and is laid down; the ledger compares both with the layers.
static wadi_result advance(void* state, const wadi_span* span)
{
    const dust* d = state;
    wadi_tally tally = {0};
    const int32_t amount = (int32_t)(d->rate * span->years);
    const int32_t width = wadi_terrain_width(d->terrain);
    for (int32_t i = 0; i < width * wadi_terrain_height(d->terrain); ++i)
    {
        if (wadi_terrain_is_valid(d->terrain, i % width, i / width))
        {
            wadi_terrain_put(d->terrain, i % width, i / width, amount, &tally);
            tally.in[WADI_MATERIAL_SEDIMENT] += amount;
        }
    }
    wadi_terrain_book(d->terrain, "dust", &tally);
    return WADI_OK;
}

// clang-format off
static const wadi_field fields[] = {{"rate", WADI_FIELD_DOUBLE, offsetof(dust_params, rate), 0.1, 0.0, 100.0, "mm/yr", "Dust that falls.", "chosen for this example", NULL, 0}};
static const wadi_field_table table = {"dust", fields, 1, sizeof(dust_params), NULL};
static const wadi_model_api api = {.create = create, .advance = advance, .destroy = destroy};
static const wadi_model model = {"dust", "Dust settles.", WADI_LAYER_BIT(WADI_LAYER_SEDIMENT), WADI_LAYER_BIT(WADI_LAYER_SEDIMENT), 0, &api};
static const wadi_preset preset = {"default", "a windy steppe", NULL, 0};
static const wadi_process process = {.name = "dust", .doc = "Dust falls from the air.", .fields = &table, .presets = &preset, .preset_count = 1, .models = &model, .model_count = 1, .default_years = 1000.0};
// clang-format on

static bool run(wadi_context* context, wadi_terrain** terrain, wadi_solver** solver)
{
    const wadi_terrain_def def = wadi_terrain_def_default();
    return wadi_process_register(context, &process) == WADI_OK &&
           wadi_terrain_create(context, &def, terrain) == WADI_OK &&
           wadi_solver_create(*terrain, wadi_process_find(context, "dust"), NULL, 0, solver) ==
               WADI_OK &&
           wadi_solver_advance(*solver, process.default_years) == WADI_OK;
}

int main(void)
{
    wadi_context* context = NULL;
    wadi_terrain* terrain = NULL;
    wadi_solver* solver = NULL;
    const bool done =
        wadi_context_create(NULL, &context) == WADI_OK && run(context, &terrain, &solver);
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    if (done && wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS) > 1)
    {
        printf("%.0f m3 in, residual %g m3\n", rows[1].in, rows[1].residual);
    }
    fputs(done ? "" : wadi_error_detail(context), stderr);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(context);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
