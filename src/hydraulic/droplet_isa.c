// SPDX-License-Identifier: MIT
// Which build of the kernel runs: they agree to the bit, so this is a matter of speed alone.
#include "hydraulic/droplet_kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Best first.
static const droplet_isa isa_builds[] = {
#if defined(WADI_X86_KERNELS)
    {"avx512", droplet_steps_avx512, droplet_freeze_avx512, droplet_plan_avx512},
    {"avx2", droplet_steps_avx2, droplet_freeze_avx2, droplet_plan_avx2},
#endif
    {"base", droplet_steps_base, droplet_freeze_base, droplet_plan_base},
};

static bool isa_runs_here(const char* name)
{
#if defined(WADI_X86_KERNELS)
    if (strcmp(name, "avx512") == 0)
    {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    }
    if (strcmp(name, "avx2") == 0)
    {
        return __builtin_cpu_supports("avx2") != 0;
    }
#endif
    return strcmp(name, "base") == 0;
}

const droplet_isa* droplet_isa_named(const char* name)
{
    for (size_t i = 0; i < sizeof isa_builds / sizeof isa_builds[0]; ++i)
    {
        if (strcmp(isa_builds[i].name, name) == 0 && isa_runs_here(name))
        {
            return &isa_builds[i];
        }
    }
    return NULL;
}

const droplet_isa* droplet_isa_best(void)
{
    size_t i = 0;
    while (!isa_runs_here(isa_builds[i].name))
    {
        ++i;
    }
    return &isa_builds[i];
}
