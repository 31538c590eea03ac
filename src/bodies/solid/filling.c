// SPDX-License-Identifier: MIT
// Grains for layers. Voxels hold the layer at each place. Each cell of the packing belongs to the
// layer with most of its voxels. A layer fills as many of its cells as its volume has room for,
// those with most of its voxels first. Thus all grains have the same room, and grains x room is the
// volume.
#include "bodies/solid/solid.h"
#include "core/dmath.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>

enum
{
    FILLING_STREAM = 0x534F4C44, // of random numbers
    FILLING_KEYS = 0,            // their steps
    FILLING_RADII = 1
};

struct wadi_filling
{
    wadi_context* context;
    wadi_filling_params params;
    uint64_t seed;
    double diameter;
    int32_t layer_count;
    wadi_filling_layer layers[SOLID_LAYERS];
    wadi_grain* grains;
    int32_t count;

    // while it is made
    const wadi_mesh* meshes;
    solid_voxels voxels;
    int64_t own[SOLID_LAYERS];  // voxels inside each mesh
    int64_t left[SOLID_LAYERS]; // not covered by later layers
    int32_t want[SOLID_LAYERS]; // grains
    solid_packing packing;
    uint8_t* share; // sites x layers: voxels of a site's cell
    uint8_t* taken; // sites
};

// A site that a layer may take.
typedef struct filling_candidate
{
    int64_t site;
    uint32_t key; // random
    uint8_t share;
} filling_candidate;

static wadi_result filling_check_mesh(wadi_context* context, const wadi_mesh_report* mesh,
                                      int layer)
{
    const double(*e)[3] = mesh->edge;
    WADI_CHECK(
        context, mesh->open_edges == 0, WADI_ERROR_STATE,
        "layer %d is open: %d edges with an odd number of triangles, the first from "
        "(%g, %g, %g) to (%g, %g, %g); close the mesh (Blender: Select > Non Manifold, Fill)",
        layer + 1, mesh->open_edges, e[0][0], e[0][1], e[0][2], e[1][0], e[1][1], e[1][2]);
    WADI_CHECK(context, mesh->turned_edges == 0, WADI_ERROR_STATE,
               "layer %d has triangles that face opposite ways at %d edges, the first from "
               "(%g, %g, %g) to (%g, %g, %g); turn them outwards (Blender: Recalculate Outside)",
               layer + 1, mesh->turned_edges, e[0][0], e[0][1], e[0][2], e[1][0], e[1][1], e[1][2]);
    WADI_CHECK(context, mesh->volume != 0.0, WADI_ERROR_STATE,
               "layer %d encloses nothing; give a closed surface", layer + 1);
    return WADI_OK;
}

static wadi_result filling_inspect(wadi_filling* filling)
{
    for (int32_t l = 0; l < filling->layer_count; ++l)
    {
        wadi_mesh_report* mesh = &filling->layers[l].mesh;
        WADI_TRY(wadi_mesh_inspect(filling->context, &filling->meshes[l], mesh));
        WADI_TRY(filling_check_mesh(filling->context, mesh, l));
    }
    return WADI_OK;
}

static void filling_box(const wadi_filling* filling, double low[3], double high[3])
{
    for (int a = 0; a < 3; ++a)
    {
        low[a] = (double)INFINITY;
        high[a] = -(double)INFINITY;
        for (int32_t l = 0; l < filling->layer_count; ++l)
        {
            const wadi_mesh_report* mesh = &filling->layers[l].mesh;
            low[a] = mesh->low[a] < low[a] ? mesh->low[a] : low[a];
            high[a] = mesh->high[a] > high[a] ? mesh->high[a] : high[a];
        }
    }
}

// Room of a grain of diameter 1.
static double filling_unit_room(const wadi_filling_params* params)
{
    const double nothing[3] = {0.0, 0.0, 0.0};
    const solid_packing packing =
        wadi_solid_packing_over(params->packing, 1.0, params->jitter, nothing, nothing);
    return wadi_solid_packing_room(&packing);
}

