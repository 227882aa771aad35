// SPDX-License-Identifier: Apache-2.0
// Memory whose bytes have host addresses: the contents of a memory module, and the source of textures.
#pragma once

#include "models/memory/memory_space.h"

namespace isbesim {

/// Consecutive addresses whose bytes are contiguous.
struct memory_region {
    std::uint64_t address = 0; ///< of the first byte
    std::uint64_t bytes = 0;
    std::uint8_t* data = nullptr; ///< null: no memory there
};

class memory_contents : public memory_space {
public:
    /// The whole region that contains `address`. Its bytes do not move while a program that uses them runs.
    virtual memory_region region(std::uint64_t address) = 0;

    /// The `size` bytes at an address; null if they are not all in one region.
    std::uint8_t* find(std::uint64_t address, std::size_t size) final
    {
        const auto found = region(address);
        if (found.data == nullptr || found.bytes - (address - found.address) < size) return nullptr;
        return found.data + (address - found.address);
    }

protected:
    memory_contents() = default;
    memory_contents(const memory_contents&) = default;
    memory_contents& operator=(const memory_contents&) = default;
    ~memory_contents() = default;
};

} // namespace isbesim
