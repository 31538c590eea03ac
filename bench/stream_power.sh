#!/bin/bash
# SPDX-License-Identifier: MIT
# One step of the stream power law in Wadi and in two peers: user seconds for a step on one thread,
# all programs in turn, and the ratio. fastscapelib (GPL) and fastscapelib-fortran (GPL) are run as
# programs of their own for the comparison, and never linked.
#
#   bench/stream_power.sh FOLDER [SIDE STEPS TURNS]    default 1024 10 3
#
# FOLDER holds clones of github.com/fastscape-lem/fastscapelib and fastscapelib-fortran, and of
# github.com/xtensor-stack/xtensor (0.26.0) and xtl (0.8.0). Needs gfortran and g++ with C++20.
set -euo pipefail
folder=$(realpath "${1:?a folder with clones of the peers; see the head of this script}")
side=${2:-1024} steps=${3:-10} turns=${4:-3}
cd "$(dirname "$0")/.."
wadi=$PWD/${BUILD:-build/release}/cli/wadi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >cpu.c <<'END'
#include <sys/resource.h>
void user_cpu(double* t)
{
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    *t = r.ru_utime.tv_sec + 1e-6 * r.ru_utime.tv_usec;
}
END
cat >fortran.f90 <<'END'
program fortran ! SIDE FILE G STEPS
  integer :: n, i, steps
  character(256) :: s, f
  real, allocatable :: r(:)
  double precision :: g, t1, t2
  double precision, allocatable :: h(:), kf(:), kd(:)
  interface
    subroutine user_cpu(t) bind(C)
      double precision :: t
    end subroutine
  end interface
  call get_command_argument(1, s); read(s, *) n
  call get_command_argument(2, f)
  call get_command_argument(3, s); read(s, *) g
  call get_command_argument(4, s); read(s, *) steps
  allocate(r(n*n), h(n*n), kf(n*n), kd(n*n))
  kf = 5d-5; kd = 0
  open(9, file=f, access='stream', form='unformatted', status='old')
  read(9) r; h = r
  call FastScape_Init(); call FastScape_Set_NX_NY(n, n); call FastScape_Setup()
  call FastScape_Set_XL_YL((n-1)*30d0, (n-1)*30d0)
  call FastScape_Set_DT(1000d0); call FastScape_Init_H(h)
  ! p = -2: one receiver
  call FastScape_Set_Erosional_Parameters(kf, -1d0, .45d0, 1d0, kd, -1d0, g, g, -2d0)
  call FastScape_Set_BC(1111)
  do i = 1, steps
    call FastScape_Execute_Step()
    if (i == 1) call user_cpu(t1)
  end do
  call user_cpu(t2)
  print '(f9.4)', (t2 - t1) / (steps - 1)
end program
END
cat >library.cpp <<'END'
#include "fastscapelib/eroders/spl.hpp"
#include "fastscapelib/flow/flow_graph.hpp"
#include "fastscapelib/flow/flow_router.hpp"
#include "fastscapelib/flow/sink_resolver.hpp"
#include "fastscapelib/grid/raster_grid.hpp"
#include "xtensor/containers/xarray.hpp"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
namespace fs = fastscapelib;
extern "C" void user_cpu(double*);
int main(int, char** v) // SIDE FILE pflood|mst STEPS
{
    const size_t n = atoi(v[1]);
    const int steps = atoi(v[4]);
    std::vector<float> r(n * n);
    FILE* f = fopen(v[2], "rb");
    if (!f || fread(r.data(), 4, n * n, f) != n * n)
        return 1;
    fs::raster_grid<> grid({{n, n}}, {30., 30.}, fs::node_status::fixed_value);
    using graph = fs::flow_graph<fs::raster_grid<>>;
    graph g = !strcmp(v[3], "pflood")
                  ? graph(grid, {fs::pflood_sink_resolver(), fs::single_flow_router()})
                  : graph(grid, {fs::single_flow_router(), fs::mst_sink_resolver()});
    auto eroder = fs::make_spl_eroder(g, 5e-5, .45, 1., 1e-3);
    double t1 = 0, t2;
    xt::xarray<double> h = xt::empty<double>({n, n}), a = h;
    std::copy(r.begin(), r.end(), h.begin());
    for (int i = 0; i < steps; i++)
    {
        g.update_routes(h);
        g.accumulate(a, 1.);
        h -= eroder.erode(h, a, 1000.);
        if (!i)
            user_cpu(&t1);
    }
    user_cpu(&t2);
    printf("%9.4f\n", (t2 - t1) / (steps - 1));
}
END
gcc -O2 -c cpu.c
g++ -std=c++20 -O3 -DNDEBUG -I"$folder/xtensor/include" -I"$folder/xtl/include" \
    -I"$folder/fastscapelib/include" library.cpp cpu.o -o library -pthread
cmake -S "$folder/fastscapelib-fortran" -B peer -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build peer >/dev/null
gfortran -O3 fortran.f90 cpu.o peer/libfastscapelib_fortran.a -o fortran

"$wadi" synth noise -o ground.r32 --kind fbm --size "${side}x$side" --set relief=1000m \
    --set gain=0.6 --seed 1 --threads 1 >/dev/null
# user seconds of so many steps, with reading and writing
user() {
    local TIMEFORMAT=%U
    { time "$wadi" erode hydraulic ground.r32 -o out.r32 --preset stream_power --for "${1}kyr" \
        --set max_step=1000 --set settling=3 --set channel_head=1 --set outside_slope=1000 \
        --threads 1 --progress none >/dev/null; } 2>&1
}
for _ in $(seq "$turns"); do
    all=$(user $((steps + 1)))
    one=$(user 1)
    awk -v all="$all" -v one="$one" -v n="$steps" \
        'BEGIN { printf "wadi, G = 3            %9.4f\n", (all - one) / n }'
    printf 'fastscapelib, pflood   %s\n' "$(./library "$side" ground.r32 pflood $((steps + 1)))"
    printf 'fastscapelib, mst      %s\n' "$(./library "$side" ground.r32 mst $((steps + 1)))"
    printf 'fortran, G = 3         %s\n' "$(./fortran "$side" ground.r32 3 $((steps + 1)))"
    printf 'fortran, G = 0         %s\n' "$(./fortran "$side" ground.r32 0 $((steps + 1)))"
done | tee rows
# medians, and ratios to the first
awk '{ t = $NF; $NF = ""; v[$0] = v[$0] " " t; if (!($0 in seen)) { seen[$0] = 1; name[++n] = $0 } }
     END { for (i = 1; i <= n; ++i) { m = split(v[name[i]], x, " ")
             for (j = 1; j <= m; ++j) for (k = j + 1; k <= m; ++k)
                 if (x[k] + 0 < x[j] + 0) { s = x[j]; x[j] = x[k]; x[k] = s }
             median = x[int((m + 1) / 2)]; if (i == 1) first = median
             printf "%-22s median %.4f s, %.2f times\n", name[i], median, median / first } }' rows
