// SPDX-License-Identifier: MIT
// Stars: prominent peaks from which three crests or more go out. An arm is a crest that leads from
// the middle of the star over a distance.
#include "maps/judge/dune_shapes_internal.h"

enum
{
    STARS_ARMS = 3,
    STARS_SIDE = 129 // most cells across a star
};

static const double stars_core = 0.4;  // of an arm, within which all crests belong to the star
static const double stars_sides = 0.8; // most one-sided slip faces: 0 all round, 1 one wind
static const double stars_tall =
    0.25; // of the height: a star stands above the ground at its arms' ends

// Crests about a peak, in a square of cells.
struct star_frame
{
    const shape_grid* grid;
    const uint8_t* crests;
    int32_t peak;
    int32_t reach; // cells to either side
    double length; // of an arm [m]
    uint8_t seen[STARS_SIDE * STARS_SIDE];
    int16_t stack[STARS_SIDE * STARS_SIDE];
};

wadi_result wadi_star_frame_create(const shape_grid* grid, const uint8_t* crests, double length,
                                   star_frame** out)
{
    *out = NULL;
    star_frame* frame;
    WADI_ALLOC(grid->context, frame, 1, "arms of stars");
    const double side = fmin(grid->dx, grid->dy);
    const double cells = ceil(length / side);
    const int32_t most = STARS_SIDE / 2;
    frame->grid = grid;
    frame->crests = crests;
    frame->reach = cells > most ? most : (int32_t)cells;
    frame->length = fmin(length, most * side);
    *out = frame;
    return WADI_OK;
}

// Distance from the peak of a cell of the frame.
static double star_distance(const star_frame* f, int32_t at)
{
    const double x = (at % STARS_SIDE - f->reach) * f->grid->dx;
    const double y = (at / STARS_SIDE - f->reach) * f->grid->dy;
    return sqrt(x * x + y * y);
}

static bool star_is_crest(const star_frame* f, int32_t at)
{
    const int32_t x = at % STARS_SIDE - f->reach;
    const int32_t y = at / STARS_SIDE - f->reach;
    const shape_grid* g = f->grid;
    const int32_t cell = shape_index(g, f->peak % g->width + x, f->peak / g->width + y);
    return cell >= 0 && f->crests[cell] != 0;
}

// Follow crests from a cell through those between two distances. Returns the farthest distance.
static double star_follow(star_frame* f, int32_t start, double from, double to)
{
    int32_t height = 0;
    double farthest = 0.0;
    f->seen[start] = 1;
    f->stack[height++] = (int16_t)start;
    while (height > 0)
    {
        const int32_t at = f->stack[--height];
        farthest = fmax(farthest, star_distance(f, at));
        for (int32_t k = 0; k < 8; ++k)
        {
            const int32_t x = at % STARS_SIDE + shape_east[k];
            const int32_t y = at / STARS_SIDE + shape_south[k];
            const int32_t n = y * STARS_SIDE + x;
            const bool inside = x >= 0 && y >= 0 && x <= 2 * f->reach && y <= 2 * f->reach;
            if (inside && f->seen[n] == 0 && star_distance(f, n) >= from &&
                star_distance(f, n) <= to && star_is_crest(f, n))
            {
                f->seen[n] = 1;
                f->stack[height++] = (int16_t)n;
            }
        }
    }
    return farthest;
}

// Does a crest cell of the ring touch the crests of the core?
static bool star_touches(const star_frame* f, int32_t at)
{
    for (int32_t k = 0; k < 8; ++k)
    {
        const int32_t x = at % STARS_SIDE + shape_east[k];
        const int32_t y = at / STARS_SIDE + shape_south[k];
        if (x >= 0 && y >= 0 && x <= 2 * f->reach && y <= 2 * f->reach &&
            f->seen[y * STARS_SIDE + x] == 2)
        {
            return true;
        }
    }
    return false;
}

// Cells of the core that crests connect with the peak become 2.
static void star_fill_core(star_frame* f)
{
    const double core = stars_core * f->length;
    const int32_t side = 2 * f->reach + 1;
    for (int32_t i = 0; i < side * side; ++i)
    {
        const int32_t at = i / side * STARS_SIDE + i % side;
        if (f->seen[at] == 0 && star_distance(f, at) <= 0.5 * core && star_is_crest(f, at))
        {
            (void)star_follow(f, at, 0.0, core);
        }
    }
    for (int32_t i = 0; i < side * side; ++i)
    {
        const int32_t at = i / side * STARS_SIDE + i % side;
        f->seen[at] = f->seen[at] != 0 ? 2 : 0;
    }
}

