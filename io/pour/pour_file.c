// SPDX-License-Identifier: MIT
#include "io/pour/pour_file.h"

#include "io/scene/scene_override.h"
#include "io/scene/scene_reader.h"
#include "io/scene/scene_yaml.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    POUR_MAX_NAMES = 24
};

// A number of a part, or three of them.
typedef struct pour_member
{
    const char* name;
    const char* unit;
    size_t offset;
    int32_t count;
    bool required;
} pour_member;

typedef struct pour_part
{
    const char* name; // of the part, in messages
    const pour_member* members;
    int32_t member_count;
    void* object;
    int32_t* material;  // of the object; NULL: it has none
    int32_t* shape;     // NULL: it has none
    uint64_t* seed;     // NULL: it has none
    const char** names; // of all objects of this kind; NULL: they have none
    const wadi_io_pour* pour;
} pour_part;

#define POUR_COUNT(table) ((int32_t)(sizeof(table) / sizeof *(table)))

static const pour_member pour_mesh_members[] = {
    {"until", "s", offsetof(wadi_io_pour_mesh, until), 1, false},
    {"velocity", "m/s", offsetof(wadi_io_pour_mesh, motion.velocity), 3, false},
    {"swing", "m", offsetof(wadi_io_pour_mesh, motion.swing), 3, false},
    {"centre", "m", offsetof(wadi_io_pour_mesh, motion.centre), 3, false},
    {"axis", "1", offsetof(wadi_io_pour_mesh, motion.axis), 3, false},
    {"spin", "rad/s", offsetof(wadi_io_pour_mesh, motion.spin), 1, false},
    {"sway", "rad", offsetof(wadi_io_pour_mesh, motion.sway), 1, false},
    {"frequency", "1/s", offsetof(wadi_io_pour_mesh, motion.frequency), 1, false},
};

static const pour_member pour_wall_members[] = {
    {"point", "m", offsetof(wadi_grain_wall, point), 3, true},
    {"normal", "1", offsetof(wadi_grain_wall, normal), 3, true},
    {"velocity", "m/s", offsetof(wadi_grain_wall, velocity), 3, false},
};

static const pour_member pour_feeder_members[] = {
    {"low", "m", offsetof(wadi_grain_feeder, low), 3, true},
    {"high", "m", offsetof(wadi_grain_feeder, high), 3, true},
    {"mass_rate", "kg/s", offsetof(wadi_grain_feeder, mass_rate), 1, false},
    {"number_rate", "1/s", offsetof(wadi_grain_feeder, number_rate), 1, false},
    {"from", "s", offsetof(wadi_grain_feeder, from), 1, false},
    {"until", "s", offsetof(wadi_grain_feeder, until), 1, false},
    {"every", "s", offsetof(wadi_grain_feeder, every), 1, false},
    {"radius_low", "m", offsetof(wadi_grain_feeder, radius_low), 1, true},
    {"radius_high", "m", offsetof(wadi_grain_feeder, radius_high), 1, true},
    {"exponent", "1", offsetof(wadi_grain_feeder, exponent), 1, false},
    {"velocity", "m/s", offsetof(wadi_grain_feeder, velocity), 3, false},
    {"scatter", "m/s", offsetof(wadi_grain_feeder, scatter), 1, false},
    {"wetness", "1", offsetof(wadi_grain_feeder, wetness), 1, false},
    {"clump_share", "1", offsetof(wadi_grain_feeder, clump_share), 1, false},
};

static const pour_member pour_sink_members[] = {
    {"low", "m", offsetof(wadi_grain_sink, low), 3, false},
    {"high", "m", offsetof(wadi_grain_sink, high), 3, false},
    {"below", "m", offsetof(wadi_grain_sink, high) + 2 * sizeof(double), 1, false},
    {"every", "s", offsetof(wadi_grain_sink, every), 1, false},
};

