// SPDX-License-Identifier: MIT
// wadi grains: fill closed meshes of soil layers with grains.
#include "cli/command.h"
#include "cli/fields.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace.h"

#include "io/points/grain_file.h"
#include "io/points/points.h"
#include "io/raster/raster.h"
#include "io/raster/surface.h"

#include <wadi/grain_picture.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    GRAINS_LAYERS = WADI_GRAIN_MAX_MATERIALS
};

typedef struct grains_options
{
    const char* output;
    int32_t up;
    cli_list settings;
    uint64_t seed;
    const char* report;
    const char* picture;
    cli_run_options run;
} grains_options;

static const cli_option grains_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(grains_options, output),
     .value = "FILE",
     .doc = "The grains: .vtp for ParaView, .ply for Blender.",
     .required = true},
    CLI_OPTION("up", CLI_CHOICE, grains_options, up, "y|z",
               "Vertical axis of the meshes. Default: y, as Blender and others write OBJ. The "
               "grains always have z up."),
    CLI_OPTION("set", CLI_LIST, grains_options, settings, "NAME=VALUE",
               "Set a parameter of the packing, with its unit: diameter=20cm."),
    CLI_OPTION("seed", CLI_SEED, grains_options, seed, "N",
               "Seed of the random numbers. Default: 0."),
    CLI_OPTION("report", CLI_OUTPUT, grains_options, report, "FILE",
               "Write a JSON report of the meshes and their grains."),
    CLI_OPTION("picture", CLI_OUTPUT, grains_options, picture, "PNG",
               "Draw the grains, coloured by layer."),
    CLI_THREADS_OPTION(grains_options),
};

static void grains_help(void)
{
    (void)printf("\nPARAMETERS (--set NAME=VALUE)\n");
    cli_help_fields(&wadi_filling_fields);
}

static void grains_print(const wadi_filling* filling, const cli_list* files)
{
    int32_t count = 0;
    (void)wadi_filling_grains(filling, &count);
    for (int32_t l = 0; l < files->count; ++l)
    {
        const wadi_filling_layer layer = wadi_filling_layer_at(filling, l);
        (void)printf("%s: closed, %.6g m3", files->items[l], layer.mesh.volume);
        if (layer.volume != layer.mesh.volume && layer.mesh.volume > 0.0)
        {
            (void)printf(", %.6g m3 after later layers", layer.volume);
        }
        (void)printf("; %d grains of %.6g m3 each, %.0f %% of it spheres\n", layer.grains,
                     layer.room, 100.0 * layer.grain_share);
    }
    (void)printf("%d grains, the largest %.6g m across\n", count, wadi_filling_diameter(filling));
}

static json_t* grains_layer_json(const char* file, const wadi_filling_layer* layer)
{
    const wadi_mesh_report* mesh = &layer->mesh;
    return json_pack("{s:s, s:f, s:f, s:i, s:f, s:f, s:i, s:i, s:[fff], s:[fff]}", //
                     "file", file, "mesh_m3", mesh->volume, "volume_m3", layer->volume, "grains",
                     layer->grains, "room_m3", layer->room, "grain_share", layer->grain_share,
                     "crowded_edges", mesh->crowded_edges, "flat_triangles", mesh->flat_triangles,
                     "low", mesh->low[0], mesh->low[1], mesh->low[2], "high", mesh->high[0],
                     mesh->high[1], mesh->high[2]);
}

static cli_status grains_report(const wadi_filling* filling, const cli_list* files,
                                const wadi_io_tags* tags, const char* path)
{
    int32_t count = 0;
    (void)wadi_filling_grains(filling, &count);
    json_t* layers = json_array();
    for (int32_t l = 0; l < files->count; ++l)
    {
        const wadi_filling_layer layer = wadi_filling_layer_at(filling, l);
        (void)json_array_append_new(layers, grains_layer_json(files->items[l], &layer));
    }
    json_t* root = json_pack("{s:s, s:i, s:f, s:o, s:o}", "version", wadi_version(), "grains",
                             count, "diameter_m", wadi_filling_diameter(filling), "layers", layers,
                             "origin", cli_trace_json(tags));
    char* text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(root);
    const cli_status status =
        text != NULL ? cli_output_write(path, text) : cli_fail(CLI_FAILED, "out of memory");
    free(text);
    return status;
}

// Origin of all outputs: the command, the meshes and the seed.
static void grains_trace(wadi_context* context, const cli_list* files, uint64_t seed,
                         wadi_io_tags* tags)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRIu64, seed);
    cli_trace_command(tags, NULL);
    for (int32_t i = 0; i < files->count; ++i)
    {
        cli_trace_input(tags, context, files->items[i]);
    }
    wadi_io_tags_set(tags, "wadi_seed", digits);
}

