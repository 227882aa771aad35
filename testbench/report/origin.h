// SPDX-License-Identifier: Apache-2.0
// The origin of a result: report.json's `of`, and the line of every page.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "testbench/system/config.h"

namespace isbesim::testbench {

struct result_origin {
    const char* command;                   ///< of isbesim
    const std::vector<std::string>& words; ///< that the result depends on
    const std::string& scenario;
    const machine_programs& machine;
    const machine_config& config;
    const std::string& isbe;
    const char* timing = "at"; ///< or "lt"
};
/// The `command` of `of`.
boost::json::array command_json(const char* command, const std::vector<std::string>& words);
/// Version, command and date: what a page of several results is of.
boost::json::object call_json(const char* command, const std::vector<std::string>& words);
/// The date is the end of the run in UTC, or that of SOURCE_DATE_EPOCH (reproducible-builds.org). The host is not in
/// it.
boost::json::object origin_json(const result_origin& origin);

/// "gm107 with isbe.banks 8; back end at; isbesim 1.0.0; 2026-01-31T12:00:00Z; isbesim run ...". Empty for a report of
/// an earlier version, which has no `of`.
std::string origin_text(const boost::json::object& report);
/// Version, date and command of an origin: the end of its line, and all that call_json() knows.
std::string call_text(const boost::json::object& origin);

} // namespace isbesim::testbench
