// SPDX-License-Identifier: Apache-2.0
// Converts machine configurations to the RTL's parameters (micro-architecture section 7, rtl_ref/configurations.json).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/machine_config.h"

namespace isbesim::testbench {

/// One row of the table of section 7.
struct rtl_parameter {
    const char* name;
    const char* key;                 ///< of the machine configuration
    std::vector<const char*> values; ///< names of 0, 1, ... there; empty: the number itself
    std::uint32_t (*get)(const isbe_config&);
    void (*set)(isbe_config&, std::uint32_t);
};

const std::vector<rtl_parameter>& rtl_parameters();
/// "LINES=1024 BANKS=32 ...", as given to the build of a plug-in, and as a plug-in states it.
std::string rtl_parameter_list(const isbe_config& config);
/// The inverse. Throws std::invalid_argument for an unknown name.
isbe_config config_of_rtl_parameters(const std::string& list);
/// The keys in which a configuration differs from a compiled one: "isbe.lines = 96 (compiled: 64), ...".
std::string rtl_differences(const isbe_config& config, const std::string& compiled_list);

/// A named configuration.
struct rtl_configuration {
    const char* name;
    const char* parameters; ///< in the form of rtl_parameter_list()
};
const std::vector<rtl_configuration>& rtl_configurations();
/// Throws std::invalid_argument for an unknown name.
isbe_config rtl_configuration_of(const std::string& name);

} // namespace isbesim::testbench
