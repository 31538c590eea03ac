// SPDX-License-Identifier: MIT
// labels: fast data
// Flow on the Eno river (10 m, degrees) against TauDEM's own results, cell by cell. The data
// are not in the repository; test_flow_crop.c compares with some of the numbers without them.
#include "io/outside.h"
#include "io/sample.h"

#include "io/raster/geo.h"

#include <wadi/flow.h>

// The elevation model, and TauDEM's results for it.
typedef struct eno
{
    fixture f;
    wadi_io_raster ground;
    wadi_io_raster fel; // depressions filled
    wadi_io_raster p;   // D8: 1 east, 2 north-east, ... 8 south-east; none on the border
    wadi_io_raster ad8; // cells through each cell; none where the border may add some
    int64_t cells;
    double* dx;
    wadi_field2d field; // of `fel`
    wadi_flow_target* targets;
    outside_folder folder;
} eno;

static void eno_read(eno* e, const char* file, bool is_ground, wadi_io_raster* out)
{
    char path[2200];
    (void)snprintf(path, sizeof path, "%s/%s", e->folder.path, file);
    CHECK_OK(e->f.context, wadi_io_raster_read(e->f.context, path, 0.0, is_ground, out));
}

static int open_eno(void** state)
{
    static eno e;
    const int status = outside_find(
        &e.folder, "dem/eno-river-10m-latlon.tif reference/eno-river-taudem-fel.tif "
                   "reference/eno-river-taudem-p.tif reference/eno-river-taudem-ad8.tif");
    if (status != 0)
    {
        exit(status);
    }
    fixture_open(&e.f, 2);
    eno_read(&e, "dem/eno-river-10m-latlon.tif", true, &e.ground);
    eno_read(&e, "reference/eno-river-taudem-fel.tif", true, &e.fel);
    eno_read(&e, "reference/eno-river-taudem-p.tif", false, &e.p);
    eno_read(&e, "reference/eno-river-taudem-ad8.tif", false, &e.ad8);
    e.cells = (int64_t)e.ground.width * e.ground.height;
    e.dx = malloc((size_t)e.ground.height * sizeof *e.dx);
    e.targets = malloc((size_t)e.cells * sizeof *e.targets);
    assert_true(e.dx != NULL && e.targets != NULL);
    e.field = (wadi_field2d){.heights = e.fel.values,
                             .width = e.fel.width,
                             .height = e.fel.height,
                             .stride = e.fel.width,
                             .dx_of_row = e.dx};
    wadi_io_raster_metric(&e.ground, e.dx, &e.field.dy);
    *state = &e;
    return 0;
}

static int close_eno(void** state)
{
    eno* e = *state;
    free(e->targets);
    free(e->dx);
    wadi_io_raster_free(&e->ad8);
    wadi_io_raster_free(&e->p);
    wadi_io_raster_free(&e->fel);
    wadi_io_raster_free(&e->ground);
    fixture_close(&e->f);
    return 0;
}

// Level ground: no lower neighbour. Directions on it depend on the algorithm.
static bool is_flat(const eno* e, int64_t cell)
{
    static const int east[8] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int south[8] = {0, -1, -1, -1, 0, 1, 1, 1};
    for (int k = 0; k < 8; ++k)
    {
        const int64_t n = cell + south[k] * e->fel.width + east[k];
        if (n >= 0 && n < e->cells && e->fel.values[n] < e->fel.values[cell])
        {
            return false;
        }
    }
    return true;
}

// All 603 460 cells, to the bit. 20 040 are raised, by 4.88 m at most; ten more by 0.11 mm or less,
// a few units in the last place of a float.
static void filled_ground_is_the_reference(void** state)
{
    eno* e = *state;
    wadi_field2d field = e->field;
    field.heights = e->ground.values;
    float* filled = malloc((size_t)e->cells * sizeof *filled);
    CHECK_OK(e->f.context, wadi_flow_fill(e->f.context, &field, filled));
    int64_t raised = 0;
    double deepest = 0.0;
    for (int64_t i = 0; i < e->cells; ++i)
    {
        assert_true(filled[i] == e->fel.values[i]);
        const double rise = (double)filled[i] - (double)e->ground.values[i];
        raised += rise > 1.2e-4 ? 1 : 0;
        deepest = fmax(deepest, rise);
    }
    assert_int_equal(raised, 20040);
    CHECK_NEAR(deepest, 4.88, 0.005);
    free(filled);
}

// Sums along the reference's own directions are the reference's sums, in every cell that has one.
static void sums_along_the_reference_are_its_sums(void** state)
{
    eno* e = *state;
    float* one = malloc((size_t)e->cells * sizeof *one);
    double* sum = malloc((size_t)e->cells * sizeof *sum);
    for (int64_t i = 0; i < e->cells; ++i)
    {
        const bool has = e->p.values[i] >= 1.0f && e->p.values[i] <= 8.0f;
        one[i] = 1.0f;
        e->targets[i] = (wadi_flow_target){0.0f, (int8_t)(has ? (int)e->p.values[i] - 1 : -1), -1};
    }
    CHECK_OK(e->f.context, wadi_flow_accumulate(e->f.context, &e->field, e->targets, one, sum));
    int64_t compared = 0;
    double largest = 0.0;
    for (int64_t i = 0; i < e->cells; ++i)
    {
        if (e->ad8.values[i] >= 1.0f)
        {
            assert_true(sum[i] == (double)e->ad8.values[i]);
            largest = fmax(largest, sum[i]);
            compared += 1;
        }
    }
    assert_true((double)compared > 0.97 * (double)e->cells);
    assert_true(largest == 155235.0);
    free(sum);
    free(one);
}

// Off level ground all directions and the sums along them equal the reference: differences in the
// routing over level ground do not propagate.
static void own_directions_and_sums_are_the_reference(void** state)
{
    eno* e = *state;
    float* one = malloc((size_t)e->cells * sizeof *one);
    double* sum = malloc((size_t)e->cells * sizeof *sum);
    uint8_t* fed = malloc((size_t)e->cells);
    CHECK_OK(e->f.context, wadi_flow_route(e->f.context, &e->field, WADI_FLOW_D8, e->targets));
    for (int64_t i = 0; i < e->cells; ++i)
    {
        one[i] = 1.0f;
    }
    CHECK_OK(e->f.context, wadi_flow_accumulate(e->f.context, &e->field, e->targets, one, sum));
    CHECK_OK(e->f.context, wadi_flow_edge_fed(e->f.context, &e->field, e->targets, fed));
    int64_t directions = 0;
    int64_t sums = 0;
    for (int64_t i = 0; i < e->cells; ++i)
    {
        const bool flat = is_flat(e, i);
        if (!flat && e->p.values[i] >= 1.0f)
        {
            assert_int_equal(e->targets[i].first, (int)e->p.values[i] - 1);
            directions += 1;
        }
        if (!flat && e->ad8.values[i] >= 1.0f)
        {
            assert_true(sum[i] == (double)e->ad8.values[i]);
            assert_int_equal(fed[i], 0);
            sums += 1;
        }
    }
    assert_int_equal(directions, 580296);
    assert_int_equal(sums, 571356);
    free(fed);
    free(sum);
    free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filled_ground_is_the_reference),
        cmocka_unit_test(sums_along_the_reference_are_its_sums),
        cmocka_unit_test(own_directions_and_sums_are_the_reference),
    };
    return cmocka_run_group_tests(tests, open_eno, close_eno);
}