static cli_status grains_draw(wadi_context* context, const wadi_filling* filling,
                              const wadi_io_tags* tags, const char* path)
{
    const wadi_grain_picture_params params = wadi_grain_picture_params_default();
    int32_t count = 0;
    const wadi_grain* grains = wadi_filling_grains(filling, &count);
    uint8_t* rgb = malloc((size_t)params.width * (size_t)params.height * 3);
    if (rgb == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for a picture");
    }
    wadi_result result = wadi_grain_picture(context, grains, count, NULL, NULL, NULL, &params, rgb);
    result = result == WADI_OK ? wadi_io_picture_write_tagged(context, rgb, params.width,
                                                              params.height, tags, path)
                               : result;
    free(rgb);
    return cli_check(context, result);
}

static cli_status grains_fill(wadi_context* context, const grains_options* options,
                              const cli_list* files, const wadi_mesh* meshes)
{
    wadi_filling_params params = wadi_filling_params_default();
    CLI_TRY(cli_fields_set(context, &wadi_filling_fields, &options->settings, &params));
    wadi_filling* filling = NULL;
    CLI_TRY(cli_check(context, wadi_filling_create(context, &params, options->seed, meshes,
                                                   files->count, &filling)));
    int32_t count = 0;
    const wadi_grain* grains = wadi_filling_grains(filling, &count);
    wadi_io_tags tags = {.count = 0};
    grains_trace(context, files, options->seed, &tags);
    cli_status status =
        cli_check(context, wadi_io_grains_write(context, grains, count, &tags, options->output));
    if (status == CLI_DONE && options->report != NULL)
    {
        status = grains_report(filling, files, &tags, options->report);
    }
    if (status == CLI_DONE && options->picture != NULL)
    {
        status = grains_draw(context, filling, &tags, options->picture);
    }
    if (status == CLI_DONE)
    {
        grains_print(filling, files);
    }
    wadi_io_tags_free(&tags);
    wadi_filling_destroy(filling);
    return status;
}

static cli_status grains_check_outputs(wadi_context* context, const grains_options* options,
                                       const cli_list* files)
{
    const char* const outputs[] = {options->output, options->report, options->picture};
    CLI_TRY(cli_check_usage(context, wadi_io_points_check_writable(context, options->output)));
    for (int32_t l = 0; l < files->count; ++l)
    {
        CLI_TRY(cli_output_check_all(outputs, sizeof outputs / sizeof *outputs, files->items[l]));
    }
    return CLI_DONE;
}

static cli_status grains_work(wadi_context* context, const grains_options* options,
                              const cli_list* files)
{
    CLI_TRY(grains_check_outputs(context, options, files));
    wadi_io_surface surfaces[GRAINS_LAYERS] = {{.positions = NULL}};
    wadi_mesh meshes[GRAINS_LAYERS];
    wadi_result result = WADI_OK;
    for (int32_t l = 0; l < files->count && result == WADI_OK; ++l)
    {
        result = wadi_io_surface_read(context, files->items[l],
                                      options->up == 1 ? WADI_IO_UP_Z : WADI_IO_UP_Y, &surfaces[l]);
        meshes[l] = surfaces[l].mesh;
    }
    cli_status status = cli_check(context, result);
    status = status == CLI_DONE ? grains_fill(context, options, files, meshes) : status;
    for (int32_t l = 0; l < files->count; ++l)
    {
        wadi_io_surface_free(&surfaces[l]);
    }
    return status;
}

static cli_status grains_run(const cli_command* command, int argc, char** argv)
{
    grains_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    cli_session session;
    CLI_TRY(cli_session_open(&options.run, &session));
    const cli_status status = grains_work(session.context, &options, &operands);
    cli_session_close(&session);
    return status;
}

const cli_command cli_grains_command = {
    .name = "grains",
    .summary = "fill closed meshes of soil with grains",
    .usage = "LAYER.obj... -o GRAINS.vtp [--set diameter=20cm] [--up y|z]",
    .details = "Reads one closed OBJ mesh for each layer of soil and fills it with spheres. "
               "Where layers overlap, the later one is used. A mesh with a hole or with inverted "
               "faces is refused, and the message names the edge. The total volume of the grains "
               "equals that of the meshes.",
    .examples =
        "wadi grains hill.obj -o hill.vtp\n"
        "wadi grains rock.obj clay.obj -o slope.ply --set diameter=10cm --report slope.json",
    .options = grains_option_list,
    .option_count = sizeof grains_option_list / sizeof grains_option_list[0],
    .min_operands = 1,
    .max_operands = GRAINS_LAYERS,
    .help_more = grains_help,
    .run = grains_run,
};
