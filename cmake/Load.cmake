# SPDX-License-Identifier: MIT
# Libraries that wadi_io loads when a file first needs them (io/libraries/library.h).
find_package(Threads QUIET)
option(WADI_LOAD "Load GDAL and NetCDF when a file first needs them; OFF: link them" ON)

# The name by which programs load a shared library: its SONAME. Empty where it has none.
function(wadi_soname file out)
    set(name)
    if(EXISTS "${file}" AND CMAKE_OBJDUMP)
        execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${file} OUTPUT_VARIABLE headers ERROR_QUIET)
        if(headers MATCHES "SONAME +([^ \n]+)")
            set(name ${CMAKE_MATCH_1})
        endif()
    endif()
    set(${out} "${name}" PARENT_SCOPE)
endfunction()

# The address sanitizer of clang looks up what throws exceptions when a program starts, and ends it when a
# library that came later, as GDAL in C++, throws one.
string(TOUPPER "CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}" flags)
set(WADI_LOADS ${WADI_LOAD})
if("${CMAKE_C_FLAGS} ${${flags}}" MATCHES "-fsanitize=[^ ]*address")
    set(WADI_LOADS OFF)
endif()

# Give a target the headers of GDAL and NetCDF, and the libraries by name or, where that cannot be, linked.
function(wadi_load_libraries target)
    get_target_property(gdal GDAL::GDAL LOCATION)
    set(netcdf ${NETCDF_LINK_LIBRARIES})
    list(FILTER netcdf INCLUDE REGEX "netcdf")
    list(GET netcdf 0 netcdf)
    wadi_soname("${gdal}" gdal_name)
    wadi_soname("${netcdf}" netcdf_name)
    if(WADI_LOADS AND gdal_name AND netcdf_name AND CMAKE_USE_PTHREADS_INIT)
        target_include_directories(${target} SYSTEM PRIVATE
            $<TARGET_PROPERTY:GDAL::GDAL,INTERFACE_INCLUDE_DIRECTORIES>
            $<TARGET_PROPERTY:PkgConfig::NETCDF,INTERFACE_INCLUDE_DIRECTORIES>)
        target_compile_definitions(${target} PUBLIC WADI_IO_LOADS=1 PRIVATE
            WADI_IO_GDAL_FILE="${gdal_name}" WADI_IO_GDAL_PATH="${gdal}"
            WADI_IO_NETCDF_FILE="${netcdf_name}" WADI_IO_NETCDF_PATH="${netcdf}")
        target_link_libraries(${target} PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
    else()
        target_compile_definitions(${target} PUBLIC WADI_IO_LOADS=0)
        target_link_libraries(${target} PRIVATE GDAL::GDAL PkgConfig::NETCDF)
    endif()
endfunction()
