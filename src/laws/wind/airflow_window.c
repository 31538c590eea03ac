// SPDX-License-Identifier: MIT
#include "laws/wind/airflow_window.h"

#include <string.h>

enum
{
    // Levels of smoothing between two exchanges look so far together [cells], or are one
    WINDOW_FAR = 64
};

struct airflow_window
{
    wadi_airflow flow; // on the box, which is all of its grid
    wadi_ground ground;
    wadi_fetcher fetcher;
    wadi_box box;
    int64_t room;      // cells
    int64_t sky;       // room for cells of skylines, 6 each, or of levels of smoothing, 2 each
    int64_t sheltered; // room for cells of shelter
    int32_t rows;      // room for rows, and for the cells of a row
    int32_t columns;
};

// ---- memory ------------------------------------------------------------------------------------

static void window_free(airflow_window* window)
{
    wadi_airflow* flow = &window->flow;
    void** const owned[] = {(void**)&flow->scratch, (void**)&flow->shifted, (void**)&flow->rows,
                            (void**)&flow->height,  (void**)&flow->x,       (void**)&flow->y,
                            (void**)&flow->shelter, (void**)&flow->sky};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
    {
        wadi_free(flow->context, *owned[i]);
        *owned[i] = NULL;
    }
    window->room = 0;
    window->sky = 0;
    window->sheltered = 0;
    window->rows = 0;
    window->columns = 0;
}

static wadi_result window_allocate_rows(airflow_window* window)
{
    wadi_airflow* flow = &window->flow;
    const int64_t workers = wadi_context_workers(flow->context);
    const int64_t width = window->box.width;
    WADI_ALLOC(flow->context, flow->rows, window->box.height, "rows of the wind field");
    WADI_ALLOC(flow->context, flow->scratch,
               workers * AIRFLOW_SCRATCH * (width + 2 * (int64_t)flow->pad),
               "rows of the wind field");
    WADI_ALLOC(flow->context, flow->shifted, workers * AIRFLOW_SHIFTED * width,
               "rows of the wind field");
    window->rows = window->box.height;
    window->columns = window->box.width;
    return WADI_OK;
}

static wadi_result window_allocate(airflow_window* window, int64_t cells)
{
    wadi_airflow* flow = &window->flow;
    float** const grids[] = {&flow->height, &flow->x, &flow->y};
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; ++i)
    {
        WADI_ALLOC(flow->context, *grids[i], cells, "the wind around a window");
    }
    window->room = cells;
    return window_allocate_rows(window);
}

// Smoothing looks further than shelter, and needs fewer arrays.
static wadi_result window_allocate_sky(airflow_window* window, int64_t cells, int32_t each)
{
    wadi_airflow* flow = &window->flow;
    const bool shelters = each > 1;
    if (2 * each * cells > window->sky)
    {
        wadi_free(flow->context, flow->sky);
        window->sky = 0;
        WADI_ALLOC(flow->context, flow->sky, 2 * each * cells, "the wind around a window");
        window->sky = 2 * each * cells;
    }
    if (shelters && cells > window->sheltered)
    {
        wadi_free(flow->context, flow->shelter);
        window->sheltered = 0;
        WADI_ALLOC(flow->context, flow->shelter, cells, "the wind around a window");
        window->sheltered = cells;
    }
    return WADI_OK;
}

static void window_cut_sky(wadi_airflow* flow, int32_t each)
{
    const int64_t cells = flow->ground->cells;
    for (int32_t i = 0; i < 2; ++i)
    {
        float* first = flow->sky + each * cells * i;
        flow->buffer[i] = first;
        flow->skyline[i] =
            each > 1 ? (skyline){first, first + cells, first + 2 * cells} : (skyline){0};
    }
}

static wadi_result window_check_size(const airflow_window* window, int64_t cells)
{
    WADI_CHECK(
        window->flow.context, cells <= INT32_MAX, WADI_ERROR_RANGE,
        "the wind of a window needs %d x %d cells, more than 2^31; use smaller windows, or a "
        "smaller warp_wide",
        window->box.width, window->box.height);
    return WADI_OK;
}

