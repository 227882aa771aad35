// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/functional/storage.h"

#include <algorithm>

#include "tlm/vector_clones.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "storage keeps host words and hands them out as little-endian bytes"
#endif

namespace isbesim {

namespace {

std::size_t inside(std::uint64_t address, std::size_t count, std::size_t size)
{
    return address >= size ? 0 : std::min(count, size - static_cast<std::size_t>(address));
}

bool enabled(const std::uint8_t* enables, std::size_t enable_count, std::size_t i)
{
    return enables == nullptr || enable_count == 0 || enables[i % enable_count] != 0;
}

} // namespace

storage::storage(unsigned lines)
    : words_(std::size_t{lines} * (line_bytes / 4) + 2 * margin), overwritten_(words_.size())
{
}

ISBESIM_VECTOR_CLONES
void storage::mark_run(word first, lane_mask lanes, bool overwritten)
{
    any_overwritten_ = true;
    std::uint8_t* const flags = flag_at(first);
    for (unsigned i = 0; i < warp_lanes; ++i) flags[i] = (lanes & lane_bit[i]) != 0 ? overwritten : flags[i];
}

void storage::mark(const per_lane<word>& place, bool overwritten)
{
    any_overwritten_ = true;
    std::uint8_t* const flags = overwritten_.data();
    for_all_lanes([&](unsigned i) { flags[place[i]] = overwritten; });
}

void storage::write(word index, word value, word byte_mask, bool overwritten)
{
    word& stored = *word_at(index);
    stored = (stored & ~byte_mask) | (value & byte_mask);
    mark(index, overwritten);
}

std::size_t storage::read_bytes(std::uint64_t address, std::uint8_t* to, std::size_t count, const std::uint8_t* enables,
                                std::size_t enable_count) const
{
    const auto n = inside(address, count, bytes());
    for (std::size_t i = 0; i < n; ++i)
        if (enabled(enables, enable_count, i)) to[i] = data()[address + i];
    return n;
}

std::size_t storage::write_bytes(std::uint64_t address, const std::uint8_t* source, std::size_t count,
                                 const std::uint8_t* enables, std::size_t enable_count)
{
    const auto n = inside(address, count, bytes());
    for (std::size_t i = 0; i < n; ++i)
        if (enabled(enables, enable_count, i)) {
            data()[address + i] = source[i];
            mark(static_cast<word>((address + i) / 4), false);
        }
    return n;
}

} // namespace isbesim
