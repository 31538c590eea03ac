// SPDX-License-Identifier: MIT
// Search for critical rupture surfaces. A trial surface goes through two points of the ground, in
// the direction of the steepest slope at its own scale. Toes lie on a grid as coarse as a sixth of
// the length. Each toe and length keeps its weakest surface, by few columns; only a surface that
// may fail is weighed with all its columns. Where ground has changed, only trials are weighed anew
// that see a cell that has; the others begin again from what was computed for them, as if they
// had been.
#include "laws/slopes/rupture.h"

#include "laws/slopes/rupture_change.h"

#include <math.h>

static const double search_ratio = 1.25;  // of two lengths that follow each other
static const double search_doubt = 1.25;  // a factor below this is computed with all columns
static const double search_within = 1e-4; // accuracy of these
static const double search_about = 0.02;  // of the others
static const double search_reach = 2.0;   // of a surface from its toe, over its length
static const double search_bulges[] = {0.06, 0.09, 0.13, 0.18, 0.24, 0.32, 0.42};

enum
{
    SEARCH_SCALES = 40,
    SEARCH_ACROSS = 7, // columns along a chord
    SEARCH_TOES = 6,   // toes along a chord
    SEARCH_RING = 8
};

// Weakest surface of a toe and length; what it is at first and by all its columns, until the ground
// that it sees changes.
typedef struct search_trial
{
    float factor;
    float about;
    float exact;
    int8_t bulge; // -1: none
    int8_t about_bulge;
    int8_t exact_bulge;
    bool is_exact;
    bool is_known; // by all its columns
} search_trial;

typedef struct search_scale
{
    double length;  // [m]
    int32_t stride; // between columns [cells]
    int32_t apart;  // between toes [cells]
    int32_t width;  // [toes]
    int32_t height;
    search_trial* trials;
} search_scale;

struct rupture_search
{
    wadi_context* context;
    const rupture_land* land;
    search_scale scales[SEARCH_SCALES];
    int32_t count;
    double area; // least [m2]
    search_trial* found;
    rupture_change change;
};

typedef struct search_job
{
    rupture_search* search;
    search_scale* scale;
    const int32_t* box; // NULL: all
} search_job;

// ---- one toe -----------------------------------------------------------------------------

static const double search_ring[SEARCH_RING][2] = {
    {1.0, 0.0},  {0.7071067811865476, 0.7071067811865476},
    {0.0, 1.0},  {-0.7071067811865476, 0.7071067811865476},
    {-1.0, 0.0}, {-0.7071067811865476, -0.7071067811865476},
    {0.0, -1.0}, {0.7071067811865476, -0.7071067811865476}};

// Radius of the inner and the outer ring [cells].
static double search_radius(const rupture_land* land, double length, int ring)
{
    return (ring == 0 ? 0.5 : 0.9) * length / land->cell;
}

// Column and row of place k of a ring.
static void search_place(const int32_t toe[2], double reach, int k, int32_t at[2])
{
    at[0] = toe[0] + (int32_t)floor(reach * search_ring[k][0] + 0.5);
    at[1] = toe[1] + (int32_t)floor(reach * search_ring[k][1] + 0.5);
}

// Uphill direction around a toe, from rings of half and of most of the length. Returns false on
// level ground.
static bool search_back(const rupture_land* land, const int32_t toe[2], double length,
                        double back[2])
{
    const int64_t middle = wadi_rupture_cell(land, toe[0], toe[1]);
    const double z = (double)land->columns[middle].top;
    back[0] = back[1] = 0.0;
    for (int turn = 0; turn < 2; ++turn)
    {
        const double reach = search_radius(land, length, turn);
        for (int k = 0; k < SEARCH_RING; ++k)
        {
            int32_t at[2];
            search_place(toe, reach, k, at);
            const int64_t cell = wadi_rupture_cell(land, at[0], at[1]);
            const double top = cell >= 0 ? (double)land->columns[cell].top : (double)NAN;
            const double rise = isnan(top) ? 0.0 : (top - z) / reach;
            back[0] += rise * search_ring[k][0];
            back[1] += rise * search_ring[k][1];
        }
    }
    const double size = sqrt(back[0] * back[0] + back[1] * back[1]);
    back[0] /= size > 0.0 ? size : 1.0;
    back[1] /= size > 0.0 ? size : 1.0;
    return size > 1e-6;
}

