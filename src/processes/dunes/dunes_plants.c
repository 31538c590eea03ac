// SPDX-License-Identifier: MIT
// Growth law of Duran & Herrmann (2006) for p, the height of plants over their full height:
//     dp/dt = growth x water x (1 - p) - wilting x (1 - water) x p - |dh/dt| / plant_height,
// and cover is p squared. Erosion may count `plant_uproot` times, and the burial `plant_burial` not
// at all. Seeds are everywhere, so plants can start in any cell. The wilting term is our addition:
// `water` is the supply by rain and, if that is not enough, by soil moisture.
//
// With `plant_spread` there are no seeds. Plants grow and spread as
//     dp/dt = growth x water x p (1 - p) + D (d2p/dx2 + d2p/dy2) - ...,
// the equation of Fisher (1937), whose fronts have the speed 2 sqrt(growth x D).
#include "processes/dunes/dunes_plants.h"

#include "core/dmath.h"
#include "core/internal.h"

#include <math.h>

enum
{
    PLANTS_GRAIN = 32,   // rows of a block
    PLANTS_PARTS = 4096, // of a step in which plants spread, at most
    PLANTS_SLOPES = 1024,
    PLANTS_HALVINGS = 60
};

// Growth, and exchange with a neighbour, in a part of a step.
static const double plants_most_grown = 0.05;
static const double plants_most_spread = 0.1;
static const double plants_steepest = 40.0; // decay of a front from cell to cell, as a power of e
static const double plants_smooth = 0.05;   // the same of a front of many cells
static const double plants_isotropic = 1.0 / 6.0;

struct dunes_plants
{
    wadi_context* context;
    const wadi_ground* ground;
    float growth;   // [1/yr]
    float wilting;  // [1/yr]
    float rain;     // share of the water that plants need
    float buried;   // loss of share by deposition [1/units]
    float uprooted; // loss of share by erosion [1/units]
    float kept_up;  // burial that does no harm [units/yr]
    float exchange; // with each neighbour, when plants spread [1/yr]; 0: seeds are everywhere
    float corner;   // share of it with each diagonal neighbour; sides have the rest, 1 - 2 corner
    float* next;    // `share` after a part of a step; NULL: plants do not spread
    int32_t roots;  // [units] smallest thickness of sand for roots
    bool started;   // `level` has been set
    float* share;   // height over that of full cover, by cell
    int32_t* level; // [units] surface at the last call
};

static wadi_result plants_allocate(dunes_plants* plants)
{
    WADI_ALLOC(plants->context, plants->share, plants->ground->cells, "plants");
    WADI_ALLOC(plants->context, plants->level, plants->ground->cells, "plants");
    if (plants->exchange > 0.0f)
    {
        WADI_ALLOC(plants->context, plants->next, plants->ground->cells, "plants that spread");
    }
    return WADI_OK;
}

// A front on cells: its speed [cells/yr] along the grid and the growth [1/yr] behind it. Ahead of
// it plants thin out as exp(-k x), at the k for which the front is slowest:
//     speed = 2 exchange sinh(k),    k - tanh(k / 2) = growth / speed.
// For fronts of many cells the exchange is D / dx^2 of Fisher's equation.
typedef struct plants_front
{
    double growth;
    double speed;
    double k;
    double exchange; // [1/yr]
} plants_front;

static plants_front plants_front_of(double growth, double speed)
{
    double low = 0.0;
    double high = plants_steepest;
    for (int32_t i = 0; i < PLANTS_HALVINGS; ++i)
    {
        const double k = (low + high) / 2.0;
        const double e = wadi_exp(k);
        const bool small = k - (e - 1.0) / (e + 1.0) < growth / speed;
        low = small ? k : low;
        high = small ? high : k;
    }
    const double e = wadi_exp(high);
    return (plants_front){growth, speed, high, speed / (e - 1.0 / e)};
}

// Share of each corner in the exchange at which a front moves at its speed along diagonals too.
// Ahead of it plants thin out as exp(-q (x + y)), and at no q the front may be slower:
//     sqrt(2) q speed <= growth + 4 exchange b (1 + share b),    b = cosh(q) - 1.
// It is 1/6 for fronts of many cells, as in the 9-point Laplacian, and less for steep ones. At
// angles between them speeds differ by 1.1 % at most.
static double plants_corner(const plants_front* front)
{
    double share = front->k < plants_smooth ? plants_isotropic : 0.0;
    for (int32_t i = PLANTS_SLOPES / 2; share < plants_isotropic && i < 2 * PLANTS_SLOPES; ++i)
    {
        const double q = front->k / sqrt(2.0) * i / PLANTS_SLOPES;
        const double e = wadi_exp(q);
        const double bend = (e + 1.0 / e) / 2.0 - 1.0;
        const double due = (sqrt(2.0) * q * front->speed - front->growth) / front->exchange;
        share = fmax(share, (due - 4.0 * bend) / (4.0 * bend * bend));
    }
    return fmin(share, plants_isotropic);
}

