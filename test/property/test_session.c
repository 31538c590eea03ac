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

// A process that was stopped begins again, after a pause and at once, with what each start gives;
// the first course of its track has no part in the second.
static void a_process_that_was_stopped_begins_again(void** state)
{
    (void)state;
    for (int32_t pause = 0; pause < 3; ++pause)
    {
        play p;
        uint64_t hash;
        play_open(&p, 0);
        const wadi_process* wind = wadi_process_find(NULL, "wind");
        play_start(&p, "talus", NULL, 0.0);
        play_start(&p, "wind", "direction", 200.0);
        play_advance(&p, 2);
        play_start(&p, "wind", "speed", 11.0);
        CHECK_OK(p.f.context, wadi_session_stop(p.session, wind));
        play_advance(&p, 1);
        const uint64_t stopped = play_hash(&p);
        play_advance(&p, pause);
        const uint64_t rested = play_hash(&p);
        play_start(&p, "wind", "direction", 90.0);
        assert_true(play_hash(&p) == rested);
        play_advance(&p, 2);
        const uint64_t again = play_hash(&p);
        play_start(&p, "wind", "speed", 9.0);
        play_advance(&p, 1);
        CHECK_OK(p.f.context, wadi_session_stop(p.session, wind));
        play_advance(&p, 2);
        const uint64_t last = play_hash(&p);
        CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
        assert_true(hash == play_record_hash(&p));
        CHECK_OK(p.f.context, wadi_session_seek(p.session, 0.75));
        assert_true(play_hash(&p) == stopped);
        CHECK_OK(p.f.context, wadi_session_seek(p.session, 1.25 + 0.25 * pause));
        assert_true(play_hash(&p) == again);
        CHECK_OK(p.f.context, wadi_session_seek(p.session, 2.0 + 0.25 * pause));
        assert_true(play_hash(&p) == last);
        fixture_check_ledger(wadi_run_terrain(wadi_session_run(p.session)));
        play_close(&p);
    }
}

// Years before a track that is planned get a track of their own, which ends where that begins.
static void a_process_starts_before_its_planned_years(void** state)
{
    (void)state;
    play p;
    uint64_t hash;
    wadi_timeline plan;
    play_open(&p, 0);
    const wadi_process* wind = wadi_process_find(NULL, "wind");
    play_start(&p, "talus", NULL, 0.0);
    play_advance(&p, 4);
    play_start(&p, "wind", "direction", 200.0);
    play_advance(&p, 2);
    CHECK_OK(p.f.context, wadi_session_seek(p.session, 0.25));
    play_start(&p, "wind", "direction", 90.0);
    CHECK_OK(p.f.context, wadi_session_plan_of(p.session, &plan));
    assert_int_equal(plan.track_count, 3);
    CHECK_NEAR(plan.tracks[2].until, 1.0, 0.0);
    play_advance(&p, 5);
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    CHECK_OK(p.f.context, wadi_session_seek(p.session, 0.0));
    CHECK_OK(p.f.context, wadi_session_stop(p.session, wind)); // the first of them
    CHECK_OK(p.f.context, wadi_session_plan_of(p.session, &plan));
    assert_int_equal(plan.track_count, 2);
    CHECK_NEAR(plan.tracks[1].from, 1.0, 0.0);
    play_close(&p);
}

