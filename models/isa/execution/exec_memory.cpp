// SPDX-License-Identifier: Apache-2.0
// Local memory of each lane and constant banks.
#include <algorithm>

#include "models/isa/execution/memory_access.h"
#include "tlm/vector_clones.h"

namespace isbesim::isa::run {

namespace {

/// The bytes of a narrow access within its word.
word extract(word whole, std::uint32_t address, unsigned size)
{
    const unsigned bytes = bytes_of_size(size);
    if (bytes >= 4) return whole;
    return extended(whole >> (8 * (address & 3U)) & ((1U << (8 * bytes)) - 1), size);
}

words addresses(const machine& m)
{
    const operand& address = m.now.at(slot::address);
    words result = register_words(m, address.index);
    const word added = address.value + uniform_word(m, address.uniform);
    for (auto& a : result) a += added;
    return result;
}

/// Traps, with nothing changed, if a lane's address is misaligned or beyond its local memory.
bool local_access_traps(machine& m, const words& address, unsigned bytes)
{
    const std::uint64_t limit = m.warp.local.size() * 4;
    for (unsigned i = 0; i < warp_lanes; ++i) {
        if (((m.lanes >> i) & 1U) == 0) continue;
        const bool misaligned = address[i] % bytes != 0;
        if (!misaligned && std::uint64_t{address[i]} + bytes <= limit) continue;
        trap(m, misaligned ? trap_misaligned : trap_out_of_range);
        return true;
    }
    return false;
}

} // namespace

void ldl(machine& m)
{
    const unsigned size = modifier(m, mod::size), bytes = bytes_of_size(size);
    const words address = addresses(m);
    if (local_access_traps(m, address, bytes)) return;
    for (unsigned k = 0; k < std::max(1U, bytes / 4); ++k) {
        words value{};
        for (unsigned i = 0; i < warp_lanes; ++i)
            if (((m.lanes >> i) & 1U) != 0) value[i] = extract(m.warp.local[address[i] / 4 + k][i], address[i], size);
        write_register(m, register_of(m.now.at(slot::d), k), value);
    }
}

void stl(machine& m)
{
    const unsigned size = modifier(m, mod::size), bytes = bytes_of_size(size);
    const words address = addresses(m);
    if (local_access_traps(m, address, bytes)) return;
    for (unsigned k = 0; k < std::max(1U, bytes / 4); ++k) {
        const words value = register_words(m, register_of(m.now.at(slot::a), k));
        for (unsigned i = 0; i < warp_lanes; ++i) {
            if (((m.lanes >> i) & 1U) == 0) continue;
            word& target = m.warp.local[address[i] / 4 + k][i];
            const unsigned shift = bytes < 4 ? 8 * (address[i] & 3U) : 0;
            const word mask = bytes < 4 ? ((1U << (8 * bytes)) - 1) << shift : ~0U;
            target = (target & ~mask) | (value[i] << shift & mask);
        }
    }
}

ISBESIM_VECTOR_CLONES
void ldc(machine& m)
{
    enum mode : unsigned { plain, linear, segmented, segmented_linear };
    const operand& source = m.now.at(slot::address);
    const unsigned size = modifier(m, mod::size), bytes = bytes_of_size(size), how = modifier(m, mod::cache);
    const bool by_bank = how == segmented || how == segmented_linear; // adds the register's upper half to the bank
    const words base = register_words(m, source.index);
    for (unsigned k = 0; k < std::max(1U, bytes / 4); ++k) {
        const words value = map_lanes([&](unsigned i) {
            const unsigned bank = source.bank + (by_bank ? base[i] >> 16 : 0);
            const std::uint32_t address = (by_bank ? base[i] & 0xffffU : base[i]) + source.value;
            return extract(constant_word(m, bank, address / 4 + k), address, size);
        });
        write_register(m, register_of(m.now.at(slot::d), k), value);
    }
}

void uniform_constant(machine& m)
{
    const bool indexed = m.now.at(slot::address).kind == operand::source::reg; // LDCU from a bank
    const operand& source = m.now.at(indexed ? slot::address : slot::b);
    const operand& offset = m.now.at(slot::c);
    const unsigned size = modifier(m, mod::size), count = std::max(1U, bytes_of_size(size) / 4);
    const std::uint32_t address =
        source.value + uniform_word(m, indexed                                   ? source.uniform
                                       : offset.kind == operand::source::uniform ? offset.index
                                                                                 : uniform_zero);
    std::array<word, 4> found{};
    for (unsigned k = 0; k < count; ++k) {
        const word whole = source.kind == operand::source::bindless
                               ? bindless_word(m, source.index, (address & ~3U) + 4 * k)
                               : constant_word(m, source.bank, address / 4 + k);
        found[k] = extract(whole, address, size);
    }
    for (unsigned k = 0; k < count; ++k) write_uniform(m, m.now.at(slot::d).index + k, broadcast(found[k]));
}

void ldc_bindless(machine& m)
{
    const operand& source = m.now.at(slot::b);
    const unsigned size = modifier(m, mod::size), bytes = bytes_of_size(size);
    const words offset = register_words(m, m.now.at(slot::c).index);
    for (unsigned k = 0; k < std::max(1U, bytes / 4); ++k) {
        const words value = map_lanes([&](unsigned i) {
            const std::uint32_t address = source.value + offset[i];
            return extract(bindless_word(m, source.index, (address & ~3U) + 4 * k), address, size);
        });
        write_register(m, register_of(m.now.at(slot::d), k), value);
    }
}

} // namespace isbesim::isa::run
