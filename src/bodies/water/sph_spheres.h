// SPDX-License-Identifier: MIT
// Spheres among particles: the contacts between them, and their forces.
#pragma once

#include "bodies/water/sph.h"

// Search for the contacts of a sphere; without `out` they are only counted. The search reaches a
// skin farther than the sphere, so that contacts are valid as long as the list.
typedef struct sph_search
{
    const wadi_sph* sph;
    const wadi_sph_sphere* is;
    double reach;
    sph_contact* out;
    int32_t count;
} sph_search;

// A search around a sphere up to its range of action on water; a watertight sphere acts by contact
// only.
sph_search wadi_sph_search_of(const wadi_sph* sph, int32_t sphere);
void wadi_sph_search_run(sph_search* search);
// First contact of a sphere; NULL: no sphere has any.
sph_contact* wadi_sph_contacts_of(const wadi_sph* sph, int32_t sphere);
// Update the distances of the particles that were found.
void wadi_sph_search_measure(const sph_search* search);

// Distance from its centre at which a particle touches a sphere.
double wadi_sph_touching(const wadi_sph* sph, const wadi_sph_sphere* is);

// Kernel of a sphere at a place that lies d before its centre, with its images behind walls.
double wadi_sph_sphere_kernel(const sph_search* near, const sph_mirrors* mirrors,
                              const double d[3]);
// Share of the space that it takes there, 2^-40.
int64_t wadi_sph_sphere_share(const sph_search* near, double kernel);
// The same for each found particle, and the weight of the particle among those found.
void wadi_sph_sphere_displace(const wadi_sph* sph, const sph_search* near);
// How full of water the space around a sphere is, from the shares of all spheres.
void wadi_sph_sphere_fill(const wadi_sph* sph, sph_sphere* sphere, const sph_search* near);
// Part of the room of a sphere that it takes from water, 2^-40.
int64_t wadi_sph_sphere_taken(const sph_sphere* sphere, const sph_contact* m);

// Forces between a sphere and the particles found, stored in contacts and in the sphere.
void wadi_sph_sphere_add_drag(const wadi_sph* sph, sph_sphere* sphere, const sph_search* near);
void wadi_sph_sphere_add_contact(const wadi_sph* sph, sph_sphere* sphere, const sph_search* near);
