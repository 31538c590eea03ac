// SPDX-License-Identifier: MIT
// The parts `terrain:`, `layers:` and `materials:` of a scene file.
#include "io/scene/scene_reader.h"

#include <string.h>

// ---- the grid -----------------------------------------------------------------------------------

typedef struct terrain_part
{
    wadi_scene_grid grid;
    wadi_yaml_node* ground; // value that defined the ground, or NULL
} terrain_part;

static wadi_result terrain_read_size(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_scene_grid* grid = &((terrain_part*)into)->grid;
    if (wadi_yaml_kind_of(value) == WADI_YAML_SCALAR)
    {
        SCENE_TRY(wadi_scene_read_count(reader, value, "size", &grid->width));
        grid->height = grid->width;
        return WADI_OK;
    }
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || wadi_yaml_count(value) != 2)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "size takes a number of cells or [width, height]");
    }
    void* place = NULL;
    wadi_yaml_entry width;
    wadi_yaml_entry height;
    (void)wadi_yaml_next(value, &place, &width);
    (void)wadi_yaml_next(value, &place, &height);
    SCENE_TRY(wadi_scene_read_count(reader, width.value, "width", &grid->width));
    return wadi_scene_read_count(reader, height.value, "height", &grid->height);
}

// A length that is given must not be 0, which means "not given" to the library.
static wadi_result terrain_read_length(scene_reader* reader, wadi_yaml_node* value,
                                       const char* what, double* out)
{
    SCENE_TRY(wadi_scene_read_number(reader, value, what, "m", out));
    return *out != 0.0 ? WADI_OK
                       : wadi_yaml_fail(reader->yaml, value, WADI_ERROR_RANGE,
                                        "%s is 0 m but must be above 0", what);
}

static wadi_result terrain_read_cell(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return terrain_read_length(reader, value, "cell", &((terrain_part*)into)->grid.cell_size);
}

static wadi_result terrain_read_extent(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return terrain_read_length(reader, value, "extent", &((terrain_part*)into)->grid.extent);
}

static wadi_result terrain_read_edge(scene_reader* reader, wadi_yaml_node* value, wadi_edge* out)
{
    static const char* const names[WADI_EDGE_COUNT] = {
        [WADI_EDGE_OPEN] = "open",
        [WADI_EDGE_CLOSED] = "closed",
        [WADI_EDGE_PERIODIC] = "periodic",
    };
    int32_t edge;
    SCENE_TRY(wadi_scene_read_choice(reader, value, "an edge", names, WADI_EDGE_COUNT, &edge));
    *out = (wadi_edge)edge;
    return WADI_OK;
}

static wadi_result terrain_read_edges(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    static const char* const sides[4] = {
        [WADI_SIDE_NORTH] = "north",
        [WADI_SIDE_EAST] = "east",
        [WADI_SIDE_SOUTH] = "south",
        [WADI_SIDE_WEST] = "west",
    };
    wadi_edge* edges = ((terrain_part*)into)->grid.edges;
    if (wadi_yaml_kind_of(value) != WADI_YAML_MAP)
    {
        wadi_edge edge;
        SCENE_TRY(terrain_read_edge(reader, value, &edge));
        for (int side = 0; side < 4; ++side)
        {
            edges[side] = edge;
        }
        return WADI_OK;
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(value, &place, &entry))
    {
        int32_t side;
        SCENE_TRY(wadi_scene_read_choice(reader, entry.key, "a side", sides, 4, &side));
        SCENE_TRY(terrain_read_edge(reader, entry.value, &edges[side]));
    }
    return WADI_OK;
}

// ---- the ground ---------------------------------------------------------------------------------

static wadi_result terrain_read_combine(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    const char* names[WADI_COMBINE_COUNT];
    for (int i = 0; i < WADI_COMBINE_COUNT; ++i)
    {
        names[i] = wadi_combine_name((wadi_combine)i);
    }
    int32_t combine;
    SCENE_TRY(
        wadi_scene_read_choice(reader, value, "combine", names, WADI_COMBINE_COUNT, &combine));
    ((wadi_scene_ground*)into)->combine = (wadi_combine)combine;
    return WADI_OK;
}

static wadi_result terrain_read_weight(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "weight", "1",
                                  &((wadi_scene_ground*)into)->weight);
}

static wadi_result terrain_read_mask(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_text(reader, value, "mask", &((wadi_scene_ground*)into)->mask);
}

// Kind of source that can make ground, by name; NULL: none.
static const wadi_source_kind* terrain_find_kind(const char* name)
{
    const wadi_source_kind* kind = wadi_source_kind_find(name);
    return kind != NULL && (kind->fills & WADI_FILLS_GROUND) != 0 ? kind : NULL;
}

static wadi_result terrain_take_source(scene_reader* reader, const wadi_yaml_entry* entry,
                                       void* into, bool* taken)
{
    wadi_scene_ground* ground = into;
    const wadi_source_kind* kind = terrain_find_kind(wadi_yaml_text(entry->key));
    if (kind == NULL)
    {
        return wadi_scene_read_region_key(reader, entry, &ground->region, taken);
    }
    if (ground->source.kind != NULL)
    {
        return wadi_yaml_fail(reader->yaml, entry->key, WADI_ERROR_FORMAT,
                              "the item already has a source '%s'; write one item per source",
                              ground->source.kind->name);
    }
    *taken = true;
    return wadi_scene_read_source_kind(reader, kind, entry->value, NULL, &ground->source);
}

