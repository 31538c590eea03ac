// SPDX-License-Identifier: MIT
// The engine of the studio by its messages: a scene is opened, played, painted and taken back, and
// its record gives the same hash again; bad messages are refused and change nothing.
#include "support/fixture.h"

#include "talk.h"

#include "io/scene/scene_yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char desert[] = "wadi: 1\n"
                             "name: desert\n"
                             "seed: 5\n"
                             "terrain: {size: [100, 70], cell: 2 m, edges: periodic, flat: 0 m}\n"
                             "layers: {sediment: 1 m}\n"
                             "timeline:\n"
                             "  tick: 0.1 yr\n"
                             "  end: 1 yr\n"
                             "  run:\n"
                             "    - dunes: {speed: 9 m/s}\n"
                             "  events:\n"
                             "    - {at: 0.5 yr, add_sand: {depth: 1 m, circle: {x: 80 m, y: 60 m, "
                             "radius: 20 m}, soft: 5 m}}\n";

static void begin(talk* t)
{
    assert_true(talk_open(t, 1, true));
    talk_say(t, "{\"type\":\"hello\",\"version\":1,\"id\":0}");
    assert_true(talk_has(t, "\"type\":\"ready\""));
    assert_true(talk_has(t, "{\"type\":\"done\",\"id\":0}"));
    talk_scene(t, desert);
    assert_true(talk_has(t, "{\"type\":\"done\",\"id\":1}"));
}

static void step(talk* t, int32_t ticks)
{
    talk_sayf(t, "{\"type\":\"step\",\"id\":7,\"ticks\":%d}", ticks);
    talk_run(t);
    assert_true(talk_has(t, "{\"type\":\"done\",\"id\":7}"));
}

static void hash_of(talk* t, const char* key, char out[24])
{
    talk_say(t, "{\"type\":\"hash\"}");
    talk_value(t, key, out, 24);
    assert_int_equal(strlen(out), 16);
}

static void a_scene_plays_to_the_hash_of_its_run(void** state)
{
    (void)state;
    talk t;
    char end[24];
    begin(&t);
    assert_true(talk_has(&t, "\"width\":100,\"height\":70,\"cell\":2"));
    assert_true(talk_has(&t, "\"columns\":2,\"rows\":2,\"tick\":0.1"));
    step(&t, 10);
    assert_true(talk_has(&t, "\"year\":1,"));
    hash_of(&t, "end", end);
    talk_close(&t);

    // the same by the command's way
    fixture f;
    fixture_open(&f, 2);
    wadi_scene* scene;
    wadi_run* run;
    const wadi_host host = {0};
    CHECK_OK(f.context,
             wadi_io_scene_parse(f.context, "desert", desert, strlen(desert), NULL, 0, &scene));
    CHECK_OK(f.context, wadi_run_create(scene, &host, &run));
    while (!wadi_run_is_done(run))
    {
        CHECK_OK(f.context, wadi_run_next(run));
    }
    char text[24];
    (void)snprintf(text, sizeof text, "%016llx", (unsigned long long)wadi_run_hash(run));
    assert_string_equal(text, end);
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

// A stroke, a change of the wind, an edit: undone one by one, given again, and replayed.
static void what_was_done_is_undone_and_replayed(void** state)
{
    (void)state;
    talk t;
    char before[24];
    char after[24];
    char again[24];
    begin(&t);
    step(&t, 3);
    hash_of(&t, "living", before);
    talk_say(&t, "{\"type\":\"stroke\",\"id\":2,\"edit\":\"raise\",\"amount\":0.5,\"radius\":12,"
                 "\"soft\":4,\"points\":[[50,50],[56,50],[62,52]]}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":2}"));
    talk_say(&t,
             "{\"type\":\"change\",\"id\":3,\"process\":\"dunes\",\"with\":{\"direction\":200}}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":3}"));
    hash_of(&t, "living", after);
    assert_string_not_equal(before, after);
    talk_say(&t, "{\"type\":\"undo\"}");
    talk_say(&t, "{\"type\":\"undo\"}");
    hash_of(&t, "living", again);
    assert_string_equal(before, again);
    talk_say(&t, "{\"type\":\"redo\"}");
    talk_say(&t, "{\"type\":\"redo\"}");
    // both become one command, which is undone at once
    talk_say(&t, "{\"type\":\"merge\",\"id\":7,\"commands\":2}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":7}"));
    talk_say(&t, "{\"type\":\"undo\"}");
    hash_of(&t, "living", again);
    assert_string_equal(before, again);
    talk_say(&t, "{\"type\":\"redo\"}");
    step(&t, 4);
    talk_say(&t, "{\"type\":\"record\",\"id\":4}");
    char end[24];
    static char record[16384];
    talk_value(&t, "end", end, sizeof end);
    talk_value(&t, "text", record, sizeof record);
    talk_scene(&t, record);
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":1}"));
    talk_say(&t, "{\"type\":\"seek\",\"id\":5,\"year\":0.7}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":5}"));
    hash_of(&t, "end", again);
    assert_string_equal(end, again);
    talk_close(&t);
}

