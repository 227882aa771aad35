// SPDX-License-Identifier: Apache-2.0
// Global memory: buffers at 64-bit addresses, and nothing between them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/memory/buffer_bytes.h"
#include "models/memory/memory_contents.h"

namespace isbesim {

class global_memory final : public memory_contents {
public:
    struct buffer {
        std::uint64_t address = 0;
        buffer_bytes bytes;
    };

    /// Throws std::invalid_argument if the buffer is empty, overlaps another or runs beyond the last address.
    void add(std::uint64_t address, buffer_bytes bytes);

    /// The buffer that contains `address`; its data is null if no buffer does.
    memory_region region(std::uint64_t address) override;

    const std::vector<buffer>& buffers() const { return buffers_; } ///< by address

private:
    std::vector<buffer> buffers_;
};

} // namespace isbesim
