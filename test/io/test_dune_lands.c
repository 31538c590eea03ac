// SPDX-License-Identifier: MIT
// labels: slow data
// Dunes are told from other ground: surveys of mountains, hills, a marsh, coasts and a volcano, as
// they are, turned, on coarser and on finer cells, and with their heights scaled; and a survey of
// star dunes.
#include "outside.h"
#include "sample.h"

#include <wadi/dune_shapes.h>

#include "raster/geo.h"

enum
{
    MOST = 400 * 400
};

static const double degree = 57.29577951308232;

static float turned[MOST];

typedef struct ground
{
    wadi_io_raster raster;
    wadi_field2d field;
    double* dx;
} ground;

static void ground_open(fixture* f, const char* path, ground* out)
{
    CHECK_OK(f->context, wadi_io_raster_read(f->context, path, 0.0, true, &out->raster));
    out->dx = malloc((size_t)out->raster.height * sizeof *out->dx);
    assert_non_null(out->dx);
    out->field = (wadi_field2d){.heights = out->raster.values,
                                .width = out->raster.width,
                                .height = out->raster.height,
                                .stride = out->raster.width,
                                .dx_of_row = out->dx};
    wadi_io_raster_metric(&out->raster, out->dx, &out->field.dy);
}

static void ground_close(ground* g)
{
    wadi_io_raster_free(&g->raster);
    free(g->dx);
}

static double ground_at(const ground* g, double x, double y)
{
    const int32_t column = (int32_t)floor(x);
    const int32_t row = (int32_t)floor(y);
    if (column < 0 || row < 0 || column + 1 >= g->raster.width || row + 1 >= g->raster.height)
    {
        return (double)NAN;
    }
    const float* at = g->raster.values + (ptrdiff_t)row * g->raster.width + column;
    const double fx = x - column;
    const double fy = y - row;
    return (1.0 - fy) * ((1.0 - fx) * (double)at[0] + fx * (double)at[1]) +
           fy * ((1.0 - fx) * (double)at[g->raster.width] + fx * (double)at[g->raster.width + 1]);
}

// The ground turned about its middle, on square cells of a size, heights scaled; NaN outside.
static wadi_field2d ground_turn(const ground* g, double azimuth, double cell, double scale)
{
    const double dx = g->dx[g->raster.height / 2];
    const double dy = g->field.dy;
    const double side = fmin(g->raster.width * dx, g->raster.height * dy);
    const int32_t cells = (int32_t)fmin(side / cell, 400.0);
    for (int32_t i = 0; i < cells * cells; ++i)
    {
        const double x = (i % cells + 0.5 - 0.5 * cells) * cell;
        const double y = ((double)(i / cells) + 0.5 - 0.5 * cells) * cell;
        const double c = cos(azimuth / degree);
        const double s = sin(azimuth / degree);
        turned[i] = (float)(scale * ground_at(g, 0.5 * g->raster.width + (c * x - s * y) / dx,
                                              0.5 * g->raster.height + (s * x + c * y) / dy));
    }
    return (wadi_field2d){.heights = turned,
                          .width = cells,
                          .height = cells,
                          .stride = cells,
                          .dx = cell,
                          .dy = cell};
}

static bool has_dunes(fixture* f, const wadi_field2d* field, wadi_dune_shapes* shapes)
{
    const wadi_dune_field dunes = {*field, NULL};
    CHECK_OK(f->context, wadi_dune_shapes_measure(f->context, &dunes, (double)NAN, shapes, NULL));
    return !shapes->none;
}

static const char* const lands[] = {
    SAMPLE_DATA "pyrenees-256.tif",          SAMPLE_DATA "taal-256.tif",
    SAMPLE_DATA "taal-coast-224.tif",        SAMPLE_DATA "st-helens-128.tif",
    SAMPLE_DATA "eno-river-192.tif",         SAMPLE_DATA "tidal-marsh-150x120.asc",
    SAMPLE_DATA "puget-sound-257.png",       SAMPLE_DATA "washington-2021-pre-dem-10m.asc",
    SAMPLE_SCENES "bernese-alps-256.tif",    SAMPLE_SCENES "bijou-gullies-5m.asc",
    SAMPLE_SCENES "new-zealand-192x160.tif",
};

