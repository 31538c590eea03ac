// SPDX-License-Identifier: MIT
// Talus compared with a plain serial version, bit for bit, and with the behaviour of sand.
#include "support/fixture.h"

#include "core/internal.h"
#include "core/random.h"
#include "laws/slopes/talus.h"
#include "laws/slopes/talus_wake.h"
#include "plain_talus.h"

#include <math.h>
#include <stdlib.h>

enum
{
    SWEEPS = 100000 // more than any case here needs
};

static wadi_terrain* ground_of(fixture* f, int32_t width, int32_t height, double cell,
                               wadi_edge edge)
{
    return fixture_plain(f, width, height, cell, edge);
}

static float noise_at(uint64_t seed, int32_t x, int32_t y)
{
    return wadi_unit_float(wadi_random(seed, 0, (uint64_t)y << 32 | (uint32_t)x, 0).v[0]);
}

static void set_sand(wadi_terrain* terrain, int32_t x, int32_t y, double metres)
{
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    ground->loose[0][(int64_t)y * ground->width + x] = (int32_t)(metres * WADI_UNITS_PER_METRE);
}

// Random columns of sand on random rock, shifted by (dx, dy) around the torus.
static void set_columns(wadi_terrain* terrain, double relief, int32_t dx, int32_t dy)
{
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int32_t to_x = (x + dx) % ground->width;
            const int32_t to_y = (y + dy) % ground->height;
            const double rock = relief * (double)noise_at(1, x / 3, y / 3);
            const double sand = relief * (double)noise_at(2, x, y);
            ground->bedrock[(int64_t)to_y * ground->width + to_x] =
                (int32_t)(rock * WADI_UNITS_PER_METRE);
            set_sand(terrain, to_x, to_y, noise_at(3, x, y) < 0.3f ? 0.0 : sand);
        }
    }
}

static int32_t relax(wadi_terrain* terrain, const wadi_talus_law* law, int32_t sweeps)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_talus* talus = NULL;
    CHECK_OK(context, wadi_talus_create(context, ground->width, ground->height,
                                        law->rock_repose < 90.0, &talus));
    wadi_talus_touch_all(talus);
    wadi_tally tally = {0};
    const int32_t done = wadi_talus_relax(talus, ground, law, sweeps, &tally);
    assert_true(done < SWEEPS);
    assert_true(sweeps < SWEEPS || wadi_talus_is_still(talus));
    wadi_talus_destroy(talus);
    wadi_terrain_changed(terrain);
    wadi_terrain_book(terrain, "talus", &tally);
    return done;
}

static double tangent(double degrees)
{
    return tan(degrees * 3.14159265358979323846 / 180.0);
}

// ---- the same bits ------------------------------------------------------------------------------

static void check_plain(int32_t width, int32_t height, wadi_edge edge)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = ground_of(&f, width, height, 2.0, edge);
    set_columns(terrain, 12.0, 0, 0);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    const size_t bytes = (size_t)ground->cells * sizeof(int32_t);
    const wadi_talus_law law = wadi_talus_law_default();
    const double cell = ground->cell_size * WADI_UNITS_PER_METRE;
    const plain_talus plain = {
        .width = width,
        .height = height,
        .periodic = edge == WADI_EDGE_PERIODIC,
        .rock = ground->bedrock,
        .sand = test_malloc(bytes),
        .hold = (float)(cell * tangent(law.repose)),
        .start = (float)(cell * tangent(law.repose + law.hysteresis)),
        .share = (float)law.share,
        .change = test_malloc(bytes),
    };
    memcpy(plain.sand, ground->loose[0], bytes);
    assert_true(plain_talus_relax(&plain) > 3 || width * height < 30);
    relax(terrain, &law, SWEEPS);
    assert_memory_equal(ground->loose[0], plain.sand, bytes);
    test_free(plain.sand);
    test_free(plain.change);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Grids of several tiles, tiles one column or row wide, and partial tiles.
