// SPDX-License-Identifier: Apache-2.0
// State of the 3D class at a draw: its registers, and bindings made from them.
#pragma once

#include <array>
#include <cstdint>

namespace isbesim::gl {

/// A bound constant buffer.
struct constant_binding {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool valid = false;
};

struct three_d_state {
    static constexpr unsigned stages = 5;          ///< vertex, control, evaluation, geometry, fragment
    static constexpr unsigned constant_banks = 18; ///< of each stage
    static constexpr unsigned root_tables = 8, root_table_words = 64;
    static constexpr unsigned first_root_bank = 24; ///< of all stages: a bank for each table
    static constexpr unsigned attributes = 32;

    std::array<std::uint32_t, 0x1000> registers{};
    std::array<std::array<constant_binding, constant_banks>, stages> constants{};
    std::array<std::array<std::uint32_t, root_table_words>, root_tables> root{};
    bool has_root_tables = false; ///< a word was loaded into one
    /// Values of attributes without an array (VTX_ATTR_DEFINE), four words each.
    std::array<std::array<std::uint32_t, 4>, attributes> attribute_values{};

    /// By method number, in bytes.
    std::uint32_t at(std::uint32_t method) const { return registers[method / 4]; }
    std::uint32_t& at(std::uint32_t method) { return registers[method / 4]; }
    /// Upper word at `method`, lower word after it.
    std::uint64_t address_at(std::uint32_t method) const
    {
        return (static_cast<std::uint64_t>(at(method)) << 32) | at(method + 4);
    }
};

} // namespace isbesim::gl