static bool search_surface(const rupture_land* land, double length, const int32_t toe[2],
                           int32_t bulge, rupture_surface* out)
{
    double back[2];
    return search_back(land, toe, length, back) &&
           wadi_rupture_place(land, toe, length, back, search_bulges[bulge], out);
}

// The weakest surface of a toe, by few columns.
static search_trial search_try(const rupture_land* land, const search_scale* scale,
                               const int32_t toe[2], const double back[2])
{
    search_trial best = {.factor = INFINITY, .bulge = -1};
    rupture_surface surface;
    rupture_moments moments;
    for (int32_t b = 0; b < WADI_COUNT(search_bulges); ++b)
    {
        if (!wadi_rupture_place(land, toe, scale->length, back, search_bulges[b], &surface))
        {
            continue;
        }
        wadi_rupture_weigh(land, &surface, scale->stride, 0.0, &moments);
        if ((float)moments.factor < best.factor)
        {
            best = (search_trial){.factor = (float)moments.factor, .bulge = (int8_t)b};
        }
    }
    if (best.bulge >= 0 &&
        wadi_rupture_place(land, toe, scale->length, back, search_bulges[best.bulge], &surface))
    {
        wadi_rupture_weigh(land, &surface, scale->stride, search_about, &moments);
        best.factor = (float)moments.factor;
    }
    return best;
}

static void search_toe(const search_job* job, int64_t index)
{
    const search_scale* scale = job->scale;
    const rupture_land* land = job->search->land;
    const int32_t toe[2] = {(int32_t)(index % scale->width) * scale->apart,
                            (int32_t)(index / scale->width) * scale->apart};
    search_trial best = {.factor = INFINITY, .bulge = -1};
    double back[2];
    const int64_t cell = wadi_rupture_cell(land, toe[0], toe[1]);
    if (!isnan(land->columns[cell].top) && search_back(land, toe, scale->length, back))
    {
        best = search_try(land, scale, toe, back);
    }
    best.about = best.factor;
    best.about_bulge = best.bulge;
    scale->trials[index] = best;
}

// ---- what a toe sees ---------------------------------------------------------------------

// Has the ground changed that sets the direction of a toe's surfaces?
static bool search_turns(const search_job* job, const int32_t toe[2])
{
    const rupture_change* change = &job->search->change;
    bool turns = wadi_rupture_changed(change, (int32_t[4]){toe[0], toe[1], toe[0], toe[1]});
    for (int k = 0; k < 2 * SEARCH_RING && !turns; ++k)
    {
        const double reach = search_radius(job->search->land, job->scale->length, k / SEARCH_RING);
        int32_t at[2];
        search_place(toe, reach, k % SEARCH_RING, at);
        turns = wadi_rupture_changed(change, (int32_t[4]){at[0], at[1], at[0], at[1]});
    }
    return turns;
}

// Has the ground changed at the head of a toe's surfaces, which sets their size?
static bool search_shifts(const search_job* job, const int32_t toe[2], const double back[2])
{
    const double reach = job->scale->length / job->search->land->cell;
    const int32_t x = (int32_t)floor(toe[0] + reach * back[0]);
    const int32_t y = (int32_t)floor(toe[1] + reach * back[1]);
    return wadi_rupture_changed(&job->search->change, (int32_t[4]){x - 1, y - 1, x + 2, y + 2});
}

// Does a trial see a cell that has changed?
static bool search_sees(const search_job* job, int64_t index)
{
    const search_scale* scale = job->scale;
    const rupture_land* land = job->search->land;
    const int32_t toe[2] = {(int32_t)(index % scale->width) * scale->apart,
                            (int32_t)(index / scale->width) * scale->apart};
    if (job->box == NULL || search_turns(job, toe))
    {
        return true;
    }
    double back[2];
    if (!search_back(land, toe, scale->length, back))
    {
        return false;
    }
    bool sees = search_shifts(job, toe, back);
    for (int32_t b = 0; b < WADI_COUNT(search_bulges) && !sees; ++b)
    {
        rupture_surface surface;
        int32_t box[4];
        sees = wadi_rupture_place(land, toe, scale->length, back, search_bulges[b], &surface) &&
               wadi_rupture_box(land, &surface, box) &&
               wadi_rupture_changed(&job->search->change, box);
    }
    return sees;
}

// Begin again with a trial whose ground is what it was.
static void search_begin_again(search_trial* t)
{
    t->factor = t->about;
    t->bulge = t->about_bulge;
    t->is_exact = false;
}

