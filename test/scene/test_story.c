// SPDX-License-Identifier: MIT
// labels: slow
// The seven ages of scenes/dunes-story.yaml: each is recognised by its measures when the scene
// shows it, for winds from the west and 37 degrees off.
#include "scene/landform.h"
#include "support/dune_shape.h"
#include "support/dunes.h"

enum
{
    SIZE = 192
};

typedef struct story_view
{
    const landform* form;
    dune_map map;
    dune_parts parts; // of sand over 0.3 m
    dune_measures measures;
    double bare; // share of the ground
} story_view;

// Among dunes apart on bare rock, some with horns longer than they are high.
static bool story_is_barchans(const story_view* v)
{
    int32_t horned = 0;
    for (int32_t i = 0; i < v->parts.count; ++i)
    {
        const double horns = 2.0 * dune_shape_horns(&v->map, &v->parts, &v->parts.parts[i]);
        horned += v->parts.parts[i].height > 2.0 && horns > v->parts.parts[i].height;
    }
    print_message("%d dunes, %d with horns, bare %.2f\n", (int)v->parts.count, (int)horned,
                  v->bare);
    return v->parts.count >= 3 && v->bare > 0.4 && horned >= 1;
}

// All sand is gone: the ridges are of rock.
static bool story_is_yardangs(const story_view* v)
{
    print_message("ridges of %.1f m, normal %.1f degrees off the wind, order %.2f\n",
                  v->measures.height, v->measures.crest_error, v->measures.order);
    return v->bare > 0.999 && v->measures.height > 1.0 && v->measures.crest_error > 80.0 &&
           v->measures.order > 0.4;
}

static bool story_is_transverse(const story_view* v)
{
    print_message("ridges of %.1f m, normal %.1f degrees off the wind, order %.2f\n",
                  v->measures.height, v->measures.crest_error, v->measures.order);
    return v->bare < 0.4 && v->measures.height > 2.0 && v->measures.crest_error < 10.0 &&
           v->measures.order > 0.3;
}

// Mean of nine cells about a place that lies `along` and `across` the wind from another [cells].
static double story_sand_at(const story_view* v, const double from[2], double along, double across)
{
    const int32_t x = (int32_t)(0.5 * from[0] + along * v->map.x - across * v->map.y);
    const int32_t y = (int32_t)(SIZE - 0.5 * from[1] + along * v->map.y + across * v->map.x);
    double sum = 0.0;
    for (int k = 0; k < 9; ++k)
    {
        sum += v->map.sand[(y + k / 3 - 1) * SIZE + x + k % 3 - 1] / 9.0;
    }
    return sum;
}

// Each of the three bushes holds a mound, and its tail is higher than the ground beside it.
static bool story_is_nebkhas(const story_view* v)
{
    static const double bushes[3][2] = {{90.0, 100.0}, {120.0, 280.0}, {230.0, 190.0}};
    bool all = true;
    for (int b = 0; b < 3; ++b)
    {
        const double mound = story_sand_at(v, bushes[b], 0.0, 0.0);
        const double tail = story_sand_at(v, bushes[b], 7.0, 0.0);
        const double beside = 0.5 * (story_sand_at(v, bushes[b], 7.0, 10.0) +
                                     story_sand_at(v, bushes[b], 7.0, -10.0));
        print_message("sand on a bush %.2f m, in its tail %.2f, beside %.2f\n", mound, tail,
                      beside);
        all = all && mound > 1.5 * 0.6 && tail > 1.3 * beside;
    }
    return all;
}

static bool story_is_mega_barchan(const story_view* v)
{
    const double median = dune_parts_median(&v->parts);
    const double horns = 2.0 * dune_shape_horns(&v->map, &v->parts, &v->parts.parts[0]);
    print_message("%d dunes of %.1f m, the largest %.1f m, horns %.0f m ahead\n",
                  (int)v->parts.count, median, v->parts.parts[0].height, horns);
    return v->parts.parts[0].height >= 3.0 * median && horns > 0.0;
}

static bool story_is_star(const story_view* v)
{
    const int32_t arms = dune_shape_arms(&v->map, &v->parts.parts[0], 15.0);
    print_message("%d arms, %.1f m high, %d part\n", (int)arms, v->parts.parts[0].height,
                  (int)v->parts.count);
    return arms >= 3 && v->parts.parts[0].height > 5.0;
}

static bool story_is_dome(const story_view* v)
{
    const double round = dune_shape_roundness(&v->map, &v->parts.parts[0]);
    const double steep = dune_shape_steep(&v->map, 2.0, 0.5774);
    print_message("%.1f m high, radii of %.2f, spread %.2f, slip faces on %.3f\n",
                  v->parts.parts[0].height, round, v->parts.parts[0].spread, steep);
    return v->parts.parts[0].height > 2.0 && round < 1.4 && v->parts.parts[0].spread < 1.15 &&
           steep < 0.05;
}

static const struct
{
    const char* picture;
    bool (*is)(const story_view* view);
} ages[] = {
    {"1-barchans.png", story_is_barchans},
    {"2-yardangs.png", story_is_yardangs},
    {"3-transverse.png", story_is_transverse},
    {"4-nebkhas.png", story_is_nebkhas},
    {"5-mega-barchan.png", story_is_mega_barchan},
    {"6-star.png", story_is_star},
    {"7-dome.png", story_is_dome},
};

enum
{
    AGES = sizeof ages / sizeof ages[0]
};

static int32_t story_seen;
static int32_t story_wrong;

static void story_look(landform* form, const char* output)
{
    for (int i = 0; i < AGES; ++i)
    {
        if (strcmp(output, ages[i].picture) == 0)
        {
            double* sand = landform_sand(form);
            story_view view = {.form = form,
                               .map = {sand, SIZE, SIZE, form->x, form->y},
                               .parts = dune_parts_of(sand, SIZE, SIZE, 0.3, 20),
                               .measures = dunes_measure(form->terrain, form->x, form->y)};
            for (int32_t k = 0; k < SIZE * SIZE; ++k)
            {
                view.bare += (sand[k] < 0.05) / (double)(SIZE * SIZE);
            }
            print_message("%s: ", output);
            story_seen += 1;
            story_wrong += ages[i].is(&view) ? 0 : 1;
            dune_parts_free(&view.parts);
            test_free(sand);
        }
    }
}

static void each_age_is_recognised(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        landform form;
        landform_open(&form, "dunes-story", 37.0 * k, NULL, 0);
        form.look = story_look;
        story_seen = 0;
        story_wrong = 0;
        landform_run(&form);
        assert_int_equal(story_seen, AGES);
        assert_int_equal(story_wrong, 0);
        landform_close(&form);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_age_is_recognised)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
