// Addresses of global memory in a scenario.
#pragma once

#include <cstdint>
#include <string>

#include "testbench/files/json_document.h"

namespace isbesim::testbench {

/// The member "address" of an object: "0x12340000", or an integer. Throws input_error.
std::uint64_t memory_address(const json_document& document, const boost::json::value& value, const std::string& what);

} // namespace isbesim::testbench