static const char slow[] = "wadi: 1\n"
                           "name: slow\n"
                           "seed: 5\n"
                           "terrain: {size: [70, 66], cell: 5 m, noise: {relief: 30 m}}\n"
                           "layers: {sediment: 2 m}\n"
                           "timeline:\n"
                           "  tick: 20 yr\n"
                           "  end: 80 yr\n"
                           "  run: [{talus: {}}, {dunes: {}}]\n";

static void add(talk* t, const char* text)
{
    wadi_studio_receive(t->studio, false, text, strlen(text));
}

// A scene of slow ticks, in the midst of one of them. Each look at the clock takes `pace`.
static void begin_slow(talk* t, double pace, int32_t turns)
{
    assert_true(talk_open(t, 1, true));
    talk_say(t, "{\"type\":\"hello\",\"version\":1}");
    talk_scene(t, slow);
    assert_true(talk_has(t, "{\"type\":\"done\",\"id\":1}"));
    talk_run(t);
    t->pace = pace;
    talk_say(t, "{\"type\":\"play\",\"until\":60}");
    for (int32_t i = 0; i < turns; ++i)
    {
        (void)wadi_studio_turn(t->studio, 12.0);
    }
    assert_true(wadi_studio_rest(t->studio) == (turns == 0));
}

static const char touch[] = "{\"type\":\"stroke\",\"id\":2,\"edit\":\"raise\",\"amount\":2,"
                            "\"radius\":20,\"soft\":4,\"points\":[[150,150],[160,150]]}";

// Commands wait for the end of the tick, which goes on in slices; what only looks does not wait.
static void commands_wait_and_keep_their_order(void** state)
{
    (void)state;
    talk t;
    char end[24];
    char again[24];
    static char record[16384];
    begin_slow(&t, 90.0, 1);
    talk_say(&t, "{\"type\":\"pause\",\"id\":3}");
    add(&t, touch);
    add(&t, "{\"type\":\"record\",\"id\":4}");
    add(&t, "{\"type\":\"probe\",\"id\":5,\"at\":[100,100]}");
    assert_false(talk_has(&t, "{\"type\":\"done\",\"id\":3}"));
    assert_false(talk_has(&t, "{\"type\":\"done\",\"id\":2}"));
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":5}"));
    talk_run(&t);
    const char* pause = strstr(t.texts, "{\"type\":\"done\",\"id\":3}");
    const char* stroke = strstr(t.texts, "{\"type\":\"done\",\"id\":2}");
    const char* saved = strstr(t.texts, "{\"type\":\"done\",\"id\":4}");
    assert_true(pause != NULL && stroke > pause && saved > stroke);
    talk_value(&t, "end", end, sizeof end);
    talk_value(&t, "text", record, sizeof record);
    assert_true(wadi_studio_rest(t.studio));
    t.pace = 0.0;
    talk_scene(&t, record);
    talk_say(&t, "{\"type\":\"seek\",\"year\":20}");
    talk_run(&t);
    hash_of(&t, "end", again);
    assert_string_equal(end, again);
    talk_close(&t);
}

// A tick whose beginning was kept is left for a stroke, which then needs no turn; `hold` does the
// same. Steps that were asked for are all taken.
static void a_stroke_leaves_the_tick(void** state)
{
    (void)state;
    talk t;
    begin_slow(&t, 90.0, 1);
    talk_say(&t, "{\"type\":\"hold\",\"id\":3}"); // the first tick begins at a snapshot
    add(&t, touch);
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":3}"));
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":2}"));
    assert_true(talk_has(&t, "\"year\":0,"));
    talk_say(&t, "{\"type\":\"step\",\"id\":6,\"ticks\":2}");
    (void)wadi_studio_turn(t.studio, 12.0);
    (void)wadi_studio_turn(t.studio, 12.0);
    add(&t, touch);
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":2}"));
    talk_run(&t);
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":6}"));
    assert_true(talk_has(&t, "\"year\":40,"));
    talk_close(&t);
}