// Steps from a cell to a range of cells, round the map if it wraps.
static int32_t search_steps(int32_t at, int32_t from, int32_t to, int32_t size, bool wraps)
{
    int32_t steps = at < from ? from - at : at > to ? at - to : 0;
    for (int32_t turn = -1; turn <= 1 && wraps; turn += 2)
    {
        const int32_t there = at + turn * size;
        const int32_t other = there < from ? from - there : there > to ? there - to : 0;
        steps = other < steps ? other : steps;
    }
    return steps;
}

static bool search_is_near(const search_job* job, int32_t column, int32_t row)
{
    if (job->box == NULL)
    {
        return true;
    }
    const rupture_land* land = job->search->land;
    const double breadth = land->narrow > 0.0 ? fmax(1.0, 1.0 / land->narrow) : 1.0;
    const int32_t reach = (int32_t)(breadth * search_reach * job->scale->length / land->cell) + 2;
    return search_steps(column, job->box[0], job->box[2], land->width, land->wraps[0]) <= reach &&
           search_steps(row, job->box[1], job->box[3], land->height, land->wraps[1]) <= reach;
}

static void search_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const search_job* job = user;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < job->scale->width; ++column)
        {
            const int64_t index = (int64_t)row * job->scale->width + column;
            if (!search_is_near(job, column * job->scale->apart, row * job->scale->apart))
            {
                continue;
            }
            if (search_sees(job, index))
            {
                search_toe(job, index);
            }
            else
            {
                search_begin_again(&job->scale->trials[index]);
            }
        }
    }
}

// ---- search ------------------------------------------------------------------------------

static wadi_result search_add_scale(rupture_search* search, double length)
{
    const rupture_land* land = search->land;
    search_scale* scale = &search->scales[search->count];
    const double cells = length / land->cell;
    scale->length = length;
    scale->stride =
        cells > 2.0 * (double)SEARCH_ACROSS ? (int32_t)(cells / (double)SEARCH_ACROSS) : 1;
    scale->apart = cells > 2.0 * (double)SEARCH_TOES ? (int32_t)(cells / (double)SEARCH_TOES) : 1;
    scale->width = (land->width + scale->apart - 1) / scale->apart;
    scale->height = (land->height + scale->apart - 1) / scale->apart;
    ++search->count;
    WADI_ALLOC(search->context, scale->trials, (int64_t)scale->width * scale->height,
               "trial surfaces of slides");
    return WADI_OK;
}

wadi_result wadi_rupture_search_create(wadi_context* context, const rupture_land* land, double area,
                                       double shortest, double longest, rupture_search** out)
{
    *out = NULL;
    rupture_search* search;
    WADI_ALLOC(context, search, 1, "a search for slides");
    search->context = context;
    search->land = land;
    search->area = area;
    wadi_result result = wadi_rupture_change_create(context, land, &search->change);
    for (double length = shortest;
         length <= longest && search->count < SEARCH_SCALES && result == WADI_OK;
         length *= search_ratio)
    {
        result = search_add_scale(search, length);
    }
    if (result != WADI_OK)
    {
        wadi_rupture_search_destroy(search);
        return result;
    }
    wadi_rupture_search_update(search, NULL, NULL);
    *out = search;
    return WADI_OK;
}

void wadi_rupture_search_destroy(rupture_search* search)
{
    for (int32_t k = 0; search != NULL && k < search->count; ++k)
    {
        wadi_free(search->context, search->scales[k].trials);
    }
    if (search != NULL)
    {
        wadi_rupture_change_destroy(search->context, &search->change);
        wadi_free(search->context, search);
    }
}

void wadi_rupture_search_update(rupture_search* search, const int32_t box[4],
                                const uint8_t* changed)
{
    if (box != NULL)
    {
        wadi_rupture_change_set(&search->change, box, changed);
    }
    for (int32_t k = 0; k < search->count; ++k)
    {
        search_job job = {search, &search->scales[k], box};
        wadi_parallel_rows(search->context, job.scale->height, 1, search_rows, &job);
    }
}

static bool search_may_fail(const search_trial* t)
{
    return t->bulge >= 0 && (double)t->factor < (t->is_exact ? 1.0 : search_doubt);
}