static const pour_member pour_grain_members[] = {
    {"position", "m", offsetof(wadi_grain, position), 3, true},
    {"velocity", "m/s", offsetof(wadi_grain, velocity), 3, false},
    {"spin", "rad/s", offsetof(wadi_grain, spin), 3, false},
    {"radius", "m", offsetof(wadi_grain, radius), 1, true},
    {"wetness", "1", offsetof(wadi_grain, wetness), 1, false},
};

// A clump as it is written: turned about an axis.
typedef struct pour_clump
{
    wadi_grain_clump clump;
    double axis[3];
    double angle; // [rad]
} pour_clump;

static const pour_member pour_clump_members[] = {
    {"position", "m", offsetof(pour_clump, clump.position), 3, true},
    {"velocity", "m/s", offsetof(pour_clump, clump.velocity), 3, false},
    {"spin", "rad/s", offsetof(pour_clump, clump.spin), 3, false},
    {"radius", "m", offsetof(pour_clump, clump.radius), 1, true},
    {"axis", "1", offsetof(pour_clump, axis), 3, false},
    {"angle", "rad", offsetof(pour_clump, angle), 1, false},
};

// ---- parts --------------------------------------------------------------------------------------

static wadi_result pour_read_numbers(scene_reader* reader, wadi_yaml_node* value,
                                     const pour_member* member, double* out)
{
    if (member->count == 1)
    {
        return wadi_scene_read_number(reader, value, member->name, member->unit, out);
    }
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || wadi_yaml_count(value) != 3)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "%s takes three numbers, along x, y and z, such as [0, 0, 1.5]",
                              member->name);
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    for (int c = 0; wadi_yaml_next(value, &place, &entry); ++c)
    {
        SCENE_TRY(wadi_scene_read_number(reader, entry.value, member->name, member->unit, &out[c]));
    }
    return WADI_OK;
}

// Materials have numbers from 1, as the layers of files of grains.
static wadi_result pour_read_material(scene_reader* reader, wadi_yaml_node* value,
                                      const pour_part* part)
{
    int32_t number;
    SCENE_TRY(wadi_scene_read_count(reader, value, "material", &number));
    if (number > part->pour->material_count)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_RANGE,
                              "material is %d but there are %d, counted from 1", number,
                              part->pour->material_count);
    }
    *part->material = number - 1;
    return WADI_OK;
}

// Shapes have names.
static wadi_result pour_read_shape(scene_reader* reader, wadi_yaml_node* value,
                                   const pour_part* part)
{
    if (part->pour->shape_count == 0)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_RANGE,
                              "a shape is named but there are none: list them, such as shapes: - "
                              "{name: pebble, form: tetrahedron}");
    }
    return wadi_scene_read_choice(reader, value, "shape", part->pour->shape_names,
                                  part->pour->shape_count, part->shape);
}

static wadi_result pour_read_seed(scene_reader* reader, wadi_yaml_node* value, uint64_t* out)
{
    const char* text;
    char* end;
    SCENE_TRY(wadi_scene_read_text(reader, value, "seed", &text));
    errno = 0;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, value, WADI_ERROR_RANGE,
                                "seed is '%s' but must be a whole number in [0, 2^64)", text);
}

static wadi_result pour_take(scene_reader* reader, const wadi_yaml_entry* entry, void* into,
                             bool* taken)
{
    const pour_part* part = into;
    const char* name = wadi_yaml_text(entry->key);
    *taken = true;
    if (part->material != NULL && strcmp(name, "material") == 0)
    {
        return pour_read_material(reader, entry->value, part);
    }
    if (part->shape != NULL && strcmp(name, "shape") == 0)
    {
        return pour_read_shape(reader, entry->value, part);
    }
    if (part->seed != NULL && strcmp(name, "seed") == 0)
    {
        return pour_read_seed(reader, entry->value, part->seed);
    }
    for (int32_t i = 0; i < part->member_count; ++i)
    {
        const pour_member* member = &part->members[i];
        if (strcmp(member->name, name) == 0)
        {
            double* to = (double*)(void*)((char*)part->object + member->offset);
            return pour_read_numbers(reader, entry->value, member, to);
        }
    }
    *taken = false;
    return WADI_OK;
}

