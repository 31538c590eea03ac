// SPDX-License-Identifier: MIT
// Coarse-grained fields (Goldhirsch 2010; walls: Weinhart et al. 2012). A cell has the mean of the
// smoothed field over its volume, so that sums over cells keep mass, momentum and stress.
#include "bodies/grains/granular.h"

#include <wadi/grain_contacts.h>
#include <wadi/grain_fields.h>

enum
{
    FIELDS_STENCIL = 128, // cells that a smoothed grain can reach along an axis
    FIELDS_NODES = 5
};

#define FIELDS_REACH 2.6457513110645906 // sqrt(7): reach of the smoothing over its deviation

// Points and weights of Gauss and Legendre on 0 to 1, along the branch of a contact.
static const double fields_nodes[FIELDS_NODES] = {0.046910077030668, 0.230765344947158, 0.5,
                                                  0.769234655052842, 0.953089922969332};
static const double fields_weights[FIELDS_NODES] = {
    0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683, 0.118463442528095};

typedef struct fields_job
{
    const wadi_grains* grains;
    const wadi_grain_grid* grid;
    wadi_grain_contact* contacts;
    int64_t contact_count;
    int32_t* touches; // contacts of each grain, by id
    wadi_grain_cell* out;
} fields_job;

// ---- smoothing ---------------------------------------------------------------------------

// Integral of 15/16 (1 - u^2)^2 from -1 to u.
static double fields_integral(double u)
{
    if (u <= -1.0)
    {
        return 0.0;
    }
    if (u >= 1.0)
    {
        return 1.0;
    }
    const double square = u * u;
    return 0.5 + 0.9375 * u * (1.0 - square * (2.0 / 3.0 - 0.2 * square));
}

// Share of a smoothed point at x that lies in cell k along an axis.
static double fields_share(const wadi_grain_grid* grid, int axis, double x, int32_t k)
{
    const double reach = FIELDS_REACH * grid->width;
    const double from = grid->low[axis] + (double)k * grid->cell_size;
    const double to = grid->low[axis] + (double)(k + 1) * grid->cell_size;
    return fields_integral((to - x) / reach) - fields_integral((from - x) / reach);
}

// Shares of consecutive cells along an axis.
typedef struct fields_stencil
{
    int32_t first;
    int32_t count;
    double share[FIELDS_STENCIL];
} fields_stencil;

static void fields_stencil_at(const wadi_grain_grid* grid, int axis, double x, fields_stencil* out)
{
    const double reach = FIELDS_REACH * grid->width;
    const double from = floor((x - reach - grid->low[axis]) / grid->cell_size);
    const double to = ceil((x + reach - grid->low[axis]) / grid->cell_size);
    const double most = (double)grid->cells[axis];
    out->first = from > 0.0 ? (from < most ? (int32_t)from : grid->cells[axis]) : 0;
    const int32_t end = to < most ? (to > 0.0 ? (int32_t)to : 0) : grid->cells[axis];
    out->count = end > out->first ? end - out->first : 0;
    for (int32_t k = 0; k < out->count; ++k)
    {
        out->share[k] = fields_share(grid, axis, x, out->first + k);
    }
}

// ---- spreading ---------------------------------------------------------------------------

// Add a share of a thing to a cell.
typedef void fields_add(wadi_grain_cell* cell, double share, const void* thing);

typedef struct fields_thing
{
    fields_add* add;
    const void* data;
} fields_thing;

static void fields_spread_image(const fields_job* job, int32_t plane, double share,
                                const double x[2], fields_thing thing)
{
    const wadi_grain_grid* grid = job->grid;
    fields_stencil east;
    fields_stencil north;
    fields_stencil_at(grid, 0, x[0], &east);
    fields_stencil_at(grid, 1, x[1], &north);
    for (int32_t j = 0; j < north.count; ++j)
    {
        const int64_t row = (int64_t)plane * grid->cells[1] + north.first + j;
        wadi_grain_cell* cells = job->out + row * grid->cells[0] + east.first;
        for (int32_t i = 0; i < east.count; ++i)
        {
            thing.add(&cells[i], share * north.share[j] * east.share[i], thing.data);
        }
    }
}

