// SPDX-License-Identifier: Apache-2.0
// The bytes of a buffer. Unwritten bytes are zero and take no memory: a scenario of a hundred bytes may
// declare a buffer of a gigabyte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace isbesim {

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

} // namespace isbesim
