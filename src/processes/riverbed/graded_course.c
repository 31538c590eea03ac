// SPDX-License-Identifier: MIT
// The course of a river in a batch: a sine-generated curve around its axis (Langbein & Leopold
// 1966). Its amplitude grows from batch to batch, so bends migrate and leave bars behind.
#include "processes/riverbed/graded_free.h"

#include "core/dmath.h"
#include "core/internal.h"
#include "core/random.h"

#include <math.h>

static const double course_pi = 3.14159265358979323846;

// Initial share of the amplitude. A straight first course would leave two scars along the axis.
static const double course_first = 0.35;
// Growing bends travel downstream by this share of a double bend. Half way through, the source is
// at a crossing of the axis; from an apex the whole belt would lie to one side of it.
static const double course_travel = 0.3;

enum
{
    COURSE_BLOCK = 256 // nodes that one worker computes at a time
};

// Variation of the bend that is drawn; it is constant between crossings and apexes.
typedef struct course_variety
{
    int64_t crossing;
    int64_t apex;
    double angle;
    double length;
} course_variety;

// State while a course is drawn from its source.
typedef struct course_pen
{
    const wadi_graded* graded;
    graded_river* river;
    double share; // grown share of the amplitude
    double phase; // of the bends [radian]
    double off;   // distance of the course from its axis, to the right [m]
    double drift; // mean of that distance over a bend [m]
    double way;   // length so far [m]
    double out;   // length beyond the side over which it has left [m]
    int32_t axis; // nearest point of the axis
    bool joins;   // heads for the other river from here on
    double gap;   // distance to that river [widths of it]
    course_variety bend;
    bool follows; // the chain of path free
    int32_t link; // of the chain
    double past;  // share of the way from it to the next
} course_pen;

// Growth of the amplitude, 0 to 1. The last three tenths of the batches run on the last course.
static double course_grown(const wadi_graded* graded, int32_t batch)
{
    const double age = (double)batch / graded->params.batches;
    return graded_clamp((age - 0.12) / 0.58, 0.0, 1.0);
}

// Bessel's J0, with an error of 1e-6 up to 100 degrees: a sine-generated course with this largest
// angle is 1 / J0 times as long as its axis.
static double course_bessel(double x)
{
    const double q = 0.25 * x * x;
    return 1.0 - q * (1.0 - q * (0.25 - q * (1.0 / 36.0 - q * (1.0 / 576.0 - q / 14400.0))));
}

static double course_tanh(double x)
{
    const double e = wadi_exp(2.0 * graded_clamp(x, -20.0, 20.0));
    return (e - 1.0) / (e + 1.0);
}

// Random variation of a bend in -1..1; it does not change while the bend grows.
static double course_variation(const course_pen* pen, int64_t bend, int word)
{
    const wadi_graded* graded = pen->graded;
    const wadi_philox words = wadi_random(wadi_terrain_seed(graded->terrain), graded->stream,
                                          (uint64_t)bend, (uint32_t)pen->river->number);
    return graded->params.irregularity * (2.0 * (double)wadi_unit_float(words.v[word]) - 1.0);
}

// Variation of bends in angle and in length. Angles change at apexes and lengths at crossings,
// where the change makes no kink. A bend between two wide angles is also longer; with independent
// lengths, radii fell to 1.6 widths.
static course_variety course_variety_of(const course_pen* pen, int64_t crossing, int64_t apex)
{
    const double around =
        0.5 * (course_variation(pen, apex - 1, 0) + course_variation(pen, apex, 0)); // both angles
    const double angle = 1.0 + 0.24 * course_variation(pen, crossing, 0);
    const double length = (1.0 + 0.24 * around) * (1.0 + 0.25 * course_variation(pen, apex, 1));
    return (course_variety){crossing, apex, angle, length};
}