// The given diameter, or one that gives about `most` grains, never more.
static void filling_choose_diameter(wadi_filling* filling)
{
    const wadi_filling_params* params = &filling->params;
    double volume = 0.0;
    for (int32_t l = 0; l < filling->layer_count; ++l)
    {
        volume += fabs(filling->layers[l].mesh.volume);
    }
    // each layer may round up
    const int32_t grains =
        params->most > filling->layer_count ? params->most - filling->layer_count : 1;
    filling->diameter = params->diameter > 0.0
                            ? params->diameter
                            : wadi_pow(volume / (grains * filling_unit_room(params)), 1.0 / 3.0);
}

static wadi_result filling_lay_voxels(wadi_filling* filling)
{
    solid_voxels* voxels = &filling->voxels;
    double high[3];
    filling_box(filling, voxels->low, high);
    voxels->size = filling->diameter / SOLID_FINE;
    double total = 1.0;
    for (int a = 0; a < 3; ++a)
    {
        total *= ceil((high[a] - voxels->low[a]) / voxels->size) + 1.0;
    }
    WADI_CHECK(filling->context, total < 0x1p31, WADI_ERROR_RANGE,
               "grains of %g m in a box of %g x %g x %g m need %.3g voxels, the most is %.3g; take "
               "larger grains or smaller meshes",
               filling->diameter, high[0] - voxels->low[0], high[1] - voxels->low[1],
               high[2] - voxels->low[2], total, 0x1p31);
    for (int a = 0; a < 3; ++a)
    {
        voxels->count[a] = (int32_t)ceil((high[a] - voxels->low[a]) / voxels->size) + 1;
    }
    WADI_ALLOC(filling->context, voxels->inside, solid_voxel_count(voxels), "voxels");
    WADI_ALLOC(filling->context, voxels->label, solid_voxel_count(voxels), "voxels");
    return WADI_OK;
}

// A voxel is inside by two votes of three, so that a hole met by rays of one axis does not count.
static bool filling_is_inside(uint8_t votes)
{
    return votes == 3 || votes == 5 || votes == 6 || votes == 7;
}

// Label the voxels of a layer, and clear its votes.
static void filling_label(wadi_filling* filling, int32_t layer)
{
    solid_voxels* voxels = &filling->voxels;
    const int64_t count = solid_voxel_count(voxels);
    for (int64_t i = 0; i < count; ++i)
    {
        if (filling_is_inside(voxels->inside[i]))
        {
            const uint8_t before = voxels->label[i];
            filling->left[before > 0 ? before - 1 : layer] -= before > 0 ? 1 : 0;
            ++filling->left[layer];
            ++filling->own[layer];
            voxels->label[i] = (uint8_t)(layer + 1);
        }
        voxels->inside[i] = 0;
    }
}

static wadi_result filling_measure_layer(wadi_filling* filling, int32_t l)
{
    wadi_filling_layer* layer = &filling->layers[l];
    WADI_CHECK(filling->context, filling->own[l] > 0, WADI_ERROR_STATE,
               "layer %d is thinner than a third of a grain of %g m; take smaller grains", l + 1,
               filling->diameter);
    WADI_CHECK(filling->context, filling->left[l] > 0, WADI_ERROR_STATE,
               "layers after layer %d cover all of it; put it after them or leave it out", l + 1);
    layer->volume = fabs(layer->mesh.volume) * ((double)filling->left[l] / (double)filling->own[l]);
    const double grains = layer->volume / wadi_solid_packing_room(&filling->packing);
    WADI_CHECK(filling->context, grains >= 0.5, WADI_ERROR_STATE,
               "layer %d has %g m3, less than half a grain of %g m; take smaller grains", l + 1,
               layer->volume, filling->diameter);
    const double left = filling->params.most - filling->count;
    WADI_CHECK(filling->context, floor(grains + 0.5) <= left, WADI_ERROR_RANGE,
               "grains of %g m in layer %d alone are %.0f, and `most` leaves room for %.0f; take "
               "larger grains or raise `most`",
               filling->diameter, l + 1, floor(grains + 0.5), left);
    filling->want[l] = (int32_t)floor(grains + 0.5);
    filling->count += filling->want[l];
    return WADI_OK;
}

static wadi_result filling_find_layers(wadi_filling* filling)
{
    WADI_TRY(filling_lay_voxels(filling));
    for (int32_t l = 0; l < filling->layer_count; ++l)
    {
        wadi_solid_cast(filling->context, &filling->voxels, &filling->meshes[l],
                        filling->voxels.inside);
        filling_label(filling, l);
    }
    double low[3];
    double high[3];
    filling_box(filling, low, high);
    filling->packing = wadi_solid_packing_over(filling->params.packing, filling->diameter,
                                               filling->params.jitter, low, high);
    for (int32_t l = 0; l < filling->layer_count; ++l)
    {
        WADI_TRY(filling_measure_layer(filling, l));
    }
    return WADI_OK;
}

