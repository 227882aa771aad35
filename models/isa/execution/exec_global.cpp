// SPDX-License-Identifier: Apache-2.0
// Generic, global and shared memory. An instruction executes at once, lanes in order of their numbers.
#include <algorithm>
#include <array>

#include "models/isa/execution/memory_access.h"
#include "models/isa/operand_registers.h"

namespace isbesim::isa::run {

namespace {

/// Addresses of each executing lane's bytes, in groups of four: local memory keeps the words of a lane apart.
using word_places = per_lane<std::array<std::uint8_t*, 4>>;

/// Generic addresses are global addresses outside the windows of local and shared memory.
enum class space : std::uint8_t { global, generic, shared };

/// Register (a pair with .E, scaled in shared memory), uniform register and offset. With a uniform register, .E means
/// that it is a pair, and .64 that the other register is; a single word of either is unsigned.
std::uint64_t address_of(const machine& m, space where, unsigned lane)
{
    const operand& address = m.now.at(slot::address);
    const auto offset = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(address.value)});
    const std::uint64_t low = register_words(m, address.index)[lane];
    const std::uint64_t shared = uniform_word(m, address.uniform);
    if (where == space::shared)
        return static_cast<std::uint32_t>((low << (address.part == 0 ? 0U : address.part + 1U)) + shared + offset);
    const bool wide = has(m, mod::c_mode), sum = address.uniform != no_uniform;
    const bool pair = sum ? address.part != 0 : wide;
    const std::uint64_t high = pair ? register_words(m, register_of(address, 1))[lane] : 0;
    const std::uint64_t shared_high = sum && wide ? uniform_word(m, address.uniform + 1U) : 0;
    const std::uint64_t whole = (high << 32 | low) + (shared_high << 32 | shared) + offset;
    return wide || pair ? whole : static_cast<std::uint32_t>(whole);
}

bool in_window(std::uint64_t base, std::uint64_t address)
{
    return address - base < address_windows::size; // for lower addresses the difference wraps
}

/// False if some of the bytes do not exist.
bool find_consecutive(std::uint8_t* first, std::array<std::uint8_t*, 4>& found)
{
    if (first == nullptr) return false;
    for (unsigned k = 0; k < found.size(); ++k) found[k] = first + std::size_t{4} * k;
    return true;
}

bool find_shared(const machine& m, std::uint64_t offset, unsigned bytes, std::array<std::uint8_t*, 4>& found)
{
    if (offset + bytes > m.warp.shared.size()) return false;
    return find_consecutive(m.warp.shared.data() + offset, found);
}

bool find_local(const machine& m, unsigned lane, std::uint64_t offset, unsigned bytes,
                std::array<std::uint8_t*, 4>& found)
{
    if (offset + bytes > m.warp.local.size() * 4) return false;
    for (unsigned k = 0; k < std::max(1U, bytes / 4); ++k)
        found[k] = reinterpret_cast<std::uint8_t*>(&m.warp.local[offset / 4 + k][lane]) + offset % 4;
    return true;
}

bool find(const machine& m, space where, unsigned lane, unsigned bytes, word_places& found)
{
    const std::uint64_t address = address_of(m, where, lane);
    if (where == space::shared) return find_shared(m, address, bytes, found[lane]);
    const address_windows& windows = m.warp.windows;
    if (where == space::generic && in_window(windows.shared, address))
        return find_shared(m, address - windows.shared, bytes, found[lane]);
    if (where == space::generic && in_window(windows.local, address))
        return find_local(m, lane, address - windows.local, bytes, found[lane]);
    return m.warp.global != nullptr && find_consecutive(m.warp.global->find(address, bytes), found[lane]);
}

/// False, with a trap and nothing changed, if a lane's address is misaligned or outside.
bool find_all(machine& m, space where, unsigned bytes, word_places& found)
{
    for (unsigned i = 0; i < warp_lanes; ++i) {
        if (((m.lanes >> i) & 1U) == 0) continue;
        const bool misaligned = address_of(m, where, i) % bytes != 0;
        if (!misaligned && find(m, where, i, bytes, found)) continue;
        trap(m, misaligned ? trap_misaligned : trap_out_of_range);
        return false;
    }
    return true;
}

/// LD and ST of SM50: Mesa's compilers only write PT, and no document says what other predicates do.
void check_hint(const machine& m)
{
    const operand& hint = m.now.at(slot::pb);
    if (hint.kind == operand::source::predicate && hint.index != predicate_true)
        refuse(m, "has a predicate behind its address, which no open compiler emits");
}

