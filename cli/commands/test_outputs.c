// SPDX-License-Identifier: MIT
#include "cli/commands/test_outputs.h"

#include "cli/output.h"
#include "cli/trace.h"

#include "io/points/grain_file.h"
#include "io/points/grain_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char* const cli_test_kinds[] = {"triaxial", "shear", "oedometer", NULL};

static wadi_grain_test* outputs_last(const cli_test_run* run)
{
    return run->tests[run->count - 1];
}

// --- the table ---

static void outputs_print_strength_row(double stress, const wadi_grain_test_result* r, bool shear)
{
    (void)printf("%10.4g Pa  peak %5.1f deg at strain %5.3f, last %5.1f deg; dilation %5.1f deg; "
                 "porosity %5.3f to %5.3f\n",
                 stress, r->peak_angle, r->peak.strain, r->last_angle, r->dilation,
                 r->start.porosity, r->last.porosity);
    if (shear)
    {
        (void)printf("               shear modulus %.4g Pa", r->shear_modulus);
    }
    else
    {
        (void)printf("               Young's modulus %.4g Pa, Poisson's ratio %.3f", r->young,
                     r->poisson);
    }
    (void)printf("; %d grains, stiffness %.4g, inertia %.2g, bonds %lld to %lld\n", r->grains,
                 r->stiffness, r->inertia, (long long)r->start.bonds, (long long)r->last.bonds);
}

static void outputs_print_oedometer_row(double stress, const wadi_grain_test_result* r)
{
    (void)printf(
        "%10.4g Pa  constrained modulus %.4g Pa; lateral over axial stress %.3f; unloading: "
        "Young's modulus %.4g Pa, Poisson's ratio %.3f; porosity %5.3f to %5.3f; %d "
        "grains, stiffness %.4g, inertia %.2g\n",
        stress, r->constrained, r->lateral_ratio, r->young, r->poisson, r->start.porosity,
        r->peak.porosity, r->grains, r->stiffness, r->inertia);
}

void cli_test_print(const cli_test_run* run)
{
    for (int32_t k = 0; k < run->count; ++k)
    {
        if (run->kind == WADI_GRAIN_TEST_OEDOMETER)
        {
            outputs_print_oedometer_row(run->stresses[k], &run->results[k]);
        }
        else
        {
            outputs_print_strength_row(run->stresses[k], &run->results[k],
                                       run->kind == WADI_GRAIN_TEST_SHEAR);
        }
    }
    if (run->has_strength)
    {
        const wadi_grain_strength* s = &run->strength;
        (void)printf("peak: cohesion %.4g Pa, friction angle %.1f deg (misfit %.1f %%); last: "
                     "cohesion %.4g Pa, friction angle %.1f deg\n",
                     s->cohesion, s->friction, 100.0 * s->misfit, s->last_cohesion,
                     s->last_friction);
    }
}

// --- curves ---

typedef struct outputs_text
{
    char* bytes;
    size_t size;
} outputs_text;

static void outputs_put_points(FILE* file, double stress, const wadi_grain_test* test)
{
    int32_t count = 0;
    const wadi_grain_test_point* points = wadi_grain_test_points(test, &count);
    for (int32_t i = 0; i < count; ++i)
    {
        const wadi_grain_test_point* p = &points[i];
        (void)fprintf(file, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%lld\n", stress, p->strain,
                      p->volume, p->axial, p->lateral, p->shear, p->porosity, p->coordination,
                      (long long)p->bonds);
    }
}

cli_status cli_test_write_curves(const cli_test_run* run, const char* path)
{
    outputs_text text = {NULL, 0};
    FILE* file = open_memstream(&text.bytes, &text.size);
    if (file == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for the curves");
    }
    (void)fputs("stress_Pa,strain,volume_strain,axial_Pa,lateral_Pa,shear_Pa,porosity,coordination,"
                "bonds\n",
                file);
    for (int32_t k = 0; k < run->count; ++k)
    {
        outputs_put_points(file, run->stresses[k], run->tests[k]);
    }
    const bool whole = fclose(file) == 0;
    const cli_status status =
        whole ? cli_output_write(path, text.bytes) : cli_fail(CLI_FAILED, "out of memory");
    free(text.bytes);
    return status;
}

// --- the report ---

static json_t* outputs_point(const wadi_grain_test_point* p)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:I}", "strain", p->strain,
                     "volume_strain", p->volume, "axial_Pa", p->axial, "lateral_Pa", p->lateral,
                     "shear_Pa", p->shear, "porosity", p->porosity, "coordination", p->coordination,
                     "bonds", (json_int_t)p->bonds);
}

static void outputs_set(json_t* object, const char* key, double value)
{
    (void)json_object_set_new(object, key, json_real(value));
}

