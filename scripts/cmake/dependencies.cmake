# SPDX-License-Identifier: Apache-2.0
# Every dependency is a Debian package; a missing one is reported by its package name.

# isbesim_require(condition package what): adds `what` to the list of missing dependencies unless the condition holds.
function(isbesim_require condition package what)
  if(NOT ${condition})
    set_property(GLOBAL APPEND PROPERTY isbesim_not_found "${what}: Debian package ${package}")
  endif()
endfunction()

include(systemc)
if(SYSTEMC_TARGET)
  add_library(isbesim_systemc ALIAS ${SYSTEMC_TARGET})
  set(ISBESIM_HAVE_SYSTEMC TRUE)
endif()
isbesim_require(ISBESIM_HAVE_SYSTEMC libsystemc-dev "SystemC 2.3.4 or later (SystemCLanguage, pkg-config systemc, or SYSTEMC_HOME)")

# Debian 12 packages Boost 1.74 by default and also 1.81, which has Boost.JSON.
find_package(Boost 1.81 CONFIG QUIET COMPONENTS json program_options)
isbesim_require(Boost_FOUND "libboost-json-dev and libboost-program-options-dev (libboost-json1.81-dev and libboost-program-options1.81-dev on Debian 12)"
                "Boost 1.81 or later with JSON and Program_options")

find_package(SQLite3 QUIET)
isbesim_require(SQLite3_FOUND libsqlite3-dev "SQLite 3")

find_package(ZLIB QUIET)
isbesim_require(ZLIB_FOUND zlib1g-dev "zlib (captures, Verilator's waveforms)")

find_package(Threads REQUIRED)

if(ISBESIM_TESTS)
  find_package(GTest QUIET)
  isbesim_require(GTest_FOUND libgtest-dev "GoogleTest")
endif()

if(ISBESIM_RTL)
  find_program(VERILATOR_BIN verilator)
  isbesim_require(VERILATOR_BIN verilator "Verilator 5")
endif()

get_property(isbesim_missing GLOBAL PROPERTY isbesim_not_found)
if(isbesim_missing)
  list(JOIN isbesim_missing "; " isbesim_missing)
  message(NOTICE "isbesim: not found: ${isbesim_missing}") # one line, which scripts/setup.sh shows
  message(FATAL_ERROR "isbesim: dependencies are missing; scripts/run installs them on Debian 13 and 12")
endif()
