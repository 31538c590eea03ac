// SPDX-License-Identifier: MIT
// Slides of a storm, as flows and as grains: friction by the water of each slide, soil that an
// earlier one took, and the hour of each.
#include "core/archive.h"
#include "process/solver.h"
#include "support/slope.h"

#include "processes/landslide/landslide_state.h"

#include <math.h>
#include <string.h>

enum
{
    SIDE = 24,
    AT = 12 * SIDE + 12
};

typedef struct queue
{
    fixture f;
    landslide_state state;
    slide_cell cells[2];
    slide_failure failure;
} queue;

// Two metres of sand on a plain; 1.5 m of one cell and 1 m of its neighbour have failed.
static void queue_open(queue* q, double friction)
{
    fixture_open(&q->f, 1);
    wadi_terrain* terrain = fixture_plain(&q->f, SIDE, SIDE, 10.0, WADI_EDGE_OPEN);
    CHECK_OK(q->f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    q->cells[0] = (slide_cell){AT, 3 << 15, 0};
    q->cells[1] = (slide_cell){AT + 1, 1 << 16, 0};
    q->failure = (slide_failure){.number = 1, .count = 2, .wetness = 0.6, .friction = 0.7};
    landslide_state* state = &q->state;
    memset(state, 0, sizeof *state);
    state->terrain = terrain;
    state->params = wadi_landslide_params_default();
    state->params.start = WADI_LANDSLIDE_STORM;
    state->params.friction = friction;
    state->source.rock = test_calloc((size_t)SIDE * SIDE, sizeof *state->source.rock);
    state->source.list =
        (slide_list){.failures = &q->failure, .count = 1, .cells = q->cells, .cell_count = 2};
    state->lifted = test_calloc((size_t)SIDE * SIDE, sizeof *state->lifted);
    const runner_law law = {.turbulence = 200.0, .density = 1900.0, .thinnest = 0.01};
    CHECK_OK(q->f.context, wadi_runner_create(q->f.context, wadi_terrain_ground_const(terrain),
                                              &law, &state->flow));
}

static void queue_close(queue* q)
{
    wadi_runner_destroy(q->state.flow);
    test_free(q->state.lifted);
    test_free(q->state.source.rock);
    wadi_terrain_destroy(q->state.terrain);
    fixture_close(&q->f);
}

// Saturated debris has the friction of its kind, 0.2, dry soil its own, 0.7.
static void drier_slides_have_more_friction(void** state)
{
    (void)state;
    static const double cases[][4] = {
        // given, wetness, scatter, friction
        {0.0, 1.0, 1.0, 0.2}, {0.0, 0.0, 1.0, 0.7}, {0.0, 0.6, 1.0, 0.4},
        {0.0, 0.6, 1.5, 0.6}, {0.3, 0.6, 1.0, 0.3}, {0.3, 0.0, 0.5, 0.15},
    };
    for (int32_t i = 0; i < WADI_COUNT(cases); ++i)
    {
        queue q;
        queue_open(&q, cases[i][0]);
        q.failure.wetness = cases[i][1];
        wadi_landslide_queue_release(&q.state, 0, q.state.flow, cases[i][2]);
        const float mixed = q.state.flow->planes.mixed[wadi_runner_at(q.state.flow, AT)];
        CHECK_NEAR((double)mixed, cases[i][3], 1e-6);
        queue_close(&q);
    }
}

// What an earlier flow has left moves, and no more.
static void slides_take_what_is_left(void** state)
{
    (void)state;
    queue q;
    queue_open(&q, 0.0);
    const runner_planes* p = &q.state.flow->planes;
    const ptrdiff_t at = wadi_runner_at(q.state.flow, AT);
    p->soil[at] = 1000;
    q.state.source.rock[AT] = 7;
    wadi_landslide_queue_release(&q.state, 0, q.state.flow, 1.0);
    assert_int_equal(p->mass[at], 1007);
    assert_int_equal(p->mass[at + 1], 1 << 16);
    assert_int_equal(q.state.lifted[AT], 1007);
    assert_int_equal(q.state.lifted_units, 1007 + (1 << 16));
    assert_int_equal(wadi_runner_holds(q.state.flow), 1007 + (1 << 16));
    q.failure.count = 1; // another slide shares the cell: rock was taken with the last soil
    q.state.source.rock[AT + 1] = 7;
    q.cells[0].cell = AT;
    wadi_landslide_queue_release(&q.state, 0, q.state.flow, 1.0);
    assert_int_equal(p->mass[at], 1007);
    q.cells[0].cell = AT + 1;
    wadi_landslide_queue_release(&q.state, 0, q.state.flow, 1.0);
    assert_int_equal(p->mass[at + 1], (2 << 16) + 7);
    queue_close(&q);
}

// A flow that is forgotten leaves the ground as it was: the next one has the same bits.
static void forgotten_flows_leave_no_trace(void** state)
{
    (void)state;
    queue q;
    queue_open(&q, 0.0);
    runner* flow = q.state.flow;
    const wadi_ground* ground = wadi_terrain_ground_const(q.state.terrain);
    int64_t first[2];
    for (int32_t turn = 0; turn < 2; ++turn)
    {
        wadi_landslide_queue_release(&q.state, 0, flow, 0.2);
        assert_true(wadi_runner_next(flow, -1) >= 0);
        for (int32_t step = 0; step < 40; ++step)
        {
            wadi_runner_step(flow);
        }
        first[turn] = 0;
        for (int64_t c = 0; c < ground->cells; ++c)
        {
            const ptrdiff_t i = wadi_runner_at(flow, c);
            first[turn] = 31 * (first[turn] % 1000003) + flow->planes.mass[i];
        }
        wadi_runner_reset(flow, ground);
        assert_int_equal(wadi_runner_holds(flow), 0);
        assert_int_equal(wadi_runner_next(flow, -1), -1);
        assert_true(flow->time == 0.0 && flow->rests);
        for (int64_t c = 0; c < ground->cells; ++c)
        {
            const ptrdiff_t i = wadi_runner_at(flow, c);
            assert_int_equal(flow->planes.bed[i], wadi_ground_surface(ground, c));
            assert_true(flow->planes.mass[i] == 0 && flow->planes.depth[i] == 0.0f);
            assert_int_equal(flow->planes.soil[i], 2 << 16);
        }
    }
    assert_true(first[0] == first[1]);
    queue_close(&q);
}

// Momentum grows from rest and decays on the plain.
static void slides_end_with_their_momentum(void** state)
{
    (void)state;
    queue q;
    queue_open(&q, 0.0);
    wadi_runner_pour(q.state.flow, AT, 5 << 16, 0.05);
    bool spent = false;
    int32_t steps = 0;
    for (; steps < 2000 && !spent && !q.state.flow->rests; ++steps)
    {
        wadi_runner_step(q.state.flow);
        spent = wadi_runner_is_spent(q.state.flow, 0.5);
    }
    assert_true(spent && steps > 1);
    assert_true(q.state.flow->vigour > 0.0);
    queue_close(&q);
}

// ---- grains ------------------------------------------------------------------------------

static void grains_add(wadi_context* context, slide_list* list, double time, double wetness,
                       int64_t corner)
{
    CHECK_OK(context, wadi_slide_list_begin(context, list, time));
    for (int64_t k = 0; k < 25; ++k)
    {
        const slide_cell cell = {corner + k / 5 * SIDE + k % 5, 3 << 15, 0};
        CHECK_OK(context, wadi_slide_list_add(context, list, cell));
    }
    slide_failure* f = &list->failures[list->count - 1];
    f->count = 25;
    f->wetness = wetness;
}

static const int64_t dry = 4 * SIDE + 6;
static const int64_t wet = 14 * SIDE + 6;

// Two failures on one slope, an hour apart, of a storm that begins.
static wadi_solver* grains_open(fixture* f)
{
    const slope_shape hill = {
        .side = SIDE, .cell = 5.0, .tangent = 0.55, .azimuth = 90.0, .foot = 80.0, .soil = 1.5};
    fixture_open(f, 1);
    wadi_landslide_params params = wadi_landslide_params_default();
    params.start = WADI_LANDSLIDE_STORM;
    params.model = WADI_LANDSLIDE_GRAINS;
    params.longest = 8.0;
    params.pressure = 1.0;
    wadi_terrain* terrain = slope_make(f, &hill);
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
    landslide_state* slides = solver->state;
    slides->source.soil = wadi_alloc(f->context, (size_t)SIDE * SIDE, sizeof(int32_t));
    slides->source.rock = wadi_alloc(f->context, (size_t)SIDE * SIDE, sizeof(int32_t));
    grains_add(f->context, &slides->source.list, 3600.0, 0.0, dry);
    grains_add(f->context, &slides->source.list, 7200.0, 1.0, wet);
    CHECK_OK(f->context, wadi_landslide_release_begin(slides));
    return solver;
}

// Each begins when its hour has come, with its own water, and has a run-out of its own.
static void grains_have_their_own_hour_and_water(void** state)
{
    (void)state;
    fixture f;
    wadi_solver* solver = grains_open(&f);
    landslide_state* slides = solver->state;
    wadi_terrain* terrain = slides->terrain;
    static const double until[] = {3599.0, 3600.0, 7199.0, 7200.0};
    static const int32_t begun[] = {0, 1, 1, 2};
    for (int k = 0; k < 4; ++k)
    {
        bool stopped = false;
        CHECK_OK(f.context, wadi_landslide_release_run(slides, until[k], &stopped));
        assert_int_equal(slides->next, begun[k]);
        assert_true(!stopped && wadi_landslide_release_is_over(slides) == (k == 3));
        assert_true(k == 0 || slides->own.wetness == (k == 3 ? 1.0 : 0.0));
    }
    const float* runout = slides->peaks[LANDSLIDE_MAP_RUNOUT - LANDSLIDE_MAP_HEIGHT];
    print_message("run-out %g m dry, %g m wet\n", (double)runout[dry], (double)runout[wet]);
    assert_true(runout[wet] > runout[dry] + 10.0f);
    assert_true(runout[wet] == (float)slides->account.runout && slides->account.first == 2.0);
    assert_true(slides->hour[dry] == 1.0f && slides->hour[wet] == 2.0f);
    assert_true(slides->failure[dry] == 1.0f && slides->failure[wet] == 2.0f);
    fixture_check_ledger(terrain);
    wadi_landslide_release_finish(slides);
    assert_int_equal(slides->failures, 2);
    wadi_solver_discard(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A saved storm whose clocks or hours are no numbers is refused: no slide of it would ever begin.
static void waiting_slides_need_their_hours(void** state)
{
    (void)state;
    fixture f;
    wadi_solver* solver = grains_open(&f);
    landslide_state* slides = solver->state;
    double* const numbers[] = {
        &slides->begun,
        &slides->slide.given,
        &slides->source.list.failures[1].time,
        &slides->source.list.failures[1].wetness,
    };
    for (int32_t k = 0; k < WADI_COUNT(numbers); ++k)
    {
        const double kept = *numbers[k];
        *numbers[k] = (double)NAN;
        wadi_bytes bytes = {.context = f.context};
        wadi_solver* copy = NULL;
        CHECK_OK(f.context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
        CHECK_FAILS(f.context, WADI_ERROR_FORMAT,
                    k < 2 ? "has begun 0 slides" : "an hour or a wetness",
                    wadi_solver_load(slides->terrain, wadi_bytes_read, &bytes, &copy));
        wadi_bytes_free(&bytes);
        *numbers[k] = kept;
    }
    wadi_terrain* terrain = slides->terrain;
    wadi_solver_discard(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A state whose model has no maps of run-out cannot go on with the grains of a storm.
static void blocks_refuse_grains_of_a_storm(void** state)
{
    (void)state;
    fixture f;
    wadi_solver* solver = grains_open(&f);
    landslide_state* slides = solver->state;
    wadi_landslide_params params = slides->params;
    params.model = WADI_LANDSLIDE_SLUMP;
    params.start = WADI_LANDSLIDE_DEEP;
    wadi_solver* blocks = NULL;
    CHECK_OK(f.context,
             wadi_solver_create(slides->terrain, &wadi_landslide_process, &params, 0, &blocks));
    float* peaks[LANDSLIDE_PEAKS];
    memcpy(peaks, slides->peaks, sizeof peaks);
    memset(slides->peaks, 0, sizeof peaks); // saved as by blocks
    wadi_bytes bytes = {.context = f.context};
    wadi_archive* archive = wadi_archive_to(f.context, wadi_bytes_write, &bytes);
    CHECK_OK(f.context, wadi_landslide_archive(slides, archive));
    CHECK_OK(f.context, wadi_archive_close(archive));
    memcpy(slides->peaks, peaks, sizeof peaks);
    archive = wadi_archive_from(f.context, wadi_bytes_read, &bytes);
    assert_int_equal(wadi_landslide_archive(blocks->state, archive), WADI_ERROR_FORMAT);
    assert_non_null(strstr(wadi_error_detail(f.context), "grains of a storm"));
    wadi_archive_skip(archive);
    (void)wadi_archive_close(archive);
    wadi_bytes_free(&bytes);
    wadi_terrain* terrain = slides->terrain;
    wadi_solver_discard(blocks);
    wadi_solver_discard(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drier_slides_have_more_friction),
        cmocka_unit_test(slides_take_what_is_left),
        cmocka_unit_test(forgotten_flows_leave_no_trace),
        cmocka_unit_test(slides_end_with_their_momentum),
        cmocka_unit_test(grains_have_their_own_hour_and_water),
        cmocka_unit_test(waiting_slides_need_their_hours),
        cmocka_unit_test(blocks_refuse_grains_of_a_storm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
