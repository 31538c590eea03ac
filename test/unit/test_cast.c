// SPDX-License-Identifier: MIT
// Parts of pictures: every instruction set finds the same hits and the same light, rays hit the
// ground where marching along them meets it, and streams are smooth lines.
#include "support/fixture.h"

#include "maps/render/cast_kernels.h"
#include "maps/render/colour_kernels.h"
#include "maps/render/sky.h"
#include "maps/render/stream_lines.h"

#include <math.h>
#include <string.h>

enum
{
    WIDE = 70,
    HIGH = 53,
    ROUNDS = 200
};

static const float bottom = -6.0f;

static float random_share(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)(*state >> 40) * 0x1p-24f;
}

// Rough ground from 0 to 9 cells high with a void.
static render_relief rough(fixture* f, float* top)
{
    uint64_t state = 3;
    for (int32_t i = 0; i < WIDE * HIGH; ++i)
    {
        top[i] = 9.0f * random_share(&state) * random_share(&state);
    }
    top[20 * WIDE + 30] = NAN;
    return (render_relief){
        .context = f->context, .width = WIDE, .height = HIGH, .ground = top, .top = top};
}

// Rays from above the ground and beside it to points on it; a full call, and one with some.
static void aim(cast_rays* rays, int32_t count, uint64_t* state)
{
    memset(rays, 0, sizeof *rays);
    rays->count = count;
    for (int32_t i = 0; i < count; ++i)
    {
        const float x = 110.0f * random_share(state) - 20.0f;
        const float y = 93.0f * random_share(state) - 20.0f;
        const float z = 10.0f + 20.0f * random_share(state);
        const float dx = (float)WIDE * random_share(state) - x;
        const float dy = (float)HIGH * random_share(state) - y;
        const float dz = 11.0f * random_share(state) - z;
        const float scale = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz);
        rays->rays[i] = (render_ray){x, y, z, scale * dx, scale * dy, scale * dz};
    }
}

// Height above the ground, or above everything where there is none.
static float clearance(const render_relief* r, const render_ray* ray, float t)
{
    const float x = ray->x + t * ray->dx;
    const float y = ray->y + t * ray->dy;
    if (x < 0.0f || y < 0.0f || x >= (float)(r->width - 1) || y >= (float)(r->height - 1))
    {
        return INFINITY;
    }
    const relief_point at = relief_locate(r, x, y);
    const float ground = relief_read(r->top, &at);
    return isnan(ground) ? INFINITY : ray->z + t * ray->dz - ground;
}

static void check_hit(const render_relief* r, const render_ray* ray, const cast_hit* hit)
{
    const float to_bottom = ray->dz < 0.0f ? (bottom - ray->z) / ray->dz : 300.0f;
    const float end = hit->kind == CAST_MISS ? to_bottom : hit->t;
    for (int32_t k = 0; k < 400; ++k)
    {
        assert_true(clearance(r, ray, end * (float)k / 400.0f) > -0.01f);
    }
    if (hit->kind == CAST_GROUND)
    {
        assert_true(fabsf(clearance(r, ray, hit->t)) < 0.02f);
    }
}

static void rays_hit_the_ground(void** state)
{
    fixture* f = *state;
    static float top[WIDE * HIGH];
    const render_relief r = rough(f, top);
    render_caster caster;
    CHECK_OK(f->context, wadi_caster_create(&r, &caster));
    uint64_t random = 11;
    int32_t kinds[3] = {0, 0, 0};
    for (int32_t round = 0; round < ROUNDS; ++round)
    {
        cast_rays rays;
        aim(&rays, 1 + round % CAST_LANES, &random);
        wadi_cast_rays(&caster, &rays, bottom);
        for (int32_t i = 0; i < rays.count; ++i)
        {
            check_hit(&r, &rays.rays[i], &rays.hits[i]);
            kinds[rays.hits[i].kind] += 1;
        }
    }
    assert_true(kinds[CAST_MISS] > 100 && kinds[CAST_GROUND] > 500 && kinds[CAST_SIDE] > 5);
    wadi_caster_destroy(&caster);
}

