// SPDX-License-Identifier: MIT
// Conventions: Unreal's raw landscapes have STEM.json; Gaea's export for Unreal has a definition,
// from which its importer takes cells of ScaleX / Resolution and a relief of Height; Gaea can copy
// its project into the folder of a build, and the whole range of values is the height of its
// terrain. World Machine has its scale in the file (BT, HFZ, Terragen) or none; Houdini writes
// metres.
#include "io/raster/sidecar_foreign.h"

#include <dirent.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// The folder, the name and its parts.
typedef struct foreign_place
{
    const char* path;
    char folder[PATH_MAX]; // "" or with a slash at its end
    char stem[NAME_MAX + 1];
} foreign_place;

static const char* foreign_extension(const char* name)
{
    const char* dot = strrchr(name, '.');
    return dot != NULL ? dot + 1 : "";
}

// False for names too long for a file.
static bool foreign_open(const char* path, foreign_place* out)
{
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    const size_t folder = (size_t)(name - path);
    const char* dot = strrchr(name, '.');
    const size_t stem = dot != NULL ? (size_t)(dot - name) : strlen(name);
    if (folder >= sizeof out->folder - NAME_MAX || stem >= sizeof out->stem)
    {
        return false;
    }
    *out = (foreign_place){.path = path};
    memcpy(out->folder, path, folder);
    memcpy(out->stem, name, stem);
    return true;
}

// Load a file of the folder, or NULL: it is not there, or no JSON.
static json_t* foreign_load(const foreign_place* place, const char* name)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s%s", place->folder, name);
    return length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0
               ? json_load_file(path, 0, NULL)
               : NULL;
}

// A positive number up to `limit` of an object, or 0.
static double foreign_number(const json_t* object, const char* key, double limit)
{
    const double value = json_number_value(json_object_get(object, key));
    return value > 0.0 && value <= limit ? value : 0.0;
}

static bool foreign_contains(const char* name, const char* word)
{
    const size_t length = strlen(word);
    for (; *name != '\0'; ++name)
    {
        if (strncasecmp(name, word, length) == 0)
        {
            return true;
        }
    }
    return false;
}

// ---- Unreal -------------------------------------------------------------------------------------

static bool foreign_take_unreal(const foreign_place* place, wadi_io_sidecar* out)
{
    char name[NAME_MAX + 1];
    const int length = snprintf(name, sizeof name, "%s.json", place->stem);
    if (length < 0 || (size_t)length >= sizeof name)
    {
        return false;
    }
    json_t* root = foreign_load(place, name);
    out->width = (int32_t)foreign_number(root, "width", 65536.0);
    out->height = (int32_t)foreign_number(root, "height", 65536.0);
    out->bits = (int32_t)foreign_number(root, "bpp", 16.0);
    json_decref(root);
    (void)snprintf(out->foreign, sizeof out->foreign, "%s", name);
    return out->width > 0 && out->height > 0 && (out->bits == 8 || out->bits == 16);
}

// ---- Gaea ---------------------------------------------------------------------------------------

static bool foreign_take_gaea(const char* name, double extent, double cells, double height,
                              wadi_io_sidecar* out)
{
    if (extent == 0.0 || height == 0.0)
    {
        return false;
    }
    out->heights = (wadi_io_reading){.cell = cells > 0.0 ? extent / cells : 0.0, .relief = height};
    out->extent = cells > 0.0 ? 0.0 : extent;
    out->has_heights = true;
    (void)snprintf(out->foreign, sizeof out->foreign, "%s", name);
    return true;
}

// The definition that goes with an export for Unreal.
static bool foreign_take_definition(const foreign_place* place, const char* name,
                                    wadi_io_sidecar* out)
{
    json_t* root = foreign_load(place, name);
    const bool taken = foreign_take_gaea(
        name, foreign_number(root, "ScaleX", 1e8), foreign_number(root, "Resolution", 1e6),
        foreign_number(root, "Height", 2.0 * WADI_HEIGHT_LIMIT), out);
    json_decref(root);
    return taken;
}

