// SPDX-License-Identifier: MIT
// Archives and saved terrains: what is written comes back, and damage, cuts, other versions and
// senseless values are refused.
#include "support/fixture.h"

#include "core/archive.h"

// ---- values -------------------------------------------------------------------------------------

typedef struct archive_values
{
    uint8_t u8[3];
    uint16_t u16[2];
    int32_t i32[2];
    uint32_t u32[1];
    int64_t i64[2];
    uint64_t u64[1];
    float f32[2];
    double f64[2];
    bool yes;
    bool no;
    int64_t count;
    uint16_t grid[70 * 65]; // more than one tile
} archive_values;

static wadi_result archive_list(wadi_archive* archive, archive_values* v)
{
    WADI_TRY(wadi_archive_part(archive, "values", 3));
    wadi_archive_u8(archive, v->u8, 3);
    wadi_archive_u16(archive, v->u16, 2);
    wadi_archive_i32(archive, v->i32, 2);
    wadi_archive_u32(archive, v->u32, 1);
    wadi_archive_i64(archive, v->i64, 2);
    wadi_archive_u64(archive, v->u64, 1);
    wadi_archive_f32(archive, v->f32, 2);
    wadi_archive_f64(archive, v->f64, 2);
    wadi_archive_bool(archive, &v->yes);
    wadi_archive_bool(archive, &v->no);
    WADI_TRY(wadi_archive_count(archive, &v->count, 10, "things"));
    WADI_TRY(wadi_archive_same(archive, 77, "a number"));
    wadi_archive_grid(archive, v->grid, 2, 70, 65);
    return wadi_archive_result(archive);
}

static archive_values archive_sample(void)
{
    archive_values v = {.u8 = {0, 1, 255},
                        .u16 = {1, 65535},
                        .i32 = {INT32_MIN, 7},
                        .u32 = {0xFEDCBA98u},
                        .i64 = {INT64_MIN, -2},
                        .u64 = {UINT64_MAX},
                        .f32 = {-0.0f, 1e-42f},
                        .f64 = {1e300, -3.5},
                        .yes = true,
                        .count = 10};
    for (int i = 0; i < 70 * 65; ++i)
    {
        v.grid[i] = (uint16_t)(i * 31);
    }
    return v;
}

static wadi_bytes archive_written(fixture* f, archive_values* v)
{
    wadi_bytes bytes = {.context = f->context};
    wadi_archive* archive = wadi_archive_to(f->context, wadi_bytes_write, &bytes);
    CHECK_OK(f->context, wadi_archive_end(archive, archive_list(archive, v)));
    return bytes;
}

static wadi_result archive_reread(fixture* f, wadi_bytes* bytes, archive_values* v)
{
    bytes->at = 0;
    wadi_archive* archive = wadi_archive_from(f->context, wadi_bytes_read, bytes);
    return wadi_archive_end(archive, archive_list(archive, v));
}

static void values_come_back(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    archive_values v = archive_sample();
    archive_values back;
    memset(&back, 0x5A, sizeof back);
    wadi_bytes bytes = archive_written(&f, &v);
    back.yes = back.no = false;
    CHECK_OK(f.context, archive_reread(&f, &bytes, &back));
    assert_memory_equal(v.u8, back.u8, sizeof v.u8);
    assert_memory_equal(v.u16, back.u16, sizeof v.u16);
    assert_memory_equal(v.i32, back.i32, sizeof v.i32);
    assert_memory_equal(v.u32, back.u32, sizeof v.u32);
    assert_memory_equal(v.i64, back.i64, sizeof v.i64);
    assert_memory_equal(v.u64, back.u64, sizeof v.u64);
    assert_memory_equal(v.f32, back.f32, sizeof v.f32); // the sign of zero too
    assert_memory_equal(v.f64, back.f64, sizeof v.f64);
    assert_true(back.yes && !back.no);
    assert_int_equal(back.count, 10);
    assert_memory_equal(v.grid, back.grid, sizeof v.grid);
    // little-endian on every machine: the first value behind the frame, tag and version
    assert_int_equal(bytes.bytes[16 + 8 + 2], 255);
    assert_int_equal(bytes.bytes[16 + 8 + 3], 1);
    assert_int_equal(bytes.bytes[16 + 8 + 4], 0);
    wadi_bytes_free(&bytes);
    fixture_close(&f);
}

