#include <cstddef>
#include <iterator>

#include "testbench/rtl/rtl_block.h"
#include "testbench/rtl/rtl_parameters.h"

namespace isbesim::testbench {

namespace {

struct rtl_configuration {
    const char* name;
    const char* parameters; ///< as rtl_parameter_list() writes them
    std::unique_ptr<rtl_block> (*make)();
};

} // namespace

// Written by CMake from the list in testbench/rtl/CMakeLists.txt; ends with a row of nulls.
#include "testbench/rtl/rtl_configurations.inc"

std::unique_ptr<rtl_block> make_rtl_block(const isbe_config& config)
{
    const auto wanted = rtl_parameter_list(config);
    for (const auto* row = rtl_configurations; row->name != nullptr; ++row)
        if (wanted == row->parameters) return row->make();
    return nullptr;
}

std::string list_rtl_configurations()
{
    std::string list;
    for (const auto* row = rtl_configurations; row->name != nullptr; ++row)
        list += std::string(row->name) + ": " + row->parameters + "\n";
    return list;
}

} // namespace isbesim::testbench
