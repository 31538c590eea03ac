// SPDX-License-Identifier: MIT
// Windows get the cells of a box from their owners, also around periodic edges, and find the
// largest values of all.
#include "core/partition.h"
#include "support/fixture.h"

#include <stdlib.h>

enum
{
    WIDTH = 190,
    HEIGHT = 131
};

// A cell's number in the whole grid, and a mark of another size.
static uint32_t number_of(int32_t x, int32_t y)
{
    return (uint32_t)(1 + y * WIDTH + x);
}

static uint8_t mark_of(int32_t x, int32_t y)
{
    return (uint8_t)(7 * x + 11 * y);
}

static int32_t wrapped(int32_t place, int32_t count)
{
    return (place + count) % count;
}

typedef struct layers
{
    uint32_t* numbers;
    uint8_t* marks;
} layers;

// cmocka's own memory is for one thread.
static layers layers_of(int32_t width, int32_t height)
{
    const size_t cells = (size_t)width * (size_t)height;
    return (layers){calloc(cells, sizeof(uint32_t)), calloc(cells, 1)};
}

static void layers_free(layers* l)
{
    free(l->numbers);
    free(l->marks);
}

// The layers of a window. The halos have no cells: boxes come from those that own them.
static void fill_window(const wadi_partition* part, const layers* l)
{
    const int32_t width = wadi_partition_local_width(part);
    for (int32_t y = 0; y < part->owned_height; ++y)
    {
        for (int32_t x = 0; x < part->owned_width; ++x)
        {
            const int32_t at =
                (y + part->halo[WADI_SIDE_NORTH]) * width + x + part->halo[WADI_SIDE_WEST];
            l->numbers[at] = number_of(part->x + x, part->y + y);
            l->marks[at] = mark_of(part->x + x, part->y + y);
        }
    }
}

static int32_t wrong_cells(const wadi_box* box, const layers* l)
{
    int32_t wrong = 0;
    for (int32_t i = 0; i < box->width * box->height; ++i)
    {
        const int32_t x = wrapped(box->x + i % box->width, WIDTH);
        const int32_t y = wrapped(box->y + i / box->width, HEIGHT);
        wrong += l->numbers[i] != number_of(x, y) || l->marks[i] != mark_of(x, y) ? 1 : 0;
    }
    return wrong;
}

static wadi_result fetch_one(wadi_context* context, wadi_fetcher* fetcher, const layers* own,
                             int32_t* wrong)
{
    static const int32_t bytes[] = {4, 1};
    const wadi_box* box = &fetcher->boxes[wadi_partition_of(context)->index];
    layers seen = layers_of(box->width, box->height);
    void* const from[] = {own->numbers, own->marks};
    void* const out[] = {seen.numbers, seen.marks};
    const wadi_result result = wadi_partition_fetch(context, fetcher, from, bytes, 2, out);
    *wrong += wrong_cells(box, &seen);
    layers_free(&seen);
    return result;
}

enum
{
    BOXES = 7
};

// Boxes of a window: its cells, far ones, and ones around one or both edges.
static wadi_box box_of(const wadi_box* own, int32_t index, int32_t which)
{
    const wadi_box boxes[BOXES] = {
        *own,
        {11 * index, 13 * index, 90, 60},
        {-40 - index, 7, 100, 90},
        {150 + index, 20, 120, 30},
        {30, -50 - 3 * index, 70, 110},
        {-25, 100 + index, 180, 120},
        {own->x - 60, own->y - 30, own->width + 90, own->height + 50},
    };
    return boxes[which];
}

static wadi_result fetch_boxes(wadi_context* context, int32_t index, void* user)
{
    const wadi_partition* part = wadi_partition_of(context);
    layers own = layers_of(wadi_partition_local_width(part), wadi_partition_local_height(part));
    fill_window(part, &own);
    int32_t* wrong = user;
    wadi_fetcher fetcher;
    wadi_result result = wadi_fetcher_open(context, &fetcher);
    for (int32_t which = 0; which < BOXES && result == WADI_OK; ++which)
    {
        for (int32_t i = 0; i < part->count; ++i)
        {
            fetcher.boxes[i] = box_of(&fetcher.owners[i], i, which);
        }
        result = fetch_one(context, &fetcher, &own, &wrong[index]);
    }
    wadi_fetcher_close(context, &fetcher);
    layers_free(&own);
    return result;
}

static wadi_windows_def cut_of(int32_t columns, int32_t rows, bool in_turn)
{
    wadi_windows_def def = wadi_windows_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.columns = columns;
    def.rows = rows;
    def.halo = 6;
    def.in_turn = in_turn;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_PERIODIC;
    }
    return def;
}

static void boxes_have_the_cells_of_the_whole_grid(void** state)
{
    const fixture* f = *state;
    for (int32_t cut = 0; cut < 4; ++cut)
    {
        int32_t wrong[6] = {0};
        const wadi_windows_def def = cut_of(1 + cut % 3, 1 + cut / 2, cut == 2);
        CHECK_OK(f->context, wadi_windows_run(f->context, &def, fetch_boxes, wrong));
        for (int32_t i = 0; i < def.columns * def.rows; ++i)
        {
            assert_int_equal(wrong[i], 0);
        }
    }
}

static wadi_result find_most(wadi_context* context, int32_t index, void* user)
{
    float values[3] = {(float)index, -(float)index, index == 1 ? 9.0f : -9.0f};
    const wadi_result result = wadi_partition_most(context, values, 3);
    bool* right = user;
    right[index] = values[0] == 5.0f && values[1] == 0.0f && values[2] == 9.0f;
    return result;
}

static void all_windows_know_the_largest_values(void** state)
{
    const fixture* f = *state;
    bool right[6] = {false};
    const wadi_windows_def def = cut_of(3, 2, false);
    CHECK_OK(f->context, wadi_windows_run(f->context, &def, find_most, right));
    for (int32_t i = 0; i < 6; ++i)
    {
        assert_true(right[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_the_cells_of_the_whole_grid),
        cmocka_unit_test(all_windows_know_the_largest_values),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