// The first terrain of a project. Tiles have the cells of the whole.
static bool foreign_take_project(const foreign_place* place, const char* name, wadi_io_sidecar* out)
{
    json_t* root = foreign_load(place, name);
    const json_t* assets = json_object_get(json_object_get(root, "Assets"), "$values");
    const json_t* terrain = json_object_get(json_array_get(assets, 0), "Terrain");
    const json_t* build = json_object_get(json_array_get(assets, 0), "BuildDefinition");
    const bool tiled = foreign_number(build, "NumberOfTiles", 1e6) > 1.0;
    const bool taken =
        foreign_take_gaea(name, foreign_number(terrain, "Width", 1e8),
                          tiled ? foreign_number(build, "Resolution", 1e6) : 0.0,
                          foreign_number(terrain, "Height", 2.0 * WADI_HEIGHT_LIMIT), out);
    json_decref(root);
    return taken;
}

// Names of Gaea's files in a folder; "" if there is none, or more than one project.
typedef struct foreign_names
{
    char definition[NAME_MAX + 1];
    char project[NAME_MAX + 1];
} foreign_names;

static foreign_names foreign_list(const foreign_place* place)
{
    foreign_names names = {.definition = ""};
    int projects = 0;
    DIR* folder = opendir(place->folder[0] != '\0' ? place->folder : ".");
    for (struct dirent* entry = NULL; folder != NULL && (entry = readdir(folder)) != NULL;)
    {
        const char* name = entry->d_name;
        const char* extension = foreign_extension(name);
        if (strcasecmp(extension, "json") == 0 && foreign_contains(name, "definition"))
        {
            // the first by name, so that the order of the folder does not matter
            if (names.definition[0] == '\0' || strcmp(name, names.definition) < 0)
            {
                (void)snprintf(names.definition, sizeof names.definition, "%s", name);
            }
        }
        else if (strcasecmp(extension, "terrain") == 0)
        {
            projects += 1;
            (void)snprintf(names.project, sizeof names.project, "%s", name);
        }
    }
    if (folder != NULL)
    {
        (void)closedir(folder);
    }
    if (projects > 1)
    {
        const int length = snprintf(names.project, sizeof names.project, "%s.terrain", place->stem);
        names.project[0] = (size_t)length < sizeof names.project ? names.project[0] : '\0';
    }
    return names;
}

// ---- the common part ----------------------------------------------------------------------------

// Formats in which these programs write heights without a scale.
static bool foreign_may_be(const char* path)
{
    static const char* const extensions[] = {"png", "r16", "raw",  "r8",
                                             "r32", "tif", "tiff", "exr"};
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; ++i)
    {
        if (strcasecmp(extensions[i], foreign_extension(path)) == 0)
        {
            return true;
        }
    }
    return false;
}

static bool foreign_take(const foreign_place* place, wadi_io_sidecar* out)
{
    const char* extension = foreign_extension(place->path);
    const bool is_raw = strncasecmp(extension, "r", 1) == 0;
    const bool sized = is_raw && foreign_take_unreal(place, out);
    if (!sized)
    {
        out->width = 0;
        out->height = 0;
        out->bits = 0;
    }
    const foreign_names names = foreign_list(place);
    return (names.definition[0] != '\0' && foreign_take_definition(place, names.definition, out)) ||
           (names.project[0] != '\0' && foreign_take_project(place, names.project, out)) || sized;
}

wadi_result wadi_io_sidecar_foreign(wadi_context* context, const char* path, wadi_io_sidecar* out,
                                    bool* found)
{
    foreign_place place;
    if (!foreign_may_be(path) || !foreign_open(path, &place) || !foreign_take(&place, out))
    {
        return WADI_OK;
    }
    out->scale = 1.0;
    out->georef.wkt = strdup("");
    *found = out->georef.wkt != NULL;
    return *found ? WADI_OK
                  : wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory for %s", path);
}
