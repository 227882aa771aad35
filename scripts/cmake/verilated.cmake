# SPDX-License-Identifier: Apache-2.0
# RTL plug-ins of the build tree, which scripts/rtl makes during the build.
#
# isbesim_rtl_configuration(name): for a named configuration, <build>/rtl/<name>.so, target isbesim_rtl_<name>.
# isbesim_rtl_configuration_with_assertions(name): <build>/rtl/<name>.assert.so, target isbesim_rtl_<name>_assert.
# isbesim_rtl_compiler, if set before a folder's first configuration, replaces scripts/rtl's default "compiler options".
include_guard(DIRECTORY)
include(rtl_plugin)

set(isbesim_rtl_folder "${CMAKE_BINARY_DIR}/rtl")
if(CMAKE_CROSSCOMPILING AND NOT isbesim_rtl_compiler)
  set(isbesim_rtl_compiler "${CMAKE_CXX_COMPILER}") # scripts/rtl takes the machine's default otherwise
endif()
# Each uses one processor: the build tool runs several at a time.
set(isbesim_rtl_builder "${CMAKE_COMMAND}" -E env "ISBESIM_RTL_CACHE=${isbesim_rtl_folder}/cache")
if(isbesim_rtl_compiler)
  list(APPEND isbesim_rtl_builder "CXX=${isbesim_rtl_compiler}")
endif()
list(APPEND isbesim_rtl_builder "${PROJECT_SOURCE_DIR}/scripts/rtl" --quiet --jobs 1)
file(GLOB isbesim_rtl_prerequisites CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/testbench/rtl/plugin/*"
     "${PROJECT_SOURCE_DIR}/tlm/*_fields.inc")
list(APPEND isbesim_rtl_prerequisites "${PROJECT_SOURCE_DIR}/testbench/rtl/rtl_plugin.h" "${PROJECT_SOURCE_DIR}/scripts/rtl"
     "${rtl_table}" ${isbesim_rtl_sources} ${isbesim_rtl_assertions})

function(isbesim_rtl_configuration name)
  isbesim_rtl_plugin(isbesim_rtl_${name} OUTPUT "${isbesim_rtl_folder}/${name}.so" NAME ${name})
endfunction()

function(isbesim_rtl_configuration_with_assertions name)
  isbesim_rtl_plugin(isbesim_rtl_${name}_assert OUTPUT "${isbesim_rtl_folder}/${name}.assert.so" NAME ${name} ASSERT)
endfunction()
