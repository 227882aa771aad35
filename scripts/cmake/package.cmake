# cmake --install: headers, libraries, find_package(isbesim).
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/isbesim")
set(package_libraries isbesim_tlm isbesim_attribute isbesim_core isbesim_statistics isbesim_isa isbesim_isbe isbesim_sm isbesim_pe_core
                      isbesim_pe isbesim_varying isbesim_figures)

# What a user links: the parts come along.
add_library(isbesim_models INTERFACE)
target_link_libraries(isbesim_models INTERFACE isbesim_pe isbesim_sm isbesim_isbe isbesim_varying isbesim_figures)
set_target_properties(isbesim_models PROPERTIES EXPORT_NAME models)
set_target_properties(isbesim_tlm PROPERTIES EXPORT_NAME tlm)

install(TARGETS ${package_libraries} isbesim_models EXPORT isbesimTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/isbesim")
install(EXPORT isbesimTargets NAMESPACE isbesim:: DESTINATION "${package_folder}")
install(DIRECTORY tlm models DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/isbesim" FILES_MATCHING PATTERN "*.h")

install(FILES "${CMAKE_BINARY_DIR}/generated/models/isbe_defaults.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/isbesim/models")

# What an installed isbesim builds the RTL from, in the folders of the source tree: scripts/rtl finds them from its place.
install(PROGRAMS scripts/rtl DESTINATION "${CMAKE_INSTALL_DATADIR}/isbesim/scripts")
install(DIRECTORY rtl_ref DESTINATION "${CMAKE_INSTALL_DATADIR}/isbesim" FILES_MATCHING PATTERN "*.sv" PATTERN "*.json")
install(DIRECTORY testbench/rtl/plugin DESTINATION "${CMAKE_INSTALL_DATADIR}/isbesim/testbench/rtl")
install(FILES testbench/rtl/rtl_plugin.h testbench/rtl/interface_scope.sv
        DESTINATION "${CMAKE_INSTALL_DATADIR}/isbesim/testbench/rtl")

configure_package_config_file(scripts/cmake/isbesimConfig.cmake.in "${CMAKE_BINARY_DIR}/package/isbesimConfig.cmake"
                              INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/package/isbesimConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/package/isbesimConfig.cmake" "${CMAKE_BINARY_DIR}/package/isbesimConfigVersion.cmake"
              scripts/cmake/systemc.cmake
        DESTINATION "${package_folder}")
