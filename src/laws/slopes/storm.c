// SPDX-License-Identifier: MIT
// A storm: water, forces, the cut, and slides one after the other.
#include "core/dmath.h"
#include "laws/slopes/storm_internal.h"
#include "terrain/stencil.h"

#include <math.h>
#include <string.h>

static const double storm_smooth = 15.0;      // standard deviation of smoothing [m] ...
static const double storm_smooth_cells = 0.7; // ... at least [cells]
static const double storm_field_least = 40.0; // wavelengths of strength [m]
static const double storm_field_most = 640.0;
// perimeter of one cell by the lengths of edges below: 4 x 0.3927 + 4 x 0.2777 [cells]
static const double storm_single_sides = 2.6815;

storm_law wadi_storm_law_default(void)
{
    return (storm_law){
        .friction = 0.7002075382097097, // 35 degrees
        .cohesion = 1000.0,
        .roots = 10000.0,
        .root_depth = 0.5,
        .dry = 16000.0,
        .wet = 19500.0,
        .conductivity = 1e-4,
        .porosity = 0.15,
        .deficit = 0.05,
        .scatter = 1.0,
        .step = 7200.0,
    };
}

// ---- making ------------------------------------------------------------------------------

void wadi_storm_destroy(storm_land* land)
{
    if (land == NULL)
    {
        return;
    }
    wadi_context* context = land->context;
    void* const arrays[] = {
        land->surface, land->east,  land->north,   land->cohesion, land->friction, land->conduct,
        land->soil,    land->noise, land->roots,   land->rain,     land->room,     land->water,
        land->next,    land->dry,   land->to_east, land->to_south, land->drive,    land->rows};
    for (int32_t i = 0; i < WADI_COUNT(arrays); ++i)
    {
        wadi_free(context, arrays[i]);
    }
    wadi_slide_cut_destroy(land->cut);
    wadi_free(context, land);
}

static wadi_result storm_allocate(storm_land* land)
{
    wadi_context* context = land->context;
    float** const floats[] = {&land->surface,  &land->east,    &land->north,   &land->cohesion,
                              &land->friction, &land->conduct, &land->noise,   &land->roots,
                              &land->rain,     &land->to_east, &land->to_south};
    int32_t** const wholes[] = {&land->soil, &land->room, &land->water, &land->next, &land->dry};
    for (int32_t i = 0; i < WADI_COUNT(floats); ++i)
    {
        WADI_ALLOC(context, *floats[i], land->cells, "ground in a storm");
    }
    for (int32_t i = 0; i < WADI_COUNT(wholes); ++i)
    {
        WADI_ALLOC(context, *wholes[i], land->cells, "ground in a storm");
    }
    WADI_ALLOC(context, land->drive, land->cells, "ground in a storm");
    WADI_ALLOC(context, land->rows, land->height, "ground in a storm");
    const bool wraps[2] = {land->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC,
                           land->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC};
    return wadi_slide_cut_create(context, land->width, land->height, wraps, &land->cut);
}

// ---- the smoothed surface ----------------------------------------------------------------

typedef struct storm_blur
{
    storm_land* land;
    const float* from;
    float* to;
    bool along_y;
    int32_t gap; // spacing of the three points [cells]
} storm_blur;

static float storm_height(const storm_blur* job, int32_t x, int32_t y)
{
    const storm_land* land = job->land;
    const bool wraps_x = land->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = land->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    x = wraps_x ? (x % land->width + land->width) % land->width : x;
    y = wraps_y ? (y % land->height + land->height) % land->height : y;
    const bool inside = x >= 0 && y >= 0 && x < land->width && y < land->height;
    return inside ? job->from[(int64_t)y * land->width + x] : NAN;
}

// Sum of the heights on both sides of a cell, closer to it where one is missing; NaN beside an
// edge. A cell that kept its height there would hold all cells that lie whole gaps from it, and
// none between, and so draw lines along edges.
static float storm_pair(const storm_blur* job, int32_t x, int32_t y)
{
    float sum = NAN;
    for (int32_t gap = job->gap; gap > 0 && sum != sum; --gap)
    {
        const int32_t dx = job->along_y ? 0 : gap;
        const int32_t dy = job->along_y ? gap : 0;
        sum = storm_height(job, x - dx, y - dy) + storm_height(job, x + dx, y + dy);
    }
    return sum;
}

// Weights 1/4, 1/2, 1/4. Beside an edge the height stays, so planes stay planes.
static void storm_blur_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const storm_blur* job = user;
    const storm_land* land = job->land;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < land->width; ++x)
        {
            const int64_t cell = (int64_t)y * land->width + x;
            const float here = job->from[cell];
            const float sum = storm_pair(job, x, y);
            job->to[cell] = sum == sum ? 0.25f * (sum + 2.0f * here) : here;
        }
    }
}

