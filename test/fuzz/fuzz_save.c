// SPDX-License-Identifier: MIT
// Saved states of grains, water, seepage and wet grains. The input damages a state that a small
// world has just saved: what has changed is refused with a message and leaves the world as it was;
// what has not is restored to the bit.
//
//   byte 0    world: grains, water, seepage, wet grains, clumps
//   byte 1    bytes that are cut off the end; from 128 on, 256 less this many are added
//   then      damages of 11 bytes: place (2), how (1), value (8)
//
// States are damaged once more behind the seal, which is made anew: whatever is restored moves on
// or fails with a message. Of clumps only the last part is damaged, where they are.
#include "core/seal.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum
{
    FUZZ_SIDE = 3, // grains along each edge of a block
    FUZZ_GRAINS = FUZZ_SIDE * FUZZ_SIDE * FUZZ_SIDE,
    FUZZ_DAMAGE = 11,
    FUZZ_CLUMPS = 6,
    FUZZ_CLUMP_WORLD = 4
};

static void fuzz_require(bool condition)
{
    if (!condition)
    {
        abort();
    }
}

// Functions common to the five kinds of worlds.
typedef struct fuzz_verbs
{
    void* (*create)(wadi_context* context);
    void (*destroy)(void* world);
    size_t (*save_size)(const void* world);
    void (*save)(const void* world, void* bytes);
    wadi_result (*restore)(void* world, const void* bytes, size_t size);
    wadi_result (*advance)(void* world);
    uint64_t (*hash)(const void* world);
} fuzz_verbs;

// ---- grains -------------------------------------------------------------------------------------

static void fuzz_pack(wadi_grain grains[FUZZ_GRAINS])
{
    for (int32_t i = 0; i < FUZZ_GRAINS; ++i)
    {
        const int32_t x = i % FUZZ_SIDE;
        const int32_t y = i / FUZZ_SIDE % FUZZ_SIDE;
        const int32_t z = i / (FUZZ_SIDE * FUZZ_SIDE);
        grains[i] = (wadi_grain){.position = {0.0199 * x, 0.0199 * y, 0.0099 + 0.0199 * z},
                                 .velocity = {0.01 * z, 0.0, 0.0},
                                 .radius = 0.01,
                                 .wetness = 0.05};
    }
}

// A triangle beside the grains that turns.
static void fuzz_add_mesh(wadi_grains* grains)
{
    static const double corners[3][3] = {
        {-0.009, -1.0, 0.0}, {-0.009, 1.0, 0.0}, {-0.009, 0.0, 1.0}};
    static const int32_t triangle[1][3] = {{0, 1, 2}};
    const wadi_mesh mesh = {corners, 3, triangle, 1};
    const wadi_grain_motion motion = {.axis = {1.0, 0.0, 0.0}, .spin = 1.0};
    int32_t number;
    fuzz_require(wadi_grains_add_mesh(grains, &mesh, 0, &motion, &number) == WADI_OK);
}

static void* fuzz_grains_create(wadi_context* context)
{
    wadi_grain list[FUZZ_GRAINS];
    fuzz_pack(list);
    wadi_grain_material material = wadi_grain_material_default();
    material.bond_tension = 1e4;
    const wadi_grains_params params = wadi_grains_params_default();
    const wadi_grain_wall floor = {.normal = {0.0, 0.0, 1.0}};
    wadi_grains* grains = NULL;
    int32_t number;
    fuzz_require(wadi_grains_create(context, &params, &material, 1, list, FUZZ_GRAINS, &grains) ==
                 WADI_OK);
    fuzz_require(wadi_grains_add_wall(grains, &floor, &number) == WADI_OK);
    fuzz_add_mesh(grains);
    fuzz_require(wadi_grains_bond(grains, 0.01, NULL) == WADI_OK);
    return grains;
}

static void fuzz_grains_destroy(void* world)
{
    wadi_grains_destroy(world);
}

static size_t fuzz_grains_size(const void* world)
{
    return wadi_grains_save_size(world);
}

