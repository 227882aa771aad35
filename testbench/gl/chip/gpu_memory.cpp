// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/chip/gpu_memory.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tlm/rounded_up.h"

namespace isbesim::gl {

namespace {

[[noreturn]] void fail(const char* what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

} // namespace

gpu_memory::gpu_memory(std::uint64_t bytes) : bytes_(bytes)
{
    descriptor_ = memfd_create("isbesim-gl", MFD_CLOEXEC);
    if (descriptor_ < 0) fail("the GPU's memory could not be made");
    if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) fail("the GPU's memory could not be sized");
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
    if (mapped == MAP_FAILED) fail("the GPU's memory could not be mapped");
    base_ = static_cast<std::uint8_t*>(mapped);
    fills_ = std::make_shared<waiting_fills>(base_);
    free_.emplace(first_address, std::min(bytes, windows) - first_address);
    if (bytes > windows_end) free_.emplace(windows_end, bytes - windows_end);
}

gpu_memory::gpu_memory(const gpu_memory& storage, std::uint64_t address_space)
    : bytes_(address_space), mapped_(true), descriptor_(storage.descriptor_), fills_(storage.fills_)
{
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* reserved = mmap(nullptr, bytes_, PROT_NONE, flags, -1, 0);
    if (reserved == MAP_FAILED) fail("an address space could not be made");
    base_ = static_cast<std::uint8_t*>(reserved);
    changed();
}

gpu_memory::~gpu_memory()
{
    munmap(base_, bytes_);
    if (!mapped_) close(descriptor_);
}

void gpu_memory::changed()
{
    static std::uint64_t last = 0;
    version_ = ++last;
}

memory_map::const_iterator gpu_memory::range_with(std::uint64_t address) const
{
    auto range = map_.upper_bound(address);
    if (range == map_.begin() || address - (--range)->first >= range->second.bytes) return map_.end();
    return range;
}

bool gpu_memory::covers(std::uint64_t address, std::uint64_t bytes) const
{
    auto range = range_with(address);
    if (range == map_.end()) return bytes == 0;
    const auto end = address + bytes;
    for (auto reached = range->first;
         range != map_.end() && range->first == reached && range->second.place != memory_range::hole; ++range) {
        reached += range->second.bytes;
        if (end <= reached) return true;
    }
    return false;
}

int gpu_memory::place_pages(std::uint64_t address, std::uint64_t bytes, const std::uint64_t* place) const
{
    constexpr int nothing = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    const bool in_file = place != nullptr && *place != memory_range::hole;
    const int access = place != nullptr ? PROT_READ | PROT_WRITE : PROT_NONE;
    const int sharing = loses_ ? MAP_PRIVATE : MAP_SHARED;
    const void* done = in_file ? mmap(base_ + address, bytes, access, sharing | MAP_NORESERVE | MAP_FIXED, descriptor_,
                                      static_cast<off_t>(*place))
                               : mmap(base_ + address, bytes, access, nothing, -1, 0);
    return done == MAP_FAILED ? errno : 0;
}

/// Splits a range that continues past an address.
void gpu_memory::cut(std::uint64_t address)
{
    const auto next = map_.lower_bound(address);
    if (next == map_.begin()) return;
    auto& [begin, range] = *std::prev(next);
    const auto before = address - begin;
    if (before >= range.bytes) return;
    const auto place = range.place == memory_range::hole ? range.place : range.place + before;
    map_.emplace_hint(next, address, memory_range{range.bytes - before, place, range.keeps});
    range.bytes = before;
}

int gpu_memory::unmap(std::uint64_t address, std::uint64_t bytes)
{
    if (!mapped_ || bytes == 0 || address % page != 0 || bytes % page != 0 || bytes > bytes_ ||
        address > bytes_ - bytes)
        return EINVAL;
    if (const auto error = place_pages(address, bytes, nullptr); error != 0) return error;
    cut(address);
    cut(address + bytes);
    map_.erase(map_.lower_bound(address), map_.lower_bound(address + bytes));
    undrawn_.remove(address, address + bytes);
    changed();
    return 0;
}

int gpu_memory::map(std::uint64_t address, const memory_range& range)
{
    if ((range.place != memory_range::hole && range.place % page != 0) || address < first_address) return EINVAL;
    if (const auto error = unmap(address, range.bytes); error != 0) return error;
    if (const auto error = place_pages(address, range.bytes, &range.place); error != 0) return error;
    map_.emplace(address, range);
    return 0;
}

void gpu_memory::empty_holes()
{
    for (const auto& [address, range] : map_)
        if (range.place == memory_range::hole) madvise(base_ + address, range.bytes, MADV_DONTNEED);
}

void gpu_memory::set_table(memory_map table)
{
    if (mapped_) {
        const auto stays = [](const memory_map& in, const auto& each) {
            const auto found = in.find(each.first);
            return found != in.end() && found->second.bytes == each.second.bytes &&
                   found->second.place == each.second.place;
        };
        for (const auto& each : map_)
            if (!stays(table, each) && place_pages(each.first, each.second.bytes, nullptr) != 0)
                fail("the address space of a draw could not be made");
        for (const auto& each : table)
            if (!stays(map_, each) && place_pages(each.first, each.second.bytes, &each.second.place) != 0)
                fail("the address space of a draw could not be made");
    }
    map_ = std::move(table);
}

void gpu_memory::lose_writes(bool lost)
{
    loses_ = lost;
    constexpr std::uint64_t begin = 0;
    int error = mapped_ ? 0 : place_pages(0, bytes_, &begin);
    for (const auto& [address, range] : map_)
        if (mapped_ && error == 0) error = place_pages(address, range.bytes, &range.place);
    if (error != 0) fail("the memory of a draw could not be mapped");
}

std::uint64_t gpu_memory::allocate(std::uint64_t bytes, std::uint64_t alignment, bool hidden)
{
    // The driver expects large buffers at such addresses, as from the kernel's large pages.
    constexpr std::uint64_t large = 128 * 1024;
    if (alignment < page) alignment = page;
    if (bytes >= large && alignment < large) alignment = large;
    if (bytes > bytes_ || alignment > bytes_) return 0;
    const auto needed = rounded_up(bytes, page) + page;
    for (auto run = free_.begin(); run != free_.end(); ++run) {
        const auto begin = run->first;
        const auto end = begin + run->second;
        const auto address = rounded_up(begin, alignment);
        if (address >= end || end - address < needed) continue;
        free_.erase(run);
        map_.emplace(address, memory_range{rounded_up(bytes, page), address, {}});
        if (hidden) fills_->hidden.add(address, address + rounded_up(bytes, page));
        changed();
        if (address > begin) free_.emplace(begin, address - begin);
        if (end > address + needed) free_.emplace(address + needed, end - address - needed);
        return address;
    }
    return 0;
}

void gpu_memory::release(std::uint64_t address, std::uint64_t bytes)
{
    const auto size = rounded_up(bytes, page) + page;
    changed();
    map_.erase(address);
    undrawn_.remove(address, address + size);
    fills_->hidden.remove(address, address + size);
    fills_->drop(address, address + size);
    fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(address),
              static_cast<off_t>(size));
    const auto added = free_.emplace(address, size).first;
    if (const auto next = std::next(added); next != free_.end() && address + size == next->first) {
        added->second += next->second;
        free_.erase(next);
    }
    if (added == free_.begin()) return;
    const auto before = std::prev(added);
    if (before->first + before->second != added->first) return;
    before->second += added->second;
    free_.erase(added);
}

