// SPDX-License-Identifier: MIT
#include "laws/sand/sand_storm.h"

#include "core/dmath.h"
#include "laws/sand/sand_shore_state.h"

#include <math.h>

static const double storm_degree = 3.14159265358979323846 / 180.0;
static const double storm_turn = 6.28318530717958647692;
static const double storm_gravity = 9.81;
static const double storm_density = 1.22 / 1025.0; // of air over that of sea water
static const double storm_year = 31557600.0;       // [s]
static const double storm_front = 2.0; // slope of a dune over that of the foreshore, at least
static const double storm_most = 0.25; // [m] of a face that is cut at once

enum
{
    STORM_PIECES = 256, // of a storm at most
    STORM_PATH = 512    // cells from a dune to where its sand goes, at most
};

// ---- the sea -----------------------------------------------------------------------------------

// Square of the wind that pushes water to the coast [m2/s2]; below 0 off the land.
static double storm_onshore(const sand_storm_law* law, const sand_storm_wind* wind)
{
    const double along = wadi_cos((wind->direction - law->bearing) * storm_degree);
    const bool storm = law->speed > 0.0 && wind->speed >= law->speed;
    return storm ? wind->speed * wind->speed * along : 0.0;
}

// Balance of the wind's stress and the slope of the sea; drag of Wu (1982).
static double storm_surge(const sand_storm_law* law, const sand_storm_wind* wind, double square)
{
    const double drag = (0.8 + 0.065 * wind->speed) * 1e-3;
    return storm_density * drag * square * law->fetch / (storm_gravity * law->depth);
}

static double storm_cube_root(double x)
{
    return wadi_pow(x, 1.0 / 3.0);
}

// Waves that grow along a fetch, JONSWAP (Hasselmann et al. 1973), up to those of a full sea
// (Shore Protection Manual 1984).
static void storm_waves(const sand_storm_law* law, double square, sand_storm_sea* sea)
{
    const double fetch = storm_gravity * law->fetch / square;
    const double height = fmin(1.6e-3 * sqrt(fetch), 0.243);
    const double period = fmin(0.2857 * storm_cube_root(fetch), 8.134);
    sea->height = height * square / storm_gravity;
    sea->period = period * sqrt(square) / storm_gravity;
}

// Stockdon et al. (2006), equation 19.
static double storm_runup(double slope, double height, double period)
{
    const double product = height * storm_gravity * period * period / storm_turn;
    const double swash = sqrt(product * (0.563 * slope * slope + 0.004)) / 2.0;
    return 1.1 * (0.35 * slope * sqrt(product) + swash);
}

sand_storm_sea wadi_sand_storm_sea(const sand_storm_law* law, const sand_storm_wind* wind)
{
    sand_storm_sea sea = {0};
    const double square = storm_onshore(law, wind);
    if (square > 0.0)
    {
        sea.surge = storm_surge(law, wind, square);
        storm_waves(law, square, &sea);
        sea.runup = storm_runup(law->slope, sea.height, sea.period);
    }
    return sea;
}

// ---- where sand of a dune goes -----------------------------------------------------------------

// The way of sand to the sea, and the room below the calm sea along it [units].
typedef struct storm_path
{
    int32_t count;
    int64_t room;
    int32_t cells[STORM_PATH];
} storm_path;

typedef struct storm
{
    sand_shore* shore;
    int32_t closure; // [units] depth to which waves move sand
    double cut;  // [m2] of sand that leaves a metre of dune, over the square of the water's height
    double cell; // [m]
    double facing[4]; // share of the waves that meet a face, by the side that it closes
    wadi_tally* tally;
    storm_path path;
} storm;

static int64_t storm_room(const storm* job, int64_t cell)
{
    const int64_t room = (int64_t)job->shore->level - wadi_ground_surface(job->shore->ground, cell);
    return room > 0 ? room : 0;
}

// On the beach: the neighbour from which waves came. In the sea: the lowest neighbour, if it is
// lower.
static int64_t storm_next(const storm* job, int64_t cell)
{
    const sand_shore* shore = job->shore;
    const int32_t steps = shore->dry[cell];
    int64_t best = -1;
    int32_t low = wadi_ground_surface(shore->ground, cell);
    for (int side = 0; side < 4; ++side)
    {
        const int64_t next = wadi_sand_shore_neighbour(shore->ground, cell, side);
        if (next < 0 || shore->dry[next] < 0)
        {
            continue;
        }
        const int32_t level = wadi_ground_surface(shore->ground, next);
        const bool back = steps > 0 && shore->dry[next] == steps - 1;
        if (back ? best < 0 : steps == 0 && shore->dry[next] == 0 && level < low)
        {
            best = next;
            low = steps > 0 ? low : level;
        }
    }
    return best;
}

static void storm_find_path(storm* job, int64_t from)
{
    storm_path* path = &job->path;
    int64_t cell = from;
    path->count = 0;
    path->room = 0;
    while (cell >= 0 && path->count < STORM_PATH)
    {
        const int64_t room = storm_room(job, cell);
        path->cells[path->count++] = (int32_t)cell;
        path->room += room;
        cell = room > job->closure ? -1 : storm_next(job, cell);
    }
}