// Count the voxels of each site's cell by layer.
static wadi_result filling_share_sites(wadi_filling* filling)
{
    const int64_t sites = wadi_solid_packing_sites(&filling->packing);
    WADI_ALLOC(filling->context, filling->share, sites * filling->layer_count, "sites");
    WADI_ALLOC(filling->context, filling->taken, sites, "sites");
    const int64_t count = solid_voxel_count(&filling->voxels);
    for (int64_t i = 0; i < count; ++i)
    {
        if (filling->voxels.label[i] > 0)
        {
            double middle[3];
            solid_voxel_middle(&filling->voxels, i, middle);
            uint8_t* share = &filling->share[wadi_solid_packing_nearest(&filling->packing, middle) *
                                                 filling->layer_count +
                                             filling->voxels.label[i] - 1];
            *share = *share < UINT8_MAX ? (uint8_t)(*share + 1) : UINT8_MAX;
        }
    }
    return WADI_OK;
}

// Layer that has most of a site's cell; of equals, the later one. -1: none.
static int32_t filling_owner(const wadi_filling* filling, int64_t site)
{
    const uint8_t* share = &filling->share[site * filling->layer_count];
    int32_t owner = -1;
    for (int32_t l = 0; l < filling->layer_count; ++l)
    {
        const uint8_t best = owner >= 0 ? share[owner] : 1;
        owner = share[l] >= best ? l : owner;
    }
    return owner;
}

static int filling_compare_candidates(const void* left, const void* right)
{
    const filling_candidate* a = left;
    const filling_candidate* b = right;
    if (a->share != b->share)
    {
        return a->share > b->share ? -1 : 1;
    }
    const int keys = (a->key > b->key) - (a->key < b->key);
    return keys != 0 ? keys : (a->site > b->site) - (a->site < b->site);
}

// List the free sites that a layer has the most of, or, where `any`, some of.
static int64_t filling_list_candidates(const wadi_filling* filling, int32_t layer, bool any,
                                       filling_candidate* bids)
{
    const int64_t sites = wadi_solid_packing_sites(&filling->packing);
    int64_t count = 0;
    for (int64_t site = 0; site < sites; ++site)
    {
        const uint8_t share = filling->share[site * filling->layer_count + layer];
        if (share > 0 && filling->taken[site] == 0 &&
            (any || filling_owner(filling, site) == layer))
        {
            const uint32_t key =
                wadi_random(filling->seed, FILLING_STREAM, (uint64_t)site, FILLING_KEYS).v[0];
            bids[count++] = (filling_candidate){site, key, share};
        }
    }
    return count;
}

// Take sites for a layer, the fullest first.
static void filling_take(wadi_filling* filling, int32_t layer, bool any, filling_candidate* bids)
{
    const int64_t count = filling_list_candidates(filling, layer, any, bids);
    qsort(bids, (size_t)count, sizeof *bids, filling_compare_candidates);
    int32_t* grains = &filling->layers[layer].grains;
    for (int64_t i = 0; i < count && *grains < filling->want[layer]; ++i)
    {
        filling->taken[bids[i].site] = (uint8_t)(layer + 1);
        ++*grains;
    }
}

static wadi_result filling_take_sites(wadi_filling* filling)
{
    filling_candidate* bids;
    WADI_ALLOC(filling->context, bids, wadi_solid_packing_sites(&filling->packing), "sites");
    for (int32_t round = 0; round < 2; ++round)
    {
        for (int32_t l = filling->layer_count - 1; l >= 0; --l)
        {
            filling_take(filling, l, round == 1, bids);
        }
    }
    wadi_free(filling->context, bids);
    for (int32_t l = 0; l < filling->layer_count; ++l)
    {
        wadi_filling_layer* layer = &filling->layers[l];
        WADI_CHECK(filling->context, layer->grains > 0, WADI_ERROR_STATE,
                   "layer %d is thinner than a grain of %g m wherever it is; take smaller grains",
                   l + 1, filling->diameter);
        layer->room = layer->volume / layer->grains;
    }
    return WADI_OK;
}

