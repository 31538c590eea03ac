// SPDX-License-Identifier: MIT
// A hopper of triangles is filled from a feeder, shaken, opened, and runs out into a sink.
//   hopper [PICTURE.ppm]      draws the grains half a second after the gate has opened
#include <wadi/wadi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    SIDES = 24,
    WIDTH = 480,
    HEIGHT = 480
};

// What lies between two circles about the z axis, at heights z[0] and z[1].
static wadi_result add_ring(wadi_grains* grains, const double z[2], const double radius[2],
                            int32_t* out)
{
    double vertices[2 * SIDES][3];
    int32_t triangles[2 * SIDES][3];
    for (int32_t k = 0; k < 2 * SIDES; ++k)
    {
        const double angle = 2.0 * 3.14159265358979323846 * (k % SIDES) / (double)SIDES;
        const int32_t end = k / SIDES;
        const int32_t next = (k + 1) % SIDES;
        vertices[k][0] = radius[end] * cos(angle);
        vertices[k][1] = radius[end] * sin(angle);
        vertices[k][2] = z[end];
        triangles[k][0] = k % SIDES;
        triangles[k][1] = end == 0 ? next : SIDES + next;
        triangles[k][2] = end == 0 ? SIDES + next : SIDES + k % SIDES;
    }
    const wadi_mesh mesh = {(const double(*)[3])vertices, 2 * SIDES, (const int32_t(*)[3])triangles,
                            2 * SIDES};
    const wadi_grain_motion shakes = {.swing = {0.0, 0.0, 0.001}, .frequency = 20.0};
    return wadi_grains_add_mesh(grains, &mesh, 0, &shakes, out);
}

static wadi_result add_hopper(wadi_grains* grains, int32_t* gate)
{
    const double cone[2] = {0.0, 0.25};
    const double cylinder[2] = {0.25, 1.5};
    const double bottom[2] = {0.0, 0.0};
    int32_t number;
    wadi_result result = add_ring(grains, cone, (double[2]){0.1, 0.35}, &number);
    result =
        result == WADI_OK ? add_ring(grains, cylinder, (double[2]){0.35, 0.35}, &number) : result;
    return result == WADI_OK ? add_ring(grains, bottom, (double[2]){1e-3, 0.1}, gate) : result;
}

static wadi_result add_flow(wadi_grains* grains)
{
    const wadi_grain_feeder feeder = {.low = {-0.2, -0.2, 0.7},
                                      .high = {0.2, 0.2, 1.3},
                                      .mass_rate = 100.0,
                                      .until = 0.8,
                                      .every = 0.01,
                                      .radius_low = 0.015,
                                      .radius_high = 0.025,
                                      .velocity = {0.0, 0.0, -1.0}};
    const wadi_grain_sink sink = {{-9.0, -9.0, -9.0}, {9.0, 9.0, -0.6}, 0.01};
    int32_t number;
    const wadi_result result = wadi_grains_add_feeder(grains, &feeder, &number);
    return result == WADI_OK ? wadi_grains_add_sink(grains, &sink, &number) : result;
}

static wadi_result pass(wadi_grains* grains, double seconds)
{
    return wadi_grains_advance(grains, (int64_t)(seconds / wadi_grains_step(grains)));
}

static void draw(wadi_context* context, const wadi_grains* grains, const char* path)
{
    wadi_grain_picture_params params = wadi_grain_picture_params_default();
    params.width = WIDTH;
    params.height = HEIGHT;
    const int32_t count = wadi_grains_count(grains);
    wadi_grain* list = calloc((size_t)count + 1, sizeof *list);
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    FILE* file = list != NULL ? fopen(path, "wb") : NULL;
    if (file != NULL)
    {
        wadi_grains_read(grains, list);
        if (wadi_grain_picture(context, list, count, NULL, NULL, NULL, &params, rgb) == WADI_OK)
        {
            (void)fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
            (void)fwrite(rgb, 1, sizeof rgb, file);
        }
        (void)fclose(file);
    }
    free(list);
}

static wadi_result run(wadi_context* context, wadi_grains* grains, const char* path)
{
    int32_t gate;
    wadi_result result = wadi_grains_expect(grains, 0.015, 0.025);
    result = result == WADI_OK ? add_hopper(grains, &gate) : result;
    result = result == WADI_OK ? add_flow(grains) : result;
    result = result == WADI_OK ? pass(grains, 1.3) : result;
    result = result == WADI_OK ? wadi_grains_remove_mesh(grains, gate) : result;
    result = result == WADI_OK ? pass(grains, 0.5) : result;
    if (result == WADI_OK && path != NULL)
    {
        draw(context, grains, path);
    }
    return result == WADI_OK ? pass(grains, 0.5) : result;
}

static void print_books(const wadi_grains* grains)
{
    const wadi_grain_books b = wadi_grains_books(grains);
    wadi_grain_mesh_reading cone;
    if (wadi_grains_read_mesh(grains, 0, &cone) == WADI_OK)
    {
        (void)printf("the grains press on the cone with %.1f N\n", -cone.force[2]);
    }
    (void)printf("%lld grains came (%.2f kg), %lld went (%.2f kg), %lld are left; off by %lld "
                 "grains and %lld units of mass\n",
                 (long long)b.come.grains, b.come.mass, (long long)b.gone.grains, b.gone.mass,
                 (long long)b.present.grains,
                 (long long)(b.first.grains + b.come.grains - b.gone.grains - b.present.grains),
                 (long long)(b.first.units + b.come.units - b.gone.units - b.present.units));
}

int main(int argc, char** argv)
{
    wadi_context* context;
    wadi_grains* grains = NULL;
    if (wadi_context_create(NULL, &context) != WADI_OK)
    {
        return 1;
    }
    const wadi_grains_params params = wadi_grains_params_default();
    const wadi_grain_material sand = wadi_grain_material_default();
    const wadi_grain first = {.position = {0.0, 0.0, 0.3}, .radius = 0.025};
    wadi_result result = wadi_grains_create(context, &params, &sand, 1, &first, 1, &grains);
    result = result == WADI_OK ? run(context, grains, argc > 1 ? argv[1] : NULL) : result;
    if (result == WADI_OK)
    {
        print_books(grains);
    }
    else
    {
        (void)fprintf(stderr, "hopper: %s\n", wadi_error_detail(context));
    }
    wadi_grains_destroy(grains);
    wadi_context_destroy(context);
    return result == WADI_OK ? 0 : 1;
}
