// SPDX-License-Identifier: Apache-2.0
// State that all macros of a channel share, whichever class calls them: code, start places, scratch registers, data
// RAM. Places count instructions, which have one word up to Volta and three since Turing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace isbesim::gl {

class macro_memory {
public:
    static constexpr std::uint32_t macros = 256;
    static constexpr std::uint32_t most_places = 0x4000; ///< a choice: drivers use less than 0xc00
    static constexpr std::uint32_t ram_words = 0xc00;

    /// `three_d_class`: of the chip; it selects the instruction format.
    explicit macro_memory(std::uint32_t three_d_class);

    /// True for Turing's instructions, false for Fermi's.
    bool is_wide() const { return instruction_words_ == 3; }
    void write_at(std::uint32_t place) { write_word_ = word_of(place); }
    /// Returns false if there is no room.
    bool word(std::uint32_t value);
    void select(std::uint32_t number) { number_ = number; }
    /// Returns false if there is no such macro.
    bool begins_at(std::uint32_t place);

    /// Number of words up to the last uploaded word; words between uploads are 0.
    std::uint32_t words() const { return static_cast<std::uint32_t>(code_.size()); }
    std::uint32_t code(std::uint32_t word) const { return code_[word]; }
    std::uint32_t instruction_words() const { return instruction_words_; }
    /// First word of a macro; words() if it has no start place.
    std::uint32_t start(std::uint32_t number) const;

    std::array<std::uint32_t, 256> scratch{};
    std::array<std::uint32_t, ram_words> ram{};

private:
    std::uint32_t word_of(std::uint32_t place) const { return std::min(place, most_places) * instruction_words_; }

    std::uint32_t instruction_words_;
    std::vector<std::uint32_t> code_;
    std::array<std::uint32_t, macros> starts_;
    std::uint32_t number_ = 0;
    std::uint32_t write_word_ = 0;
};

} // namespace isbesim::gl
