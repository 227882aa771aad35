// SPDX-License-Identifier: Apache-2.0
// Messages of a block during its evaluation: $display goes to standard output; $error, $fatal, $stop, $finish, violated
// assertions, missing memory files, errors of Verilator's run time and whatever ends a process do not end the program
// but are kept for the block's caller. Include this before Verilator's run time, which is compiled with these functions
// instead of its own.
#pragma once

#include <string>

#define VL_PRINTF isbesim_print
#define VL_USER_STOP
#define VL_USER_FINISH
#define VL_USER_FATAL
#define VL_USER_WARN

__attribute__((format(printf, 1, 2))) int isbesim_print(const char* format, ...);

/// Thrown by an evaluation that can't go on.
struct evaluation_ended {};

/// Calls work(what) of a block. False if it could not return: because of evaluation_ended, another exception, exit()
/// and its kind, or a signal such as SIGSEGV, in the block or a function that it imports by DPI. The block is then in
/// no defined state.
bool run_guarded(void (*work)(void*), void* what);

/// The failures on this thread since the last call, one line each; empty without failures.
std::string take_failure();