static void pour_list_names(const pour_part* part, const char* names[POUR_MAX_NAMES])
{
    int32_t count = 0;
    for (int32_t i = 0; i < part->member_count; ++i)
    {
        names[count++] = part->members[i].name;
    }
    if (part->material != NULL)
    {
        names[count++] = "material";
    }
    if (part->shape != NULL)
    {
        names[count++] = "shape";
    }
    if (part->seed != NULL)
    {
        names[count++] = "seed";
    }
    names[count] = NULL;
}

static wadi_result pour_read_part(scene_reader* reader, wadi_yaml_node* node, pour_part* part,
                                  const scene_key* keys, int32_t key_count)
{
    const char* names[POUR_MAX_NAMES];
    pour_list_names(part, names);
    const scene_form form = {.name = part->name,
                             .keys = keys,
                             .key_count = key_count,
                             .other = pour_take,
                             .other_names = names};
    SCENE_TRY(wadi_scene_read_map(reader, node, &form, part));
    for (int32_t i = 0; i < part->member_count; ++i)
    {
        const pour_member* member = &part->members[i];
        if (member->required && wadi_yaml_find(node, member->name) == NULL)
        {
            return wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT, "'%s' is missing in '%s'",
                                  member->name, part->name);
        }
    }
    return WADI_OK;
}

// ---- meshes -------------------------------------------------------------------------------------

static wadi_result pour_read_file(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_io_pour_mesh* mesh = ((pour_part*)into)->object;
    return wadi_scene_read_text(reader, value, "file", &mesh->file);
}

static wadi_result pour_read_up(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    static const char* const names[] = {"y", "z"};
    wadi_io_pour_mesh* mesh = ((pour_part*)into)->object;
    int32_t choice;
    SCENE_TRY(wadi_scene_read_choice(reader, value, "up", names, 2, &choice));
    mesh->up = choice == 1 ? WADI_IO_UP_Z : WADI_IO_UP_Y;
    return WADI_OK;
}

static wadi_result pour_read_mesh(scene_reader* reader, wadi_yaml_node* node, wadi_io_pour* pour,
                                  int32_t at)
{
    static const scene_key keys[] = {{"file", pour_read_file}, {"up", pour_read_up}};
    wadi_io_pour_mesh* mesh = &pour->meshes[at];
    mesh->up = WADI_IO_UP_Y;
    pour_part part = {.name = "meshes",
                      .members = pour_mesh_members,
                      .member_count = POUR_COUNT(pour_mesh_members),
                      .object = mesh,
                      .material = &mesh->material,
                      .pour = pour};
    SCENE_TRY(pour_read_part(reader, node, &part, keys, POUR_COUNT(keys)));
    return mesh->file != NULL ? WADI_OK
                              : wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                                               "'file' is missing in 'meshes': name an OBJ or STL");
}

// ---- walls, feeders, sinks, grains --------------------------------------------------------------

static wadi_result pour_read_wall(scene_reader* reader, wadi_yaml_node* node, wadi_io_pour* pour,
                                  int32_t at)
{
    pour_part part = {.name = "walls",
                      .members = pour_wall_members,
                      .member_count = POUR_COUNT(pour_wall_members),
                      .object = &pour->walls[at],
                      .material = &pour->walls[at].material,
                      .pour = pour};
    return pour_read_part(reader, node, &part, NULL, 0);
}