// A replay is done in slices, tells its way, and can be cancelled.
static void a_replay_tells_its_way(void** state)
{
    (void)state;
    talk t;
    char before[24];
    char after[24];
    begin_slow(&t, 0.0, 0);
    talk_run(&t);
    add(&t, touch);
    talk_say(&t, "{\"type\":\"step\",\"ticks\":2}");
    talk_run(&t);
    hash_of(&t, "living", before);
    t.pace = 90.0;
    talk_say(&t, "{\"type\":\"move\",\"id\":3,\"index\":0,\"year\":20}");
    assert_false(talk_has(&t, "{\"type\":\"done\",\"id\":3}"));
    for (int32_t i = 0; i < 3; ++i)
    {
        assert_true(wadi_studio_turn(t.studio, 12.0));
    }
    assert_true(talk_has(&t, "{\"type\":\"travel\",\"year\":"));
    add(&t, "{\"type\":\"cancel\"}");
    assert_true(talk_has(&t, "{\"type\":\"error\",\"id\":3,\"text\":\"cancelled\"}"));
    talk_run(&t);
    t.pace = 0.0;
    hash_of(&t, "living", after);
    assert_string_equal(before, after);
    t.pace = 90.0;
    talk_say(&t, "{\"type\":\"move\",\"id\":3,\"index\":0,\"year\":20}");
    add(&t, "{\"type\":\"undo\",\"id\":4}");
    add(&t, "{\"type\":\"seek\",\"id\":5,\"year\":100}");
    wadi_studio_finish(t.studio);
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":3}"));
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":4}"));
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":5}"));
    // where each look takes longer than a slice, the replay comes forward all the same
    t.pace = 1000.0;
    talk_say(&t, "{\"type\":\"move\",\"id\":6,\"index\":0,\"year\":20}");
    for (int32_t i = 0; i < 1000 && !talk_has(&t, "{\"type\":\"done\",\"id\":6}"); ++i)
    {
        (void)wadi_studio_turn(t.studio, 12.0);
    }
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":6}"));
    t.pace = 0.0;
    talk_say(&t, "{\"type\":\"undo\"}");
    talk_run(&t);
    hash_of(&t, "living", after);
    assert_string_equal(before, after);
    talk_close(&t);
}

// Messages that wait are kept up to 1 MB; then the tick is ended for them.
static void waiting_messages_have_a_limit(void** state)
{
    (void)state;
    talk t;
    begin_slow(&t, 90.0, 1);
    talk_say(&t, "{\"type\":\"pause\",\"id\":3}");
    for (int32_t i = 0; i < 5000; ++i)
    {
        add(&t, "{\"type\":\"events\"}");
    }
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":3}"));
    talk_close(&t);
}

static void tiles_and_maps_show_the_ground(void** state)
{
    (void)state;
    talk t;
    begin(&t);
    assert_true(wadi_studio_turn(t.studio, 12.0) || true);
    assert_int_equal(t.tiles, 1);
    uint32_t words[8];
    memcpy(words, t.last, sizeof words);
    assert_int_equal(words[2], 4);
    assert_int_equal(words[3], 1);
    assert_int_equal(t.last_size, 32 + 4 * (4 + 8 * 64 * 64));
    float surface;
    uint32_t material;
    memcpy(&surface, t.last + 32 + 16, sizeof surface);
    memcpy(&material, t.last + 32 + 16 + 4 * 64 * 64 * 4, sizeof material);
    CHECK_NEAR((double)surface, 0.0, 1e-6);
    // 255 log2(9) / log2(801) = 83.8
    assert_int_equal(material & 255, 84);

    // no more than two messages without an acknowledgement
    talk_run(&t);
    for (int32_t i = 0; i < 4; ++i)
    {
        talk_sayf(&t, "{\"type\":\"edit\",\"edit\":{\"add_sand\":\"%d m\"}}", i + 1);
        t.clock += 100.0;
        (void)wadi_studio_turn(t.studio, 12.0);
    }
    assert_int_equal(t.tiles, 0);
    talk_run(&t);
    talk_sayf(&t, "{\"type\":\"ack\",\"seq\":%u}", t.seq);
    talk_sayf(&t, "{\"type\":\"ack\",\"seq\":%u}", t.seq);
    talk_run(&t);
    assert_true(t.tiles > 0);

    talk_say(&t, "{\"type\":\"show\",\"slot\":1,\"map\":\"slope\",\"id\":3}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":3}"));
    talk_run(&t);
    assert_int_equal(t.maps, 1);
    talk_say(&t, "{\"type\":\"probe\",\"at\":[81,61]}");
    assert_true(talk_has(&t, "\"cell\":[40,39],\"void\":false,\"surface\":10,"));
    talk_say(&t, "{\"type\":\"section\",\"from\":[0,0],\"to\":[200,140],\"count\":3}");
    assert_true(talk_has(&t, "\"sediment\":[11,11,11]"));
    talk_say(&t, "{\"type\":\"export\",\"what\":\"surface\",\"format\":\"r32\"}");
    assert_true(talk_has(&t, "\"bytes\":28000"));
    assert_int_equal(t.pieces, 1);
    talk_close(&t);
}

static const char valley[] = "wadi: 1\n"
                             "name: valley\n"
                             "seed: 5\n"
                             "terrain: {size: [64, 48], cell: 50 m, noise: {relief: 300 m}}\n"
                             "timeline:\n"
                             "  tick: 500 yr\n"
                             "  end: 2000 yr\n"
                             "  run:\n"
                             "    - hydraulic: {rain: 0.5 m/yr}\n";

