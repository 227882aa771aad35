// SPDX-License-Identifier: Apache-2.0
#include "models/memory/global_memory.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

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

void global_memory::add(std::uint64_t address, buffer_bytes bytes)
{
    if (bytes.empty()) throw std::invalid_argument("a buffer needs at least one byte");
    if (bytes.size() - 1 > ~address) throw std::invalid_argument("the buffer runs beyond the last address");
    const std::uint64_t last = address + bytes.size() - 1;
    const auto next = std::find_if(buffers_.begin(), buffers_.end(), [&](const buffer& each) {
        return each.address + (each.bytes.size() - 1) >= address;
    });
    if (next != buffers_.end() && next->address <= last) throw std::invalid_argument("the buffer overlaps another one");
    buffers_.insert(next, {address, std::move(bytes)});
}

memory_region global_memory::region(std::uint64_t address)
{
    for (auto& each : buffers_) {
        if (address < each.address) break;
        if (address - each.address < each.bytes.size()) return {each.address, each.bytes.size(), each.bytes.data()};
    }
    return {};
}

} // namespace isbesim
