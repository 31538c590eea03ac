// SPDX-License-Identifier: MIT
// Water: refusals, falling drops, floating and absorbing spheres, no leak without memory.
#include "bodies/water/sph.h"
#include "support/water.h"

#include <wadi/grains.h>

#include <math.h>

enum
{
    MOST = 6000
};

static wadi_result make(water* w)
{
    wadi_sph_destroy(w->sph);
    return wadi_sph_create(w->f.context, &w->params, &w->sph);
}

// ---- refusals ----------------------------------------------------------------------------

static void set_field(wadi_sph_params* params, const wadi_field* field, double value)
{
    unsigned char* at = (unsigned char*)params + field->offset;
    const double held = isnan(value) || fabs(value) > (double)INT32_MAX ? (double)INT32_MAX : value;
    const int32_t whole = (int32_t)held;
    memcpy(at, field->type == WADI_FIELD_DOUBLE ? (const void*)&value : &whole,
           field->type == WADI_FIELD_DOUBLE ? sizeof value : sizeof whole);
}

static void every_parameter_out_of_range_is_refused(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    for (int32_t i = 0; i < wadi_sph_fields.count; ++i)
    {
        const wadi_field* field = &wadi_sph_fields.fields[i];
        const double outside[] = {field->min - 1.0, field->max * 2.0 + 1.0, (double)NAN};
        for (int k = 0; k < 3; ++k)
        {
            w.params = wadi_sph_params_default();
            set_field(&w.params, field, outside[k]);
            CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, field->name, make(&w));
            assert_null(w.sph);
        }
    }
    water_close(&w);
}

static void steps_above_the_stable_limit_are_refused(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    CHECK_OK(w.f.context, make(&w));
    const double limit = wadi_sph_step_limit(w.sph);
    CHECK_NEAR(limit, 0.25 * 0.13 / 50.0, 1e-12);
    w.params.step = 1.001 * limit;
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "at most", make(&w));
    w.params.step = limit;
    CHECK_OK(w.f.context, make(&w));

    // moving water needs shorter steps: the step that was stable at rest stops the run
    const wadi_sph_particle fast = {.velocity = {5.0, 0.0, 0.0}};
    CHECK_OK(w.f.context, wadi_sph_add(w.sph, &fast, 1));
    CHECK_FAILS(w.f.context, WADI_ERROR_STATE, "make step smaller", wadi_sph_advance(w.sph, 1));
    CHECK_FAILS(w.f.context, WADI_ERROR_STATE, "has failed", wadi_sph_advance(w.sph, 1));
    CHECK_NEAR(wadi_sph_step_limit(w.sph), 0.25 * 0.13 / hypot(55.0, 0.0), 1e-7);
    water_close(&w);
}

static void walls_that_make_no_sense_are_refused(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    water_make(&w);
    int32_t number = 7;
    wadi_sph_wall wall = {.normal = {0.0, 0.0, 0.0}};
    CHECK_FAILS(w.f.context, WADI_ERROR_ARGUMENT, "normal",
                wadi_sph_add_wall(w.sph, &wall, &number));
    assert_int_equal(number, -1);
    wall.normal[1] = 2.0;
    wall.drag = 1.5;
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "drag", wadi_sph_add_wall(w.sph, &wall, &number));
    wall.drag = 0.0;
    for (int i = 0; i < WADI_SPH_MAX_WALLS; ++i)
    {
        CHECK_OK(w.f.context, wadi_sph_add_wall(w.sph, &wall, &number));
    }
    CHECK_FAILS(w.f.context, WADI_ERROR_STATE, "remove one first",
                wadi_sph_add_wall(w.sph, &wall, &number));
    CHECK_OK(w.f.context, wadi_sph_remove_wall(w.sph, 3));
    CHECK_FAILS(w.f.context, WADI_ERROR_ARGUMENT, "no wall 3", wadi_sph_remove_wall(w.sph, 3));
    float heights[4] = {0.0f, 0.0f, (float)NAN, 0.0f};
    wadi_sph_ground ground = {.heights = heights, .width = 2, .height = 2, .cell_size = 1.0};
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "(0, 1)", wadi_sph_set_ground(w.sph, &ground));
    ground.width = 1;
    CHECK_FAILS(w.f.context, WADI_ERROR_ARGUMENT, "2 x 2", wadi_sph_set_ground(w.sph, &ground));
    const double low[3] = {0.0, 0.0, 0.0};
    CHECK_FAILS(w.f.context, WADI_ERROR_ARGUMENT, "bounds", wadi_sph_set_bounds(w.sph, low, low));
    CHECK_FAILS(w.f.context, WADI_ERROR_ARGUMENT, "no particle",
                wadi_sph_fill(w.sph, low, low, NULL));
    water_close(&w);
}

