// SPDX-License-Identifier: MIT
#include "bodies/grains/granular_desk.h"

void wadi_granular_desk_open(granular_desk* desk, wadi_grains* grains, wadi_grain_contact* out,
                             int64_t capacity)
{
    *desk = (granular_desk){.grains = grains, .out = out, .capacity = capacity};
    desk->work = (granular_work){
        .bodies = desk->bodies,
        .own = 2 * GRANULAR_LANES,
        .mixed = true,
        .sleeper = true,
        .rows = desk->rows,
        .wet = grains->wet != NULL ? desk->wet : NULL,
        .pairs = desk->pairs,
        .slips = desk->slips,
        .rolls = grains->rolls ? desk->rolls : NULL,
        .kept = desk->slips,
        .kept_rolls = grains->rolls ? desk->rolls : NULL,
        .found = desk->found,
        .memory = desk->found,
        .contacts = grains->contacts,
        .kinds = grains->kinds,
        .hertz = grains->params.law == WADI_GRAIN_LAW_HERTZ,
        .period = {grains->params.period_x, grains->params.period_y},
        .inverse_period = {grains->list.inverse_period[0], grains->list.inverse_period[1]},
        .step = grains->step,
        .scale = grains->scale,
        .sleep_at = grains->sleep_at,
    };
    for (int32_t k = 0; k < GRANULAR_LANES; ++k)
    {
        desk->pairs[k] = (granular_pair){(uint16_t)(2 * k), (uint16_t)(2 * k + 1)};
    }
}

// ---- in ----------------------------------------------------------------------------------

static void desk_copy(granular_desk* desk, int32_t to, int32_t id)
{
    const wadi_grains* grains = desk->grains;
    desk->bodies[to] = grains->bodies[grains->places[id]];
    if (grains->wet != NULL)
    {
        desk->wet[to] = grains->wet[id];
    }
}

int32_t wadi_granular_desk_put(granular_desk* desk, int32_t first, int32_t second)
{
    const int32_t k = desk->count++;
    desk_copy(desk, 2 * k, first);
    if (desk->kind != WADI_GRAIN_CONTACT_WALL)
    {
        desk_copy(desk, 2 * k + 1, second);
    }
    desk->names[k][0] = first;
    desk->names[k][1] = second;
    return k;
}

// ---- forces ------------------------------------------------------------------------------

// The contact kernel computes full batches of found pairs; the last ones repeat the first.
static void desk_contacts(granular_desk* desk)
{
    for (int32_t k = 0; k < GRANULAR_LANES; ++k)
    {
        desk->found[k] = k < desk->count ? k : 0;
    }
    desk->work.found_count = desk->count;
    desk->grains->kernels->contacts(&desk->work);
}

static void desk_bonds(granular_desk* desk)
{
    granular_bonds_work bonds = {
        .bonds = desk->bonds, .count = desk->count, .cements = desk->grains->cements};
    desk->grains->kernels->bonds(&desk->work, &bonds);
}

static void desk_bridges(granular_desk* desk)
{
    for (int32_t k = 0; k < desk->count; ++k)
    {
        (void)wadi_granular_bridge_add(desk->grains, &desk->work, desk->pairs[k]);
    }
}

static void desk_compute(granular_desk* desk)
{
    memset(desk->rows, 0, sizeof desk->rows);
    switch (desk->kind)
    {
    case WADI_GRAIN_CONTACT_TOUCH:
        desk_contacts(desk);
        break;
    case WADI_GRAIN_CONTACT_BRIDGE:
        desk_bridges(desk);
        break;
    case WADI_GRAIN_CONTACT_WALL:
        desk->grains->kernels->touches(&desk->work, desk->touches, desk->count);
        break;
    default:
        desk_bonds(desk);
        break;
    }
}

// ---- out ---------------------------------------------------------------------------------

static double desk_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// From the second grain, or the wall, to the first.
static void desk_branch(const granular_desk* desk, int32_t k, double out[3])
{
    if (desk->kind == WADI_GRAIN_CONTACT_WALL)
    {
        memcpy(out, desk->touches[k].d, 3 * sizeof *out);
        return;
    }
    for (int c = 0; c < 3; ++c)
    {
        const double period = c < 2 ? desk->work.period[c] : 0.0;
        const double inverse = c < 2 ? desk->work.inverse_period[c] : 0.0;
        const double d = desk->bodies[2 * k].x[c] - desk->bodies[2 * k + 1].x[c];
        out[c] = wadi_exact_nearest(d, period, inverse);
    }
}

static void desk_split_force(const granular_desk* desk, int32_t k, wadi_grain_contact* contact)
{
    double force[3];
    for (int c = 0; c < 3; ++c)
    {
        force[c] = (double)desk->rows[2 * k].force[c] / desk->work.scale;
    }
    contact->normal_force = desk_dot(force, contact->normal);
    for (int c = 0; c < 3; ++c)
    {
        contact->tangential[c] = force[c] - contact->normal_force * contact->normal[c];
    }
}

static void desk_place(const granular_desk* desk, int32_t k, wadi_grain_contact* contact)
{
    const double length = sqrt(desk_dot(contact->branch, contact->branch));
    const double sum = contact->radii[0] + contact->radii[1];
    const double share = contact->radii[0] / sum;
    for (int c = 0; c < 3; ++c)
    {
        contact->normal[c] = length > 0.0 ? contact->branch[c] / length : 0.0;
        contact->point[c] = desk->bodies[2 * k].x[c] - share * contact->branch[c];
    }
    contact->overlap = sum - length;
}

static int32_t desk_kind(const granular_desk* desk, int32_t k)
{
    const bool plastic =
        desk->kind == WADI_GRAIN_CONTACT_BOND && desk->bonds[k].state == BOND_PLASTIC;
    return plastic ? WADI_GRAIN_CONTACT_PLASTIC : desk->kind;
}

static void desk_write(granular_desk* desk, int32_t k)
{
    if (desk->written < desk->capacity)
    {
        const bool wall = desk->kind == WADI_GRAIN_CONTACT_WALL;
        wadi_grain_contact contact = {
            .kind = desk_kind(desk, k),
            .first = desk->names[k][0],
            .second = desk->names[k][1],
            .radii = {desk->bodies[2 * k].radius, wall ? 0.0 : desk->bodies[2 * k + 1].radius}};
        desk_branch(desk, k, contact.branch);
        desk_place(desk, k, &contact);
        desk_split_force(desk, k, &contact);
        desk->out[desk->written] = contact;
    }
    desk->written += 1;
}

void wadi_granular_desk_flush(granular_desk* desk)
{
    if (desk->count > 0)
    {
        desk_compute(desk);
    }
    for (int32_t k = 0; k < desk->count; ++k)
    {
        desk_write(desk, k);
    }
    desk->count = 0;
}

void wadi_granular_desk_step(granular_desk* desk)
{
    if (desk->count == GRANULAR_LANES)
    {
        wadi_granular_desk_flush(desk);
    }
}