static double rain_at(talk* t, double x, double y)
{
    static const char key[] = "\"slots\":[";
    talk_sayf(t, "{\"type\":\"probe\",\"at\":[%g,%g]}", x, y);
    const char* at = strstr(t->texts, key);
    assert_non_null(at);
    return atof(at + sizeof key - 1);
}

// A stroke over the rain is a change of the process: it shows at once, is undone, and its record
// gives the same hash.
static void rain_is_painted(void** state)
{
    (void)state;
    talk t;
    char plain[24];
    char painted[24];
    char again[24];
    assert_true(talk_open(&t, 2, true));
    talk_say(&t, "{\"type\":\"hello\",\"version\":1,\"id\":0}");
    talk_scene(&t, valley);
    step(&t, 4);
    hash_of(&t, "end", plain);
    talk_say(&t, "{\"type\":\"seek\",\"year\":1000}");
    talk_run(&t);
    talk_say(&t, "{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":3,"
                 "\"radius\":400,\"soft\":200,\"points\":[[500,600],[1500,1200]],\"id\":8}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":8}"));
    assert_true(talk_has(&t, "\"name\":\"hydraulic.rain\""));
    talk_say(&t, "{\"type\":\"show\",\"slot\":0,\"map\":\"hydraulic.rain\",\"id\":9}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":9}"));
    CHECK_NEAR(rain_at(&t, 1000.0, 900.0), 3.0, 1e-6);
    CHECK_NEAR(rain_at(&t, 3000.0, 100.0), 0.5, 1e-6);
    step(&t, 2);
    CHECK_NEAR(rain_at(&t, 1000.0, 900.0), 3.0, 1e-6);
    hash_of(&t, "end", painted);
    assert_string_not_equal(plain, painted);

    talk_say(&t, "{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":0,"
                 "\"radius\":100,\"points\":[[1000,900]],\"id\":10}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":10}"));
    CHECK_NEAR(rain_at(&t, 1000.0, 900.0), 0.0, 0.0);
    CHECK_NEAR(rain_at(&t, 1250.0, 1050.0), 3.0, 1e-6);
    talk_say(&t, "{\"type\":\"undo\"}");
    talk_run(&t);
    CHECK_NEAR(rain_at(&t, 1000.0, 900.0), 3.0, 1e-6);
    talk_say(&t, "{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":-5,"
                 "\"radius\":100,\"points\":[[1000,900]],\"id\":11}");
    assert_true(talk_has(&t, "'value' of 'paint' is -5 but must lie in [0, "));
    talk_say(&t, "{\"type\":\"record\"}");
    assert_true(talk_has(&t, "strokes: [{value: 3 m/yr, radius: 400 m, soft: 200 m, points: [[500 "
                             "m, 600 m], [1500 m, 1200 m]]}]"));
    assert_true(talk_has(&t, painted));
    talk_say(&t, "{\"type\":\"undo\"}");
    talk_run(&t);
    step(&t, 2);
    hash_of(&t, "end", again);
    assert_string_equal(plain, again);
    talk_close(&t);
}

// A line in several messages is one stroke: where they meet there is no rim.
static void a_long_line_is_one_stroke(void** state)
{
    (void)state;
    talk t;
    assert_true(talk_open(&t, 2, true));
    talk_say(&t, "{\"type\":\"hello\",\"version\":1,\"id\":0}");
    talk_scene(&t, valley);
    talk_say(&t, "{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":3,"
                 "\"radius\":400,\"soft\":400,\"points\":[[500,600],[1500,1200]]}");
    talk_say(&t, "{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":3,"
                 "\"radius\":400,\"soft\":400,\"points\":[[2500,1800]],\"joins\":true,\"id\":3}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":3}"));
    talk_say(&t, "{\"type\":\"show\",\"slot\":0,\"map\":\"hydraulic.rain\"}");
    // 200 m beside the line the weight is one half everywhere, at the joint too
    const double joint = rain_at(&t, 1500.0 + 102.9, 1200.0 - 171.5);
    CHECK_NEAR(joint, rain_at(&t, 1000.0 + 102.9, 900.0 - 171.5), 0.15);
    assert_true(joint > 1.5 && joint < 2.0);
    talk_say(&t, "{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":2,"
                 "\"radius\":400,\"points\":[[2500,1800]],\"joins\":true}");
    assert_true(talk_has(&t, "joins the last one"));
    step(&t, 1);
    talk_say(&t, "{\"type\":\"record\"}");
    assert_true(talk_has(&t, "points: [[500 m, 600 m], [1500 m, 1200 m], [2500 m, 1800 m]]}]"));
    talk_close(&t);
}

