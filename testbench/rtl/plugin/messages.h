// SPDX-License-Identifier: Apache-2.0
// What a block says while it is evaluated: $display goes to standard output; $error, $fatal, $stop, a violated
// assertion, a missing memory file and an error of Verilator's run time end nothing by themselves but are kept for the
// block's caller. Included before Verilator's run time, which is compiled with these functions in place of its own.
#pragma once

#include <string>

#define VL_PRINTF isbesim_print
#define VL_USER_STOP
#define VL_USER_FATAL
#define VL_USER_WARN

__attribute__((format(printf, 1, 2))) int isbesim_print(const char* format, ...);

/// Thrown by an evaluation that can't go on.
struct evaluation_ended {};

/// The failures on this thread since the last call, a line each; empty without failures.
std::string take_failure();