static void every_flipped_bit_and_cut_is_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    archive_values v = archive_sample();
    archive_values back = {.count = 0};
    wadi_bytes bytes = archive_written(&f, &v);
    for (size_t at = 0; at < bytes.size; ++at)
    {
        bytes.bytes[at] ^= (unsigned char)(1u << (at % 8));
        assert_int_equal(archive_reread(&f, &bytes, &back), WADI_ERROR_FORMAT);
        bytes.bytes[at] ^= (unsigned char)(1u << (at % 8));
        wadi_bytes cut = bytes;
        cut.size = at;
        assert_int_equal(archive_reread(&f, &cut, &back), WADI_ERROR_FORMAT);
    }
    CHECK_OK(f.context, archive_reread(&f, &bytes, &back));
    wadi_bytes_free(&bytes);
    fixture_close(&f);
}

static wadi_result archive_read_other(fixture* f, wadi_bytes* bytes, const char* name,
                                      uint32_t version)
{
    bytes->at = 0;
    wadi_archive* archive = wadi_archive_from(f->context, wadi_bytes_read, bytes);
    return wadi_archive_end(archive, wadi_archive_part(archive, name, version));
}

static void other_parts_versions_and_counts_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    archive_values v = archive_sample();
    wadi_bytes bytes = archive_written(&f, &v);
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "another part where 'other' is expected",
                archive_read_other(&f, &bytes, "other", 3));
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "'values' of the saved state is of another version",
                archive_read_other(&f, &bytes, "values", 4));
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "goes on where its end is expected",
                archive_read_other(&f, &bytes, "values", 3));
    wadi_bytes_free(&bytes);
    v.count = 11;
    bytes = (wadi_bytes){.context = f.context};
    wadi_archive* archive = wadi_archive_to(f.context, wadi_bytes_write, &bytes);
    CHECK_FAILS(f.context, WADI_ERROR_FORMAT, "11 things; expected 0 to 10",
                wadi_archive_end(archive, archive_list(archive, &v)));
    wadi_bytes_free(&bytes);
    fixture_close(&f);
}

// ---- terrains -----------------------------------------------------------------------------------

// Voids, beds of rock, three loose layers, a georeference, a material and a ledger.
static wadi_terrain* archive_terrain(fixture* f)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = 67;
    def.height = 64;
    def.cell_size = 12.5;
    def.loose_count = 3;
    def.seed = 99;
    def.edges[WADI_SIDE_EAST] = WADI_EDGE_PERIODIC;
    def.edges[WADI_SIDE_WEST] = WADI_EDGE_PERIODIC;
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 300.0, 1);
    for (int32_t i = 0; i < 3; ++i)
    {
        fixture_noise(terrain, WADI_LAYER_LOOSE + i, 0.0, 2.0, 2 + (uint64_t)i);
    }
    fixture_noise(terrain, WADI_LAYER_WATER, 0.0, 1.0, 6);
    fixture_noise(terrain, WADI_LAYER_MOISTURE, 0.0, 1.0, 7);
    wadi_material gravel = *wadi_terrain_material(terrain, WADI_MATERIAL_SEDIMENT);
    (void)strcpy(gravel.name, "gravel");
    gravel.grain_diameter = 0.02;
    const int32_t row = wadi_terrain_material_count(terrain);
    CHECK_OK(f->context, wadi_terrain_set_material(terrain, row, &gravel));
    CHECK_OK(f->context, wadi_terrain_set_loose(terrain, 1, "gravel", row));
    const wadi_georef georef = {
        .valid = true, .affine = {500000.0, 12.5, 0.0, 6e6, 0.0, -12.5}, .wkt = "LOCAL_CS[\"m\"]"};
    CHECK_OK(f->context, wadi_terrain_set_georef(terrain, &georef));
    const wadi_stratum beds[] = {{5.0, 0.9}, {20.0, 0.1}, {1.0, 0.5}};
    CHECK_OK(f->context, wadi_terrain_set_strata(terrain, beds, 3, NULL, 0));
    fixture_holes(terrain);
    CHECK_OK(f->context, wadi_terrain_advance_clock(terrain, 3.25));
    return terrain;
}

