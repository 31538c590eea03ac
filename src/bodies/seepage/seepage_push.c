// SPDX-License-Identifier: MIT
// Force of pore pressure on the soil: on each face of a node acts the pressure there less the
// node's own, which acts equally from all sides. In still water the sum is buoyancy; contacts carry
// the rest of the weight, the effective stress (Terzaghi 1923).
#include "bodies/seepage/seepage.h"

typedef struct push_job
{
    const wadi_seepage* seepage;
    double (*out)[3];
} push_job;

static double push_way(double from, double to, double period)
{
    const double d = to - from;
    return period > 0.0 ? d - period * floor(d / period + 0.5) : d;
}

// Current pressure head and conductivity of every node, in the arrays that a step uses for its
// trial values.
static void push_weigh(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const push_job* job = data;
    const wadi_seepage* s = job->seepage;
    for (int32_t i = begin; i < end; ++i)
    {
        s->pressure[i] = wadi_seepage_pressure_at(s, i, seepage_now(s, i));
        s->wet[i] =
            s->soils[s->soil[i]].conductivity * wadi_seepage_wet_share(s, i, s->pressure[i]);
    }
}

// Pressure head on the face between two nodes: the flow through both halves of the link is the
// same, so most of the head is lost in the half that conducts less.
static double push_face(const wadi_seepage* s, int32_t i, int32_t j, double rise)
{
    const double p = s->pressure[i];
    const double q = s->pressure[j];
    const double gravity = s->params.gravity;
    const double a = s->wet[i];
    const double b = s->wet[j];
    const double fall = p - q - gravity * rise;
    const double share = a + b > 0.0 ? b / (a + b) : 0.5;
    return p - share * fall - 0.5 * gravity * rise;
}

static void push_rows(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const push_job* job = data;
    const wadi_seepage* s = job->seepage;
    const double period[3] = {s->params.period_x, s->params.period_y, 0.0};
    for (int32_t i = begin; i < end; ++i)
    {
        const double own = fmax(0.0, s->pressure[i]);
        double sum[3] = {0.0, 0.0, 0.0};
        for (int64_t k = s->links.first[i]; k < s->links.first[i + 1]; ++k)
        {
            const int32_t j = s->links.other[k];
            double way[3];
            for (int c = 0; c < 3; ++c)
            {
                way[c] = push_way(s->position[i][c], s->position[j][c], period[c]);
            }
            const double over = fmax(0.0, push_face(s, i, j, way[2])) - own;
            for (int c = 0; c < 3; ++c)
            {
                sum[c] -= s->links.section[k] * way[c] * over;
            }
        }
        for (int c = 0; c < 3; ++c)
        {
            job->out[i][c] = sum[c];
        }
    }
}

void wadi_seepage_push(const wadi_seepage* s, double (*out)[3])
{
    push_job job = {s, out};
    seepage_pass(s, push_weigh, &job);
    seepage_pass(s, push_rows, &job);
}
