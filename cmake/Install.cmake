# SPDX-License-Identifier: MIT
# make install: libraries, headers, the command, and what find_package() and pkg-config read.
include(CMakePackageConfigHelpers)
set(WADI_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/wadi)

set(WADI_LIBRARIES wadi_static)
if(TARGET wadi_shared)
    list(APPEND WADI_LIBRARIES wadi_shared)
endif()
install(TARGETS ${WADI_LIBRARIES} EXPORT wadi_targets)
install(DIRECTORY include/wadi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT wadi_targets NAMESPACE wadi:: FILE wadi-targets.cmake DESTINATION ${WADI_CMAKE_DIR})
if(TARGET wadi)
    install(TARGETS wadi)
endif()

configure_package_config_file(cmake/wadi-config.cmake.in wadi-config.cmake
    INSTALL_DESTINATION ${WADI_CMAKE_DIR})
# before 1.0 a minor version may change the ABI
write_basic_package_version_file(wadi-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wadi-config.cmake ${PROJECT_BINARY_DIR}/wadi-config-version.cmake
    DESTINATION ${WADI_CMAKE_DIR})

set(WADI_PC_THREADS)
if(WADI_HAS_THREADS)
    set(WADI_PC_THREADS -pthread)
endif()
# The prefix is found from where wadi.pc lies, so that an installed tree can be moved. The way there depends
# on the folder of libraries: lib, lib64, lib/x86_64-linux-gnu.
set(WADI_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
set(WADI_PC_LIBDIR ${CMAKE_INSTALL_LIBDIR})
set(WADI_PC_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    file(RELATIVE_PATH WADI_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" WADI_PC_PREFIX "\${pcfiledir}/${WADI_PC_PREFIX}")
    set(WADI_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
    set(WADI_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/wadi.pc.in wadi.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/wadi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
