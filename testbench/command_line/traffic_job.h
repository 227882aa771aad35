// SPDX-License-Identifier: Apache-2.0
// The request of `isbesim traffic`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/program_options.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/load/load_operations.h"
#include "testbench/load/load_site.h"
#include "testbench/rtl/isbe_backend.h"

namespace isbesim::testbench {

/// The values of the command's own options; texts for members of `profile` are parsed later.
struct traffic_choices {
    std::string isbe = "at", rate, mix = "ald", write_share, sizes = "1", conflict = "1", handles = "sequential";
    std::string port_share = "0", arrivals = "poisson";
    std::optional<std::uint64_t> outstanding;
    std::uint64_t points = 20;
    bool curve = false, quiet = false;
    load_profile profile;

    boost::program_options::options_description options();
};

/// The request of the command line.
struct traffic_job : traffic_choices {
    /// Throws input_error at the invalid option.
    explicit traffic_job(const std::vector<std::string>& words);

    command_arguments arguments;
    machine_config config;
    machine_programs machine;
    const isbe_backend* backend = nullptr;
    load_level level; ///< without a curve
};

/// report.json's `traffic`: the options but --curve, --points and --seed.
boost::json::object traffic_json(const command_arguments& arguments);

} // namespace isbesim::testbench
