// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/memory_address.h"

namespace isbesim::testbench {

std::uint64_t parse_memory_address(const json_document& document, const boost::json::value& address)
{
    if (!address.is_string()) return document.integer(address, "address", 0, ~std::uint64_t{0});
    const auto text = document.text(address, "address");
    if (text.rfind("0x", 0) != 0 || text.size() < 3 || text.size() > 18 ||
        text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos)
        document.fail(address, "'" + text + "' is no address, expected 0x and up to 16 hexadecimal digits");
    return std::stoull(text, nullptr, 16);
}

std::uint64_t memory_address(const json_document& document, const boost::json::value& value, const std::string& what)
{
    return parse_memory_address(document, document.member(value, "address", what));
}

} // namespace isbesim::testbench
