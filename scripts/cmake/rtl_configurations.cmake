# SPDX-License-Identifier: Apache-2.0
# Reads rtl_ref/configurations.json, once for the whole build:
#   models/isbe_defaults.h              the default machine's ISBE as constants, for models/machine_config.h
#   testbench/rtl/rtl_parameters.inc    ISBESIM_RTL_PARAMETER(...) rows, for C++ tables
#   testbench/rtl/rtl_configurations.inc   {name, parameter list} rows
#   isbesim_rtl_sources                 the SystemVerilog files, packages first
#   isbesim_rtl_assertions              the files that scripts/rtl --assert adds
#   isbesim_rtl_names                   the named configurations
set(rtl_table "${PROJECT_SOURCE_DIR}/rtl_ref/configurations.json")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${rtl_table}")
file(READ "${rtl_table}" rtl_json)

set(isbesim_generated "${CMAKE_BINARY_DIR}/generated")

# Converts a JSON array to a list.
function(isbesim_json_list result text)
  set(items)
  string(JSON count LENGTH "${text}")
  if(count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      string(JSON item GET "${text}" ${index})
      list(APPEND items "${item}")
    endforeach()
  endif()
  set(${result} "${items}" PARENT_SCOPE)
endfunction()

string(JSON rtl_source_names GET "${rtl_json}" sources)
isbesim_json_list(isbesim_rtl_sources "${rtl_source_names}")
list(TRANSFORM isbesim_rtl_sources PREPEND "${PROJECT_SOURCE_DIR}/rtl_ref/")

string(JSON rtl_source_names GET "${rtl_json}" assertion_sources)
isbesim_json_list(isbesim_rtl_assertions "${rtl_source_names}")
list(TRANSFORM isbesim_rtl_assertions PREPEND "${PROJECT_SOURCE_DIR}/rtl_ref/")

# ---- parameters ---------------------------------------------------------------------------------------------------------
set(rtl_constants "")
set(rtl_rows "")
set(rtl_parameter_names)
string(JSON rtl_count LENGTH "${rtl_json}" parameters)
math(EXPR rtl_last "${rtl_count} - 1")
foreach(index RANGE ${rtl_last})
  string(JSON row GET "${rtl_json}" parameters ${index})
  foreach(field IN ITEMS name key default min max multiple_of one_of values hexadecimal unit description)
    string(JSON ${field} ERROR_VARIABLE missing GET "${row}" ${field})
    if(missing)
      set(${field} "")
    endif()
  endforeach()
  string(REGEX REPLACE ".*\\." "" member "${key}") # of isbe_config
  set(constant "${default}")
  set(type unsigned)
  set(kind integer)
  if(values)
    isbesim_json_list(texts "${values}")
    list(LENGTH texts max)
    math(EXPR max "${max} - 1")
    set(min 0)
    set(kind choice)
    if(texts STREQUAL "false;true")
      set(kind flag)
      set(type bool)
      list(GET texts ${default} constant)
    endif()
  elseif(one_of)
    isbesim_json_list(texts "${one_of}")
    list(GET texts 0 min)
    list(GET texts -1 max)
  else()
    set(texts)
    if(hexadecimal)
      set(kind hex)
    endif()
  endif()
  if(NOT multiple_of)
    set(multiple_of 1)
  endif()
  list(JOIN texts "\", \"" choices)
  if(texts)
    set(choices "\"${choices}\"")
  endif()
  if(type STREQUAL "unsigned")
    string(APPEND constant "U")
  endif()
  string(APPEND rtl_constants "inline constexpr ${type} ${member} = ${constant};\n")
  string(APPEND rtl_rows "ISBESIM_RTL_PARAMETER(${name}, \"${key}\", ${member}, ${kind}, \"${unit}\", ${min}U, ${max}U, "
                         "${multiple_of}U, \"${description}\", ${choices})\n")
  list(APPEND rtl_parameter_names ${name})
  set(rtl_default_${name} ${default})
endforeach()

# ---- named configurations -----------------------------------------------------------------------------------------------
set(rtl_named_rows "")
set(isbesim_rtl_names)
string(JSON count LENGTH "${rtl_json}" configurations)
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
  string(JSON row GET "${rtl_json}" configurations ${index})
  string(JSON configuration GET "${row}" name)
  list(APPEND isbesim_rtl_names ${configuration})
  set(list "")
  foreach(name IN LISTS rtl_parameter_names)
    string(JSON value ERROR_VARIABLE missing GET "${row}" parameters ${name})
    if(missing)
      set(value ${rtl_default_${name}})
    endif()
    string(APPEND list " ${name}=${value}")
  endforeach()
  string(STRIP "${list}" list)
  string(APPEND rtl_named_rows "{\"${configuration}\", \"${list}\"},\n")
endforeach()

file(CONFIGURE OUTPUT "${isbesim_generated}/models/isbe_defaults.h" @ONLY CONTENT
"// Generated from rtl_ref/configurations.json: the ISBE of the default machine, one constant per member of isbe_config.
#pragma once

namespace isbesim::isbe_defaults {

@rtl_constants@
} // namespace isbesim::isbe_defaults
")
file(CONFIGURE OUTPUT "${isbesim_generated}/testbench/rtl/rtl_parameters.inc" CONTENT "${rtl_rows}" @ONLY)
file(CONFIGURE OUTPUT "${isbesim_generated}/testbench/rtl/rtl_configurations.inc" CONTENT "${rtl_named_rows}" @ONLY)