static void water_that_makes_no_sense_is_refused(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    w.params.period_y = 0.3;
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "period_y", make(&w));
    w.params.period_y = 1.0;
    CHECK_OK(w.f.context, make(&w));
    wadi_sph_particle particle = {.position = {0.0, 1.0, 0.0}};
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "world's period", wadi_sph_add(w.sph, &particle, 1));
    particle.position[1] = (double)NAN;
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "no number", wadi_sph_add(w.sph, &particle, 1));
    particle.position[1] = 0.5;
    particle.pressure = 1e7;
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "sound_speed", wadi_sph_add(w.sph, &particle, 1));
    wadi_sph_rain rain = {.high = {1.0, 1.0}, .rate = 11.0};
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "rains", wadi_sph_set_rain(w.sph, &rain));
    rain.high[1] = 0.0;
    CHECK_FAILS(w.f.context, WADI_ERROR_ARGUMENT, "rain falls", wadi_sph_set_rain(w.sph, &rain));
    wadi_sph_sphere sphere = {.radius = 0.0};
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "radius", wadi_sph_set_spheres(w.sph, &sphere, 1));
    assert_int_equal(wadi_sph_count(w.sph), 0);
    const size_t size = wadi_sph_save_size(w.sph);
    unsigned char bytes[256] = {0};
    assert_true(size < sizeof bytes);
    CHECK_FAILS(w.f.context, WADI_ERROR_FORMAT, "too few", wadi_sph_restore(w.sph, bytes, 3));
    CHECK_FAILS(w.f.context, WADI_ERROR_FORMAT, "no saved", wadi_sph_restore(w.sph, bytes, size));
    wadi_sph_save(w.sph, bytes);
    CHECK_FAILS(w.f.context, WADI_ERROR_FORMAT, "bytes", wadi_sph_restore(w.sph, bytes, size + 1));
    CHECK_OK(w.f.context, wadi_sph_restore(w.sph, bytes, size));
    CHECK_OK(w.f.context, wadi_sph_advance(w.sph, 5)); // no particles
    water_close(&w);
}

// ---- drops -------------------------------------------------------------------------------

static void a_drop_falls_by_itself(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    water_make(&w);
    const wadi_sph_rain rain = {
        .high = {0.1, 0.1}, .height = 9.0, .rate = 1.0, .velocity = {1.0, 0.0, 0.0}};
    CHECK_OK(w.f.context, wadi_sph_set_rain(w.sph, &rain));
    const double step = wadi_sph_summarize(w.sph).step;
    const int64_t until = (int64_t)ceil(0.1 / step); // a drop of 1 litre per 0.1 s
    water_run(&w, until + 2);
    assert_int_equal(w.count, 1);
    assert_true(w.list[0].drop);
    CHECK_OK(w.f.context, wadi_sph_set_rain(w.sph, NULL));
    const double before[2] = {w.list[0].position[0], w.list[0].position[2]};
    const double sinking = w.list[0].velocity[2];
    water_run(&w, 400);
    const double t = 400.0 * step;
    assert_int_equal(w.count, 1);
    CHECK_NEAR(w.list[0].position[0], before[0] + t, 1e-9);
    // leapfrog: half a step more
    CHECK_NEAR(w.list[0].position[2], before[1] + sinking * t - 0.5 * 9.81 * t * (t + step), 1e-9);
    assert_true(w.list[0].pressure == 0.0);
    CHECK_NEAR(wadi_sph_account(w.sph).rain, 1e-3, 2e-10);
    water_close(&w);
}

