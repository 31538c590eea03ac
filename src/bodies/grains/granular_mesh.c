// SPDX-License-Identifier: MIT
// Meshes as walls: adding, moving, removing and reading them.
#include "bodies/grains/granular.h"

#include "core/dmath.h"

#include <stdlib.h>

static const double MESH_TURN = 6.283185307179586476925286766559;

// ---- motion ------------------------------------------------------------------------------------

static double mesh_length(const double v[3])
{
    return sqrt(granular_dot(v, v));
}

static void mesh_apply(double m[3][3], const double v[3], double out[3])
{
    for (int r = 0; r < 3; ++r)
    {
        out[r] = granular_dot(m[r], v);
    }
}

// Turning by an angle about an axis of length 1 (Rodrigues).
static void mesh_rotation(const double a[3], double angle, double out[3][3])
{
    const double s = wadi_sin(fmod(angle, MESH_TURN));
    const double half = wadi_sin(fmod(0.5 * angle, MESH_TURN));
    const double rest = 2.0 * half * half; // 1 - cos, which is 0 without an angle
    const double cross[3][3] = {{0.0, -a[2], a[1]}, {a[2], 0.0, -a[0]}, {-a[1], a[0], 0.0}};
    for (int r = 0; r < 3; ++r)
    {
        for (int c = 0; c < 3; ++c)
        {
            const double same = r == c ? 1.0 : 0.0;
            out[r][c] = same + s * cross[r][c] + rest * (a[r] * a[c] - same);
        }
    }
}

static void mesh_multiply(double a[3][3], double b[3][3], double out[3][3])
{
    for (int r = 0; r < 3; ++r)
    {
        for (int c = 0; c < 3; ++c)
        {
            out[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c];
        }
    }
}

// Pose after `time` of the motion: turned about the centre as it was, then shifted.
static void mesh_pose(granular_mesh* mesh, double time)
{
    granular_mesh_state* s = &mesh->state;
    const wadi_grain_motion* m = &s->motion;
    granular_pose* pose = &mesh->pose;
    const double phase = fmod(MESH_TURN * m->frequency * time, MESH_TURN);
    const double wave = wadi_sin(phase);
    const double beat = MESH_TURN * m->frequency * wadi_cos(phase);
    double turned[3][3];
    double arm[3];
    double swept[3];
    mesh_rotation(m->axis, m->spin * time + m->sway * wave, turned);
    mesh_multiply(turned, s->turn, pose->turn);
    for (int c = 0; c < 3; ++c)
    {
        const double way = m->velocity[c] * time + m->swing[c] * wave;
        arm[c] = s->shift[c] - m->centre[c];
        pose->centre[c] = m->centre[c] + way;
        pose->velocity[c] = m->velocity[c] + m->swing[c] * beat;
        pose->spin[c] = (m->spin + m->sway * beat) * m->axis[c];
    }
    mesh_apply(turned, arm, swept);
    for (int c = 0; c < 3; ++c)
    {
        pose->shift[c] = pose->centre[c] + swept[c];
    }
}

void wadi_granular_meshes_pose(wadi_grains* grains)
{
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        granular_mesh* mesh = &grains->meshes[m];
        if (mesh->state.present)
        {
            mesh_pose(mesh, (double)(grains->steps - mesh->state.since) * grains->step);
        }
    }
}

bool wadi_granular_meshes_strayed(const wadi_grains* grains)
{
    const double margin = granular_margin(grains);
    const double moved = sqrt(grains->wandered2);
    bool strayed = false;
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        const granular_mesh* mesh = &grains->meshes[m];
        const double crept = mesh->crept + mesh->fastest * grains->step;
        strayed = strayed || (mesh->state.present && !(crept + moved < 0.99 * margin));
    }
    return strayed;
}

void wadi_granular_meshes_creep(wadi_grains* grains)
{
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        grains->meshes[m].crept += grains->meshes[m].fastest * grains->step;
    }
}