static void agrees_with_the_plain_version(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{150, 70}, {129, 33}, {257, 65}, {128, 32}, {1, 1},
                                       {2, 2},    {3, 1},    {1, 40},   {14, 14},  {40, 131}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
    {
        check_plain(sizes[i][0], sizes[i][1], WADI_EDGE_CLOSED);
        check_plain(sizes[i][0], sizes[i][1], WADI_EDGE_PERIODIC);
    }
}

static void a_rolled_torus_gives_the_rolled_result(void** state)
{
    (void)state;
    enum
    {
        WIDTH = 300,
        HEIGHT = 90,
        BY_X = 77,
        BY_Y = 41
    };
    fixture f;
    fixture_open(&f, 2);
    const wadi_talus_law law = wadi_talus_law_default();
    wadi_terrain* still = ground_of(&f, WIDTH, HEIGHT, 1.0, WADI_EDGE_PERIODIC);
    wadi_terrain* rolled = ground_of(&f, WIDTH, HEIGHT, 1.0, WADI_EDGE_PERIODIC);
    set_columns(still, 20.0, 0, 0);
    set_columns(rolled, 20.0, BY_X, BY_Y);
    relax(still, &law, SWEEPS);
    relax(rolled, &law, SWEEPS);
    for (int32_t y = 0; y < HEIGHT; ++y)
    {
        for (int32_t x = 0; x < WIDTH; ++x)
        {
            assert_int_equal(wadi_terrain_units(still, WADI_LAYER_SEDIMENT, x, y),
                             wadi_terrain_units(rolled, WADI_LAYER_SEDIMENT, (x + BY_X) % WIDTH,
                                                (y + BY_Y) % HEIGHT));
        }
    }
    wadi_terrain_destroy(still);
    wadi_terrain_destroy(rolled);
    fixture_close(&f);
}

static uint64_t hash_on(int32_t threads)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_terrain* terrain = ground_of(&f, 333, 150, 3.0, WADI_EDGE_OPEN);
    set_columns(terrain, 40.0, 0, 0);
    wadi_talus_law law = wadi_talus_law_default();
    law.rock_repose = 60.0;
    relax(terrain, &law, 40);
    const uint64_t hash = wadi_terrain_hash(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return hash;
}

static void threads_change_nothing(void** state)
{
    (void)state;
    const uint64_t one = hash_on(1);
    for (int32_t threads = 2; threads <= 8; ++threads)
    {
        assert_true(hash_on(threads) == one);
    }
}

