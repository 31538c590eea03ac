// SPDX-License-Identifier: MIT
// wadi pour: a world of grains with meshes, feeders and sinks, from a file.
#include "cli/command.h"
#include "cli/commands/pour_run.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace.h"

#include "io/points/grain_file.h"
#include "io/points/grain_tables.h"
#include "io/points/points.h"
#include "io/raster/raster.h"

#include <wadi/grain_picture.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct pour_options
{
    const char* output;
    cli_list settings;
    const char* table;
    const char* contacts;
    const char* picture;
    const char* save;
    const char* resume;
    cli_run_options run;
} pour_options;

static const cli_option pour_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(pour_options, output),
     .value = "FILE",
     .doc = "Write the grains at the end: .vtp for ParaView, .ply for Blender."},
    CLI_OPTION("set", CLI_LIST, pour_options, settings, "KEY=VALUE",
               "Replace a value of the file: world.gravity_z=-3, feeders.0.mass_rate=2kg/s."),
    CLI_OPTION("table", CLI_OUTPUT, pour_options, table, "CSV",
               "Write a row every so often: grains, masses, energy, forces and work of meshes."),
    CLI_OPTION("contacts", CLI_OUTPUT, pour_options, contacts, "FILE",
               "Write the contacts at the end with their forces: .vtp or .ply."),
    CLI_OPTION("picture", CLI_OUTPUT, pour_options, picture, "PNG", "Draw the grains at the end."),
    CLI_OPTION("save", CLI_TEXT, pour_options, save, "STATE", "Write the state at the end."),
    CLI_OPTION("resume", CLI_TEXT, pour_options, resume, "STATE",
               "Go on from a state of the same file, whose time may be longer now."),
    CLI_RUN_OPTIONS(pour_options),
};

typedef struct pour_job
{
    const pour_options* options;
    const char* path;
    cli_pour pour;
    wadi_io_tags tags;
    char* table; // text
    size_t table_size;
} pour_job;

// ---- states -------------------------------------------------------------------------------------

static cli_status pour_save(const pour_job* job)
{
    const wadi_grains* grains = job->pour.grains;
    const size_t size = wadi_grains_save_size(grains);
    void* bytes = malloc(size);
    if (bytes == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for a state of %zu bytes", size);
    }
    wadi_grains_save(grains, bytes);
    const cli_status status = cli_output_write_bytes(job->options->save, bytes, size);
    free(bytes);
    return status;
}

static cli_status pour_read_bytes(const char* path, unsigned char** bytes, size_t* size)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return cli_fail(CLI_FAILED, "cannot open state '%s': %s", path, strerror(errno));
    }
    const bool sized = fseek(file, 0, SEEK_END) == 0;
    const long end = sized ? ftell(file) : -1;
    *bytes = end >= 0 ? malloc((size_t)end + 1) : NULL;
    rewind(file);
    *size = *bytes != NULL ? fread(*bytes, 1, (size_t)end, file) : 0;
    const bool whole = *bytes != NULL && *size == (size_t)end;
    (void)fclose(file);
    return whole ? CLI_DONE : cli_fail(CLI_FAILED, "cannot read state '%s'", path);
}

static cli_status pour_resume(const pour_job* job)
{
    unsigned char* bytes = NULL;
    size_t size = 0;
    cli_status status = pour_read_bytes(job->options->resume, &bytes, &size);
    if (status == CLI_DONE)
    {
        const wadi_result result = wadi_grains_restore(job->pour.grains, bytes, size);
        status = result == WADI_OK ? CLI_DONE
                                   : cli_fail(CLI_FAILED, "state '%s': %s", job->options->resume,
                                              wadi_error_detail(job->pour.context));
    }
    free(bytes);
    return status;
}

// ---- outputs ------------------------------------------------------------------------------------

static cli_status pour_check_points(const pour_job* job, const char* path)
{
    return path != NULL ? cli_check_usage(job->pour.context,
                                          wadi_io_points_check_writable(job->pour.context, path))
                        : CLI_DONE;
}

