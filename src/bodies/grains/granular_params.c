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
    GRAINS_CHOICE(law, 0, 2, "contact law of the normal force", "Cundall & Strack 1979; Hertz 1882", grains_laws),
    GRAINS_NUMBER(step, 0.0, 0.0, 1.0, "s", "time step; 0: half of the stable limit", "0.1 sqrt(m / k)"),
    GRAINS_NUMBER(gravity_x, 0.0, -1e3, 1e3, "m/s2", "eastward acceleration", ""),
    GRAINS_NUMBER(gravity_y, 0.0, -1e3, 1e3, "m/s2", "northward acceleration", ""),
    GRAINS_NUMBER(gravity_z, -9.81, -1e3, 1e3, "m/s2", "upward acceleration", ""),
    GRAINS_NUMBER(period_x, 0.0, 0.0, 1e6, "m", "period of the domain in x; 0: not periodic", ""),
    GRAINS_NUMBER(period_y, 0.0, 0.0, 1e6, "m", "period of the domain in y; 0: not periodic", ""),
    GRAINS_NUMBER(sleep_speed, 0.0, 0.0, 10.0, "m/s", "grains slower than this may sleep, that is, are no longer integrated; 0: none sleeps", ""),
    GRAINS_NUMBER(sleep_acceleration, 0.1, 0.0, 100.0, "m/s2", "grains sleep only below this acceleration; four times as much wakes them", "1 % of gravity"),
    GRAINS_NUMBER(sleep_time, 0.1, 0.0, 1e3, "s", "time below both limits after which a grain sleeps", ""),
    GRAINS_CHOICE(bridge, WADI_GRAIN_BRIDGE_LINEAR, WADI_GRAIN_BRIDGE_COUNT, "force of a liquid bridge against the gap", "Willett et al. 2000", grains_bridges),
    GRAINS_NUMBER(bridge_reach, 0.1, 1e-3, 1.0, "1", "linear: gap at which a bridge breaks, as a share of the smaller radius", "(1 + angle / 2) V^(1/3) is 0.1 R where V is 0.001 R^3"),
    GRAINS_NUMBER(bridge_angle, 0.0, 0.0, 90.0, "degree", "Willett: contact angle of the liquid on the grain", "water on clean quartz: 0"),
    GRAINS_NUMBER(skin, 0.25, 0.01, 1.0, "1", "search distance beyond contact, as a share of the largest diameter; affects speed only", "0.2-0.3 is best in flow, within 10 %"),
    GRAINS_WHOLE(chunk, 4096, 16, 16384, "grains per parallel task; affects speed only", "fits the level-2 cache"),
};

static const wadi_field material_field_list[] = {
    MATERIAL_NUMBER(density, 2650.0, 1.0, 30000.0, "kg/m3", "density of a grain", "quartz"),
    MATERIAL_NUMBER(stiffness, 5e4, 1e-3, 1e12, "N/m", "linear law: stiffness of the contact of two such grains", "overlap under 1 % of d at depth H: 100 rho g H d"),
    MATERIAL_NUMBER(young, 5e7, 1.0, 1e13, "Pa", "Hertz: Young's modulus", "rock has 1e10: softer grains allow longer steps"),
    MATERIAL_NUMBER(poisson, 0.25, 0.0, 0.499, "1", "Hertz: Poisson's ratio", ""),
    MATERIAL_NUMBER(restitution, 0.44, 0.01, 1.0, "1", "coefficient of restitution of the linear spring and damper; contacts without tension rebound slightly faster", "Schwager & Poeschel 2007"),
    MATERIAL_NUMBER(friction, 0.5, 0.0, 5.0, "1", "Coulomb friction coefficient", ""),
    MATERIAL_NUMBER(rolling_friction, 0.1, 0.0, 2.0, "1", "lever arm of rolling resistance, as a share of the reduced radius; 0: none", "Ai et al. 2011, model C; 0.05-0.2"),

    MATERIAL_NUMBER(bond_modulus, 1e7, 1.0, 1e13, "Pa", "Young's modulus of the bond's cement", "10-1000 x cohesion"),
    MATERIAL_NUMBER(bond_ratio, 2.5, 0.1, 100.0, "1", "normal over shear stiffness of a bond", "Potyondy & Cundall 2004: 2-3"),
    MATERIAL_NUMBER(bond_radius, 1.0, 0.01, 1.0, "1", "radius of the bond's cement, as a share of the smaller grain's radius", "Potyondy & Cundall 2004"),
    MATERIAL_NUMBER(bond_damping, 0.1, 0.0, 1.0, "1", "damping of a bond, as a share of critical damping", ""),
    MATERIAL_NUMBER(bond_tension, 1e4, 0.0, 1e12, "Pa", "tensile strength of a bond", "soil 0-2e4"),
    MATERIAL_NUMBER(bond_cohesion, 1e4, 0.0, 1e12, "Pa", "shear strength of a bond without normal load", "soil 0-2e4"),
    MATERIAL_NUMBER(bond_friction, 0.5, 0.0, 5.0, "1", "increase of a bond's shear strength per pascal of normal load", "tan of 27 degrees"),

    MATERIAL_NUMBER(wet_strength, 0.5, 0.0, 1.0, "1", "share of a bond's strength left at high wetness", "0.22-0.92 over 35 sandstones: Hawkins & McConnell 1992"),
    MATERIAL_NUMBER(wet_decay, 30.0, 0.0, 1e4, "1", "rate at which bond strength falls towards wet_strength: exp(-wet_decay x wetness)", "Hawkins & McConnell 1992"),
    MATERIAL_NUMBER(plastic_limit, 0.2, 0.0, 10.0, "1", "water over grain mass above which bonds yield instead of breaking", "silty clay 0.15-0.25"),
    MATERIAL_NUMBER(liquid_limit, 0.35, 0.0, 10.0, "1", "water over grain mass above which bonds dissolve", "silty clay 0.3-0.4"),
    MATERIAL_NUMBER(mud_friction, 0.2, 0.0, 1.0, "1", "share of friction left to grains above the liquid limit", ""),
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
