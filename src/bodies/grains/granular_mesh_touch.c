// SPDX-License-Identifier: MIT
// Grains beside meshes: who may touch them, the contacts of a step, and their state from one step
// and one list to the next.
#include "bodies/grains/granular.h"

// Cosine of the angle by which a contact may turn from one step to the next and be the same.
#define TOUCH_SAME 0.9

// ---- who is near -------------------------------------------------------------------------------

static void touch_to_mesh(const granular_pose* pose, const double x[3], double out[3])
{
    double d[3];
    granular_minus(x, pose->shift, d);
    for (int c = 0; c < 3; ++c)
    {
        out[c] = pose->turn[0][c] * d[0] + pose->turn[1][c] * d[1] + pose->turn[2][c] * d[2];
    }
}

static void touch_to_world(const granular_pose* pose, const double d[3], double out[3])
{
    for (int c = 0; c < 3; ++c)
    {
        out[c] = pose->turn[c][0] * d[0] + pose->turn[c][1] * d[1] + pose->turn[c][2] * d[2];
    }
}

// Triangles of one mesh that a grain may touch; `out` NULL: they are only counted.
static int32_t touch_list_mesh(const wadi_grains* grains, int32_t number, int32_t place,
                               granular_near* out)
{
    const granular_mesh* mesh = &grains->meshes[number];
    const granular_body* body = &grains->bodies[place];
    const double reach = body->radius + granular_margin(grains);
    double x[3];
    int32_t count;
    int32_t found = 0;
    touch_to_mesh(&mesh->pose, body->x, x);
    const int32_t* items = wadi_granular_cells_at(mesh, x, &count);
    for (int32_t k = 0; k < count; ++k)
    {
        granular_candidate nearest;
        wadi_granular_mesh_nearest(mesh, items[k], x, &nearest);
        if (nearest.square < reach * reach)
        {
            if (out != NULL)
            {
                out[found] = (granular_near){number, items[k]};
            }
            ++found;
        }
    }
    return found;
}

static int32_t touch_list(const wadi_grains* grains, int32_t place, granular_near* out)
{
    int32_t found = 0;
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        if (grains->meshes[m].state.present)
        {
            found += touch_list_mesh(grains, m, place, out != NULL ? out + found : NULL);
        }
    }
    return found;
}

static void touch_count_chunk(int64_t block, int32_t worker, void* job)
{
    (void)worker;
    wadi_grains* grains = job;
    const granular_chunk* chunk = granular_chunk_at(grains, block);
    for (int32_t i = chunk->base.begin; i < chunk->base.end; ++i)
    {
        grains->beside.first[i] = touch_list(grains, i, NULL);
    }
}

static void touch_fill_chunk(int64_t block, int32_t worker, void* job)
{
    (void)worker;
    wadi_grains* grains = job;
    granular_beside* beside = &grains->beside;
    granular_chunk* chunk = granular_chunk_at(grains, block);
    chunk->beside_moving = false;
    for (int32_t i = chunk->base.begin; i < chunk->base.end; ++i)
    {
        granular_near* near = beside->near + beside->first[i];
        const int32_t found = touch_list(grains, i, near);
        for (int32_t k = 0; k < found; ++k)
        {
            const bool moves = grains->meshes[near[k].mesh].fastest > 0.0;
            chunk->beside_moving = chunk->beside_moving || moves;
        }
        for (int32_t k = found; k < beside->first[i + 1] - beside->first[i]; ++k)
        {
            near[k] = (granular_near){-1, 0}; // room for the state of a contact only
        }
    }
}

// Counts become places; where a grain has more contacts than triangles near it, those have room.
static int64_t touch_start(granular_beside* beside, const granular_beside* before,
                           const int32_t* order, int32_t count)
{
    int64_t sum = 0;
    beside->most = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        const int32_t held = before->places > 0 ? before->held[order[i]] : 0;
        const int32_t here = beside->first[i] > held ? beside->first[i] : held;
        beside->most = here > beside->most ? here : beside->most;
        beside->first[i] = (int32_t)sum;
        sum += here;
    }
    beside->first[count] = (int32_t)sum;
    return sum;
}

