#include <stdexcept>

#include "testbench/rtl/rtl_block.h"
#include "testbench/rtl/rtl_parameters.h"

namespace isbesim::testbench {

// make_block_<name>() of every configuration in CMakeLists.txt, then the rows.
#include "testbench/rtl/rtl_configurations.inc"

std::unique_ptr<rtl_block> make_rtl_block(const isbe_config& config, waveform* wave)
{
    const auto wanted = rtl_parameter_list(config);
    for (const auto& row : rtl_configurations())
        if (wanted == row.parameters) return row.make(wave);
    return nullptr;
}

std::unique_ptr<rtl_block> require_rtl_block(const isbe_config& config, waveform* wave)
{
    auto block = make_rtl_block(config, wave);
    if (block) return block;
    std::vector<std::string> lists;
    std::string names;
    for (const auto& row : rtl_configurations()) {
        names += std::string(names.empty() ? "" : ", ") + row.name;
        lists.emplace_back(row.parameters);
    }
    if (lists.empty())
        throw std::invalid_argument("this build has no RTL, expected --isbe at or lt, or a build with ISBESIM_RTL=ON");
    const auto nearest = nearest_rtl_parameters(config, lists);
    throw std::invalid_argument("no RTL was compiled for this configuration; the nearest, " +
                                std::string(rtl_configurations()[nearest].name) + ", differs in " +
                                rtl_differences(config, lists[nearest]) + "; expected the keys of one of " + names);
}

} // namespace isbesim::testbench
