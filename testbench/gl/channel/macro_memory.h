// SPDX-License-Identifier: Apache-2.0
// What a channel's macros share, whichever class calls them: code, the places where they begin, scratch registers, data
// RAM. Places count words, also from Turing on, where an instruction has three.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace isbesim::gl {

class macro_memory {
public:
    static constexpr std::uint32_t macros = 256;
    static constexpr std::uint32_t most_words = 0x4000; ///< of code, a choice of ours: drivers use less than 0xc00
    static constexpr std::uint32_t ram_words = 0xc00;

    macro_memory() { starts_.fill(most_words); }

    void write_at(std::uint32_t position) { write_position_ = position; }
    /// False where there is no room for it.
    bool word(std::uint32_t value);
    void select(std::uint32_t number) { number_ = number; }
    /// False where there is no such macro.
    bool begins_at(std::uint32_t position);

    /// No word where nothing was uploaded: the end of the code, as a position.
    std::uint32_t words() const { return static_cast<std::uint32_t>(code_.size()); }
    std::uint32_t code(std::uint32_t position) const { return code_[position]; }
    /// words() for a macro that nothing was said about.
    std::uint32_t start(std::uint32_t number) const;

    std::array<std::uint32_t, 256> scratch{};
    std::array<std::uint32_t, ram_words> ram{};

private:
    std::vector<std::uint32_t> code_;
    std::array<std::uint32_t, macros> starts_;
    std::uint32_t number_ = 0;
    std::uint32_t write_position_ = 0;
};

} // namespace isbesim::gl
