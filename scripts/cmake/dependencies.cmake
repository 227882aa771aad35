# Every dependency is a Debian package; a missing one is reported by its package name.

function(isbesim_require condition package why)
  if(NOT ${condition})
    message(FATAL_ERROR "isbesim: ${why} not found: install the Debian package ${package} (scripts/run does it for you).")
  endif()
endfunction()

# SystemC ships no CMake package on Debian, only pkg-config files.
find_package(SystemCLanguage CONFIG QUIET)
if(TARGET SystemC::systemc)
  add_library(isbesim_systemc ALIAS SystemC::systemc)
else()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(SYSTEMC QUIET IMPORTED_TARGET GLOBAL systemc)
  endif()
  if(TARGET PkgConfig::SYSTEMC)
    add_library(isbesim_systemc ALIAS PkgConfig::SYSTEMC)
  else()
    find_path(SYSTEMC_INCLUDE systemc.h HINTS "$ENV{SYSTEMC_HOME}/include")
    find_library(SYSTEMC_LIBRARY systemc HINTS "$ENV{SYSTEMC_HOME}/lib" "$ENV{SYSTEMC_HOME}/lib-linux64")
    if(SYSTEMC_INCLUDE AND SYSTEMC_LIBRARY)
      add_library(isbesim_systemc INTERFACE IMPORTED GLOBAL)
      target_include_directories(isbesim_systemc INTERFACE "${SYSTEMC_INCLUDE}")
      target_link_libraries(isbesim_systemc INTERFACE "${SYSTEMC_LIBRARY}")
    endif()
  endif()
endif()
if(TARGET isbesim_systemc)
  set(ISBESIM_HAVE_SYSTEMC TRUE)
endif()
isbesim_require(ISBESIM_HAVE_SYSTEMC libsystemc-dev "SystemC 2.3.4 (SystemCLanguage, pkg-config systemc, or SYSTEMC_HOME)")

# Debian packages Boost 1.74 by default and 1.81 beside it; Boost.JSON is in the latter.
find_package(Boost 1.81 QUIET COMPONENTS json program_options)
isbesim_require(Boost_FOUND "libboost1.81-dev, libboost-json1.81-dev and libboost-program-options1.81-dev" "Boost 1.81 with JSON and Program_options")

find_package(SQLite3 QUIET)
isbesim_require(SQLite3_FOUND libsqlite3-dev "SQLite 3")

find_package(Threads REQUIRED)

if(ISBESIM_TESTS)
  find_package(GTest QUIET)
  isbesim_require(GTest_FOUND libgtest-dev "GoogleTest")
endif()