// Spread a thing at x, and its periodic images, over a plane of cells.
static void fields_spread(const fields_job* job, int32_t plane, const double x[3],
                          fields_thing thing)
{
    const double share = fields_share(job->grid, 2, x[2], plane);
    if (share == 0.0)
    {
        return;
    }
    const double periods[2] = {job->grains->params.period_x, job->grains->params.period_y};
    const int images[2] = {periods[0] > 0.0, periods[1] > 0.0};
    for (int j = -images[1]; j <= images[1]; ++j)
    {
        for (int i = -images[0]; i <= images[0]; ++i)
        {
            const double at[2] = {x[0] + i * periods[0], x[1] + j * periods[1]};
            fields_spread_image(job, plane, share, at, thing);
        }
    }
}

// ---- grains ------------------------------------------------------------------------------

typedef struct fields_grain
{
    double mass;
    double volume;
    double contacts;
    const double* v;
} fields_grain;

// While sums are made, `velocity` is momentum, `kinetic` all of the flux of momentum, and
// `coordination` contacts over volume.
static void fields_add_grain(wadi_grain_cell* cell, double share, const void* thing)
{
    const fields_grain* grain = thing;
    const double mass = share * grain->mass;
    cell->density += mass;
    cell->solid += share * grain->volume;
    cell->number += share;
    cell->coordination += share * grain->contacts;
    for (int a = 0; a < 3; ++a)
    {
        cell->velocity[a] += mass * grain->v[a];
        for (int b = 0; b < 3; ++b)
        {
            cell->kinetic[a][b] += mass * grain->v[a] * grain->v[b];
        }
    }
}

static double fields_volume(double radius)
{
    return 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
}

// A clump is one body, at its centre of mass; its first sphere stands for it.
static void fields_spread_clump(const fields_job* job, int32_t plane, int32_t number)
{
    const wadi_grains* grains = job->grains;
    const granular_clump* clump = &grains->clumps->list[number];
    int32_t contacts = 0;
    for (int32_t k = 0; k < granular_shape_of(grains, clump)->count; ++k)
    {
        contacts += job->touches[clump->first + k];
    }
    const fields_grain grain = {.mass = wadi_granular_clump_mass(grains, clump),
                                .volume = fields_volume(clump->radius),
                                .contacts = contacts,
                                .v = clump->v};
    fields_spread(job, plane, clump->x, (fields_thing){fields_add_grain, &grain});
}

static void fields_spread_grain(const fields_job* job, int32_t plane, int32_t id)
{
    const wadi_grains* grains = job->grains;
    const granular_body* body = &grains->bodies[grains->places[id]];
    const double volume = fields_volume(body->radius);
    const double density = grains->materials[body->kind % grains->material_count].density;
    const bool fixed = body->inverse_mass == 0.0;
    const fields_grain grain = {.mass = fixed ? density * volume : 1.0 / body->inverse_mass,
                                .volume = volume,
                                .contacts = job->touches[id],
                                .v = body->v};
    fields_spread(job, plane, body->x, (fields_thing){fields_add_grain, &grain});
}

static void fields_spread_body(const fields_job* job, int32_t plane, int32_t id)
{
    const int32_t number = granular_clump_of_id(job->grains, id);
    if (number < 0)
    {
        fields_spread_grain(job, plane, id);
    }
    else if (job->grains->clumps->list[number].first == id)
    {
        fields_spread_clump(job, plane, number);
    }
}

// ---- contacts ----------------------------------------------------------------------------

typedef struct fields_contact
{
    double weight;
    const double* branch;
    double force[3]; // on the first grain
} fields_contact;

static void fields_add_stress(wadi_grain_cell* cell, double share, const void* thing)
{
    const fields_contact* contact = thing;
    for (int a = 0; a < 3; ++a)
    {
        const double arm = share * contact->weight * contact->branch[a];
        for (int b = 0; b < 3; ++b)
        {
            cell->contact[a][b] += arm * contact->force[b];
        }
    }
}

static void fields_add_wall(wadi_grain_cell* cell, double share, const void* thing)
{
    const fields_contact* contact = thing;
    for (int c = 0; c < 3; ++c)
    {
        cell->wall[c] += share * contact->force[c];
    }
}

