// SPDX-License-Identifier: MIT
// Sides of the terrain that repeat: how far it is round, along each axis.
#include "support/fixture.h"

#include "processes/earth/earth_water.h"

static void periods_are_the_sides_that_repeat(void** state)
{
    (void)state;
    for (int kind = 0; kind < 4; ++kind)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain_def def = wadi_terrain_def_default();
        def.width = 30;
        def.height = 20;
        def.cell_size = 2.5;
        const wadi_edge along_x = (kind & 1) != 0 ? WADI_EDGE_PERIODIC : WADI_EDGE_CLOSED;
        const wadi_edge along_y = (kind & 2) != 0 ? WADI_EDGE_PERIODIC : WADI_EDGE_OPEN;
        def.edges[WADI_SIDE_WEST] = def.edges[WADI_SIDE_EAST] = along_x;
        def.edges[WADI_SIDE_NORTH] = def.edges[WADI_SIDE_SOUTH] = along_y;
        wadi_terrain* terrain = NULL;
        CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
        CHECK_NEAR(wadi_earth_period(terrain, 0), (kind & 1) != 0 ? 75.0 : 0.0, 0.0);
        CHECK_NEAR(wadi_earth_period(terrain, 1), (kind & 2) != 0 ? 50.0 : 0.0, 0.0);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periods_are_the_sides_that_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