// A spot of rain is an emitter: it is listed, moves at a year, and is taken away. An area rains
// within its corners.
static void rain_falls_from_emitters(void** state)
{
    (void)state;
    talk t;
    char moved[24];
    assert_true(talk_open(&t, 2, true));
    talk_say(&t, "{\"type\":\"hello\",\"version\":1,\"id\":0}");
    talk_scene(&t, valley);
    talk_say(&t, "{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":4,"
                 "\"soft\":50,\"area\":true,\"points\":[[2000,200],[3000,200],[3000,900]]}");
    talk_say(&t, "{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":3,"
                 "\"radius\":400,\"soft\":200,\"points\":[[600,600]]}");
    talk_say(&t, "{\"type\":\"show\",\"slot\":0,\"map\":\"hydraulic.rain\"}");
    CHECK_NEAR(rain_at(&t, 600.0, 600.0), 3.0, 1e-6);
    CHECK_NEAR(rain_at(&t, 2800.0, 500.0), 4.0, 1e-6);
    CHECK_NEAR(rain_at(&t, 2200.0, 800.0), 0.5, 1e-6);
    talk_say(&t, "{\"type\":\"describe\",\"process\":\"hydraulic\"}");
    assert_true(talk_has(&t, "\"spots\":[{\"stroke\":1,\"x\":600,\"y\":600,\"radius\":400,"
                             "\"soft\":200,\"value\":3}]"));
    step(&t, 2);
    talk_say(&t, "{\"type\":\"repaint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"stroke\":1,"
                 "\"points\":[[1600,1400]],\"value\":2,\"id\":4}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":4}"));
    CHECK_NEAR(rain_at(&t, 600.0, 600.0), 0.5, 1e-6);
    CHECK_NEAR(rain_at(&t, 1600.0, 1400.0), 2.0, 1e-6);
    step(&t, 2);
    hash_of(&t, "end", moved);
    talk_say(&t, "{\"type\":\"record\"}");
    assert_true(talk_has(&t, moved));
    assert_true(talk_has(&t, "{painted: {keep: 1, strokes: [{value: 2 m/yr, radius: 400 m"));
    talk_say(&t, "{\"type\":\"repaint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"stroke\":1,"
                 "\"remove\":true}");
    CHECK_NEAR(rain_at(&t, 1600.0, 1400.0), 0.5, 1e-6);
    CHECK_NEAR(rain_at(&t, 2800.0, 500.0), 4.0, 1e-6);
    talk_close(&t);
}

static const struct
{
    const char* message;
    const char* expected;
} bad_paint[] = {
    {"\"paint\",\"map\":\"rain\",\"value\":1,\"radius\":5,\"points\":[]", "1 to 64 positions"},
    {"\"paint\",\"map\":\"rain\",\"value\":1,\"radius\":5,\"points\":[[1e10,0]]", "[x, y]"},
    {"\"paint\",\"map\":\"rain\",\"value\":1,\"radius\":5,\"points\":[[\"nan\",0]]", "[x, y]"},
    {"\"paint\",\"map\":\"rain\",\"value\":\"nan\",\"radius\":5,\"points\":[[1,1]]", "number"},
    {"\"paint\",\"map\":\"rain\",\"radius\":5,\"points\":[[1,1]]", "'value' of 'paint' is missing"},
    {"\"paint\",\"map\":\"rain\",\"value\":1,\"points\":[[1,1]]", "'radius' of 'paint' is missing"},
    {"\"paint\",\"map\":\"rain\",\"value\":1,\"radius\":5,\"soft\":6,\"points\":[[1,1]]", "'soft'"},
    {"\"paint\",\"map\":\"rain\",\"value\":1,\"soft\":0,\"area\":true,\"points\":[[1,1],[2,2]]",
     "3 corners or more"},
    {"\"paint\",\"map\":\"rain\",\"value\":1,\"soft\":0,\"area\":2,\"points\":[[1,1]]",
     "true or false"},
    {"\"paint\",\"map\":\"water\",\"value\":1,\"radius\":5,\"points\":[[1,1]]", "no map 'water'"},
    {"\"paint\",\"map\":\"\",\"value\":1,\"radius\":5,\"points\":[[1,1]]", "no map ''"},
    {"\"repaint\",\"map\":\"rain\"", "'stroke' of 'repaint' is missing"},
    {"\"repaint\",\"map\":\"rain\",\"stroke\":2", "there is no stroke 2; the map has 2"},
    {"\"repaint\",\"map\":\"rain\",\"stroke\":0.5", "there is no stroke 0.5"},
    {"\"repaint\",\"map\":\"rain\",\"stroke\":-1", "must lie in"},
    {"\"repaint\",\"map\":\"rain\",\"stroke\":0,\"points\":[[1,1]]", "expected 3 to"},
    {"\"repaint\",\"map\":\"rain\",\"stroke\":1,\"points\":[]", "1 to 64 positions"},
    {"\"repaint\",\"map\":\"rain\",\"stroke\":1,\"radius\":0", "'radius'"},
    {"\"repaint\",\"map\":\"rain\",\"stroke\":1,\"value\":1e12", "'value'"},
};

