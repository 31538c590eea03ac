// SPDX-License-Identifier: MIT
// Alternating sums and differences of products, which vectorizers like to fuse. No part of any
// program: contraction.sh looks at its instructions.
void probe_turn(double* at, const double* along, double c, double s);
void probe_turn_all(float* restrict to, const float* restrict from, int count, float c, float s);

void probe_turn(double* at, const double* along, double c, double s)
{
    at[0] += along[0] * c - along[1] * s;
    at[1] += along[1] * c + along[0] * s;
}

void probe_turn_all(float* restrict to, const float* restrict from, int count, float c, float s)
{
    for (int i = 0; i + 1 < count; i += 2)
    {
        to[i] = from[i] * c - from[i + 1] * s;
        to[i + 1] = from[i + 1] * c + from[i] * s;
    }
}