// Make the flow on the box fit for its size, with `each` arrays for a skyline or a level of
// smoothing.
static wadi_result window_fit(airflow_window* window, int32_t each)
{
    const wadi_box* box = &window->box;
    const int64_t cells = (int64_t)box->width * box->height;
    WADI_TRY(window_check_size(window, cells));
    window->ground.width = box->width;
    window->ground.height = box->height;
    window->ground.cells = cells;
    if (cells > window->room || box->height > window->rows || box->width > window->columns)
    {
        window_free(window);
        WADI_TRY(window_allocate(window, cells));
    }
    WADI_TRY(window_allocate_sky(window, cells, each));
    window_cut_sky(&window->flow, each);
    return WADI_OK;
}

wadi_result wadi_airflow_window_create(wadi_airflow* flow)
{
    if (flow->ground->part == NULL)
    {
        return WADI_OK;
    }
    WADI_ALLOC(flow->context, flow->window, 1, "the wind around a window");
    airflow_window* window = flow->window;
    window->ground.cell_size = flow->ground->cell_size;
    window->ground.all_valid = true;
    window->flow = (wadi_airflow){.context = flow->context,
                                  .terrain = flow->terrain,
                                  .ground = &window->ground,
                                  .kernels = flow->kernels,
                                  .law = flow->law,
                                  .longest = flow->longest,
                                  .holes = flow->holes,
                                  .pad = flow->pad,
                                  .tops_given = true};
    return wadi_fetcher_open(flow->context, &window->fetcher);
}

void wadi_airflow_window_destroy(wadi_airflow* flow)
{
    if (flow->window != NULL)
    {
        window_free(flow->window);
        wadi_fetcher_close(flow->context, &flow->window->fetcher);
        wadi_free(flow->context, flow->window);
    }
}

// ---- the box -----------------------------------------------------------------------------------

// Cells within `before` and `behind` of `count` ones from `first` on, along an axis. Where that is
// all of a periodic axis, it wraps around. Returns whether it does.
static bool window_span(const wadi_ground* ground, bool along_x, int32_t before, int32_t behind,
                        int32_t* first, int32_t* count)
{
    const wadi_side side = along_x ? WADI_SIDE_WEST : WADI_SIDE_NORTH;
    const int32_t whole = along_x ? ground->part->width : ground->part->height;
    const int32_t begin = *first - before;
    const int32_t end = *first + *count + behind;
    const bool periodic = ground->whole_edges[side] == WADI_EDGE_PERIODIC;
    const bool cut = periodic && end - begin < whole;
    const bool wraps = periodic && !cut;
    const int32_t last = cut || end < whole ? end : whole;
    *first = cut || (begin > 0 && !wraps) ? begin : 0;
    *count = wraps ? whole : last - *first;
    return wraps;
}

// The boxes of all windows, which look as far as each other.
static wadi_result window_look(wadi_airflow* flow, const int32_t reach[WADI_SIDE_COUNT],
                               int32_t each)
{
    airflow_window* window = flow->window;
    wadi_airflow* inner = &window->flow;
    const wadi_ground* ground = flow->ground;
    const wadi_fetcher* fetcher = &window->fetcher;
    for (int32_t i = 0; i < ground->part->count; ++i)
    {
        wadi_box* box = &fetcher->boxes[i];
        *box = fetcher->owners[i];
        const bool wraps_x = window_span(ground, true, reach[WADI_SIDE_WEST], reach[WADI_SIDE_EAST],
                                         &box->x, &box->width);
        const bool wraps_y = window_span(ground, false, reach[WADI_SIDE_NORTH],
                                         reach[WADI_SIDE_SOUTH], &box->y, &box->height);
        if (i == ground->part->index)
        {
            window->box = *box;
            inner->wrap_x = wraps_x;
            inner->wrap_y = wraps_y;
        }
    }
    return window_fit(window, each);
}

// Place in the box of a column or row of the whole grid, which may lie beyond a periodic edge.
static int32_t window_place(int32_t place, int32_t first, int32_t count, bool wraps)
{
    return wraps ? (place % count + count) % count : place - first;
}

