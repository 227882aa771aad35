// Global memory: buffers at 64-bit addresses, and nothing between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/memory/memory_space.h"

namespace isbesim {

class global_memory final : public memory_space {
public:
    struct buffer {
        std::uint64_t address = 0;
        std::vector<std::uint8_t> bytes;
    };

    /// Throws std::invalid_argument where the buffer is empty, overlaps another or runs beyond the last address.
    void add(std::uint64_t address, std::vector<std::uint8_t> bytes);

    /// The `size` bytes at an address, null where they are not all in one buffer.
    std::uint8_t* find(std::uint64_t address, std::size_t size) override;
    /// The buffer that holds an address, or null.
    buffer* holder(std::uint64_t address);

    const std::vector<buffer>& buffers() const { return buffers_; } ///< by address

private:
    std::vector<buffer> buffers_;
};

} // namespace isbesim
