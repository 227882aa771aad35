// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/chip/image_fill.h"

#include <cstring>

namespace isbesim::gl {

namespace {

bool overlap(const byte_range& bytes, std::uint64_t first, std::uint64_t end)
{
    return bytes.address < end && bytes.address + bytes.bytes > first;
}

bool contains(const image_fill::range& outer, const image_fill::range& inner)
{
    return outer.first <= inner.first && inner.end <= outer.end;
}

bool same_image(const surface& a, const surface& b)
{
    return a.address == b.address && a.linear == b.linear && a.pitch == b.pitch && a.row_bytes == b.row_bytes &&
           a.height == b.height && a.block_height == b.block_height && a.block_depth == b.block_depth;
}

} // namespace

byte_range image_fill::reach() const
{
    if (!where.linear) return where.layer(z);
    const auto first = where.address_of(x.first, y.first);
    return {first, y.first < y.end ? where.address_of(x.end, y.end - 1) - first : 0};
}

bool image_fill::is_whole() const
{
    return !where.linear && where.block_depth == 0 && contains(x, {0, where.row_bytes}) &&
           contains(y, {0, where.height}) && std::all_of(kept.begin(), kept.end(), [](auto byte) { return byte == 0; });
}

bool image_fill::replaces(const image_fill& older) const
{
    if (is_whole()) {
        const auto mine = reach(), other = older.reach();
        if (mine.address <= other.address && other.address + other.bytes <= mine.address + mine.bytes) return true;
    }
    for (unsigned i = 0; i < piece; ++i)
        if ((kept[i] & ~older.kept[i]) != 0) return false;
    return z == older.z && same_image(where, older.where) && contains(x, older.x) && contains(y, older.y);
}

void image_fill::write_to(std::uint8_t* bytes) const
{
    const auto all = reach();
    if (is_whole()) {
        for (std::uint64_t i = 0; i < all.bytes; i += piece) std::memcpy(bytes + i, bits.data(), piece);
        return;
    }
    write([&](std::uint64_t address, unsigned) { return bytes + (address - all.address); });
}

void waiting_fills::add(const image_fill& fill)
{
    // A program that clears and never reads replaces its fills, so that they stay few.
    constexpr std::size_t most = 256;
    if (fills_.size() == most) carry_out_all();
    fills_.erase(
        std::remove_if(fills_.begin(), fills_.end(), [&](const image_fill& older) { return fill.replaces(older); }),
        fills_.end());
    fills_.push_back(fill);
    set_bounds();
}

void waiting_fills::carry_out_overlapping(std::uint64_t first, std::uint64_t end)
{
    // From the youngest on, an older fill of the same bytes must come before it.
    std::vector<image_fill> chosen;
    for (auto i = fills_.size(); i-- > 0;) {
        const auto reach = fills_[i].reach();
        if (!overlap(reach, first, end)) continue;
        first = std::min(first, reach.address);
        end = std::max(end, reach.address + reach.bytes);
        chosen.push_back(fills_[i]);
        fills_.erase(fills_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (chosen.empty()) return;
    for (auto each = chosen.rbegin(); each != chosen.rend(); ++each) each->write_to(memory_ + each->reach().address);
    set_bounds();
}

void waiting_fills::drop(std::uint64_t first, std::uint64_t end)
{
    fills_.erase(std::remove_if(fills_.begin(), fills_.end(),
                                [&](const image_fill& each) { return overlap(each.reach(), first, end); }),
                 fills_.end());
    set_bounds();
}

void waiting_fills::set_bounds()
{
    first_ = ~std::uint64_t{0};
    end_ = 0;
    for (const auto& each : fills_) {
        const auto reach = each.reach();
        first_ = std::min(first_, reach.address);
        end_ = std::max(end_, reach.address + reach.bytes);
    }
}

} // namespace isbesim::gl