// One row of each kind of ground in every build of the kernels, with slopes of repose that are
// given or follow from tangents.
static void check_instruction_sets(bool tangents)
{
    enum
    {
        STRIDE = 80,
        COUNT = 64,
        ALL = (1 << COUNT / TALUS_LANES) - 1, // vectors
        ROW = 16 + STRIDE
    };
    int32_t surface[3 * STRIDE + 16];
    int32_t loose[COUNT];
    float hold[COUNT];
    float start[COUNT];
    float tangent_of[COUNT];
    for (int32_t i = 0; i < 3 * STRIDE + 16; ++i)
    {
        const float r = noise_at(4, i, 0);
        surface[i] = r < 0.1f ? TALUS_WALL : (int32_t)(1e6f * r) - (i % 7 == 0 ? 900000000 : 0);
    }
    for (int32_t i = 0; i < COUNT; ++i)
    {
        const float r = 1e6f * noise_at(5, i, 0);
        loose[i] = r > 3e5f ? (int32_t)r : 0;
        hold[i] = 1e5f * noise_at(6, i, 0);
        start[i] = 1.02f * hold[i];
        tangent_of[i] = 0.1f + noise_at(6, i, 0);
    }
    int32_t fluxes[WADI_ISA_COUNT][TALUS_NEIGHBOURS + 1][COUNT];
    float slopes[WADI_ISA_COUNT][COUNT];
    for (int b = 0; b < WADI_ISA_COUNT; ++b)
    {
        const talus_kernels* kernels = talus_kernels_of((wadi_isa)b);
        if (!wadi_isa_runs((wadi_isa)b))
        {
            print_message("%s does not run here\n", wadi_isa_name((wadi_isa)b));
            continue;
        }
        talus_flux_row row = {.surface = surface + ROW,
                              .stride = STRIDE,
                              .count = COUNT,
                              .loose = loose,
                              .tangents = tangents ? tangent_of : NULL,
                              .scale = 1e5f,
                              .widening = 0.0087f,
                              .hold = hold,
                              .start = start,
                              .awake = ALL,
                              .stale = ALL,
                              .share = 0.4f,
                              .slope = slopes[b],
                              .given = fluxes[b][TALUS_NEIGHBOURS]};
        for (int k = 0; k < TALUS_NEIGHBOURS; ++k)
        {
            row.flux[k] = fluxes[b][k];
        }
        // a rough test leaves all vectors that slide
        const uint32_t steep = kernels->steep(&row);
        const uint32_t moves = kernels->flux(&row);
        assert_true(moves != 0);
        assert_int_equal(moves & ~steep, 0);
        assert_memory_equal(fluxes[b], fluxes[0], sizeof fluxes[0]);
        assert_memory_equal(slopes[b], slopes[0], sizeof slopes[0]);
    }
}

static void instruction_sets_change_nothing(void** state)
{
    (void)state;
    check_instruction_sets(false);
    check_instruction_sets(true);
}

// ---- what sand does -----------------------------------------------------------------------------

// Steepest descent between neighbours [tangent] along the axes or the diagonals.
static double steepest(const wadi_terrain* terrain, bool diagonal)
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    const double run = ground->cell_size * WADI_UNITS_PER_METRE * (diagonal ? sqrt(2.0) : 1.0);
    double most = 0.0;
    for (int32_t y = 1; y < ground->height - 1; ++y)
    {
        for (int32_t x = 1; x < ground->width - 1; ++x)
        {
            const int64_t i = (int64_t)y * ground->width + x;
            const int64_t to[2] = {diagonal ? i + 1 + ground->width : i + 1,
                                   diagonal ? i + 1 - ground->width : i + ground->width};
            for (int k = 0; k < 2; ++k)
            {
                const double drop = (double)wadi_ground_surface(ground, i) -
                                    (double)wadi_ground_surface(ground, to[k]);
                most = fmax(most, fabs(drop) / run);
            }
        }
    }
    return most;
}

static double height_at(const wadi_terrain* terrain, double x, double y)
{
    const int32_t ix = (int32_t)x;
    const int32_t iy = (int32_t)y;
    const double fx = x - ix;
    const double fy = y - iy;
    double sum = 0.0;
    for (int32_t k = 0; k < 4; ++k)
    {
        const double weight = (k % 2 != 0 ? fx : 1.0 - fx) * (k / 2 != 0 ? fy : 1.0 - fy);
        sum += weight * wadi_terrain_units(terrain, WADI_LAYER_SURFACE, ix + k % 2, iy + k / 2);
    }
    return sum / WADI_UNITS_PER_METRE;
}

// Slope [degree] of a pile's flank between 25 and 75 % of its height.
static double flank(const wadi_terrain* terrain, double azimuth)
{
    const double middle = 0.5 * wadi_terrain_width(terrain);
    const double top = height_at(terrain, middle, middle);
    const double turn = azimuth * 3.14159265358979323846 / 180.0;
    double inner = 0.0;
    double outer = 0.0;
    for (double r = 0.0; r < middle - 2.0; r += 0.02)
    {
        const double h = height_at(terrain, middle + r * cos(turn), middle + r * sin(turn));
        inner = h > 0.75 * top ? r : inner;
        outer = h > 0.25 * top ? r : outer;
    }
    const double run = (outer - inner) * wadi_terrain_cell_size(terrain);
    return atan(0.5 * top / run) * 180.0 / 3.14159265358979323846;
}

