// The RTL's parameters (micro-architecture section 7) of a configuration: which compiled block fits which machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/machine_config.h"

namespace isbesim::testbench {

struct rtl_parameter {
    const char* name;
    std::uint32_t value;
};

/// In the order of the table of section 7.
std::vector<rtl_parameter> rtl_parameters(const isbe_config& config);
/// "LINES=1024 BANKS=32 …": the key under which a compiled block is found.
std::string rtl_parameter_list(const isbe_config& config);

} // namespace isbesim::testbench
