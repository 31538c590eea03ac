// SPDX-License-Identifier: MIT
#include "laws/wind/airflow_window.h"

#include <string.h>

struct airflow_window
{
    wadi_airflow flow; // on the box, which is all of its grid
    wadi_ground ground;
    wadi_box box;
    int64_t room; // cells
    int32_t rows; // room for rows, and for the cells of a row
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
    float** const grids[] = {&flow->height, &flow->x, &flow->y, &flow->shelter};
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; ++i)
    {
        WADI_ALLOC(flow->context, *grids[i], cells, "the wind around a window");
    }
    WADI_ALLOC(flow->context, flow->sky, 6 * cells, "the wind around a window");
    window->room = cells;
    return window_allocate_rows(window);
}

static void window_cut_sky(wadi_airflow* flow)
{
    const int64_t cells = flow->ground->cells;
    for (int32_t i = 0; i < 2; ++i)
    {
        float* first = flow->sky + 3 * cells * i;
        flow->buffer[i] = first;
        flow->skyline[i] = (skyline){first, first + cells, first + 2 * cells};
    }
}

// Make the flow on the box fit for its size.
static wadi_result window_fit(airflow_window* window)
{
    const wadi_box* box = &window->box;
    const int64_t cells = (int64_t)box->width * box->height;
    WADI_CHECK(
        window->flow.context, cells <= INT32_MAX, WADI_ERROR_RANGE,
        "the wind of a window needs %d x %d cells, more than 2^31; use smaller windows, or a "
        "smaller warp_wide",
        box->width, box->height);
    window->ground.width = box->width;
    window->ground.height = box->height;
    window->ground.cells = cells;
    if (cells > window->room || box->height > window->rows || box->width > window->columns)
    {
        window_free(window);
        WADI_TRY(window_allocate(window, cells));
    }
    window_cut_sky(&window->flow);
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
    return WADI_OK;
}

void wadi_airflow_window_destroy(wadi_airflow* flow)
{
    if (flow->window != NULL)
    {
        window_free(flow->window);
        wadi_free(flow->context, flow->window);
    }
}

// ---- the box -----------------------------------------------------------------------------------

// Cells within `reach` of the owned ones along an axis. Where that is all of a periodic axis, the
// box is the axis, and wraps around.
static void window_span(const wadi_ground* ground, bool along_x, int32_t reach, int32_t* first,
                        int32_t* count, bool* wraps)
{
    const wadi_partition* part = ground->part;
    const wadi_side side = along_x ? WADI_SIDE_WEST : WADI_SIDE_NORTH;
    const int32_t whole = along_x ? part->width : part->height;
    const int32_t begin = (along_x ? part->x : part->y) - reach;
    const int32_t end = begin + 2 * reach + (along_x ? part->owned_width : part->owned_height);
    const bool periodic = ground->whole_edges[side] == WADI_EDGE_PERIODIC;
    const bool cut = periodic && end - begin < whole;
    *wraps = periodic && !cut;
    *first = cut || begin > 0 ? begin : 0;
    const int32_t last = cut || end < whole ? end : whole;
    *first = *wraps ? 0 : *first;
    *count = *wraps ? whole : last - *first;
}

static wadi_result window_look(wadi_airflow* flow, int32_t reach)
{
    airflow_window* window = flow->window;
    wadi_box* box = &window->box;
    window_span(flow->ground, true, reach, &box->x, &box->width, &window->flow.wrap_x);
    window_span(flow->ground, false, reach, &box->y, &box->height, &window->flow.wrap_y);
    return window_fit(window);
}

// Place in the box of a column or row of the whole grid, which may lie beyond a periodic edge.
static int32_t window_place(int32_t place, int32_t first, int32_t count, bool wraps)
{
    return wraps ? (place % count + count) % count : place - first;
}

