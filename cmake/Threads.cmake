# SPDX-License-Identifier: MIT
# Threads are a matter of speed: without them the calling thread does all blocks, to the same bits.
set(WADI_THREADS AUTO CACHE STRING
    "Spread work over POSIX threads: ON, OFF, or AUTO: where the platform has them")
set(THREADS_PREFER_PTHREAD_FLAG ON)
if(WADI_THREADS STREQUAL AUTO)
    find_package(Threads)
    set(WADI_HAS_THREADS ${CMAKE_USE_PTHREADS_INIT})
elseif(WADI_THREADS)
    find_package(Threads REQUIRED)
    set(WADI_HAS_THREADS ON)
    if(NOT CMAKE_USE_PTHREADS_INIT)
        message(FATAL_ERROR "WADI_THREADS=ON needs POSIX threads, which this platform lacks; "
                            "-DWADI_THREADS=OFF builds without")
    endif()
else()
    set(WADI_HAS_THREADS OFF)
endif()
if(NOT WADI_HAS_THREADS)
    set(WADI_HAS_THREADS OFF)
    message(STATUS "Without threads: the calling thread does all work")
endif()
