// The RTL's parameters (micro-architecture section 7) of a configuration: which compiled block fits which machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/machine_config.h"

namespace isbesim::testbench {

/// One row of the table of section 7.
struct rtl_parameter {
    const char* name;
    const char* key;                   ///< of the machine configuration
    std::array<const char*, 2> values; ///< what 0 and 1 are called there; null: the number itself
    std::uint32_t (*get)(const isbe_config&);
    void (*set)(isbe_config&, std::uint32_t);
};

const std::vector<rtl_parameter>& rtl_parameters();
/// "LINES=1024 BANKS=32 …": the key under which a compiled block is found.
std::string rtl_parameter_list(const isbe_config& config);
/// In which keys a configuration differs from a compiled one: "isbe.lines = 96 (compiled: 64), ...".
std::string rtl_differences(const isbe_config& config, const std::string& compiled_list);
/// Index of the list that differs in the fewest keys; the first of several. `compiled_lists` is not empty.
std::size_t nearest_rtl_parameters(const isbe_config& config, const std::vector<std::string>& compiled_lists);
/// The way back. Throws std::invalid_argument for a name that is no parameter.
isbe_config config_of_rtl_parameters(const std::string& list);

} // namespace isbesim::testbench