static cli_status pour_check_apart(const pour_job* job, const char* input)
{
    const pour_options* o = job->options;
    const char* const outputs[] = {o->output,  o->contacts, o->table,
                                   o->picture, o->save,     o->run.report};
    return cli_output_check_all(outputs, sizeof outputs / sizeof *outputs, input);
}

static cli_status pour_check_outputs(const pour_job* job)
{
    CLI_TRY(pour_check_points(job, job->options->output));
    CLI_TRY(pour_check_points(job, job->options->contacts));
    return pour_check_apart(job, job->path);
}

static cli_status pour_draw(const pour_job* job, const wadi_grain* list, int32_t count)
{
    wadi_context* context = job->pour.context;
    const wadi_grain_picture_params params = wadi_grain_picture_params_default();
    uint8_t* rgb = malloc((size_t)params.width * (size_t)params.height * 3);
    if (rgb == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for a picture");
    }
    wadi_result result = wadi_grain_picture(context, list, count, NULL, NULL, NULL, &params, rgb);
    result = result == WADI_OK
                 ? wadi_io_picture_write_tagged(context, rgb, params.width, params.height,
                                                &job->tags, job->options->picture)
                 : result;
    free(rgb);
    return cli_check(context, result);
}

static cli_status pour_write_grains(const pour_job* job)
{
    const pour_options* o = job->options;
    const int32_t count = wadi_grains_count(job->pour.grains);
    wadi_grain* list = malloc(((size_t)count + 1) * sizeof *list);
    if (list == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for %d grains", count);
    }
    wadi_grains_read(job->pour.grains, list);
    cli_status status = CLI_DONE;
    if (o->output != NULL)
    {
        status = cli_check(job->pour.context, wadi_io_grains_write(job->pour.context, list, count,
                                                                   &job->tags, o->output));
    }
    if (status == CLI_DONE && o->picture != NULL)
    {
        status = count > 0 ? pour_draw(job, list, count)
                           : cli_fail(CLI_FAILED, "all grains are gone: there is nothing to draw");
    }
    free(list);
    return status;
}

static cli_status pour_write_contacts(const pour_job* job)
{
    wadi_context* context = job->pour.context;
    int64_t count = 0;
    CLI_TRY(cli_check(context, wadi_grains_contacts(job->pour.grains, NULL, 0, &count)));
    wadi_grain_contact* list = malloc(((size_t)count + 1) * sizeof *list);
    if (list == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for %lld contacts", (long long)count);
    }
    wadi_result result = wadi_grains_contacts(job->pour.grains, list, count, &count);
    result = result == WADI_OK
                 ? wadi_io_contacts_write(context, list, count, &job->tags, job->options->contacts)
                 : result;
    free(list);
    return cli_check(context, result);
}

static cli_status pour_write_report(const pour_job* job)
{
    json_t* root = cli_pour_json(&job->pour);
    (void)json_object_set_new(root, "origin", cli_trace_json(&job->tags));
    char* text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(root);
    const cli_status status = text != NULL ? cli_output_write(job->options->run.report, text)
                                           : cli_fail(CLI_FAILED, "out of memory");
    free(text);
    return status;
}

static cli_status pour_write_table(pour_job* job)
{
    const bool whole = fclose(job->pour.table) == 0;
    job->pour.table = NULL;
    return whole ? cli_output_write(job->options->table, job->table)
                 : cli_fail(CLI_FAILED, "out of memory for the table");
}

static cli_status pour_write(pour_job* job)
{
    const pour_options* o = job->options;
    CLI_TRY(o->table != NULL ? pour_write_table(job) : CLI_DONE);
    CLI_TRY(pour_write_grains(job));
    CLI_TRY(o->contacts != NULL ? pour_write_contacts(job) : CLI_DONE);
    CLI_TRY(o->save != NULL ? pour_save(job) : CLI_DONE);
    return o->run.report != NULL ? pour_write_report(job) : CLI_DONE;
}

// ---- the command --------------------------------------------------------------------------------

