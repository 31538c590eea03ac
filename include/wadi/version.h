// SPDX-License-Identifier: MIT
/// \file version.h
/// Version of these headers. Before 1.0 the second number changes when programs must be compiled
/// anew or adapted. The build reads its version from this file; there is no second place.
#pragma once

#define WADI_VERSION_MAJOR 0
#define WADI_VERSION_MINOR 2
#define WADI_VERSION_PATCH 0

/// One number to compare: 10000 x major + 100 x minor + patch.
#define WADI_VERSION (10000 * WADI_VERSION_MAJOR + 100 * WADI_VERSION_MINOR + WADI_VERSION_PATCH)

#define WADI_VERSION_TEXT(number) #number
#define WADI_VERSION_JOIN(major, minor, patch)                                                     \
    WADI_VERSION_TEXT(major) "." WADI_VERSION_TEXT(minor) "." WADI_VERSION_TEXT(patch)
/// The same as text, such as "0.1.0".
#define WADI_VERSION_STRING                                                                        \
    WADI_VERSION_JOIN(WADI_VERSION_MAJOR, WADI_VERSION_MINOR, WADI_VERSION_PATCH)
