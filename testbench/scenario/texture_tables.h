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
                             most_samplers = std::size_t{1} << 12; ///< as a handle has bits

/// The unit over the tables that `value` describes. Entries that stand in the file become buffers of `memory`, which is
/// made where the scenario has none. Throws input_error.
std::shared_ptr<texture::texture_unit> read_textures(const json_document& document, const boost::json::value& value,
                                                     std::shared_ptr<global_memory>& memory);

/// Gives a draw memory of its own with what its textures need, null where it has none: the tables up to their last
/// entry that is not 0, and the buffers that headers name.
std::shared_ptr<global_memory> copy_textures(draw_call& draw);

/// A buffer that holds `count` entries and nothing else.
bool is_table(const memory_region& buffer, std::uint64_t address, std::size_t count);

/// The value of "textures" from what `memory` has at the tables' addresses.
boost::json::object textures_json(const texture::tables& tables, global_memory& memory);

} // namespace isbesim::testbench
