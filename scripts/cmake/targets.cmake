# SPDX-License-Identifier: Apache-2.0
include(GNUInstallDirs)
if(ISBESIM_TESTS)
  include(GoogleTest)
endif()

# Warnings are errors for our own targets only.
add_library(isbesim_warnings INTERFACE)
target_compile_options(isbesim_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  # models/isbe/rules join truths by & and |: with a solver's words for words there is nothing else.
  # Grammars of Boost.Spirit have >> beside >.
  "$<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical;-Wno-overloaded-shift-op-parentheses>")

# GCC joins a multiplication and an addition where the processor has an instruction for both, as arm64 always has. Results
# are the same to the bit on all processors, so they stay apart.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-ffp-contract=off)
endif()

# isbesim_unity(target): several sources are compiled at once, since a first build is mostly reading the headers of SystemC
# and Boost. -DISBESIM_UNITY=OFF compiles one by one.
function(isbesim_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ISBESIM_UNITY} UNITY_BUILD_BATCH_SIZE 6)
endfunction()

# isbesim_library(name [O1] SOURCES ... LIBRARIES ...): the static library of a folder, included as "models/…", "tlm/…";
# of headers alone, an interface. tests/seams holds its includes to LIBRARIES. O1: what reads and writes files for people
# compiles faster so and runs as fast; what runs with every transaction is optimised like the models.
function(isbesim_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "O1" "" "SOURCES;LIBRARIES")
  if(NOT arg_SOURCES MATCHES "\\.cpp")
    add_library(${name} INTERFACE ${arg_SOURCES})
    target_link_libraries(${name} INTERFACE ${arg_LIBRARIES})
    return()
  endif()
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
                                            "$<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated>"
                                            "$<BUILD_INTERFACE:${isbesim_generated}>"
                                            "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/isbesim>")
  target_link_libraries(${name} PUBLIC ${arg_LIBRARIES} PRIVATE "$<BUILD_INTERFACE:isbesim_warnings>")
  target_compile_features(${name} PUBLIC cxx_std_17)
  if(arg_O1)
    target_compile_options(${name} PRIVATE "$<$<CONFIG:Release>:-O1>")
  endif()
  isbesim_unity(${name})
endfunction()

# isbesim_shareable(target): may become part of a shared library that shows nothing of it (testbench/c_interface).
function(isbesim_shareable target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# isbesim_precompile(target HEADERS...): headers of libraries that many of its sources include, read once.
function(isbesim_precompile target)
  list(TRANSFORM ARGN PREPEND "<")
  list(TRANSFORM ARGN APPEND ">")
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()

# isbesim_test_options(target): a test runs once for each time that it is compiled, so it is not optimised: that takes
# half the time of compiling it, a quarter with sanitizers. What it tests is, but for what its headers define. Containers
# are checked: an index out of bounds ends the test. Nor has it a fuzzer's counters.
function(isbesim_test_options target)
  target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  target_compile_options(${target} PRIVATE -O0 "$<$<BOOL:${ISBESIM_FUZZER}>:-fno-sanitize=fuzzer-no-link>")
endfunction()

# isbesim_test(name SOURCES ... [ALONE ...] LIBRARIES ... [SYSTEMC]): every TEST becomes a ctest entry in a process of its own
# (one SystemC elaboration per process). SYSTEMC tests get sc_main from tests/support: libsystemc holds main(). ALONE are
# sources that are not compiled together with others: they use names that others use too. LABEL: see isbesim_label; without
# it `system` for what runs the program, `block` for other SYSTEMC, else `unit`.
function(isbesim_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SYSTEMC" "LABEL" "SOURCES;ALONE;LIBRARIES")
  add_executable(${name} ${arg_SOURCES} ${arg_ALONE})
  set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} isbesim_warnings)
  isbesim_test_options(${name})
  isbesim_unity(${name})
  if(arg_SYSTEMC)
    target_link_libraries(${name} PRIVATE isbesim_sc_main GTest::gtest)
    target_precompile_headers(${name} REUSE_FROM isbesim_sc_main)
  else()
    target_link_libraries(${name} PRIVATE isbesim_main GTest::gtest)
    # libsystemc needs an sc_main. A test that uses nothing of it is linked without it: GCC's default on Debian, not clang's.
    target_link_options(${name} PRIVATE -Wl,--as-needed)
    target_precompile_headers(${name} REUSE_FROM isbesim_main)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_include_directories(${name} PRIVATE "${CMAKE_BINARY_DIR}/tests/include") # test_paths.h
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
    if(isbesim_process IN_LIST arg_LIBRARIES)
      set(arg_LABEL system)
    elseif(arg_SYSTEMC)
      set(arg_LABEL block)
    endif()
  endif()
  if(NOT arg_LABEL STREQUAL "campaign")
    add_dependencies(isbesim_quick_tests ${name})
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300 LABELS ${arg_LABEL})
endfunction()

# isbesim_label(label [TEST...]): ctest's label of these tests, or of all that add_test has made in this folder.
#   unit       a part without a simulation
#   block      one module, the ISBE or the RTL, in a simulation
#   system     whole programs: draws, commands, pages
#   campaign   what takes minutes or concerns the repository only; scripts/test --all builds and runs these too
function(isbesim_label label)
  set(tests ${ARGN})
  if(NOT tests)
    get_property(tests DIRECTORY PROPERTY TESTS)
  endif()
  set_tests_properties(${tests} PROPERTIES LABELS ${label})
endfunction()
