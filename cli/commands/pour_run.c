// SPDX-License-Identifier: MIT
#include "cli/commands/pour_run.h"

#include <math.h>

// ---- time ---------------------------------------------------------------------------------------

static int64_t pour_steps(const cli_pour* pour)
{
    return wadi_grains_summarize(pour->grains).steps;
}

static int64_t pour_step_of(const cli_pour* pour, double time)
{
    return (int64_t)llround(time / wadi_grains_step(pour->grains));
}

static bool pour_mesh_is_there(const cli_pour* pour, int32_t mesh)
{
    const double until = pour->file.meshes[mesh].until;
    return until <= 0.0 || pour_steps(pour) < pour_step_of(pour, until);
}

// ---- the table ----------------------------------------------------------------------------------

static wadi_grain_mesh_reading pour_reading(const cli_pour* pour, int32_t mesh)
{
    wadi_grain_mesh_reading reading = {.touches = 0};
    if (wadi_grains_read_mesh(pour->grains, mesh, &reading) != WADI_OK)
    {
        return (wadi_grain_mesh_reading){.touches = 0}; // it was taken away
    }
    return reading;
}

static void pour_put_head(const cli_pour* pour)
{
    (void)fputs("time_s,grains,mass_kg,come_kg,gone_kg,kinetic_J", pour->table);
    for (int32_t m = 0; m < pour->file.mesh_count; ++m)
    {
        (void)fprintf(pour->table,
                      ",mesh_%d_force_x_N,mesh_%d_force_y_N,mesh_%d_force_z_N,mesh_%d_work_J", m, m,
                      m, m);
    }
    (void)fputc('\n', pour->table);
}

static void pour_put_row(const cli_pour* pour)
{
    const wadi_grain_books books = wadi_grains_books(pour->grains);
    const wadi_grains_summary now = wadi_grains_summarize(pour->grains);
    (void)fprintf(pour->table, "%.9g,%lld,%.9g,%.9g,%.9g,%.9g", now.time,
                  (long long)books.present.grains, books.present.mass, books.come.mass,
                  books.gone.mass, now.kinetic);
    for (int32_t m = 0; m < pour->file.mesh_count; ++m)
    {
        const wadi_grain_mesh_reading r = pour_reading(pour, m);
        (void)fprintf(pour->table, ",%.9g,%.9g,%.9g,%.9g", r.force[0], r.force[1], r.force[2],
                      r.work);
    }
    (void)fputc('\n', pour->table);
}

// ---- the run ------------------------------------------------------------------------------------

// Step of the next row, the next mesh that goes, or the end.
static int64_t pour_next(const cli_pour* pour, int64_t end)
{
    const int64_t now = pour_steps(pour);
    const double rows = floor((double)now * wadi_grains_step(pour->grains) / pour->file.every);
    int64_t next = end;
    for (int k = 0; k < 3; ++k)
    {
        const int64_t row = pour_step_of(pour, (rows + k) * pour->file.every);
        next = row > now && row < next ? row : next;
    }
    for (int32_t m = 0; m < pour->file.mesh_count; ++m)
    {
        const int64_t until = pour_step_of(pour, pour->file.meshes[m].until);
        next = until > now && until < next ? until : next;
    }
    return next;
}

static bool pour_is_row(const cli_pour* pour, int64_t end)
{
    const int64_t now = pour_steps(pour);
    const double rows =
        (double)llround((double)now * wadi_grains_step(pour->grains) / pour->file.every);
    return now == end || pour_step_of(pour, rows * pour->file.every) == now;
}

static wadi_result pour_take_meshes(cli_pour* pour)
{
    wadi_result result = WADI_OK;
    for (int32_t m = 0; m < pour->file.mesh_count && result == WADI_OK; ++m)
    {
        wadi_grain_mesh_reading ignored;
        if (!pour_mesh_is_there(pour, m) &&
            wadi_grains_read_mesh(pour->grains, m, &ignored) == WADI_OK)
        {
            result = wadi_grains_remove_mesh(pour->grains, m);
        }
    }
    return result;
}

cli_status cli_pour_run(cli_pour* pour)
{
    const int64_t end = pour_step_of(pour, pour->file.time);
    if (pour->table != NULL)
    {
        pour_put_head(pour);
        pour_put_row(pour);
    }
    CLI_TRY(cli_check(pour->context, pour_take_meshes(pour)));
    while (pour_steps(pour) < end)
    {
        const int64_t next = pour_next(pour, end);
        CLI_TRY(
            cli_check(pour->context, wadi_grains_advance(pour->grains, next - pour_steps(pour))));
        if (pour->table != NULL && pour_is_row(pour, end))
        {
            pour_put_row(pour);
        }
        CLI_TRY(cli_check(pour->context, pour_take_meshes(pour)));
    }
    return CLI_DONE;
}

