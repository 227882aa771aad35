// SPDX-License-Identifier: Apache-2.0
// Exit statuses of commands.
#pragma once

namespace isbesim::testbench {

/// Exit statuses, the contract with scripts.
enum exit_status : int {
    done = 0,           ///< done, all checks held
    check_failed = 1,   ///< mismatch, trap with --strict, deadlock, watchdog
    wrong_input = 2,    ///< in the input or on the command line
    internal_error = 3, ///< or no room for results
};

} // namespace isbesim::testbench