static void fuzz_grains_save(const void* world, void* bytes)
{
    wadi_grains_save(world, bytes);
}

static wadi_result fuzz_grains_restore(void* world, const void* bytes, size_t size)
{
    return wadi_grains_restore(world, bytes, size);
}

static wadi_result fuzz_grains_advance(void* world)
{
    return wadi_grains_advance(world, 8);
}

static uint64_t fuzz_grains_hash(const void* world)
{
    return wadi_grains_hash(world);
}

// ---- clumps -------------------------------------------------------------------------------------

static void* fuzz_clumps_create(wadi_context* context)
{
    const wadi_grain_shape shapes[2] = {wadi_grain_shape_of(WADI_GRAIN_FORM_DUMBBELL),
                                        wadi_grain_shape_of(WADI_GRAIN_FORM_TETRAHEDRON)};
    const wadi_grain single = {.position = {0.0, 0.1, 0.02}, .radius = 0.01};
    wadi_grain_clump list[FUZZ_CLUMPS];
    for (int32_t i = 0; i < FUZZ_CLUMPS; ++i)
    {
        list[i] = (wadi_grain_clump){.position = {0.05 + 0.035 * i, 0.05, 0.013},
                                     .velocity = {0.1, 0.0, -0.1},
                                     .spin = {0.0, 3.0, i},
                                     .turn = {0.6, 0.0, 0.8, 0.0},
                                     .radius = 0.01,
                                     .shape = i % 2};
    }
    const wadi_grain_clumps clumps = {shapes, 2, list, FUZZ_CLUMPS};
    const wadi_grain_material material = wadi_grain_material_default();
    wadi_grains_params params = wadi_grains_params_default();
    params.period_x = 0.4;
    const wadi_grain_wall floor = {.normal = {0.0, 0.0, 1.0}};
    wadi_grains* grains = NULL;
    int32_t number;
    fuzz_require(wadi_grains_create_clumped(context, &params, &material, 1, &single, 1, &clumps,
                                            &grains) == WADI_OK);
    fuzz_require(wadi_grains_add_wall(grains, &floor, &number) == WADI_OK);
    return grains;
}

// ---- water as particles -------------------------------------------------------------------------

static void* fuzz_sph_create(wadi_context* context)
{
    const wadi_sph_params params = wadi_sph_params_default();
    const wadi_sph_wall floor = {.normal = {0.0, 0.0, 1.0}, .drag = 0.5};
    const double high[3] = {0.4, 0.4, 0.4};
    wadi_sph* sph = NULL;
    int32_t number;
    fuzz_require(wadi_sph_create(context, &params, &sph) == WADI_OK);
    fuzz_require(wadi_sph_add_wall(sph, &floor, &number) == WADI_OK);
    fuzz_require(wadi_sph_fill(sph, (const double[3]){0.0, 0.0, 0.0}, high, NULL) == WADI_OK);
    return sph;
}

static void fuzz_sph_destroy(void* world)
{
    wadi_sph_destroy(world);
}

static size_t fuzz_sph_size(const void* world)
{
    return wadi_sph_save_size(world);
}

static void fuzz_sph_save(const void* world, void* bytes)
{
    wadi_sph_save(world, bytes);
}

static wadi_result fuzz_sph_restore(void* world, const void* bytes, size_t size)
{
    return wadi_sph_restore(world, bytes, size);
}

static wadi_result fuzz_sph_advance(void* world)
{
    return wadi_sph_advance(world, 2);
}

static uint64_t fuzz_sph_hash(const void* world)
{
    return wadi_sph_hash(world);
}

// ---- seepage ------------------------------------------------------------------------------------