// Lay sand down along the path in proportion to the room. Rounded sums lose no unit.
static void storm_lay(storm* job, int64_t amount)
{
    const storm_path* path = &job->path;
    int64_t passed = 0;
    int64_t laid = 0;
    for (int32_t i = 0; i < path->count && laid < amount; ++i)
    {
        passed += storm_room(job, path->cells[i]);
        const int64_t due = (int64_t)((double)amount * ((double)passed / (double)path->room));
        const int64_t part = passed == path->room ? amount - laid : due - laid;
        wadi_ground_put(job->shore->ground, path->cells[i], (int32_t)part, job->tally);
        laid += part;
    }
}

// ---- cutting -----------------------------------------------------------------------------------

// Cut the face from a reached cell to a neighbour that waves did not reach: Larson et al. (2004).
// `facing` is the share of the waves that meet the face. Returns true if sand moved.
static bool storm_cut_face(storm* job, int64_t cell, int64_t next, double facing)
{
    const sand_shore* shore = job->shore;
    const int64_t top = wadi_ground_surface(shore->ground, next);
    const int64_t bed = wadi_ground_surface(shore->ground, cell);
    const int64_t water_line = (int64_t)shore->level + shore->surge;
    const int64_t foot = bed > water_line ? bed : water_line;
    const int64_t above = (int64_t)shore->level + shore->runup - foot;
    if (above <= 0 || top - foot < shore->steep)
    {
        return false;
    }
    const double water = (double)above / WADI_UNITS_PER_METRE;
    const double due = facing * job->cut * water * water / job->cell * WADI_UNITS_PER_METRE;
    storm_find_path(job, cell);
    const int64_t spare = job->path.room / 2; // the shore never rises out of the calm sea
    int64_t want = due < (double)(top - foot) ? (int64_t)due : top - foot;
    want = want < spare ? want : spare;
    want = want < INT32_MAX ? want : INT32_MAX;
    const int32_t taken = wadi_ground_take_loose(shore->ground, next, (int32_t)want, job->tally);
    if (taken > 0)
    {
        shore->ground->vegetation[next] = 0;
        storm_lay(job, taken);
    }
    return taken > 0;
}

// One piece of a storm. Returns true if sand moved.
static bool storm_strike(storm* job)
{
    const sand_shore* shore = job->shore;
    const int64_t last = wadi_sand_shore_spread(job->shore);
    bool moved = false;
    for (int64_t i = 0; i < last; ++i)
    {
        const int64_t cell = shore->queue[i];
        for (int side = 0; side < 4; ++side)
        {
            const int64_t next = wadi_sand_shore_neighbour(shore->ground, cell, side);
            if (next >= 0 && shore->ground->valid[next] != 0 && shore->dry[next] < 0 &&
                job->facing[side] > 0.0)
            {
                moved |= storm_cut_face(job, cell, next, job->facing[side]);
            }
        }
    }
    return moved;
}

static int32_t storm_units(double metres)
{
    return (int32_t)(fmin(metres, 1000.0) * WADI_UNITS_PER_METRE);
}

static void storm_raise(sand_shore* shore, const sand_storm_sea* sea)
{
    shore->surge = storm_units(sea->surge);
    shore->runup = storm_units(sea->surge + sea->runup) + 1;
    shore->reach = wadi_sand_shore_reach(shore->ground, sea->surge + sea->runup);
    const double front = storm_front * shore->storm.slope * shore->ground->cell_size;
    shore->steep = (int64_t)(front * WADI_UNITS_PER_METRE) + 1;
}

// Waves go the way they came from the open sea; they do not cut the back of a dune.
static void storm_face(storm* job)
{
    const double bearing = job->shore->storm.bearing * storm_degree;
    const double east = -wadi_sin(bearing);
    const double south = wadi_cos(bearing);
    job->facing[WADI_SIDE_NORTH] = -south;
    job->facing[WADI_SIDE_EAST] = east;
    job->facing[WADI_SIDE_SOUTH] = south;
    job->facing[WADI_SIDE_WEST] = -east;
}

bool wadi_sand_storm_cut(sand_shore* shore, const sand_storm_wind* wind, wadi_tally* tally)
{
    const sand_storm_sea sea =
        shore != NULL ? wadi_sand_storm_sea(&shore->storm, wind) : (sand_storm_sea){0};
    const double rate = sea.period > 0.0 ? 4.0 * shore->storm.erosion / sea.period : 0.0;
    const double passed = rate * wind->years * storm_year;
    if (passed <= 0.0)
    {
        return false;
    }
    // over a dune whose foot is at the level of the sea
    const double most = passed * sea.runup * sea.runup / shore->ground->cell_size;
    const double pieces = fmin(ceil(fmax(most / storm_most, 1.0)), STORM_PIECES);
    storm job = {.shore = shore,
                 .closure = storm_units(sea.height),
                 .cut = passed / pieces,
                 .cell = shore->ground->cell_size,
                 .tally = tally};
    shore->level = wadi_sand_shore_level(shore, wind->year);
    storm_raise(shore, &sea);
    storm_face(&job);
    double done = 0.0;
    while (done < pieces && storm_strike(&job))
    {
        done += 1.0;
    }
    return done > 0.0;
}
