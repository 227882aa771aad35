// SPDX-License-Identifier: Apache-2.0
// A shipped scenario with changes, run as by a user.
#pragma once

#include <string>
#include <vector>

#include <boost/json.hpp>

#include "tests/testbench/process.h"
#include "tests/testbench/temporary_folder.h"

namespace isbesim::testbench {

/// Names of the shipped scenarios whose folder has a file of this name, sorted.
std::vector<std::string> scenarios_with(const char* file);

class derived_scenario {
public:
    /// Starts with testbench/scenarios/`name`; the files that it names are found from any folder.
    explicit derived_scenario(const std::string& name);

    boost::json::object& root() { return root_; }
    boost::json::object& stages() { return root_.at("stages").as_object(); }
    boost::json::object& draw() { return root_.at("draw").as_object(); }
    std::string arch() const { return std::string(root_.at("arch").as_string()); }

    /// Adds or replaces a stage; the assembler schedules `text`, `sph` is an object of header fields.
    void set_stage(const std::string& stage, const std::string& text, boost::json::value sph);

    /// The same with the control words of the text.
    void set_scheduled_stage(const std::string& stage, const std::string& text, boost::json::value sph);

    /// Runs with --check-protocol. The results stay until the next run.
    process_result run(const std::string& backend, const std::vector<std::string>& options = {});
    std::string vertices() const;
    boost::json::object report() const;

private:
    temporary_folder folder_;
    boost::json::object root_;
};

/// The warnings of the last run's report as JSON, and whether one is of a kind.
std::string warnings_of(const derived_scenario& scenario);
bool warned_of(const derived_scenario& scenario, const std::string& kind);

/// A program, and the code of the trap that it ends with.
struct attempt {
    const char* text;
    int code; ///< 0: legal
};

/// Runs on AT with --strict=traps, and expects the trap of `stage`, or no trap.
void expect_trap(derived_scenario& scenario, const std::string& stage, const attempt& expected);

/// Runs on LT and expects exit status 2 and an error with `text` and the scenario's place.
void expect_wrong_input(derived_scenario& scenario, const std::string& text);

/// Program text that copies attributes of a vertex (byte addresses), one by one.
std::string copy_attributes(const std::vector<unsigned>& addresses);
/// { "imap": [...], "omap": [...] } with both maps holding the addresses.
boost::json::object map_of(const std::vector<unsigned>& addresses);

} // namespace isbesim::testbench
