// SPDX-License-Identifier: Apache-2.0
#include "models/memory/buffer_bytes.h"

#include <algorithm>
#include <new>

namespace isbesim {

buffer_bytes::buffer_bytes(std::size_t size)
    : data_(static_cast<std::uint8_t*>(std::calloc(std::max<std::size_t>(size, 1), 1))), size_(size)
{
    if (data_ == nullptr) throw std::bad_alloc();
}

buffer_bytes::buffer_bytes(const std::vector<std::uint8_t>& bytes) : buffer_bytes(bytes.size())
{
    std::copy(bytes.begin(), bytes.end(), data());
}

} // namespace isbesim