// What a kind of test measures, and nothing else.
static json_t* outputs_result(wadi_grain_test_kind kind, double stress,
                              const wadi_grain_test_result* r)
{
    json_t* out =
        json_pack("{s:f, s:i, s:I, s:f, s:f, s:f, s:o}", "stress_Pa", stress, "grains", r->grains,
                  "steps", (json_int_t)r->steps, "stiffness", r->stiffness, "inertia", r->inertia,
                  "unbalanced", r->unbalanced, "start", outputs_point(&r->start));
    outputs_set(out, "shear_modulus_Pa", r->shear_modulus);
    if (kind != WADI_GRAIN_TEST_SHEAR)
    {
        outputs_set(out, "young_Pa", r->young);
        outputs_set(out, "poisson", r->poisson);
    }
    if (kind == WADI_GRAIN_TEST_OEDOMETER)
    {
        outputs_set(out, "constrained_Pa", r->constrained);
        outputs_set(out, "lateral_ratio", r->lateral_ratio);
        (void)json_object_set_new(out, "highest", outputs_point(&r->peak));
        return out;
    }
    (void)json_object_set_new(out, "peak", outputs_point(&r->peak));
    (void)json_object_set_new(out, "last", outputs_point(&r->last));
    outputs_set(out, "peak_angle_degree", r->peak_angle);
    outputs_set(out, "last_angle_degree", r->last_angle);
    outputs_set(out, "dilation_degree", r->dilation);
    return out;
}

static json_t* outputs_strength(const wadi_grain_strength* s)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f}", "cohesion_Pa", s->cohesion, "friction_degree",
                     s->friction, "last_cohesion_Pa", s->last_cohesion, "last_friction_degree",
                     s->last_friction, "misfit", s->misfit);
}

cli_status cli_test_write_report(const cli_test_run* run, json_t* settings,
                                 const wadi_io_tags* tags, const char* path)
{
    json_t* specimens = json_array();
    for (int32_t k = 0; k < run->count; ++k)
    {
        (void)json_array_append_new(specimens,
                                    outputs_result(run->kind, run->stresses[k], &run->results[k]));
    }
    json_t* root = json_pack("{s:s, s:s, s:o, s:o, s:o}", "version", wadi_version(), "test",
                             cli_test_kinds[run->kind], "parameters", settings, "specimens",
                             specimens, "origin", cli_trace_json(tags));
    if (run->has_strength)
    {
        (void)json_object_set_new(root, "strength", outputs_strength(&run->strength));
    }
    char* text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(root);
    const cli_status status =
        text != NULL ? cli_output_write(path, text) : cli_fail(CLI_FAILED, "out of memory");
    free(text);
    return status;
}

// --- grains, contacts and fields of the last specimen ---

cli_status cli_test_write_grains(wadi_context* context, const cli_test_run* run,
                                 const wadi_io_tags* tags, const char* path)
{
    const wadi_grains* grains = wadi_grain_test_grains(outputs_last(run));
    const int32_t count = wadi_grains_count(grains);
    wadi_grain* list = malloc((size_t)count * sizeof *list);
    if (list == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for %d grains", count);
    }
    wadi_grains_read(grains, list);
    const cli_status status =
        cli_check(context, wadi_io_grains_write(context, list, count, tags, path));
    free(list);
    return status;
}

cli_status cli_test_write_contacts(wadi_context* context, const cli_test_run* run,
                                   const wadi_io_tags* tags, const char* path)
{
    wadi_grains* grains = wadi_grain_test_grains(outputs_last(run));
    int64_t count = 0;
    CLI_TRY(cli_check(context, wadi_grains_contacts(grains, NULL, 0, &count)));
    wadi_grain_contact* contacts = malloc(((size_t)count + 1) * sizeof *contacts);
    if (contacts == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for %lld contacts", (long long)count);
    }
    wadi_result result = wadi_grains_contacts(grains, contacts, count, &count);
    result =
        result == WADI_OK ? wadi_io_contacts_write(context, contacts, count, tags, path) : result;
    free(contacts);
    return cli_check(context, result);
}

static wadi_grain_grid outputs_grid(const wadi_grain_test* test, double width)
{
    wadi_grain_grid grid = {.cell_size = width, .width = width};
    double high[3];
    wadi_grain_test_box(test, grid.low, high);
    for (int c = 0; c < 3; ++c)
    {
        grid.cells[c] = 1 + (int32_t)floor((high[c] - grid.low[c]) / width);
    }
    return grid;
}

cli_status cli_test_write_fields(wadi_context* context, const cli_test_run* run, double width,
                                 const char* path)
{
    const wadi_grain_grid grid = outputs_grid(outputs_last(run), width);
    const size_t count = (size_t)grid.cells[0] * (size_t)grid.cells[1] * (size_t)grid.cells[2];
    wadi_grain_cell* cells = malloc(count * sizeof *cells);
    if (cells == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for fields on %zu cells", count);
    }
    wadi_result result = wadi_grain_fields(wadi_grain_test_grains(outputs_last(run)), &grid, cells);
    result = result == WADI_OK ? wadi_io_fields_write(context, &grid, cells, path) : result;
    free(cells);
    return cli_check(context, result);
}