// ---- results ------------------------------------------------------------------------------------

void cli_pour_print(const cli_pour* pour)
{
    const wadi_grain_books b = wadi_grains_books(pour->grains);
    const wadi_grains_summary now = wadi_grains_summarize(pour->grains);
    (void)printf("%.6g s: %lld grains came (%.6g kg), %lld went (%.6g kg), %lld are there (%.6g "
                 "kg); off by %lld grains and %lld units of mass\n",
                 now.time, (long long)b.come.grains, b.come.mass, (long long)b.gone.grains,
                 b.gone.mass, (long long)b.present.grains, b.present.mass,
                 (long long)(b.first.grains + b.come.grains - b.gone.grains - b.present.grains),
                 (long long)(b.first.units + b.come.units - b.gone.units - b.present.units));
    for (int32_t m = 0; m < pour->file.mesh_count; ++m)
    {
        const wadi_grain_mesh_reading r = pour_reading(pour, m);
        if (pour_mesh_is_there(pour, m))
        {
            (void)printf("%s: force %.4g, %.4g, %.4g N; torque %.4g, %.4g, %.4g N m; work %.4g "
                         "J; %lld contacts\n",
                         pour->file.meshes[m].file, r.force[0], r.force[1], r.force[2], r.torque[0],
                         r.torque[1], r.torque[2], r.work, (long long)r.touches);
        }
    }
}

static json_t* pour_tally(const wadi_grain_tally* tally)
{
    return json_pack("{s:I, s:f}", "grains", (json_int_t)tally->grains, "mass_kg", tally->mass);
}

static json_t* pour_meshes(const cli_pour* pour)
{
    json_t* list = json_array();
    for (int32_t m = 0; m < pour->file.mesh_count; ++m)
    {
        const wadi_grain_mesh_reading r = pour_reading(pour, m);
        (void)json_array_append_new(
            list, json_pack("{s:s, s:b, s:[fff], s:[fff], s:[fff], s:f, s:I}", "file",
                            pour->file.meshes[m].file, "is_there", pour_mesh_is_there(pour, m),
                            "force_N", r.force[0], r.force[1], r.force[2], "torque_Nm", r.torque[0],
                            r.torque[1], r.torque[2], "impulse_Ns", r.impulse[0], r.impulse[1],
                            r.impulse[2], "work_J", r.work, "contacts", (json_int_t)r.touches));
    }
    return list;
}

static json_t* pour_flows(const cli_pour* pour, bool feeders)
{
    json_t* list = json_array();
    const int32_t count = feeders ? pour->file.feeder_count : pour->file.sink_count;
    for (int32_t k = 0; k < count; ++k)
    {
        wadi_grain_tally tally = {.grains = 0};
        (void)(feeders ? wadi_grains_fed(pour->grains, k, &tally)
                       : wadi_grains_sunk(pour->grains, k, &tally));
        (void)json_array_append_new(list, pour_tally(&tally));
    }
    return list;
}

json_t* cli_pour_json(const cli_pour* pour)
{
    const wadi_grain_books books = wadi_grains_books(pour->grains);
    const wadi_grains_summary now = wadi_grains_summarize(pour->grains);
    char hash[20];
    (void)snprintf(hash, sizeof hash, "%016llx",
                   (unsigned long long)wadi_grains_hash(pour->grains));
    return json_pack(
        "{s:s, s:s, s:f, s:I, s:f, s:f, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o, "
        "s:s}",
        "version", wadi_version(), "name", pour->file.name, "time_s", now.time, "steps",
        (json_int_t)now.steps, "step_s", now.step, "kinetic_J", now.kinetic, "first",
        pour_tally(&books.first), "come", pour_tally(&books.come), "gone", pour_tally(&books.gone),
        "present", pour_tally(&books.present), "residual_grains",
        (json_int_t)(books.first.grains + books.come.grains - books.gone.grains -
                     books.present.grains),
        "residual_units",
        (json_int_t)(books.first.units + books.come.units - books.gone.units - books.present.units),
        "feeders", pour_flows(pour, true), "sinks", pour_flows(pour, false), "meshes",
        pour_meshes(pour), "state_hash", hash);
}
