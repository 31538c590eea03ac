// SPDX-License-Identifier: MIT
// Sessions: whatever was done by hand is a timeline with the same bits; undo, seek and branches
// lead to states that were there before, bit for bit. seconds: 6
#include "support/play.h"

// A story with every kind of command. Ends at year 2.
static void tell(play* p)
{
    play_edit(p, "add_sand", 4.0, 120.0, 60.0, false);
    play_start(p, "talus", NULL, 0.0);
    play_start(p, "dunes", "speed", 9.0);
    play_advance(p, 2);
    play_edit(p, "raise", 6.0, 200.0, 50.0, false);
    play_edit(p, "raise", 6.0, 210.0, 50.0, true);
    play_edit(p, "plant", 0.6, 90.0, 80.0, false);
    play_advance(p, 2);
    play_start(p, "dunes", "direction", 200.0);
    play_advance(p, 2);
    CHECK_OK(p->f.context, wadi_session_stop(p->session, wadi_process_find(NULL, "dunes")));
    play_advance(p, 2);
}

static void the_record_of_a_session_gives_the_same_bits(void** state)
{
    (void)state;
    play p;
    uint64_t hash;
    play_open(&p, 0);
    tell(&p);
    CHECK_NEAR(wadi_session_year(p.session), 2.0, 0.0);
    const uint64_t living = play_hash(&p);
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    assert_true(play_hash(&p) == living);
    fixture_check_ledger(wadi_run_terrain(wadi_session_run(p.session)));
    play_close(&p);
}

// Also while wind-blown sand is on its way at the end.
static void the_record_ends_in_the_midst_of_everything(void** state)
{
    (void)state;
    play p;
    uint64_t hash;
    play_open(&p, 0);
    play_start(&p, "wind", NULL, 0.0);
    play_start(&p, "talus", NULL, 0.0);
    play_advance(&p, 1);
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    assert_true(hash != play_hash(&p));
    play_advance(&p, 1);
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    play_close(&p);
}

// An edit and a change of a process in one year, while its sand is in the air; a process that is
// changed before it has run.
static void events_of_one_year_keep_their_order(void** state)
{
    (void)state;
    play p;
    uint64_t hash;
    play_open(&p, 0);
    play_start(&p, "wind", NULL, 0.0);
    play_advance(&p, 1);
    play_edit(&p, "add_sand", 2.0, 150.0, 60.0, false);
    play_start(&p, "wind", "speed", 11.0);
    play_advance(&p, 1);
    play_start(&p, "talus", NULL, 0.0);
    play_start(&p, "talus", "repose", 30.0);
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    play_advance(&p, 1);
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    play_close(&p);
}

// A process lays down what it carries where it stops: a state of that world does not fit the world
// in which it goes on, though the steps are the same up to there.
static void a_stop_that_is_undone_leaves_no_trace(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    play_start(&p, "wind", NULL, 0.0);
    play_start(&p, "talus", NULL, 0.0);
    play_advance(&p, 2);
    const uint64_t on = play_hash(&p);
    CHECK_OK(p.f.context, wadi_session_seek(p.session, 0.25));
    CHECK_OK(p.f.context, wadi_session_stop(p.session, wadi_process_find(NULL, "wind")));
    play_advance(&p, 1);
    assert_true(play_hash(&p) != on);
    CHECK_OK(p.f.context, wadi_session_keep(p.session));
    CHECK_OK(p.f.context, wadi_session_undo(p.session));
    CHECK_OK(p.f.context, wadi_session_seek(p.session, 0.5));
    assert_true(play_hash(&p) == on);
    play_close(&p);
}