static void* fuzz_seepage_create(wadi_context* context)
{
    wadi_seepage_params params = wadi_seepage_params_default();
    params.rain = 1e-5;
    const wadi_soil soil = wadi_soil_default();
    wadi_grain grains[FUZZ_GRAINS];
    wadi_seepage_node nodes[FUZZ_GRAINS];
    fuzz_pack(grains);
    for (int32_t i = 0; i < FUZZ_GRAINS; ++i)
    {
        nodes[i] = (wadi_seepage_node){.room = 8e-6, .saturation = 0.3};
        memcpy(nodes[i].position, grains[i].position, sizeof nodes[i].position);
    }
    wadi_seepage* seepage = NULL;
    fuzz_require(wadi_seepage_create(context, &params, &soil, 1, nodes, FUZZ_GRAINS, &seepage) ==
                 WADI_OK);
    return seepage;
}

static void fuzz_seepage_destroy(void* world)
{
    wadi_seepage_destroy(world);
}

static size_t fuzz_seepage_size(const void* world)
{
    return wadi_seepage_save_size(world);
}

static void fuzz_seepage_save(const void* world, void* bytes)
{
    wadi_seepage_save(world, bytes);
}

static wadi_result fuzz_seepage_restore(void* world, const void* bytes, size_t size)
{
    return wadi_seepage_restore(world, bytes, size);
}

static wadi_result fuzz_seepage_advance(void* world)
{
    return wadi_seepage_advance(world, 10.0);
}

static uint64_t fuzz_seepage_hash(const void* world)
{
    return wadi_seepage_hash(world);
}

// ---- wet grains ---------------------------------------------------------------------------------

static void* fuzz_wet_create(wadi_context* context)
{
    wadi_grain list[FUZZ_GRAINS];
    fuzz_pack(list);
    wadi_wet_grains_params params = wadi_wet_grains_params_default();
    params.rain = 1e-5;
    const wadi_grains_params solid = wadi_grains_params_default();
    const wadi_wet_material material = wadi_wet_material_default();
    const wadi_grain_wall floor = {.normal = {0.0, 0.0, 1.0}};
    wadi_wet_grains* world = NULL;
    int32_t number;
    fuzz_require(wadi_wet_grains_create(context, &params, &solid, &material, 1, list, FUZZ_GRAINS,
                                        &world) == WADI_OK);
    fuzz_require(wadi_grains_add_wall(wadi_wet_grains_solid(world), &floor, &number) == WADI_OK);
    return world;
}

static void fuzz_wet_destroy(void* world)
{
    wadi_wet_grains_destroy(world);
}

static size_t fuzz_wet_size(const void* world)
{
    return wadi_wet_grains_save_size(world);
}

static void fuzz_wet_save(const void* world, void* bytes)
{
    wadi_wet_grains_save(world, bytes);
}

static wadi_result fuzz_wet_restore(void* world, const void* bytes, size_t size)
{
    return wadi_wet_grains_restore(world, bytes, size);
}

static wadi_result fuzz_wet_advance(void* world)
{
    return wadi_wet_grains_advance(world, 1e-3);
}

static uint64_t fuzz_wet_hash(const void* world)
{
    return wadi_wet_grains_hash(world);
}

static const fuzz_verbs fuzz_worlds[] = {
    {fuzz_grains_create, fuzz_grains_destroy, fuzz_grains_size, fuzz_grains_save,
     fuzz_grains_restore, fuzz_grains_advance, fuzz_grains_hash},
    {fuzz_sph_create, fuzz_sph_destroy, fuzz_sph_size, fuzz_sph_save, fuzz_sph_restore,
     fuzz_sph_advance, fuzz_sph_hash},
    {fuzz_seepage_create, fuzz_seepage_destroy, fuzz_seepage_size, fuzz_seepage_save,
     fuzz_seepage_restore, fuzz_seepage_advance, fuzz_seepage_hash},
    {fuzz_wet_create, fuzz_wet_destroy, fuzz_wet_size, fuzz_wet_save, fuzz_wet_restore,
     fuzz_wet_advance, fuzz_wet_hash},
    {fuzz_clumps_create, fuzz_grains_destroy, fuzz_grains_size, fuzz_grains_save,
     fuzz_grains_restore, fuzz_grains_advance, fuzz_grains_hash},
};

// ---- damage -------------------------------------------------------------------------------------

