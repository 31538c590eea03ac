// SPDX-License-Identifier: MIT
// Loops of bench/looks.py over one elevation grid: drainage, persistence of minima, geomorphons.
// Cells are numbered row by row; receivers and roots are cells, -1: none.
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int DX[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int DY[8] = {0, 1, 1, 1, 0, -1, -1, -1};

long looks_flood(const double* z, int ny, int nx, double cell, double* filled, int* receiver,
                 int* order, double* distance);
void looks_accumulate(long count, const int* order, const int* receiver, double cell_area,
                      double* area, int* root);
void looks_slope(long count, const int* order, const int* receiver, const double* distance,
                 const double* filled, int steps, double* slope);
void looks_chi(long count, const int* order, const int* receiver, const double* distance,
               const double* area, double theta, double reference, double* chi);
void looks_persist(const double* z, int ny, int nx, const int* rising, double* persistence);
void looks_geomorphons(const double* z, int ny, int nx, double cell, int radius, double flat,
                       unsigned char* form);

// ---- drainage -----------------------------------------------------------------------------------

typedef struct entry
{
    double z;
    long born; // order of arrival breaks ties
    int cell;
} entry;

static int entry_before(const entry* a, const entry* b)
{
    return a->z < b->z || (a->z == b->z && a->born < b->born);
}

static void heap_push(entry* heap, long* count, entry value)
{
    long i = (*count)++;
    for (; i > 0 && entry_before(&value, &heap[(i - 1) / 2]); i = (i - 1) / 2)
    {
        heap[i] = heap[(i - 1) / 2];
    }
    heap[i] = value;
}

static entry heap_pop(entry* heap, long* count)
{
    const entry top = heap[0];
    const entry last = heap[--*count];
    long i = 0;
    for (long child = 1; child < *count; child = 2 * i + 1)
    {
        child += child + 1 < *count && entry_before(&heap[child + 1], &heap[child]);
        if (!entry_before(&heap[child], &last))
        {
            break;
        }
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

// Steepest descent to a lower neighbour that was reached before; -1: there is none.
static int flood_steepest(const double* z, const unsigned char* state, int nx, int cell,
                          const double* length)
{
    double steepest = 0.0;
    int best = -1;
    for (int d = 0; d < 8; ++d)
    {
        const int next = cell + DY[d] * nx + DX[d];
        if (state[next] == 2 && (z[cell] - z[next]) / length[d] > steepest)
        {
            steepest = (z[cell] - z[next]) / length[d];
            best = next;
        }
    }
    return best;
}

// Priority flood from the rim in order of raw height (Metz et al. 2011; Barnes et al. 2014): a cell
// without a lower neighbour drains to the cell that reached it.
long looks_flood(const double* z, int ny, int nx, double cell, double* filled, int* receiver,
                 int* order, double* distance)
{
    const double diagonal = sqrt(2.0) * cell;
    const double length[8] = {cell, diagonal, cell, diagonal, cell, diagonal, cell, diagonal};
    const long cells = (long)ny * nx;
    entry* heap = malloc(sizeof *heap * (size_t)(cells + 1));
    unsigned char* state = calloc((size_t)cells, 1); // 1: in the heap, 2: done
    long count = 0;
    long born = 0;
    long done = 0;
    for (int i = 0; i < cells; ++i)
    {
        const int x = i % nx;
        const int y = i / nx;
        receiver[i] = -1;
        distance[i] = 0.0;
        if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1)
        {
            state[i] = 1;
            filled[i] = z[i];
            heap_push(heap, &count, (entry){z[i], born++, i});
        }
    }
    while (count > 0)
    {
        const int i = heap_pop(heap, &count).cell;
        order[done++] = i;
        if (receiver[i] >= 0)
        {
            const int steepest = flood_steepest(z, state, nx, i, length);
            receiver[i] = steepest >= 0 ? steepest : receiver[i];
            const int away = abs(receiver[i] - i);
            distance[i] = away == 1 || away == nx ? cell : diagonal;
        }
        state[i] = 2;
        for (int d = 0; d < 8; ++d)
        {
            const int x = i % nx + DX[d];
            const int y = i / nx + DY[d];
            const int next = y * nx + x;
            if (x >= 0 && y >= 0 && x < nx && y < ny && state[next] == 0)
            {
                state[next] = 1;
                receiver[next] = i;
                filled[next] = z[next] > filled[i] ? z[next] : filled[i];
                heap_push(heap, &count, (entry){z[next], born++, next});
            }
        }
    }
    free(heap);
    free(state);
    return done;
}

// Drainage area, and the last cell on the way out.
void looks_accumulate(long count, const int* order, const int* receiver, double cell_area,
                      double* area, int* root)
{
    for (long q = 0; q < count; ++q)
    {
        const int i = order[q];
        area[i] = cell_area;
        root[i] = receiver[i] < 0 ? i : root[receiver[i]];
    }
    for (long q = count - 1; q >= 0; --q)
    {
        const int i = order[q];
        if (receiver[i] >= 0)
        {
            area[receiver[i]] += area[i];
        }
    }
}

// Mean slope over `steps` cells downstream on the filled surface; -1 where nothing is downstream.
void looks_slope(long count, const int* order, const int* receiver, const double* distance,
                 const double* filled, int steps, double* slope)
{
    for (long q = 0; q < count; ++q)
    {
        const int i = order[q];
        int j = i;
        double way = 0.0;
        for (int t = 0; t < steps && receiver[j] >= 0; ++t)
        {
            way += distance[j];
            j = receiver[j];
        }
        slope[i] = way > 0.0 ? (filled[i] - filled[j]) / way : -1.0;
    }
}

// Integral of (reference / area)^theta from the outlet upstream (Perron & Royden 2013).
void looks_chi(long count, const int* order, const int* receiver, const double* distance,
               const double* area, double theta, double reference, double* chi)
{
    for (long q = 0; q < count; ++q)
    {
        const int i = order[q];
        chi[i] = receiver[i] < 0 ? 0.0
                                 : chi[receiver[i]] + pow(reference / area[i], theta) * distance[i];
    }
}

// ---- persistence --------------------------------------------------------------------------------

static int persist_find(int* parent, int i)
{
    while (parent[i] != i)
    {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// By how much each minimum lies below the lowest pass to a lower one, or to the rim; `rising` has
// all cells by ascending height.
void looks_persist(const double* z, int ny, int nx, const int* rising, double* persistence)
{
    const int cells = ny * nx;
    const int outside = cells;
    int* parent = malloc(sizeof *parent * (size_t)(cells + 1));
    double* birth = malloc(sizeof *birth * (size_t)(cells + 1));
    memset(parent, -1, sizeof *parent * (size_t)cells);
    parent[outside] = outside;
    birth[outside] = -1e300;
    for (int q = 0; q < cells; ++q)
    {
        const int i = rising[q];
        parent[i] = i;
        birth[i] = z[i];
        persistence[i] = 0.0;
        for (int d = 0; d < 8; ++d)
        {
            const int x = i % nx + DX[d];
            const int y = i / nx + DY[d];
            const int next = x < 0 || y < 0 || x >= nx || y >= ny ? outside : y * nx + x;
            if (parent[next] < 0)
            {
                continue;
            }
            const int other = persist_find(parent, next);
            const int own = persist_find(parent, i);
            if (other != own)
            {
                const int dies = birth[other] <= birth[own] ? own : other;
                parent[dies] = dies == own ? other : own;
                persistence[dies] = z[i] - birth[dies];
            }
        }
    }
    free(parent);
    free(birth);
}

// ---- geomorphons --------------------------------------------------------------------------------

// Whether the skyline in a direction is above (1), level (0) or below (-1).
static int geomorphon_sight(const double* z, int ny, int nx, int cell, int d, double cell_size,
                            int radius, double flat)
{
    const double length = cell_size * (d % 2 == 1 ? sqrt(2.0) : 1.0);
    double up = -1e9;
    double down = 1e9;
    int x = cell % nx + DX[d];
    int y = cell / nx + DY[d];
    for (int r = 1; r <= radius && x >= 0 && y >= 0 && x < nx && y < ny; ++r)
    {
        const double slope = (z[y * nx + x] - z[cell]) / (r * length);
        up = slope > up ? slope : up;
        down = slope < down ? slope : down;
        x += DX[d];
        y += DY[d];
    }
    if (up < -1e8)
    {
        return 0; // beyond the rim
    }
    up = atan(up);
    down = atan(down);
    if (fabs(up) >= fabs(down) && up > flat)
    {
        return 1;
    }
    return fabs(down) > fabs(up) && down < -flat ? -1 : 0;
}

// Forms after Jasiewicz & Stepinski 2013: 1 flat, 2 peak, 3 ridge, 4 shoulder, 5 spur, 6 slope,
// 7 hollow, 8 footslope, 9 valley, 10 pit.
void looks_geomorphons(const double* z, int ny, int nx, double cell, int radius, double flat,
                       unsigned char* form)
{
    static const unsigned char table[9][9] = {
        {1, 1, 1, 8, 8, 9, 9, 9, 10}, {1, 1, 8, 8, 8, 9, 9, 9, 0}, {1, 4, 6, 6, 7, 7, 9, 0, 0},
        {4, 4, 6, 6, 6, 7, 0, 0, 0},  {4, 4, 5, 6, 6, 0, 0, 0, 0}, {3, 3, 5, 5, 0, 0, 0, 0, 0},
        {3, 3, 3, 0, 0, 0, 0, 0, 0},  {3, 3, 0, 0, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0, 0, 0, 0}};
    for (int i = 0; i < ny * nx; ++i)
    {
        int above = 0;
        int below = 0;
        for (int d = 0; d < 8; ++d)
        {
            const int sight = geomorphon_sight(z, ny, nx, i, d, cell, radius, flat);
            above += sight > 0;
            below += sight < 0;
        }
        form[i] = table[below][above];
    }
}
