# Every dependency is a Debian package; a missing one is reported by its package name.

function(isbesim_require condition package why)
  if(NOT ${condition})
    message(FATAL_ERROR "isbesim: ${why} not found: install the Debian package ${package} (scripts/run does it for you).")
  endif()
endfunction()

include(systemc)
if(SYSTEMC_TARGET)
  add_library(isbesim_systemc ALIAS ${SYSTEMC_TARGET})
  set(ISBESIM_HAVE_SYSTEMC TRUE)
endif()
isbesim_require(ISBESIM_HAVE_SYSTEMC libsystemc-dev "SystemC 2.3.4 (SystemCLanguage, pkg-config systemc, or SYSTEMC_HOME)")

# Debian packages Boost 1.74 by default and 1.81 beside it; Boost.JSON is in the latter.
find_package(Boost 1.81 QUIET COMPONENTS json program_options)
isbesim_require(Boost_FOUND "libboost1.81-dev, libboost-json1.81-dev and libboost-program-options1.81-dev" "Boost 1.81 with JSON and Program_options")

find_package(SQLite3 QUIET)
isbesim_require(SQLite3_FOUND libsqlite3-dev "SQLite 3")

find_package(ZLIB QUIET)
isbesim_require(ZLIB_FOUND zlib1g-dev "zlib (captures, Verilator's waveforms)")

find_package(Threads REQUIRED)

if(ISBESIM_TESTS)
  find_package(GTest QUIET)
  isbesim_require(GTest_FOUND libgtest-dev "GoogleTest")
endif()
