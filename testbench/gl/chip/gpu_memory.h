// SPDX-License-Identifier: Apache-2.0
// All GPU memory of a session: one sparse memfd, mapped here and, buffer by buffer, in the programs. A table maps
// ranges of GPU addresses to places in it. OpenGL's driver uses the addresses that the kernel returns, which are the
// places in the memfd. Vulkan's driver fills its own address spaces, one per device file; the processor's page table
// then holds the same ranges, so that bytes at successive addresses are successive here too.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/memory/memory_contents.h"
#include "testbench/gl/chip/image_fill.h"

namespace isbesim::gl {

/// A buffer of programs, with its written parts.
struct memory_extent {
    std::uint64_t address = 0, bytes = 0;
    std::vector<memory_region> touched{};
};

/// A range of addresses.
struct memory_range {
    /// Place of sparse addresses without memory: programs read 0 there, and their writes are lost.
    static constexpr std::uint64_t hole = ~std::uint64_t{0};

    std::uint64_t bytes = 0;       ///< without the unused page after it
    std::uint64_t place = 0;       ///< in the memfd, or `hole`
    std::shared_ptr<void> keeps{}; ///< keeps the buffer alive if its owner may close it earlier
};

/// The layout of an address space: its ranges, by address.
using memory_map = std::map<std::uint64_t, memory_range>;

class gpu_memory final : public memory_contents {
public:
    /// `bytes` of address space; only touched pages take memory. Throws std::system_error.
    explicit gpu_memory(std::uint64_t bytes);
    /// An empty address space for map(). It shares the memfd of `storage`, which must outlive it. Throws
    /// std::system_error.
    gpu_memory(const gpu_memory& storage, std::uint64_t address_space);
    ~gpu_memory();
    gpu_memory(const gpu_memory&) = delete;
    gpu_memory& operator=(const gpu_memory&) = delete;

    int descriptor() const { return descriptor_; }
    bool for_mapping() const { return mapped_; } ///< true for an address space for map()

    /// Allocates an address range, followed by an unused page; returns 0 if there is no room. `hidden`: no program maps
    /// it, so that fills can wait.
    std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment, bool hidden = false);
    /// Frees a range of allocate(); its contents are lost.
    void release(std::uint64_t address, std::uint64_t bytes);

    /// In a space for map(): maps whole pages of addresses to a range of the memfd, or to a hole, replacing earlier
    /// mappings. Returns 0 or an errno value.
    int map(std::uint64_t address, const memory_range& range);
    /// Removes the mapping of these addresses.
    int unmap(std::uint64_t address, std::uint64_t bytes);
    /// Discards writes of programs to holes; called after each draw and launch.
    void empty_holes();

    /// The bytes at an address; null unless they are all in the address space and, in a space for map(), in memory.
    std::uint8_t* at(std::uint64_t address, std::uint64_t bytes) const
    {
        if (address < first_address || bytes > bytes_ || address > bytes_ - bytes) return nullptr;
        if (mapped_ && !covers(address, bytes)) return nullptr;
        if (!fills_->empty()) carry_out(address, bytes);
        return base_ + address;
    }

    /// Clears part of an image, in hidden memory when another access reaches the bytes. Returns false if some of them
    /// are not in memory; they are left out.
    bool fill(const image_fill& what);
    /// For programs of another process: carries out all fills that wait.
    void carry_out_fills() { fills_->carry_out_all(); }
    /// In a process that has a copy of the fills: they are the owner's.
    void forget_fills() { fills_->drop_all(); }

    /// For programs: the ranges of the table; other addresses are unused.
    memory_region region(std::uint64_t address) override;

    /// Marks bytes as pixels that a fragment stage should have drawn, up to the end of their buffer at most.
    void set_undrawn(const byte_range& pixels);
    /// Their content is known again.
    void set_drawn(const byte_range& pixels) { undrawn_.remove(pixels.address, pixels.address + pixels.bytes); }
    bool is_undrawn(const byte_range& pixels) const
    {
        return undrawn_.touches(pixels.address, pixels.address + pixels.bytes);
    }
    const address_ranges& undrawn() const { return undrawn_; }
    void set_undrawn(address_ranges all) { undrawn_ = std::move(all); } ///< in a view
    /// True if a program in this process has read such pixels since the last call.
    bool take_undrawn_was_read() { return std::exchange(undrawn_was_read_, false); }

    /// The table, for processes with a view of the same memory, and its number, which is unique in the session.
    const memory_map& table() const { return map_; }
    std::uint64_t version() const { return version_; }
    /// In a view: sets the owner's table(). Such a view must not allocate. Throws std::system_error.
    void set_table(memory_map table);

    /// In a view: `lost`: shows what the memory holds now, and from now on the writes of this process stay in it, where
    /// the next call discards them. Throws std::system_error.
    void lose_writes(bool lost);

    /// The range that begins at an address.
    memory_extent extent(std::uint64_t address) const;

    static constexpr std::uint64_t page = 4096;
    static constexpr std::uint64_t first_address = 0x10000000; ///< null pointers and small numbers are invalid
    /// Generic addresses from here on mean local or shared memory, so nothing is allocated there: 4 GiB less 32 MiB.
    static constexpr std::uint64_t windows = 0xfe000000, windows_end = 0x100000000;

private:
    /// The range that has the address, or the end of the table.
    memory_map::const_iterator range_with(std::uint64_t address) const;
    bool covers(std::uint64_t address, std::uint64_t bytes) const;
    /// Sets the processor's page table. Without a place there are no pages; a hole gets pages private to this process.
    int place_pages(std::uint64_t address, std::uint64_t bytes, const std::uint64_t* place) const;
    void cut(std::uint64_t address);
    void changed();
    void carry_out(std::uint64_t address, std::uint64_t bytes) const;
    /// The first place in the memfd of addresses whose places follow each other; 0 if they do not.
    std::uint64_t place_of(const byte_range& range) const;

    std::uint64_t bytes_; ///< of the address space
    bool mapped_ = false; ///< by map()
    bool loses_ = false;  ///< lose_writes()
    int descriptor_ = -1;
    std::uint8_t* base_ = nullptr;
    std::map<std::uint64_t, std::uint64_t> free_; ///< address -> bytes
    memory_map map_;
    std::uint64_t version_ = 0;
    std::shared_ptr<waiting_fills> fills_; ///< of all address spaces
    address_ranges undrawn_;
    bool undrawn_was_read_ = false;
};

} // namespace isbesim::gl