// Spread the stress of a force along a branch, which ends at x.
static void fields_spread_branch(const fields_job* job, int32_t plane, const double x[3],
                                 fields_contact* spread)
{
    for (int k = 0; k < FIELDS_NODES; ++k)
    {
        double at[3];
        for (int c = 0; c < 3; ++c)
        {
            at[c] = x[c] - fields_nodes[k] * spread->branch[c];
        }
        spread->weight = fields_weights[k];
        fields_spread(job, plane, at, (fields_thing){fields_add_stress, spread});
    }
}

// Centre of the body that a grain is, or is part of, beside the grain at x.
static void fields_centre(const wadi_grains* grains, int32_t id, const double x[3], double out[3])
{
    const int32_t number = granular_clump_of_id(grains, id);
    const double* own = grains->bodies[grains->places[id]].x;
    const double* periods = &grains->params.period_x;
    for (int c = 0; c < 3; ++c)
    {
        const double apart = number >= 0 ? grains->clumps->list[number].x[c] - own[c] : 0.0;
        const double period = c < 2 ? periods[c] : 0.0;
        const double inverse = c < 2 ? grains->list.inverse_period[c] : 0.0;
        out[c] = x[c] + wadi_exact_nearest(apart, period, inverse);
    }
}

// In worlds with clumps the branch has two parts: from the centre of each body to the contact.
static void fields_spread_parts(const fields_job* job, int32_t plane,
                                const wadi_grain_contact* contact, fields_contact* spread)
{
    const wadi_grains* grains = job->grains;
    const bool wall = contact->kind == WADI_GRAIN_CONTACT_WALL;
    const granular_body* first = &grains->bodies[grains->places[contact->first]];
    const double rest = wall ? 0.0 : grains->bodies[grains->places[contact->second]].radius;
    const double share = first->radius / (first->radius + rest);
    double point[3];
    double other[3];
    double centre[3];
    double branch[3];
    for (int c = 0; c < 3; ++c)
    {
        point[c] = first->x[c] - (wall ? 1.0 : share) * contact->branch[c];
        other[c] = first->x[c] - contact->branch[c];
    }
    fields_centre(grains, contact->first, first->x, centre);
    granular_minus(centre, point, branch);
    spread->branch = branch;
    fields_spread_branch(job, plane, centre, spread);
    if (!wall)
    {
        fields_centre(grains, contact->second, other, centre);
        granular_minus(point, centre, branch);
        fields_spread_branch(job, plane, point, spread);
    }
}

// The stress of a contact lies along its branch; the force of a wall, at the contact.
static void fields_spread_contact(const fields_job* job, int32_t plane,
                                  const wadi_grain_contact* contact)
{
    const wadi_grains* grains = job->grains;
    fields_contact spread = {.branch = contact->branch};
    for (int c = 0; c < 3; ++c)
    {
        spread.force[c] = contact->normal_force * contact->normal[c] + contact->tangential[c];
    }
    if (grains->clumps != NULL)
    {
        fields_spread_parts(job, plane, contact, &spread);
    }
    else
    {
        fields_spread_branch(job, plane, grains->bodies[grains->places[contact->first]].x, &spread);
    }
    if (contact->kind == WADI_GRAIN_CONTACT_WALL)
    {
        fields_spread(job, plane, contact->point, (fields_thing){fields_add_wall, &spread});
    }
}

// ---- cells -------------------------------------------------------------------------------

static void fields_scale(double* values, int count, double factor)
{
    for (int k = 0; k < count; ++k)
    {
        values[k] *= factor;
    }
}

static void fields_finish_motion(wadi_grain_cell* cell)
{
    const double inverse = cell->density > 0.0 ? 1.0 / cell->density : 0.0;
    fields_scale(cell->velocity, 3, inverse);
    double trace = 0.0;
    for (int a = 0; a < 3; ++a)
    {
        for (int b = 0; b < 3; ++b)
        {
            cell->kinetic[a][b] -= cell->density * cell->velocity[a] * cell->velocity[b];
        }
        trace += cell->kinetic[a][a];
    }
    cell->temperature = trace > 0.0 ? trace * inverse / 3.0 : 0.0;
}

