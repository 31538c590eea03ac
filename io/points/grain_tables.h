// SPDX-License-Identifier: MIT
// Files of what acts between grains: contacts as points, and coarse-grained fields as a volume.
#pragma once

#include "io/tags.h"

#include <wadi/grain_contacts.h>
#include <wadi/grain_fields.h>

// Write a point at each contact, .vtp or .ply, with its kind, grains, normal, branch, overlap and
// forces. `tags`: the origin, or NULL.
wadi_result wadi_io_contacts_write(wadi_context* context, const wadi_grain_contact* contacts,
                                   int64_t count, const wadi_io_tags* tags, const char* path);

// Fail unless fields can be written to a file with the extension of `path`.
wadi_result wadi_io_fields_check_writable(wadi_context* context, const char* path);

// Write the cells of a grid as .vti (VTK ImageData), which ParaView cuts and contours.
wadi_result wadi_io_fields_write(wadi_context* context, const wadi_grain_grid* grid,
                                 const wadi_grain_cell* cells, const char* path);
