// SPDX-License-Identifier: MIT
/// \file wadi.h
/// The whole public interface of Wadi.
#pragma once

#include <wadi/airflow.h>
#include <wadi/amplify.h>
#include <wadi/base.h>
#include <wadi/body.h>
#include <wadi/coast.h>
#include <wadi/context.h>
#include <wadi/derive.h>
#include <wadi/dune_forms.h>
#include <wadi/dune_shapes.h>
#include <wadi/dunes.h>
#include <wadi/earth.h>
#include <wadi/edit.h>
#include <wadi/field.h>
#include <wadi/flood_route.h>
#include <wadi/flow.h>
#include <wadi/goal.h>
#include <wadi/grain_picture.h>
#include <wadi/grains.h>
#include <wadi/hydraulic.h>
#include <wadi/land_forms.h>
#include <wadi/landslide.h>
#include <wadi/ledger.h>
#include <wadi/process.h>
#include <wadi/regulate.h>
#include <wadi/render.h>
#include <wadi/river_forms.h>
#include <wadi/riverbed.h>
#include <wadi/run.h>
#include <wadi/sand_drift.h>
#include <wadi/scene.h>
#include <wadi/seepage.h>
#include <wadi/session.h>
#include <wadi/soil_cover.h>
#include <wadi/solid.h>
#include <wadi/sph.h>
#include <wadi/stability.h>
#include <wadi/synthesis.h>
#include <wadi/talus.h>
#include <wadi/terrain.h>
#include <wadi/uplift.h>
#include <wadi/version.h>
#include <wadi/wet_grains.h>
#include <wadi/wind.h>