// Sizes that follow from the motion and from where the mesh is.
static void mesh_measure(const wadi_grains* grains, granular_mesh* mesh)
{
    const wadi_grain_motion* m = &mesh->state.motion;
    mesh->extent = 0.0;
    for (int32_t k = 0; k < 3 * mesh->triangle_count; ++k)
    {
        double x[3];
        mesh_apply(mesh->state.turn, mesh->vertices[mesh->triangles[k / 3][k % 3]], x);
        for (int c = 0; c < 3; ++c)
        {
            x[c] += mesh->state.shift[c] - m->centre[c];
        }
        mesh->extent = fmax(mesh->extent, mesh_length(x));
    }
    const double beat = MESH_TURN * m->frequency;
    mesh->fastest = mesh_length(m->velocity) + beat * mesh_length(m->swing) +
                    (fabs(m->spin) + beat * fabs(m->sway)) * mesh->extent;
    int exponent;
    (void)frexp(mesh->extent + 2.0 * grains->list.largest, &exponent);
    mesh->length = ldexp(2.0, exponent);
}

void wadi_granular_mesh_renew(const wadi_grains* grains, granular_mesh* mesh)
{
    mesh_measure(grains, mesh);
    mesh_pose(mesh, (double)(grains->steps - mesh->state.since) * grains->step);
}

static bool mesh_motion_is_finite(const wadi_grain_motion* m)
{
    return wadi_is_finite(m->velocity) && wadi_is_finite(m->swing) && wadi_is_finite(m->centre) &&
           wadi_is_finite(m->axis) && isfinite(m->spin) && isfinite(m->sway) &&
           isfinite(m->frequency);
}

static wadi_result mesh_check_motion(wadi_context* context, const wadi_grain_motion* m)
{
    const double axis = mesh_length(m->axis);
    WADI_CHECK(context, mesh_motion_is_finite(m) && isfinite(axis), WADI_ERROR_RANGE,
               "the motion of a mesh has a value that is no number");
    WADI_CHECK(context, m->frequency >= 0.0 && m->frequency <= 1e6, WADI_ERROR_RANGE,
               "the frequency of a mesh is %g 1/s but must lie in 0 to 1e6", m->frequency);
    WADI_CHECK(context, axis > 0.0 || (m->spin == 0.0 && m->sway == 0.0), WADI_ERROR_ARGUMENT,
               "a mesh turns about an axis of length 0: give its direction in `axis`");
    return WADI_OK;
}

static void mesh_set_motion(const wadi_grains* grains, granular_mesh* mesh,
                            const wadi_grain_motion* motion)
{
    granular_mesh_state* s = &mesh->state;
    s->motion = motion != NULL ? *motion : (wadi_grain_motion){.spin = 0.0};
    const double axis = mesh_length(s->motion.axis);
    for (int c = 0; c < 3; ++c)
    {
        s->motion.axis[c] /= axis > 0.0 ? axis : 1.0;
    }
    s->since = grains->steps;
    memset(s->torque, 0, sizeof s->torque); // it was about another centre
    wadi_granular_mesh_renew(grains, mesh);
}

// ---- making ------------------------------------------------------------------------------------

typedef struct mesh_corner
{
    double place[3];
    int32_t id;
} mesh_corner;

static int mesh_compare(const void* left, const void* right)
{
    const mesh_corner* a = left;
    const mesh_corner* b = right;
    for (int c = 0; c < 3; ++c)
    {
        if (a->place[c] != b->place[c])
        {
            return a->place[c] < b->place[c] ? -1 : 1;
        }
    }
    return (a->id > b->id) - (a->id < b->id);
}