static void storm_blur_pass(storm_land* land, bool along_y, int32_t gap)
{
    storm_blur job = {land, land->surface, land->noise, along_y, gap};
    wadi_parallel_rows(land->context, land->height, STORM_GRAIN, storm_blur_rows, &job);
    float* last = land->surface;
    land->surface = land->noise;
    land->noise = last;
}

// Small cells are smoothed by points further apart, after passes that remove what lies between; and
// so are the ends, as such points meet edges and voids in turns and bring back waves of their gap.
static void storm_smoothen(storm_land* land)
{
    const double cells = fmax(storm_smooth / land->cell, storm_smooth_cells);
    const int32_t most = (int32_t)fmax(1.0, floor(cells / 3.0));
    double left = 2.0 * cells * cells; // variance, in halves of a squared cell
    int32_t widest = 1;
    for (int32_t gap = 1; gap <= most && left > 0.5; gap = 2 * gap <= most ? 2 * gap : gap)
    {
        storm_blur_pass(land, false, gap);
        storm_blur_pass(land, true, gap);
        left -= (double)gap * gap;
        widest = gap;
    }
    for (int32_t gap = widest / 2; gap > 0; gap /= 2)
    {
        storm_blur_pass(land, false, gap);
        storm_blur_pass(land, true, gap);
    }
}

static void storm_slope_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const storm_blur* job = user;
    storm_land* land = job->land;
    wadi_field2d field = {.heights = land->surface,
                          .width = land->width,
                          .height = land->height,
                          .stride = land->width,
                          .dx = land->cell,
                          .dy = land->cell};
    memcpy(field.edges, land->edges, sizeof field.edges);
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < land->width; ++x)
        {
            const int64_t cell = (int64_t)y * land->width + x;
            if (!storm_is_void(land, cell))
            {
                const derive_stencil z = stencil_load(&field, x, y);
                const derive_gradient g = stencil_gradient(&z);
                land->east[cell] = (float)g.x;
                land->north[cell] = (float)g.y;
            }
        }
    }
}

// ---- constant fields ---------------------------------------------------------------------

static void storm_scatter(storm_land* land, uint32_t which, double mean, double scatter, float* out)
{
    const float s = (float)(scatter * land->law.scatter);
    wadi_storm_noise(land, which, storm_field_least, storm_field_most);
    for (int64_t c = 0; c < land->cells; ++c)
    {
        out[c] = (float)mean * wadi_expf(s * land->noise[c] - 0.5f * s * s);
    }
}

static void storm_prepare(storm_land* land, const wadi_field2d* field)
{
    for (int32_t y = 0; y < land->height; ++y)
    {
        memcpy(land->surface + (int64_t)y * land->width, field->heights + y * field->stride,
               (size_t)land->width * sizeof *land->surface);
    }
    storm_smoothen(land);
    storm_blur job = {.land = land};
    wadi_parallel_rows(land->context, land->height, STORM_GRAIN, storm_slope_rows, &job);
    storm_scatter(land, STORM_FIELD_COHESION, land->law.cohesion, 0.5, land->cohesion);
    storm_scatter(land, STORM_FIELD_FRICTION, land->law.friction, 0.06, land->friction);
    storm_scatter(land, STORM_FIELD_CONDUCTIVITY, land->law.conductivity, 0.5, land->conduct);
}

wadi_result wadi_storm_create(wadi_context* context, const wadi_field2d* field, uint64_t seed,
                              const storm_law* law, storm_land** out)
{
    storm_land* land;
    WADI_ALLOC(context, land, 1, "ground in a storm");
    *land = (storm_land){.context = context,
                         .width = field->width,
                         .height = field->height,
                         .cells = (int64_t)field->width * field->height,
                         .cell = field->dx,
                         .seed = seed,
                         .law = *law};
    memcpy(land->edges, field->edges, sizeof land->edges);
    const wadi_result result = storm_allocate(land);
    if (result != WADI_OK)
    {
        wadi_storm_destroy(land);
        return result;
    }
    storm_prepare(land, field);
    *out = land;
    return WADI_OK;
}

int32_t* wadi_storm_soil(storm_land* land)
{
    return land->soil;
}

float wadi_storm_wetness(const storm_land* land, int64_t cell)
{
    return (float)storm_wetness(land, cell);
}

// ---- forces ------------------------------------------------------------------------------

