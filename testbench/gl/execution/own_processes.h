// SPDX-License-Identifier: Apache-2.0
// Closes descriptors that processes of a session must not keep, and ends processes that a session left behind.
#pragma once

#include <string>

namespace isbesim::gl {

/// In a forked process that executes no program: closes all descriptors except standard input, output and error and
/// these two (one is enough). So descriptors of the session, with its lock on a capture, do not stay open here.
void keep_only(int descriptor, int other = 0);

/// Ends the processes that have this private folder in their environment, after a second to end by themselves: with
/// SIGTERM, and two seconds later with SIGKILL. Returns when none is left, or after six seconds.
void end_programs_of(const std::string& folder);

} // namespace isbesim::gl
