// SPDX-License-Identifier: MIT
// A change that names no table takes those that its process has at that year: of its own track, not
// of an earlier one that was stopped.
#include "support/play.h"

// Dunes under a rose of one wind.
static void change_rose(play* p)
{
    double params[128];
    double rose[] = {90.0, 9.0, 1.0};
    const wadi_process* dunes = wadi_process_find(NULL, "dunes");
    assert_true(dunes->fields->params_size <= sizeof params);
    wadi_fields_init(dunes->fields, params);
    const wadi_scene_table table = {dunes->tables[0].name, NULL, rose, 1};
    const wadi_scene_process change = {
        .process = dunes, .params = params, .tables = &table, .table_count = 1};
    CHECK_OK(p->f.context, wadi_session_start(p->session, &change));
}

// Tables of the change that was made last.
static int32_t last_tables(play* p)
{
    wadi_timeline plan;
    CHECK_OK(p->f.context, wadi_session_plan_of(p->session, &plan));
    assert_true(plan.event_count > 0);
    return plan.events[plan.event_count - 1].step.process.table_count;
}

static void changes_inherit_from_their_own_track(void** state)
{
    (void)state;
    play p;
    play_open(&p, 0);
    play_start(&p, "talus", NULL, 0.0);
    play_start(&p, "dunes", NULL, 0.0);
    play_advance(&p, 1);
    change_rose(&p);
    play_advance(&p, 1);
    play_start(&p, "dunes", "flux", 300.0);
    assert_int_equal(last_tables(&p), 1);
    play_advance(&p, 1);
    CHECK_OK(p.f.context, wadi_session_stop(p.session, wadi_process_find(NULL, "dunes")));
    play_advance(&p, 1);
    play_start(&p, "dunes", NULL, 0.0);
    play_advance(&p, 1);
    play_start(&p, "dunes", "flux", 300.0);
    assert_int_equal(last_tables(&p), 0);
    play_advance(&p, 1);
    uint64_t hash;
    CHECK_OK(p.f.context, wadi_session_end_hash(p.session, &hash));
    assert_true(hash == play_record_hash(&p));
    play_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_inherit_from_their_own_track),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
