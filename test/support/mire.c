// SPDX-License-Identifier: MIT
#include "support/mire.h"

void mire_open(mire* m, int32_t threads, int32_t capacity)
{
    *m = (mire){.material_count = 1, .capacity = capacity};
    fixture_open(&m->f, threads);
    m->params = wadi_wet_grains_params_default();
    m->solid = wadi_grains_params_default();
    for (int32_t i = 0; i < MIRE_MOST_MATERIALS; ++i)
    {
        m->materials[i] = wadi_wet_material_default();
    }
    m->list = test_calloc((size_t)capacity, sizeof *m->list);
}

void mire_close(mire* m)
{
    wadi_wet_grains_destroy(m->world);
    test_free(m->list);
    fixture_close(&m->f);
}

wadi_grain* mire_add(mire* m, double x, double y, double z, double radius)
{
    assert_true(m->count < m->capacity);
    wadi_grain* grain = &m->list[m->count++];
    *grain = (wadi_grain){.position = {x, y, z}, .radius = radius};
    return grain;
}

void mire_make(mire* m)
{
    CHECK_OK(m->f.context, wadi_wet_grains_create(m->f.context, &m->params, &m->solid, m->materials,
                                                  m->material_count, m->list, m->count, &m->world));
}

wadi_grains* mire_solid(const mire* m)
{
    return wadi_wet_grains_solid(m->world);
}

void mire_wall(mire* m, double px, double py, double pz, double nx, double ny, double nz)
{
    const wadi_grain_wall wall = {.point = {px, py, pz}, .normal = {nx, ny, nz}};
    int32_t number;
    CHECK_OK(m->f.context, wadi_grains_add_wall(mire_solid(m), &wall, &number));
}

void mire_pass(mire* m, double seconds)
{
    CHECK_OK(m->f.context, wadi_wet_grains_advance(m->world, seconds));
    wadi_grains_read(mire_solid(m), m->list);
}

void mire_settle(mire* m, double seconds)
{
    bool rests = false;
    CHECK_OK(m->f.context, wadi_wet_grains_settle(m->world, seconds, &rests));
    assert_true(rests);
    wadi_grains_read(mire_solid(m), m->list);
}

wadi_wet_grains_summary mire_look(const mire* m)
{
    return wadi_wet_grains_summarize(m->world);
}

void mire_check_books(const mire* m)
{
    const wadi_seepage_books books = mire_look(m).water;
    assert_int_equal(books.residual, 0);
    const double in = books.before + books.rain + books.given + books.held;
    const double out = books.now + books.runoff + books.evaporated + books.drained;
    CHECK_NEAR(in, out, 1e-12 * (in + out));
}