static wadi_result pour_read_feeder(scene_reader* reader, wadi_yaml_node* node, wadi_io_pour* pour,
                                    int32_t at)
{
    wadi_grain_feeder* feeder = &pour->feeders[at];
    *feeder = (wadi_grain_feeder){.every = 0.01, .seed = (uint64_t)at};
    pour_part part = {.name = "feeders",
                      .members = pour_feeder_members,
                      .member_count = POUR_COUNT(pour_feeder_members),
                      .object = feeder,
                      .material = &feeder->material,
                      .shape = &feeder->shape,
                      .seed = &feeder->seed,
                      .pour = pour};
    SCENE_TRY(pour_read_part(reader, node, &part, NULL, 0));
    const bool named = wadi_yaml_find(node, "shape") != NULL;
    if (named && wadi_yaml_find(node, "clump_share") == NULL)
    {
        feeder->clump_share = 1.0;
    }
    return named || feeder->clump_share == 0.0
               ? WADI_OK
               : wadi_yaml_fail(
                     reader->yaml, node, WADI_ERROR_FORMAT,
                     "a feeder has a 'clump_share' but no 'shape': name one of `shapes`");
}

// Without a corner a sink has no end on that side.
static wadi_result pour_read_sink(scene_reader* reader, wadi_yaml_node* node, wadi_io_pour* pour,
                                  int32_t at)
{
    wadi_grain_sink* sink = &pour->sinks[at];
    const double far = (double)INFINITY;
    *sink = (wadi_grain_sink){{-far, -far, -far}, {far, far, far}, 0.01};
    pour_part part = {.name = "sinks",
                      .members = pour_sink_members,
                      .member_count = POUR_COUNT(pour_sink_members),
                      .object = sink,
                      .pour = pour};
    SCENE_TRY(pour_read_part(reader, node, &part, NULL, 0));
    return wadi_yaml_find(node, "high") == NULL || wadi_yaml_find(node, "below") == NULL
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                                "a sink has 'high' or 'below', not both");
}

static wadi_result pour_read_grain(scene_reader* reader, wadi_yaml_node* node, wadi_io_pour* pour,
                                   int32_t at)
{
    pour_part part = {.name = "grains",
                      .members = pour_grain_members,
                      .member_count = POUR_COUNT(pour_grain_members),
                      .object = &pour->grains[at],
                      .material = &pour->grains[at].material,
                      .pour = pour};
    return pour_read_part(reader, node, &part, NULL, 0);
}

static wadi_result pour_read_one_material(scene_reader* reader, wadi_yaml_node* node,
                                          wadi_io_pour* pour, int32_t at)
{
    pour->materials[at] = wadi_grain_material_default();
    const scene_form form = {
        .name = "materials", .table = &wadi_grain_material_fields, .params = &pour->materials[at]};
    return wadi_scene_read_map(reader, node, &form, NULL);
}

// ---- shapes and clumps --------------------------------------------------------------------------

static wadi_result pour_read_sphere(scene_reader* reader, wadi_yaml_node* value,
                                    wadi_grain_shape* shape)
{
    double* numbers[4] = {&shape->centres[shape->count][0], &shape->centres[shape->count][1],
                          &shape->centres[shape->count][2], &shape->radii[shape->count]};
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || wadi_yaml_count(value) != 4)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "a sphere is four numbers, x, y, z and its radius, such as [1, 0, 0, "
                              "0.8]");
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    for (int c = 0; wadi_yaml_next(value, &place, &entry); ++c)
    {
        SCENE_TRY(wadi_scene_read_number(reader, entry.value, "spheres", "1", numbers[c]));
    }
    shape->count += 1;
    return WADI_OK;
}

static wadi_result pour_read_spheres(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_grain_shape* shape = ((pour_part*)into)->object;
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || wadi_yaml_count(value) < 1 ||
        wadi_yaml_count(value) > WADI_GRAIN_SHAPE_SPHERES || shape->count > 0)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "a shape has a 'form', or 'spheres', a list of 1 to %d of them",
                              (int)WADI_GRAIN_SHAPE_SPHERES);
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(value, &place, &entry))
    {
        SCENE_TRY(pour_read_sphere(reader, entry.value, shape));
    }
    return WADI_OK;
}

