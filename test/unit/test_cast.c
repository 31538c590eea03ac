// SPDX-License-Identifier: MIT
// Kernels of pictures: every instruction set finds the same hits and the same light, and rays hit
// the ground where marching along them meets it.
#include "support/fixture.h"

#include "maps/render/cast_kernels.h"
#include "maps/render/light_kernels.h"

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

static void every_instruction_set_lights_alike(void** state)
{
    (void)state;
    light_slope slopes[WIDE];
    float rises[WIDE];
    light_dome domes[WADI_ISA_COUNT][WIDE] = {{{0.0f, 0.0f}}};
    uint64_t random = 9;
    for (int32_t x = 0; x < WIDE; ++x)
    {
        slopes[x] = (light_slope){2.0f * random_share(&random) - 1.0f, random_share(&random)};
        rises[x] = 3.0f * random_share(&random) - 1.0f;
    }
    for (int isa = 0; isa < WADI_ISA_COUNT; ++isa)
    {
        if (wadi_isa_runs((wadi_isa)isa))
        {
            light_kernels_of((wadi_isa)isa)
                ->sky(&(light_sky_row){WIDE, 0.6f, 0.8f, 0.13f, rises, slopes, domes[isa]});
            assert_memory_equal(domes[isa], domes[0], sizeof domes[0]);
        }
    }
    assert_true(domes[0][0].seen > 0.0f && domes[0][0].seen <= 1.0f / LIGHT_DIRECTIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_hit_the_ground),
        cmocka_unit_test(every_instruction_set_casts_alike),
        cmocka_unit_test(every_instruction_set_lights_alike),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
