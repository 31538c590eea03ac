// SPDX-License-Identifier: MIT
/// \file grain_test.h
/// Laboratory tests on packings of grains: triaxial compression, direct shear and oedometer, which
/// measure the friction angle, cohesion and stiffness that a material of grains has as a whole.
/// docs/grain-tests.md describes the procedures.
///
/// Results are the same, bit by bit, for any number of threads, any division into calls, and after
/// a save and restore.
#pragma once

#include <wadi/grain_clump.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_grain_test wadi_grain_test;

typedef enum wadi_grain_test_kind
{
    WADI_GRAIN_TEST_TRIAXIAL,  ///< axial compression at constant lateral stress
    WADI_GRAIN_TEST_SHEAR,     ///< between rough plates under a constant normal stress
    WADI_GRAIN_TEST_OEDOMETER, ///< axial compression between rigid sides, then unloading
    WADI_GRAIN_TEST_COUNT
} wadi_grain_test_kind;

typedef struct wadi_grain_test_params
{
    uint32_t cookie; ///< Set by wadi_grain_test_params_default(). Do not touch.
    int32_t law;     ///< wadi_grain_law
    int32_t grains;  ///< about so many
    double diameter; ///< of the largest; of a clump: of the sphere of its volume [m]
    double spread;   ///< radii are between 1 - spread and 1 times the largest
    double stress;   ///< lateral, normal, or lowest axial stress of an oedometer [Pa]
    double strain;   ///< at which a triaxial or shear test ends
    double inertia;  ///< inertial number of the test: strain rate x diameter x sqrt(rho / stress)
    double pack_friction; ///< share of the friction that acts while the packing is made
    bool bonded;          ///< whether grains are bonded once they are packed
    double bond_reach;    ///< bonds join surfaces nearer than this, share of the smaller radius
    int32_t shape;        ///< wadi_grain_form: of clumps in place of spheres of the same volume
} wadi_grain_test_params;

/// A point of the curve: means since the point before. Compression is above 0.
typedef struct wadi_grain_test_point
{
    double strain;       ///< axial strain, or shear strain
    double volume;       ///< volume strain
    double axial;        ///< axial or normal stress [Pa]
    double lateral;      ///< lateral stress; 0 in shear [Pa]
    double shear;        ///< shear stress; half of axial less lateral stress in other tests [Pa]
    double porosity;     ///< without regard to overlaps
    double coordination; ///< contacts and bonds of a grain with others
    int64_t bonds;       ///< that hold
} wadi_grain_test_point;

/// Results of one specimen. Numbers that a test does not measure are 0.
typedef struct wadi_grain_test_result
{
    int32_t grains; ///< a clump counts as one
    int64_t steps;
    double stiffness; ///< contact stiffness over stress x diameter; hard grains: above 1000
    double inertia;   ///< measured inertial number; quasi-static: up to 1e-3
    double
        unbalanced; ///< largest difference of the stresses at two opposite walls, share of stress
    wadi_grain_test_point start; ///< of loading
    wadi_grain_test_point peak;  ///< of shear stress over mean or normal stress
    wadi_grain_test_point last;  ///< mean of the last quarter of strain
    double peak_angle;           ///< friction angle at the peak if cohesion is 0 [degree]
    double last_angle;           ///< the same of the last quarter [degree]
    double dilation;             ///< angle of dilation at the peak [degree]
    double young;                ///< Young's modulus; oedometer: of unloading [Pa]
    double poisson;              ///< Poisson's ratio; oedometer: of unloading
    double shear_modulus;        ///< of the first third of the rise in shear [Pa]
    double constrained;          ///< oedometer: modulus of loading [Pa]
    double lateral_ratio;        ///< oedometer: lateral over axial stress at the highest load
} wadi_grain_test_result;

/// Strength of a material from tests at several stresses, by Mohr and Coulomb.
typedef struct wadi_grain_strength
{
    double cohesion;      ///< of the peaks [Pa]
    double friction;      ///< angle [degree]
    double last_cohesion; ///< of the last quarters [Pa]
    double last_friction; ///< [degree]
    double misfit;        ///< largest distance of a peak from the line, share of its shear stress
} wadi_grain_strength;

WADI_API extern const wadi_field_table wadi_grain_test_fields;
WADI_API wadi_grain_test_params wadi_grain_test_params_default(void);

/// Lay out a specimen. Grains of `material` are packed, consolidated under `stress`, bonded if
/// asked, and loaded by wadi_grain_test_advance(). On failure *out is NULL.
WADI_API wadi_result wadi_grain_test_create(wadi_context* context, wadi_grain_test_kind kind,
                                            const wadi_grain_test_params* params,
                                            const wadi_grain_material* material, uint64_t seed,
                                            wadi_grain_test** out);
WADI_API void wadi_grain_test_destroy(wadi_grain_test* test); ///< NULL is allowed.

/// Advance by up to `steps` time steps; stops when the test is done.
WADI_API wadi_result wadi_grain_test_advance(wadi_grain_test* test, int64_t steps);
WADI_API bool wadi_grain_test_is_done(const wadi_grain_test* test);

/// The curve so far, valid until the next call that advances or restores.
WADI_API const wadi_grain_test_point* wadi_grain_test_points(const wadi_grain_test* test,
                                                             int32_t* count);
/// Results of a test that is done.
WADI_API wadi_result wadi_grain_test_result_of(const wadi_grain_test* test,
                                               wadi_grain_test_result* out);
/// Line through the results of 2 or more tests of one kind, triaxial or shear, at unequal stresses.
WADI_API wadi_result wadi_grain_strength_fit(wadi_context* context, wadi_grain_test_kind kind,
                                             const wadi_grain_test_result* results, int32_t count,
                                             wadi_grain_strength* out);

/// The grains, for contacts, fields and pictures. They must not be advanced.
WADI_API wadi_grains* wadi_grain_test_grains(const wadi_grain_test* test);
/// Corners of the specimen [m].
WADI_API void wadi_grain_test_box(const wadi_grain_test* test, double low[3], double high[3]);

/// Save the state as bytes in the format of this machine.
WADI_API size_t wadi_grain_test_save_size(const wadi_grain_test* test);
WADI_API void wadi_grain_test_save(const wadi_grain_test* test, void* bytes);
/// Go back to a saved state, in a test made with the same arguments. On failure the test cannot be
/// advanced.
WADI_API wadi_result wadi_grain_test_restore(wadi_grain_test* test, const void* bytes, size_t size);

#ifdef __cplusplus
}
#endif
