// SPDX-License-Identifier: MIT
// The process "ice" of examples/ice.c: its parameters and its descriptor.
#pragma once

#include <wadi/process.h>

typedef struct ice_params
{
    uint32_t cookie;      // set by wadi_fields_init()
    double line;          // altitude where as much snow falls as melts [m]
    double gradient;      // change of the mass balance with height [1/yr]
    double snow;          // largest mass balance [m/yr of ice]
    double softness;      // A of Glen's law [Pa-3 s-1]
    double sliding;       // Budd's factor of sliding [Pa-3 m2 s-1]
    double constriction;  // length that slows sliding in narrow channels [m]; 0: none
    double abrasion;      // rock worn for each metre of sliding
    double till;          // factor by which loose matter is eroded faster than rock
    double release;       // ice that melts away in this time lays down its debris [yr]
    double washed;        // share of debris that meltwater carries away at the margin
    double max_step;      // of the ice and its bed [yr]
    double shortest_step; // of the ice alone [yr]
} ice_params;

extern const wadi_process ice_process; // for wadi_process_register()
