// SPDX-License-Identifier: Apache-2.0
// Random instructions of one row of the instruction table, and warps to carry them out on.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/execution/executor.h"
#include "models/isa/tables/table.h"
#include "testbench/crosscheck/traffic/random_numbers.h"

namespace isbesim::isa {

/// Memory that has every address: 4 KiB over and over.
class endless_memory : public memory_space {
public:
    std::uint8_t* find(std::uint64_t address, std::size_t size) override;
    std::vector<std::uint8_t>& bytes() { return bytes_; }
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    static constexpr std::size_t period = 4096;
    static constexpr std::size_t longest = 64; ///< access
    std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(period + longest);
};

/// An instruction in a program of its own, followed by EXIT, and a warp with something in every register, predicate
/// and byte of memory: random words, small numbers, and those that arithmetic trips over.
class sampled_instruction {
public:
    explicit sampled_instruction(std::uint64_t seed) : random_(seed) {}

    /// A random word of the row; false where it is of no use: another row's, or not to be decoded.
    bool draw(architecture arch, const opcode_row& row);
    /// Other lanes and contents for the same instruction.
    void fill();
    /// Carries it out; what isa::execute throws is a part of the result.
    void execute();

    /// Checksum of everything that the instruction may have changed.
    std::uint64_t checksum() const;
    /// Runs it once more for measurements, unless it failed.
    void repeat();
    lane_mask took_part() const { return step_.lanes; }
    bool failed() const { return !failure_.empty(); }

private:
    word awkward();

    testbench::random_numbers random_;
    program code_;
    constant_banks constants_;
    endless_memory memory_;
    warp_state warp_;
    warp_op op_;
    step step_;
    lane_mask lanes_ = 0; ///< that fill() launched
    std::string failure_;
};

} // namespace isbesim::isa