static void course_vary(course_pen* pen, double* angle, double* length)
{
    const int64_t crossing = (int64_t)(pen->phase / course_pi);
    const int64_t apex = (int64_t)(pen->phase / course_pi + 0.5);
    course_variety* bend = &pen->bend;
    if (bend->crossing != crossing || bend->apex != apex)
    {
        *bend = course_variety_of(pen, crossing, apex);
    }
    *angle = bend->angle;
    *length = bend->length;
}

// Rise of the ground beside the next bend, which limits the bend [depths].
static double course_rise(const course_pen* pen, const graded_node* node)
{
    const graded_land* land = &pen->graded->land;
    const graded_axis* axis = &pen->river->axis[pen->axis];
    const double to = node->heading + wadi_cos(pen->phase); // 57 degrees to the side in a bend
    const double reach = 2.5 * axis->width / pen->graded->ground->cell_size;
    const riverbed_point ahead = {node->at.x + reach * wadi_cos(to),
                                  node->at.y + reach * wadi_sin(to)};
    const double rise = wadi_graded_land_at(land, land->broad, ahead) -
                        wadi_graded_land_at(land, land->broad, node->at);
    return fmax(0.0, rise) / axis->depth;
}

// Largest angle between course and axis in this bend [radian].
static double course_swing(const course_pen* pen, const graded_node* node, double differs)
{
    const wadi_graded* graded = pen->graded;
    const graded_axis* axis = &pen->river->axis[pen->axis];
    const double hard = 1.0 - wadi_graded_land_at(&graded->land, graded->land.broad_soft, node->at);
    const double swing = graded->params.swing * course_pi / 180.0;
    return swing * pen->share * axis->damping * (1.0 - 0.35 * hard) * differs /
           (1.0 + 0.5 * course_rise(pen, node));
}

// Angle between course and axis at this phase, and speed of the phase per length of a bend.
static double course_angle(const course_pen* pen, double swing, double* speed)
{
    if (pen->graded->params.path == WADI_RIVERBED_SWING)
    {
        *speed = course_bessel(swing);
        return swing * wadi_sin(pen->phase);
    }
    // the paper's circle: r omega / v is the sine of the largest angle; below 1 there is no cusp
    const double k = fmin(0.95, wadi_sin(fmin(swing, 0.5 * course_pi)));
    const double across = k * wadi_sin(pen->phase);
    const double along = 1.0 + k * wadi_cos(pen->phase);
    *speed = 1.0 / fmax(0.2, sqrt(across * across + along * along));
    return wadi_atan2(across, along);
}

// Update the nearest point of the axis and the distance from it. Inside a bend of the axis the
// nearest point would jump, and the heading with it; so it moves at most three times as fast as
// the course.
static void course_locate(course_pen* pen, riverbed_point at)
{
    const graded_river* river = pen->river;
    double nearest = HUGE_VAL;
    const int32_t reach = pen->axis + 3;
    for (int32_t i = pen->axis; i < river->axis_count && i <= reach; ++i)
    {
        const double dx = at.x - river->axis[i].at.x;
        const double dy = at.y - river->axis[i].at.y;
        if (dx * dx + dy * dy < nearest)
        {
            nearest = dx * dx + dy * dy;
            pen->axis = i;
        }
    }
    const graded_axis* axis = &river->axis[pen->axis];
    const double aside = axis->along.x * (at.y - axis->at.y) - axis->along.y * (at.x - axis->at.x);
    pen->off = aside * pen->graded->ground->cell_size;
    pen->drift +=
        (pen->off - pen->drift) * river->spacing / (pen->graded->params.bend_length * axis->width);
}

// The corridor cell of a larger river at this place, or NULL.
static const graded_cell* course_neighbour(const course_pen* pen, riverbed_point at)
{
    const wadi_graded* graded = pen->graded;
    const int64_t cell = graded_cell_at(graded->ground, at);
    const int32_t slot = cell >= 0 ? graded->corridor.slot[cell] : 0;
    return slot != 0 && pen->way > pen->river->axis[0].width ? &graded->corridor.cells[slot - 1]
                                                             : NULL;
}

