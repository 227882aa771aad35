// SPDX-License-Identifier: Apache-2.0
// Headers and samplers of a scenario: "textures".
#pragma once

#include <memory>

#include "models/memory/global_memory.h"
#include "models/pe/front_end/draw.h"
#include "models/texture/texture_unit.h"
#include "testbench/files/json_document.h"

namespace isbesim::testbench {

inline constexpr std::size_t most_headers = std::size_t{1} << 20,
                             most_samplers = std::size_t{1} << 12; ///< as many as a handle can address

/// A texture unit with the tables that `value` describes. Entries in the file become buffers of `memory`, which is made
/// if the scenario has none. Throws input_error.
std::shared_ptr<texture::texture_unit> read_textures(const json_document& document, const boost::json::value& value,
                                                     isa::architecture arch, std::shared_ptr<global_memory>& memory);

/// Replaces a draw's memory by a copy of the data for its textures, or null without textures: the tables up to their
/// last entry that is not 0, and the buffers in headers.
std::shared_ptr<global_memory> copy_textures(draw_call& draw);

/// True for a buffer that holds exactly `count` entries.
bool is_table(const memory_region& buffer, std::uint64_t address, std::size_t count);

/// The value of "textures", from `memory` at the tables' addresses.
boost::json::object textures_json(const texture::tables& tables, global_memory& memory);

} // namespace isbesim::testbench
