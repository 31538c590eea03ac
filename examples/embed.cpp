// SPDX-License-Identifier: MIT
// Wadi from C++17: owners that free what they hold, and failures as exceptions.
#include <wadi/wadi.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// unique_ptr calls the function of the C interface that frees the object
template <auto destroy> struct Free
{
    template <class T> void operator()(T* object) const
    {
        destroy(object);
    }
};
using Context = std::unique_ptr<wadi_context, Free<wadi_context_destroy>>;
using Terrain = std::unique_ptr<wadi_terrain, Free<wadi_terrain_destroy>>;
using Solver = std::unique_ptr<wadi_solver, Free<wadi_solver_destroy>>;

void check(const wadi_context* context, wadi_result result)
{
    if (result != WADI_OK)
    {
        throw std::runtime_error(std::string(wadi_result_name(result)) + ": " +
                                 wadi_error_detail(context));
    }
}

Context make_context()
{
    wadi_context* made = nullptr;
    check(nullptr, wadi_context_create(nullptr, &made));
    return Context(made);
}

Terrain make_terrain(wadi_context* context, int size)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = size;
    wadi_terrain* made = nullptr;
    check(context, wadi_terrain_create(context, &def, &made));
    return Terrain(made);
}

Solver make_solver(wadi_terrain* terrain, const char* process)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* made = nullptr;
    check(context,
          wadi_solver_create(terrain, wadi_process_find(context, process), nullptr, 0, &made));
    return Solver(made);
}

// A borrowed view that is released at the end of its scope.
class View {
  public:
    View(wadi_terrain* terrain, wadi_layer layer) : terrain_(terrain), layer_(layer)
    {
        check(wadi_terrain_context(terrain), wadi_terrain_borrow(terrain, layer, &view_));
    }
    ~View()
    {
        wadi_terrain_release(terrain_, layer_);
    }
    View(const View&) = delete;
    View& operator=(const View&) = delete;
    float operator()(int x, int y) const
    {
        return view_.data[y * view_.stride + x];
    }

  private:
    wadi_terrain* terrain_;
    wadi_layer layer_;
    wadi_view view_ = {};
};

void run()
{
    constexpr int size = 128;
    const Context context = make_context(); // destroyed last
    const Terrain terrain = make_terrain(context.get(), size);
    std::vector<float> heights(size * size);
    const wadi_noise_params noise = wadi_noise_params_default();
    check(context.get(),
          wadi_noise_fill(context.get(), &noise, 7, size, size, 30.0, heights.data()));
    check(context.get(),
          wadi_terrain_set_layer(terrain.get(), WADI_LAYER_SURFACE, heights.data(), size));
    const Solver water = make_solver(terrain.get(), "hydraulic");
    check(context.get(), wadi_solver_advance(water.get(), 20000.0));
    const View surface(terrain.get(), WADI_LAYER_SURFACE);
    std::printf("height in the middle: %.2f m\n", double(surface(size / 2, size / 2)));
    try
    {
        check(context.get(), wadi_terrain_fill_layer(terrain.get(), WADI_LAYER_WATER, 1.0));
    } catch (const std::runtime_error& error)
    {
        std::printf("refused: %s\n", error.what());
    }
}

} // namespace

int main()
{
    try
    {
        run();
    } catch (const std::exception& error)
    {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