// Copy a row of a grid of the box: the columns [left, right) of the window.
static void window_keep_row(const wadi_airflow* flow, const float* from, int32_t left,
                            int32_t right, float* to)
{
    const airflow_window* window = flow->window;
    const wadi_owned owned = wadi_ground_owned(flow->ground);
    const int32_t first = flow->ground->part->x - owned.x;
    if (!window->flow.wrap_x)
    {
        memcpy(to + left, from + (first + left - window->box.x),
               (size_t)(right - left) * sizeof *to);
        return;
    }
    for (int32_t x = left; x < right; ++x)
    {
        to[x] = from[window_place(first + x, 0, window->box.width, true)];
    }
}

// Copy the owned cells, and `rim` cells beside them, out of a grid of the box.
static void window_keep(const wadi_airflow* flow, const float* from, int32_t rim, float* to)
{
    const airflow_window* window = flow->window;
    const wadi_ground* ground = flow->ground;
    const wadi_owned owned = wadi_ground_owned(ground);
    const int32_t top = owned.y - rim > 0 ? owned.y - rim : 0;
    const int32_t bottom = owned.end_y + rim < ground->height ? owned.end_y + rim : ground->height;
    const int32_t left = owned.x - rim > 0 ? owned.x - rim : 0;
    const int32_t right = owned.end_x + rim < ground->width ? owned.end_x + rim : ground->width;
    for (int32_t y = top; y < bottom; ++y)
    {
        const int32_t row = window_place(ground->part->y - owned.y + y, window->box.y,
                                         window->box.height, window->flow.wrap_y);
        window_keep_row(flow, from + (int64_t)row * window->box.width, left, right,
                        to + (int64_t)y * ground->width);
    }
}

static wadi_result window_fetch(wadi_airflow* flow, void* const* layers, int32_t count,
                                void* const* out)
{
    static const int32_t bytes[] = {4, 4, 4};
    return wadi_partition_fetch(flow->context, &flow->window->fetcher, layers, bytes, count, out);
}

// Place of owned cells with a rim along an axis of the box, which all of an axis has that wraps
// around.
static void window_place_kept(int32_t begin, int32_t end, const int32_t box[2], bool wraps,
                              int32_t kept[2])
{
    kept[0] = wraps || begin < box[0] ? 0 : begin - box[0];
    kept[1] = wraps || end > box[0] + box[1] ? box[1] : end - box[0];
}

// The cells of the box that are kept: the owned ones, and `rim` cells beside them.
static void window_set_kept(wadi_airflow* flow, int32_t rim)
{
    const wadi_partition* part = flow->ground->part;
    const wadi_box* box = &flow->window->box;
    wadi_airflow* inner = &flow->window->flow;
    const int32_t columns[2] = {box->x, box->width};
    const int32_t rows[2] = {box->y, box->height};
    int32_t x[2];
    int32_t y[2];
    window_place_kept(part->x - rim, part->x + part->owned_width + rim, columns, inner->wrap_x, x);
    window_place_kept(part->y - rim, part->y + part->owned_height + rim, rows, inner->wrap_y, y);
    inner->kept = (wadi_owned){.x = x[0], .y = y[0], .end_x = x[1], .end_y = y[1]};
}

// ---- the laws ----------------------------------------------------------------------------------

// Levels of smoothing from the owned cells of `from` to those of `to`, which may be the same.
static wadi_result window_stretch(wadi_airflow* flow, float* from, const airflow_stretch* stretch,
                                  float* to)
{
    wadi_airflow* inner = &flow->window->flow;
    // the slope of a scale is seen from beside
    const int32_t rim = stretch->end_left > 0.0 ? 0 : 1;
    const int64_t looks = stretch->looks + rim;
    const int32_t far = looks < (int64_t)flow->longest ? (int32_t)looks : (int32_t)flow->longest;
    const int32_t reach[WADI_SIDE_COUNT] = {far, far, far, far};
    WADI_TRY(window_look(flow, reach, 1));
    window_set_kept(flow, rim);
    void* const layers[] = {from};
    void* const out[] = {inner->height};
    WADI_TRY(window_fetch(flow, layers, 1, out));
    wadi_airflow_smooth_stretch(inner, inner->height, stretch, inner->x);
    window_keep(flow, inner->x, rim, to);
    return WADI_OK;
}