static wadi_grain filling_grain(const wadi_filling* filling, int64_t site, int32_t layer)
{
    const wadi_filling_params* params = &filling->params;
    const wadi_philox off =
        wadi_random(filling->seed, FILLING_STREAM, (uint64_t)site, FILLING_KEYS);
    const wadi_philox size =
        wadi_random(filling->seed, FILLING_STREAM, (uint64_t)site, FILLING_RADII);
    wadi_grain grain = {.material = layer};
    wadi_solid_packing_place(&filling->packing, site, grain.position);
    for (int a = 0; a < 3 && params->packing == WADI_PACKING_JITTERED; ++a)
    {
        const double way = 2.0 * (double)wadi_unit_float(off.v[1 + a]) - 1.0;
        grain.position[a] += way * params->jitter * filling->diameter;
    }
    grain.radius =
        0.5 * filling->diameter * (1.0 - params->spread * (double)wadi_unit_float(size.v[0]));
    return grain;
}

static wadi_result filling_place(wadi_filling* filling)
{
    const int64_t sites = wadi_solid_packing_sites(&filling->packing);
    filling->count = 0;
    for (int32_t l = 0; l < filling->layer_count; ++l)
    {
        filling->count += filling->layers[l].grains;
    }
    WADI_ALLOC(filling->context, filling->grains, filling->count, "grains");
    int32_t next = 0;
    for (int32_t l = 0; l < filling->layer_count; ++l)
    {
        double spheres = 0.0;
        for (int64_t site = 0; site < sites; ++site)
        {
            if (filling->taken[site] == l + 1)
            {
                const wadi_grain grain = filling_grain(filling, site, l);
                filling->grains[next++] = grain;
                spheres += 4.1887902047863909846 * grain.radius * grain.radius * grain.radius;
            }
        }
        filling->layers[l].grain_share = spheres / filling->layers[l].volume;
    }
    return WADI_OK;
}

// Free the memory that is needed only during creation.
static void filling_clear(wadi_filling* filling)
{
    wadi_free(filling->context, filling->voxels.inside);
    wadi_free(filling->context, filling->voxels.label);
    wadi_free(filling->context, filling->share);
    wadi_free(filling->context, filling->taken);
    filling->voxels = (solid_voxels){.size = 0.0};
    filling->share = NULL;
    filling->taken = NULL;
    filling->meshes = NULL;
}

static wadi_result filling_make(wadi_filling* filling)
{
    WADI_TRY(filling_inspect(filling));
    filling_choose_diameter(filling);
    WADI_TRY(filling_find_layers(filling));
    WADI_TRY(filling_share_sites(filling));
    WADI_TRY(filling_take_sites(filling));
    return filling_place(filling);
}

wadi_result wadi_filling_create(wadi_context* context, const wadi_filling_params* params,
                                uint64_t seed, const wadi_mesh* layers, int32_t count,
                                wadi_filling** out)
{
    *out = NULL;
    WADI_TRY(wadi_fields_check(context, &wadi_filling_fields, params));
    WADI_CHECK(context, count >= 1 && count <= SOLID_LAYERS, WADI_ERROR_ARGUMENT,
               "%d layers; give 1 to %d", count, SOLID_LAYERS);
    wadi_filling* filling;
    WADI_ALLOC(context, filling, 1, "a filling");
    filling->context = context;
    filling->params = *params;
    filling->seed = seed;
    filling->meshes = layers;
    filling->layer_count = count;
    const wadi_result result = filling_make(filling);
    filling_clear(filling);
    if (result != WADI_OK)
    {
        wadi_filling_destroy(filling);
        return result;
    }
    *out = filling;
    return WADI_OK;
}

void wadi_filling_destroy(wadi_filling* filling)
{
    if (filling != NULL)
    {
        wadi_free(filling->context, filling->grains);
        wadi_free(filling->context, filling);
    }
}

double wadi_filling_diameter(const wadi_filling* filling)
{
    return filling->diameter;
}

wadi_filling_layer wadi_filling_layer_at(const wadi_filling* filling, int32_t layer)
{
    return filling->layers[layer];
}

const wadi_grain* wadi_filling_grains(const wadi_filling* filling, int32_t* count)
{
    *count = filling->count;
    return filling->grains;
}