wadi_result wadi_dunes_plants_create(wadi_terrain* terrain, const wadi_dunes_params* params,
                                     dunes_plants** out)
{
    *out = NULL;
    if (params->plant_growth <= 0.0)
    {
        return WADI_OK;
    }
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    WADI_CHECK(context, params->plant_height > 0.0, WADI_ERROR_RANGE,
               "plant_growth %g /yr needs a plant_height above 0 m", params->plant_growth);
    dunes_plants* plants;
    WADI_ALLOC(context, plants, 1, "plants");
    const double height = params->plant_height * WADI_UNITS_PER_METRE;
    *plants = (dunes_plants){.context = context,
                             .ground = ground,
                             .growth = (float)params->plant_growth,
                             .wilting = (float)params->plant_wilting,
                             .rain = (float)params->plant_rain,
                             .buried = (float)(1.0 / height),
                             .uprooted = (float)(params->plant_uproot / height),
                             .kept_up = (float)(params->plant_burial * WADI_UNITS_PER_METRE),
                             .roots = (int32_t)(params->plant_roots * height)};
    if (params->plant_spread > 0.0)
    {
        const double speed = params->plant_spread / ground->cell_size;
        const plants_front front = plants_front_of(params->plant_growth, speed);
        plants->exchange = (float)front.exchange;
        plants->corner = (float)plants_corner(&front);
    }
    const wadi_result result = plants_allocate(plants);
    if (result != WADI_OK)
    {
        wadi_dunes_plants_destroy(plants);
        return result;
    }
    *out = plants;
    return WADI_OK;
}

void wadi_dunes_plants_destroy(dunes_plants* plants)
{
    if (plants != NULL)
    {
        wadi_free(plants->context, plants->share);
        wadi_free(plants->context, plants->level);
        wadi_free(plants->context, plants->next);
        wadi_free(plants->context, plants);
    }
}

static uint16_t plants_cover(float share)
{
    return (uint16_t)(share * share * 65535.0f + 0.5f);
}

typedef struct plants_job
{
    dunes_plants* plants;
    dunes_aloft aloft;
    float years;
} plants_job;

// Surface plus the sand in the air [units].
static int32_t plants_level(const plants_job* job, int32_t x, int32_t y)
{
    const wadi_ground* ground = job->plants->ground;
    const int32_t aloft =
        job->aloft.units != NULL ? job->aloft.units[y * job->aloft.stride + x] : 0;
    return wadi_ground_surface(ground, (int64_t)y * ground->width + x) + aloft;
}

// Read the cover of cells where it differs from the last value written here. In other cells the
// share is kept, which has more digits than the layer, so that slow growth is not rounded away.
static void plants_read_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const plants_job* job = user;
    dunes_plants* plants = job->plants;
    const wadi_ground* ground = plants->ground;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            const uint16_t cover = ground->vegetation[cell];
            if (cover != plants_cover(plants->share[cell]))
            {
                plants->share[cell] = sqrtf((float)cover / 65535.0f);
            }
            if (!plants->started)
            {
                plants->level[cell] = plants_level(job, x, y);
            }
        }
    }
}

static void plants_run(dunes_plants* plants, dunes_aloft aloft, double years, wadi_rows_fn* rows)
{
    if (plants != NULL)
    {
        plants_job job = {plants, aloft, (float)years};
        wadi_parallel_rows(plants->context, plants->ground->height, PLANTS_GRAIN, rows, &job);
        plants->started = true;
    }
}

void wadi_dunes_plants_read(dunes_plants* plants, dunes_aloft aloft)
{
    plants_run(plants, aloft, 0.0, plants_read_rows);
}

// exp(-x) as (1 + x / 64)^-64: within 1 % for x up to 1, and monotonic beyond.
static float plants_decay(float x)
{
    float power = 1.0f + x / 64.0f;
    for (int doubled = 1; doubled < 64; doubled *= 2)
    {
        power *= power;
    }
    return 1.0f / power;
}

