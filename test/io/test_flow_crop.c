// SPDX-License-Identifier: MIT
// Flow on the crop of the Eno river, in degrees, against TauDEM's results on the whole model, for
// cells off level ground whose whole basin lies within the crop.
#include "io/sample.h"

#include "io/raster/geo.h"

#include <wadi/flow.h>

static const struct
{
    int column;
    int row;
    int direction;
    double cells; // that drain through it
} known[] = {
    {149, 144, WADI_FLOW_EAST, 3798},       {141, 138, WADI_FLOW_EAST, 3648},
    {137, 131, WADI_FLOW_SOUTH, 3502},      {135, 123, WADI_FLOW_SOUTH_EAST, 3167},
    {132, 115, WADI_FLOW_SOUTH_EAST, 2885}, {124, 109, WADI_FLOW_SOUTH_EAST, 2546},
    {121, 101, WADI_FLOW_SOUTH, 2363},      {122, 92, WADI_FLOW_SOUTH_WEST, 2091},
    {126, 86, WADI_FLOW_SOUTH_WEST, 1548},  {133, 82, WADI_FLOW_SOUTH_WEST, 1505},
    {136, 73, WADI_FLOW_SOUTH, 1298},       {138, 65, WADI_FLOW_SOUTH_WEST, 1162},
    {185, 110, WADI_FLOW_SOUTH, 1046},      {178, 107, WADI_FLOW_SOUTH_EAST, 989},
    {141, 58, WADI_FLOW_SOUTH, 957},        {174, 101, WADI_FLOW_EAST, 899},
};

static void flow_on_the_crop_is_that_of_the_whole(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_io_raster ground;
    CHECK_OK(f.context,
             wadi_io_raster_read(f.context, SAMPLE_DATA "eno-river-192.tif", 0.0, true, &ground));
    const size_t cells = (size_t)ground.width * (size_t)ground.height;
    float* one = malloc(cells * sizeof *one);
    double* sum = malloc(cells * sizeof *sum);
    double* dx = malloc((size_t)ground.height * sizeof *dx);
    wadi_flow_target* targets = malloc(cells * sizeof *targets);
    for (size_t i = 0; i < cells; ++i)
    {
        one[i] = 1.0f;
    }
    wadi_field2d field = {.heights = ground.values,
                          .width = ground.width,
                          .height = ground.height,
                          .stride = ground.width,
                          .dx_of_row = dx};
    wadi_io_raster_metric(&ground, dx, &field.dy);
    CHECK_OK(f.context, wadi_flow_fill(f.context, &field, ground.values));
    CHECK_OK(f.context, wadi_flow_route(f.context, &field, WADI_FLOW_D8, targets));
    CHECK_OK(f.context, wadi_flow_accumulate(f.context, &field, targets, one, sum));
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
    {
        const int cell = known[i].row * ground.width + known[i].column;
        assert_int_equal(targets[cell].first, known[i].direction);
        assert_true(sum[cell] == known[i].cells);
    }
    free(targets);
    free(dx);
    free(sum);
    free(one);
    wadi_io_raster_free(&ground);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_on_the_crop_is_that_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
