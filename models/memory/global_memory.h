// SPDX-License-Identifier: Apache-2.0
// Global memory: buffers at 64-bit addresses, and nothing between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "models/memory/memory_contents.h"

namespace isbesim {

/// The bytes of a buffer. Unwritten bytes are zero and take no memory: a scenario of a hundred bytes may
/// declare a buffer of a gigabyte.
class buffer_bytes {
public:
    /// All zero. Throws std::bad_alloc if the address space has no room.
    explicit buffer_bytes(std::size_t size);
    /// A copy of `bytes`.
    buffer_bytes(const std::vector<std::uint8_t>& bytes);

    std::uint8_t* data() { return data_.get(); }
    const std::uint8_t* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

private:
    struct freeing {
        void operator()(std::uint8_t* bytes) const { std::free(bytes); }
    };

    std::unique_ptr<std::uint8_t[], freeing> data_; // from calloc(), so that unwritten pages take no memory
    std::size_t size_;
};

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
