# Language level, warnings, sanitizers, compiler cache and linker: the same for every room.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# One way for libraries and programs, or they could not share precompiled headers.
add_compile_options(-fPIC)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")

add_compile_options(-Wall -Wextra -Wshadow -Werror
                    "$<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor;-Woverloaded-virtual>")
# Designated initializers name what differs from the default; the rest is the default on purpose.
add_compile_options(-Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of g++ 12 inside std::string at -O2 (GCC bugs 105329 and 105651).
  add_compile_options(-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
# Paths out of debug information and __FILE__: a checkout elsewhere hits the same compiler cache.
add_compile_options("-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=")

if(ASHLAR_SANITIZE)
  add_compile_options("-fsanitize=${ASHLAR_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options("-fsanitize=${ASHLAR_SANITIZE}")
endif()

find_program(ASHLAR_CCACHE ccache)
if(ASHLAR_CCACHE)
  # Precompiled headers need the sloppiness; the base folder lets another checkout share the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_NOHASHDIR=1;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;${ASHLAR_CCACHE}")
endif()

find_program(ASHLAR_MOLD mold)
if(ASHLAR_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
endif()
