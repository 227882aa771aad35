// SPDX-License-Identifier: Apache-2.0
// What processes of a session must not keep, and the end of those that it has left behind.
#pragma once

#include <string>

namespace isbesim::gl {

/// In a process that was forked and executes nothing: closes all but standard input, output and error and these two
/// (one is enough). What the session closes is closed then, and its lock on a capture ends with it.
void keep_only(int descriptor, int other = 0);

/// Ends the processes that were started with this private folder in their environment, when they have had a second to
/// end by themselves: with SIGTERM, and two seconds later with SIGKILL. Returns when no process is left that can
/// be ended.
void end_programs_of(const std::string& folder);

} // namespace isbesim::gl
