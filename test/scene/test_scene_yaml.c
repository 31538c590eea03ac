// SPDX-License-Identifier: MIT
// Scene files: valid files are read; everything else is refused with its place and advice.
#include "support/fixture.h"

#include "io/scene/scene_yaml.h"

static wadi_result parse(fixture* f, const char* text, const char* override, wadi_scene** out)
{
    return wadi_io_scene_parse(f->context, "t.yaml", text, strlen(text), &override,
                               override != NULL ? 1 : 0, out);
}

static const char plain[] =
    "wadi: 1\n"
    "terrain: {size: [16, 8], cell: 10 m, flat: 5 m}\n"
    "steps:\n"
    "  - add_sand: {depth: 2 m, circle: {x: 80 m, y: 0.04 km, radius: 20}}\n"
    "  - write: height.tif\n"
    "  - {write: sand.tif, layer: sediment}\n";

static void a_scene_is_read_in_order(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene;
    CHECK_OK(f.context, parse(&f, plain, NULL, &scene));
    assert_int_equal(wadi_scene_step_count(scene), 3);
    const wadi_step* sand = wadi_scene_step(scene, 0);
    assert_string_equal(wadi_step_name(sand), "add_sand");
    assert_string_equal(sand->origin, "t.yaml:4:5");
    CHECK_NEAR(wadi_field_get(&sand->edit.kind->fields->fields[0], sand->edit.params), 2.0, 0.0);
    const wadi_field* y = wadi_field_find(sand->edit.region.shape->fields, "y");
    CHECK_NEAR(wadi_field_get(y, sand->edit.region.params), 40.0, 1e-12);
    assert_int_equal(wadi_scene_step(scene, 2)->output.quantity.layer, WADI_LAYER_SEDIMENT);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

// The start of a file that goes on with events.
#define EVENTS "wadi: 1\ntimeline: {tick: 1 yr, end: 2 yr, run: [talus: {}],\n  events: "

// An event changes only the parameters it names; outputs under `output` come last.
static void a_timeline_is_laid_out_as_steps(void** state)
{
    (void)state;
    static const char text[] = "wadi: 1\n"
                               "output: [write: end.tif]\n"
                               "timeline:\n"
                               "  end: 4 yr\n"
                               "  events:\n"
                               "    - {at: 1 yr, dunes: {speed: 12 m/s}}\n"
                               "    - {write: slope.tif, at: 2 yr, map: slope}\n"
                               "    - {at: 3 yr, dunes: {rose: none, direction: 180}}\n"
                               "  run: [dunes: {flux: 100, rose: rose.csv}]\n"
                               "  tick: 2 yr\n"
                               "terrain: {flat: 0}\n";
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene;
    CHECK_OK(f.context, parse(&f, text, NULL, &scene));
    static const char* const names[] = {"dunes", "dunes", "write", "dunes", "dunes", "write"};
    assert_int_equal(wadi_scene_step_count(scene), 6);
    for (int32_t i = 0; i < 6; ++i)
    {
        assert_string_equal(wadi_step_name(wadi_scene_step(scene, i)), names[i]);
    }
    const wadi_scene_process* second = &wadi_scene_step(scene, 1)->process;
    const wadi_field_table* fields = second->process->fields;
    CHECK_NEAR(wadi_field_get(wadi_field_find(fields, "speed"), second->params), 12.0, 0.0);
    CHECK_NEAR(wadi_field_get(wadi_field_find(fields, "flux"), second->params), 100.0, 0.0);
    assert_int_equal(second->table_count, 1);
    assert_true(wadi_scene_step(scene, 3)->process.goes_on);
    const wadi_scene_process* last = &wadi_scene_step(scene, 4)->process;
    CHECK_NEAR(wadi_field_get(wadi_field_find(fields, "speed"), last->params), 12.0, 0.0);
    CHECK_NEAR(wadi_field_get(wadi_field_find(fields, "direction"), last->params), 180.0, 0.0);
    assert_int_equal(last->table_count, 0);
    assert_string_equal(wadi_scene_step(scene, 4)->origin, "t.yaml:8:8");
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

// Each is a whole file; its message must hold both texts.
static const struct
{
    const char* text;
    const char* place;
    const char* message;
} bad[] = {
    {"", "t.yaml:1:1:", "a mapping"},
    {"- 1\n", "t.yaml:1:1:", "a mapping"},
    {"wadi: 1\nterrain: [1, 2\nsteps: 3\n", "t.yaml:", "flow sequence"},
    {"terrain: {flat: 0}\nsteps: [write: a.tif]\n", "t.yaml:1:1:", "'wadi' is missing"},
    {"wadi: 2\nterrain: {flat: 0}\nsteps: [write: a.tif]\n", "t.yaml:1:7:", "takes one of: 1"},
    {"wadi: 1\nsteps: [write: a.tif]\n", "t.yaml:1:1:", "'terrain' is missing"},
    {"wadi: 1\nterrain: {flat: 0}\n", "t.yaml:1:1:", "'steps' is missing"},
    {"wadi: 1\nterain: {flat: 0}\n",
     "t.yaml:2:1:", "unknown key 'terain' in 'scene'; did you mean 'terrain'?"},
    {"wadi: 1\nwadi: 1\n", "t.yaml:2:1:", "'wadi' is given twice"},
    {"wadi: 1\ntimeline: {}\n", "t.yaml:2:1", "has a tick, an end"},
    {"wadi: 1\ntimeline: {tick: 1, end: 2}\n", "t.yaml:2:12:", "processes that run"},
    {"wadi: 1\ntimeline: {tick: 0, end: 2, run: [talus: {}]}\n", "t.yaml:2:12:", "tick is 0"},
    {"wadi: 1\ntimeline: {tick: 1, end: 2, run: [add_sand: 2 m]}\n",
     "t.yaml:2:35:", "belongs under 'events'"},
    {"wadi: 1\ntimeline: {tick: 1, end: 2, run: [talus: {for: 1 yr}]}\n",
     "t.yaml:2:43:", "unknown key 'for' in 'talus'"},
    {"wadi: 1\ntimeline: {tick: 1, end: 2, run: [talus: {from: 2 yr, until: 1 yr}]}\n",
     "t.yaml:2:35:", "before its end"},
    {"wadi: 1\nsteps: [write: a.tif]\ntimeline: {tick: 1, end: 2, run: [talus: {}]}\n",
     "t.yaml:3:12:", "'steps' or a 'timeline'"},
    {EVENTS "[add_sand: 2 m]}\n", "t.yaml:3:12:", "says when it happens"},
    {EVENTS "[{at: 1, add_snd: 2 m}]}\n", "t.yaml:3:20:", "did you mean 'add_sand'?"},
    {EVENTS "[{at: 3, add_sand: 2 m}]}\n", "t.yaml:3:13:", "timeline of 0 to 2 yr"},
    {EVENTS "[{at: 1 m, add_sand: 2 m}]}\n", "t.yaml:3:17:", "at"},
    {EVENTS "[{at: 1, add_sand: 2 m, plant: 1}]}\n", "t.yaml:3:13:", "belong inside"},
    {EVENTS "[{at: 1, add_sand: {at: 1, depth: 1}}]}\n", "t.yaml:3:31:", "unknown key 'at'"},
    {EVENTS "[{at: 1, write: a.tif, from: 1}]}\n", "t.yaml:3:34:", "unknown key 'from' in 'write'"},
    {EVENTS "[{at: 1, wind: {}}]}\n", "t.yaml:3:20:", "not in the list under 'run'"},
    {EVENTS "[{at: 1, talus: {from: 1 yr}}]}\n", "t.yaml:3:28:", "unknown key 'from' in 'talus'"},
    {EVENTS "[{at: 1}]}\n", "t.yaml:3:13:", "a step is a key"},
    {EVENTS "[]}\n", "t.yaml:3:", "a list of up to"},
    {"wadi: 1\nterrain: {flat: 0}\nsteps: [plant: 1]\noutput: [plant: 1]\n",
     "t.yaml:4:10:", "'plant' is not an output"},
    {"wadi: 1\nseed: -4\n", "t.yaml:2:7:", "whole number in [0, 2^64)"},
    {"wadi: 1\nseed: 18446744073709551616\n", "t.yaml:2:7:", "whole number in [0, 2^64)"},
    {"wadi: 1\nterrain: {size: 0, flat: 0}\n", "t.yaml:2:17:", "[1, 65536]"},
    {"wadi: 1\nterrain: {size: [4, 4, 4], flat: 0}\n", "t.yaml:2:18:", "[width, height]"},
    {"wadi: 1\nterrain: {size: 4.5, flat: 0}\n", "t.yaml:2:17:", "whole number"},
    {"wadi: 1\nterrain: {size: 4}\n", "t.yaml:2:11:", "needs a source"},
    {"wadi: 1\nterrain: {size: 4, flat: 0, ramp: {}}\n", "t.yaml:2:29:", "a source already"},
    {"wadi: 1\nterrain: {flat: 40 km}\n", "t.yaml:2:17:", "flat.elevation"},
    {"wadi: 1\nterrain: {flat: high}\n", "t.yaml:2:17:", "flat.elevation"},
    {"wadi: 1\nterrain: {flat: 0, edges: shut}\n", "t.yaml:2:27:", "open, closed, periodic"},
    {"wadi: 1\nterrain: {flat: 0, edges: {up: open}}\n", "t.yaml:2:28:", "north, east"},
    {"wadi: 1\nterrain: {flat: 0, edges: {north: periodic}}\n", "t.yaml:2:11:", "periodic"},
    {"wadi: 1\nterrain: {flat: 0, cell: 10, extent: 100}\n",
     "t.yaml:2:11:", "leave one of them out"},
    {"wadi: 1\nterrain: {sources: []}\n", "t.yaml:2:11:", "sources takes a list"},
    {"wadi: 1\nterrain: {sources: [{flat: 0, combin: max}]}\n",
     "t.yaml:2:31:", "did you mean 'combine'?"},
    {"wadi: 1\nterrain: {sources: [{flat: 0, weight: 2}]}\n",
     "t.yaml:2:22:", "weight of a source is 2"},
    {"wadi: 1\nterrain: {import: {cell: 4}}\n", "t.yaml:2:20:", "needs a file"},
    {"wadi: 1\nlayers: {surface: 2}\n", "t.yaml:2:10:", "'layers' cannot set the surface"},
    {"wadi: 1\nlayers: {sediment: {flat: 2}}\n", "t.yaml:2:21:", "in 'source'"},
    {"wadi: 1\nlayers: {hardness: {above: 2}}\n", "t.yaml:2:21:", "in 'source'"},
    {"wadi: 1\nlayers: {sand_heap: 2}\n", "t.yaml:2:10:", "takes one of: sediment"},
    {"wadi: 1\nmaterials: {rock: {densty: 2}}\n", "t.yaml:2:20:", "did you mean 'density'?"},
    {"wadi: 1\nmaterials: {rock: {porosity: 2}}\n", "t.yaml:2:30:", "porosity"},
    {"wadi: 1\nsteps: {}\n", "t.yaml:2:1:", "a list"},
    {"wadi: 1\nsteps: [5]\n", "t.yaml:2:9:", "a step is"},
    {"wadi: 1\nsteps: [add_snd: 2 m]\n", "t.yaml:2:9:", "did you mean 'add_sand'?"},
    {"wadi: 1\nsteps: [{add_sand: 2 m, plant: 1}]\n", "t.yaml:2:10:", "belong inside"},
    {"wadi: 1\nsteps: [add_sand: {dept: 2 m}]\n", "t.yaml:2:20:", "did you mean 'depth'?"},
    {"wadi: 1\nsteps: [add_sand: {depth: -2 m}]\n", "t.yaml:2:27:", "[0, 32767]"},
    {"wadi: 1\nsteps: [add_sand: {depth: [2]}]\n", "t.yaml:2:28:", "single value"},
    {"wadi: 1\nsteps: [plant: {circle: {x: 1}, polygon: [[0, 0], [1, 0], [0, 1]]}]\n",
     "t.yaml:2:33:", "give one shape only"},
    {"wadi: 1\nsteps: [plant: {polygon: [[0, 0], [1]]}]\n", "t.yaml:2:", "3 corners"},
    {"wadi: 1\nsteps: [plant: {polygon: [[0, 0], [1, 1], [1]]}]\n", "t.yaml:2:", "[x, y]"},
    {"wadi: 1\nsteps: [set_layer: {circle: {}}]\n", "t.yaml:2:9:", "set_layer needs a layer"},
    {"wadi: 1\nsteps: [set_layer: {hardness: 1, sediment: 2}]\n", "t.yaml:2:34:", "one layer"},
    {"wadi: 1\nsteps: [write: ../a.tif]\n", "t.yaml:2:16:", "is outside the output folder"},
    {"wadi: 1\nlayers: {hardness: {classes: a.tif}}\n", "t.yaml:2:30:", "needs values"},
    {"wadi: 1\nlayers: {hardness: {classes: {file: a.tif, values: 3}}}\n",
     "t.yaml:2:", "maps each class"},
    {"wadi: 1\nlayers: {hardness: {constant: {strokes: 3}}}\n", "t.yaml:2:", "a list of strokes"},
    {"wadi: 1\nlayers: {hardness: {constant: {strokes: []}}}\n", "t.yaml:2:", "a list of strokes"},
    {"wadi: 1\nlayers: {hardness: {constant: {strokes: [{value: 1, radius: 2}]}}}\n",
     "t.yaml:2:43:", "a stroke needs 'points'"},
    {"wadi: 1\nlayers: {hardness: {constant: {strokes: [{points: [[1, 2]], radius: 2}]}}}\n",
     "t.yaml:2:43:", "a stroke needs 'value'"},
    {"wadi: 1\nlayers: {hardness: {constant: {strokes: [{points: [], value: 1, radius: 2}]}}}\n",
     "t.yaml:2:", "a list of points [x, y]"},
    {"wadi: 1\nlayers: {hardness: {constant: {strokes: [{pints: [], value: 1, radius: 2}]}}}\n",
     "t.yaml:2:43:", "did you mean 'points'?"},
    {"wadi: 1\nlayers: {hardness: {constant: {strokes: [{value: 1 m, radius: 2, points: [[1, "
     "2]]}]}}}\n",
     "t.yaml:2:50:", "value"},
    {"wadi: 1\nlayers: {hardness: {constant: {strokes: [{value: 1, radius: 0, points: [[1, "
     "2]]}]}}}\n",
     "t.yaml:2:", "the radius of stroke 1 is 0 m"},
    {"wadi: 1\nlayers: {hardness: {constant: {strokes: [{value: 1, radius: 2, soft: 3, points: "
     "[[1, 2]]}]}}}\n",
     "t.yaml:2:", "the soft rim of stroke 1 is 3 m"},
    {"wadi: 1\nlayers: {hardness: {constant: {strokes: [{value: 1, polygon: [[1, 2], [3, "
     "4]]}]}}}\n",
     "t.yaml:2:", "3 corners"},
    {"wadi: 1\nlayers: {hardness: {constant: {strokes: [{value: 1, radius: 2, polygon: [[1, 2], "
     "[3, 4], [5, 5]]}]}}}\n",
     "t.yaml:2:43:", "a 'polygon' has no 'radius'"},
    {"wadi: 1\nsteps: [hydraulic: {rain_map: {painted: {strokes: [{value: 1, radius: 2, points: "
     "[[1, 2]]}]}}}]\n",
     "t.yaml:2:", "and it has none"},
    {"wadi: 1\ntimeline: {tick: 1 yr, end: 9 yr, run: [hydraulic: {rain_map: {constant: {value: 1, "
     "strokes: [{value: 1, radius: 2, points: [[1, 2]]}]}}}], events: [{at: 2 yr, hydraulic: "
     "{rain_map: {painted: {keep: 2}}}}]}\n",
     "t.yaml:2:", "'keep' is 2 but must be a whole number from 0 to 1"},
    {"wadi: 1\nstrata: {top: 1 m}\n", "t.yaml:2:10:", "0 beds of rock"},
    {"wadi: 1\nstrata: {beds: 3}\n", "t.yaml:2:16:", "a list of 1 to 32 beds"},
    {"wadi: 1\nstrata: {beds: [{hardness: 0}, {hardness: 1}]}\n", "t.yaml:2:18:", "only the last"},
    {"wadi: 1\nstrata: {beds: [{thickness: 2 m}]}\n", "t.yaml:2:18:", "a bed is"},
    {"wadi: 1\nstrata: {beds: [{hardnes: 0}]}\n", "t.yaml:2:18:", "did you mean 'hardness'?"},
    {"wadi: 1\nsteps: [write: /a.tif]\n", "t.yaml:2:16:", "is outside the output folder"},
    {"wadi: 1\nsteps: [write: a/../../b.tif]\n", "t.yaml:2:16:", "is outside the output folder"},
    {"wadi: 1\nsteps: [{write: a.tif, map: sand_dune}]\n", "t.yaml:2:29:", "neither a layer"},
    {"wadi: 1\nsteps: [{write: a.tif, layer: slope}]\n", "t.yaml:2:31:", "write 'map'"},
    {"wadi: 1\nsteps: [{write: a.tif, map: slope, layer: water}]\n", "t.yaml:2:10:", "either"},
    {"wadi: 1\nsteps: [write: a.tif, write: a.tif]\n", "t.yaml:2:23:", "two steps write"},
    {"wadi: 1\nsteps: [render: a.jpg]\n", "t.yaml:2:17:", "must end in .png"},
    {"wadi: 1\nsteps: [{render: a.png, drape: slope, inset: slope}]\n", "t.yaml:2:46:", "one map"},
    {"wadi: 1\nsteps: [report: a.txt]\n", "t.yaml:2:17:", "must end in .json"},
    {"a: &x 1\n", "t.yaml:1:", "anchors"},
    {"a: !!str 1\n", "t.yaml:1:", "tags"},
    {"? [1]\n: 2\n", "t.yaml:1:4:", "plain word"},
    {"a: [[[[[[[[[[[[[[1]]]]]]]]]]]]]]\n", "t.yaml:1:", "nested deeper"},
    {"a: 1\n---\nb: 2\n", "t.yaml:1:1:", "second document"},
    {"a: 1\nb: \xff\xfe\n", "t.yaml:2:1:", "invalid UTF-8"},
    {"a: 1\nb: \xe0\x8f\x8e\n", "t.yaml:2:1:", "invalid UTF-8"},
    {"a: 1\nb: \xed\xa0\x80\n", "t.yaml:2:1:", "invalid UTF-8"},
    {"a: 1\nb: \xf4\x90\x80\x80\n", "t.yaml:2:1:", "invalid UTF-8"},
    {"a: 1\n%   - {b: \xe0\xa4\x85", "t.yaml:2:1:", "may not begin with '%'"},
    {"%YAML 1.2\n---\na: 1\n", "t.yaml:1:1:", "comments begin with '#'"},
    {"a: \"x\\0y\"\n", "t.yaml:1:", "zero byte"},
};

static void everything_else_is_refused_with_its_place(void** state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_scene* scene = (wadi_scene*)0x1; // must be overwritten
        const wadi_result result = parse(&f, bad[i].text, NULL, &scene);
        const char* detail = wadi_error_detail(f.context);
        if (result == WADI_OK || strstr(detail, bad[i].message) == NULL ||
            strncmp(detail, bad[i].place, strlen(bad[i].place)) != 0 ||
            strchr(detail, '\n') != NULL)
        {
            print_error("%s: got '%s', expected '%s ... %s'\n", bad[i].text, detail, bad[i].place,
                        bad[i].message);
            wrong += 1;
        }
        wadi_scene_destroy(result == WADI_OK ? scene : NULL);
        assert_true(result == WADI_OK || scene == NULL);
        fixture_close(&f);
    }
    assert_int_equal(wrong, 0);
}

static double depth_of(const wadi_scene* scene)
{
    const wadi_edit* edit = &wadi_scene_step(scene, 0)->edit;
    return wadi_field_get(&edit->kind->fields->fields[0], edit->params);
}

static void overrides_reach_steps_by_name_and_number(void** state)
{
    (void)state;
    static const char* const good[] = {"add_sand.depth=3 m", "steps.0.add_sand.depth=3",
                                       "steps.0=add_sand: {depth: 3 m}", "steps.0={add_sand: 3 m}"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_scene* scene;
        CHECK_OK(f.context, parse(&f, plain, good[i], &scene));
        CHECK_NEAR(depth_of(scene), 3.0, 0.0);
        wadi_scene_destroy(scene);
        fixture_close(&f);
    }
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene;
    CHECK_OK(f.context, parse(&f, plain, "terrain.size=[64, 32]", &scene));
    assert_int_equal(wadi_scene_grid_of(scene)->width, 64);
    wadi_scene_destroy(scene);
    CHECK_OK(f.context, parse(&f, plain, "seed=9", &scene));
    assert_true(wadi_scene_seed(scene) == 9);
    wadi_scene_destroy(scene);
    fixture_close(&f);
}

static void overrides_reach_timelines(void** state)
{
    (void)state;
    static const char text[] =
        "wadi: 1\nterrain: {flat: 0}\n"
        "timeline: {tick: 1, end: 2, run: [talus: {}], events: [{at: 1, add_sand: {depth: 2 m}}]}\n"
        "output: [render: a.png]\n";
    static const char* const good[] = {"talus.repose=20 deg", "add_sand.depth=20 m",
                                       "timeline.events.0.add_sand=20 m", "render.width=20",
                                       "timeline.tick=2"};
    static const char* const bad_ones[] = {"talus.repos=20", "add_sand.width=20", "render.hight=2",
                                           "timeline.tick=3", "timeline.events.1.at=1"};
    for (size_t i = 0; i < 5; ++i)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_scene* scene;
        CHECK_OK(f.context, parse(&f, text, good[i], &scene));
        const wadi_edit* edit = &wadi_scene_step(scene, 1)->edit;
        CHECK_NEAR(wadi_field_get(&edit->kind->fields->fields[0], edit->params),
                   i == 1 || i == 2 ? 20.0 : 2.0, 0.0);
        assert_true((wadi_scene_step(scene, 3)->output.render->width == 20) == (i == 3));
        wadi_scene_destroy(scene);
        assert_int_not_equal(parse(&f, text, bad_ones[i], &scene), WADI_OK);
        assert_true(strstr(wadi_error_detail(f.context), "--set") != NULL ||
                    strstr(wadi_error_detail(f.context), "tick") != NULL);
        fixture_close(&f);
    }
}

