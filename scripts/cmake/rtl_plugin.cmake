# SPDX-License-Identifier: Apache-2.0
# Comes with find_package(isbesim).
#
# isbesim_rtl_plugin(target OUTPUT file.so
#                    [NAME configuration] [PARAMETERS LINES=64 ...] [BLOCK file.sv ...] [ASSERT])
#
# Makes a plug-in of an ISBE block by scripts/rtl while the project is built: of the project's block (BLOCK: files with
# the ports and parameters of rtl_ref/isbe_top.sv, packages first), or of isbesim's block. NAME is a configuration of
# rtl_ref/configurations.json; PARAMETERS names all of its parameters in the table's order. Needs Verilator 5.
#
# isbesim_rtl_builder is the command that runs scripts/rtl, isbesim_rtl_prerequisites has the files after whose change it
# runs again.

function(isbesim_rtl_plugin target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ASSERT" "OUTPUT;NAME" "PARAMETERS;BLOCK")
  if(NOT arg_OUTPUT OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "isbesim_rtl_plugin(${target} OUTPUT file.so [NAME configuration] [PARAMETERS ...] [BLOCK file.sv ...] [ASSERT])")
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUTPUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  set(options)
  if(arg_NAME)
    list(APPEND options --name "${arg_NAME}")
  endif()
  if(arg_PARAMETERS)
    list(JOIN arg_PARAMETERS " " parameters)
    list(APPEND options --parameters "${parameters}")
  endif()
  if(arg_ASSERT)
    list(APPEND options --assert)
  endif()
  set(files)
  foreach(file IN LISTS arg_BLOCK)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND files "${file}")
  endforeach()
  if(files)
    list(APPEND options --block ${files})
  endif()
  add_custom_command(OUTPUT "${arg_OUTPUT}"
    COMMAND ${isbesim_rtl_builder} ${options} --out "${arg_OUTPUT}"
    DEPENDS ${files} ${isbesim_rtl_prerequisites} VERBATIM COMMENT "RTL plug-in ${arg_OUTPUT}")
  add_custom_target(${target} ALL DEPENDS "${arg_OUTPUT}")
endfunction()
