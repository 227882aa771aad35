// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/session/gpu_memory.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace isbesim::gl {

namespace {

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

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
    free_.emplace(first_address, std::min(bytes, windows) - first_address);
    if (bytes > windows_end) free_.emplace(windows_end, bytes - windows_end);
}

gpu_memory::~gpu_memory()
{
    munmap(base_, bytes_);
    close(descriptor_);
}

std::uint64_t gpu_memory::allocate(std::uint64_t bytes, std::uint64_t alignment)
{
    // The driver expects large buffers at such addresses: they are what the kernel's large pages give.
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
        map_.used.emplace(address, rounded_up(bytes, page));
        ++changes_;
        if (address > begin) free_.emplace(begin, address - begin);
        if (end > address + needed) free_.emplace(address + needed, end - address - needed);
        return address;
    }
    return 0;
}

void gpu_memory::release(std::uint64_t address, std::uint64_t bytes)
{
    const auto size = rounded_up(bytes, page) + page;
    ++changes_;
    map_.used.erase(address);
    map_.undrawn.erase(address);
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
    const auto behind = map_.used.upper_bound(address);
    if (behind == map_.used.begin()) return {};
    const auto& [begin, bytes] = *std::prev(behind);
    if (address - begin >= bytes) return {};
    if (const auto found = map_.undrawn.find(begin); found != map_.undrawn.end() && address >= found->second)
        undrawn_was_read_ = true;
    return {begin, bytes, base_ + begin};
}

void gpu_memory::set_undrawn(std::uint64_t address)
{
    const auto was_read = undrawn_was_read_;
    const auto buffer = region(address).address;
    undrawn_was_read_ = was_read; // unread so far
    if (buffer == 0) return;
    const auto [found, is_new] = map_.undrawn.emplace(buffer, address);
    if (!is_new && found->second <= address) return;
    found->second = address;
    ++changes_;
}

memory_extent gpu_memory::extent(std::uint64_t address) const
{
    const auto found = map_.used.find(address);
    if (found == map_.used.end()) return {address};
    memory_extent result{address, found->second};
    // Reading untouched pages would allocate memory.
    const auto end = address + result.bytes;
    for (auto at = address; at < end;) {
        const auto begin = lseek(descriptor_, static_cast<off_t>(at), SEEK_DATA);
        if (begin < 0 || static_cast<std::uint64_t>(begin) >= end) break;
        const auto hole = lseek(descriptor_, begin, SEEK_HOLE);
        const auto first = static_cast<std::uint64_t>(begin);
        at = std::min(end, static_cast<std::uint64_t>(hole));
        result.touched.push_back({first, at - first, base_ + first});
    }
    return result;
}

} // namespace isbesim::gl