// Messages about painted maps that are wrong change nothing, and a stroke does not grow for ever.
static void bad_paint_is_refused(void** state)
{
    (void)state;
    talk t;
    char before[24];
    char after[24];
    assert_true(talk_open(&t, 1, true));
    talk_say(&t, "{\"type\":\"hello\",\"version\":1,\"id\":0}");
    talk_scene(&t, valley);
    talk_say(&t, "{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":4,"
                 "\"soft\":50,\"area\":true,\"points\":[[2000,200],[3000,200],[3000,900]]}");
    talk_say(&t, "{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":3,"
                 "\"radius\":400,\"soft\":200,\"points\":[[600,600]]}");
    hash_of(&t, "end", before);
    for (size_t i = 0; i < sizeof bad_paint / sizeof bad_paint[0]; ++i)
    {
        talk_sayf(&t, "{\"process\":\"hydraulic\",\"type\":%s}", bad_paint[i].message);
        if (!talk_has(&t, "\"type\":\"error\"") || !talk_has(&t, bad_paint[i].expected))
        {
            fail_msg("%s\nanswered by %s", bad_paint[i].message, t.texts);
        }
    }
    hash_of(&t, "end", after);
    assert_string_equal(before, after);
    char points[64 * 8 + 1] = "";
    for (int32_t i = 0; i < 64; ++i)
    {
        (void)snprintf(points + 8 * i, 9, "%s[9%d,60]", i > 0 ? "," : " ", i % 2);
    }
    for (int32_t i = 0; i < 64; ++i)
    {
        talk_sayf(&t,
                  "{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":3,"
                  "\"radius\":400,\"soft\":200,\"joins\":true,\"points\":[%s]}",
                  points);
        assert_true(talk_has(&t, "up to 4096 points") == (i == 63)); // there was one point before
    }
    talk_close(&t);
}

// A turned rectangle raises what is inside of it and nothing else.
static void brushes_have_shapes(void** state)
{
    (void)state;
    talk t;
    char before[24];
    char after[24];
    assert_true(talk_open(&t, 2, true));
    talk_say(&t, "{\"type\":\"hello\",\"version\":1,\"id\":0}");
    talk_scene(&t, "wadi: 1\nterrain: {size: [40, 40], cell: 5 m, flat: 0 m}\nsteps: [talus: {for: "
                   "10 yr}]\n");
    hash_of(&t, "living", before);
    talk_say(&t, "{\"type\":\"stroke\",\"edit\":\"raise\",\"amount\":2,\"radius\":60,\"shape\":"
                 "\"rectangle\",\"ratio\":0.25,\"azimuth\":90,\"points\":[[100,100]],\"id\":5}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":5}"));
    talk_say(&t, "{\"type\":\"probe\",\"at\":[152.5,107.5]}");
    assert_true(talk_has(&t, "\"surface\":2,"));
    talk_say(&t, "{\"type\":\"probe\",\"at\":[107.5,122.5]}");
    assert_true(talk_has(&t, "\"surface\":0,"));
    talk_say(&t, "{\"type\":\"record\"}");
    assert_true(talk_has(&t, "rectangle: {x: 100 m, y: 100 m, width: 30 m, height: 120 m, azimuth: "
                             "90 degree}"));
    hash_of(&t, "living", after);
    assert_string_not_equal(before, after);
    talk_say(&t, "{\"type\":\"undo\"}");
    talk_run(&t);
    hash_of(&t, "living", after);
    assert_string_equal(before, after);
    talk_close(&t);
}

static const char slope[] = "wadi: 1\n"
                            "name: slope\n"
                            "seed: 3\n"
                            "terrain: {size: [40, 40], cell: 4 m, ramp: {slope: 0.75}}\n"
                            "layers: {sediment: 2 m}\n"
                            "timeline:\n"
                            "  tick: 1 day\n"
                            "  end: 1 day\n"
                            "  run:\n"
                            "    - landslide: {model: grains, most: 300, min_area: 100 m2, "
                            "cohesion: 0 Pa, rain: 1 mm/h}\n";

// Frames of grains come while a slide moves, and one without grains when it has come to rest. They
// change no result, and a replay shows none.
static void grains_show_on_their_way(void** state)
{
    (void)state;
    talk t;
    char often[24];
    char rarely[24];
    for (int32_t run = 0; run < 2; ++run)
    {
        assert_true(talk_open(&t, 2, true));
        talk_say(&t, "{\"type\":\"hello\",\"version\":1,\"id\":0}");
        talk_scene(&t, slope);
        talk_run(&t);
        t.pace = run == 0 ? 50.0 : 1e-3;
        talk_say(&t, "{\"type\":\"step\",\"id\":7,\"ticks\":1}");
        talk_run(&t);
        assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":7}"));
        assert_true(run == 1 || t.grain_frames > 5);
        assert_int_equal(t.grains, 0);
        t.pace = 0.0;
        hash_of(&t, "end", run == 0 ? often : rarely);
        assert_int_equal(t.grain_frames, 0);
        talk_close(&t);
    }
    assert_string_equal(often, rarely);
}

