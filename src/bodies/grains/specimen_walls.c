// SPDX-License-Identifier: MIT
// The six walls of a specimen, each moved as a piston along its axis.
#include "bodies/grains/specimen.h"

// At 5 the dashpots of contacts made walls swing.
#define WALLS_SOFT 25.0   // steps in which a wall follows the force on it
#define WALLS_SLOW 8000.0 // steps in which a lasting difference of stress changes the speed
#define WALLS_LOOSE 0.5   // missing share of the stress at which grains count as loose
#define WALLS_FAST 0.01   // most inertial number of a wall

static wadi_result walls_add_one(wadi_grain_test* test, int k)
{
    wadi_grain_wall wall = {.material = SPECIMEN_EDGE};
    wall.point[k / 2] = test->state.place[k];
    wall.normal[k / 2] = k % 2 == 0 ? 1.0 : -1.0;
    return wadi_grains_add_wall(test->grains, &wall, &test->walls[k]);
}

wadi_result wadi_specimen_walls_add(wadi_grain_test* test)
{
    // the sides of a shear test are periodic
    for (int k = specimen_is_shear(test) ? 4 : 0; k < SPECIMEN_WALLS; ++k)
    {
        WADI_TRY(walls_add_one(test, k));
    }
    return WADI_OK;
}

static wadi_result walls_move_one(wadi_grain_test* test, int k)
{
    double point[3] = {0.0, 0.0, 0.0};
    double velocity[3] = {0.0, 0.0, 0.0};
    point[k / 2] = test->state.place[k];
    velocity[k / 2] = test->state.speed[k];
    return wadi_grains_move_wall(test->grains, test->walls[k], point, velocity);
}

wadi_result wadi_specimen_walls_move(wadi_grain_test* test)
{
    for (int k = 0; k < SPECIMEN_WALLS; ++k)
    {
        test->state.place[k] += test->state.speed[k] * test->grains->step;
        if (test->walls[k] >= 0)
        {
            WADI_TRY(walls_move_one(test, k));
        }
    }
    return WADI_OK;
}

wadi_result wadi_specimen_walls_measure(wadi_grain_test* test)
{
    for (int k = 0; k < SPECIMEN_WALLS; ++k)
    {
        if (test->walls[k] >= 0)
        {
            double force[3];
            WADI_TRY(wadi_grains_wall_force(test->grains, test->walls[k], force));
            test->state.force[k] = k % 2 == 0 ? -force[k / 2] : force[k / 2];
        }
    }
    return WADI_OK;
}

// Force over speed of a wall: its contacts with all grains beside it, as springs, would follow in a
// few steps.
static double walls_damping(const wadi_grain_test* test, int axis)
{
    const double grains = specimen_area(test, axis) / (test->mean_diameter * test->mean_diameter);
    return WALLS_SOFT * grains * wadi_granular_law_stiffest(test->grains) * test->grains->step;
}

static double walls_limit(double speed, double most)
{
    return speed > most ? most : (speed < -most ? -most : speed);
}

// Speed outward that follows an excess of force, with what lasts of it.
static double walls_follow(wadi_grain_test* test, int axis, double excess, double most)
{
    double* drift = &test->state.drift[axis];
    const double follows = excess / walls_damping(test, axis);
    *drift = walls_limit(*drift + follows / WALLS_SLOW, most);
    return walls_limit(*drift + follows, most);
}

// Both walls of an axis move alike, so that the specimen stays where it is. Grains that carry less
// than half of the stress are still loose: the walls approach at full speed.
void wadi_specimen_walls_servo(wadi_grain_test* test, int axis, double stress)
{
    const double most = WALLS_FAST * specimen_length(test, axis) / specimen_time(test);
    const double wanted = stress * specimen_area(test, axis);
    const double excess =
        wadi_specimen_walls_stress(test, axis) * specimen_area(test, axis) - wanted;
    const bool loose = excess < -WALLS_LOOSE * wanted;
    const double out = loose ? -most : walls_follow(test, axis, excess, most);
    test->state.speed[2 * axis] = -out;
    test->state.speed[2 * axis + 1] = out;
}

double wadi_specimen_walls_stress(const wadi_grain_test* test, int axis)
{
    const double* force = &test->state.force[2 * axis];
    return 0.5 * (force[0] + force[1]) / specimen_area(test, axis);
}

wadi_result wadi_specimen_walls_remove(wadi_grain_test* test)
{
    for (int k = 0; k < SPECIMEN_WALLS; ++k)
    {
        if (test->walls[k] >= 0)
        {
            WADI_TRY(wadi_grains_remove_wall(test->grains, test->walls[k]));
            test->walls[k] = -1;
        }
    }
    return WADI_OK;
}