static double storm_root_share(const storm_land* land, double depth)
{
    return (double)wadi_expf((float)(-depth / land->law.root_depth));
}

double wadi_storm_drive(const storm_land* land, int64_t cell, int32_t soil, double wetness)
{
    const storm_law* law = &land->law;
    const double gx = (double)land->east[cell];
    const double gy = (double)land->north[cell];
    const double slope2 = gx * gx + gy * gy;
    const double depth = storm_depth(soil);
    const double weight = depth * (law->dry + (law->wet - law->dry) * wetness);
    const double normal = weight - storm_gravity_water * depth * wetness;
    const double cohesion =
        (double)land->cohesion[cell] + (double)land->roots[cell] * storm_root_share(land, depth);
    const double area = land->cell * land->cell * sqrt(1.0 + slope2);
    return area *
           ((weight * sqrt(slope2) - normal * (double)land->friction[cell]) / (1.0 + slope2) -
            cohesion);
}

// Resistance of a metre of rim: what the side of a slide needs, and what its toe needs more.
typedef struct storm_side
{
    double side;     // cohesion [N/m]
    double friction; // of sides along the slope [N/m]
    double toe;      // [N/m]
} storm_side;

// Sides are at the active pressure of the soil, as slides loosen them, and toes at the passive
// pressure (Rankine).
static storm_side storm_side_of(const storm_land* land, int64_t cell, double depth)
{
    const storm_law* law = &land->law;
    const double t = (double)land->friction[cell];
    const double sine = t / sqrt(1.0 + t * t);
    const double active = (1.0 - sine) / (1.0 + sine);
    const double water = depth * storm_wetness(land, cell);
    const double weight = law->dry * (depth - water) + law->wet * water;
    const double stress = 0.5 * (weight * depth - storm_gravity_water * water * water);
    return (storm_side){
        .side = (double)land->cohesion[cell] * depth +
                (double)land->roots[cell] * law->root_depth * (1.0 - storm_root_share(land, depth)),
        .friction = active * stress * t,
        .toe = (1.0 / active - active) * stress,
    };
}

void wadi_storm_rim(const void* user, int64_t cell, int64_t rim[SLIDE_CUT_SIDES])
{
    // lengths of edges that give the perimeter of any outline (Cauchy-Crofton), in cells
    static const double lengths[2] = {0.3926990817, 0.2776801836};
    static const double east[SLIDE_CUT_SIDES] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const double south[SLIDE_CUT_SIDES] = {0, 1, 1, 1, 0, -1, -1, -1};
    const storm_land* land = user;
    const double gx = (double)land->east[cell];
    const double gy = (double)land->north[cell];
    const double slope2 = gx * gx + gy * gy;
    const double scale = land->cell * sqrt(1.0 + slope2);
    for (int s = 0; s < SLIDE_CUT_SIDES; ++s)
    {
        const int64_t to = wadi_slide_cut_neighbour(land->cut, cell, s);
        const int32_t beside = to < 0 || storm_is_void(land, to) ? 0 : land->soil[to];
        const int32_t least = beside < land->soil[cell] ? beside : land->soil[cell];
        const storm_side side = storm_side_of(land, cell, storm_depth(least));
        const double down = -east[s] * gx + south[s] * gy; // the slope along the edge, times |edge|
        const double along = slope2 > 0.0 ? down * down / (slope2 * (1.0 + (double)(s & 1))) : 0.0;
        const double force =
            side.side + (1.0 - along) * side.friction + (down > 0.0 ? along * side.toe : 0.0);
        rim[s] = least > 0 ? (int64_t)(scale * lengths[s & 1] * force) : 0;
    }
}

static void storm_drive_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    storm_land* land = user;
    for (int64_t c = (int64_t)begin * land->width; c < (int64_t)end * land->width; ++c)
    {
        const bool bare = storm_is_void(land, c) || land->soil[c] <= 0;
        land->drive[c] =
            bare ? 0
                 : (int64_t)floor(wadi_storm_drive(land, c, land->soil[c], storm_wetness(land, c)));
    }
}

// ---- failures ----------------------------------------------------------------------------

// Close the figures of the last failure.
static void storm_sum(const storm_land* land, slide_list* list)
{
    slide_failure* f = &list->failures[list->count - 1];
    double water = 0.0;
    for (int64_t i = f->first; i < f->first + f->count; ++i)
    {
        const slide_cell* s = &list->cells[i];
        const double gx = (double)land->east[s->cell];
        const double gy = (double)land->north[s->cell];
        const double slope2 = gx * gx + gy * gy;
        const double below = (double)s->water / 65536.0;
        water += (double)s->water;
        f->pressure += storm_gravity_water * below / (1.0 + slope2) / (double)f->count;
        f->friction += (double)land->friction[s->cell] / (double)f->count;
        f->slope += sqrt(slope2) / (double)f->count;
    }
    f->wetness = f->units > 0 ? water / (double)f->units : 0.0;
}