int32_t wadi_star_frame_arms(star_frame* f, int32_t cell)
{
    int32_t arms = 0;
    f->peak = cell;
    const int32_t side = 2 * f->reach + 1;
    for (int32_t i = 0; i < side * side; ++i)
    {
        f->seen[i / side * STARS_SIDE + i % side] = 0;
    }
    star_fill_core(f);
    const double core = stars_core * f->length;
    for (int32_t i = 0; i < side * side; ++i)
    {
        const int32_t at = i / side * STARS_SIDE + i % side;
        if (f->seen[at] == 0 && star_distance(f, at) > core && star_distance(f, at) <= f->length &&
            star_is_crest(f, at) && star_touches(f, at))
        {
            const double ring = f->length - 1.5 * f->grid->cell;
            arms += star_follow(f, at, core, f->length) >= ring ? 1 : 0;
        }
    }
    return arms;
}

// Is a cell the highest within the reach, and well above the lowest there?
static bool star_is_peak(const shape_grid* g, const float* z, int32_t cell, int32_t reach,
                         double rise)
{
    const float here = z[cell];
    float lowest = here;
    if (isnan(here))
    {
        return false;
    }
    for (int32_t y = -reach; y <= reach; ++y)
    {
        for (int32_t x = -reach; x <= reach; ++x)
        {
            const int32_t n = x * x + y * y <= reach * reach
                                  ? shape_index(g, cell % g->width + x, cell / g->width + y)
                                  : cell;
            // of equal cells the first is the peak
            if (n < 0 || isnan(z[n]) || z[n] > here || (z[n] == here && n < cell))
            {
                return false;
            }
            lowest = fminf(lowest, z[n]);
        }
    }
    return (double)(here - lowest) >= rise;
}

// Length of the mean of the directions of descent on slip faces: 1 where all look to one side, as
// under one wind; 1 without slip faces.
static double star_one_sided(const shape_grid* g, const uint8_t* slip, int32_t peak, int32_t reach)
{
    shape_place sum = {0.0, 0.0};
    double count = 0.0;
    for (int32_t y = -reach; y <= reach; ++y)
    {
        for (int32_t x = -reach; x <= reach; ++x)
        {
            const int32_t n = shape_index(g, peak % g->width + x, peak / g->width + y);
            shape_place slope;
            if (n >= 0 && slip[n] != 0 && wadi_shape_gradient(g, g->z, n, &slope))
            {
                const double length = sqrt(slope.x * slope.x + slope.y * slope.y);
                sum.x += length > 0.0 ? slope.x / length : 0.0;
                sum.y += length > 0.0 ? slope.y / length : 0.0;
                count += 1.0;
            }
        }
    }
    return count > 0.0 ? sqrt(sum.x * sum.x + sum.y * sum.y) / count : 1.0;
}

static void star_look(star_frame* frame, const star_maps* maps, int32_t cell, wadi_dune_shapes* out,
                      uint16_t* marks)
{
    const shape_grid* g = frame->grid;
    if (!star_is_peak(g, maps->z, cell, frame->reach, stars_tall * out->height) ||
        star_one_sided(g, maps->slip, cell, frame->reach) > stars_sides)
    {
        return;
    }
    const int32_t arms = wadi_star_frame_arms(frame, cell);
    if (arms >= STARS_ARMS)
    {
        out->stars += 1;
        out->arms += arms;
        if (marks != NULL)
        {
            marks[cell] |= WADI_DUNE_MARK_STAR;
        }
    }
}

wadi_result wadi_star_arms_count(const shape_grid* grid, const star_maps* maps,
                                 wadi_dune_shapes* out, uint16_t* marks)
{
    star_frame* frame = NULL;
    WADI_TRY(wadi_star_frame_create(grid, maps->crests, maps->reach, &frame));
    for (int32_t i = 0; i < grid->cells; ++i)
    {
        star_look(frame, maps, i, out, marks);
    }
    out->arms = out->stars > 0 ? out->arms / out->stars : 0.0;
    wadi_free(grid->context, frame);
    return WADI_OK;
}
