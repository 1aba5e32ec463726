# ashlar_room(NAME [ROOMS lower...] [LIBRARIES third-party...])
#
# One folder of src/ is one library (ashlar_NAME), one test program (ashlar_NAME_test), one benchmark program
# (ashlar_NAME_bench) and one fuzz program for each x_fuzz.cc. The file name says which it is:
#   x.cc product, x_test.cc test, x_testing.cc/.h test doubles (library ashlar_NAME_testing, also for the rooms above),
#   x_bench.cc benchmark, x_fuzz.cc fuzz target, x_module.cc built by the room's own CMakeLists.txt.
# Sources are found by name, so adding a file needs no edit here.
function(ashlar_room name)
  cmake_parse_arguments(ROOM "" "" "ROOMS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE all CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cc")
  list(FILTER all EXCLUDE REGEX "/(testdata|modules)/")
  set(tests ${all})
  set(benches ${all})
  set(fuzzers ${all})
  set(doubles ${all})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cc$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cc$")
  list(FILTER doubles INCLUDE REGEX "_testing\\.cc$")
  list(FILTER all EXCLUDE REGEX "(_(test|testing|bench|fuzz)|/main)\\.cc$")

  if(NOT all)
    return()
  endif()

  set(lower "")
  set(lower_doubles "")
  foreach(room ${ROOM_ROOMS})
    if(TARGET "ashlar_${room}")
      list(APPEND lower "ashlar_${room}")
    endif()
    if(TARGET "ashlar_${room}_testing")
      list(APPEND lower_doubles "ashlar_${room}_testing")
    endif()
  endforeach()

  add_library(ashlar_${name} STATIC ${all})
  target_link_libraries(ashlar_${name} PUBLIC ashlar_words ${lower} PRIVATE ${ROOM_LIBRARIES})
  ashlar_precompile(ashlar_${name} base)

  if(doubles AND ASHLAR_TESTS)
    add_library(ashlar_${name}_testing STATIC ${doubles})
    target_link_libraries(ashlar_${name}_testing PUBLIC ashlar_${name} ${lower_doubles} PRIVATE ${ROOM_LIBRARIES})
    ashlar_precompile(ashlar_${name}_testing base)
    list(APPEND lower_doubles ashlar_${name}_testing)
  endif()
  if(tests AND ASHLAR_TESTS)
    add_executable(ashlar_${name}_test ${tests})
    target_link_libraries(ashlar_${name}_test PRIVATE ashlar_${name} ${lower_doubles} ${ROOM_LIBRARIES}
                          GTest::gmock GTest::gtest_main)
    target_compile_definitions(ashlar_${name}_test PRIVATE
                               ASHLAR_TESTDATA="${CMAKE_CURRENT_SOURCE_DIR}/testdata"
                               ASHLAR_SOURCE_ROOT="${CMAKE_SOURCE_DIR}")
    ashlar_precompile(ashlar_${name}_test test)
    add_test(NAME ${name} COMMAND ashlar_${name}_test)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS unit)
  endif()
  if(benches AND ASHLAR_BENCHES)
    add_executable(ashlar_${name}_bench ${benches})
    target_link_libraries(ashlar_${name}_bench PRIVATE ashlar_${name} ${ROOM_LIBRARIES}
                          benchmark::benchmark_main)
    target_compile_definitions(ashlar_${name}_bench PRIVATE ASHLAR_SOURCE_ROOT="${CMAKE_SOURCE_DIR}")
  endif()
  if(ASHLAR_FUZZ)
    foreach(source ${fuzzers})
      get_filename_component(target "${source}" NAME_WE)
      add_executable(${name}_${target} ${source})
      target_link_libraries(${name}_${target} PRIVATE ashlar_${name} ${ROOM_LIBRARIES})
      target_link_options(${name}_${target} PRIVATE -fsanitize=fuzzer)
      set_target_properties(${name}_${target} PROPERTIES
                            RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz")
    endforeach()
  endif()
endfunction()

# Two precompiled headers serve the whole house: the words of `base`, and the same with GoogleTest.
function(ashlar_precompile target kind)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  if(kind STREQUAL "test")
    if(NOT TARGET ashlar_precompiled_test)
      file(WRITE "${CMAKE_BINARY_DIR}/generated/precompiled_test.cc" "")
      add_library(ashlar_precompiled_test OBJECT "${CMAKE_BINARY_DIR}/generated/precompiled_test.cc")
      target_link_libraries(ashlar_precompiled_test PRIVATE ashlar_words GTest::gmock)
      target_precompile_headers(ashlar_precompiled_test PRIVATE <gmock/gmock.h> <gtest/gtest.h>
        <boost/json.hpp> <absl/status/statusor.h> <absl/time/time.h> <fmt/core.h>
        <functional> <map> <memory> <optional> <string> <string_view> <vector>)
    endif()
    target_precompile_headers(${target} REUSE_FROM ashlar_precompiled_test)
  else()
    if(NOT TARGET ashlar_precompiled)
      file(WRITE "${CMAKE_BINARY_DIR}/generated/precompiled.cc" "")
      add_library(ashlar_precompiled OBJECT "${CMAKE_BINARY_DIR}/generated/precompiled.cc")
      target_link_libraries(ashlar_precompiled PRIVATE ashlar_words)
      target_precompile_headers(ashlar_precompiled PRIVATE
        <boost/json.hpp> <absl/status/statusor.h> <absl/time/time.h> <fmt/core.h>
        <functional> <map> <memory> <optional> <string> <string_view> <vector>)
    endif()
    target_precompile_headers(${target} REUSE_FROM ashlar_precompiled)
  endif()
endfunction()