// Five processes that begin one after the other, on odd grids with every kind of edge.
static void any_grid_will_do(void** state)
{
    (void)state;
    static const wadi_scene_grid grids[] = {
        {97,
         61,
         0.5,
         0.0,
         {WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC}},
        {61,
         97,
         100.0,
         0.0,
         {WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED}},
        {64, 80, 2.0, 0.0, {WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_OPEN, WADI_EDGE_CLOSED}},
    };
    static const char* const names[] = {"hydraulic", "wind", "dunes", "talus", "uplift"};
    for (size_t g = 0; g < sizeof grids / sizeof grids[0]; ++g)
    {
        play p;
        uint64_t hash;
        play_open_on(&p, &grids[g], 0);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        {
            play_start(&p, names[i], NULL, 0.0);
            play_advance(&p, 1);
        }
        play_edit(&p, "raise", 3.0, 20.0, 10.0, false);
        play_edit(&p, "add_sand", 1.0, 10.0, 6.0, true);
        const uint64_t edited = play_hash(&p);
        play_start(&p, "wind", "direction", 203.0);
        play_advance(&p, 2);
        const uint64_t later = play_hash(&p);
        CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
        assert_true(hash == play_record_hash(&p));
        CHECK_OK(p.f.context, wadi_session_seek(p.session, 0.6));
        CHECK_OK(p.f.context, wadi_session_seek(p.session, 1.75));
        assert_true(play_hash(&p) == later);
        CHECK_OK(p.f.context, wadi_session_undo(p.session));
        assert_true(play_hash(&p) == edited);
        fixture_check_ledger(wadi_run_terrain(wadi_session_run(p.session)));
        play_close(&p);
    }
}

static void undo_and_redo_give_back_what_was(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    uint64_t before[8];
    assert_false(wadi_session_can_undo(p.session));
    assert_int_equal(wadi_session_undo(p.session), WADI_ERROR_STATE);
    before[0] = play_hash(&p);
    play_start(&p, "dunes", NULL, 0.0);
    play_advance(&p, 2);
    before[1] = play_hash(&p);
    play_edit(&p, "add_sand", 3.0, 100.0, 40.0, false);
    play_edit(&p, "add_sand", 3.0, 140.0, 40.0, true);
    const uint64_t after = play_hash(&p);
    play_advance(&p, 3);
    const uint64_t later = play_hash(&p);
    CHECK_OK(p.f.context, wadi_session_undo(p.session)); // the whole stroke, and back to its year
    CHECK_NEAR(wadi_session_year(p.session), 0.5, 0.0);
    assert_true(play_hash(&p) == before[1]);
    CHECK_OK(p.f.context, wadi_session_redo(p.session));
    assert_true(play_hash(&p) == after);
    play_advance(&p, 3);
    assert_true(play_hash(&p) == later);
    CHECK_OK(p.f.context, wadi_session_undo(p.session));
    CHECK_OK(p.f.context, wadi_session_undo(p.session));
    assert_true(play_hash(&p) == before[0]);
    assert_true(wadi_session_can_redo(p.session));
    play_start(&p, "talus", NULL, 0.0);
    assert_false(wadi_session_can_redo(p.session));
    play_close(&p);
}

static void years_are_found_again(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    play_start(&p, "dunes", NULL, 0.0);
    uint64_t hashes[12];
    for (int32_t i = 0; i < 12; ++i)
    {
        hashes[i] = play_hash(&p);
        if (i == 5)
        {
            CHECK_OK(p.f.context, wadi_session_keep(p.session));
        }
        play_advance(&p, 1);
    }
    static const int32_t order[] = {3, 11, 0, 6, 5, 7, 1, 10};
    for (size_t k = 0; k < sizeof order / sizeof order[0]; ++k)
    {
        CHECK_OK(p.f.context, wadi_session_seek(p.session, 0.25 * order[k] + 0.1));
        CHECK_NEAR(wadi_session_year(p.session), 0.25 * order[k], 0.0);
        assert_true(play_hash(&p) == hashes[order[k]]);
    }
    double years[64];
    const int32_t count = wadi_session_snapshot_years(p.session, years, 64);
    assert_true(count >= 3 && count <= wadi_session_snapshot_count(p.session));
    for (int32_t i = 1; i < count; ++i)
    {
        assert_true(years[i] >= years[i - 1]);
    }
    play_close(&p);
}