// A mesh's file, whose name is relative to the file of the world.
static void pour_mesh_path(const pour_job* job, int32_t mesh, char* path, size_t size)
{
    const char* slash = strrchr(job->path, '/');
    const int folder = slash != NULL ? (int)(slash - job->path) + 1 : 0;
    const char* file = job->pour.file.meshes[mesh].file;
    (void)snprintf(path, size, "%.*s%s", file[0] == '/' ? 0 : folder, job->path, file);
}

// Origin of all outputs: the command and what it reads.
static cli_status pour_trace(pour_job* job)
{
    cli_trace_command(&job->tags, NULL);
    cli_trace_input(&job->tags, job->pour.context, job->path);
    for (int32_t m = 0; m < job->pour.file.mesh_count; ++m)
    {
        char path[8192];
        pour_mesh_path(job, m, path, sizeof path);
        CLI_TRY(pour_check_apart(job, path));
        cli_trace_input(&job->tags, job->pour.context, path);
    }
    return CLI_DONE;
}

static cli_status pour_open_table(pour_job* job)
{
    if (job->options->table != NULL)
    {
        job->pour.table = open_memstream(&job->table, &job->table_size);
        return job->pour.table != NULL ? CLI_DONE
                                       : cli_fail(CLI_FAILED, "out of memory for the table");
    }
    return CLI_DONE;
}

static cli_status pour_work(pour_job* job)
{
    const pour_options* o = job->options;
    cli_pour* pour = &job->pour;
    CLI_TRY(pour_check_outputs(job));
    CLI_TRY(cli_check(pour->context, wadi_io_pour_read(pour->context, job->path, o->settings.items,
                                                       o->settings.count, &pour->file)));
    CLI_TRY(cli_check(pour->context,
                      wadi_io_pour_make(pour->context, &pour->file, job->path, &pour->grains)));
    CLI_TRY(pour_trace(job));
    CLI_TRY(o->resume != NULL ? pour_resume(job) : CLI_DONE);
    CLI_TRY(pour_open_table(job));
    CLI_TRY(cli_pour_run(pour));
    CLI_TRY(pour_write(job));
    cli_pour_print(pour);
    return CLI_DONE;
}

static cli_status pour_run(const cli_command* command, int argc, char** argv)
{
    pour_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    cli_session session;
    CLI_TRY(cli_session_open(&options.run, &session));
    pour_job job = {
        .options = &options, .path = operands.items[0], .pour = {.context = session.context}};
    const cli_status status = pour_work(&job);
    if (job.pour.table != NULL)
    {
        (void)fclose(job.pour.table);
    }
    free(job.table);
    wadi_grains_destroy(job.pour.grains);
    wadi_io_pour_free(&job.pour.file);
    wadi_io_tags_free(&job.tags);
    cli_session_close(&session);
    return status;
}

static void pour_help(void)
{
    (void)printf("\nVALUES OF world\n");
    cli_help_fields(&wadi_grains_fields);
    (void)printf("\nVALUES OF materials\n");
    cli_help_fields(&wadi_grain_material_fields);
}

const cli_command cli_pour_command = {
    .name = "pour",
    .summary = "move grains among meshes, with feeders and sinks",
    .usage = "FILE.yaml [-o GRAINS.vtp] [--table ROWS.csv] [--picture PNG]",
    .details =
        "Reads a world of grains: meshes (OBJ or STL) that rest, move, turn, shake or are taken "
        "away, planes, feeders that grains come from and sinks that take them. Moves the grains "
        "until the file's time and prints the books of grains and masses, and what acts on each "
        "mesh. docs/pour.md describes the file.",
    .examples = "wadi pour scenes/grains/hopper.yaml -o hopper.vtp --picture hopper.png\n"
                "wadi pour scenes/grains/drum.yaml --table drum.csv --set meshes.0.spin=3rad/s\n"
                "wadi pour hopper.yaml --set time=1s --save half.state\n"
                "wadi pour hopper.yaml --resume half.state -o hopper.vtp",
    .options = pour_option_list,
    .option_count = sizeof pour_option_list / sizeof pour_option_list[0],
    .min_operands = 1,
    .max_operands = 1,
    .help_more = pour_help,
    .run = pour_run,
};