// Two single drops pass through each other; with a third they interact as water.
static void drops_become_water_where_they_meet_two(void** state)
{
    (void)state;
    for (int count = 2; count <= 3; ++count)
    {
        water w;
        water_open(&w, 1, MOST);
        w.params.gravity_z = 0.0;
        w.params.step = 1e-4;
        water_make(&w);
        const wadi_sph_rain rain = {.low = {-0.01, -0.01}, .high = {0.01, 0.01}, .rate = 10.0};
        CHECK_OK(w.f.context, wadi_sph_set_rain(w.sph, &rain));
        while (wadi_sph_count(w.sph) < count)
        {
            water_run(&w, 100);
        }
        CHECK_OK(w.f.context, wadi_sph_set_rain(w.sph, NULL));
        water_run(&w, 5);
        assert_int_equal(wadi_sph_summarize(w.sph).drops, count == 2 ? 2 : 0);
        water_close(&w);
    }
}

// ---- spheres -----------------------------------------------------------------------------

// A tank at rest, 1 m deep.
static void open_tank(water* w)
{
    water_open(w, 1, MOST);
    w->params.period_x = 1.0;
    w->params.period_y = 1.0;
    w->params.sound_speed = 35.0;
    water_make(w);
    water_fill(w, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0);
    water_wall(w, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
}

static wadi_sph_touch meet(water* w, const wadi_sph_sphere* sphere)
{
    wadi_sph_touch touch;
    CHECK_OK(w->f.context, wadi_sph_set_spheres(w->sph, sphere, 1));
    water_run(w, 1);
    wadi_sph_read_touches(w->sph, &touch);
    return touch;
}

static void water_lifts_what_it_displaces(void** state)
{
    (void)state;
    water w;
    open_tank(&w);
    const wadi_sph_sphere sphere = {.position = {0.52, 0.47, 0.5}, .radius = 0.06};
    const double volume = 4.0 / 3.0 * 3.14159265358979323846 * 0.06 * 0.06 * 0.06;
    enum
    {
        LONG = 400
    };
    water_pass(&w, 1.5); // let the initial cubic lattice settle
    const double time = LONG * wadi_sph_summarize(w.sph).step;
    (void)meet(&w, &sphere);
    water_run(&w, LONG - 1);
    wadi_sph_touch touch;
    wadi_sph_read_touches(w.sph, &touch);
    // 2 % more, because the water around also carries the force that lifts the sphere
    CHECK_NEAR(touch.impulse[2] / time, 9810.0 * volume, 0.03 * 9810.0 * volume);
    assert_true(fabs(touch.impulse[0]) < 0.02 * touch.impulse[2]);

    // no force in air
    const wadi_sph_sphere dry = {.position = {0.5, 0.5, 1.5}, .radius = 0.06};
    assert_true(meet(&w, &dry).impulse[2] == 0.0);
    water_close(&w);
}

// Quadratic drag at high Reynolds numbers: nearly four times the force at twice the speed; 0.4 is
// the drag coefficient of a sphere.
static void water_drags_what_it_passes(void** state)
{
    (void)state;
    double force[2];
    for (int k = 0; k < 2; ++k)
    {
        water w;
        open_tank(&w);
        const wadi_sph_sphere sphere = {
            .position = {0.5, 0.5, 0.5}, .velocity = {-1.0 - k, 0.0, 0.0}, .radius = 0.02};
        force[k] = meet(&w, &sphere).impulse[0] / wadi_sph_summarize(w.sph).step;
        water_close(&w);
    }
    const double section = 3.14159265358979323846 * 0.02 * 0.02;
    CHECK_NEAR(force[0], 0.5 * 1000.0 * 0.4 * section, 0.1 * 500.0 * 0.4 * section);
    CHECK_NEAR(force[1] / force[0], 4.0, 0.1);
}

// A box that is filled around a sphere at a wall holds so much less water; the room of the sphere
// is part of the saved state, and no room beyond all of the space is accepted.
static void spheres_keep_their_room_in_a_box_and_in_a_save(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    w.params.sound_speed = 35.0;
    water_make(&w);
    water_wall(&w, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    const wadi_sph_sphere sphere = {.position = {0.52, 0.47, 0.05}, .radius = 0.06};
    const double volume = 4.0 / 3.0 * 3.14159265358979323846 * 0.06 * 0.06 * 0.06;
    CHECK_OK(w.f.context, wadi_sph_set_spheres(w.sph, &sphere, 1));
    water_fill(&w, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0);
    const wadi_sph_books books = wadi_sph_account(w.sph);
    CHECK_NEAR(1.0 - books.now, volume, 0.01 * volume);
    assert_true(books.residual == 0 && books.added == books.now);

    const size_t size = wadi_sph_save_size(w.sph);
    unsigned char* bytes = test_calloc(size, 1);
    wadi_sph_save(w.sph, bytes);
    const uint64_t hash = wadi_sph_hash(w.sph);
    CHECK_OK(w.f.context, wadi_sph_set_spheres(w.sph, NULL, 0));
    water_run(&w, 20);
    assert_true(wadi_sph_hash(w.sph) != hash);
    CHECK_OK(w.f.context, wadi_sph_restore(w.sph, bytes, size));
    assert_true(wadi_sph_hash(w.sph) == hash);

    int32_t fullest = 0;
    for (int32_t i = 0; i < w.sph->count; ++i)
    {
        fullest = w.sph->states[i].solid > w.sph->states[fullest].solid ? i : fullest;
    }
    assert_true(w.sph->states[fullest].solid > 0);
    w.sph->states[fullest].solid = SPH_SOLID_MOST + 1;
    wadi_sph_save(w.sph, bytes);
    CHECK_FAILS(w.f.context, WADI_ERROR_FORMAT, "damaged", wadi_sph_restore(w.sph, bytes, size));
    w.sph->states[fullest].solid = -1;
    wadi_sph_save(w.sph, bytes);
    CHECK_FAILS(w.f.context, WADI_ERROR_FORMAT, "damaged", wadi_sph_restore(w.sph, bytes, size));
    test_free(bytes);
    water_close(&w);
}

static void spheres_drink_what_they_have_room_for(void** state)
{
    (void)state;
    water w;
    open_tank(&w);
    const double unit = wadi_sph_account(w.sph).unit;
    const wadi_sph_sphere sphere = {
        .position = {0.5, 0.5, 0.9}, .radius = 0.06, .room = 2.5e-3 + 0.5 * unit};
    const wadi_sph_touch touch = meet(&w, &sphere);
    const wadi_sph_books books = wadi_sph_account(w.sph);
    const double whole = floor(sphere.room / unit) * unit;
    assert_true(books.residual == 0);
    CHECK_NEAR(touch.drunk, whole, 1e-12);
    CHECK_NEAR(books.drunk, whole, 1e-12);
    // two particles are absorbed and a third is smaller
    assert_int_equal(w.count, 998);
    int shrunk = 0;
    for (int32_t i = 0; i < w.count; ++i)
    {
        shrunk += w.list[i].volume < 0.99e-3;
    }
    assert_int_equal(shrunk, 1);
    water_run(&w, 50);
    assert_true(wadi_sph_account(w.sph).residual == 0);
    water_close(&w);
}

// Light and heavy grains in the tank: coupling of water and grains in both directions.
static void grains_rise_or_sink(void** state)
{
    (void)state;
    water w;
    open_tank(&w);
    wadi_grain grains[2] = {{.position = {0.3, 0.5, 0.5}, .radius = 0.03, .material = 0},
                            {.position = {0.7, 0.5, 0.5}, .radius = 0.03, .material = 1}};
    wadi_grain_material materials[2] = {wadi_grain_material_default(),
                                        wadi_grain_material_default()};
    materials[0].density = 500.0;
    wadi_grains_params params = wadi_grains_params_default();
    params.step = wadi_sph_summarize(w.sph).step / 16.0;
    wadi_grains* solid;
    CHECK_OK(w.f.context,
             wadi_grains_create(w.f.context, &params, materials, 2, grains, 2, &solid));
    for (int k = 0; k < 400; ++k)
    {
        wadi_grains_read(solid, grains);
        wadi_sph_sphere spheres[2];
        for (int i = 0; i < 2; ++i)
        {
            spheres[i] = (wadi_sph_sphere){.radius = grains[i].radius};
            memcpy(spheres[i].position, grains[i].position, sizeof spheres[i].position);
            memcpy(spheres[i].velocity, grains[i].velocity, sizeof spheres[i].velocity);
        }
        CHECK_OK(w.f.context, wadi_sph_set_spheres(w.sph, spheres, 2));
        CHECK_OK(w.f.context, wadi_sph_advance(w.sph, 1));
        wadi_sph_touch touches[2];
        wadi_sph_read_touches(w.sph, touches);
        for (int i = 0; i < 2; ++i)
        {
            double force[3];
            for (int c = 0; c < 3; ++c)
            {
                force[c] = touches[i].impulse[c] / wadi_sph_summarize(w.sph).step;
            }
            CHECK_OK(w.f.context, wadi_grains_set_force(solid, i, force));
        }
        CHECK_OK(w.f.context, wadi_grains_advance(solid, 16));
    }
    wadi_grains_read(solid, grains);
    assert_true(grains[0].velocity[2] > 0.2 && grains[1].velocity[2] < -0.2);
    // terminal speed: sqrt(8 R g (ratio - 1) / 3 Cd), Cd = 0.4
    assert_true(grains[0].velocity[2] < 1.1 * sqrt(8.0 * 0.03 * 9.81 * 0.5 / (3.0 * 0.4)));
    wadi_grains_destroy(solid);
    water_close(&w);
}

// ---- walls -------------------------------------------------------------------------------

// Share of Wendland's C2 kernel of support 2h that lies beyond a plane at a distance: its values on
// spheres, times the area of each sphere's cap.
static double kernel_beyond(double distance, double h)
{
    enum
    {
        PARTS = 2000
    };
    const double wide = (2.0 * h - distance) / PARTS;
    double sum = 0.0;
    for (int k = 0; k < PARTS; ++k)
    {
        const double r = distance + (k + 0.5) * wide;
        const double w = 1.0 - 0.5 * r / h;
        sum += w * w * w * w * (1.0 + 2.0 * r / h) * r * (r - distance) * wide;
    }
    return 21.0 / 8.0 / (h * h * h) * sum; // 21 / (16 pi h^3) x 2 pi
}

// Speed that walls at these distances give a particle under pressure in one step; infinite: none.
static void push_from_walls(const double distance[2], double speed[2])
{
    water w;
    water_open(&w, 1, MOST);
    w.params.gravity_z = 0.0;
    water_make(&w);
    const wadi_sph_particle particle = {.position = {0.0, 0.0, 0.0}, .pressure = 1e3};
    CHECK_OK(w.f.context, wadi_sph_add(w.sph, &particle, 1));
    for (int axis = 0; axis < 2; ++axis)
    {
        if (isfinite(distance[axis]))
        {
            const double x = axis == 0 ? -distance[0] : 0.0;
            const double y = axis == 1 ? -distance[1] : 0.0;
            (void)water_wall(&w, x, y, 0.0, axis == 0, axis == 1, 0.0);
        }
    }
    water_run(&w, 1);
    speed[0] = w.list[0].velocity[0];
    speed[1] = w.list[0].velocity[1];
    water_close(&w);
}

// The water behind two walls of a corner counts once: each wall pushes with the share of the kernel
// that the other leaves.
static void walls_of_a_corner_share_the_kernel(void** state)
{
    (void)state;
    const double distance[2] = {0.05, 0.09};
    const double h = 0.1 * wadi_sph_params_default().smoothing;
    double alone[2][2];
    double corner[2];
    push_from_walls((const double[2]){distance[0], (double)INFINITY}, alone[0]);
    push_from_walls((const double[2]){(double)INFINITY, distance[1]}, alone[1]);
    push_from_walls(distance, corner);
    for (int axis = 0; axis < 2; ++axis)
    {
        const double beyond = kernel_beyond(distance[1 - axis], h);
        assert_true(alone[axis][axis] > 0.0 && beyond > 0.05);
        CHECK_NEAR(corner[axis] / alone[axis][axis], 1.0 - beyond, 1e-5);
    }
}

// ---- memory ------------------------------------------------------------------------------

// A step that ran out of memory is repeated; its rain falls once.
static void a_step_that_is_tried_again_rains_once(void** state)
{
    (void)state;
    uint64_t first = 0;
    for (int fails = 0; fails < 2; ++fails)
    {
        water w;
        water_open(&w, 1, MOST);
        w.params.chunk = 40;
        water_make(&w);
        water_fill(&w, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5);
        water_wall(&w, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
        const wadi_sph_rain rain = {.high = {20.0, 20.0}, .height = 1.0, .rate = 0.1};
        CHECK_OK(w.f.context, wadi_sph_set_rain(w.sph, &rain));
        int32_t failures = 0;
        for (int32_t step = 0; step < 60;)
        {
            w.f.memory.calls = 0;
            w.f.memory.fail_at = fails;
            const wadi_result result = wadi_sph_advance(w.sph, 1);
            w.f.memory.fail_at = 0;
            failures += result != WADI_OK;
            step += result == WADI_OK ? 1 : 0;
            if (result != WADI_OK)
            {
                assert_int_equal(result, WADI_ERROR_MEMORY);
                CHECK_OK(w.f.context, wadi_sph_advance(w.sph, 1));
                ++step;
            }
        }
        assert_true(fails == 0 ? failures == 0 : failures > 3);
        assert_true(wadi_sph_account(w.sph).residual == 0);
        first = fails == 0 ? wadi_sph_hash(w.sph) : first;
        assert_true(wadi_sph_hash(w.sph) == first);
        water_close(&w);
    }
}

static wadi_result live(water* w)
{
    wadi_result result = make(w);
    const double low[3] = {0.0, 0.0, 0.0};
    const double high[3] = {0.5, 0.5, 0.5};
    result = result == WADI_OK ? wadi_sph_fill(w->sph, low, high, NULL) : result;
    const float heights[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    const wadi_sph_ground ground = {.heights = heights, .width = 2, .height = 2, .cell_size = 1.0};
    result = result == WADI_OK ? wadi_sph_set_ground(w->sph, &ground) : result;
    const wadi_sph_sphere sphere = {.position = {0.2, 0.2, 0.2}, .radius = 0.1, .room = 1.0};
    result = result == WADI_OK ? wadi_sph_set_spheres(w->sph, &sphere, 1) : result;
    return result == WADI_OK ? wadi_sph_advance(w->sph, 20) : result;
}

static void no_memory_is_lost_where_there_is_none(void** state)
{
    (void)state;
    int64_t n = 1;
    for (bool reached = true; reached; ++n)
    {
        water w;
        water_open(&w, 2, MOST);
        w.params.chunk = 40;
        w.f.memory.calls = 0;
        w.f.memory.fail_at = n;
        const wadi_result result = live(&w);
        reached = w.f.memory.calls >= n;
        w.f.memory.fail_at = 0;
        assert_int_equal(result, reached ? WADI_ERROR_MEMORY : WADI_OK);
        water_close(&w);
    }
    assert_true(n > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_parameter_out_of_range_is_refused),
        cmocka_unit_test(steps_above_the_stable_limit_are_refused),
        cmocka_unit_test(walls_that_make_no_sense_are_refused),
        cmocka_unit_test(water_that_makes_no_sense_is_refused),
        cmocka_unit_test(a_drop_falls_by_itself),
        cmocka_unit_test(drops_become_water_where_they_meet_two),
        cmocka_unit_test(water_lifts_what_it_displaces),
        cmocka_unit_test(water_drags_what_it_passes),
        cmocka_unit_test(spheres_keep_their_room_in_a_box_and_in_a_save),
        cmocka_unit_test(spheres_drink_what_they_have_room_for),
        cmocka_unit_test(grains_rise_or_sink),
        cmocka_unit_test(walls_of_a_corner_share_the_kernel),
        cmocka_unit_test(a_step_that_is_tried_again_rains_once),
        cmocka_unit_test(no_memory_is_lost_where_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