static void bad_overrides_name_themselves(void** state)
{
    (void)state;
    static const struct
    {
        const char* override;
        const char* message;
    } cases[] = {
        {"add_sand.depth=-1", "--set add_sand.depth: "},
        {"add_sand.dept=1", "did you mean 'depth'?"},
        {"terain.size=4", "--set terain.size: the scene has no 'terain'"},
        {"steps.9.add_sand.depth=1", "the scene has no '9'"},
        {"steps.9=x", "neither in a mapping"},
        {"seed", "write it as key=value"},
        {"=4", "write it as key=value"},
        {"a.b.c.d.e.f.g.h.i.j.k.l.m.n=4", "too long"},
        {"seed=[", "--set seed: "},
        {"seed=[1,2]", "single value"},
        {"seed={y}/{x}.tif", "put text with braces in quotes: '\"{y}/{x}.tif\"'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_scene* scene;
        const wadi_result result = parse(&f, plain, cases[i].override, &scene);
        assert_int_not_equal(result, WADI_OK);
        if (strstr(wadi_error_detail(f.context), cases[i].message) == NULL)
        {
            fail_msg("%s: got '%s', expected '%s'", cases[i].override, wadi_error_detail(f.context),
                     cases[i].message);
        }
        fixture_close(&f);
    }
}

static void an_override_below_a_list_names_itself(void** state)
{
    (void)state;
    static const char text[] = "wadi: 1\nterrain: {size: 32, cell: 10 m, flat: 5 m}\n"
                               "steps:\n  - hydraulic: [1, 2]\n";
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene;
    assert_int_not_equal(parse(&f, text, "hydraulic.rain=1", &scene), WADI_OK);
    assert_non_null(
        strstr(wadi_error_detail(f.context), "--set hydraulic.rain: this step has a list"));
    fixture_close(&f);
}

static void a_missing_file_says_so(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_scene* scene;
    CHECK_FAILS(f.context, WADI_ERROR_IO, "cannot open scene 'no-such.yaml'",
                wadi_io_scene_read(f.context, "no-such.yaml", NULL, 0, &scene));
    CHECK_FAILS(f.context, WADI_ERROR_IO, "'.'",
                wadi_io_scene_read(f.context, ".", NULL, 0, &scene));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_read_in_order),
        cmocka_unit_test(a_timeline_is_laid_out_as_steps),
        cmocka_unit_test(everything_else_is_refused_with_its_place),
        cmocka_unit_test(overrides_reach_steps_by_name_and_number),
        cmocka_unit_test(overrides_reach_timelines),
        cmocka_unit_test(bad_overrides_name_themselves),
        cmocka_unit_test(an_override_below_a_list_names_itself),
        cmocka_unit_test(a_missing_file_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