static void terrains_come_back(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = archive_terrain(&f);
    wadi_bytes bytes = {.context = f.context};
    CHECK_OK(f.context, wadi_terrain_save(terrain, wadi_bytes_write, &bytes));
    wadi_terrain* back;
    CHECK_OK(f.context, wadi_terrain_load(f.context, wadi_bytes_read, &bytes, &back));
    assert_true(wadi_terrain_hash(back) == wadi_terrain_hash(terrain));
    assert_int_equal(wadi_terrain_width(back), 67);
    assert_int_equal(wadi_terrain_loose_count(back), 3);
    assert_int_equal(wadi_terrain_edge(back, WADI_SIDE_EAST), WADI_EDGE_PERIODIC);
    assert_int_equal(wadi_terrain_valid_count(back), wadi_terrain_valid_count(terrain));
    assert_string_equal(wadi_terrain_layer_name(back, WADI_LAYER_LOOSE + 1), "gravel");
    assert_string_equal(wadi_terrain_georef(back).wkt, "LOCAL_CS[\"m\"]");
    CHECK_NEAR(wadi_terrain_georef(back).affine[3], 6e6, 0.0);
    CHECK_NEAR(wadi_terrain_clock(back), 3.25, 0.0);
    CHECK_NEAR(wadi_terrain_volume(back, WADI_LAYER_LOOSE + 2),
               wadi_terrain_volume(terrain, WADI_LAYER_LOOSE + 2), 0.0);
    fixture_check_ledger(back);
    // the beds are there: rock taken from both gives the same layer of hardness
    for (int i = 0; i < 2; ++i)
    {
        wadi_terrain* each = i == 0 ? terrain : back;
        CHECK_OK(f.context, wadi_terrain_fill_layer(each, WADI_LAYER_BEDROCK, 0.0));
    }
    assert_true(wadi_terrain_hash(back) == wadi_terrain_hash(terrain));
    wadi_terrain_destroy(back);
    wadi_terrain_destroy(terrain);
    wadi_bytes_free(&bytes);
    fixture_close(&f);
}

static void damaged_terrains_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = archive_terrain(&f);
    wadi_bytes bytes = {.context = f.context};
    CHECK_OK(f.context, wadi_terrain_save(terrain, wadi_bytes_write, &bytes));
    wadi_terrain* back;
    for (size_t i = 0; i < 500; ++i)
    {
        const size_t at = i * bytes.size / 500;
        bytes.bytes[at] ^= (unsigned char)(1u << (i % 8));
        bytes.at = 0;
        assert_int_equal(wadi_terrain_load(f.context, wadi_bytes_read, &bytes, &back),
                         WADI_ERROR_FORMAT);
        assert_null(back);
        bytes.bytes[at] ^= (unsigned char)(1u << (i % 8));
        wadi_bytes cut = bytes;
        cut.at = 0;
        cut.size = at;
        assert_int_equal(wadi_terrain_load(f.context, wadi_bytes_read, &cut, &back),
                         WADI_ERROR_FORMAT);
        assert_null(back);
    }
    wadi_terrain_destroy(terrain);
    wadi_bytes_free(&bytes);
    fixture_close(&f);
}

// The hash differs when only the cells, the edges, the seed or a material differ.
static void the_hash_covers_all_that_is_saved(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    uint64_t hash[5];
    for (int i = 0; i < 5; ++i)
    {
        wadi_terrain_def def = wadi_terrain_def_default();
        def.width = def.height = 8;
        def.cell_size = i == 1 ? 20.0 : 10.0;
        def.edges[WADI_SIDE_NORTH] = i == 2 ? WADI_EDGE_CLOSED : WADI_EDGE_OPEN;
        def.seed = i == 3 ? 2 : 1;
        wadi_terrain* terrain;
        CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
        if (i == 4)
        {
            wadi_material rock = *wadi_terrain_material(terrain, WADI_MATERIAL_ROCK);
            rock.cohesion += 1.0;
            CHECK_OK(f.context, wadi_terrain_set_material(terrain, WADI_MATERIAL_ROCK, &rock));
        }
        hash[i] = wadi_terrain_hash(terrain);
        wadi_terrain_destroy(terrain);
        for (int k = 0; k < i; ++k)
        {
            assert_true(hash[i] != hash[k]);
        }
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_back),
        cmocka_unit_test(every_flipped_bit_and_cut_is_refused),
        cmocka_unit_test(other_parts_versions_and_counts_are_refused),
        cmocka_unit_test(terrains_come_back),
        cmocka_unit_test(damaged_terrains_are_refused),
        cmocka_unit_test(the_hash_covers_all_that_is_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