// The weakest trial; of equal ones the first.
static search_trial* search_weakest(const rupture_search* search, int32_t* scale)
{
    search_trial* best = NULL;
    for (int32_t k = 0; k < search->count; ++k)
    {
        const search_scale* s = &search->scales[k];
        for (int64_t i = 0; i < (int64_t)s->width * s->height; ++i)
        {
            if (search_may_fail(&s->trials[i]) &&
                (best == NULL || s->trials[i].factor < best->factor))
            {
                best = &s->trials[i];
                *scale = k;
            }
        }
    }
    return best;
}

static bool search_surface_of(const rupture_search* search, int32_t k, const search_trial* trial,
                              rupture_surface* surface)
{
    const search_scale* scale = &search->scales[k];
    const int64_t index = trial - scale->trials;
    const int32_t toe[2] = {(int32_t)(index % scale->width) * scale->apart,
                            (int32_t)(index / scale->width) * scale->apart};
    return search_surface(search->land, scale->length, toe, trial->bulge, surface);
}

// Take what is known of a trial by all its columns.
static bool search_recall(search_trial* t)
{
    if (!t->is_known || t->is_exact)
    {
        return false;
    }
    t->factor = t->exact;
    t->bulge = t->exact_bulge;
    t->is_exact = true;
    return true;
}

// Weigh a trial with all columns. Returns whether it is there.
static bool search_weigh(const rupture_search* search, int32_t k, search_trial* trial,
                         rupture_surface* surface, rupture_moments* moments)
{
    trial->is_exact = true;
    trial->is_known = true;
    const bool is_there = search_surface_of(search, k, trial, surface);
    if (is_there)
    {
        wadi_rupture_weigh(search->land, surface, 1, search_within, moments);
        trial->factor = (float)moments->factor;
    }
    trial->bulge = is_there && moments->area >= search->area ? trial->bulge : (int8_t)-1;
    trial->exact = trial->factor;
    trial->exact_bulge = trial->bulge;
    return trial->bulge >= 0;
}

static void search_weigh_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const search_job* job = user;
    const int64_t width = job->scale->width;
    for (int64_t i = begin * width; i < end * width; ++i)
    {
        rupture_surface surface;
        rupture_moments moments;
        if (search_may_fail(&job->scale->trials[i]) && !search_recall(&job->scale->trials[i]))
        {
            (void)search_weigh(job->search, (int32_t)(job->scale - job->search->scales),
                               &job->scale->trials[i], &surface, &moments);
        }
    }
}

bool wadi_rupture_search_next(rupture_search* search, rupture_surface* surface,
                              rupture_moments* moments)
{
    int32_t k = 0;
    for (search_trial* t = search_weakest(search, &k); t != NULL; t = search_weakest(search, &k))
    {
        const bool was_exact = t->is_exact;
        if (!search_recall(t) && search_weigh(search, k, t, surface, moments) && was_exact)
        {
            search->found = t;
            return true;
        }
    }
    return false;
}

void wadi_rupture_search_skip(rupture_search* search)
{
    search->found->bulge = -1;
}

// ---- map ---------------------------------------------------------------------------------

static void search_paint(const rupture_search* search, const rupture_surface* surface, float value,
                         float* factor)
{
    const rupture_land* land = search->land;
    int32_t box[4];
    (void)wadi_rupture_box(land, surface, box);
    for (int32_t row = box[1]; row <= box[3]; ++row)
    {
        for (int32_t column = box[0]; column <= box[2]; ++column)
        {
            const int64_t cell = wadi_rupture_cell(land, column, row);
            if (cell >= 0 && factor[cell] > value && wadi_rupture_cuts(land, surface, column, row))
            {
                factor[cell] = value;
            }
        }
    }
}

void wadi_rupture_search_map(rupture_search* search, float most, float* factor)
{
    const int64_t cells = (int64_t)search->land->width * search->land->height;
    for (int64_t c = 0; c < cells; ++c)
    {
        factor[c] = most;
    }
    for (int32_t k = 0; k < search->count; ++k)
    {
        const search_scale* s = &search->scales[k];
        search_job job = {search, &search->scales[k], NULL};
        wadi_parallel_rows(search->context, s->height, 1, search_weigh_rows, &job);
        for (int64_t i = 0; i < (int64_t)s->width * s->height; ++i)
        {
            rupture_surface surface;
            if (s->trials[i].bulge >= 0 && s->trials[i].factor < most &&
                search_surface_of(search, k, &s->trials[i], &surface))
            {
                search_paint(search, &surface, s->trials[i].factor, factor);
            }
        }
    }
}