// A round column in the middle of flat rock.
static void set_pile(wadi_terrain* terrain, double metres)
{
    const int32_t size = wadi_terrain_width(terrain);
    for (int32_t y = 0; y < size; ++y)
    {
        for (int32_t x = 0; x < size; ++x)
        {
            const int32_t u = x - size / 2;
            const int32_t v = y - size / 2;
            set_sand(terrain, x, y, u * u + v * v < size * size / 100 ? metres : 0.0);
        }
    }
}

static void check_pile(double cell, double repose, double hysteresis)
{
    enum
    {
        SIZE = 96
    };
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = ground_of(&f, SIZE, SIZE, cell, WADI_EDGE_CLOSED);
    set_pile(terrain, 25.0 * cell);
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT);
    wadi_talus_law law = wadi_talus_law_default();
    law.repose = repose;
    law.hysteresis = hysteresis;
    relax(terrain, &law, SWEEPS);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT) == before);

    // no slope exceeds the limit, which is far below repose + 1
    assert_true(steepest(terrain, false) <= tangent(repose + hysteresis) + 1e-4);
    assert_true(steepest(terrain, true) <= tangent(repose + hysteresis) + 1e-4);

    double low = 90.0;
    double high = 0.0;
    for (double azimuth = 0.0; azimuth < 360.0; azimuth += 7.5)
    {
        low = fmin(low, flank(terrain, azimuth));
        high = fmax(high, flank(terrain, azimuth));
    }
    print_message("cells of %g m, repose %g: flanks of %.2f to %.2f degrees\n", cell, repose, low,
                  high);
    assert_true(low > repose - 0.5 && high < repose + hysteresis + 0.5);
    assert_true(high - low < 0.8); // the limit for axis against diagonal is 1.5

    // the pile has not moved
    double sum_x = 0.0;
    double sum_y = 0.0;
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const double sand = wadi_terrain_units(terrain, WADI_LAYER_SEDIMENT, i % SIZE, i / SIZE);
        assert_true(sand >= 0.0);
        sum_x += sand * (i % SIZE - SIZE / 2);
        sum_y += sand * (i / SIZE - SIZE / 2);
    }
    const double total = before / (cell * cell) * WADI_UNITS_PER_METRE;
    CHECK_NEAR(sum_x / total, 0.0, 1e-6);
    CHECK_NEAR(sum_y / total, 0.0, 1e-6);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void a_pile_becomes_a_round_cone(void** state)
{
    (void)state;
    static const double cells[] = {0.5, 2.0, 10.0, 30.0};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; ++i)
    {
        check_pile(cells[i], 33.0, 0.5);
    }
    check_pile(1.0, 20.0, 0.8);
    check_pile(1.0, 45.0, 0.1);
}

static double energy(const wadi_terrain* terrain)
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    double sum = 0.0;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        const double bottom = (double)ground->bedrock[i] / WADI_UNITS_PER_METRE;
        const double top = (double)wadi_ground_surface(ground, i) / WADI_UNITS_PER_METRE;
        sum += 0.5 * (top * top - bottom * bottom);
    }
    return sum;
}

// Flat sand with pits one cell wide, into which eight neighbours slide at once.
static void set_holes(wadi_terrain* terrain, double depth)
{
    for (int32_t y = 0; y < wadi_terrain_height(terrain); ++y)
    {
        for (int32_t x = 0; x < wadi_terrain_width(terrain); ++x)
        {
            set_sand(terrain, x, y, noise_at(7, x, y) < 0.05f ? 0.0 : depth);
        }
    }
}