static bool mesh_same_place(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Copy vertices in the order of their places; those at one place get the number of the first.
static wadi_result mesh_weld(wadi_context* context, const wadi_mesh* from, granular_mesh* mesh,
                             int32_t* numbers)
{
    mesh_corner* order;
    WADI_ALLOC(context, order, from->vertex_count, "vertices");
    for (int32_t v = 0; v < from->vertex_count; ++v)
    {
        order[v].id = v;
        memcpy(order[v].place, from->positions[v], sizeof order[v].place);
    }
    qsort(order, (size_t)from->vertex_count, sizeof *order, mesh_compare);
    int32_t first = 0;
    for (int32_t v = 0; v < from->vertex_count; ++v)
    {
        first = mesh_same_place(order[first].place, order[v].place) ? first : v;
        numbers[order[v].id] = first;
        memcpy(mesh->vertices[v], order[v].place, sizeof order[v].place);
    }
    wadi_free(context, order);
    return WADI_OK;
}

static void mesh_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Vertices a, b, c span an area.
static bool mesh_has_area(const granular_mesh* mesh, const int32_t t[3])
{
    double u[3];
    double v[3];
    double n[3];
    granular_minus(mesh->vertices[t[1]], mesh->vertices[t[0]], u);
    granular_minus(mesh->vertices[t[2]], mesh->vertices[t[0]], v);
    mesh_cross(u, v, n);
    return mesh_length(n) > 1e-12 * mesh_length(u) * mesh_length(v);
}

static wadi_result mesh_copy(wadi_context* context, const wadi_mesh* from, granular_mesh* mesh)
{
    WADI_ALLOC(context, mesh->vertices, from->vertex_count, "vertices of a mesh");
    WADI_ALLOC(context, mesh->triangles, from->triangle_count, "triangles of a mesh");
    int32_t* numbers;
    WADI_ALLOC(context, numbers, from->vertex_count, "vertices of a mesh");
    const wadi_result result = mesh_weld(context, from, mesh, numbers);
    mesh->triangle_count = 0;
    for (int32_t t = 0; t < from->triangle_count && result == WADI_OK; ++t)
    {
        int32_t* to = mesh->triangles[mesh->triangle_count];
        for (int c = 0; c < 3; ++c)
        {
            to[c] = numbers[from->triangles[t][c]];
        }
        mesh->triangle_count += mesh_has_area(mesh, to);
    }
    wadi_free(context, numbers);
    WADI_TRY(result);
    WADI_CHECK(context, mesh->triangle_count > 0, WADI_ERROR_ARGUMENT,
               "none of the %d triangles of the mesh has an area", from->triangle_count);
    return WADI_OK;
}

void wadi_granular_mesh_free(wadi_context* context, granular_mesh* mesh)
{
    wadi_free(context, mesh->vertices);
    wadi_free(context, mesh->triangles);
    wadi_free(context, mesh->cells.first);
    wadi_free(context, mesh->cells.items);
    *mesh = (granular_mesh){.triangle_count = 0};
}

static wadi_result mesh_check(const wadi_grains* grains, const wadi_mesh* mesh, int32_t material)
{
    wadi_context* context = grains->context;
    wadi_mesh_report report;
    WADI_TRY(wadi_mesh_inspect(context, mesh, &report));
    WADI_CHECK(context, material >= 0 && material < grains->material_count, WADI_ERROR_ARGUMENT,
               "a mesh names material %d but there are %d, counted from 0", material,
               grains->material_count);
    WADI_CHECK(context, grains->params.period_x == 0.0 && grains->params.period_y == 0.0,
               WADI_ERROR_ARGUMENT,
               "this world repeats after %g x %g m, but meshes need one that does not: set "
               "period_x and period_y to 0, or use planes",
               grains->params.period_x, grains->params.period_y);
    return WADI_OK;
}

static wadi_result mesh_slot(const wadi_grains* grains, int32_t* out)
{
    *out = 0;
    while (*out < grains->mesh_count && grains->meshes[*out].state.present)
    {
        *out += 1;
    }
    WADI_CHECK(grains->context, *out < GRANULAR_MESHES, WADI_ERROR_STATE,
               "there are %d meshes already, the most there can be: remove one first",
               (int)GRANULAR_MESHES);
    return WADI_OK;
}

// Who is near a mesh is found with the next list, and sleeping grains feel it.
static void mesh_changed(wadi_grains* grains)
{
    grains->stale = true;
    wadi_granular_invalidate_forces(grains);
}

static wadi_result mesh_start(wadi_grains* grains)
{
    if (grains->meshes == NULL)
    {
        WADI_ALLOC(grains->context, grains->meshes, GRANULAR_MESHES, "meshes");
    }
    return WADI_OK;
}

wadi_result wadi_grains_add_mesh(wadi_grains* grains, const wadi_mesh* from, int32_t material,
                                 const wadi_grain_motion* motion, int32_t* out)
{
    *out = -1;
    int32_t slot;
    WADI_TRY(mesh_check(grains, from, material));
    WADI_TRY(motion != NULL ? mesh_check_motion(grains->context, motion) : WADI_OK);
    WADI_TRY(mesh_slot(grains, &slot));
    WADI_TRY(mesh_start(grains));
    granular_mesh made = {.state = {.material = material, .present = 1}};
    const wadi_result result = mesh_copy(grains->context, from, &made);
    if (result != WADI_OK)
    {
        wadi_granular_mesh_free(grains->context, &made);
        return result;
    }
    for (int c = 0; c < 3; ++c)
    {
        made.state.turn[c][c] = 1.0;
    }
    mesh_set_motion(grains, &made, motion);
    grains->meshes[slot] = made;
    grains->mesh_count = slot >= grains->mesh_count ? slot + 1 : grains->mesh_count;
    mesh_changed(grains);
    *out = slot;
    return WADI_OK;
}

// ---- changing and reading ----------------------------------------------------------------------

static wadi_result mesh_check_number(const wadi_grains* grains, int32_t mesh)
{
    WADI_CHECK(grains->context,
               mesh >= 0 && mesh < grains->mesh_count && grains->meshes[mesh].state.present,
               WADI_ERROR_ARGUMENT, "there is no mesh %d", mesh);
    return WADI_OK;
}

wadi_result wadi_grains_move_mesh(wadi_grains* grains, int32_t number,
                                  const wadi_grain_motion* motion)
{
    WADI_TRY(mesh_check_number(grains, number));
    WADI_TRY(mesh_check_motion(grains->context, motion));
    granular_mesh* mesh = &grains->meshes[number];
    wadi_granular_mesh_renew(grains, mesh);
    memcpy(mesh->state.turn, mesh->pose.turn, sizeof mesh->state.turn);
    memcpy(mesh->state.shift, mesh->pose.shift, sizeof mesh->state.shift);
    mesh_set_motion(grains, mesh, motion);
    mesh_changed(grains);
    return WADI_OK;
}

wadi_result wadi_grains_remove_mesh(wadi_grains* grains, int32_t mesh)
{
    WADI_TRY(mesh_check_number(grains, mesh));
    wadi_granular_mesh_free(grains->context, &grains->meshes[mesh]);
    wadi_granular_holds_drop(grains, mesh);
    mesh_changed(grains);
    return WADI_OK;
}

wadi_result wadi_grains_read_mesh(const wadi_grains* grains, int32_t number,
                                  wadi_grain_mesh_reading* out)
{
    WADI_TRY(mesh_check_number(grains, number));
    granular_mesh mesh = grains->meshes[number];
    const granular_mesh_state* s = &mesh.state;
    wadi_granular_mesh_renew(grains, &mesh);
    *out = (wadi_grain_mesh_reading){.work = s->work, .touches = s->touches};
    for (int c = 0; c < 3; ++c)
    {
        out->force[c] = (double)s->force[c] / grains->scale;
        out->torque[c] = (double)s->torque[c] * (mesh.length / grains->scale);
        out->impulse[c] = s->impulse[c];
        out->twist[c] = s->twist[c];
        out->centre[c] = mesh.pose.centre[c];
        out->shift[c] = mesh.pose.shift[c];
    }
    memcpy(out->turn, mesh.pose.turn, sizeof out->turn);
    return WADI_OK;
}

// ---- force -------------------------------------------------------------------------------------

// Sum up the push of all chunks on one mesh, and what it has done in this step.
static void mesh_collect(wadi_grains* grains, int32_t number)
{
    granular_mesh* mesh = &grains->meshes[number];
    granular_mesh_state* s = &mesh->state;
    double power = 0.0;
    s->touches = 0;
    for (int32_t k = 0; k < grains->list.chunk_count; ++k)
    {
        s->touches += granular_chunk_at(grains, k)->pushed[number].touches;
    }
    for (int c = 0; c < 3; ++c)
    {
        s->force[c] = 0;
        s->torque[c] = 0;
        for (int32_t k = 0; k < grains->list.chunk_count; ++k)
        {
            const granular_mesh_push* pushed = &granular_chunk_at(grains, k)->pushed[number];
            s->force[c] = wadi_exact_plus(s->force[c], pushed->force[c]);
            s->torque[c] = wadi_exact_plus(s->torque[c], pushed->torque[c]);
        }
        const double force = (double)s->force[c] / grains->scale;
        const double torque = (double)s->torque[c] * (mesh->length / grains->scale);
        s->impulse[c] += force * grains->step;
        s->twist[c] += torque * grains->step;
        power -= force * mesh->pose.velocity[c] + torque * mesh->pose.spin[c];
    }
    s->work += power * grains->step;
}

void wadi_granular_meshes_collect(wadi_grains* grains)
{
    for (int32_t m = 0; m < grains->mesh_count; ++m)
    {
        if (grains->meshes[m].state.present)
        {
            mesh_collect(grains, m);
        }
    }
}
