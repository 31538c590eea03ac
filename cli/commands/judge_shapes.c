// SPDX-License-Identifier: MIT
// The shapes of `wadi judge dunes`: crests, slip faces, bodies and stars, and their picture.
#include "cli/commands/judge_kinds.h"
#include "cli/json_number.h"
#include "cli/output.h"

#include "io/raster/raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SHAPES_SIDE = 1000 // pixels of the longer side, about
};

cli_status cli_judge_check_picture(const char* path)
{
    if (path == NULL)
    {
        return CLI_DONE;
    }
    const char* dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".png") == 0
               ? cli_output_check(path)
               : cli_fail(CLI_USAGE, "%s: pictures are PNG; name it .png", path);
}

static cli_status shapes_draw(const cli_judge_job* job, const uint16_t* marks)
{
    const int32_t side =
        job->field.width > job->field.height ? job->field.width : job->field.height;
    const int32_t whole = SHAPES_SIDE / side;
    const int32_t scale = whole < 1 ? 1 : whole > 16 ? 16 : whole;
    const int32_t width = job->field.width * scale;
    const int32_t height = job->field.height * scale;
    uint8_t* pixels = malloc((size_t)width * (size_t)height * 3);
    if (pixels == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for the picture");
    }
    wadi_result result = wadi_dune_marks_draw(job->context, &job->field, marks, scale, pixels);
    result = result == WADI_OK ? wadi_io_picture_write_tagged(job->context, pixels, width, height,
                                                              &job->tags, job->options->picture)
                               : result;
    free(pixels);
    return cli_check(job->context, result);
}

cli_status cli_judge_shapes_measure(const cli_judge_job* job, double drift, wadi_dune_shapes* out)
{
    const wadi_dune_field field = {job->field, job->sand.values};
    uint16_t* marks = NULL;
    if (job->options->picture != NULL)
    {
        marks = calloc((size_t)job->field.width * (size_t)job->field.height, sizeof *marks);
        if (marks == NULL)
        {
            return cli_fail(CLI_FAILED, "out of memory for the marks of dunes");
        }
    }
    cli_status status =
        cli_check(job->context, wadi_dune_shapes_measure(job->context, &field, drift, out, marks));
    status = status == CLI_DONE && marks != NULL ? shapes_draw(job, marks) : status;
    free(marks);
    return status;
}

// A length in metres or kilometres.
static void shapes_print_length(double metres)
{
    if (metres < 1000.0)
    {
        (void)printf("%.0f m", metres);
    }
    else
    {
        (void)printf("%.4g km", 1e-3 * metres);
    }
}

static const char* shapes_plural(int32_t count, const char* one, const char* many)
{
    return count == 1 ? one : many;
}

void cli_judge_shapes_print(const wadi_dune_shapes* s)
{
    (void)printf("crests   ");
    shapes_print_length(s->crests);
    (void)printf(" in %d %s, %d %s, %d %s\n", (int)s->lines,
                 shapes_plural(s->lines, "line", "lines"), (int)s->junctions,
                 shapes_plural(s->junctions, "junction", "junctions"), (int)s->ends,
                 shapes_plural(s->ends, "end", "ends"));
    (void)printf("slips    %d slip %s with ", (int)s->faces,
                 shapes_plural(s->faces, "face", "faces"));
    shapes_print_length(s->brinks);
    (void)printf(" of brinks\n");
    (void)printf("bodies   %d, %d of them free: %d with two horns, %d with one\n", (int)s->bodies,
                 (int)s->free, (int)s->crescents, (int)s->one_horn);
    if (s->stars > 0)
    {
        (void)printf("stars    %d with %.1f arms each\n", (int)s->stars, s->arms);
    }
    if (s->small > 0)
    {
        (void)printf("small    %d crests of %.2g m on the flanks of larger dunes, %.3g m apart\n",
                     (int)s->small, s->small_height, s->small_spacing);
    }
}

json_t* cli_judge_shapes_json(const wadi_dune_shapes* s)
{
    json_t* root = json_pack("{s:f, s:i, s:i, s:i, s:i, s:f, s:i, s:i, s:i, s:i}", "crests_m",
                             s->crests, "lines", (int)s->lines, "junctions", (int)s->junctions,
                             "ends", (int)s->ends, "slip_faces", (int)s->faces, "brinks_m",
                             s->brinks, "bodies", (int)s->bodies, "free", (int)s->free, "crescents",
                             (int)s->crescents, "one_horn", (int)s->one_horn);
    (void)json_object_set_new(root, "stars", json_integer(s->stars));
    (void)json_object_set_new(root, "arms", cli_json_number(s->arms));
    (void)json_object_set_new(root, "small", json_integer(s->small));
    (void)json_object_set_new(root, "small_crests_m", cli_json_number(s->small_crests));
    (void)json_object_set_new(root, "small_height_m", cli_json_number(s->small_height));
    (void)json_object_set_new(root, "small_spacing_m", cli_json_number(s->small_spacing));
    return root;
}
