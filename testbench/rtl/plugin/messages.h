// SPDX-License-Identifier: Apache-2.0
// Messages of a block during its evaluation: $display goes to standard output; $error, $fatal, $stop, violated
// assertions, missing memory files and errors of Verilator's run time do not end the program but are kept for the
// block's caller. Include this before Verilator's run time, which is compiled with these functions instead of its own.
#pragma once

#include <string>

#define VL_PRINTF isbesim_print
#define VL_USER_STOP
#define VL_USER_FATAL
#define VL_USER_WARN

__attribute__((format(printf, 1, 2))) int isbesim_print(const char* format, ...);

/// Thrown by an evaluation that can't go on.
struct evaluation_ended {};

/// The failures on this thread since the last call, one line each; empty without failures.
std::string take_failure();
