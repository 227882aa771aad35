# SPDX-License-Identifier: Apache-2.0
# RTL plug-ins of the build tree, which scripts/rtl makes during the build.
#
# isbesim_rtl_plugin(target output [ALL] [COMPILER "compiler and options"] ARGUMENTS ... [DEPENDS ...]): builds the plug-in
#   `output` by scripts/rtl.
# isbesim_rtl_configuration(name [ALL]): for a named configuration, <build>/rtl/<name>.so, target isbesim_rtl_<name>.
# isbesim_rtl_configuration_with_assertions(name [ALL]): <build>/rtl/<name>.assert.so, target isbesim_rtl_<name>_assert.
include_guard(DIRECTORY)

set(isbesim_rtl_folder "${CMAKE_BINARY_DIR}/rtl")
file(GLOB isbesim_rtl_wrapper CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/testbench/rtl/plugin/*")
file(GLOB isbesim_rtl_lists CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tlm/*_fields.inc")
list(APPEND isbesim_rtl_wrapper ${isbesim_rtl_lists} "${PROJECT_SOURCE_DIR}/testbench/rtl/rtl_plugin.h"
     "${PROJECT_SOURCE_DIR}/testbench/rtl/interface_scope.sv" "${PROJECT_SOURCE_DIR}/scripts/rtl")

# Each uses one processor: the build tool runs several at a time.
function(isbesim_rtl_plugin target output)
  cmake_parse_arguments(PARSE_ARGV 2 arg "ALL" "COMPILER" "ARGUMENTS;DEPENDS")
  set(compiler "")
  if(CMAKE_CROSSCOMPILING AND NOT arg_COMPILER)
    set(arg_COMPILER "${CMAKE_CXX_COMPILER}") # scripts/rtl takes the machine's default otherwise
  endif()
  if(arg_COMPILER)
    set(compiler "CXX=${arg_COMPILER}")
  endif()
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -E env "ISBESIM_RTL_CACHE=${isbesim_rtl_folder}/cache" ${compiler}
            "${PROJECT_SOURCE_DIR}/scripts/rtl" --quiet --jobs 1 --out "${output}" ${arg_ARGUMENTS}
    DEPENDS ${isbesim_rtl_sources} ${isbesim_rtl_wrapper} ${arg_DEPENDS}
    COMMENT "RTL plug-in ${target}" VERBATIM)
  if(arg_ALL)
    add_custom_target(${target} ALL DEPENDS "${output}")
  else()
    add_custom_target(${target} DEPENDS "${output}")
  endif()
endfunction()

function(isbesim_rtl_configuration name)
  isbesim_rtl_plugin(isbesim_rtl_${name} "${isbesim_rtl_folder}/${name}.so" ARGUMENTS --name ${name} ${ARGN}
                     DEPENDS "${PROJECT_SOURCE_DIR}/rtl_ref/configurations.json")
endfunction()

function(isbesim_rtl_configuration_with_assertions name)
  isbesim_rtl_plugin(isbesim_rtl_${name}_assert "${isbesim_rtl_folder}/${name}.assert.so"
                     ARGUMENTS --name ${name} --assert ${ARGN}
                     DEPENDS "${PROJECT_SOURCE_DIR}/rtl_ref/configurations.json" ${isbesim_rtl_assertions})
endfunction()
