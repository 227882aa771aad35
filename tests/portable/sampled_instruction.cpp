// SPDX-License-Identifier: Apache-2.0
#include "tests/portable/sampled_instruction.h"

#include <array>
#include <exception>

#include "models/isa/encoding/codec.h"
#include "models/isa/text/text.h"
#include "tests/portable/checksum_of.h"

namespace isbesim::isa {

namespace {

constexpr unsigned registers = 255;

} // namespace

std::uint8_t* endless_memory::find(std::uint64_t address, std::size_t size)
{
    return size <= longest ? bytes_.data() + address % period : nullptr;
}

word sampled_instruction::awkward()
{
    // Ends of the integers; zeros, ones, infinities, NaNs, subnormals and halves of the usual formats.
    static constexpr std::array<word, 22> special{
        0,          1,          2,          0xffffffff, 0x80000000, 0x7fffffff, 0xffff,     0x10000,
        0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x00000001, 0x007fffff,
        0x4b000000, 0x4f000000, 0x7ff00000, 0x3c003c00, 0x7c00fc00, 0x3f000000};
    switch (random_.below(4)) {
    case 0:
        return special[random_.below(special.size())];
    case 1:
        return random_.below(100);
    default:
        return random_.bits();
    }
}

bool sampled_instruction::draw(architecture arch, const opcode_row& row)
{
    encoding word{};
    const auto reserved = reserved_bits(arch, row);
    for (unsigned i = 0; i < 2; ++i) {
        const std::uint64_t random = std::uint64_t{random_.bits()} << 32 | random_.bits();
        const auto fixed = row.mask[i] | row.meaning[i] | reserved[i] | row.ignored[i];
        word[i] = ((random & ~fixed) | row.match[i]) & instruction_mask(arch)[i];
    }
    if (row.guarded && random_.chance(70)) // always
        set_field(word, guard_field(arch), predicate_true);
    for (const auto& operand : row.operands) // a distance that a program can have
        if (operand.bits.width() > 32)
            set_field(word, operand.bits, static_cast<std::uint64_t>(std::int64_t{random_.between(-64, 64)}));
    if (find_row(arch, word) != &row) return false;
    code_ = assemble("EXIT; EXIT;", arch);
    code_.register_count = registers;
    try {
        code_.code.front() = decode_instruction(arch, word, code_.address_of(0));
    } catch (const program_error&) {
        return false;
    }
    return true;
}

void sampled_instruction::fill()
{
    warp_.launch(code_, random_.chance(50) ? all_lanes : random_.bits() | 1U, 256);
    warp_.constants = &constants_;
    warp_.global = &memory_;
    warp_.stage = random_.chance(50) ? stage::geometry : stage::vertex;
    warp_.active = warp_.live & (random_.chance(50) ? all_lanes : random_.bits());
    if (warp_.active == 0) warp_.active = warp_.live;
    for (auto& each : warp_.registers)
        for (auto& lane : each) lane = awkward();
    for (unsigned p = 0; p < predicate_true; ++p) {
        warp_.predicates[p] = random_.bits();
        warp_.uniform_predicates[p] = random_.chance(50) ? all_lanes : 0;
    }
    for (auto& each : warp_.condition) each = random_.bits();
    for (auto& each : warp_.uniform) each = awkward();
    for (auto& each : warp_.local) random_.fill(each);
    warp_.shared.resize(4096);
    for (auto& each : warp_.shared) each = static_cast<std::uint8_t>(random_.bits());
    for (auto& bank : constants_) {
        bank.resize(64);
        for (auto& each : bank) each = awkward();
    }
    for (auto* special : {&warp_.special.invocation_info, &warp_.special.invocation_id, &warp_.special.prim_type,
                          &warp_.special.thread_id})
        random_.fill(*special);
    for (std::size_t i = 0; i < 256; ++i)
        memory_.bytes()[random_.below(static_cast<word>(memory_.bytes().size()))] =
            static_cast<std::uint8_t>(random_.bits());
    lanes_ = warp_.active;
    op_ = {};
    step_ = {};
    failure_.clear();
}

void sampled_instruction::execute()
{
    try {
        step_ = isa::execute(warp_, op_, {});
    } catch (const std::exception& error) {
        failure_ = error.what();
    }
}

void sampled_instruction::repeat()
{
    warp_.pc = code_.address_of(0);
    warp_.active = warp_.live = lanes_;
    warp_.stack.clear();
    step_ = isa::execute(warp_, op_, {});
}

std::uint64_t sampled_instruction::checksum() const
{
    test::checksum_of sum;
    for (const auto& each : warp_.registers) sum.all(each);
    for (const auto& each : warp_.local) sum.all(each);
    sum.all(warp_.predicates).all(warp_.condition).all(warp_.uniform).all(warp_.uniform_predicates);
    sum.all(warp_.shared).all(warp_.barriers).add(warp_.pc).add(warp_.active).add(warp_.live);
    for (const auto& entry : warp_.stack)
        sum.add(entry.what).add(entry.target).add(entry.lanes).add(entry.barrier).add(entry.expected);
    sum.add(step_.kind).add(step_.lanes).add(step_.trap).add(step_.components);
    sum.add(op_.op).add(op_.space).add(op_.form).add(op_.size).add(op_.region).add(op_.skew).add(op_.type);
    sum.add(op_.immediate).add(op_.lanes).all(op_.address).all(op_.handle);
    for (const auto& each : op_.data) sum.all(each);
    sum.all(memory_.bytes()).all(failure_);
    return sum.sum();
}

} // namespace isbesim::isa
