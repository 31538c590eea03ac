// SPDX-License-Identifier: MIT
// Angles of repose: the default law, and angles that plants raise.
#include "core/dmath.h"
#include "laws/slopes/talus.h"

wadi_talus_law wadi_talus_law_default(void)
{
    return (wadi_talus_law){.repose = 33.0, .hysteresis = 0.5, .rock_repose = 90.0, .share = 0.25};
}

double wadi_talus_tangent(double degrees)
{
    const double angle = degrees * (3.14159265358979323846 / 180.0);
    return wadi_sin(angle) / wadi_cos(angle);
}

const float* wadi_talus_plant(const wadi_ground* ground, double bare, double held, float* tangents)
{
    const float low = (float)wadi_talus_tangent(bare);
    const float high = (float)wadi_talus_tangent(held);
    bool any = false;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        const float cover = (float)ground->vegetation[i] / 65535.0f;
        tangents[i] = low + cover * (high - low);
        any = any || ground->vegetation[i] != 0;
    }
    // in windows all of them decide alike, since tangents differ in their last bit from one law
    return wadi_partition_any(ground->part, any) ? tangents : NULL;
}
