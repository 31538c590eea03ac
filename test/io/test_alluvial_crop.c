// SPDX-License-Identifier: MIT
// Floods on every second cell of the crop of the Eno river wear the ground at the open edges as
// they do inside: no wall and no pit stays there, and the books close.
#include "io/sample.h"

#include "support/front.h"

#include <math.h>

enum
{
    CROP = 96,
    CROP_STEP = 2,
    CROP_CELLS = CROP * CROP
};

#define CROP_COVER 3.0 // [m] of loose ground

static wadi_terrain* crop_terrain(fixture* f, float* before)
{
    wadi_io_raster ground;
    CHECK_OK(f->context,
             wadi_io_raster_read(f->context, SAMPLE_DATA "eno-river-192.tif", 0.0, true, &ground));
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = CROP;
    def.height = CROP;
    def.cell_size = 20.0;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    static float rock[CROP_CELLS];
    for (int32_t i = 0; i < CROP_CELLS; ++i)
    {
        const int32_t at = i / CROP * CROP_STEP * ground.width + i % CROP * CROP_STEP;
        rock[i] = ground.values[at] - (float)CROP_COVER;
    }
    wadi_io_raster_free(&ground);
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, CROP));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, CROP_COVER));
    front_heights(terrain, before);
    return terrain;
}

static wadi_solver* crop_river(fixture* f, wadi_terrain* terrain)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_ALLUVIAL;
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    const double row[6] = {20.0 * 68.5, 20.0 * (CROP - 36.5), 0.0, 2.0, 60000.0, 0.0};
    CHECK_OK(f->context, wadi_solver_set_table(solver, "inflow", row, 1));
    return solver;
}

// The cell inside of a cell at the edge; the cell itself if it lies inside.
static int32_t crop_inner(int32_t i)
{
    const int32_t x = i % CROP;
    const int32_t y = i / CROP;
    const int32_t column = x < 1 ? 1 : x > CROP - 2 ? CROP - 2 : x;
    const int32_t row = y < 1 ? 1 : y > CROP - 2 ? CROP - 2 : y;
    return row * CROP + column;
}

static void edges_are_worn_like_the_ground_inside(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    static float before[CROP_CELLS];
    static float after[CROP_CELLS];
    wadi_terrain* terrain = crop_terrain(&f, before);
    wadi_solver* solver = crop_river(&f, terrain);
    fixture_live(solver, 10.0);
    front_heights(terrain, after);
    double worn = 0.0;
    double step = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < CROP_CELLS; ++i)
    {
        const int32_t inner = crop_inner(i);
        const double wear = (double)(before[inner] - after[inner]);
        if (inner != i && wear > 0.5)
        {
            worn += wear;
            step += wear - (double)(before[i] - after[i]);
            count += 1;
        }
    }
    print_message("%d cells beside the edge are worn by %.2f m, those at the edge by %.2f m less\n",
                  (int)count, worn / count, step / count);
    assert_true(count >= 5 && fabs(step) <= 0.2 * worn);
    const wadi_ledger_row books = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(books.residual_units == 0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_worn_like_the_ground_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
