# The RTL as a C++ library.
#
# isbesim_verilate(target [PREFIX class] [PARAMS NAME=value ...] [DEFINES NAME ...] [TRACE_FST] [TOP module SOURCES ...])
#   builds one configuration of isbe_top (or of `module`) with Verilator (--cc) as the static library `target`; its model class is
#   `class` (default V<target>), declared in <class>.h. PARAMS are the parameters of rtl_ref/README.md, section 7;
#   DEFINES are macros of the sources. TRACE_FST: it can write waveforms (a tenth more code, no slower without one).
#
# ISBESIM_RTL_BLOCK puts another block in the place of rtl_ref: a list of SystemVerilog files, packages first, with a
# module isbe_top that has the same ports and parameters.
include_guard(DIRECTORY) # find_package and the list of sources live in the directory that includes this file

find_package(verilator QUIET HINTS "$ENV{VERILATOR_ROOT}")
isbesim_require(verilator_FOUND verilator "Verilator 5")
find_package(ZLIB QUIET)
isbesim_require(ZLIB_FOUND zlib1g-dev "zlib (Verilator's waveforms)")

# Verilator's own sources, once for all blocks.
set(isbesim_verilated_sources verilated.cpp verilated_threads.cpp verilated_fst_c.cpp)
if(NOT TARGET isbesim_verilated)
  set(sources "${isbesim_verilated_sources}")
  list(TRANSFORM sources PREPEND "${VERILATOR_ROOT}/include/")
  add_library(isbesim_verilated STATIC ${sources})
  target_include_directories(isbesim_verilated SYSTEM PUBLIC "${VERILATOR_ROOT}/include" "${VERILATOR_ROOT}/include/vltstd")
  target_compile_definitions(isbesim_verilated PRIVATE VM_COVERAGE=0 VM_SC=0 VM_TRACE=1 VM_TRACE_FST=1 VM_TRACE_VCD=0)
  target_compile_options(isbesim_verilated PRIVATE -O3 -w)
  target_compile_features(isbesim_verilated PUBLIC cxx_std_17)
  target_link_libraries(isbesim_verilated PUBLIC ZLIB::ZLIB Threads::Threads)
endif()

# isbesim_rtl_parameters(result [NAME=value ...]): all parameters as NAME=value, those that are not named as on the
# default machine.
function(isbesim_rtl_parameters result)
  set(parameters LINES=1024 BANKS=32 ACCESS_LINE=0 SKEW=1 PORTS=2 REQUEST_QUEUE_DEPTH=4 RESPONSE_QUEUE_DEPTH=32
      PIPELINE_LATENCY=22 WRITE_LATENCY=22 AL2P_LATENCY=10 OUT_LATENCY=18 FIXED_PRIORITY=0 GS_BLOCKED=0 WINNER_LOWEST=0
      ATTRIBUTE_DEFAULT=14 POSITION_W_DEFAULT=1065353216 MAP_BYTE_SWAP=0 CONTEXTS=64)
  foreach(given IN LISTS ARGN)
    string(REGEX REPLACE "=.*" "=" name "${given}")
    list(TRANSFORM parameters REPLACE "^${name}.*" "${given}")
  endforeach()
  set(${result} "${parameters}" PARENT_SCOPE)
endfunction()

set(ISBESIM_RTL_BLOCK "" CACHE STRING "SystemVerilog files of an ISBE block to use instead of rtl_ref; the top is isbe_top")
if(ISBESIM_RTL_BLOCK)
  set(isbesim_rtl_sources "${ISBESIM_RTL_BLOCK}")
else()
  set(isbesim_rtl_sources)
  foreach(name IN ITEMS isbe_pkg request_queue arbiter context_table gs_state default_value address_lane address_unit
                        bank_sram pass_engine response_queue client_port isbe_top)
    list(APPEND isbesim_rtl_sources "${PROJECT_SOURCE_DIR}/rtl_ref/${name}.sv")
  endforeach()
endif()

function(isbesim_verilate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TRACE_FST" "PREFIX;TOP" "PARAMS;DEFINES;SOURCES")
  if(NOT arg_TOP)
    set(arg_TOP isbe_top)
    set(arg_SOURCES "${isbesim_rtl_sources}")
  endif()
  if(NOT arg_PREFIX)
    set(arg_PREFIX "V${target}")
  endif()
  # x-assign, x-initial: nothing in the block depends on an undefined value, so the fast choice is safe.
  set(options -O3 --x-assign fast --x-initial fast --noassert)
  foreach(parameter IN LISTS arg_PARAMS)
    list(APPEND options "-G${parameter}")
  endforeach()
  foreach(macro IN LISTS arg_DEFINES)
    list(APPEND options "-D${macro}")
  endforeach()
  set(trace)
  if(arg_TRACE_FST)
    set(trace TRACE_FST)
    list(APPEND options --trace-max-width 8192) # the data of two ports
  endif()

  add_library(${target} STATIC)
  verilate(${target} SOURCES ${arg_SOURCES} TOP_MODULE ${arg_TOP} PREFIX ${arg_PREFIX} ${trace}
           VERILATOR_ARGS ${options} OPT_SLOW -O0) # construction and the first settling run once
  # Generated code: optimised whatever the build type, and not ours to warn about.
  target_compile_options(${target} PRIVATE -O3 -w)
  get_target_property(sources ${target} SOURCES)
  string(REPLACE ";" "|" shared "${isbesim_verilated_sources}")
  list(FILTER sources EXCLUDE REGEX "/(${shared})$")
  set_target_properties(${target} PROPERTIES SOURCES "${sources}")
  target_link_libraries(${target} PUBLIC isbesim_verilated)
  get_target_property(headers ${target} INTERFACE_INCLUDE_DIRECTORIES)
  set_target_properties(${target} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${headers}")
endfunction()
