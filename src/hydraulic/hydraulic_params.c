// SPDX-License-Identifier: MIT
// The parameter table of the process "hydraulic". There is no second list of these anywhere.
#include "core/field_rows.h"

#include <wadi/hydraulic.h>

#define HYDRAULIC_NUMBER(...) FIELD_NUMBER(wadi_hydraulic_params, __VA_ARGS__)
#define HYDRAULIC_WHOLE(...) FIELD_WHOLE(wadi_hydraulic_params, __VA_ARGS__)
#define HYDRAULIC_SWITCH(...) FIELD_SWITCH(wadi_hydraulic_params, __VA_ARGS__)

static const char* const hydraulic_models[] = {"parcels", "droplets", NULL};

// clang-format off
static const wadi_field hydraulic_field_list[] = {
    {"model", WADI_FIELD_ENUM, offsetof(wadi_hydraulic_params, model), 0, 0, 1, "1",
     "parcels: rain that meets, merges and flows to the edge; droplets: the article's particles",
     "McDonald 2020, 'Simple Particle-Based Hydraulic Erosion' (droplets)", hydraulic_models},

    HYDRAULIC_NUMBER(rain, 1.0, 0.0, 20.0, "m/yr", "effective rain: what runs off", "world mean of land about 0.3, mountains 1-2 m/yr"),
    HYDRAULIC_NUMBER(lake_evaporation, 0.0, 0.0, 10.0, "m/yr", "evaporation from open water", "Penman: 0.5-2 m/yr"),

    HYDRAULIC_NUMBER(erodibility, 1e-5, 0.0, 1e-2, "1", "K of rock of hardness 0: E = K q^m S^n in m/yr with q in m3/yr", "0.8 mm/yr on noise of 2200 m relief, 2 mm/yr on the Alps"),
    HYDRAULIC_NUMBER(sediment_erodibility, 1.0, 1.0, 100.0, "1", "K of loose sediment over that of rock", "measured: 4 widens plains to 15 % of a mountain map, 1 keeps them at 3-12 %"),
    HYDRAULIC_NUMBER(discharge_exponent, 0.58, 0.1, 1.0, "1", "m in E = K q^m S^n", "m/n 0.35-0.6: Tucker & Whipple 2002"),
    HYDRAULIC_NUMBER(slope_exponent, 1.0, 0.5, 2.0, "1", "n in E = K q^m S^n", "Whipple & Tucker 1999"),
    HYDRAULIC_NUMBER(settling, 2.0, 0.0, 100.0, "1", "G: settling velocity over rain rate, in rivers", "Davy & Lague 2009; about 1: Guerit et al. 2019; measured: 0.7 leaves chi r2 below 0.7"),
    HYDRAULIC_NUMBER(lake_settling, 500.0, 0.0, 1e6, "1", "the same in still water: all but clay stays", "measured: 20 silts up too slowly"),
    HYDRAULIC_NUMBER(alluvial_slope, 0.005, 0.0, 0.1, "1", "slope of the surface that hollows silt up to", "alluvial fans 0.002-0.02: Blair & McPherson 1994"),

    HYDRAULIC_NUMBER(creep, 0.01, 0.0, 10.0, "m2/yr", "soil creep D", "0.001-0.05: Roering et al. 1999"),
    HYDRAULIC_NUMBER(critical_slope, 0.85, 0.1, 10.0, "1", "slope at which creep becomes landsliding", "1.2 in Oregon, lower in weak rock: Roering et al. 1999"),
    HYDRAULIC_NUMBER(repose, 43.0, 5.0, 80.0, "degree", "steepest dry ground", "above the critical slope of creep (40), so that creep, which knows no axes, does most of the work"),
    HYDRAULIC_NUMBER(lake_repose, 1.7, 0.1, 45.0, "degree", "steepest loose sediment under water", "delta slopes 1-2"),

    HYDRAULIC_SWITCH(lakes, 1, "hollows fill, spill and silt up; off: water and load end in them", "Barnes et al. 2014"),
    HYDRAULIC_SWITCH(momentum, 1, "streams keep their direction and shift their banks, on cells under 10 m", "Ikeda, Parker & Sawai 1981"),

    HYDRAULIC_NUMBER(friction, 0.01, 1e-4, 1.0, "1", "C_f: a stream forgets its direction within its depth over 2 C_f", "0.005-0.02 in gravel beds: Parker 1978; ends up at 5-50 m"),
    HYDRAULIC_NUMBER(bank_erodibility, 3000.0, 0.0, 1e6, "1", "K of banks where streams turn over that of the bed", "banks move 1-10 % of the width a year (Hooke 1980), beds fall 0.1-1 mm"),

    HYDRAULIC_NUMBER(max_step, 5000.0, 1e-6, 1e6, "yr", "longest batch", "measured: 4000 yr is within 3 % of the limit"),
    HYDRAULIC_WHOLE(batches, 50, 1, 100000, "batches on the finest level", "measured: twice as many change wear by 1-9 %"),
    HYDRAULIC_WHOLE(levels, 8, 0, 16, "coarse levels at most", "down to 64 cells on the short side"),
    HYDRAULIC_NUMBER(incision_limit, 0.5, 0.05, 0.95, "1", "share of the drop to the lowest neighbour that a cell may lose in a batch", "0.25-0.95 change wear by 6 %"),

    HYDRAULIC_NUMBER(droplets_per_cell, 3.0, 0.0, 1000.0, "1", "droplets per cell in the default duration", "article: 200 000 on 256 x 256"),
    HYDRAULIC_NUMBER(droplet_step, 1.2, 1e-3, 10.0, "1", "dt", "article"),
    HYDRAULIC_NUMBER(droplet_density, 1.0, 1e-3, 1e3, "1", "density", "article"),
    HYDRAULIC_NUMBER(droplet_evaporation, 0.001, 0.0, 0.5, "1", "evaporation rate", "article"),
    HYDRAULIC_NUMBER(droplet_deposition, 0.1, 0.0, 0.8, "1", "mass transfer rate", "article"),
    HYDRAULIC_NUMBER(droplet_min_volume, 0.01, 1e-4, 0.99, "1", "volume at which a droplet ends", "article"),
    HYDRAULIC_NUMBER(droplet_friction, 0.05, 0.0, 0.8, "1", "friction", "article"),
    HYDRAULIC_NUMBER(droplet_scale, 60.0, 0.1, 1e4, "1", "height that the article calls 1, in cells", "article"),
};
// clang-format on

const wadi_field_table wadi_hydraulic_fields =
    FIELD_TABLE("hydraulic", hydraulic_field_list, wadi_hydraulic_params);

wadi_hydraulic_params wadi_hydraulic_params_default(void)
{
    wadi_hydraulic_params params;
    wadi_fields_init(&wadi_hydraulic_fields, &params);
    return params;
}