// Sand only moves down: with the default share no sweep overfills a cell.
static void every_sweep_lowers_the_energy(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int kind = 0; kind < 2; ++kind)
    {
        wadi_terrain* terrain = ground_of(&f, 100, 70, 1.0, WADI_EDGE_PERIODIC);
        if (kind == 0)
        {
            set_columns(terrain, 50.0, 0, 0);
        }
        else
        {
            set_holes(terrain, 30.0);
        }
        const wadi_talus_law law = wadi_talus_law_default();
        for (int32_t sweep = 0; sweep < 20; ++sweep)
        {
            const double before = energy(terrain);
            relax(terrain, &law, 1);
            const double after = energy(terrain);
            assert_true(after < before || sweep > 10);
            assert_true(after <= before);
        }
        wadi_terrain_destroy(terrain);
    }
    fixture_close(&f);
}

// A plane of sand above repose, down towards `azimuth`.
static void set_slope(wadi_terrain* terrain, double azimuth, double degrees)
{
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    const double turn = azimuth * 3.14159265358979323846 / 180.0;
    const double fall = tangent(degrees) * ground->cell_size;
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const double down = x * sin(turn) - y * cos(turn);
            set_sand(terrain, x, y, 200.0 - fall * down);
        }
    }
}

static void outflow_is_counted_by_side(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 90.0, 180.0, 270.0, 37.0};
    for (size_t i = 0; i < sizeof azimuths / sizeof azimuths[0]; ++i)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_terrain* terrain = ground_of(&f, 37, 37, 1.0, WADI_EDGE_OPEN);
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_BEDROCK, -500.0));
        set_slope(terrain, azimuths[i], 36.0);
        const double before = wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT);
        const wadi_talus_law law = wadi_talus_law_default();
        relax(terrain, &law, SWEEPS);
        assert_true(steepest(terrain, false) < tangent(34.0));
        assert_true(steepest(terrain, true) < tangent(34.0));
        wadi_ledger_row rows[3];
        (void)wadi_terrain_ledger(terrain, rows, 3);
        const double* out = rows[WADI_MATERIAL_SEDIMENT].out;
        const double left =
            out[WADI_SIDE_NORTH] + out[WADI_SIDE_EAST] + out[WADI_SIDE_SOUTH] + out[WADI_SIDE_WEST];
        assert_true(left > 100.0);
        assert_true(before - wadi_terrain_volume(terrain, WADI_LAYER_SEDIMENT) == left);
        const int side = azimuths[i] < 45.0 ? WADI_SIDE_NORTH : (int)(azimuths[i] / 90.0);
        assert_true(out[side] > 0.5 * left);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static void edges_that_are_closed_and_voids_are_walls(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = ground_of(&f, 150, 60, 1.0, WADI_EDGE_CLOSED);
    set_columns(terrain, 30.0, 0, 0);
    fixture_holes(terrain);
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    wadi_talus_law law = wadi_talus_law_default();
    law.rock_repose = 50.0;
    relax(terrain, &law, SWEEPS);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_SURFACE) == before);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        assert_true(ground->valid[i] != 0 || ground->loose[0][i] == 0);
        assert_true(ground->loose[0][i] >= 0);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- rock, plants, layers -----------------------------------------------------------------------

static wadi_terrain* cliff(fixture* f, double hardness)
{
    wadi_terrain* terrain = ground_of(f, 60, 40, 2.0, WADI_EDGE_CLOSED);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        ground->bedrock[i] = (i % 60 < 30 ? 60 : 0) * WADI_UNITS_PER_METRE;
    }
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, hardness));
    return terrain;
}