static wadi_result storm_take(storm_land* land, int64_t cell, slide_list* list, storm_books* books)
{
    const int32_t soil = land->soil[cell];
    const slide_cell taken = {cell, soil, (int32_t)(storm_wetness(land, cell) * (double)soil)};
    WADI_TRY(wadi_slide_list_add(land->context, list, taken));
    books->slid += land->water[cell];
    land->soil[cell] = 0;
    land->room[cell] = 0;
    land->water[cell] = 0;
    land->drive[cell] = -1; // found
    return WADI_OK;
}

// The connected failure of a cell; cells of the cut have drive INT64_MAX until they are found.
static wadi_result storm_gather(storm_land* land, int64_t cell, double time, slide_list* list,
                                storm_books* books)
{
    WADI_TRY(wadi_slide_list_begin(land->context, list, time));
    WADI_TRY(storm_take(land, cell, list, books));
    for (int64_t next = list->failures[list->count - 1].first; next < list->cell_count; ++next)
    {
        for (int side = 0; side < SLIDE_CUT_SIDES; ++side)
        {
            const int64_t to = wadi_slide_cut_neighbour(land->cut, list->cells[next].cell, side);
            if (to >= 0 && land->drive[to] == INT64_MAX)
            {
                WADI_TRY(storm_take(land, to, list, books));
            }
        }
    }
    storm_sum(land, list);
    return WADI_OK;
}

// The lengths of edges give a single cell 2.68 sides instead of 4: it is held by as much more.
static bool storm_holds_single(const storm_land* land, int64_t cell)
{
    int64_t rim[SLIDE_CUT_SIDES];
    int64_t sum = 0;
    wadi_storm_rim(land, cell, rim);
    for (int side = 0; side < SLIDE_CUT_SIDES; ++side)
    {
        const int64_t to = wadi_slide_cut_neighbour(land->cut, cell, side);
        if (to >= 0 && land->drive[to] == INT64_MAX)
        {
            return false;
        }
        sum += rim[side];
    }
    const double drive = wadi_storm_drive(land, cell, land->soil[cell], storm_wetness(land, cell));
    return drive < (double)sum * (4.0 / storm_single_sides);
}

// Release the cells of a cut.
static wadi_result storm_release(storm_land* land, const int32_t* cells, int64_t count, double time,
                                 slide_list* list, storm_books* books)
{
    for (int64_t i = 0; i < count; ++i)
    {
        land->drive[cells[i]] = INT64_MAX;
    }
    for (int64_t i = 0; i < count; ++i)
    {
        if (land->drive[cells[i]] == INT64_MAX && !storm_holds_single(land, cells[i]))
        {
            WADI_TRY(storm_gather(land, cells[i], time, list, books));
        }
    }
    return WADI_OK;
}

// Release what fails now, and look again until all stands: the ground that is left has lost the
// rim towards what slid.
static wadi_result storm_search(storm_land* land, double time, slide_list* list, storm_books* books)
{
    int32_t before;
    do
    {
        const int32_t* cells;
        int64_t count;
        before = list->count;
        wadi_parallel_rows(land->context, land->height, STORM_GRAIN, storm_drive_rows, land);
        WADI_TRY(wadi_slide_cut_find(land->cut, land->drive, wadi_storm_rim, land, &cells, &count));
        WADI_TRY(storm_release(land, cells, count, time, list, books));
    } while (list->count > before);
    return WADI_OK;
}

wadi_result wadi_storm_run(storm_land* land, const storm_rain* rain, slide_list* list,
                           storm_books* books)
{
    *books = (storm_books){0};
    wadi_storm_fields(land, rain->number);
    wadi_storm_dry(land);
    const int32_t steps = (int32_t)fmax(1.0, ceil(rain->time / land->law.step));
    const double seconds = rain->time / (double)steps;
    const int32_t substeps = wadi_storm_conduct(land, seconds);
    for (int32_t s = 0; s < steps; ++s)
    {
        const double from = seconds * (double)s;
        const double wet = fmax(0.0, fmin(seconds, rain->rain_time - from));
        wadi_storm_wet(land, rain->rate * wet, substeps, books);
        WADI_TRY(storm_search(land, from + seconds, list, books));
    }
    for (int64_t c = 0; c < land->cells; ++c)
    {
        books->held += land->water[c];
    }
    return WADI_OK;
}
