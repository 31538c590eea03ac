// SPDX-License-Identifier: MIT
// Internal interface of laboratory tests on packings; only specimen_*.c includes it.
//
// A test goes through stages: the walls press loose grains together (pack), friction and bonds act
// and stresses become even (settle), then the specimen is loaded. Each step moves the walls, takes
// a step of the grains, and sets the speeds of the walls from the forces on them.
#pragma once

#include "bodies/grains/granular.h"

#include <wadi/grain_test.h>

enum
{
    SPECIMEN_WALLS = 6,    // low and high of x, y and z
    SPECIMEN_TOP = 5,      // the one that moves in shear
    SPECIMEN_POINTS = 200, // of the curve: at strains that grow with the square of their number
    SPECIMEN_SOIL = 0,     // materials
    SPECIMEN_EDGE = 1      // smooth walls; rough plates
};

typedef enum specimen_stage
{
    SPECIMEN_PACK,
    SPECIMEN_SETTLE,
    SPECIMEN_LOAD,
    SPECIMEN_UNLOAD,
    SPECIMEN_DONE
} specimen_stage;

// All that is saved besides the grains and the curve.
typedef struct specimen_state
{
    int64_t steps;  // in all
    int64_t staged; // in this stage
    int64_t summed; // in the sums
    int64_t calm;   // looks in a row at which a packing rested
    int32_t stage;  // specimen_stage
    int32_t points;
    double place[SPECIMEN_WALLS]; // along the axis of each wall [m]
    double speed[SPECIMEN_WALLS]; // the same way [m/s]
    double drift[3];              // lasting part of the speed that keeps a stress, outward [m/s]
    double force[SPECIMEN_WALLS]; // of the last step, outward [N]
    double mean[3];               // stress on each axis, smoothed in time [Pa]
    double drag;                  // force on the top plate against its motion [N]
    double size[3];               // when loading began; height between plates [m]
    double slide;                 // way of the top plate along x [m]
    double sums[3];               // axial, lateral and shear stress since the last point [Pa]
    double unbalanced;            // largest difference of opposite walls over the stress
} specimen_state;

struct wadi_grain_test
{
    wadi_context* context;
    wadi_grain_test_kind kind;
    wadi_grain_test_params params;
    wadi_grain_material material;
    uint64_t seed;
    wadi_grains* grains;
    bool failed;
    double mean_diameter;          // [m]
    double solid;                  // volume of grains [m3]
    int32_t walls[SPECIMEN_WALLS]; // numbers in the world of grains; -1: none
    specimen_state state;
    wadi_grain_test_point points[2 * SPECIMEN_POINTS]; // a second half for unloading
};

static inline bool specimen_is_shear(const wadi_grain_test* test)
{
    return test->kind == WADI_GRAIN_TEST_SHEAR;
}

// Length of the specimen along an axis.
static inline double specimen_length(const wadi_grain_test* test, int axis)
{
    return test->state.place[2 * axis + 1] - test->state.place[2 * axis];
}

// Area across an axis.
static inline double specimen_area(const wadi_grain_test* test, int axis)
{
    return specimen_length(test, (axis + 1) % 3) * specimen_length(test, (axis + 2) % 3);
}

// Time in which a grain moves by its width under the stress [s].
static inline double specimen_time(const wadi_grain_test* test)
{
    return test->mean_diameter * sqrt(test->material.density / test->params.stress);
}

// Consolidation stress: that of the test, or a tenth for an oedometer.
static inline double specimen_consolidation(const wadi_grain_test* test)
{
    return test->kind == WADI_GRAIN_TEST_OEDOMETER ? 0.1 * test->params.stress
                                                   : test->params.stress;
}

// Grains, of which a clump is one.
static inline int32_t specimen_grains(const wadi_grain_test* test)
{
    const int32_t clumps = wadi_grains_clump_count(test->grains);
    return clumps > 0 ? clumps : test->grains->count;
}

// ---- specimen_make.c ---------------------------------------------------------------------

wadi_result wadi_specimen_make(wadi_grain_test* test);
// Friction of packing, or of the material.
void wadi_specimen_set_friction(wadi_grain_test* test, bool packing);

// ---- specimen_walls.c --------------------------------------------------------------------

wadi_result wadi_specimen_walls_add(wadi_grain_test* test);
wadi_result wadi_specimen_walls_move(wadi_grain_test* test);
wadi_result wadi_specimen_walls_measure(wadi_grain_test* test);
// Speeds of the walls of an axis that keep a stress on it.
void wadi_specimen_walls_servo(wadi_grain_test* test, int axis, double stress);
// Stress on the walls of an axis.
double wadi_specimen_walls_stress(const wadi_grain_test* test, int axis);
wadi_result wadi_specimen_walls_remove(wadi_grain_test* test);

// ---- specimen_plates.c -------------------------------------------------------------------

// Make plates of the lowest and highest grains.
wadi_result wadi_specimen_plates_make(wadi_grain_test* test);
void wadi_specimen_plates_move(wadi_grain_test* test, double along);
void wadi_specimen_plates_measure(wadi_grain_test* test);
double wadi_specimen_plates_thickness(const wadi_grain_test* test);

// ---- specimen_load.c ---------------------------------------------------------------------

void wadi_specimen_load_begin(wadi_grain_test* test);
// Speed of the top plate [m/s].
double wadi_specimen_load_slide(const wadi_grain_test* test);
// After a step of loading: set speeds, add to the curve, and go to the next stage at the end.
void wadi_specimen_load_control(wadi_grain_test* test);