static void rock_breaks_above_its_own_repose(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_talus_law law = wadi_talus_law_default();
    for (int hard = 0; hard < 3; ++hard)
    {
        wadi_terrain* terrain = cliff(&f, 0.5 * hard);
        law.rock_repose = 90.0;
        assert_int_equal(relax(terrain, &law, SWEEPS), 1); // one sweep: rock is stable
        law.rock_repose = 55.0;
        relax(terrain, &law, SWEEPS);
        const double slope = steepest(terrain, false);
        wadi_ledger_row rows[3];
        (void)wadi_terrain_ledger_of(terrain, "talus", rows, 3);
        const double broken = -rows[WADI_MATERIAL_ROCK].converted;
        assert_true(rows[WADI_MATERIAL_SEDIMENT].converted == broken);
        if (hard == 2)
        {
            assert_true(broken == 0.0);
            assert_true(slope > 29.0);
        }
        else
        {
            assert_true(broken > 1000.0);
            assert_true(slope < tangent(55.5) + 1e-3);
        }
        wadi_terrain_destroy(terrain);
    }
    fixture_close(&f);
}

static void plants_hold_steeper_sand(void** state)
{
    (void)state;
    enum
    {
        SIZE = 96
    };
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = ground_of(&f, SIZE, SIZE, 1.0, WADI_EDGE_CLOSED);
    set_pile(terrain, 20.0);
    float* tangents = test_malloc(SIZE * SIZE * sizeof *tangents);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        tangents[i] = (float)tangent(i % SIZE < SIZE / 2 ? 30.0 : 42.0);
    }
    wadi_talus_law law = wadi_talus_law_default();
    law.tangents = tangents;
    relax(terrain, &law, SWEEPS);
    CHECK_NEAR(flank(terrain, 180.0), 30.25, 0.75);
    CHECK_NEAR(flank(terrain, 0.0), 42.25, 0.75);
    test_free(tangents);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Layers slide separately, the upper one first; slid matter becomes sediment.
static void layers_are_booked_by_material(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = 140;
    def.height = 40;
    def.cell_size = 5.0;
    def.loose_count = 2;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    const wadi_material soil = {"soil", 2600.0, 0.4, 0.0, 30.0, 0.0, 1e-5, 1e-4};
    CHECK_OK(f.context, wadi_terrain_set_material(terrain, 3, &soil));
    CHECK_OK(f.context, wadi_terrain_set_loose(terrain, 1, "soil", 3));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 40.0, 1);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 3.0, 2);
    fixture_noise(terrain, WADI_LAYER_LOOSE + 1, 0.0, 3.0, 3);
    const wadi_talus_law law = wadi_talus_law_default();
    relax(terrain, &law, SWEEPS);
    fixture_check_ledger(terrain);
    wadi_ledger_row rows[4];
    assert_int_equal(wadi_terrain_ledger(terrain, rows, 4), 4);
    assert_true(rows[3].converted < 0.0);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        assert_true(ground->loose[0][i] >= 0 && ground->loose[1][i] >= 0);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- where and when -----------------------------------------------------------------------------

static void sweeps_may_be_put_off(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_talus_law law = wadi_talus_law_default();
    wadi_terrain* at_once = ground_of(&f, 200, 80, 1.0, WADI_EDGE_PERIODIC);
    wadi_terrain* later = ground_of(&f, 200, 80, 1.0, WADI_EDGE_PERIODIC);
    set_columns(at_once, 15.0, 0, 0);
    set_columns(later, 15.0, 0, 0);
    relax(at_once, &law, SWEEPS);
    wadi_talus* talus = NULL;
    CHECK_OK(f.context, wadi_talus_create(f.context, 200, 80, false, &talus));
    const wadi_ground* ground = wadi_terrain_ground(later);
    wadi_tally tally = {0};
    wadi_talus_touch_all(talus);
    int32_t calls = 0;
    while (!wadi_talus_is_still(talus))
    {
        assert_true(wadi_talus_relax(talus, ground, &law, 3, &tally) <= 3);
        calls += 1;
    }
    assert_true(calls > 2);
    assert_memory_equal(ground->loose[0], wadi_terrain_ground(at_once)->loose[0],
                        (size_t)ground->cells * sizeof(int32_t));

    // a map at rest has no active tiles; sand dropped on one place activates its tile only
    const int64_t cells = wadi_talus_cells(talus);
    assert_int_equal(wadi_talus_relax(talus, ground, &law, WADI_TALUS_FIXPOINT, &tally), 0);
    assert_int_equal(wadi_talus_cells(talus), cells);
    ground->loose[0][10 * 200 + 10] += 5 * WADI_UNITS_PER_METRE;
    wadi_talus_touch(talus, 10, 10);
    assert_true(wadi_talus_relax(talus, ground, &law, WADI_TALUS_FIXPOINT, &tally) > 1);
    assert_true(wadi_talus_is_still(talus));
    wadi_talus_destroy(talus);
    wadi_terrain_destroy(at_once);
    wadi_terrain_destroy(later);
    fixture_close(&f);
}

