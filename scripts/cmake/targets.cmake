# SPDX-License-Identifier: Apache-2.0
include(GNUInstallDirs)
if(ISBESIM_TESTS)
  include(GoogleTest)
endif()

# Warnings are errors for our own targets only.
add_library(isbesim_warnings INTERFACE)
target_compile_options(isbesim_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  # models/isbe/rules combine conditions by & and |, the only operators that a solver's word type offers.
  # Grammars of Boost.Spirit mix >> and >.
  "$<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical;-Wno-overloaded-shift-op-parentheses>")

# GCC fuses a multiplication and an addition if the processor has an instruction for both, as arm64 always has. Results
# must be the same to the bit on all processors, so fusing is off.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-ffp-contract=off)
endif()

# Precompiled headers of two builds are then the same to the byte, so that the compiler cache knows what includes them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

# isbesim_unity(target sources): compiles in batches of `sources` files, since a first build mostly reads the headers of
# SystemC and Boost. -DISBESIM_UNITY=OFF compiles one by one.
function(isbesim_unity target sources)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ISBESIM_UNITY} UNITY_BUILD_BATCH_SIZE ${sources})
endfunction()

# isbesim_sources(variable SOURCES...): the sources; one with * stands for all such files, in alphabetical order.
function(isbesim_sources variable)
  set(sources)
  foreach(source IN LISTS ARGN)
    if(source MATCHES "[*]")
      file(GLOB source CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
    endif()
    list(APPEND sources ${source})
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# isbesim_library(name [O1] SOURCES ... LIBRARIES ...): the static library of a folder, included as "models/…", "tlm/…";
# an interface if it has headers only. tests/seams checks its includes against LIBRARIES. O1: code that reads and writes
# users' files compiles faster with it and runs as fast; code of every transaction is optimised like the models.
function(isbesim_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "O1" "" "SOURCES;LIBRARIES")
  isbesim_sources(arg_SOURCES ${arg_SOURCES})
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
  isbesim_unity(${name} 12)
endfunction()

# isbesim_shareable(target): can become part of a shared library that hides its symbols (testbench/c_interface).
function(isbesim_shareable target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# isbesim_prefer_archives(executable LIBRARIES...): links the archive beside each shared library, if it exists, so that a
# short run does not wait for the library to be loaded. The linker drops the shared library, which is then not needed.
macro(isbesim_prefer_archives executable)
  target_link_options(${executable} PRIVATE -Wl,--as-needed) # GCC's default on Debian, not clang's
  foreach(library ${ARGN})
    get_target_property(location ${library} IMPORTED_LOCATION_RELEASE)
    if(NOT location)
      get_target_property(location ${library} IMPORTED_LOCATION)
    endif()
    string(REGEX REPLACE "\\.so.*" ".a" archive "${location}")
    string(MAKE_C_IDENTIFIER ${library} feature)
    set(CMAKE_LINK_LIBRARY_USING_${feature} "${archive} <LINK_ITEM>")
    set(CMAKE_LINK_LIBRARY_USING_${feature}_SUPPORTED TRUE)
    if(EXISTS "${archive}")
      set_property(TARGET ${executable} APPEND PROPERTY LINK_LIBRARY_OVERRIDE_${library} ${feature})
    endif()
  endforeach()
endmacro()

# isbesim_precompile(target HEADERS...): reads headers of libraries once that many of the target's sources include.
function(isbesim_precompile target)
  list(TRANSFORM ARGN PREPEND "<")
  list(TRANSFORM ARGN APPEND ">")
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()

# isbesim_test_options(target): a test runs about once per compilation, so it is not optimised, which takes half of the
# compile time, a quarter with sanitizers. The tested code is optimised, except code in headers. Containers are checked:
# an index out of bounds ends the test. Tests have no fuzzer's counters.
function(isbesim_test_options target)
  target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  target_compile_options(${target} PRIVATE -O0 "$<$<BOOL:${ISBESIM_FUZZER}>:-fno-sanitize=fuzzer-no-link>")
endfunction()

# isbesim_test(name SOURCES ... [ALONE ...] LIBRARIES ... [SYSTEMC]): every TEST becomes a ctest entry in a process of its own
# (one SystemC elaboration per process). SYSTEMC tests get sc_main from tests/support: libsystemc has main(). ALONE:
# sources to compile separately, because they use names that others use. The label (isbesim_label) is `system` for tests
# that run the program, `block` for other SYSTEMC tests, otherwise `unit`. CAMPAIGN: patterns of GoogleTest for tests
# that scripts/test leaves out without --all, in addition to isbesim_campaigns: their label is campaign_unit,
# campaign_block or campaign_system. With * it does not build the program either.
function(isbesim_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SYSTEMC" "" "SOURCES;ALONE;LIBRARIES;CAMPAIGN")
  isbesim_sources(arg_SOURCES ${arg_SOURCES})
  list(REMOVE_ITEM arg_SOURCES ${arg_ALONE})
  add_executable(${name} ${arg_SOURCES} ${arg_ALONE})
  set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} isbesim_warnings)
  isbesim_test_options(${name})
  isbesim_unity(${name} 6)
  if(arg_SYSTEMC)
    target_link_libraries(${name} PRIVATE isbesim_sc_main GTest::gtest)
    target_precompile_headers(${name} REUSE_FROM isbesim_sc_main)
  else()
    target_link_libraries(${name} PRIVATE isbesim_main GTest::gtest)
    # libsystemc needs an sc_main. Tests that do not use it are linked without it: GCC's default on Debian, not clang's.
    target_link_options(${name} PRIVATE -Wl,--as-needed)
    target_precompile_headers(${name} REUSE_FROM isbesim_main)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_include_directories(${name} PRIVATE "${CMAKE_BINARY_DIR}/tests/include") # test_paths.h
  set(label unit)
  if(isbesim_process IN_LIST arg_LIBRARIES)
    set(label system)
  elseif(arg_SYSTEMC)
    set(label block)
  endif()
  list(APPEND arg_CAMPAIGN ${isbesim_campaigns})
  list(JOIN arg_CAMPAIGN ":" campaign)
  if(NOT "*" IN_LIST arg_CAMPAIGN)
    add_dependencies(isbesim_quick_tests ${name})
    gtest_discover_tests(${name} TEST_FILTER "-${campaign}" DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300 LABELS ${label})
  endif()
  if(campaign)
    gtest_discover_tests(${name} TEST_FILTER "${campaign}" DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT 300 LABELS campaign_${label})
  endif()
endfunction()

# isbesim_label(label [TEST...]): sets ctest's label of these tests, by default of all tests added in this folder.
#   unit       a part without a simulation
#   block      one module, the ISBE or the RTL, in a simulation
#   system     whole programs: draws, commands, pages
#   campaign   tests that take long, that a quick test of the same rule makes good for a user, or that concern the
#              repository only; scripts/test --all builds and runs these, too
function(isbesim_label label)
  set(tests ${ARGN})
  if(NOT tests)
    get_property(tests DIRECTORY PROPERTY TESTS)
  endif()
  set_tests_properties(${tests} PROPERTIES LABELS ${label})
endfunction()