// Copy the owned cells, and `rim` cells beside them, out of a grid of the box.
static void window_keep(const wadi_airflow* flow, const float* from, int32_t rim, float* to)
{
    const airflow_window* window = flow->window;
    const wadi_ground* ground = flow->ground;
    const wadi_partition* part = ground->part;
    const wadi_owned owned = wadi_ground_owned(ground);
    const int32_t top = owned.y - rim > 0 ? owned.y - rim : 0;
    const int32_t bottom = owned.end_y + rim < ground->height ? owned.end_y + rim : ground->height;
    const int32_t left = owned.x - rim > 0 ? owned.x - rim : 0;
    const int32_t right = owned.end_x + rim < ground->width ? owned.end_x + rim : ground->width;
    for (int32_t y = top; y < bottom; ++y)
    {
        const int32_t row = window_place(part->y - owned.y + y, window->box.y, window->box.height,
                                         window->flow.wrap_y);
        for (int32_t x = left; x < right; ++x)
        {
            const int32_t column = window_place(part->x - owned.x + x, window->box.x,
                                                window->box.width, window->flow.wrap_x);
            to[(int64_t)y * ground->width + x] = from[(int64_t)row * window->box.width + column];
        }
    }
}

static wadi_result window_fetch(wadi_airflow* flow, void* const* layers, int32_t count,
                                void* const* out)
{
    static const int32_t bytes[] = {4, 4, 4};
    return wadi_partition_fetch(flow->context, &flow->window->box, layers, bytes, count, out);
}

// ---- the laws ----------------------------------------------------------------------------------

wadi_result wadi_airflow_window_smooth(wadi_airflow* flow, float* const to[AIRFLOW_SCALES])
{
    airflow_window* window = flow->window;
    WADI_TRY(window_look(flow, wadi_airflow_smooth_support(flow) + 1));
    void* const layers[] = {flow->height};
    void* const out[] = {window->flow.height};
    WADI_TRY(window_fetch(flow, layers, 1, out));
    float* const smooth[AIRFLOW_SCALES] = {window->flow.x, window->flow.y};
    WADI_TRY(wadi_airflow_smooth(&window->flow, smooth));
    for (int32_t s = 0; s < AIRFLOW_SCALES; ++s)
    {
        window_keep(flow, smooth[s], 1, to[s]);
    }
    return WADI_OK;
}

// Tops of all cells of the window, and how far the highest one on the whole grid casts a shelter.
static wadi_result window_tops(wadi_airflow* flow, float* tops, double* longest)
{
    const wadi_ground* ground = flow->ground;
    const wadi_owned owned = wadi_ground_owned(ground);
    float range[2] = {-1e30f, -1e30f}; // depth of the lowest one and height of the highest
    for (int32_t y = 0; y < ground->height; ++y)
    {
        float* row = tops + (int64_t)y * ground->width;
        wadi_airflow_tops(flow, y, row);
        for (int32_t x = owned.x; y >= owned.y && y < owned.end_y && x < owned.end_x; ++x)
        {
            const float depth = row[x] > -1e29f ? -row[x] : -1e30f;
            range[0] = depth > range[0] ? depth : range[0];
            range[1] = row[x] > range[1] ? row[x] : range[1];
        }
    }
    WADI_TRY(wadi_partition_most(flow->context, range, 2));
    *longest = wadi_airflow_lee_longest(flow, -range[0], range[1]);
    return WADI_OK;
}

wadi_result wadi_airflow_window_lee(wadi_airflow* flow, double direction)
{
    wadi_airflow* box = &flow->window->flow;
    WADI_TRY(window_tops(flow, flow->shelter, &box->lee));
    WADI_TRY(window_look(flow, wadi_airflow_lee_reach(box->lee)));
    void* const layers[] = {flow->shelter, flow->x, flow->y};
    void* const out[] = {box->height, box->x, box->y};
    WADI_TRY(window_fetch(flow, layers, 3, out));
    box->turned = flow->turned;
    WADI_TRY(wadi_airflow_lee(box, direction));
    window_keep(flow, box->shelter, 0, flow->shelter);
    return WADI_OK;
}