static void other_lands_have_no_dunes(void** state)
{
    fixture* f = *state;
    int32_t wrong = 0;
    for (size_t i = 0; i < sizeof lands / sizeof lands[0]; ++i)
    {
        ground g;
        if (strstr(lands[i], ".png") != NULL)
        {
            continue;
        }
        ground_open(f, lands[i], &g);
        const double cell = sqrt(g.dx[g.raster.height / 2] * g.field.dy);
        wadi_dune_shapes shapes;
        wrong += has_dunes(f, &g.field, &shapes) ? 1 : 0;
        static const struct
        {
            double azimuth, cells, scale;
        } changes[] = {{37.0, 1.0, 1.0}, {37.0, 0.7, 1.0}, {0.0, 2.0, 1.0},  {37.0, 1.5, 0.7},
                       {0.0, 1.0, 0.5},  {37.0, 1.0, 0.4}, {0.0, 1.0, 1.5},  {37.0, 1.0, 1.5},
                       {0.0, 1.0, 2.0},  {37.0, 0.7, 2.0}, {37.0, 1.5, 2.0}, {0.0, 2.0, 2.5}};
        for (size_t k = 0; k < sizeof changes / sizeof changes[0]; ++k)
        {
            const wadi_field2d field =
                ground_turn(&g, changes[k].azimuth, changes[k].cells * cell, changes[k].scale);
            if (has_dunes(f, &field, &shapes))
            {
                print_message("%s turned by %.0f, %.1f cells, heights times %.1f\n", lands[i],
                              changes[k].azimuth, changes[k].cells, changes[k].scale);
                ++wrong;
            }
        }
        ground_close(&g);
    }
    assert_int_equal(wrong, 0);
}

// The same slopes on cells of 0.5 to 10 m: heights and cells scaled alike.
static void scale_does_not_matter(void** state)
{
    fixture* f = *state;
    static const double cells[] = {0.5, 2.0, 10.0};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; ++i)
    {
        ground g;
        wadi_dune_shapes shapes;
        ground_open(f, SAMPLE_SCENES "bernese-alps-256.tif", &g);
        const double cell = sqrt(g.dx[g.raster.height / 2] * g.field.dy);
        wadi_field2d field = ground_turn(&g, 37.0, cell, cells[i] / cell);
        field.dx = field.dy = cells[i];
        assert_false(has_dunes(f, &field, &shapes));
        ground_close(&g);
    }
}

// Chains of star dunes, turned too.
static void star_dunes_are_found(void** state)
{
    fixture* f = *state;
    ground g;
    ground_open(f, SAMPLE_DATA "rub-al-khali-star-dunes-30m.tif", &g);
    for (double azimuth = 0.0; azimuth < 90.0; azimuth += 37.0)
    {
        wadi_dune_shapes shapes;
        const wadi_field2d field = ground_turn(&g, azimuth, 30.0, 1.0);
        assert_true(has_dunes(f, azimuth > 0.0 ? &field : &g.field, &shapes));
        print_message("turned by %.0f: crests of %.1f km, %d junctions, %d ends, brinks of %.1f "
                      "km, %d stars with %.1f arms, %d bodies\n",
                      azimuth, 1e-3 * shapes.crests, (int)shapes.junctions, (int)shapes.ends,
                      1e-3 * shapes.brinks, (int)shapes.stars, shapes.arms, (int)shapes.bodies);
        assert_true(shapes.junctions >= 5 && shapes.stars >= 1 && shapes.arms < 4.0);
        assert_true(shapes.crests > 2e4 && shapes.brinks > 1e4 && shapes.faces > 40);
    }
    ground_close(&g);
}

// A coast with a foredune and parabolic dunes, also turned, and a part of a single dune on a spit.
static void coastal_dunes_are_found(void** state)
{
    fixture* f = *state;
    static const char* const files[] = {"dem/npzk-coastal-dunes-2m.asc",
                                        "dem/fangar-dune-2012-04-15.asc"};
    for (size_t i = 0; i < 2; ++i)
    {
        outside_folder folder;
        const int status = outside_find(&folder, files[i]);
        if (status == 77)
        {
            skip();
        }
        assert_int_equal(status, 0);
        char path[2200];
        (void)snprintf(path, sizeof path, "%s/%s", folder.path, files[i]);
        ground g;
        ground_open(f, path, &g);
        wadi_dune_shapes shapes;
        assert_true(has_dunes(f, &g.field, &shapes));
        assert_true(shapes.faces > 3 && shapes.lines > 1);
        if (i == 0)
        {
            const wadi_field2d field = ground_turn(&g, 37.0, 2.0, 1.0);
            assert_true(has_dunes(f, &field, &shapes));
            assert_true(shapes.faces > 30 && shapes.lines > 1 && shapes.junctions > 0);
        }
        ground_close(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_lands_have_no_dunes),
        cmocka_unit_test(scale_does_not_matter),
        cmocka_unit_test(star_dunes_are_found),
        cmocka_unit_test(coastal_dunes_are_found),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
