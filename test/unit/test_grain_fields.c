// SPDX-License-Identifier: MIT
// Coarse-grained fields keep mass, momentum and stress, balance momentum, and have the same bits
// for any threads; a settled bed has the pressure of its weight.
#include "support/soil.h"

#include <wadi/grain_contacts.h>
#include <wadi/grain_fields.h>

#include <math.h>

enum
{
    BED = 900,
    MOST = 8192,
    CELLS = 12 * 12 * 40
};

static const double SIDE = 0.12; // of the periodic box [m]
static const double GRAVITY = 10.0;
static wadi_grain_cell cells[CELLS];
static wadi_grain_cell again[CELLS];

// Grains that have settled on a floor, in a box that is periodic on all sides.
static void bed_open(soil* s, int32_t threads, int32_t chunk, int64_t steps)
{
    soil_open(s, threads, BED);
    s->params.chunk = chunk;
    s->params.gravity_z = -GRAVITY;
    s->params.period_x = SIDE;
    s->params.period_y = SIDE;
    s->materials[0].restitution = 0.2;
    soil_scatter(s, BED, (double[3]){SIDE, SIDE, 0.32}, 0.005, 0.0075, 11);
    soil_make(s);
    soil_floor(s);
    soil_run(s, steps);
}

static wadi_grain_grid bed_grid(void)
{
    return (wadi_grain_grid){
        .low = {0.0, 0.0, -0.05}, .cell_size = 0.01, .cells = {12, 12, 40}, .width = 0.01};
}

static double bed_mass(const soil* s)
{
    double mass = 0.0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        mass += soil_mass(s, i);
    }
    return mass;
}

static void fields_keep_mass_momentum_and_stress(void** state)
{
    (void)state;
    static wadi_grain_contact contacts[MOST];
    soil s;
    bed_open(&s, 1, 4096, 6000); // still falling
    const wadi_grain_grid grid = bed_grid();
    CHECK_OK(s.f.context, wadi_grain_fields(s.grains, &grid, cells));
    const double volume = grid.cell_size * grid.cell_size * grid.cell_size;
    double mass = 0.0;
    double momentum = 0.0;
    double number = 0.0;
    double touches = 0.0;
    double stress = 0.0;
    double flux = 0.0;
    for (int32_t k = 0; k < CELLS; ++k)
    {
        const wadi_grain_cell* cell = &cells[k];
        mass += cell->density * volume;
        momentum += cell->density * cell->velocity[2] * volume;
        number += cell->number * volume;
        touches += cell->number * cell->coordination * volume;
        stress += cell->contact[2][2] * volume;
        flux +=
            volume * (cell->kinetic[2][2] + cell->density * cell->velocity[2] * cell->velocity[2]);
    }
    double wanted_momentum = 0.0;
    double wanted_flux = 0.0;
    for (int32_t i = 0; i < s.count; ++i)
    {
        const double v = s.list[i].velocity[2];
        wanted_momentum += soil_mass(&s, i) * v;
        wanted_flux += soil_mass(&s, i) * v * v;
    }
    int64_t count = 0;
    CHECK_OK(s.f.context, wadi_grains_contacts(s.grains, contacts, MOST, &count));
    double wanted_stress = 0.0;
    double wanted_touches = 0.0;
    for (int64_t k = 0; k < count; ++k)
    {
        const wadi_grain_contact* c = &contacts[k];
        wanted_stress += c->branch[2] * (c->normal_force * c->normal[2] + c->tangential[2]);
        wanted_touches += c->kind == WADI_GRAIN_CONTACT_WALL ? 1.0 : 2.0;
    }
    print_message("%lld contacts\n", (long long)count);
    assert_true(count > 100 && count < MOST);
    assert_true(fabs(mass / bed_mass(&s) - 1.0) < 1e-12);
    assert_true(fabs(momentum / wanted_momentum - 1.0) < 1e-10);
    assert_true(fabs(flux / wanted_flux - 1.0) < 1e-10);
    assert_true(fabs(number / s.count - 1.0) < 1e-12);
    assert_true(fabs(touches / wanted_touches - 1.0) < 1e-10);
    assert_true(fabs(stress / wanted_stress - 1.0) < 1e-10); // Love and Weber
    soil_close(&s);
}

// Granular temperature: that of random velocities, not of a common motion.
static void temperature_is_that_about_the_mean_velocity(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 2);
    soil_add(&s, 0.0, 0.0, 0.0, 0.01)->velocity[0] = 3.0;
    soil_add(&s, 0.0, 0.0, 0.0, 0.01)->velocity[0] = 5.0;
    soil_make(&s);
    const wadi_grain_grid grid = {
        .low = {-0.05, -0.05, -0.05}, .cell_size = 0.1, .cells = {1, 1, 1}, .width = 0.012};
    wadi_grain_cell cell;
    CHECK_OK(s.f.context, wadi_grain_fields(s.grains, &grid, &cell));
    assert_true(fabs(cell.velocity[0] - 4.0) < 1e-12);
    assert_true(fabs(cell.temperature - 1.0 / 3.0) < 1e-12);
    assert_true(fabs(cell.kinetic[0][0] / cell.density - 1.0) < 1e-12);
    soil_close(&s);
}