void load(machine& m, space where)
{
    check_hint(m);
    const unsigned size = modifier(m, mod::size), bytes = bytes_of_size(size), unit = std::min(bytes, 4U);
    const lane_mask destination = m.lanes;
    if (m.now.at(slot::ps).kind == operand::source::predicate) m.lanes &= read_predicate(m, slot::ps);
    const lane_mask loading = m.lanes;
    word_places sources{};
    if (!find_all(m, where, bytes, sources)) return;
    m.lanes = destination;
    for (unsigned k = 0; k < bytes / unit; ++k) {
        words value{};
        for (unsigned i = 0; i < warp_lanes; ++i) {
            if (((loading >> i) & 1U) == 0) continue;
            value[i] = extended(static_cast<word>(load_bytes(sources[i][k], unit)), size);
        }
        write_register(m, register_of(m.now.at(slot::d), k), value);
    }
}

void store(machine& m, space where)
{
    check_hint(m);
    const unsigned bytes = bytes_of_size(modifier(m, mod::size)), unit = std::min(bytes, 4U);
    word_places to{};
    if (!find_all(m, where, bytes, to)) return;
    std::array<words, 4> value{};
    for (unsigned k = 0; k < bytes / unit; ++k) value[k] = register_words(m, register_of(m.now.at(slot::a), k));
    for (unsigned i = 0; i < warp_lanes; ++i)
        for (unsigned k = 0; k < bytes / unit && ((m.lanes >> i) & 1U) != 0; ++k)
            store_bytes(to[i][k], value[k][i], unit);
}

/// Local memory has no atomics.
bool reaches_local(const machine& m)
{
    for (unsigned i = 0; i < warp_lanes; ++i)
        if (((m.lanes >> i) & 1U) != 0 && in_window(m.warp.windows.local, address_of(m, space::generic, i)))
            return true;
    return false;
}

/// Lane by lane: the old value goes to the result, `change(lane, value)` makes it the new value.
template <typename Change>
void read_and_change(machine& m, space where, unsigned count, bool keeps_old, Change change)
{
    word_places at{};
    if (where == space::generic && reaches_local(m)) return trap(m, trap_out_of_range);
    if (!find_all(m, where, 4 * count, at)) return;
    words low{}, high{};
    for (unsigned i = 0; i < warp_lanes; ++i) {
        if (((m.lanes >> i) & 1U) == 0) continue;
        std::uint64_t value = load_bytes(at[i][0], 4 * count);
        low[i] = static_cast<word>(value);
        high[i] = static_cast<word>(value >> 32);
        change(i, value);
        store_bytes(at[i][0], value, 4 * count);
    }
    if (!keeps_old) return;
    write_predicate(m, slot::pd, all_lanes);
    if (count == 2)
        write_pair(m, low, high);
    else
        write_result(m, low);
}

void change(machine& m, space where, unsigned type, bool keeps_old)
{
    const unsigned count = words_of_atomic(type);
    read_and_change(m, where, count, keeps_old, [&](unsigned lane, std::uint64_t& value) {
        apply_atomic(m, type, lane_value(m, m.now.at(slot::a), 0, count, lane), value);
    });
}

void swap(machine& m, space where, unsigned count)
{
    read_and_change(m, where, count, true, [&](unsigned lane, std::uint64_t& value) {
        if (value == lane_value(m, m.now.at(slot::a), 0, count, lane))
            value = lane_value(m, m.now.at(slot::b), 0, count, lane);
    });
}

/// The types of SM50's ATOMS are numbered U32, S32, U64, S64.
unsigned shared_type(const machine& m)
{
    const unsigned type = modifier(m, mod::to_type);
    return type == 3 ? 5 : type; // S64
}

} // namespace

void load_global(machine& m)
{
    load(m, space::global);
}

void store_global(machine& m)
{
    store(m, space::global);
}

void load_generic(machine& m)
{
    load(m, space::generic);
}

void store_generic(machine& m)
{
    store(m, space::generic);
}

void load_shared(machine& m)
{
    load(m, space::shared);
}

void store_shared(machine& m)
{
    store(m, space::shared);
}

void atomic_global(machine& m)
{
    change(m, space::global, atomic_type(m.now), true);
}

void atomic_generic(machine& m)
{
    change(m, space::generic, atomic_type(m.now), true);
}

void reduce_generic(machine& m)
{
    change(m, space::generic, atomic_type(m.now), false);
}

void atomic_shared(machine& m)
{
    change(m, space::shared, shared_type(m), true);
}

void swap_global(machine& m)
{
    swap(m, space::global, words_of_atomic(modifier(m, mod::to_type)));
}

void swap_generic(machine& m)
{
    swap(m, space::generic, words_of_atomic(modifier(m, mod::to_type)));
}

void swap_generic_64(machine& m)
{
    swap(m, space::generic, 2);
}

void swap_shared(machine& m)
{
    swap(m, space::shared, words_of_atomic(modifier(m, mod::to_type)));
}

void swap_shared_64(machine& m)
{
    swap(m, space::shared, 2);
}

} // namespace isbesim::isa::run