static wadi_result pour_read_form(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_grain_shape* shape = ((pour_part*)into)->object;
    int32_t form;
    SCENE_TRY(wadi_scene_read_choice(reader, value, "form", wadi_grain_form_names,
                                     WADI_GRAIN_FORM_COUNT, &form));
    if (shape->count > 0)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "a shape has a 'form' or 'spheres', not both");
    }
    *shape = wadi_grain_shape_of((wadi_grain_form)form);
    return WADI_OK;
}

static wadi_result pour_read_shape_name(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    const pour_part* part = into;
    const wadi_io_pour* pour = part->pour;
    const int32_t at = (int32_t)((wadi_grain_shape*)part->object - pour->shapes);
    const char** names = part->names;
    SCENE_TRY(wadi_scene_read_text(reader, value, "name", &names[at]));
    for (int32_t k = 0; k < at; ++k)
    {
        if (strcmp(names[k], names[at]) == 0)
        {
            return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                                  "there are two shapes named '%s'", names[at]);
        }
    }
    return WADI_OK;
}

static wadi_result pour_read_one_shape(scene_reader* reader, wadi_yaml_node* node,
                                       wadi_io_pour* pour, int32_t at)
{
    static const scene_key keys[] = {
        {"name", pour_read_shape_name}, {"form", pour_read_form}, {"spheres", pour_read_spheres}};
    pour_part part = {
        .name = "shapes", .object = &pour->shapes[at], .names = pour->shape_names, .pour = pour};
    SCENE_TRY(pour_read_part(reader, node, &part, keys, POUR_COUNT(keys)));
    return pour->shape_names[at] != NULL && pour->shapes[at].count > 0
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                                "a shape needs a 'name', and a 'form' or 'spheres'");
}

static wadi_result pour_read_clump(scene_reader* reader, wadi_yaml_node* node, wadi_io_pour* pour,
                                   int32_t at)
{
    pour_clump clump = {.axis = {0.0, 0.0, 1.0}};
    pour_part part = {.name = "clumps",
                      .members = pour_clump_members,
                      .member_count = POUR_COUNT(pour_clump_members),
                      .object = &clump,
                      .material = &clump.clump.material,
                      .shape = &clump.clump.shape,
                      .pour = pour};
    SCENE_TRY(pour_read_part(reader, node, &part, NULL, 0));
    if (wadi_yaml_find(node, "shape") == NULL)
    {
        return wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                              "'shape' is missing in 'clumps': name one of `shapes`");
    }
    if (wadi_grain_turn(reader->context, clump.axis, clump.angle, clump.clump.turn) != WADI_OK)
    {
        return wadi_yaml_fail(reader->yaml, node, WADI_ERROR_RANGE,
                              "the 'axis' of a clump must not be 0, and its 'angle' at most 1e6 "
                              "rad");
    }
    pour->clumps[at] = clump.clump;
    return WADI_OK;
}

// ---- lists --------------------------------------------------------------------------------------

typedef wadi_result pour_item_fn(scene_reader* reader, wadi_yaml_node* node, wadi_io_pour* pour,
                                 int32_t at);

static wadi_result pour_read_list(scene_reader* reader, const char* name, int32_t most,
                                  pour_item_fn* read, wadi_io_pour* pour, int32_t* count)
{
    wadi_yaml_node* list = wadi_yaml_find(wadi_yaml_root(reader->yaml), name);
    *count = 0;
    if (list == NULL)
    {
        return WADI_OK;
    }
    if (wadi_yaml_kind_of(list) != WADI_YAML_LIST || wadi_yaml_count(list) > most)
    {
        return wadi_yaml_fail(
            reader->yaml, list, WADI_ERROR_FORMAT,
            "'%s' is a list of at most %d entries, each with keys: - {key: value}", name, most);
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(list, &place, &entry))
    {
        SCENE_TRY(read(reader, entry.value, pour, *count));
        *count += 1;
    }
    return WADI_OK;
}

static wadi_result pour_read_materials(scene_reader* reader, wadi_io_pour* pour)
{
    pour->materials[0] = wadi_grain_material_default();
    SCENE_TRY(pour_read_list(reader, "materials", WADI_GRAIN_MAX_MATERIALS, pour_read_one_material,
                             pour, &pour->material_count));
    pour->material_count = pour->material_count > 0 ? pour->material_count : 1;
    return WADI_OK;
}

