// SPDX-License-Identifier: MIT
// Parameter tables of grains and their materials. There is no second list of these anywhere.
#include <wadi/grains.h>

#include "core/field_rows.h"

static const char* const grains_laws[] = {"linear", "hertz", NULL};
static const char* const grains_bridges[] = {"linear", "willett", NULL};

#define GRAINS_NUMBER(...) FIELD_NUMBER(wadi_grains_params, __VA_ARGS__)
#define GRAINS_WHOLE(...) FIELD_WHOLE(wadi_grains_params, __VA_ARGS__)
#define GRAINS_CHOICE(...) FIELD_CHOICE(wadi_grains_params, __VA_ARGS__)
#define MATERIAL_NUMBER(...) FIELD_NUMBER(wadi_grain_material, __VA_ARGS__)

// clang-format off
static const wadi_field grains_field_list[] = {
    GRAINS_CHOICE(law, 0, 2, "how two grains push each other apart", "Cundall & Strack 1979; Hertz 1882", grains_laws),
    GRAINS_NUMBER(step, 0.0, 0.0, 1.0, "s", "of time; 0: half of what is stable", "0.1 sqrt(m / k)"),
    GRAINS_NUMBER(gravity_x, 0.0, -1e3, 1e3, "m/s2", "eastward pull", ""),
    GRAINS_NUMBER(gravity_y, 0.0, -1e3, 1e3, "m/s2", "northward pull", ""),
    GRAINS_NUMBER(gravity_z, -9.81, -1e3, 1e3, "m/s2", "upward pull", ""),
    GRAINS_NUMBER(period_x, 0.0, 0.0, 1e6, "m", "the world repeats in x; 0: it does not", ""),
    GRAINS_NUMBER(period_y, 0.0, 0.0, 1e6, "m", "the world repeats in y; 0: it does not", ""),
    GRAINS_NUMBER(sleep_speed, 0.0, 0.0, 10.0, "m/s", "grains slower than this may fall asleep; 0: none does", ""),
    GRAINS_NUMBER(sleep_acceleration, 0.1, 0.0, 100.0, "m/s2", "and only when what pulls them is less; four times as much wakes them", "1 % of gravity"),
    GRAINS_NUMBER(sleep_time, 0.1, 0.0, 1e3, "s", "how long before a grain falls asleep", ""),
    GRAINS_CHOICE(bridge, WADI_GRAIN_BRIDGE_LINEAR, WADI_GRAIN_BRIDGE_COUNT, "how a liquid bridge lets go as two grains part", "Willett et al. 2000", grains_bridges),
    GRAINS_NUMBER(bridge_reach, 0.1, 1e-3, 1.0, "1", "linear: gap at which a bridge breaks, share of the smaller radius", "(1 + angle / 2) V^(1/3) is 0.1 R where V is 0.001 R^3"),
    GRAINS_NUMBER(bridge_angle, 0.0, 0.0, 90.0, "degree", "Willett: angle at which the liquid meets the grain", "water on clean quartz: 0"),
    GRAINS_NUMBER(skin, 0.25, 0.01, 1.0, "1", "search beyond contact, share of the largest diameter; changes speed alone", "0.2-0.3 is best in flow, within 10 %"),
    GRAINS_WHOLE(chunk, 4096, 16, 16384, "grains that one worker takes at a time; changes speed alone", "fits the second cache"),
};

static const wadi_field material_field_list[] = {
    MATERIAL_NUMBER(density, 2650.0, 1.0, 30000.0, "kg/m3", "of a grain", "quartz"),
    MATERIAL_NUMBER(stiffness, 5e4, 1e-3, 1e12, "N/m", "linear law: of the contact of two such grains", "overlap under 1 % of d at depth H: 100 rho g H d"),
    MATERIAL_NUMBER(young, 5e7, 1.0, 1e13, "Pa", "Hertz: Young's modulus", "rock has 1e10: softer grains allow longer steps"),
    MATERIAL_NUMBER(poisson, 0.25, 0.0, 0.499, "1", "Hertz: Poisson's ratio", ""),
    MATERIAL_NUMBER(restitution, 0.44, 0.01, 1.0, "1", "rebound of a head-on collision of grains that could pull; those that cannot rebound a little faster", "Schwager & Poeschel 2007"),
    MATERIAL_NUMBER(friction, 0.5, 0.0, 5.0, "1", "coefficient of Coulomb", ""),
    MATERIAL_NUMBER(rolling_friction, 0.1, 0.0, 2.0, "1", "lever of rolling resistance, share of the reduced radius; 0: none", "Ai et al. 2011, model C; 0.05-0.2"),

    MATERIAL_NUMBER(bond_modulus, 1e7, 1.0, 1e13, "Pa", "Young's modulus of the cement", "10-1000 x cohesion"),
    MATERIAL_NUMBER(bond_ratio, 2.5, 0.1, 100.0, "1", "normal over shear stiffness of a bond", "Potyondy & Cundall 2004: 2-3"),
    MATERIAL_NUMBER(bond_radius, 1.0, 0.01, 1.0, "1", "of the cement, share of the smaller grain's", "Potyondy & Cundall 2004"),
    MATERIAL_NUMBER(bond_damping, 0.1, 0.0, 1.0, "1", "share of critical", ""),
    MATERIAL_NUMBER(bond_tension, 1e4, 0.0, 1e12, "Pa", "strength in tension", "soil 0-2e4"),
    MATERIAL_NUMBER(bond_cohesion, 1e4, 0.0, 1e12, "Pa", "strength in shear without load", "soil 0-2e4"),
    MATERIAL_NUMBER(bond_friction, 0.5, 0.0, 5.0, "1", "more strength in shear for each pascal of load", "tan of 27 degrees"),

    MATERIAL_NUMBER(wet_strength, 0.5, 0.0, 1.0, "1", "share of strength left when wet through", "0.22-0.92 over 35 sandstones: Hawkins & McConnell 1992"),
    MATERIAL_NUMBER(wet_decay, 30.0, 0.0, 1e4, "1", "over which wetness strength falls e times, inverse", "Hawkins & McConnell 1992"),
    MATERIAL_NUMBER(plastic_limit, 0.2, 0.0, 10.0, "1", "water over grain mass from which bonds yield in place of breaking", "silty clay 0.15-0.25"),
    MATERIAL_NUMBER(liquid_limit, 0.35, 0.0, 10.0, "1", "water over grain mass from which bonds dissolve", "silty clay 0.3-0.4"),
    MATERIAL_NUMBER(mud_friction, 0.2, 0.0, 1.0, "1", "share of friction that grains past the liquid limit keep", ""),
};
// clang-format on

const wadi_field_table wadi_grains_fields =
    FIELD_TABLE("grains", grains_field_list, wadi_grains_params);
const wadi_field_table wadi_grain_material_fields =
    FIELD_TABLE("grain material", material_field_list, wadi_grain_material);

wadi_grains_params wadi_grains_params_default(void)
{
    wadi_grains_params params;
    wadi_fields_init(&wadi_grains_fields, &params);
    return params;
}

wadi_grain_material wadi_grain_material_default(void)
{
    wadi_grain_material material;
    wadi_fields_init(&wadi_grain_material_fields, &material);
    return material;
}
