# Compiler, linker and flags, the same for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(COTAN_CCACHE ccache)
if(COTAN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this sloppiness ccache refuses every file that uses a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${COTAN_CCACHE})
endif()
find_program(COTAN_MOLD mold)
if(COTAN_MOLD AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow)
if(COTAN_WERROR AND CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
  add_compile_options(-Werror)
endif()

# The same bits everywhere: g++ contracts a*b+c, vector intrinsics included, unless it is told not to. FMA itself is
# required, because rules use it explicitly. No other floating-point liberty is taken: errno is not a value.
add_compile_options(-ffp-contract=off -fno-math-errno)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=x86-64-v3)
endif()

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEV "-O2")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g -D_GLIBCXX_ASSERTIONS")
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g1 -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS")
if(COTAN_SANITIZE)
  add_compile_options(-fsanitize=${COTAN_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${COTAN_SANITIZE})
endif()

# *_tiles.cc and *_simd.cc are compiled once per instruction set (src/kernel/simd_targets.h); without AVX-512 sooner.
set(COTAN_TILE_DEFINITIONS "")
if(NOT COTAN_AVX512)
  list(APPEND COTAN_TILE_DEFINITIONS COTAN_TILES_BASELINE_ONLY)
endif()