enum
{
    POUR_MOST_GRAINS = 65536
};

static int32_t pour_count(const scene_reader* reader, const char* name)
{
    wadi_yaml_node* list = wadi_yaml_find(wadi_yaml_root(reader->yaml), name);
    const bool is_list = list != NULL && wadi_yaml_kind_of(list) == WADI_YAML_LIST;
    return is_list ? wadi_yaml_count(list) : 0;
}

static wadi_result pour_read_clumps(scene_reader* reader, wadi_io_pour* pour)
{
    const int32_t count = pour_count(reader, "clumps");
    SCENE_TRY(pour_read_list(reader, "shapes", WADI_GRAIN_MAX_SHAPES, pour_read_one_shape, pour,
                             &pour->shape_count));
    pour->clumps = calloc((size_t)count + 1, sizeof *pour->clumps);
    return pour->clumps == NULL ? wadi_yaml_fail(reader->yaml, wadi_yaml_root(reader->yaml),
                                                 WADI_ERROR_MEMORY, "out of memory")
                                : pour_read_list(reader, "clumps", POUR_MOST_GRAINS,
                                                 pour_read_clump, pour, &pour->clump_count);
}

static wadi_result pour_read_grains(scene_reader* reader, wadi_io_pour* pour)
{
    wadi_yaml_node* root = wadi_yaml_root(reader->yaml);
    wadi_yaml_node* list = wadi_yaml_find(root, "grains");
    const int32_t count = list != NULL ? wadi_yaml_count(list) : 0;
    if (count == 0 && pour->clump_count == 0)
    {
        return wadi_yaml_fail(reader->yaml, root, WADI_ERROR_FORMAT,
                              "'grains' is missing: a world begins with one grain or more, such as "
                              "- {position: [0, 0, 1], radius: 2cm}");
    }
    pour->grains = calloc((size_t)count + 1, sizeof *pour->grains);
    return pour->grains == NULL
               ? wadi_yaml_fail(reader->yaml, root, WADI_ERROR_MEMORY, "out of memory")
               : pour_read_list(reader, "grains", POUR_MOST_GRAINS, pour_read_grain, pour,
                                &pour->grain_count);
}

static wadi_result pour_read_lists(scene_reader* reader, wadi_io_pour* pour)
{
    SCENE_TRY(pour_read_materials(reader, pour));
    SCENE_TRY(pour_read_clumps(reader, pour));
    SCENE_TRY(pour_read_grains(reader, pour));
    SCENE_TRY(pour_read_list(reader, "meshes", WADI_GRAIN_MAX_MESHES, pour_read_mesh, pour,
                             &pour->mesh_count));
    SCENE_TRY(pour_read_list(reader, "walls", WADI_GRAIN_MAX_WALLS, pour_read_wall, pour,
                             &pour->wall_count));
    SCENE_TRY(pour_read_list(reader, "feeders", WADI_GRAIN_MAX_FEEDERS, pour_read_feeder, pour,
                             &pour->feeder_count));
    return pour_read_list(reader, "sinks", WADI_GRAIN_MAX_SINKS, pour_read_sink, pour,
                          &pour->sink_count);
}

// ---- the top ------------------------------------------------------------------------------------

static wadi_result pour_read_version(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    static const char* const versions[] = {"1"};
    int32_t ignored;
    return wadi_scene_read_choice(reader, value, "wadi, the version of the format,", versions, 1,
                                  &ignored);
}

static wadi_result pour_read_name(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_text(reader, value, "name", &((wadi_io_pour*)into)->name);
}

static wadi_result pour_read_doc(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    const char* ignored;
    return wadi_scene_read_text(reader, value, "doc", &ignored);
}

