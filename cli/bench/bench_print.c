// SPDX-License-Identifier: MIT
// Output of a benchmark's rows as a table or JSON, with the machine they were measured on.
#include "cli/bench/bench.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct print_machine
{
    char cpu[128];
    long cores;
    const char* simd;
    const char* compiler;
} print_machine;

// Read the processor's name from /proc (Linux only).
static void print_read_cpu(char* out, size_t size)
{
    (void)snprintf(out, size, "unknown");
    FILE* file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
    {
        const char* colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL)
        {
            (void)snprintf(out, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file != NULL)
    {
        (void)fclose(file);
    }
}

static const char* print_simd(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") ? "avx512"
           : __builtin_cpu_supports("avx2")  ? "avx2"
                                             : "sse2";
#else
    return "base";
#endif
}

static print_machine print_look(void)
{
    print_machine machine = {.cores = sysconf(_SC_NPROCESSORS_ONLN), .simd = print_simd()};
#if defined(__clang__)
    machine.compiler = __VERSION__;
#else
    machine.compiler = "gcc " __VERSION__;
#endif
    print_read_cpu(machine.cpu, sizeof machine.cpu);
    return machine;
}

static double print_ratio(const bench_row* row)
{
    return row->less ? row->reference / row->value : row->value / row->reference;
}

void bench_print_table(const char* name, const bench_rows* rows)
{
    const print_machine machine = print_look();
    (void)printf("# %s on %s, %ld cores, %s, %s; median of %d\n", name, machine.cpu, machine.cores,
                 machine.simd, machine.compiler, BENCH_REPETITIONS);
    (void)printf("case,size,threads,metric,unit,value,reference,ratio\n");
    for (int32_t i = 0; i < rows->count; ++i)
    {
        const bench_row* row = &rows->rows[i];
        (void)printf("%s,%d,%d,%s,%s,%.4g,", row->name, row->size, row->threads, row->metric,
                     row->unit, row->value);
        if (isnan(row->reference))
        {
            (void)printf(",\n");
        }
        else
        {
            (void)printf("%.4g,%.3g\n", row->reference, print_ratio(row));
        }
    }
}

static json_t* print_number(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

static json_t* print_row(const bench_row* row)
{
    return json_pack("{s:s, s:i, s:i, s:s, s:s, s:o, s:o, s:o}", "case", row->name, "size",
                     (int)row->size, "threads", (int)row->threads, "metric", row->metric, "unit",
                     row->unit, "value", print_number(row->value), "reference",
                     print_number(row->reference), "ratio", print_number(print_ratio(row)));
}

void bench_print_json(const char* name, const bench_rows* rows)
{
    const print_machine machine = print_look();
    json_t* list = json_array();
    for (int32_t i = 0; i < rows->count; ++i)
    {
        (void)json_array_append_new(list, print_row(&rows->rows[i]));
    }
    json_t* root = json_pack("{s:s, s:{s:s, s:i, s:s, s:s}, s:o}", "bench", name, "machine", "cpu",
                             machine.cpu, "cores", (int)machine.cores, "simd", machine.simd,
                             "compiler", machine.compiler, "rows", list);
    (void)json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    (void)putchar('\n');
    json_decref(root);
}
