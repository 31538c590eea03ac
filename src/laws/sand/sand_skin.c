// SPDX-License-Identifier: MIT
#include "laws/sand/sand_skin.h"

#include "core/dmath.h"

#include <math.h>

static const double skin_wet_power = 0.68; // Fecan et al. 1999, equation 14

// Share of the stress that reaches the ground between plants: Raupach (1992), in the form of Duran
// & Moore (2013), where the share of the ground that plants cover stands for their frontal area.
static double skin_stress(const sand_skin_law* law, double cover)
{
    return 1.0 / (1.0 + law->plant_drag * cover);
}

// Stress at the threshold of moist sand over that of dry sand: Fecan et al. (1999) without clay,
// 1 + 1.21 w^0.68, with the water content w as a share of that of saturated sand.
static double skin_threshold(const sand_skin_law* law, double moisture)
{
    const double saturated = 1.0 + law->wet_gain;
    return 1.0 + (saturated * saturated - 1.0) * wadi_pow(moisture, skin_wet_power);
}

// Height of the ground above the ground water, over that of the moist fringe.
static double skin_above_water(const sand_skin_law* law, const wadi_ground* ground, int64_t cell)
{
    const double level = (double)wadi_ground_surface(ground, cell) / WADI_UNITS_PER_METRE;
    return (level - law->water) / law->fringe;
}

// The layer, as far as it has not dried, or the moisture of the fringe, if that is more.
static double skin_moisture(const sand_skin_law* law, const wadi_ground* ground, int64_t cell)
{
    const double given = ground->moisture[cell] / 65535.0 * wadi_sand_top_moist(law->top, cell);
    const double risen = law->fringe > 0.0 ? 1.0 - skin_above_water(law, ground, cell) : given;
    return risen > given ? risen : given;
}

sand_skin wadi_sand_skin_under(const sand_skin_law* law, const wadi_ground* ground, int64_t cell,
                               double cover)
{
    sand_skin skin = {1.0f, 1.0f};
    const double moisture = skin_moisture(law, ground, cell);
    if (ground->water[cell] > 0 || moisture > 1.0)
    {
        skin.stress = 0.0f;
        return skin;
    }
    if (cover > 0.0)
    {
        skin.stress = (float)skin_stress(law, cover);
    }
    if (moisture > 0.0)
    {
        skin.threshold = (float)skin_threshold(law, moisture);
    }
    return skin;
}

sand_skin wadi_sand_skin(const sand_skin_law* law, const wadi_ground* ground, int64_t cell)
{
    return wadi_sand_skin_under(law, ground, cell, ground->vegetation[cell] / 65535.0);
}

float wadi_sand_skin_above_moist(const sand_skin_law* law, const wadi_ground* ground, int64_t cell,
                                 float stress, float wanted)
{
    const double over = law->fringe > 0.0 ? skin_above_water(law, ground, cell) : HUGE_VAL;
    const double units = law->fringe * WADI_UNITS_PER_METRE;
    if (wanted <= 0.0f || law->fringe <= 0.0 || (over - 1.0) * units >= (double)wanted)
    {
        return SAND_GRIP_FREE;
    }
    const double saturated = 1.0 + law->wet_gain;
    const double most = saturated * saturated - 1.0;
    const double excess = (double)stress - 1.0;
    const double share = excess < most ? (excess > 0.0 ? excess / most : 0.0) : 1.0;
    const double moisture = share > 0.0 ? wadi_pow(share, 1.0 / skin_wet_power) : 0.0;
    const double above = over - (1.0 - moisture);
    return (float)(above > 0.0 ? above * units : 0.0);
}
