// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 120
// scenes/dunes-star-flanks.yaml: a star with three arms, whose flanks carry small dunes.
#include "scene/landform.h"

#include <wadi/dune_shapes.h>

static void a_star_carries_small_dunes(void** state)
{
    (void)state;
    landform form;
    landform_open(&form, "dunes-star-flanks", 0.0, NULL, 0);
    landform_run(&form);
    const int32_t width = wadi_terrain_width(form.terrain);
    const int32_t height = wadi_terrain_height(form.terrain);
    float* sand = test_malloc((size_t)width * (size_t)height * sizeof *sand);
    for (int32_t i = 0; i < width * height; ++i)
    {
        sand[i] = (float)fixture_metres(form.terrain, WADI_LAYER_SEDIMENT, i % width, i / width);
    }
    const wadi_edge edge = WADI_EDGE_PERIODIC;
    const wadi_dune_field field = {
        {sand, width, height, width, 1.0, 1.0, NULL, {edge, edge, edge, edge}}, sand};
    wadi_dune_shapes shapes;
    CHECK_OK(form.f.context,
             wadi_dune_shapes_measure(form.f.context, &field, (double)NAN, &shapes, NULL));
    print_message("%.1f m high, %d star with %.1f arms, %d small crests of %.1f m, %.0f m apart\n",
                  shapes.height, (int)shapes.stars, shapes.arms, (int)shapes.small,
                  shapes.small_height, shapes.small_spacing);
    assert_true(shapes.stars == 1 && shapes.arms >= 3.0);
    assert_true(shapes.small >= 8 && shapes.small_height >= 1.0);
    test_free(sand);
    landform_close(&form);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_star_carries_small_dunes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