// Overwrite eight bytes by the input.
static void fuzz_damage(unsigned char* bytes, size_t size, const uint8_t* damage)
{
    static const double odd[] = {0.0,    -1.0,         1e300,       -1e300,
                                 1e-300, 4294967296.0, (double)NAN, (double)INFINITY};
    uint64_t value;
    memcpy(&value, damage + 3, sizeof value);
    const size_t place = ((size_t)damage[0] << 8 | damage[1]) % (size - 7);
    uint64_t word;
    memcpy(&word, bytes + place, sizeof word);
    const int how = damage[2] % 4;
    if (how == 3)
    {
        memcpy(&word, &odd[value % 8], sizeof word);
    }
    else
    {
        word = how == 0 ? word ^ value : how == 1 ? value : word + value;
    }
    memcpy(bytes + place, &word, sizeof word);
}

static void fuzz_restore(wadi_context* context, const fuzz_verbs* verbs, void* world,
                         const uint8_t* data, size_t size)
{
    const size_t whole = verbs->save_size(world);
    const size_t saved = data[1] < 128 ? whole - data[1] : whole + 256 - data[1];
    unsigned char* bytes = calloc(whole + 128, 1);
    unsigned char* kept = malloc(whole);
    fuzz_require(bytes != NULL && kept != NULL);
    verbs->save(world, bytes);
    memcpy(kept, bytes, whole);
    const uint64_t before = verbs->hash(world);
    fuzz_require(verbs->advance(world) == WADI_OK);
    const uint64_t after = verbs->hash(world);
    for (size_t at = 2; at + FUZZ_DAMAGE <= size; at += FUZZ_DAMAGE)
    {
        fuzz_damage(bytes, whole, data + at);
    }
    const bool same = saved == whole && memcmp(bytes, kept, whole) == 0;
    const wadi_result result = verbs->restore(world, bytes, saved);
    fuzz_require((result == WADI_OK) == same);
    fuzz_require(verbs->hash(world) == (same ? before : after));
    fuzz_require(same || wadi_error_detail(context)[0] != '\0');
    fuzz_require(verbs->advance(world) == WADI_OK);
    fuzz_require(!same || verbs->hash(world) == after);
    free(kept);
    free(bytes);
}

// Damage to a state under a seal of its own.
static void fuzz_behind_seal(wadi_context* context, const fuzz_verbs* verbs, void* world,
                             const uint8_t* data, size_t size)
{
    const size_t whole = verbs->save_size(world);
    const bool last = verbs == &fuzz_worlds[FUZZ_CLUMP_WORLD];
    const size_t part = last ? FUZZ_CLUMPS * 128 + WADI_SEAL : whole;
    unsigned char* bytes = calloc(whole, 1);
    fuzz_require(bytes != NULL && whole >= part);
    verbs->save(world, bytes);
    for (size_t at = 2; at + FUZZ_DAMAGE <= size; at += FUZZ_DAMAGE)
    {
        fuzz_damage(bytes + whole - part, part - WADI_SEAL, data + at);
    }
    wadi_seal(bytes, whole);
    if (verbs->restore(world, bytes, whole) != WADI_OK || verbs->advance(world) != WADI_OK)
    {
        fuzz_require(wadi_error_detail(context)[0] != '\0');
    }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    wadi_context_def def = wadi_context_def_default();
    def.threads = 1;
    wadi_context* context = NULL;
    if (size < 2 || wadi_context_create(&def, &context) != WADI_OK)
    {
        return 0;
    }
    const fuzz_verbs* verbs = &fuzz_worlds[data[0] % (sizeof fuzz_worlds / sizeof fuzz_worlds[0])];
    void* world = verbs->create(context);
    fuzz_require(verbs->advance(world) == WADI_OK);
    fuzz_restore(context, verbs, world, data, size);
    fuzz_behind_seal(context, verbs, world, data, size);
    verbs->destroy(world);
    fuzz_require(wadi_memory_used(context) == 0);
    wadi_context_destroy(context);
    return 0;
}
