// SPDX-License-Identifier: Apache-2.0
// All GPU memory of a session: one sparse memfd, mapped here and, buffer by buffer, in the programs. A GPU address is
// an offset in it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "models/memory/memory_contents.h"

namespace isbesim::gl {

/// A buffer of programs, with its written parts.
struct memory_extent {
    std::uint64_t address = 0, bytes = 0;
    std::vector<memory_region> touched{};
};

/// The layout of the address space.
struct memory_map {
    std::map<std::uint64_t, std::uint64_t> used{};    ///< address -> bytes, without the page behind
    std::map<std::uint64_t, std::uint64_t> undrawn{}; ///< buffer -> first address in it
};

class gpu_memory final : public memory_contents {
public:
    /// `bytes` of address space; only touched pages take memory. Throws std::system_error.
    explicit gpu_memory(std::uint64_t bytes);
    ~gpu_memory();
    gpu_memory(const gpu_memory&) = delete;
    gpu_memory& operator=(const gpu_memory&) = delete;

    int descriptor() const { return descriptor_; }

    /// An address range of its own followed by an unused page; 0 when there is no room.
    std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment);
    /// Gives back what allocate() returned; its contents are gone.
    void release(std::uint64_t address, std::uint64_t bytes);

    /// The bytes at an address, null where they are not all inside the address space.
    std::uint8_t* at(std::uint64_t address, std::uint64_t bytes) const
    {
        return address >= first_address && bytes <= bytes_ && address <= bytes_ - bytes ? base_ + address : nullptr;
    }

    /// For programs: the ranges of allocate(). The address space between is unused.
    memory_region region(std::uint64_t address) override;

    /// From here to the end of its buffer are pixels that a fragment stage was to make: their content is not what the
    /// program drew.
    void set_undrawn(std::uint64_t address);
    /// A program has read such pixels, in this process, since the last call.
    bool take_undrawn_was_read() { return std::exchange(undrawn_was_read_, false); }

    /// What a process with a view of the same memory needs to know, and how often it has changed.
    const memory_map& map() const { return map_; }
    std::uint64_t changes() const { return changes_; }
    /// Of a view: what its owner's map() says. Such a view must not allocate.
    void set_map(memory_map map) { map_ = std::move(map); }

    /// Of what lies at an address that allocate() returned.
    memory_extent extent(std::uint64_t address) const;

    static constexpr std::uint64_t page = 4096;
    static constexpr std::uint64_t first_address = 0x10000000; ///< null pointers and small numbers are no addresses
    /// Generic addresses from here on mean local or shared memory, so nothing is allocated there: 4 GiB less 32 MiB.
    static constexpr std::uint64_t windows = 0xfe000000, windows_end = 0x100000000;

private:
    std::uint64_t bytes_;
    int descriptor_ = -1;
    std::uint8_t* base_ = nullptr;
    std::map<std::uint64_t, std::uint64_t> free_; ///< address -> bytes
    memory_map map_;
    std::uint64_t changes_ = 0;
    bool undrawn_was_read_ = false;
};

} // namespace isbesim::gl