static void every_instruction_set_casts_alike(void** state)
{
    fixture* f = *state;
    static float top[WIDE * HIGH];
    const render_relief r = rough(f, top);
    render_caster caster;
    CHECK_OK(f->context, wadi_caster_create(&r, &caster));
    for (int isa = 0; isa < WADI_ISA_COUNT; ++isa)
    {
        uint64_t random = 5;
        for (int32_t round = 0; wadi_isa_runs((wadi_isa)isa) && round < ROUNDS; ++round)
        {
            cast_rays rays;
            aim(&rays, 1 + round % CAST_LANES, &random);
            cast_rays base = rays;
            cast_kernels_of((wadi_isa)isa)->cast(&caster, &rays, bottom);
            cast_kernels_of(WADI_ISA_BASE)->cast(&caster, &base, bottom);
            assert_memory_equal(rays.hits, base.hits, sizeof base.hits);
        }
    }
    wadi_caster_destroy(&caster);
}

// Numbers of a row that kernels read and write.
typedef struct light_test
{
    float lift[WIDE], near[WIDE], scratch[4 * WIDE], rise[WIDE], slope_x[WIDE], slope_y[WIDE],
        up[WIDE], glow[WIDE], seen[WIDE];
    float broad[WIDE], fine[WIDE], ground[WIDE], crack[WIDE], stratum[WIDE];
    uint8_t bytes[3 * WIDE];
} light_test;

static void light_row(wadi_isa isa, const float* top, float* coarse, light_test* t)
{
    static const float distances[3] = {1.0f, 2.6f, 5.0f};
    const light_kernels* kernels = light_kernels_of(isa);
    memset(t, 0, sizeof *t);
    uint64_t random = 9;
    for (int32_t x = 0; x < WIDE; ++x)
    {
        t->slope_x[x] = 2.0f * random_share(&random) - 1.0f;
        t->slope_y[x] = random_share(&random);
        t->up[x] = random_share(&random);
    }
    kernels->rise(&(light_rise_row){.heights = top,
                                    .width = WIDE,
                                    .height = HIGH,
                                    .y = 19,
                                    .along_x = 0.6f,
                                    .along_y = -0.8f,
                                    .distances = distances,
                                    .samples = 3,
                                    .cell = 1.0f,
                                    .coarse = {coarse, coarse + WIDE * HIGH / 2},
                                    .here = {t->lift, t->near},
                                    .scratch = t->scratch,
                                    .out = t->rise});
    kernels->sky(&(light_sky_row){WIDE, 0.6f, 0.8f, 0.13f, t->rise, t->slope_x, t->slope_y, t->up,
                                  t->glow, t->seen});
    kernels->noise(&(light_noise_row){WIDE, 3, 77, t->broad, t->fine, t->scratch});
    memcpy(t->ground, top, sizeof t->ground);
    t->ground[WIDE / 2] = NAN; // a void
    kernels->crags(&(light_crag_row){WIDE, 77, 5.0f, t->ground, t->slope_x, t->slope_y, t->broad,
                                     t->crack, t->stratum});
    colour_kernels_of(isa)->encode(t->broad, 5, WIDE, t->bytes);
}

static void every_instruction_set_lights_alike(void** state)
{
    static float top[WIDE * HIGH];
    static float coarse[WIDE * HIGH];
    static light_test first;
    static light_test other;
    rough(*state, top);
    uint64_t random = 5;
    for (int32_t i = 0; i < WIDE * HIGH; ++i)
    {
        coarse[i] = random_share(&random);
    }
    light_row(WADI_ISA_BASE, top, coarse, &first);
    for (int isa = 0; isa < WADI_ISA_COUNT; ++isa)
    {
        if (wadi_isa_runs((wadi_isa)isa))
        {
            light_row((wadi_isa)isa, top, coarse, &other);
            assert_memory_equal(&other, &first, sizeof first);
        }
    }
    for (int32_t x = 0; x < WIDE; ++x)
    {
        assert_true(first.rise[x] >= 0.0f && first.rise[x] < 10.0f); // a void hides nothing
        assert_true(first.seen[x] > 0.0f && first.seen[x] <= 1.0f / LIGHT_DIRECTIONS);
        assert_true(fabsf(first.broad[x]) <= 1.0f && fabsf(first.fine[x]) <= 1.0f);
        assert_true(fabsf(first.crack[x]) <= 1.0f && fabsf(first.stratum[x]) <= 1.0f);
    }
}

