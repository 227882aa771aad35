// SPDX-License-Identifier: Apache-2.0
#include "models/isa/encoding/binary.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>

#include "models/isa/encoding/codec.h"
#include "models/isa/tables/table.h"
#include "tlm/count_text.h"

namespace isbesim::isa {

namespace {

constexpr std::size_t bundle_words = 4; // control word + three instructions
constexpr unsigned control_bits = 21;
constexpr std::uint32_t control_mask = (1U << control_bits) - 1;

std::uint64_t load_word(const std::uint8_t* bytes)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
    return value;
}

void store_word(std::vector<std::uint8_t>& bytes, std::uint64_t value)
{
    for (unsigned i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

[[noreturn]] void fail(std::size_t address, const char* what)
{
    char text[160];
    std::snprintf(text, sizeof text, "address 0x%04zx: %s", address, what);
    throw program_error(0, 0, text);
}

void decode_sm50(const std::uint8_t* bytes, std::size_t size, program& result)
{
    if (size % 8 != 0) fail(size / 8 * 8, "the program ends inside a 64-bit word");
    const std::size_t words = size / 8;
    if (words % bundle_words == 1) fail(size - 8, "the program ends after a control word, an instruction was expected");
    result.code.reserve(words / bundle_words * 3 + 3);
    for (std::size_t bundle = 0; bundle < words; bundle += bundle_words) {
        std::uint64_t control_word = load_word(bytes + bundle * 8);
        for (std::size_t i = bundle + 1; i < std::min(bundle + bundle_words, words); ++i) {
            result.code.push_back(
                decode_instruction(result.arch, {load_word(bytes + i * 8), 0}, static_cast<std::uint32_t>(i * 8)));
            result.code.back().control = decode_control(static_cast<std::uint32_t>(control_word) & control_mask);
            control_word >>= control_bits;
        }
        if (control_word != 0)
            fail(bundle * 8, bundle + bundle_words > words
                                 ? "the control word schedules more instructions than follow it"
                                 : "bit 63 of the control word must be 0");
    }
}

constexpr std::size_t long_bytes = 16; // SM75: an instruction with its control bits

void decode_sm75(const std::uint8_t* bytes, std::size_t size, program& result)
{
    if (size % long_bytes != 0) fail(size / long_bytes * long_bytes, "the program ends inside a 128-bit instruction");
    result.code.reserve(size / long_bytes);
    const encoding used = instruction_mask(result.arch);
    for (std::size_t offset = 0; offset < size; offset += long_bytes) {
        const encoding word = {load_word(bytes + offset), load_word(bytes + offset + 8)};
        const std::uint64_t scheduling = word[1] >> (control_position - 64);
        if (scheduling >> control_bits != 0) fail(offset, "the two bits above the scheduling control must be 0");
        result.code.push_back(
            decode_instruction(result.arch, {word[0], word[1] & used[1]}, static_cast<std::uint32_t>(offset)));
        result.code.back().control = decode_control(static_cast<std::uint32_t>(scheduling));
    }
}

} // namespace

control decode_control(std::uint32_t bits)
{
    control result;
    result.stall = bits & 0xfU;
    result.yield = ((bits >> 4) & 1U) != 0;
    result.write_barrier = (bits >> 5) & 7U;
    result.read_barrier = (bits >> 8) & 7U;
    result.wait_mask = (bits >> 11) & 0x3fU;
    result.reuse = (bits >> 17) & 0xfU;
    return result;
}

std::uint32_t encode_control(const control& scheduling)
{
    return (scheduling.stall & 0xfU) | (scheduling.yield ? 1U << 4 : 0U) | (scheduling.write_barrier & 7U) << 5 |
           (scheduling.read_barrier & 7U) << 8 | (scheduling.wait_mask & 0x3fU) << 11 | (scheduling.reuse & 0xfU) << 17;
}

void warn_of_ignored_bits(program& code)
{
    std::size_t count = 0;
    const instruction* first = nullptr;
    encoding first_bits{};
    for (const auto& each : code.code) {
        const encoding ignored = ignored_bits(code.arch, each);
        if (ignored == encoding{} || count++ != 0) continue;
        first = &each;
        first_bits = ignored;
    }
    if (first == nullptr) return;
    std::string bits;
    for (unsigned i = 0; i < 128; ++i)
        if (get_bit(first_bits, i)) bits += (bits.empty() ? "" : ", ") + std::to_string(i);
    char place[16];
    std::snprintf(place, sizeof place, "0x%04x", first->address);
    const bool one = bits.find(',') == std::string::npos;
    code.warnings.push_back({0, 0, first->address,
                             count_text(count, "instruction has", "instructions have") +
                                 " bits set that are ignored, " + (count == 1 ? "" : "first ") + first->row->mnemonic +
                                 " at address " + place + (one ? " bit " : " bits ") + bits + "; they are kept",
                             ignored_bits_kind});
}

void count_registers(program& code)
{
    unsigned count = 1; // R0 is the geometry state of the final OUT, used or not
    const auto extend = [&](register_range range) {
        if (range.count != 0) count = std::max(count, unsigned{range.first} + range.count);
    };
    for (const auto& each : code.code) {
        for (const auto range : each.issue.writes) extend(range);
        for (const auto range : each.issue.reads) extend(range);
    }
    code.register_count = count;
}

program decode_program(const std::uint8_t* bytes, std::size_t size, architecture arch)
{
    program result;
    result.arch = arch;
    if (size == 0) throw program_error(0, 0, "the program is empty");
    if (arch == architecture::sm50)
        decode_sm50(bytes, size, result);
    else
        decode_sm75(bytes, size, result);
    count_registers(result);
    warn_of_broken_rules(result);
    warn_of_ignored_bits(result);
    return result;
}

program decode_program(const std::vector<std::uint8_t>& bytes, architecture arch)
{
    return decode_program(bytes.data(), bytes.size(), arch);
}

std::vector<std::uint8_t> encode_program(const program& code)
{
    std::vector<std::uint8_t> bytes;
    if (code.arch != architecture::sm50) {
        for (const auto& each : code.code) {
            store_word(bytes, each.word[0]);
            store_word(bytes, each.word[1] | std::uint64_t{encode_control(each.control)} << (control_position - 64));
        }
        return bytes;
    }
    for (std::size_t first = 0; first < code.code.size(); first += 3) {
        const std::size_t last = std::min(first + 3, code.code.size());
        std::uint64_t control_word = 0;
        for (std::size_t i = first; i < last; ++i)
            control_word |= std::uint64_t{encode_control(code.code[i].control)} << (control_bits * (i - first));
        store_word(bytes, control_word);
        for (std::size_t i = first; i < last; ++i) store_word(bytes, code.code[i].word[0]);
    }
    return bytes;
}

} // namespace isbesim::isa
