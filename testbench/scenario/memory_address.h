// SPDX-License-Identifier: Apache-2.0
// Addresses of global memory in a scenario.
#pragma once

#include <cstdint>
#include <string>

#include "testbench/files/json_document.h"

namespace isbesim::testbench {

/// "0x12340000", or an integer. Throws input_error.
std::uint64_t parse_memory_address(const json_document& document, const boost::json::value& address);
/// The member "address" of an object.
std::uint64_t memory_address(const json_document& document, const boost::json::value& value, const std::string& what);

} // namespace isbesim::testbench
