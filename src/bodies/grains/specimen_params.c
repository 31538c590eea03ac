// SPDX-License-Identifier: MIT
// The parameter table of tests on packings. There is no second list of these anywhere.
#include "core/field_rows.h"

#include <wadi/grain_test.h>

static const char* const specimen_laws[] = {"linear", "hertz", NULL};

#define SPECIMEN_NUMBER(...) FIELD_NUMBER(wadi_grain_test_params, __VA_ARGS__)

// clang-format off
static const wadi_field specimen_field_list[] = {
    FIELD_CHOICE(wadi_grain_test_params, law, 0, 2, "contact law of the normal force", "Cundall & Strack 1979; Hertz 1882", specimen_laws),
    FIELD_WHOLE(wadi_grain_test_params, grains, 2000, 216, 10000000, "about so many grains", "12 grains across the specimen"),
    SPECIMEN_NUMBER(diameter, 0.01, 1e-5, 100.0, "m", "diameter of the largest grain", ""),
    SPECIMEN_NUMBER(spread, 0.3, 0.0, 0.8, "1", "radii are evenly distributed between 1 - spread and 1 times the largest", "grains of one size form crystals"),
    SPECIMEN_NUMBER(stress, 5e3, 1e-3, 1e9, "Pa", "lateral stress of a triaxial test, normal stress of a shear test, lowest stress of an oedometer", "stiffness over stress x diameter is 1000 for the default material"),
    SPECIMEN_NUMBER(strain, 0.3, 0.01, 2.0, "1", "axial or shear strain at the end of a triaxial or shear test", ""),
    SPECIMEN_NUMBER(inertia, 1e-3, 1e-6, 0.1, "1", "inertial number of the test; up to 1e-3 the result does not depend on the rate", "MiDi 2004"),
    SPECIMEN_NUMBER(pack_friction, 1.0, 0.0, 1.0, "1", "share of the friction that acts while the packing is made; 1: loose, 0: dense", ""),
    FIELD_SWITCH(wadi_grain_test_params, bonded, false, "whether grains are bonded when they are packed", "Potyondy & Cundall 2004"),
    SPECIMEN_NUMBER(bond_reach, 0.02, 0.0, 0.5, "1", "bonds join surfaces nearer than this, as a share of the smaller radius", ""),
    FIELD_CHOICE(wadi_grain_test_params, shape, 0, WADI_GRAIN_FORM_COUNT, "shape of the grains: spheres, or clumps of spheres that interlock, each of the volume of a sphere", "Favier et al. 1999", wadi_grain_form_names),
};
// clang-format on

const wadi_field_table wadi_grain_test_fields =
    FIELD_TABLE("test", specimen_field_list, wadi_grain_test_params);

wadi_grain_test_params wadi_grain_test_params_default(void)
{
    wadi_grain_test_params params;
    wadi_fields_init(&wadi_grain_test_fields, &params);
    return params;
}
