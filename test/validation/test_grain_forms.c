// SPDX-License-Identifier: MIT
// labels: medium
// The article's pyramid, buried in dunes, at winds along its diagonal, along an axis and between:
// tip and edges wear at least twice as much as faces.
#include "support/grain_run.h"

#include "article_wind.h"

#include <stdlib.h>

enum
{
    SIZE = 192,
    CELLS = SIZE * SIZE,
    HALF = 48, // of its base [cells]
    EDGE = 1,  // cells to both sides of an edge
    TIP = 6    // cells around the tip
};

typedef struct place
{
    int32_t x; // from the tip, to the east and south
    int32_t y;
    int32_t out; // distance in the larger of the two
} place;

static place place_of(int32_t cell)
{
    const int32_t x = cell % SIZE - SIZE / 2;
    const int32_t y = cell / SIZE - SIZE / 2;
    return (place){x, y, abs(x) > abs(y) ? abs(x) : abs(y)};
}

// A pyramid of 42 cells, steeper than sand stands, and dunes of up to 30 cells around it.
static wadi_terrain* form_pyramid(fixture* f)
{
    static float rock[CELLS];
    static float sand[CELLS];
    article_wind_noise(sand, SIZE, 3);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t up = HALF - place_of(i).out;
        rock[i] = up > 0 ? 0.875f * (float)up : 0.0f;
        sand[i] = fmaxf(30.0f * sand[i] - rock[i], 0.0f);
    }
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIZE;
    def.height = SIZE;
    def.cell_size = 1.0;
    def.seed = 5;
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIZE));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, SIZE));
    return terrain;
}

typedef struct form
{
    double tip; // mean wear [m]
    double edges;
    double faces;
} form;

static double form_mean(const float* map, const bool* where)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        sum += where[i] ? (double)map[i] : 0.0;
        count += where[i] ? 1 : 0;
    }
    return sum / count;
}

static void form_wear(const float* wear, form* out)
{
    static bool tip[CELLS];
    static bool edges[CELLS];
    static bool faces[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const place p = place_of(i);
        const bool on_edge = abs(abs(p.x) - abs(p.y)) <= EDGE;
        tip[i] = p.out <= TIP;
        edges[i] = !tip[i] && p.out < HALF && on_edge;
        faces[i] = !tip[i] && p.out < HALF && !on_edge;
    }
    out->tip = form_mean(wear, tip);
    out->edges = form_mean(wear, edges);
    out->faces = form_mean(wear, faces);
}

static form form_blow(double direction)
{
    static float wear[CELLS];
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = form_pyramid(&f);
    wadi_wind_params params = grain_preset("paper-repo");
    params.direction = direction;
    params.grain_abrasion = 0.5;
    params.grains_per_cell = 200.0;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_wind_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, wadi_wind_process.default_years));
    fixture_check_ledger(terrain);
    CHECK_OK(f.context, wadi_solver_map(solver, "wear", wear));
    form out = {0};
    form_wear(wear, &out);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return out;
}

static void pyramid_wears_at_its_edges(void** state)
{
    (void)state;
    static const double directions[] = {315.0, 270.0, 307.0};
    for (int i = 0; i < 3; ++i)
    {
        const form got = form_blow(directions[i]);
        print_message("wind from %g: wear %.4f m on faces, edges %.1f, tip %.1f times that\n",
                      directions[i], got.faces, got.edges / got.faces, got.tip / got.faces);
        assert_true(got.edges >= 2.0 * got.faces);
        assert_true(got.tip >= 2.0 * got.faces);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pyramid_wears_at_its_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
