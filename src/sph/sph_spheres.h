// SPDX-License-Identifier: MIT
// Spheres among particles: who meets whom, and what comes of it.
#pragma once

#include "sph/sph.h"

// Where meetings of a sphere go; NULL: they are counted. They are sought a skin farther than a
// sphere reaches, so that they hold as long as the list does.
typedef struct sph_search
{
    const wadi_sph* sph;
    const wadi_sph_sphere* is;
    double reach;
    sph_meeting* out;
    int32_t count;
} sph_search;

// A search around a sphere as far as it matters to water: to what touches it where it is tight.
sph_search sph_search_of(const wadi_sph* sph, int32_t sphere);
void sph_search_run(sph_search* search);
// Where the meetings of a sphere begin; NULL: no sphere has any.
sph_meeting* sph_meetings_of(const wadi_sph* sph, int32_t sphere);
// How far particles that were found are from the sphere now.
void sph_search_measure(const sph_search* search);

// Distance from its centre at which a particle touches a sphere.
double sph_touching(const wadi_sph* sph, const wadi_sph_sphere* is);

// How a sphere spreads over the space around the particles that were found.
void sph_sphere_spread(const wadi_sph* sph, const sph_search* near);

// What the water that was found does to a sphere: forces into meetings and into the sphere.
void sph_sphere_flow(const wadi_sph* sph, sph_sphere* sphere, const sph_search* near);
void sph_sphere_touch(const wadi_sph* sph, sph_sphere* sphere, const sph_search* near);