static void touch_carry(granular_beside* beside, const granular_beside* before,
                        const int32_t* order, int32_t count)
{
    for (int32_t i = 0; i < count && before->places > 0; ++i)
    {
        const int32_t from = order[i];
        beside->held[i] = before->held[from];
        for (int32_t k = 0; k < before->held[from]; ++k)
        {
            beside->holds[beside->first[i] + k] = before->holds[before->first[from] + k];
        }
    }
}

void wadi_granular_beside_free(wadi_context* context, granular_beside* beside)
{
    wadi_free(context, beside->first);
    wadi_free(context, beside->held);
    wadi_free(context, beside->near);
    wadi_free(context, beside->holds);
    *beside = (granular_beside){.places = 0};
}

void wadi_granular_meshes_free(wadi_grains* grains)
{
    wadi_granular_beside_free(grains->context, &grains->beside);
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        wadi_granular_mesh_free(grains->context, &grains->meshes[m]);
    }
    wadi_free(grains->context, grains->meshes);
}

static wadi_result touch_reserve_workers(wadi_grains* grains)
{
    for (int32_t w = 0; w < grains->list.workers; ++w)
    {
        granular_scratch* scratch = &grains->scratch[w];
        wadi_free(grains->context, scratch->candidates);
        scratch->candidates = NULL;
        WADI_ALLOC(grains->context, scratch->candidates, grains->beside.most + 1, "contacts");
    }
    return WADI_OK;
}

static wadi_result touch_find(wadi_grains* grains, const granular_beside* before)
{
    granular_beside* beside = &grains->beside;
    const int32_t count = grains->count;
    WADI_ALLOC(grains->context, beside->first, count + 1, "grains beside meshes");
    WADI_ALLOC(grains->context, beside->held, count + 1, "grains beside meshes");
    wadi_parallel_blocks(grains->context, grains->list.chunk_count, touch_count_chunk, grains);
    const int64_t room = touch_start(beside, before, grains->list.order, count);
    WADI_CHECK(grains->context, room < INT32_MAX, WADI_ERROR_MEMORY,
               "%lld triangles are near grains, more than there is room for: make the mesh coarser",
               (long long)room);
    WADI_ALLOC(grains->context, beside->near, room + 1, "triangles near grains");
    WADI_ALLOC(grains->context, beside->holds, room + 1, "contacts with meshes");
    touch_carry(beside, before, grains->list.order, count);
    wadi_parallel_blocks(grains->context, grains->list.chunk_count, touch_fill_chunk, grains);
    beside->places = count;
    return touch_reserve_workers(grains);
}

wadi_result wadi_granular_meshes_ready(wadi_grains* grains)
{
    const double reach = grains->list.largest + granular_margin(grains);
    wadi_granular_meshes_pose(grains);
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        granular_mesh* mesh = &grains->meshes[m];
        if (mesh->state.present)
        {
            WADI_TRY(wadi_granular_cells_make(grains->context, mesh, reach));
        }
    }
    return WADI_OK;
}

wadi_result wadi_granular_meshes_find_near(wadi_grains* grains)
{
    if (grains->mesh_count == 0)
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_granular_meshes_ready(grains));
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        grains->meshes[m].crept = 0.0;
    }
    granular_beside before = grains->beside;
    grains->beside = (granular_beside){.places = 0};
    const wadi_result result = touch_find(grains, &before);
    grains->failed = grains->failed || result != WADI_OK; // contacts are lost
    wadi_granular_beside_free(grains->context, &before);
    return result;
}

bool wadi_granular_meshes_leave_room(const wadi_grains* grains, const double x[3], double radius)
{
    bool room = true;
    for (int32_t m = 0; m < grains->mesh_count && room; ++m)
    {
        const granular_mesh* mesh = &grains->meshes[m];
        double at[3];
        int32_t count = 0;
        touch_to_mesh(&mesh->pose, x, at);
        const int32_t* items =
            mesh->state.present ? wadi_granular_cells_at(mesh, at, &count) : NULL;
        for (int32_t k = 0; k < count && room; ++k)
        {
            granular_candidate nearest;
            wadi_granular_mesh_nearest(mesh, items[k], at, &nearest);
            room = nearest.square >= radius * radius;
        }
    }
    return room;
}

// ---- the contacts of a step --------------------------------------------------------------------