// Five processes that begin one after the other, on odd grids with every kind of edge.
static void any_grid_will_do(void** state)
{
    (void)state;
    static const wadi_scene_grid grids[] = {
        {61,
         37,
         0.5,
         0.0,
         {WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC}},
        {37,
         61,
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

// A flood for six minutes, and an edit in the midst of the first tick.
static void plan_flood(play* p)
{
    wadi_flood_params rain = wadi_flood_params_default();
    rain.model = WADI_FLOOD_INERTIAL;
    rain.longest = 0.1;
    rain.rain = 200.0;
    double amount[4];
    wadi_event event = {0.1, {.kind = WADI_STEP_EDIT}};
    event.step.edit = (wadi_edit){.kind = wadi_edit_kind_find("raise"), .params = amount};
    wadi_fields_init(event.step.edit.kind->fields, amount);
    const wadi_track track = {.until = 1.0,
                              .process = {.process = &wadi_flood_process, .params = &rain}};
    const wadi_timeline plan = {.tick = 0.25,
                                .end = 1.0,
                                .tracks = &track,
                                .track_count = 1,
                                .events = &event,
                                .event_count = 1};
    CHECK_OK(p->f.context, wadi_session_plan(p->session, &plan));
}

// The water before an edit runs with it. A stop on its way waits until the edit is done: the world
// is never left between both as if the tick had ended.
static void a_stop_leaves_no_edit_half_done(void** state)
{
    (void)state;
    uint64_t whole = 0;
    int64_t questions = 1;
    for (int64_t stop = 0; stop <= questions; ++stop)
    {
        play p;
        play_open(&p, 0);
        plan_flood(&p);
        const int64_t asked = p.asked;
        p.stop_at = stop > 0 ? asked + stop : 0;
        const wadi_result result = wadi_session_advance(p.session, 1);
        questions = stop > 0 ? questions : p.asked - asked;
        if (result == WADI_ERROR_CANCELLED)
        {
            assert_true(wadi_session_is_within(p.session));
            play_advance(&p, 0);
        }
        CHECK_NEAR(wadi_session_year(p.session), 0.25, 0.0);
        whole = stop > 0 ? whole : play_hash(&p);
        assert_true(play_hash(&p) == whole);
        play_close(&p);
    }
    assert_true(questions > 3);
}

typedef wadi_result replay_fn(play* p);

static wadi_result replay_back(play* p)
{
    return wadi_session_seek(p->session, 0.25);
}

static wadi_result replay_ahead(play* p)
{
    return wadi_session_seek(p->session, 2.0);
}

static wadi_result replay_undo(play* p)
{
    return wadi_session_undo(p->session);
}

static wadi_result replay_redo(play* p)
{
    return wadi_session_redo(p->session);
}

static wadi_result replay_move(play* p)
{
    return wadi_session_move(p->session, 1, 1.0);
}

static wadi_result replay_remove(play* p)
{
    return wadi_session_remove(p->session, 0);
}

static wadi_result replay_switch(play* p)
{
    const bool first = strcmp(wadi_session_present_branch(p->session), "main") == 0;
    return wadi_session_switch(p->session, first ? "other" : "main");
}

static wadi_result replay_end(play* p)
{
    uint64_t hash;
    return wadi_session_end_hash(p->session, &hash);
}

// A call that is stopped at every second question goes on until it is done, and shows no other
// world before. Returns the number of stops.
static int32_t replay_in_pieces(play* p, replay_fn* command)
{
    int32_t stops = 0;
    wadi_result result = WADI_ERROR_CANCELLED;
    const double year = wadi_session_year(p->session);
    const uint64_t before = play_hash(p);
    while (result == WADI_ERROR_CANCELLED)
    {
        p->asked = 0;
        p->stop_at = 2;
        result = command(p);
        p->stop_at = 0;
        stops += result == WADI_ERROR_CANCELLED ? 1 : 0;
        assert_true(result == WADI_OK || command == replay_ahead || play_hash(p) == before);
        assert_true(result == WADI_OK || wadi_session_way_year(p->session) >= 0.0);
        assert_true(stops < 1000);
    }
    CHECK_OK(p->f.context, result);
    assert_true(command != replay_end || wadi_session_year(p->session) == year);
    return stops;
}

static void replay_begin(play* p)
{
    play_open(p, 1); // few snapshots: the ways are long
    play_start(p, "talus", NULL, 0.0);
    play_start(p, "dunes", "speed", 9.0);
    play_advance(p, 2);
    play_edit(p, "raise", 6.0, 200.0, 50.0, false);
    play_advance(p, 3);
    play_edit(p, "add_sand", 3.0, 120.0, 60.0, false);
    play_advance(p, 3);
    CHECK_OK(p->f.context, wadi_session_branch(p->session, "other"));
    play_edit(p, "plant", 0.6, 90.0, 80.0, false);
    play_advance(p, 2);
}

static void a_replay_may_be_interrupted(void** state)
{
    (void)state;
    static replay_fn* const commands[] = {replay_undo,   replay_redo,   replay_back, replay_ahead,
                                          replay_switch, replay_move,   replay_end,  replay_back,
                                          replay_ahead,  replay_remove, replay_undo, replay_undo,
                                          replay_switch, replay_redo,   replay_end};
    play whole;
    play pieces;
    int32_t stops = 0;
    replay_begin(&whole);
    replay_begin(&pieces);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i)
    {
        const wadi_result result = commands[i](&whole);
        if (result != WADI_OK)
        {
            assert_int_equal(commands[i](&pieces), result);
            continue;
        }
        stops += replay_in_pieces(&pieces, commands[i]);
        CHECK_NEAR(wadi_session_year(pieces.session), wadi_session_year(whole.session), 0.0);
        assert_true(play_hash(&pieces) == play_hash(&whole));
    }
    assert_true(stops > 20);
    play_close(&pieces);
    play_close(&whole);
}

// What is left to its fate has no part in what comes.
static void a_replay_may_be_left(void** state)
{
    (void)state;
    play p;
    uint64_t hash;
    replay_begin(&p);
    CHECK_OK(p.f.context, wadi_session_seek(p.session, 2.0));
    const uint64_t before = play_hash(&p);
    p.asked = 0;
    p.stop_at = 5;
    assert_int_equal(wadi_session_seek(p.session, 1.75), WADI_ERROR_CANCELLED);
    p.stop_at = 0;
    assert_true(wadi_session_way_year(p.session) < 1.75);
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    assert_true(play_hash(&p) == before);
    p.asked = 0;
    p.stop_at = 5;
    assert_int_equal(wadi_session_undo(p.session), WADI_ERROR_CANCELLED);
    p.stop_at = 0;
    wadi_session_leave_way(p.session);
    CHECK_NEAR(wadi_session_way_year(p.session), wadi_session_year(p.session), 0.0);
    assert_true(play_hash(&p) == before);
    play_close(&p);
}

// A stroke need not wait for the end of a tick at whose beginning a snapshot was kept.
static void a_tick_may_be_left(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    play_start(&p, "talus", NULL, 0.0);
    play_start(&p, "dunes", NULL, 0.0);
    play_advance(&p, 2);
    CHECK_OK(p.f.context, wadi_session_leave_tick(p.session));
    for (int32_t kept = 0; kept < 2; ++kept)
    {
        play_edit(&p, "raise", 4.0, 200.0, 50.0, false);
        if (kept == 0)
        {
            play_advance(&p, 1); // the snapshot before the edit is that of an earlier tick
        }
        const uint64_t before = play_hash(&p);
        p.asked = 0;
        p.stop_at = 2;
        assert_int_equal(wadi_session_advance(p.session, 1), WADI_ERROR_CANCELLED);
        p.stop_at = 0;
        assert_true(wadi_session_is_within(p.session));
        if (kept == 0)
        {
            CHECK_FAILS(p.f.context, WADI_ERROR_STATE, "no snapshot was kept",
                        wadi_session_leave_tick(p.session));
            play_advance(&p, 0);
            continue;
        }
        CHECK_OK(p.f.context, wadi_session_leave_tick(p.session));
        assert_false(wadi_session_is_within(p.session));
        assert_true(play_hash(&p) == before);
    }
    play_edit(&p, "add_sand", 3.0, 120.0, 60.0, false);
    play_advance(&p, 2);
    uint64_t hash;
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    play_close(&p);
}

// A stroke of which one touch fails changes nothing, also when it joins another.
static void a_stroke_is_whole_or_not(void** state)
{
    (void)state;
    play p;
    double amount[8];
    double circle[8];
    wadi_edit edits[3];
    play_open(&p, 0);
    play_start(&p, "dunes", NULL, 0.0);
    play_advance(&p, 2);
    const wadi_edit_kind* kind = wadi_edit_kind_find("raise");
    const wadi_shape_kind* shape = wadi_shape_kind_find("circle");
    wadi_fields_init(kind->fields, amount);
    wadi_fields_init(shape->fields, circle);
    CHECK_OK(p.f.context, wadi_field_set(p.f.context, shape->fields, "x", 150.0, circle));
    CHECK_OK(p.f.context, wadi_field_set(p.f.context, shape->fields, "y", 150.0, circle));
    for (int32_t i = 0; i < 3; ++i)
    {
        edits[i] = (wadi_edit){.kind = kind,
                               .params = amount,
                               .region = {.shape = shape, .params = circle, .soft = 5.0}};
    }
    const uint64_t before = play_hash(&p);
    CHECK_OK(p.f.context, wadi_field_set(p.f.context, kind->fields, "height", 20000.0, amount));
    assert_int_not_equal(wadi_session_stroke(p.session, edits, 3, false), WADI_OK);
    assert_true(play_hash(&p) == before);
    CHECK_OK(p.f.context, wadi_field_set(p.f.context, kind->fields, "height", 12000.0, amount));
    CHECK_OK(p.f.context, wadi_session_stroke(p.session, edits, 2, false));
    const uint64_t first = play_hash(&p);
    assert_int_not_equal(wadi_session_stroke(p.session, edits, 2, true), WADI_OK);
    assert_true(play_hash(&p) == first);
    assert_int_equal(wadi_session_stroke(p.session, edits, 0, false), WADI_ERROR_RANGE);
    CHECK_OK(p.f.context, wadi_session_undo(p.session));
    assert_true(play_hash(&p) == before);
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

// Several commands that became one are undone and given again at once.
static void commands_become_one(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    play_start(&p, "talus", NULL, 0.0);
    play_advance(&p, 2);
    play_edit(&p, "raise", 4.0, 100.0, 30.0, false);
    play_advance(&p, 2);
    const uint64_t before = play_hash(&p);
    // a changed event: taken away, and put back with other values
    CHECK_OK(p.f.context, wadi_session_remove(p.session, 0));
    CHECK_OK(p.f.context, wadi_session_seek(p.session, 0.5));
    play_edit(&p, "raise", 9.0, 100.0, 30.0, false);
    CHECK_OK(p.f.context, wadi_session_seek(p.session, 1.0));
    const uint64_t after = play_hash(&p);
    assert_true(after != before);
    CHECK_FAILS(p.f.context, WADI_ERROR_ARGUMENT, "there are 4", wadi_session_merge(p.session, 5));
    CHECK_OK(p.f.context, wadi_session_merge(p.session, 2));
    assert_true(play_hash(&p) == after);
    CHECK_OK(p.f.context, wadi_session_undo(p.session));
    CHECK_NEAR(wadi_session_year(p.session), 1.0, 0.0);
    assert_true(play_hash(&p) == before);
    CHECK_FAILS(p.f.context, WADI_ERROR_STATE, "given again", wadi_session_merge(p.session, 1));
    CHECK_OK(p.f.context, wadi_session_redo(p.session));
    assert_true(play_hash(&p) == after);
    uint64_t hash;
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
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
    assert_int_equal(wadi_session_stop(p.session, talus), WADI_ERROR_STATE);
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
        cmocka_unit_test(a_process_that_was_stopped_begins_again),
        cmocka_unit_test(a_process_starts_before_its_planned_years),
        cmocka_unit_test(undo_and_redo_give_back_what_was),
        cmocka_unit_test(years_are_found_again),
        cmocka_unit_test(a_tick_may_be_interrupted),
        cmocka_unit_test(a_stop_leaves_no_edit_half_done),
        cmocka_unit_test(a_replay_may_be_interrupted),
        cmocka_unit_test(a_replay_may_be_left),
        cmocka_unit_test(a_tick_may_be_left),
        cmocka_unit_test(a_stroke_is_whole_or_not),
        cmocka_unit_test(branches_live_side_by_side),
        cmocka_unit_test(events_are_moved_and_removed),
        cmocka_unit_test(commands_become_one),
        cmocka_unit_test(long_sessions_keep_few_snapshots),
        cmocka_unit_test(what_cannot_be_is_refused_with_words),
        cmocka_unit_test(tiles_tell_what_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
