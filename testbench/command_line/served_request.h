// SPDX-License-Identifier: Apache-2.0
// A request of `isbesim serve`, from its line to the line of its answer.
#pragma once

#include <string>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "testbench/command_line/commands_at_once.h"

namespace isbesim::testbench {

struct scenario;

/// One line of the input, as the command line of `isbesim run` or `replay`.
struct served_request {
    boost::json::value id;
    std::string scenario; ///< file, if its scenario may be kept for later requests; otherwise empty
    bool is_replay = false;
    bool whole_report = false;
    command_words words;
};

/// Reads only the id, for the answer to a line that read_request() refuses.
void read_id(const std::string& line, served_request& request);
/// Throws input_error.
void read_request(const std::string& line, served_request& request);

/// Runs the request in this process, which must end afterwards, as its standard streams are replaced. Returns the exit
/// status as a digit, then the answer's line. `loaded`: the kept scenario, or null; `folder`: for temporary files.
std::string run_served(served_request request, scenario* loaded, const std::string& folder);

/// The answer's line. The report is last.
std::string answer_line(const served_request& request, const std::string& status, int exit, boost::json::object report);

} // namespace isbesim::testbench
