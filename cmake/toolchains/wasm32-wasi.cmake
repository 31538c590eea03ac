# SPDX-License-Identifier: MIT
# WebAssembly with WASI, by Debian's clang and wasi-libc; its programs run under node. It has no
# threads, so WADI_THREADS=AUTO turns them off.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar)
set(CMAKE_RANLIB llvm-ranlib)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
# long double, which only tests use, has 128 bits, and the stack is 64 KiB unless one asks for more;
# with -O0 here clang does not run wasm-opt, where it is installed, after linking
set(CMAKE_EXE_LINKER_FLAGS_INIT "-lc-printscan-long-double -Wl,-z,stack-size=1048576 -O0")
set(CMAKE_FIND_ROOT_PATH /usr/include/wasm32-wasi /usr/lib/wasm32-wasi)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR node --no-warnings ${CMAKE_CURRENT_LIST_DIR}/../../test/ports/wasi.mjs)