static wadi_result pour_read_seconds(scene_reader* reader, wadi_yaml_node* value, const char* what,
                                     double* out)
{
    SCENE_TRY(wadi_scene_read_number(reader, value, what, "s", out));
    return *out > 0.0 && *out <= 1e6
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, value, WADI_ERROR_RANGE,
                                "%s is %g s but must be above 0, up to 1e6 s", what, *out);
}

static wadi_result pour_read_time(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return pour_read_seconds(reader, value, "time", &((wadi_io_pour*)into)->time);
}

static wadi_result pour_read_every(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return pour_read_seconds(reader, value, "every", &((wadi_io_pour*)into)->every);
}

static wadi_result pour_read_world(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    wadi_io_pour* pour = into;
    const scene_form form = {
        .name = "world", .table = &wadi_grains_fields, .params = &pour->params};
    return wadi_scene_read_map(reader, value, &form, NULL);
}

// Lists name materials, so they are read after the other keys.
static wadi_result pour_skip(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)reader;
    (void)value;
    (void)into;
    return WADI_OK;
}

static wadi_result pour_read_top(scene_reader* reader, wadi_io_pour* pour)
{
    static const scene_key keys[] = {
        {"wadi", pour_read_version}, {"name", pour_read_name},   {"doc", pour_read_doc},
        {"time", pour_read_time},    {"every", pour_read_every}, {"world", pour_read_world},
        {"materials", pour_skip},    {"grains", pour_skip},      {"meshes", pour_skip},
        {"walls", pour_skip},        {"feeders", pour_skip},     {"sinks", pour_skip},
        {"shapes", pour_skip},       {"clumps", pour_skip},
    };
    const scene_form form = {.name = "pour", .keys = keys, .key_count = POUR_COUNT(keys)};
    wadi_yaml_node* root = wadi_yaml_root(reader->yaml);
    if (wadi_yaml_find(root, "terrain") != NULL)
    {
        return wadi_yaml_fail(
            reader->yaml, root, WADI_ERROR_FORMAT,
            "this is a scene, not a world of grains among meshes: run it with wadi "
            "run");
    }
    SCENE_TRY(wadi_scene_read_map(reader, root, &form, pour));
    if (!(pour->time > 0.0))
    {
        return wadi_yaml_fail(reader->yaml, root, WADI_ERROR_FORMAT,
                              "'time' is missing: say how long grains move, such as time: 2s");
    }
    pour->every = pour->every > 0.0 ? pour->every : pour->time / 100.0;
    return pour_read_lists(reader, pour);
}

static wadi_result pour_read_document(wadi_context* context, wadi_yaml* yaml,
                                      const char* const* overrides, int32_t override_count,
                                      wadi_io_pour* pour)
{
    for (int32_t i = 0; i < override_count; ++i)
    {
        SCENE_TRY(wadi_io_scene_override(yaml, overrides[i]));
    }
    scene_reader reader = {.yaml = yaml, .context = context};
    const wadi_result result = pour_read_top(&reader, pour);
    wadi_scene_reader_free_all(&reader);
    return result;
}

wadi_result wadi_io_pour_read(wadi_context* context, const char* path, const char* const* overrides,
                              int32_t override_count, wadi_io_pour* out)
{
    *out = (wadi_io_pour){.name = "", .params = wadi_grains_params_default()};
    char* text;
    size_t length = 0;
    wadi_yaml* yaml = NULL;
    wadi_result result = wadi_io_scene_text(context, path, &text, &length);
    result = result == WADI_OK ? wadi_yaml_parse(context, path, text, length, &yaml) : result;
    free(text);
    out->document = yaml;
    if (result == WADI_OK)
    {
        result = pour_read_document(context, yaml, overrides, override_count, out);
    }
    if (result != WADI_OK)
    {
        wadi_io_pour_free(out);
    }
    return result;
}

void wadi_io_pour_free(wadi_io_pour* pour)
{
    wadi_yaml_destroy(pour->document);
    free(pour->grains);
    free(pour->clumps);
    *pour = (wadi_io_pour){.name = ""};
}
