// SPDX-License-Identifier: MIT
#include "support/dune_shape.h"

#include "support/check.h"

static const double shape_turn = 6.283185307179586;

static double shape_at(const dune_map* map, double x, double y)
{
    const int32_t column = ((int32_t)floor(x + 0.5) % map->width + map->width) % map->width;
    const int32_t row = ((int32_t)floor(y + 0.5) % map->height + map->height) % map->height;
    return map->sand[row * map->width + column];
}

double dune_shape_roundness(const dune_map* map, const dune_part* part)
{
    double nearest = 1e9;
    double farthest = 0.0;
    for (int i = 0; i < 24; ++i)
    {
        const double dx = cos(shape_turn * i / 24);
        const double dy = sin(shape_turn * i / 24);
        double radius = 0.0;
        while (radius < map->width &&
               shape_at(map, part->x + radius * dx, part->y + radius * dy) > 0.25 * part->height)
        {
            radius += 0.25;
        }
        nearest = fmin(nearest, radius);
        farthest = fmax(farthest, radius);
    }
    return nearest > 0.0 ? farthest / nearest : (double)INFINITY;
}

// Downwind front of a part in each lane of one cell.
typedef struct shape_fronts
{
    double front[1024];
    double low; // extent of the part across the wind
    double high;
} shape_fronts;

static void shape_find_fronts(const dune_map* map, const dune_parts* parts, const dune_part* part,
                              shape_fronts* out)
{
    for (int i = 0; i < 1024; ++i)
    {
        out->front[i] = -1e9;
    }
    out->low = 1e9;
    out->high = -1e9;
    for (int32_t i = 0; i < map->width * map->height; ++i)
    {
        if (parts->label[i] == part->first && map->sand[i] > 0.5)
        {
            // shortest distance across the periodic edge
            const double dx = remainder(i % map->width - part->x, map->width);
            const double dy = remainder(i / map->width - part->y, map->height);
            const double across = dy * map->x - dx * map->y;
            double* front = &out->front[512 + (int32_t)floor(across + 0.5)];
            *front = fmax(*front, dx * map->x + dy * map->y);
            out->low = fmin(out->low, across);
            out->high = fmax(out->high, across);
        }
    }
}

double dune_shape_horns(const dune_map* map, const dune_parts* parts, const dune_part* part)
{
    shape_fronts fronts;
    shape_find_fronts(map, parts, part, &fronts);
    double sums[3] = {0.0};
    int32_t counts[3] = {0};
    for (int32_t lane = 0; lane < 1024; ++lane)
    {
        const double place = (lane - 512 - fronts.low) / (fronts.high - fronts.low);
        const bool outer = place < 0.2 || place > 0.8;
        const int32_t group = outer ? 0 : place > 0.4 && place < 0.6 ? 1 : 2;
        if (fronts.front[lane] > -1e8)
        {
            sums[group] += fronts.front[lane];
            counts[group] += 1;
        }
    }
    return sums[0] / counts[0] - sums[1] / counts[1];
}

int32_t dune_ring_arms(const double* ring, int32_t count, double least)
{
    int32_t arms = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        bool highest = ring[i] > least;
        for (int32_t j = 1; j <= 8; ++j)
        {
            highest = highest && ring[i] >= ring[(i + j) % count] &&
                      ring[i] > ring[(i + count - j) % count];
        }
        arms += highest ? 1 : 0;
    }
    return arms;
}

int32_t dune_shape_arms(const dune_map* map, const dune_part* part, double radius)
{
    enum
    {
        STEPS = 72
    };
    double ring[STEPS];
    double mean = 0.0;
    for (int i = 0; i < STEPS; ++i)
    {
        const double angle = shape_turn * i / STEPS;
        ring[i] = shape_at(map, part->x + radius * cos(angle), part->y + radius * sin(angle));
        mean += ring[i] / STEPS;
    }
    return dune_ring_arms(ring, STEPS, mean);
}

double dune_shape_steep(const dune_map* map, double cell, double steep)
{
    int32_t all = 0;
    int32_t over = 0;
    for (int32_t i = 0; i < map->width * map->height; ++i)
    {
        const double x = i % map->width;
        const double y = (double)(i / map->width);
        const double east = shape_at(map, x + 1.0, y) - shape_at(map, x - 1.0, y);
        const double south = shape_at(map, x, y + 1.0) - shape_at(map, x, y - 1.0);
        all += map->sand[i] > 0.2;
        over += map->sand[i] > 0.2 && hypot(east, south) > 2.0 * cell * steep;
    }
    return (double)over / (all > 0 ? all : 1);
}