// A run that is stopped at any question ends its tick later, with the same bits.
static void a_tick_may_be_interrupted(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    play_start(&p, "wind", "step", 0.01);
    play_start(&p, "dunes", NULL, 0.0);
    play_advance(&p, 1);
    const int64_t asked = p.asked;
    play_advance(&p, 1);
    const int64_t questions = p.asked - asked;
    const uint64_t hash = play_hash(&p);
    assert_true(questions > 2);
    for (int64_t stop = 1; stop <= questions; stop += 1 + questions / 7)
    {
        CHECK_OK(p.f.context, wadi_session_seek(p.session, 0.25));
        p.asked = 0;
        p.stop_at = stop;
        const wadi_result result = wadi_session_advance(p.session, 1);
        p.stop_at = 0;
        if (result == WADI_ERROR_CANCELLED && wadi_session_is_within(p.session))
        {
            assert_int_equal(wadi_session_keep(p.session), WADI_ERROR_STATE);
            assert_int_equal(play_try_start(&p, "talus", NULL, 0.0), WADI_ERROR_STATE);
            play_advance(&p, 0);
        }
        else if (result == WADI_ERROR_CANCELLED)
        {
            play_advance(&p, 1);
        }
        assert_false(wadi_session_is_within(p.session));
        CHECK_NEAR(wadi_session_year(p.session), 0.5, 0.0);
        assert_true(play_hash(&p) == hash);
    }
    play_close(&p);
}

static void branches_live_side_by_side(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    play_start(&p, "dunes", NULL, 0.0);
    play_advance(&p, 3);
    CHECK_OK(p.f.context, wadi_session_branch(p.session, "plants"));
    play_edit(&p, "plant", 0.8, 150.0, 100.0, false);
    play_advance(&p, 3);
    const uint64_t plants = play_hash(&p);
    CHECK_OK(p.f.context, wadi_session_switch(p.session, "main"));
    CHECK_NEAR(wadi_session_year(p.session), 0.75, 0.0);
    play_advance(&p, 5);
    const uint64_t bare = play_hash(&p);
    assert_true(bare != plants);
    CHECK_OK(p.f.context, wadi_session_switch(p.session, "plants"));
    CHECK_NEAR(wadi_session_year(p.session), 1.5, 0.0);
    assert_true(play_hash(&p) == plants);
    CHECK_OK(p.f.context, wadi_session_switch(p.session, "main"));
    assert_true(play_hash(&p) == bare);
    assert_int_equal(wadi_session_branch(p.session, "main"), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_session_switch(p.session, "none"), WADI_ERROR_UNKNOWN);
    assert_int_equal(wadi_session_branch_count(p.session), 2);
    assert_string_equal(wadi_session_branch_name(p.session, 1), "plants");
    play_close(&p);
}

// An event that moves to another year gives the world that it would have made there.
static void events_are_moved_and_removed(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    play_start(&p, "talus", NULL, 0.0);
    play_advance(&p, 2);
    play_edit(&p, "raise", 4.0, 100.0, 30.0, false);
    const uint64_t raised = play_hash(&p);
    play_advance(&p, 2);
    const uint64_t late = play_hash(&p);
    CHECK_OK(p.f.context, wadi_session_move(p.session, 0, 0.25));
    CHECK_NEAR(wadi_session_year(p.session), 1.0, 0.0);
    assert_true(play_hash(&p) != late);
    assert_true(play_hash(&p) != raised);
    CHECK_OK(p.f.context, wadi_session_move(p.session, 0, 0.5));
    assert_true(play_hash(&p) == late);
    CHECK_OK(p.f.context, wadi_session_remove(p.session, 0));
    uint64_t hash;
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    assert_int_equal(wadi_session_remove(p.session, 0), WADI_ERROR_ARGUMENT);
    CHECK_OK(p.f.context, wadi_session_undo(p.session));
    assert_true(play_hash(&p) == late);
    play_close(&p);
}

// Longer than what is laid out ahead at once, with so little memory that snapshots go.
static void long_sessions_keep_few_snapshots(void** state)
{
    (void)state;
    play p;
    play_open(&p, 100000);
    play_start(&p, "talus", NULL, 0.0);
    for (int32_t i = 0; i < 60; ++i)
    {
        play_advance(&p, 10);
        CHECK_OK(p.f.context, wadi_session_keep(p.session));
        assert_true(wadi_session_snapshot_bytes(p.session) <= 100000 ||
                    wadi_session_snapshot_count(p.session) <= 2);
    }
    CHECK_NEAR(wadi_session_year(p.session), 150.0, 0.0);
    const uint64_t living = play_hash(&p);
    CHECK_OK(p.f.context, wadi_session_seek(p.session, 77.0));
    CHECK_OK(p.f.context, wadi_session_seek(p.session, 150.0));
    assert_true(play_hash(&p) == living);
    uint64_t hash;
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    play_close(&p);
}

