// SPDX-License-Identifier: Apache-2.0
// Global memory and the driver's routines of a scenario: "memory", "expect_memory", "textures", "windows" and
// "library".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/memory/global_memory.h"
#include "models/pe/front_end/draw.h"
#include "testbench/files/json_document.h"
#include "testbench/files/named_files.h"

namespace isbesim::testbench {

/// The buffers that the draw's programs access, and their expected contents at the end.
struct memory_image {
    struct expected {
        std::uint64_t address = 0;
        std::string file;
        std::vector<std::uint8_t> bytes;
    };
    std::shared_ptr<global_memory> contents; ///< null without buffers
    std::vector<expected> expect;
};

inline constexpr std::uint64_t max_buffer_bytes = std::uint64_t{1} << 30;
/// Limit on the total of the sizes that a scenario gives; contents of files have the files' sizes.
inline constexpr std::uint64_t max_memory_bytes = std::uint64_t{1} << 32;

/// Reads the five keys and sets the draw's memory, textures and routines. Throws input_error.
memory_image read_memory_image(const json_document& document, const named_files& files, draw_call& draw);

/// The first difference between the memory and the expectation; empty without one.
std::string memory_difference(const memory_image& image);

/// Calls `write` for each buffer, with the file memory_0x<address>.bin.
void write_memory(const memory_image& image,
                  const std::function<void(const std::string& file, std::string_view bytes)>& write);

// Addresses of global memory in a scenario.

/// "0x12340000", or an integer. Throws input_error.
std::uint64_t parse_memory_address(const json_document& document, const boost::json::value& address);
/// The member "address" of an object.
std::uint64_t memory_address(const json_document& document, const boost::json::value& value, const std::string& what);

} // namespace isbesim::testbench