static void moved_matter_is_recorded(void** state)
{
    (void)state;
    enum
    {
        SIZE = 64
    };
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = ground_of(&f, SIZE, SIZE, 1.0, WADI_EDGE_CLOSED);
    set_pile(terrain, 12.0);
    int32_t before[SIZE * SIZE];
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    memcpy(before, ground->loose[0], sizeof before);
    int64_t worn[SIZE * SIZE] = {0};
    int64_t laid[SIZE * SIZE] = {0};
    wadi_talus_law law = wadi_talus_law_default();
    law.worn = worn;
    law.laid = laid;
    relax(terrain, &law, SWEEPS);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        assert_true(worn[i] >= 0 && laid[i] >= 0);
        assert_int_equal(laid[i] - worn[i], ground->loose[0][i] - before[i]);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static int64_t sand_of(const wadi_ground* ground)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        sum += ground->loose[0][i];
    }
    return sum;
}

// If the caller omits a steep place from the active tiles, its sand may stay, but sand is conserved
// at the border of active and inactive tiles.
static void nothing_is_lost_where_nobody_looked(void** state)
{
    (void)state;
    for (int32_t sweeps = 1; sweeps <= 3; ++sweeps)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = ground_of(&f, 400, 170, 2.0, WADI_EDGE_CLOSED);
        set_columns(terrain, 40.0, 0, 0);
        const wadi_ground* ground = wadi_terrain_ground(terrain);
        const int64_t before = sand_of(ground);
        wadi_talus* talus = NULL;
        CHECK_OK(f.context, wadi_talus_create(f.context, 400, 170, false, &talus));
        wadi_talus_touch(talus, 5, 5);
        const wadi_talus_law law = wadi_talus_law_default();
        wadi_tally tally = {0};
        assert_int_equal(wadi_talus_relax(talus, ground, &law, sweeps, &tally), sweeps);
        assert_true(tally.eroded[WADI_MATERIAL_SEDIMENT] > 0);
        assert_int_equal(tally.eroded[WADI_MATERIAL_SEDIMENT],
                         tally.deposited[WADI_MATERIAL_SEDIMENT]);
        assert_int_equal(sand_of(ground), before);
        wadi_talus_destroy(talus);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_plain_version),
        cmocka_unit_test(a_rolled_torus_gives_the_rolled_result),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(instruction_sets_change_nothing),
        cmocka_unit_test(a_pile_becomes_a_round_cone),
        cmocka_unit_test(every_sweep_lowers_the_energy),
        cmocka_unit_test(outflow_is_counted_by_side),
        cmocka_unit_test(edges_that_are_closed_and_voids_are_walls),
        cmocka_unit_test(rock_breaks_above_its_own_repose),
        cmocka_unit_test(plants_hold_steeper_sand),
        cmocka_unit_test(layers_are_booked_by_material),
        cmocka_unit_test(sweeps_may_be_put_off),
        cmocka_unit_test(moved_matter_is_recorded),
        cmocka_unit_test(nothing_is_lost_where_nobody_looked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
