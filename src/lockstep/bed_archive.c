// SPDX-License-Identifier: MIT
// State of a bed between two steps: matter that has found no place, and the maps.
#include "lockstep/bed.h"

wadi_result wadi_particle_bed_archive(particle_bed* bed, wadi_archive* archive)
{
    const wadi_ground* ground = bed->ground;
    float* const maps[] = {bed->visits, bed->wear, bed->deposit};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; ++i)
    {
        wadi_archive_grid(archive, maps[i], sizeof *maps[i], ground->width, ground->height);
    }
    int64_t* sums;
    particle_cell* cells = bed->workers[0].cells;
    WADI_ALLOC(bed->context, sums, ground->cells, "matter without a place");
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        sums[i] = particle_matter(cells[i].sum);
    }
    wadi_archive_grid(archive, sums, sizeof *sums, ground->width, ground->height);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        cells[i].sum = particle_matter(sums[i]);
    }
    wadi_free(bed->context, sums);
    return wadi_archive_result(archive);
}
