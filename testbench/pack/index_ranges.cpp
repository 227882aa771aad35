// SPDX-License-Identifier: Apache-2.0
#include "testbench/pack/index_ranges.h"

#include <algorithm>
#include <array>

#include "models/isa/execution/float_bits.h"

namespace isbesim::testbench {

namespace {

using varying::register_file;

class index_search {
public:
    explicit index_search(const packed_program& program) : program_(program)
    {
        for (const auto& each : program.code.instructions) step(each);
    }
    index_ranges ranges;

private:
    using origins = std::map<text_scalar, bool>; ///< true: converted from float on the way
    using key = std::tuple<register_file, unsigned, unsigned>;

    void step(const varying::instruction& each)
    {
        for (const auto& access : each.operands) {
            if (!access.word.empty()) continue;
            if (access.index.indirect) note(*access.index.indirect, bounds_of(access));
            if (access.vertex && access.vertex->indirect) note(*access.vertex->indirect, {0, 1});
        }
        if (each.destinations == 0) return;
        const auto& to = each.operands.front();
        const bool converts = each.opcode == "ARL" || each.opcode == "F2I" || each.opcode == "F2U";
        std::array<origins, 4> result;
        for (unsigned c = 0; c < 4; ++c)
            for (std::size_t s = 1; s < each.operands.size(); ++s)
                for (auto [origin, converted] : read(each.operands[s], c)) result[c][origin] = converted || converts;
        if (to.index.indirect) return;
        for (unsigned c = 0; c < 4; ++c)
            if ((to.write_mask() >> c & 1U) != 0)
                known_[{to.file, static_cast<unsigned>(to.index.offset), c}] = result[c];
    }

    origins read(const varying::operand& access, unsigned c) const
    {
        if (!access.word.empty() || access.index.indirect) return {};
        const auto number = static_cast<unsigned>(access.index.offset);
        const unsigned component = access.swizzle(c);
        if ((access.file == register_file::input && !access.vertex) || access.file == register_file::constant)
            return {{{access.file, access.vertex ? static_cast<unsigned>(access.vertex->offset) : 0, number, component},
                     false}};
        const auto found = known_.find({access.file, number, component});
        return found == known_.end() ? origins{} : found->second;
    }

    index_range bounds_of(const varying::operand& access) const
    {
        for (const auto& each : program_.code.declarations) {
            if (each.file != access.file || each.array != access.array) continue;
            const int first = access.counts_from_array ? 0 : static_cast<int>(each.first);
            if (each.by_component) {
                const int width = static_cast<int>(program_.placed.find_array(each.file, each.array)->width());
                const int base = width * (first - access.index.offset);
                const auto& letters = access.letters.empty()
                                          ? std::string("xyzw").substr(0, static_cast<std::size_t>(width))
                                          : access.letters;
                const auto [low, high] = std::minmax_element(letters.begin(), letters.end(), [](char a, char b) {
                    return std::string_view("xyzw").find(a) < std::string_view("xyzw").find(b);
                });
                const auto at = [](char c) { return static_cast<int>(std::string_view("xyzw").find(c)); };
                return {base - at(*low), base + width * static_cast<int>(each.registers()) - at(*high)};
            }
            return {first - access.index.offset, first - access.index.offset + static_cast<int>(each.registers())};
        }
        return {0, 4}; // CONST and similar
    }

    void note(const varying::indirect_part& part, index_range bounds)
    {
        const auto found = known_.find({part.file, part.number, part.component});
        if (found == known_.end()) return;
        for (const auto& [origin, converted] : found->second) {
            auto& range = ranges[origin];
            const index_range both = {std::max(range.low, bounds.low), std::min(range.high, bounds.high), converted};
            range = both.low < both.high
                        ? both
                        : index_range{std::min(range.low, bounds.low), std::max(range.high, bounds.high), converted};
        }
    }

    const packed_program& program_;
    std::map<key, origins> known_;
};

} // namespace

index_ranges index_ranges_of(const packed_program& program)
{
    return index_search(program).ranges;
}

word sample_word(const index_ranges& ranges, const text_scalar& which, unsigned position, unsigned number)
{
    const auto found = ranges.find(which);
    if (found == ranges.end()) // distinct, and exact in float arithmetic
        return isa::to_bits(static_cast<float>(position + 1 + 128 * number) +
                            0.25F * static_cast<float>(which.component));
    const auto& range = found->second;
    const int value =
        range.low + static_cast<int>(position * (1 + which.component) % static_cast<unsigned>(range.high - range.low));
    return range.is_float ? isa::to_bits(static_cast<float>(value)) : static_cast<word>(value);
}

} // namespace isbesim::testbench