// A course turns towards the river it joins when its axis ends, or when the banks touch.
static bool course_is_at_mouth(course_pen* pen, riverbed_point at)
{
    graded_river* river = pen->river;
    const graded_cell* here = course_neighbour(pen, at);
    if (here == NULL)
    {
        return river->meets >= 0 && pen->axis == river->axis_count - 1;
    }
    const graded_river* other = &pen->graded->rivers[here->river];
    const double width = other->nodes[here->station * GRADED_STATION].width;
    if (fabs((double)here->eta) < 1.0 + 1.5 * river->axis[0].width / width)
    {
        river->meets = here->river;
        return true;
    }
    return false;
}

// Heading to the nearest point of the river to join.
static double course_towards(course_pen* pen, riverbed_point at)
{
    const graded_river* other = &pen->graded->rivers[pen->river->meets];
    double nearest = HUGE_VAL;
    for (int32_t i = 0; i < other->inside; ++i)
    {
        const double dx = other->nodes[i].at.x - at.x;
        const double dy = other->nodes[i].at.y - at.y;
        if (dx * dx + dy * dy < nearest)
        {
            nearest = dx * dx + dy * dy;
            pen->river->into_node = i;
        }
    }
    const graded_node* mouth = &other->nodes[pen->river->into_node];
    pen->gap = sqrt(nearest) * pen->graded->ground->cell_size / mouth->width;
    return wadi_atan2(mouth->at.y - at.y, mouth->at.x - at.x);
}

static void course_turn(course_pen* pen, graded_node* node)
{
    const graded_river* river = pen->river;
    const graded_axis* axis = &river->axis[pen->axis];
    node->axis = pen->axis;
    pen->joins = pen->joins || course_is_at_mouth(pen, node->at);
    if (pen->joins)
    {
        node->heading = course_towards(pen, node->at);
        return;
    }
    if (pen->follows)
    {
        return; // course_follow() has set the heading
    }
    double differs;
    double length;
    double speed;
    course_vary(pen, &differs, &length);
    const double swing = course_swing(pen, node, differs);
    const double angle = course_angle(pen, swing, &speed);
    const double back = 0.6 * course_tanh((pen->off + pen->drift) / (6.0 * axis->width));
    node->heading = wadi_atan2(axis->along.y, axis->along.x) - back + angle;
    pen->phase += 2.0 * course_pi * river->spacing * speed /
                  (pen->graded->params.bend_length * axis->width * length);
}

// Place a node on the chain, and go on by one node. Beyond the chain the course is straight.
static void course_follow(course_pen* pen, graded_node* node)
{
    const graded_river* river = pen->river;
    const double step = river->spacing / pen->graded->ground->cell_size;
    if (pen->joins || pen->link + 1 >= river->chain_count)
    {
        return;
    }
    riverbed_point along;
    node->at = wadi_graded_curve(river->chain, river->chain_count, pen->link, pen->past, &along);
    node->heading = wadi_atan2(along.y, along.x);
    pen->past += step / fmax(1e-9, sqrt(along.x * along.x + along.y * along.y));
    if (pen->past >= 1.0)
    {
        pen->past -= 1.0;
        ++pen->link;
    }
}

// ---- the end -----------------------------------------------------------------------------

static wadi_side course_side(const wadi_ground* ground, riverbed_point p)
{
    return graded_cell_at(ground, p) >= 0 ? WADI_SIDE_VOID
           : p.x < -0.5                   ? WADI_SIDE_WEST
           : p.y < -0.5                   ? WADI_SIDE_NORTH
           : p.x >= ground->width - 0.5   ? WADI_SIDE_EAST
                                          : WADI_SIDE_SOUTH;
}