static bool plants_are_rooted(const dunes_plants* plants, int64_t cell)
{
    const wadi_ground* ground = plants->ground;
    return wadi_ground_surface(ground, cell) - ground->bedrock[cell] >= plants->roots;
}

// What plants of a cell gain and lose in `years`, as powers of e.
typedef struct plants_rates
{
    float gain;
    float loss;
} plants_rates;

static plants_rates plants_rates_of(const dunes_plants* plants, int64_t cell, float years)
{
    const float moist = (float)plants->ground->moisture[cell] / 65535.0f;
    const float water = plants->rain + (1.0f - plants->rain) * moist;
    const bool rooted = plants_are_rooted(plants, cell);
    return (plants_rates){rooted ? years * plants->growth * water : 0.0f,
                          years * plants->wilting * (1.0f - water)};
}

// Growth and wilting relax exactly towards their balance, so a calm of years can be one step.
static float plants_grown(const plants_job* job, int64_t cell)
{
    const dunes_plants* plants = job->plants;
    const plants_rates rates = plants_rates_of(plants, cell, job->years);
    const float gain = rates.gain;
    const float loss = rates.loss;
    const float balance = gain > 0.0f ? gain / (gain + loss) : 0.0f;
    return balance + (plants->share[cell] - balance) * plants_decay(gain + loss);
}

// Share of a cell after the step. The loss by erosion or deposition is subtracted last.
static float plants_next(const plants_job* job, int64_t cell, int32_t level)
{
    const dunes_plants* plants = job->plants;
    const float grown = plants->next != NULL ? plants->share[cell] : plants_grown(job, cell);
    const float risen = (float)((int64_t)level - plants->level[cell]);
    const float kept_up = job->years * plants->kept_up;
    const float left = grown - (risen > 0.0f ? fabsf(risen - kept_up) * plants->buried
                                             : kept_up * plants->buried - risen * plants->uprooted);
    return left < 0.0f ? 0.0f : left < 1.0f ? left : 1.0f;
}

static void plants_grow_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const plants_job* job = user;
    dunes_plants* plants = job->plants;
    const wadi_ground* ground = plants->ground;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            if (ground->valid[cell] != 0)
            {
                const int32_t level = plants_level(job, x, y);
                plants->share[cell] = plants_next(job, cell, level);
                plants->level[cell] = level;
                ground->vegetation[cell] = plants_cover(plants->share[cell]);
            }
        }
    }
}

// ---- spread
// --------------------------------------------------------------------------------------

// Logistic growth with wilting, exactly.
static float plants_multiplied(const dunes_plants* plants, int64_t cell, float share, float years)
{
    const plants_rates rates = plants_rates_of(plants, cell, years);
    const float net = rates.gain - rates.loss;
    const float times = net > 0.0f ? 1.0f / plants_decay(net) : plants_decay(-net);
    const float mean = fabsf(net) > 1e-3f ? (times - 1.0f) / net : 1.0f + net / 2.0f;
    return share * times / (1.0f + share * rates.gain * mean);
}

// The cell and its neighbours in a row or column: a void edge repeats the last cell.
typedef struct plants_lines
{
    int32_t at[3];
} plants_lines;

static plants_lines plants_lines_of(int32_t i, int32_t count, bool around)
{
    const int32_t before = i > 0 ? i - 1 : around ? count - 1 : i;
    const int32_t after = i + 1 < count ? i + 1 : around ? 0 : i;
    return (plants_lines){{before, i, after}};
}

// Plants that come from the neighbours, less those that go. Roots run through sand only: to a
// diagonal neighbour by one of the two cells that lie beside both.
static float plants_arrived(const dunes_plants* plants, int32_t x, int32_t y)
{
    const wadi_ground* ground = plants->ground;
    const bool around = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool along = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const plants_lines columns = plants_lines_of(x, ground->width, around);
    const plants_lines rows = plants_lines_of(y, ground->height, along);
    const float own = plants->share[(int64_t)y * ground->width + x];
    bool rooted[9];
    float parts[9];
    for (int32_t i = 0; i < 9; ++i)
    {
        const int64_t next = (int64_t)rows.at[i / 3] * ground->width + columns.at[i % 3];
        rooted[i] = ground->valid[next] != 0 && plants_are_rooted(plants, next);
        parts[i] = rooted[i] ? plants->share[next] - own : 0.0f;
    }
    parts[0] *= rooted[1] || rooted[3] ? 1.0f : 0.0f;
    parts[2] *= rooted[1] || rooted[5] ? 1.0f : 0.0f;
    parts[6] *= rooted[7] || rooted[3] ? 1.0f : 0.0f;
    parts[8] *= rooted[7] || rooted[5] ? 1.0f : 0.0f;
    // the same for mirrored land
    return (1.0f - 2.0f * plants->corner) * ((parts[3] + parts[5]) + (parts[1] + parts[7])) +
           plants->corner * ((parts[0] + parts[8]) + (parts[2] + parts[6]));
}