// Velocity of a mesh's point at x.
static void touch_velocity(const granular_pose* pose, const double x[3], double out[3])
{
    const double* w = pose->spin;
    const double r[3] = {x[0] - pose->centre[0], x[1] - pose->centre[1], x[2] - pose->centre[2]};
    out[0] = pose->velocity[0] + w[1] * r[2] - w[2] * r[1];
    out[1] = pose->velocity[1] + w[2] * r[0] - w[0] * r[2];
    out[2] = pose->velocity[2] + w[0] * r[1] - w[1] * r[0];
}

// The contact of the last step that this one goes on from: of the same mesh, and nearest in its
// normal; -1: it begins.
static int32_t touch_match(const granular_hold* holds, int32_t held, const granular_hold* it)
{
    double best = TOUCH_SAME;
    int32_t found = -1;
    for (int32_t k = 0; k < held; ++k)
    {
        const double same = granular_dot(holds[k].normal, it->normal);
        if (holds[k].mesh == it->mesh && same > best)
        {
            best = same;
            found = k;
        }
    }
    return found;
}

static void touch_state(const wadi_grains* grains, const granular_body* body, int32_t law,
                        const granular_hold* holds, int32_t held, granular_hold* it)
{
    const int32_t from = touch_match(holds, held, it);
    if (from >= 0)
    {
        it->slip = holds[from].slip;
        it->roll = holds[from].roll;
        return;
    }
    const bool hertz = grains->params.law == WADI_GRAIN_LAW_HERTZ;
    it->slip.damping = granular_damping(&grains->contacts[law], hertz, body->inverse_mass);
}

// Contacts with one mesh, whose triangles near the grain are `near`; returns how many.
static int32_t touch_mesh(const wadi_grains* grains, const granular_body* body, int32_t number,
                          const granular_near* near, int32_t count, granular_candidate* list,
                          granular_candidate* chosen)
{
    const granular_mesh* mesh = &grains->meshes[number];
    int32_t found = 0;
    double x[3];
    touch_to_mesh(&mesh->pose, body->x, x);
    for (int32_t k = 0; k < count; ++k)
    {
        wadi_granular_mesh_nearest(mesh, near[k].triangle, x, &list[found]);
        found += list[found].square < body->radius * body->radius;
    }
    return found > 0 ? wadi_granular_mesh_choose(mesh, list, found, chosen) : 0;
}

// A contact as the kernel of walls takes it. A centre that is nearly on the surface is pushed as if
// it were a thousandth of the radius away.
static void touch_write(const wadi_grains* grains, const granular_body* body, int32_t number,
                        const granular_candidate* it, granular_hold* hold, granular_touch* touch)
{
    const granular_mesh* mesh = &grains->meshes[number];
    const double least = 1e-3 * body->radius;
    const double far = sqrt(it->square);
    const double scale = far < least && far > 0.0 ? least / far : 1.0;
    double d[3];
    double at[3];
    touch_to_world(&mesh->pose, it->d, d);
    *hold = (granular_hold){.mesh = number};
    for (int c = 0; c < 3; ++c)
    {
        hold->normal[c] = far > 0.0 ? d[c] / far : 0.0;
        touch->d[c] = scale * d[c];
        touch->w[c] = mesh->pose.spin[c];
        at[c] = body->x[c] - touch->d[c];
    }
    touch_velocity(&mesh->pose, at, touch->v);
    touch->contact = body->kind * grains->kinds + mesh->state.material;
    touch->mesh = number;
    touch->moves = mesh->fastest > 0.0;
}

int32_t wadi_granular_meshes_touch(const wadi_grains* grains, int32_t place,
                                   granular_candidate* list, granular_hold* made,
                                   granular_touch* touches)
{
    const granular_beside* beside = &grains->beside;
    const granular_body* body = &grains->bodies[place];
    const granular_near* near = beside->near + beside->first[place];
    const int32_t room = beside->first[place + 1] - beside->first[place];
    const granular_hold* holds = beside->holds + beside->first[place];
    granular_candidate chosen[GRANULAR_MESH_MOST];
    int32_t found = 0;
    for (int32_t k = 0; k < room && near[k].mesh >= 0;)
    {
        int32_t end = k + 1;
        while (end < room && near[end].mesh == near[k].mesh)
        {
            ++end;
        }
        const int32_t more =
            touch_mesh(grains, body, near[k].mesh, near + k, end - k, list, chosen);
        for (int32_t m = 0; m < more; ++m, ++found)
        {
            touch_write(grains, body, near[k].mesh, &chosen[m], &made[found], &touches[found]);
            touch_state(grains, body, touches[found].contact, holds, beside->held[place],
                        &made[found]);
        }
        k = end;
    }
    return found;
}