static const struct
{
    const char* message;
    const char* expected;
} bad_messages[] = {
    {"", "a mapping"},
    {"[1]", "a mapping"},
    {"{\"id\":1}", "'type' of 'message' is missing"},
    {"{\"type\":\"fly\"}", "unknown message 'fly'"},
    {"{\"type\":\"pause\",\"id\":-5}", "must lie in"},
    {"{\"type\":\"seek\"}", "'year' of 'seek' is missing"},
    {"{\"type\":\"seek\",\"year\":1e300}", "must lie in [0, 1e+09]"},
    {"{\"type\":\"seek\",\"year\":\"soon\"}", "expected a number"},
    {"{\"type\":\"step\",\"ticks\":0}", "must lie in [1, 10000]"},
    {"{\"type\":\"pause\",\"now\":1}", "unknown key 'now' in 'pause'"},
    {"{\"type\":\"start\",\"process\":\"dunes\"}", "dunes runs already"},
    {"{\"type\":\"start\",\"process\":\"sand\"}", "unknown process 'sand'"},
    {"{\"type\":\"change\",\"process\":\"talus\",\"with\":{}}", "talus does not run"},
    {"{\"type\":\"change\",\"process\":\"dunes\",\"with\":{\"sped\":1}}", "did you mean 'speed'"},
    {"{\"type\":\"change\",\"process\":\"dunes\",\"with\":{\"speed\":1e9}}", "must lie in"},
    {"{\"type\":\"change\",\"process\":\"dunes\",\"with\":{\"speed\":\"9 kg\"}}", "cannot convert"},
    {"{\"type\":\"edit\",\"edit\":{\"add_sand\":\"1e9 m\"}}", "must lie in"},
    {"{\"type\":\"edit\",\"edit\":{\"write\":\"a.tif\"}}", "not an edit"},
    {"{\"type\":\"edit\",\"edit\":[]}", "takes one edit"},
    {"{\"type\":\"stroke\",\"edit\":\"raise\",\"amount\":1,\"radius\":5,\"points\":[]}",
     "1 to 64 positions"},
    {"{\"type\":\"stroke\",\"edit\":\"raise\",\"amount\":1,\"radius\":5,\"points\":[[1]]}",
     "[x, y]"},
    {"{\"type\":\"stroke\",\"edit\":\"raise\",\"amount\":1,\"radius\":-5,\"points\":[[1,1]]}",
     "must lie in"},
    {"{\"type\":\"stroke\",\"edit\":\"raise\",\"amount\":1,\"radius\":5,\"points\":[[1,1]],"
     "\"joins\":true}",
     "joins an edit"},
    {"{\"type\":\"paint\",\"process\":\"hydraulic\",\"map\":\"rain\",\"value\":1,\"radius\":5,"
     "\"points\":[[1,1]]}",
     "hydraulic does not run"},
    {"{\"type\":\"paint\",\"process\":\"dunes\",\"map\":\"rain\",\"value\":1,\"radius\":5,"
     "\"points\":[[1,1]]}",
     "dunes takes no map 'rain'"},
    {"{\"type\":\"stroke\",\"edit\":\"raise\",\"amount\":1,\"radius\":5,\"points\":[[1,1]],"
     "\"shape\":\"polygon\"}",
     "unknown shape 'polygon'"},
    {"{\"type\":\"repaint\",\"process\":\"dunes\",\"map\":\"rain\",\"stroke\":0}",
     "dunes takes no map 'rain'"},
    {"{\"type\":\"show\",\"map\":\"hydraulic.rain\"}", "hydraulic"},
    {"{\"type\":\"show\",\"map\":\"gold\"}", "neither a layer"},
    {"{\"type\":\"show\",\"slot\":4,\"map\":null}", "must lie in"},
    {"{\"type\":\"move\",\"index\":9,\"year\":0}", "there is no event 9"},
    {"{\"type\":\"probe\",\"at\":[-1,5]}", "outside of the grid"},
    {"{\"type\":\"switch\",\"name\":\"none\"}", "none"},
    {"{\"type\":\"export\",\"what\":\"surface\",\"format\":\"doc\"}", "unknown format"},
    {"{\"type\":\"open\",\"scene\":\"wadi: 2\"}", "version"},
    {"{\"type\":\"open\",\"scene\":\"wadi: 1\\nterrain: {size: 9000, flat: 0}\\nsteps: "
     "[talus: {}]\"}",
     "more than the"},
    {"{\"type\":\"open\",\"scene_from\":\"moon\"}", "has not been sent"},
    {"{\"type\":\"grid\",\"name\":\"a\",\"width\":8,\"height\":8,\"cell\":1,\"bytes\":9}",
     "4 bytes a cell"},
    {"{\"type\":\"undo\"}", "no command to take back"},
    {"{\"type\":\"merge\",\"commands\":3}", "cannot make 3 commands one"},
};