static void plants_spread_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const plants_job* job = user;
    dunes_plants* plants = job->plants;
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < plants->ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * plants->ground->width + x;
            const bool rooted = plants->ground->valid[cell] != 0 && plants_are_rooted(plants, cell);
            const float come =
                rooted ? job->years * plants->exchange * plants_arrived(plants, x, y) : 0.0f;
            const float left =
                plants_multiplied(plants, cell, plants->share[cell] + come, job->years);
            plants->next[cell] = left < 0.0f ? 0.0f : left < 1.0f ? left : 1.0f;
        }
    }
}

// Parts after which the halo must be fetched anew: each of them looks one cell further.
static int32_t plants_reach(const wadi_partition* part)
{
    int32_t least = PLANTS_PARTS;
    for (int side = 0; part != NULL && side < 4; ++side)
    {
        const int32_t halo = part->halo[side];
        least = halo > 0 && halo < least ? halo : least;
    }
    return least;
}

static bool plants_fetch(const dunes_plants* plants)
{
    void* const layers[] = {plants->share};
    const int32_t bytes[] = {(int32_t)sizeof *plants->share};
    return wadi_partition_get(plants->ground->part, layers, bytes, 1);
}

// Grow and spread in parts that are short enough for the exchange.
static bool plants_spread(dunes_plants* plants, double years)
{
    const int32_t reach = plants_reach(plants->ground->part);
    const double grown = years * (double)plants->growth / plants_most_grown;
    const double spread = years * (double)plants->exchange / plants_most_spread;
    const double parts = fmin(fmax(1.0, ceil(fmax(grown, spread))), PLANTS_PARTS);
    const double part = fmin(years / parts, plants_most_spread / (double)plants->exchange);
    plants_job job = {plants, {0}, (float)part};
    for (int32_t i = 0; i < (int32_t)parts; ++i)
    {
        if (i % reach == 0 && !plants_fetch(plants))
        {
            return false;
        }
        wadi_parallel_rows(plants->context, plants->ground->height, PLANTS_GRAIN,
                           plants_spread_rows, &job);
        float* const share = plants->next;
        plants->next = plants->share;
        plants->share = share;
    }
    return true;
}

bool wadi_dunes_plants_grow(dunes_plants* plants, dunes_aloft aloft, double years)
{
    if (plants != NULL && plants->next != NULL && !plants_spread(plants, years))
    {
        return false;
    }
    plants_run(plants, aloft, years, plants_grow_rows);
    return true;
}

static wadi_result plants_check(const dunes_plants* plants)
{
    for (int64_t cell = 0; cell < plants->ground->cells; ++cell)
    {
        const float share = plants->share[cell];
        WADI_CHECK(plants->context, share >= 0.0f && share <= 1.0f, WADI_ERROR_FORMAT,
                   "the saved state of dunes has plants of %g of their full height in cell %lld",
                   (double)share, (long long)cell);
    }
    return WADI_OK;
}

static wadi_result plants_archive(dunes_plants* plants, wadi_archive* archive)
{
    const wadi_ground* ground = plants->ground;
    wadi_archive_bool(archive, &plants->started);
    wadi_archive_grid(archive, plants->share, 4, ground->width, ground->height);
    wadi_archive_grid(archive, plants->level, 4, ground->width, ground->height);
    WADI_TRY(wadi_archive_result(archive));
    return wadi_archive_is_reading(archive) ? plants_check(plants) : WADI_OK;
}

wadi_result wadi_dunes_plants_archive(dunes_plants* plants, wadi_archive* archive,
                                      const wadi_ground* ground)
{
    bool grow = plants != NULL;
    wadi_archive_bool(archive, &grow);
    if (!grow)
    {
        return wadi_archive_result(archive);
    }
    if (plants != NULL)
    {
        return plants_archive(plants, archive);
    }
    // plants grew when the state was saved, and do not under the parameters of now
    dunes_plants former = {.context = wadi_archive_context(archive), .ground = ground};
    wadi_result result = plants_allocate(&former);
    result = result == WADI_OK ? plants_archive(&former, archive) : result;
    wadi_free(former.context, former.share);
    wadi_free(former.context, former.level);
    return result;
}
