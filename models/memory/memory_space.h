// SPDX-License-Identifier: Apache-2.0
// Memory as an executor sees it: bytes at 64-bit addresses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isbesim {

class memory_space {
public:
    /// The `size` bytes at an address; null if not all of them exist. They do not move before the end of the
    /// calling instruction.
    virtual std::uint8_t* find(std::uint64_t address, std::size_t size) = 0;

protected:
    memory_space() = default;
    memory_space(const memory_space&) = default;
    memory_space& operator=(const memory_space&) = default;
    ~memory_space() = default;
};

} // namespace isbesim
