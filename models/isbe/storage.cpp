#include "models/isbe/storage.h"

#include <algorithm>
#include <cstring>

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

storage::storage(unsigned lines) : words_(std::size_t{lines} * (line_bytes / 4)), overwritten_(words_.size()) {}

void storage::write_warp(word first, const per_lane<word>& values, bool overwritten)
{
    std::memcpy(words_.data() + first, values.data(), sizeof values);
    std::memset(overwritten_.data() + first, overwritten ? 1 : 0, warp_lanes);
}

std::size_t storage::read_bytes(std::uint64_t address, std::uint8_t* to, std::size_t count, const std::uint8_t* enables,
                                std::size_t enable_count) const
{
    const auto n = inside(address, count, bytes());
    for (std::size_t i = 0; i < n; ++i)
        if (enabled(enables, enable_count, i)) to[i] = data()[address + i];
    return n;
}

std::size_t storage::write_bytes(std::uint64_t address, const std::uint8_t* from, std::size_t count,
                                 const std::uint8_t* enables, std::size_t enable_count)
{
    const auto n = inside(address, count, bytes());
    for (std::size_t i = 0; i < n; ++i)
        if (enabled(enables, enable_count, i)) {
            data()[address + i] = from[i];
            overwritten_[static_cast<std::size_t>(address + i) / 4] = 0;
        }
    return n;
}

} // namespace isbesim
