// SPDX-License-Identifier: Apache-2.0
// All GPU memory of a session: one sparse memfd, mapped here and, buffer by buffer, in the programs. A table says which
// ranges of GPU addresses are where in it. OpenGL's driver takes the addresses that the kernel gives, which are the
// places in the memfd; Vulkan's has address spaces of its own, one a device file, that it fills itself: there the
// processor's page table holds the same ranges, so that bytes at successive addresses are successive here too.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/memory/memory_contents.h"

namespace isbesim::gl {

/// A buffer of programs, with its written parts.
struct memory_extent {
    std::uint64_t address = 0, bytes = 0;
    std::vector<memory_region> touched{};
};

/// A range of addresses.
struct memory_range {
    /// Sparse addresses that have no memory now: what programs read there is 0, and what they write is lost.
    static constexpr std::uint64_t hole = ~std::uint64_t{0};

    std::uint64_t bytes = 0;       ///< without the page behind
    std::uint64_t place = 0;       ///< in the memfd, or `hole`
    std::shared_ptr<void> keeps{}; ///< the buffer there, where its owner may close it before
};

/// The layout of an address space.
struct memory_map {
    std::map<std::uint64_t, memory_range> used{};     ///< by address
    std::map<std::uint64_t, std::uint64_t> undrawn{}; ///< range -> first address in it
};

class gpu_memory final : public memory_contents {
public:
    /// `bytes` of address space; only touched pages take memory. Throws std::system_error.
    explicit gpu_memory(std::uint64_t bytes);
    /// An address space without any range, for map(). It shares the memfd of `storage`, which must outlive it. Throws
    /// std::system_error.
    gpu_memory(const gpu_memory& storage, std::uint64_t address_space);
    ~gpu_memory();
    gpu_memory(const gpu_memory&) = delete;
    gpu_memory& operator=(const gpu_memory&) = delete;

    int descriptor() const { return descriptor_; }
    bool for_mapping() const { return mapped_; } ///< an address space for map()

    /// An address range of its own followed by an unused page; 0 when there is no room.
    std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment);
    /// Gives back what allocate() returned; its contents are gone.
    void release(std::uint64_t address, std::uint64_t bytes);

    /// Of a space for map(): this range of addresses, in whole pages, is that range of the memfd, or a hole, from now
    /// on, whatever it was before. 0 or an errno value.
    int map(std::uint64_t address, const memory_range& range);
    /// ... and nothing is there.
    int unmap(std::uint64_t address, std::uint64_t bytes);
    /// What programs have written to holes is gone: after each draw and launch.
    void empty_holes();

    /// The bytes at an address, null where they are not all inside the address space; in a space for map() they
    /// have to be in memory, too.
    std::uint8_t* at(std::uint64_t address, std::uint64_t bytes) const
    {
        if (address < first_address || bytes > bytes_ || address > bytes_ - bytes) return nullptr;
        return !mapped_ || covers(address, bytes) ? base_ + address : nullptr;
    }

    /// For programs: the ranges of the table. The address space between is unused.
    memory_region region(std::uint64_t address) override;

    /// From here to the end of its buffer are pixels that a fragment stage was to make: their content is not what the
    /// program drew.
    void set_undrawn(std::uint64_t address);
    /// A program has read such pixels, in this process, since the last call.
    bool take_undrawn_was_read() { return std::exchange(undrawn_was_read_, false); }

    /// What a process with a view of the same memory needs to know, and its number: no other table of the session has
    /// it.
    const memory_map& table() const { return map_; }
    std::uint64_t version() const { return version_; }
    /// Of a view: what its owner's table() says. Such a view must not allocate. Throws std::system_error.
    void set_table(memory_map table);

    /// Of the range that begins at an address.
    memory_extent extent(std::uint64_t address) const;

    static constexpr std::uint64_t page = 4096;
    static constexpr std::uint64_t first_address = 0x10000000; ///< null pointers and small numbers are no addresses
    /// Generic addresses from here on mean local or shared memory, so nothing is allocated there: 4 GiB less 32 MiB.
    static constexpr std::uint64_t windows = 0xfe000000, windows_end = 0x100000000;

private:
    bool covers(std::uint64_t address, std::uint64_t bytes) const;
    /// The processor's page table; of no place: nothing is there, of a hole pages of this process alone.
    int place_pages(std::uint64_t address, std::uint64_t bytes, const std::uint64_t* place) const;
    void cut(std::uint64_t address);
    void changed();

    std::uint64_t bytes_; ///< of the address space
    bool mapped_ = false; ///< by map()
    int descriptor_ = -1;
    std::uint8_t* base_ = nullptr;
    std::map<std::uint64_t, std::uint64_t> free_; ///< address -> bytes
    memory_map map_;
    std::uint64_t version_ = 0;
    bool undrawn_was_read_ = false;
};

} // namespace isbesim::gl