static void fields_do_not_depend_on_threads_or_chunks(void** state)
{
    (void)state;
    const wadi_grain_grid grid = bed_grid();
    soil s;
    bed_open(&s, 1, 4096, 6000);
    const uint64_t hash = wadi_grains_hash(s.grains);
    CHECK_OK(s.f.context, wadi_grain_fields(s.grains, &grid, cells));
    assert_true(wadi_grains_hash(s.grains) == hash);
    soil_close(&s);
    bed_open(&s, 3, 64, 6000);
    CHECK_OK(s.f.context, wadi_grain_fields(s.grains, &grid, again));
    assert_memory_equal(cells, again, sizeof cells);
    soil_close(&s);
}

// Mean of a plane of cells.
static double plane_mean(int32_t k, double (*value)(const wadi_grain_cell*))
{
    double sum = 0.0;
    for (int32_t i = 0; i < 144; ++i)
    {
        sum += value(&cells[k * 144 + i]) / 144.0;
    }
    return sum;
}

static double cell_pressure(const wadi_grain_cell* cell)
{
    return cell->contact[2][2] + cell->kinetic[2][2];
}

static double cell_density(const wadi_grain_cell* cell)
{
    return cell->density;
}

static double cell_wall(const wadi_grain_cell* cell)
{
    return cell->wall[2];
}

static double cell_at(int32_t i, int32_t j, int32_t k, int a, int b)
{
    const wadi_grain_cell* cell = &cells[k * 144 + (j + 12) % 12 * 12 + (i + 12) % 12];
    return cell->contact[a][b] + cell->kinetic[a][b];
}

// Each cell of a bed at rest: weight, wall and the divergence of stress.
static void check_balance(soil* s)
{
    wadi_grain_grid grid = bed_grid();
    grid.width = 0.02;
    CHECK_OK(s->f.context, wadi_grain_fields(s->grains, &grid, cells));
    double square = 0.0;
    double scale = 0.0;
    for (int32_t k = 1; k < 39; ++k)
    {
        for (int32_t i = 0; i < 144; ++i)
        {
            const int32_t x = i % 12;
            const int32_t y = i / 12;
            const wadi_grain_cell* cell = &cells[k * 144 + i];
            const double slope = cell_at(x + 1, y, k, 0, 2) - cell_at(x - 1, y, k, 0, 2) +
                                 cell_at(x, y + 1, k, 1, 2) - cell_at(x, y - 1, k, 1, 2) +
                                 cell_at(x, y, k + 1, 2, 2) - cell_at(x, y, k - 1, 2, 2);
            const double off =
                cell->wall[2] - GRAVITY * cell->density - slope / (2.0 * grid.cell_size);
            square += off * off;
            scale += GRAVITY * GRAVITY * cell->density * cell->density;
        }
    }
    print_message("residual of momentum %.4f of the weight\n", sqrt(square / scale));
    assert_true(sqrt(square / scale) < 0.05);
}

// At rest the pressure of a plane of cells is the weight above it, less what the floor carries
// within the smoothing width.
static void slow_bed_has_the_pressure_of_its_weight(void** state)
{
    (void)state;
    soil s;
    bed_open(&s, 1, 4096, 60000);
    const wadi_grain_grid grid = bed_grid();
    CHECK_OK(s.f.context, wadi_grain_fields(s.grains, &grid, cells));
    const double weight = bed_mass(&s) * GRAVITY / (SIDE * SIDE);
    double above = 0.0;
    double worst = 0.0;
    for (int32_t k = 39; k >= 0; --k)
    {
        const double force = plane_mean(k, cell_wall) - GRAVITY * plane_mean(k, cell_density);
        const double middle = above - 0.5 * force * grid.cell_size;
        const double off = fabs(plane_mean(k, cell_pressure) - middle) / weight;
        worst = off > worst ? off : worst;
        above -= force * grid.cell_size;
    }
    print_message("weight %.1f Pa; largest difference of a plane %.4f of it; left below %.2g\n",
                  weight, worst, above / weight);
    assert_true(weight > 1000.0);
    assert_true(worst < 0.02);
    assert_true(fabs(above / weight) < 1e-3); // floor and weight
    check_balance(&s);
    soil_close(&s);
}

static void bad_grids_are_refused(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    soil_add(&s, 0.0, 0.0, 0.0, 0.01);
    soil_make(&s);
    wadi_grain_grid grid = bed_grid();
    grid.width = 0.0009;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "0.1 to 20 cells",
                wadi_grain_fields(s.grains, &grid, cells));
    grid = bed_grid();
    grid.cells[1] = 0;
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "0 cells along y",
                wadi_grain_fields(s.grains, &grid, cells));
    grid = bed_grid();
    grid.cell_size = 0.0;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "cell_size",
                wadi_grain_fields(s.grains, &grid, cells));
    soil_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_keep_mass_momentum_and_stress),
        cmocka_unit_test(temperature_is_that_about_the_mean_velocity),
        cmocka_unit_test(fields_do_not_depend_on_threads_or_chunks),
        cmocka_unit_test(slow_bed_has_the_pressure_of_its_weight),
        cmocka_unit_test(bad_grids_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
