// SPDX-License-Identifier: Apache-2.0
// The options of `isbesim traffic` that describe the traffic.
#pragma once

#include <boost/json/object.hpp>
#include <boost/program_options.hpp>

#include "testbench/arguments/command_arguments.h"
#include "testbench/load/load_profile.h"

namespace isbesim::testbench {

void add_traffic_options(boost::program_options::options_description& options);

/// report.json's `traffic`: the values of these options but --curve, --points and --seed.
boost::json::object traffic_json(const command_arguments& arguments);

/// Throws input_error at the invalid option. `ports`: of the machine.
load_profile read_load_profile(const command_arguments& arguments, unsigned ports);

/// --rate, --outstanding; empty with --curve. Throws input_error unless exactly one of the three is given.
load_level read_load_level(const command_arguments& arguments, unsigned ports);

} // namespace isbesim::testbench