// Before a high plateau the tangent of the horizon is its height over the distance, at any
// distance: at most two fifths less, since the ground is read at some distances. A level plain and
// the plateau itself see all of the sky.
static void far_ground_stands_before_the_sky(void** state)
{
    enum
    {
        LONG = 301,
        BRINK = 150
    };
    static float top[LONG * LONG];
    float rise[LONG];
    fixture* f = *state;
    for (int32_t i = 0; i < LONG * LONG; ++i)
    {
        top[i] = i % LONG >= BRINK ? 30.0f : 0.0f;
    }
    const render_relief relief = {
        .context = f->context, .width = LONG, .height = LONG, .ground = top, .top = top};
    render_sky sky;
    assert_int_equal(wadi_sky_create(&relief, light_kernels_of(wadi_isa_best()), &sky), WADI_OK);
    for (int32_t k = 0; k < LIGHT_DIRECTIONS; ++k)
    {
        wadi_sky_row(&sky, k, LONG / 2, 0, rise);
        for (int32_t x = 0; x < LONG; ++x)
        {
            const float away = (float)(BRINK - x) / sky.along_x[k];
            const bool hidden = x < BRINK && sky.along_x[k] > 0.9f;
            const bool open = x > BRINK || sky.along_x[k] < 0.0f;
            const float share = rise[x] * away / 30.0f;
            assert_true(!hidden || (share > 0.6f && share < 1.05f));
            assert_true(!open || rise[x] < 1e-5f);
        }
    }
    wadi_sky_destroy(&sky);
}

// A stream whose receivers lie east, east and north-east in turns runs straight: the middle of the
// drawn line is within a fifth of a cell of it, on a finer and on an equal grid.
static void streams_do_not_follow_eight_directions(void** state)
{
    enum
    {
        COLUMNS = 48,
        ROWS = 24,
        FINE = 3
    };
    static wadi_flow_target targets[COLUMNS * ROWS];
    static double area[COLUMNS * ROWS];
    static float cover[COLUMNS * ROWS];
    static float out[COLUMNS * ROWS * FINE * FINE];
    fixture* f = *state;
    memset(cover, 0, sizeof cover);
    for (int32_t x = 0; x < COLUMNS; ++x)
    {
        const int32_t i = (20 - x / 3) * COLUMNS + x;
        targets[i].first = x % 3 == 2 ? WADI_FLOW_NORTH_EAST : WADI_FLOW_EAST;
        area[i] = x;
        cover[i] = 0.8f;
    }
    const stream_lines streams = {COLUMNS, ROWS, targets, area, cover};
    for (int32_t refine = 1; refine <= FINE; refine += FINE - 1)
    {
        const render_relief relief = {
            .context = f->context, .width = COLUMNS * refine, .height = ROWS * refine};
        memset(out, 0, sizeof out);
        assert_int_equal(wadi_stream_lines_draw(&streams, &relief, (float)refine, out), WADI_OK);
        for (int32_t x = 12 * refine; x < (COLUMNS - 12) * refine; ++x)
        {
            float sum = 0.0f;
            float middle = 0.0f;
            for (int32_t y = 0; y < relief.height; ++y)
            {
                sum += out[y * relief.width + x];
                middle += ((float)y + 0.5f) / (float)refine * out[y * relief.width + x];
            }
            const float line =
                20.5f + 1.0f / 3.0f + 0.5f / 3.0f - ((float)x + 0.5f) / (float)refine / 3.0f;
            assert_true(sum > 0.4f && fabsf(middle / sum - line) < 0.2f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_hit_the_ground),
        cmocka_unit_test(every_instruction_set_casts_alike),
        cmocka_unit_test(every_instruction_set_lights_alike),
        cmocka_unit_test(far_ground_stands_before_the_sky),
        cmocka_unit_test(streams_do_not_follow_eight_directions),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
