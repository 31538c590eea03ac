# SPDX-License-Identifier: MIT
# Write a C file that holds the scenes of scenes/ as text, so that `wadi new` needs no files.
set(times ${CMAKE_CURRENT_SOURCE_DIR}/scene_times.csv)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${times})
file(STRINGS ${times} times REGEX "^[a-z0-9-]+,[0-9.e+]+$")
file(GLOB scenes CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/*.yaml)
set(texts "")
set(rows "")
foreach(scene ${scenes})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${scene})
    get_filename_component(name ${scene} NAME_WE)
    string(MAKE_C_IDENTIFIER ${name} id)
    file(READ ${scene} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND texts "static const unsigned char ${id}[] = {${bytes}0};\n")
    # its picture in the documentation, if there is one
    file(GLOB picture RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/pictures/${name}.jpg
        ${PROJECT_SOURCE_DIR}/docs/pictures/${name}.png)
    # its processor time, from bench/scenes.sh
    set(seconds ${times})
    list(FILTER seconds INCLUDE REGEX "^${name},")
    string(REGEX REPLACE "^.*," "" seconds "${seconds}")
    if(seconds STREQUAL "")
        set(seconds 0)
    endif()
    string(APPEND rows "    {\"${name}\", ${id}, \"${picture}\", ${seconds}},\n")
endforeach()

# What the scenes read, by the names that they use.
file(GLOB_RECURSE data CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/scenes
    ${PROJECT_SOURCE_DIR}/scenes/*.csv ${PROJECT_SOURCE_DIR}/scenes/*.tif ${PROJECT_SOURCE_DIR}/scenes/*.asc
    ${PROJECT_SOURCE_DIR}/scenes/*.obj)
set(files "")
foreach(file ${data})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/${file})
    string(MAKE_C_IDENTIFIER ${file} id)
    file(READ ${PROJECT_SOURCE_DIR}/scenes/${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND texts "static const unsigned char file_${id}[] = {${bytes}0};\n")
    string(APPEND files "    {\"${file}\", file_${id}, sizeof file_${id} - 1},\n")
endforeach()
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/templates.c.in ${CMAKE_CURRENT_BINARY_DIR}/templates.c @ONLY)
