// SPDX-License-Identifier: MIT
// Strokes over a source against distances to many points on their line, on odd grids, with holes
// and over periodic edges, with the same bits on any number of threads.
#include "support/fixture.h"

#include "scene/scene_internal.h"

enum
{
    WIDTH = 37,
    HEIGHT = 53
};

static const wadi_point way[] = {{-20.0, 30.0}, {130.0, 210.0}, {341.0, 260.0}};
static const wadi_paint strokes[] = {{5.0, 60.0, 25.0, way, 3, false},
                                     {-1.0, 31.0, 0.0, &way[1], 1, false}};
// an area with a dent, which reaches over the eastern edge
static const wadi_point corners[] = {
    {150.0, 60.0}, {310.0, 40.0}, {240.0, 150.0}, {330.0, 300.0}, {120.0, 260.0}};
static const wadi_paint area = {4.0, 0.0, 30.0, corners, 5, true};

static double smooth(double t)
{
    return t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t * t * (3.0 - 2.0 * t);
}

// Nearest of many points on the line of a stroke, or on its copies beyond periodic edges.
static double distance_to(const wadi_paint* stroke, double x, double y, double repeat_x,
                          double repeat_y)
{
    double nearest = HUGE_VAL;
    for (int32_t i = 0; i < stroke->point_count; ++i)
    {
        const wadi_point a = stroke->points[i];
        const wadi_point b = stroke->points[i + 1 < stroke->point_count ? i + 1 : i];
        for (int32_t k = 0; k <= 4000; ++k)
        {
            const double t = k / 4000.0;
            double dx = fabs(a.x + t * (b.x - a.x) - x);
            double dy = fabs(a.y + t * (b.y - a.y) - y);
            dx = repeat_x > 0.0 ? fmin(dx, fabs(repeat_x - dx)) : dx;
            dy = repeat_y > 0.0 ? fmin(dy, fabs(repeat_y - dy)) : dy;
            nearest = fmin(nearest, sqrt(dx * dx + dy * dy));
        }
    }
    return nearest;
}

// How often the outline of the area goes around a place, by the sum of angles, and its distance.
static double depth_in_area(double x, double y)
{
    double turned = 0.0;
    double nearest = HUGE_VAL;
    for (int32_t i = 0; i < 5; ++i)
    {
        const wadi_point a = {corners[i].x - x, corners[i].y - y};
        const wadi_point b = {corners[(i + 1) % 5].x - x, corners[(i + 1) % 5].y - y};
        turned += atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
        for (int32_t k = 0; k <= 4000; ++k)
        {
            const double t = k / 4000.0;
            nearest = fmin(nearest, hypot(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)));
        }
    }
    return fabs(turned) > 3.0 ? nearest : -nearest;
}

static void paint(int32_t threads, wadi_edge edge, const wadi_paint* list, int32_t count,
                  float* out)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = 7.0;
    def.edges[WADI_SIDE_EAST] = def.edges[WADI_SIDE_WEST] = edge;
    wadi_terrain* terrain;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    double even[4];
    const wadi_source_kind* kind = wadi_source_kind_find("constant");
    wadi_fields_init(kind->fields, even);
    CHECK_OK(f.context, wadi_field_set(f.context, kind->fields, "value", 2.0, even));
    const wadi_source source = {
        .kind = kind, .params = even, .strokes = list, .stroke_count = count};
    const wadi_frame frame = {.width = WIDTH, .height = HEIGHT, .cell_size = 7.0};
    const wadi_host host = {0};
    const scene_fill fill = {f.context, &host, &source, &frame, 1, terrain};
    CHECK_OK(f.context, wadi_scene_fill(&fill, out));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void check_edge(wadi_edge edge)
{
    static float one[WIDTH * HEIGHT];
    static float other[WIDTH * HEIGHT];
    const double repeat = edge == WADI_EDGE_PERIODIC ? (double)WIDTH * 7.0 : 0.0;
    int32_t painted = 0;
    paint(1, edge, strokes, 2, one);
    for (int32_t threads = 2; threads <= 4; threads += 2)
    {
        paint(threads, edge, strokes, 2, other);
        assert_memory_equal(one, other, sizeof one);
    }
    for (int32_t row = 0; row < HEIGHT; ++row)
    {
        for (int32_t column = 0; column < WIDTH; ++column)
        {
            const double x = (column + 0.5) * 7.0;
            const double y = (HEIGHT - row - 0.5) * 7.0;
            double expected = 2.0;
            for (int32_t i = 0; i < 2; ++i)
            {
                const double depth =
                    strokes[i].radius - distance_to(&strokes[i], x, y, repeat, 0.0);
                const double weight = strokes[i].soft > 0.0 ? smooth(depth / strokes[i].soft)
                                      : depth > 0.0         ? 1.0
                                                            : 0.0;
                expected += weight * (strokes[i].value - expected);
            }
            CHECK_NEAR((double)one[row * WIDTH + column], expected, 0.01);
            painted += expected > 2.1 || expected < 1.9 ? 1 : 0;
        }
    }
    assert_true(painted > 500 && painted < WIDTH * HEIGHT - 300);
}