// All contacts of one grain: those of the last step are replaced. Returns how many.
static int32_t touch_grain(wadi_grains* grains, int32_t place, granular_candidate* list,
                           granular_touch* touches)
{
    granular_beside* beside = &grains->beside;
    granular_hold* holds = beside->holds + beside->first[place];
    granular_hold made[GRANULAR_MESH_TOUCHES];
    const int32_t found = wadi_granular_meshes_touch(grains, place, list, made, touches);
    for (int32_t m = 0; m < found; ++m)
    {
        holds[m] = made[m];
        touches[m].slip = &holds[m].slip;
        touches[m].roll = grains->rolls ? &holds[m].roll : NULL;
    }
    beside->held[place] = found;
    return found;
}

// Add what grains push meshes with: the opposite of the force on them, and of its moment about the
// mesh's centre.
static void touch_push(wadi_grains* grains, granular_chunk* chunk, const granular_touch* touch,
                       const granular_push* push)
{
    const granular_mesh* mesh = &grains->meshes[touch->mesh];
    const granular_body* body = &grains->bodies[chunk->base.begin + touch->grain];
    granular_mesh_push* sum = &chunk->pushed[touch->mesh];
    const double unit = 1.0 / mesh->length;
    double arm[3];
    for (int c = 0; c < 3; ++c)
    {
        arm[c] = (body->x[c] - mesh->pose.centre[c]) * unit;
        sum->force[c] = wadi_exact_minus(sum->force[c], push->force[c]);
    }
    for (int c = 0; c < 3; ++c)
    {
        const int a = (c + 1) % 3;
        const int b = (c + 2) % 3;
        const double turn = arm[a] * (double)push->force[b] - arm[b] * (double)push->force[a] +
                            body->radius * unit * (double)push->turn[c];
        sum->torque[c] = wadi_exact_minus(sum->torque[c], wadi_exact_round(turn));
    }
    sum->touches += 1;
}

static void touch_flush(wadi_grains* grains, granular_chunk* chunk, granular_scratch* scratch,
                        granular_work* work, int32_t count)
{
    work->pushes = scratch->pushes;
    grains->kernels->touches(work, scratch->touches, count);
    work->pushes = NULL;
    for (int32_t k = 0; k < count; ++k)
    {
        touch_push(grains, chunk, &scratch->touches[k], &scratch->pushes[k]);
    }
}

void wadi_granular_meshes_add_forces(wadi_grains* grains, granular_chunk* chunk,
                                     granular_scratch* scratch, granular_work* work)
{
    int32_t count = 0;
    memset(chunk->pushed, 0, sizeof chunk->pushed);
    for (int32_t i = chunk->base.begin; i < chunk->base.end; ++i)
    {
        if (grains->beside.first[i + 1] == grains->beside.first[i])
        {
            continue;
        }
        if (count + GRANULAR_MESH_TOUCHES > GRANULAR_TOUCHES)
        {
            touch_flush(grains, chunk, scratch, work, count);
            count = 0;
        }
        granular_touch* touches = scratch->touches + count;
        const int32_t found = touch_grain(grains, i, scratch->candidates, touches);
        for (int32_t k = 0; k < found; ++k)
        {
            touches[k].grain = i - chunk->base.begin;
        }
        count += found;
    }
    touch_flush(grains, chunk, scratch, work, count);
}

// ---- forgetting --------------------------------------------------------------------------------

void wadi_granular_holds_drop(wadi_grains* grains, int32_t mesh)
{
    granular_beside* beside = &grains->beside;
    for (int32_t i = 0; i < beside->places; ++i)
    {
        granular_hold* holds = beside->holds + beside->first[i];
        int32_t kept = 0;
        for (int32_t k = 0; k < beside->held[i]; ++k)
        {
            if (holds[k].mesh != mesh)
            {
                holds[kept++] = holds[k];
            }
        }
        beside->held[i] = kept;
    }
}
