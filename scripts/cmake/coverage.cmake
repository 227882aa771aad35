# SPDX-License-Identifier: Apache-2.0
# Counts lines and branches for scripts/coverage_cpp. GCC's run time writes the counts at exit(), not at _exit(), which
# ends processes that a draw, a rerun or a copy of a run has forked: the linker redirects _exit() to coverage_exit.c.
add_compile_options(--coverage -fprofile-update=atomic) # a thread writes the records of a run
add_link_options(--coverage -Wl,--wrap=_exit)
set(coverage_exit "${CMAKE_BINARY_DIR}/coverage_exit.o")
execute_process(COMMAND "${CMAKE_C_COMPILER}" -O1 -fPIC -c "${CMAKE_CURRENT_LIST_DIR}/coverage_exit.c" -o "${coverage_exit}"
                COMMAND_ERROR_IS_FATAL ANY)
string(APPEND CMAKE_C_STANDARD_LIBRARIES " ${coverage_exit}")
string(APPEND CMAKE_CXX_STANDARD_LIBRARIES " ${coverage_exit}")