// A course continues for a width beyond the side over which it leaves, so that its bed reaches the
// side on both banks. At a void it ends.
static bool course_ends(course_pen* pen, const graded_node* node)
{
    graded_river* river = pen->river;
    const wadi_ground* ground = pen->graded->ground;
    const double width = river->axis[pen->axis].width;
    if (pen->out > 0.0)
    {
        pen->out += river->spacing;
        return pen->out > width;
    }
    if (pen->gap < 0.15)
    {
        river->end = GRADED_JOINS;
        return true;
    }
    // a river that enters obliquely may cross its own side again at once
    if (graded_is_land(ground, node->at) || pen->way < width)
    {
        return false;
    }
    river->end = GRADED_LEAVES;
    river->side = course_side(ground, node->at);
    river->inside = river->count;
    pen->out = river->spacing;
    return river->side == WADI_SIDE_VOID;
}

// ---- curvature ---------------------------------------------------------------------------

// Curvature over a width, which smooths kinks. The flow responds half a width downstream.
static void course_bend_node(graded_river* river, int32_t i)
{
    const double width = river->axis[river->nodes[i].axis].width;
    const int32_t half = (int32_t)(0.5 * width / river->spacing);
    const int32_t lag = i > 2 * half ? i - 2 * half : 0;
    const int32_t from = i > half ? i - half : 0;
    const int32_t to = i + half < river->count ? i + half : river->count - 1;
    const double ahead = river->nodes[to].heading - river->nodes[from].heading;
    const double felt = river->nodes[i].heading - river->nodes[lag].heading;
    // atan2 keeps the difference of two headings in -pi..pi
    river->nodes[i].turn =
        wadi_atan2(wadi_sin(ahead), wadi_cos(ahead)) / (fmax(1.0, to - from) * river->spacing);
    river->nodes[i].bend =
        wadi_atan2(wadi_sin(felt), wadi_cos(felt)) / (fmax(1.0, i - lag) * river->spacing);
}

static void course_bend_block(int64_t block, int32_t worker, void* user)
{
    graded_river* river = user;
    const int32_t from = (int32_t)block * COURSE_BLOCK;
    (void)worker;
    for (int32_t i = from; i < from + COURSE_BLOCK && i < river->count; ++i)
    {
        course_bend_node(river, i);
    }
}

bool wadi_graded_course_stays(const wadi_graded* graded, int32_t before, int32_t batch)
{
    if (graded->params.path == WADI_RIVERBED_FREE)
    {
        return !wadi_graded_free_moves(graded, batch);
    }
    const double change = course_grown(graded, batch) - course_grown(graded, before);
    return !(change < 0.0 || change > 0.0);
}

void wadi_graded_course(wadi_graded* graded, int32_t index)
{
    graded_river* river = &graded->rivers[index];
    const double step = river->spacing / graded->ground->cell_size;
    const double grown = course_grown(graded, graded->batch);
    course_pen pen = {.graded = graded,
                      .river = river,
                      .gap = HUGE_VAL,
                      .bend = {.crossing = -1},
                      .follows = graded->params.path == WADI_RIVERBED_FREE,
                      .share = course_first + (1.0 - course_first) * grown,
                      .phase = course_pi * (2.5 + course_travel * (1.0 - 2.0 * grown))};
    river->count = 0;
    river->meets = river->into;
    river->end = GRADED_STOPS;
    riverbed_point at = river->axis[0].at;
    for (int32_t i = 0; i < river->capacity; ++i)
    {
        graded_node* node = &river->nodes[i];
        *node = (graded_node){.at = at, .heading = i > 0 ? node[-1].heading : 0.0};
        if (pen.follows)
        {
            course_follow(&pen, node);
            at = node->at;
        }
        if (course_ends(&pen, node))
        {
            break;
        }
        course_locate(&pen, at);
        course_turn(&pen, node);
        node->along = (riverbed_point){wadi_cos(node->heading), wadi_sin(node->heading)};
        at = (riverbed_point){at.x + step * node->along.x, at.y + step * node->along.y};
        pen.way += river->spacing;
        river->count = i + 1;
    }
    river->inside = river->end == GRADED_LEAVES ? river->inside : river->count;
    const int64_t blocks = (river->count + COURSE_BLOCK - 1) / COURSE_BLOCK;
    wadi_parallel_blocks(graded->context, blocks, course_bend_block, river);
}