static void strokes_follow_their_line(void** state)
{
    (void)state;
    check_edge(WADI_EDGE_OPEN);
    check_edge(WADI_EDGE_CLOSED);
}

static void strokes_reach_over_periodic_edges(void** state)
{
    (void)state;
    check_edge(WADI_EDGE_PERIODIC);
}

static void check_area(wadi_edge edge)
{
    static float values[WIDTH * HEIGHT];
    int32_t painted = 0;
    int32_t repeated = 0;
    paint(3, edge, &area, 1, values);
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const double x = (i % WIDTH + 0.5) * 7.0;
        const double y = (HEIGHT - i / WIDTH - 0.5) * 7.0;
        const double copy =
            edge == WADI_EDGE_PERIODIC ? depth_in_area(x + (double)WIDTH * 7.0, y) : -HUGE_VAL;
        const double weight = smooth(fmax(depth_in_area(x, y), copy) / area.soft);
        CHECK_NEAR((double)values[i], 2.0 + 2.0 * weight, 0.01);
        painted += weight > 0.0 ? 1 : 0;
        repeated += copy > 0.0 ? 1 : 0;
    }
    assert_true(painted > 400 && painted < WIDTH * HEIGHT - 400);
    assert_true(edge == WADI_EDGE_PERIODIC ? repeated > 50 : repeated == 0);
}

static void areas_are_filled(void** state)
{
    (void)state;
    check_area(WADI_EDGE_OPEN);
    check_area(WADI_EDGE_PERIODIC);
}

// Cells without data stay without, as `above` leaves them.
static void holes_stay_holes(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain;
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = 5;
    def.height = 3;
    def.cell_size = 10.0;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    float values[15] = {NAN, 1.0f, 2.0f};
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, values, 5));
    double params[4];
    const wadi_source_kind* kind = wadi_source_kind_find("above");
    wadi_fields_init(kind->fields, params);
    const wadi_point middle = {25.0, 15.0};
    const wadi_paint all = {3.0, 100.0, 0.0, &middle, 1, false};
    const wadi_source source = {.kind = kind, .params = params, .strokes = &all, .stroke_count = 1};
    const wadi_frame frame = {.width = 5, .height = 3, .cell_size = 10.0};
    const wadi_host host = {0};
    const scene_fill fill = {f.context, &host, &source, &frame, 1, terrain};
    CHECK_OK(f.context, wadi_scene_fill(&fill, values));
    assert_true(isnan(values[0]));
    assert_true(values[1] == 3.0f && values[14] == 3.0f);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// The map that a solver was given comes back, with NaN in holes; without one it is refused.
static void an_input_map_is_read_back(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain;
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = 5;
    def.height = 3;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    float values[15] = {NAN};
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, values, 5));
    const wadi_process* hydraulic = wadi_process_find(f.context, "hydraulic");
    double params[128];
    wadi_fields_init(hydraulic->fields, params);
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, hydraulic, params, 0, &solver));
    assert_int_equal(wadi_solver_map(solver, "rain", values), WADI_ERROR_STATE);
    assert_non_null(strstr(wadi_error_detail(f.context), "without a map of 'rain'"));
    float rain[15];
    for (int32_t i = 0; i < 15; ++i)
    {
        rain[i] = 0.1f * (float)i;
    }
    CHECK_OK(f.context, wadi_solver_set_map(solver, "rain", rain));
    CHECK_OK(f.context, wadi_solver_map(solver, "rain", values));
    assert_true(isnan(values[0]));
    assert_memory_equal(&values[1], &rain[1], sizeof rain - sizeof rain[0]);
    wadi_quantity quantity;
    CHECK_OK(f.context, wadi_quantity_parse(f.context, "hydraulic.rain", &quantity));
    assert_string_equal(wadi_quantity_unit(&quantity), "m/yr");
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strokes_follow_their_line),
        cmocka_unit_test(strokes_reach_over_periodic_edges),
        cmocka_unit_test(areas_are_filled),
        cmocka_unit_test(holes_stay_holes),
        cmocka_unit_test(an_input_map_is_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