memory_region gpu_memory::region(std::uint64_t address)
{
    const auto found = range_with(address);
    if (found == map_.end()) return {};
    const auto& [begin, range] = *found;
    // Programs of this process find() a few bytes at a time.
    if (!fills_->empty() && range.place != memory_range::hole) {
        const auto place = range.place + (address - begin);
        fills_->carry_out(place, place + page);
    }
    if (undrawn_.touches(address, address + 1)) undrawn_was_read_ = true;
    return {begin, range.bytes, base_ + begin};
}

void gpu_memory::set_undrawn(const byte_range& pixels)
{
    const auto found = range_with(pixels.address);
    if (found == map_.end()) return;
    const auto left = found->first + found->second.bytes - pixels.address;
    const auto end = pixels.address + std::min(pixels.bytes, left);
    if (!undrawn_.contains(pixels.address, end)) undrawn_.add(pixels.address, end); // most draws find the mark
}

std::uint64_t gpu_memory::place_of(const byte_range& range) const
{
    if (!mapped_) return range.address;
    const auto found = range_with(range.address);
    if (found == map_.end() || found->second.place == memory_range::hole) return 0;
    const auto before = range.address - found->first;
    return range.bytes <= found->second.bytes - before ? found->second.place + before : 0;
}

void gpu_memory::carry_out(std::uint64_t address, std::uint64_t bytes) const
{
    const auto end = address + bytes;
    for (auto range = mapped_ ? range_with(address) : map_.end(); range != map_.end() && range->first < end; ++range) {
        const auto first = std::max(address, range->first) - range->first;
        fills_->carry_out(range->second.place + first,
                          range->second.place + std::min(end - range->first, range->second.bytes));
    }
    if (!mapped_) fills_->carry_out(address, end);
}

bool gpu_memory::fill(const image_fill& what)
{
    const auto reach = what.reach();
    const auto place = place_of(reach);
    const bool waits = !what.where.linear && place != 0 && fills_->hidden.contains(place, place + reach.bytes);
    if (!waits) return what.write([&](std::uint64_t address, std::uint64_t bytes) { return at(address, bytes); });
    auto later = what;
    later.where.address = what.where.address - reach.address + place;
    fills_->add(later);
    return true;
}

memory_extent gpu_memory::extent(std::uint64_t address) const
{
    const auto found = map_.find(address);
    if (found == map_.end()) return {address};
    memory_extent result{address, found->second.bytes};
    const auto place = found->second.place;
    if (place == memory_range::hole) return result;
    // Reading untouched pages would allocate memory.
    const auto end = place + result.bytes;
    for (auto position = place; position < end;) {
        const auto begin = lseek(descriptor_, static_cast<off_t>(position), SEEK_DATA);
        if (begin < 0 || static_cast<std::uint64_t>(begin) >= end) break;
        const auto hole = lseek(descriptor_, begin, SEEK_HOLE);
        const auto first = static_cast<std::uint64_t>(begin);
        position = std::min(end, static_cast<std::uint64_t>(hole));
        result.touched.push_back({address + first - place, position - first, base_ + address + first - place});
    }
    return result;
}

} // namespace isbesim::gl