static void what_cannot_be_is_refused_with_words(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    CHECK_FAILS(p.f.context, WADI_ERROR_STATE, "no process runs from 0 yr on",
                wadi_session_advance(p.session, 1));
    const wadi_process* talus = wadi_process_find(NULL, "talus");
    assert_int_equal(wadi_session_stop(p.session, talus), WADI_ERROR_STATE);
    double params[128];
    double wind[] = {90.0, 900.0, 1.0};
    const wadi_process* dunes = wadi_process_find(NULL, "dunes");
    wadi_fields_init(dunes->fields, params);
    const wadi_scene_table table = {dunes->tables[0].name, NULL, wind, 1};
    const wadi_scene_process gale = {
        .process = dunes, .params = params, .tables = &table, .table_count = 1};
    CHECK_FAILS(p.f.context, WADI_ERROR_RANGE, "row 1: speed is 900",
                wadi_session_start(p.session, &gale));
    assert_false(wadi_session_can_undo(p.session));
    play_start(&p, "talus", NULL, 0.0);
    play_advance(&p, 1);
    CHECK_OK(p.f.context, wadi_session_stop(p.session, talus));
    play_advance(&p, 1);
    assert_int_equal(wadi_session_advance(p.session, 1), WADI_ERROR_STATE);
    CHECK_FAILS(p.f.context, WADI_ERROR_ARGUMENT, "cannot begin again",
                play_try_start(&p, "talus", NULL, 0.0));
    play_start(&p, "dunes", NULL, 0.0);
    play_advance(&p, 1);
    CHECK_NEAR(wadi_session_year(p.session), 0.75, 0.0);
    play_close(&p);
}

static void tiles_tell_what_changed(void** state)
{
    (void)state;
    play p;
    uint32_t first;
    uint32_t second;
    wadi_session_tile tiles[8];
    play_open(&p, 0);
    CHECK_OK(p.f.context, wadi_session_look(p.session, &first));
    assert_int_equal(wadi_session_tiles(p.session, 0, tiles, 8), 4);
    play_edit(&p, "add_sand", 1.0, 340.0, 8.0, false);
    CHECK_OK(p.f.context, wadi_session_look(p.session, &second));
    assert_int_equal(wadi_session_tiles(p.session, first, tiles, 8), 1);
    assert_int_equal(tiles[0].x, 1);
    assert_int_equal(tiles[0].y, 0);
    assert_int_equal(tiles[0].stamp, second);
    CHECK_OK(p.f.context, wadi_session_look(p.session, &second));
    assert_int_equal(wadi_session_tiles(p.session, second - 1, tiles, 8), 0);
    play_edit(&p, "plant", 0.5, 340.0, 8.0, false);
    CHECK_OK(p.f.context, wadi_session_look(p.session, &second));
    assert_int_equal(wadi_session_tiles(p.session, second - 1, tiles, 8), 1);
    play_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_record_of_a_session_gives_the_same_bits),
        cmocka_unit_test(the_record_ends_in_the_midst_of_everything),
        cmocka_unit_test(events_of_one_year_keep_their_order),
        cmocka_unit_test(a_stop_that_is_undone_leaves_no_trace),
        cmocka_unit_test(any_grid_will_do),
        cmocka_unit_test(undo_and_redo_give_back_what_was),
        cmocka_unit_test(years_are_found_again),
        cmocka_unit_test(a_tick_may_be_interrupted),
        cmocka_unit_test(branches_live_side_by_side),
        cmocka_unit_test(events_are_moved_and_removed),
        cmocka_unit_test(long_sessions_keep_few_snapshots),
        cmocka_unit_test(what_cannot_be_is_refused_with_words),
        cmocka_unit_test(tiles_tell_what_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