// Smooth `from` from one variance to another. Few levels look further than a halo of WINDOW_FAR
// cells together; those of the default `warp_wide` look 255 cells of 2 m far.
static wadi_result window_add(wadi_airflow* flow, float* from, double done, double left, float* to)
{
    airflow_stretch stretch = {.end_done = done, .end_left = left};
    do
    {
        stretch = wadi_airflow_smooth_cut(stretch.end_done, stretch.end_left, WINDOW_FAR);
        WADI_TRY(window_stretch(flow, from, &stretch, to));
        from = to;
    } while (stretch.end_left > 0.0);
    return WADI_OK;
}

wadi_result wadi_airflow_window_smooth(wadi_airflow* flow, float* const to[AIRFLOW_SCALES])
{
    const airflow_scales scales = wadi_airflow_smooth_scales(flow);
    WADI_TRY(window_add(flow, flow->height, 0.0, scales.less, to[scales.first]));
    return window_add(flow, to[scales.first], scales.less, scales.more - scales.less,
                      to[scales.second]);
}

// Tops of the owned rows. `range` gets the depth of the lowest owned one and the height of the
// highest.
static void window_tops(const wadi_airflow* flow, float* tops, float range[2])
{
    const wadi_owned owned = wadi_ground_owned(flow->ground);
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        float* row = tops + (int64_t)y * flow->ground->width;
        wadi_airflow_tops(flow, y, row);
        airflow_row seen;
        wadi_airflow_range(row + owned.x, owned.end_x - owned.x, &seen);
        range[0] = -seen.low > range[0] ? -seen.low : range[0];
        range[1] = seen.high > range[1] ? seen.high : range[1];
    }
}

// How far the highest top on the whole grid casts a shelter, where cells look for it, and how far
// relief turns the wind, in one exchange.
static wadi_result window_aim(wadi_airflow* flow, double direction)
{
    enum
    {
        SIDES = WADI_SIDE_COUNT,
        DEPTH = SIDES,
        HEIGHT,
        TURNED,
        COUNT
    };
    wadi_airflow* box = &flow->window->flow;
    const airflow_upwind here = wadi_airflow_lee_upwind(flow, direction);
    float most[COUNT] = {[DEPTH] = -1e30f, [HEIGHT] = -1e30f, [TURNED] = flow->turned};
    memcpy(most, here.share, sizeof here.share);
    window_tops(flow, flow->shelter, &most[DEPTH]);
    WADI_TRY(wadi_partition_most(flow->context, most, COUNT));
    flow->turned = most[TURNED];
    memcpy(box->upwind.share, most, sizeof box->upwind.share);
    box->upwind =
        wadi_airflow_lee_is_straight(flow) ? wadi_airflow_lee_ahead(direction) : box->upwind;
    box->lee = wadi_airflow_lee_longest(flow, -most[DEPTH], most[HEIGHT]);
    return WADI_OK;
}

static wadi_result window_enclose(wadi_airflow* flow)
{
    const wadi_airflow* box = &flow->window->flow;
    int32_t reach[WADI_SIDE_COUNT];
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        reach[side] = wadi_airflow_lee_reach(&box->upwind, (wadi_side)side, box->lee);
    }
    WADI_TRY(window_look(flow, reach, 3));
    window_set_kept(flow, 0);
    return WADI_OK;
}

wadi_result wadi_airflow_window_lee(wadi_airflow* flow, double direction)
{
    wadi_airflow* box = &flow->window->flow;
    WADI_TRY(window_aim(flow, direction));
    WADI_TRY(window_enclose(flow));
    void* const layers[] = {flow->shelter, flow->x, flow->y};
    void* const out[] = {box->height, box->x, box->y};
    WADI_TRY(window_fetch(flow, layers, 3, out));
    box->turned = flow->turned;
    WADI_TRY(wadi_airflow_lee(box, direction));
    window_keep(flow, box->shelter, 0, flow->shelter);
    return WADI_OK;
}