static void bad_messages_are_refused(void** state)
{
    (void)state;
    talk t;
    char before[24];
    char after[24];
    begin(&t);
    hash_of(&t, "living", before);
    for (size_t i = 0; i < sizeof bad_messages / sizeof bad_messages[0]; ++i)
    {
        talk_say(&t, bad_messages[i].message);
        if (!talk_has(&t, "\"type\":\"error\"") || !talk_has(&t, bad_messages[i].expected))
        {
            fail_msg("%s\nanswered by %s", bad_messages[i].message, t.texts);
        }
    }
    hash_of(&t, "living", after);
    assert_string_equal(before, after);
    talk_close(&t);
}

static void send_piece(talk* t, const char* name, uint32_t offset, const void* bytes, uint32_t size)
{
    unsigned char piece[2048] = {0};
    const uint32_t length = (uint32_t)strlen(name);
    const uint32_t words[4] = {0, offset, size, length};
    const size_t data = 16 + (length + 3U) / 4 * 4;
    memcpy(piece, words, sizeof words);
    memcpy(piece, "wadp", 4);
    memcpy(piece + 16, name, length);
    memcpy(piece + data, bytes, size);
    wadi_studio_receive(t->studio, true, piece, data + size);
}

static void a_grid_that_is_sent_becomes_ground(void** state)
{
    (void)state;
    talk t;
    float heights[16 * 16];
    for (int32_t i = 0; i < 256; ++i)
    {
        heights[i] = (float)(i % 16);
    }
    assert_true(talk_open(&t, 1, true));
    talk_say(&t, "{\"type\":\"grid\",\"id\":1,\"name\":\"hill.tif\",\"width\":16,\"height\":16,"
                 "\"cell\":5,\"bytes\":1024}");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":1}"));
    send_piece(&t, "hill.tif", 0, heights, 512);
    send_piece(&t, "hill.tif", 0, heights, 512);
    assert_true(talk_has(&t, "fits to no announced content"));
    send_piece(&t, "hill.tif", 512, heights + 128, 512);
    assert_true(talk_has(&t, "{\"type\":\"received\",\"name\":\"hill.tif\"}"));
    talk_scene(&t, "wadi: 1\nterrain: {import: hill.tif}\nsteps: [talus: {for: 100 yr}]\n");
    if (!talk_has(&t, "{\"type\":\"done\",\"id\":1}"))
    {
        fail_msg("%s", t.texts);
    }
    talk_say(&t, "{\"type\":\"probe\",\"at\":[37.5,37.5]}");
    assert_true(talk_has(&t, "\"surface\":7,"));
    // more grids than there are places: those of no scene go, that of the scene stays
    for (int32_t i = 0; i < 12; ++i)
    {
        char name[16];
        (void)snprintf(name, sizeof name, "next%d.tif", i);
        talk_sayf(&t,
                  "{\"type\":\"grid\",\"id\":2,\"name\":\"next%d.tif\",\"width\":1,"
                  "\"height\":1,\"cell\":5,\"bytes\":4}",
                  i);
        assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":2}"));
        send_piece(&t, name, 0, heights, 4);
        assert_true(talk_has(&t, "\"type\":\"received\""));
    }
    talk_scene(&t, "wadi: 1\nterrain: {import: hill.tif}\nsteps: [talus: {for: 100 yr}]\n");
    assert_true(talk_has(&t, "{\"type\":\"done\",\"id\":1}"));
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_plays_to_the_hash_of_its_run),
        cmocka_unit_test(what_was_done_is_undone_and_replayed),
        cmocka_unit_test(commands_wait_and_keep_their_order),
        cmocka_unit_test(a_stroke_leaves_the_tick),
        cmocka_unit_test(a_replay_tells_its_way),
        cmocka_unit_test(waiting_messages_have_a_limit),
        cmocka_unit_test(tiles_and_maps_show_the_ground),
        cmocka_unit_test(rain_is_painted),
        cmocka_unit_test(a_long_line_is_one_stroke),
        cmocka_unit_test(rain_falls_from_emitters),
        cmocka_unit_test(bad_paint_is_refused),
        cmocka_unit_test(brushes_have_shapes),
        cmocka_unit_test(grains_show_on_their_way),
        cmocka_unit_test(bad_messages_are_refused),
        cmocka_unit_test(a_grid_that_is_sent_becomes_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