static wadi_result terrain_read_item(scene_reader* reader, wadi_yaml_node* item)
{
    static const scene_key keys[] = {
        {"combine", terrain_read_combine},
        {"weight", terrain_read_weight},
        {"mask", terrain_read_mask},
    };
    static const char* const names[] = {"import",    "noise",   "flat",       "ramp", "circle",
                                        "rectangle", "polygon", "everywhere", "soft", NULL};
    const scene_form form = {.name = "sources",
                             .keys = keys,
                             .key_count = sizeof keys / sizeof keys[0],
                             .other = terrain_take_source,
                             .other_names = names};
    wadi_scene_ground ground = {.weight = 1.0};
    SCENE_TRY(wadi_scene_read_map(reader, item, &form, &ground));
    if (ground.source.kind == NULL)
    {
        return wadi_yaml_fail(reader->yaml, item, WADI_ERROR_FORMAT,
                              "a source is missing here: import, noise, flat or ramp");
    }
    return wadi_scene_at(reader, item, wadi_scene_add_ground(reader->scene, &ground));
}

static wadi_result terrain_set_ground(scene_reader* reader, wadi_yaml_node* node,
                                      terrain_part* part)
{
    if (part->ground != NULL)
    {
        return wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                              "the terrain has a source already; list several under 'sources'");
    }
    part->ground = node;
    return WADI_OK;
}

static wadi_result terrain_read_sources(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || wadi_yaml_count(value) == 0)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "sources takes a list, such as [{noise: {}}, {flat: 0 m, combine: "
                              "max}]");
    }
    SCENE_TRY(terrain_set_ground(reader, value, into));
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(value, &place, &entry))
    {
        SCENE_TRY(terrain_read_item(reader, entry.value));
    }
    return WADI_OK;
}

// `terrain: {noise: {...}}`: short form for a single source.
static wadi_result terrain_take_single(scene_reader* reader, const wadi_yaml_entry* entry,
                                       void* into, bool* taken)
{
    const wadi_source_kind* kind = terrain_find_kind(wadi_yaml_text(entry->key));
    *taken = kind != NULL;
    if (kind == NULL)
    {
        return WADI_OK;
    }
    SCENE_TRY(terrain_set_ground(reader, entry->key, into));
    wadi_scene_ground ground = {.weight = 1.0};
    SCENE_TRY(wadi_scene_read_source_kind(reader, kind, entry->value, NULL, &ground.source));
    return wadi_scene_at(reader, entry->key, wadi_scene_add_ground(reader->scene, &ground));
}

wadi_result wadi_scene_read_terrain(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    static const scene_key keys[] = {
        {"size", terrain_read_size},       {"cell", terrain_read_cell},
        {"extent", terrain_read_extent},   {"edges", terrain_read_edges},
        {"sources", terrain_read_sources}, {"sea_level", wadi_scene_read_sea},
    };
    static const char* const names[] = {"import", "noise", "flat", "ramp", NULL};
    const scene_form form = {.name = "terrain",
                             .keys = keys,
                             .key_count = sizeof keys / sizeof keys[0],
                             .other = terrain_take_single,
                             .other_names = names};
    terrain_part part = {0};
    SCENE_TRY(wadi_scene_read_map(reader, value, &form, &part));
    if (part.ground == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "the terrain needs a source: import, noise, flat or ramp");
    }
    return wadi_scene_at(reader, value, wadi_scene_set_grid(reader->scene, &part.grid));
}

// ---- layers and materials -----------------------------------------------------------------------

static wadi_result terrain_check_map(scene_reader* reader, wadi_yaml_node* value, const char* name)
{
    return wadi_yaml_kind_of(value) == WADI_YAML_MAP
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                                "'%s' takes keys and values, such as {key: value}", name);
}

wadi_result wadi_scene_read_layers(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    SCENE_TRY(terrain_check_map(reader, value, "layers"));
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(value, &place, &entry))
    {
        wadi_scene_layer layer;
        SCENE_TRY(wadi_scene_read_layer(reader, entry.key, entry.value, &layer));
        if (layer.layer == WADI_LAYER_SURFACE || layer.layer == WADI_LAYER_BEDROCK)
        {
            return wadi_yaml_fail(reader->yaml, entry.key, WADI_ERROR_FORMAT,
                                  "'layers' cannot set the %s: the sources of 'terrain' make it",
                                  wadi_yaml_text(entry.key));
        }
        SCENE_TRY(wadi_scene_at(reader, entry.key, wadi_scene_add_layer(reader->scene, &layer)));
    }
    return WADI_OK;
}

static wadi_result terrain_read_material(scene_reader* reader, const wadi_yaml_entry* entry,
                                         const char* material)
{
    const wadi_field_table* table = &wadi_scene_material_fields;
    const wadi_field* field = wadi_field_find(table, wadi_yaml_text(entry->key));
    if (field == NULL)
    {
        const char* names[16];
        for (int32_t i = 0; i < table->count; ++i)
        {
            names[i] = table->fields[i].name;
        }
        return wadi_scene_unknown_key(reader, entry->key, material, names, table->count);
    }
    wadi_scene_material given = {material, field->name, 0.0};
    SCENE_TRY(wadi_scene_read_number(reader, entry->value, field->name, field->unit, &given.value));
    return wadi_scene_at(reader, entry->value, wadi_scene_add_material(reader->scene, &given));
}

wadi_result wadi_scene_read_materials(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    SCENE_TRY(terrain_check_map(reader, value, "materials"));
    void* rows = NULL;
    wadi_yaml_entry row;
    while (wadi_yaml_next(value, &rows, &row))
    {
        SCENE_TRY(terrain_check_map(reader, row.value, wadi_yaml_text(row.key)));
        void* fields = NULL;
        wadi_yaml_entry field;
        while (wadi_yaml_next(row.value, &fields, &field))
        {
            SCENE_TRY(terrain_read_material(reader, &field, wadi_yaml_text(row.key)));
        }
    }
    return WADI_OK;
}