static void fields_finish(wadi_grain_cell* cell, double volume)
{
    const double inverse = 1.0 / volume;
    cell->coordination = cell->number > 0.0 ? cell->coordination / cell->number : 0.0;
    cell->density *= inverse;
    cell->solid *= inverse;
    cell->number *= inverse;
    fields_scale(cell->velocity, 3, inverse);
    fields_scale(cell->kinetic[0], 9, inverse);
    fields_scale(cell->contact[0], 9, inverse);
    fields_scale(cell->wall, 3, inverse);
    fields_finish_motion(cell);
}

// A plane of cells. All things are added in the order of ids, whatever the threads.
static void fields_plane(int64_t plane, int32_t worker, void* data)
{
    (void)worker;
    const fields_job* job = data;
    const wadi_grain_grid* grid = job->grid;
    const int64_t cells = (int64_t)grid->cells[0] * grid->cells[1];
    wadi_grain_cell* out = job->out + plane * cells;
    memset(out, 0, (size_t)cells * sizeof *out);
    for (int32_t id = 0; id < job->grains->count; ++id)
    {
        fields_spread_body(job, (int32_t)plane, id);
    }
    for (int64_t k = 0; k < job->contact_count; ++k)
    {
        fields_spread_contact(job, (int32_t)plane, &job->contacts[k]);
    }
    const double volume = grid->cell_size * grid->cell_size * grid->cell_size;
    for (int64_t k = 0; k < cells; ++k)
    {
        fields_finish(&out[k], volume);
    }
}

// ---- all ---------------------------------------------------------------------------------

static wadi_result fields_check(const wadi_grains* grains, const wadi_grain_grid* grid)
{
    wadi_context* context = grains->context;
    double cells = 1.0;
    for (int c = 0; c < 3; ++c)
    {
        WADI_CHECK(context, grid->cells[c] >= 1 && isfinite(grid->low[c]), WADI_ERROR_ARGUMENT,
                   "the grid of fields has %d cells along %c from %g m; give at least 1, and a "
                   "finite place",
                   grid->cells[c], "xyz"[c], grid -> low[c]);
        cells *= grid->cells[c];
    }
    WADI_CHECK(context, cells <= 1e9, WADI_ERROR_RANGE,
               "the grid of fields has %g cells; there can be 1e9: make cell_size larger", cells);
    WADI_CHECK(context, grid->cell_size > 0.0 && isfinite(grid->cell_size), WADI_ERROR_RANGE,
               "cell_size of the grid of fields is %g m but must be above 0", grid->cell_size);
    WADI_CHECK(
        context, grid->width >= 0.1 * grid->cell_size && grid->width <= 20.0 * grid->cell_size,
        WADI_ERROR_RANGE, "width of the smoothing is %g m but must be 0.1 to 20 cells, %g to %g m",
        grid->width, 0.1 * grid->cell_size, 20.0 * grid->cell_size);
    return WADI_OK;
}

static void fields_count_touches(fields_job* job)
{
    for (int64_t k = 0; k < job->contact_count; ++k)
    {
        const wadi_grain_contact* contact = &job->contacts[k];
        const bool counts = contact->kind != WADI_GRAIN_CONTACT_BRIDGE;
        job->touches[contact->first] += counts;
        if (contact->kind != WADI_GRAIN_CONTACT_WALL)
        {
            job->touches[contact->second] += counts;
        }
    }
}

static wadi_result fields_gather(wadi_grains* grains, fields_job* job)
{
    int64_t count;
    WADI_TRY(wadi_grains_contacts(grains, NULL, 0, &count));
    WADI_ALLOC(grains->context, job->touches, grains->count, "contacts of grains");
    WADI_ALLOC(grains->context, job->contacts, count + 1, "contacts");
    WADI_TRY(wadi_grains_contacts(grains, job->contacts, count, &job->contact_count));
    fields_count_touches(job);
    return WADI_OK;
}

wadi_result wadi_grain_fields(wadi_grains* grains, const wadi_grain_grid* grid,
                              wadi_grain_cell* out)
{
    WADI_TRY(fields_check(grains, grid));
    fields_job job = {.grains = grains, .grid = grid, .out = out};
    const wadi_result result = fields_gather(grains, &job);
    if (result == WADI_OK)
    {
        wadi_parallel_blocks(grains->context, grid->cells[2], fields_plane, &job);
    }
    wadi_free(grains->context, job.contacts);
    wadi_free(grains->context, job.touches);
    return result;
}
