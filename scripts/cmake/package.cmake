# SPDX-License-Identifier: Apache-2.0
# cmake --install: headers, libraries, find_package(isbesim).
include(CMakePackageConfigHelpers)

set(package_libraries
  isbesim_causes isbesim_tlm isbesim_memory isbesim_memory_module isbesim_statistics isbesim_texture isbesim_rules isbesim_attribute
  isbesim_isa isbesim_isa_execution isbesim_isa_tables isbesim_isa_encoding isbesim_isa_text isbesim_language isbesim_allocation
  isbesim_lowering isbesim_core isbesim_grants isbesim_isbe isbesim_clocked isbesim_tessellation isbesim_front_end isbesim_linking
  isbesim_stream_out isbesim_sm_warnings isbesim_sm isbesim_tasks isbesim_stages isbesim_pe_core isbesim_pe isbesim_figures
  isbesim_stimulus isbesim_shipped isbesim_rtl)

# The targets that users link; they include the parts.
add_library(isbesim_models INTERFACE)
target_link_libraries(isbesim_models INTERFACE isbesim_pe isbesim_isbe isbesim_memory_module isbesim_isa_text isbesim_lowering isbesim_figures)
set_target_properties(isbesim_models PROPERTIES EXPORT_NAME models)
set_target_properties(isbesim_tlm PROPERTIES EXPORT_NAME tlm)
set_target_properties(isbesim_rtl PROPERTIES EXPORT_NAME rtl)

# Headers for the sources of their own folders only, which are not installed. If an installed header includes a header
# of this list, package.installed_headers_compile fails.
set(internal_headers
  models/isa/encoding/codec.h
  models/isa/execution/control.h
  models/isa/execution/half_bits.h
  models/isa/execution/memory_access.h
  models/isa/execution/register_lanes.h
  models/isa/execution/rounding.h
  models/isa/execution/semantics.h
  models/isa/execution/texture_access.h
  models/isa/special_register.h
  models/isa/tables/memory_modifiers.h
  models/isa/tables/modifiers.h
  models/isa/tables/row_parts.h
  models/isa/tables/sm50_rows.h
  models/isa/tables/sm75_rows.h
  models/isa/texture_form.h
  models/isa/text/statement.h
  models/pe/linking/sizing.h
  models/sm/warnings/trap_codes.h
  models/texture/block_bits.h
  models/texture/block_codec.h
  models/texture/bptc_partition.h
  models/texture/cube.h
  models/texture/footprint.h
  models/texture/number.h
  models/texture/tap_reader.h
  models/varying/allocation/local_home.h
  models/varying/allocation/placement.h
  models/varying/lowering/program_storage.h
  models/varying/allocation/scratch_pool.h
  models/varying/language/opcodes.h
  models/varying/lowering/operations.h
  models/varying/lowering/instruction_writer.h
  models/varying/lowering/operand_access.h)
file(GLOB tlm_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/tlm/*.h")
file(GLOB_RECURSE model_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/models/*.h")
foreach(header IN LISTS internal_headers)
  if(NOT header IN_LIST model_headers)
    message(FATAL_ERROR "scripts/cmake/package.cmake: internal_headers names ${header}, which is not there")
  endif()
endforeach()
list(REMOVE_ITEM model_headers ${internal_headers})
file(GLOB_RECURSE rtl_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/testbench/rtl/*.h")
list(FILTER rtl_headers EXCLUDE REGEX "/plugin/") # compiled into plug-ins, whose only interface is rtl_plugin.h
set(ISBESIM_INSTALLED_HEADERS ${tlm_headers} ${model_headers} ${rtl_headers}) # tests/package includes them all
target_sources(isbesim_tlm PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}"
               FILES ${tlm_headers} tlm/request_fields.inc tlm/response_fields.inc)
target_sources(isbesim_models INTERFACE FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${model_headers})
target_sources(isbesim_rtl PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${rtl_headers})

install(TARGETS ${package_libraries} isbesim_models EXPORT isbesimTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/isbesim"
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/isbesim")
install(EXPORT isbesimTargets NAMESPACE isbesim:: DESTINATION "${package_folder}")

install(FILES "${CMAKE_BINARY_DIR}/generated/models/isbe_defaults.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/isbesim/models")

# An installed isbesim builds the RTL from these files, in folders as in the source tree, where scripts/rtl finds them.
install(PROGRAMS scripts/rtl scripts/vk_root scripts/x11 DESTINATION "${CMAKE_INSTALL_DATADIR}/isbesim/scripts")
install(DIRECTORY rtl_ref DESTINATION "${CMAKE_INSTALL_DATADIR}/isbesim" FILES_MATCHING PATTERN "*.sv" PATTERN "*.json")
install(FILES tlm/request_fields.inc tlm/response_fields.inc DESTINATION "${CMAKE_INSTALL_DATADIR}/isbesim/tlm")
install(DIRECTORY testbench/rtl/plugin DESTINATION "${CMAKE_INSTALL_DATADIR}/isbesim/testbench/rtl")
install(FILES testbench/rtl/rtl_plugin.h DESTINATION "${CMAKE_INSTALL_DATADIR}/isbesim/testbench/rtl")

# Files that a simulator compiles in addition to libisbesim_model.so.
install(DIRECTORY testbench/dpi DESTINATION "${CMAKE_INSTALL_DATADIR}/isbesim" FILES_MATCHING PATTERN "*.sv" PATTERN "README.md")

# Projects of their own, each with a README whose commands a test runs.
install(DIRECTORY testbench/examples DESTINATION "${CMAKE_INSTALL_DATADIR}/isbesim")

set(rtl_builder "${CMAKE_INSTALL_DATADIR}/isbesim/scripts/rtl")
configure_package_config_file(scripts/cmake/isbesimConfig.cmake.in "${CMAKE_BINARY_DIR}/package/isbesimConfig.cmake"
                              INSTALL_DESTINATION "${package_folder}" PATH_VARS rtl_builder)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/package/isbesimConfigVersion.cmake" COMPATIBILITY SameMajorVersion)
install(FILES "${CMAKE_BINARY_DIR}/package/isbesimConfig.cmake" "${CMAKE_BINARY_DIR}/package/isbesimConfigVersion.cmake"
              scripts/cmake/rtl_plugin.cmake scripts/cmake/systemc.cmake
        DESTINATION "${package_folder}")

# Everything that is installed, which scripts/run builds.
add_custom_target(isbesim_installed)
add_dependencies(isbesim_installed isbesim isbesim_help_files isbesim_model ${package_libraries})
foreach(target isbesim_gl_kernel isbesim_gl_compile isbesim_vk_compile isbesim_measure)
  if(TARGET ${target})
    add_dependencies(isbesim_installed ${target})
  endif()
endforeach()

# The Python package, with the exploration as a part of it; it finds the program in the same prefix.
find_package(Python3 3.11 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(ISBESIM_PYTHON_DIR "lib/python${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}/dist-packages" CACHE STRING
      "Where the Python package is installed, below the prefix")
  install(DIRECTORY scripts/python/isbesim DESTINATION "${ISBESIM_PYTHON_DIR}" PATTERN "__pycache__" EXCLUDE)
  install(DIRECTORY scripts/exploration DESTINATION "${ISBESIM_PYTHON_DIR}/isbesim" USE_SOURCE_PERMISSIONS
          PATTERN "__pycache__" EXCLUDE PATTERN "*.png" EXCLUDE PATTERN "*.svg" EXCLUDE)
endif()
