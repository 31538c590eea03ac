# SPDX-License-Identifier: MIT
# What the unit tests need and Debian has for this machine's platform only: cmocka, of which cmocka.h
# here has the part that they use, and Random123, which is headers alone.
add_library(PkgConfig::CMOCKA INTERFACE IMPORTED)
target_include_directories(PkgConfig::CMOCKA INTERFACE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_BINARY_DIR}/include)
find_path(RANDOM123_INCLUDE Random123/philox.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH)
if(NOT RANDOM123_INCLUDE)
    message(FATAL_ERROR "The tests need Random123 (Debian: librandom123-dev); -DWADI_TESTS=OFF leaves them out")
endif()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
file(CREATE_LINK ${RANDOM123_INCLUDE}/Random123 ${CMAKE_BINARY_DIR}/include/Random123 SYMBOLIC)
