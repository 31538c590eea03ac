// SPDX-License-Identifier: MIT
// Lakes and streams that a picture shows where the terrain has no water of its own.
#pragma once

#include "maps/render/relief.h"

// Add lakes to `relief->water` and fill `relief->rivers`, as the parameters say.
wadi_result wadi_waters_draw(render_relief* relief, const wadi_render_scene* scene,
                             const wadi_render_params* params);
