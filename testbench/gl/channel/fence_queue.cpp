// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/fence_queue.h"

#include <algorithm>
#include <cstring>

namespace isbesim::gl {

void fence_queue::add(std::uint64_t address, std::uint32_t value)
{
    if (at_once_ || !late_) {
        forget(address, 4);
        std::memcpy(memory_.at(address, 4), &value, 4);
        return;
    }
    held_.push_back({submission_, address, value});
    fence_is_last_ = true;
}

void fence_queue::pass(std::uint64_t submission)
{
    auto each = held_.begin();
    for (; each != held_.end() && each->submission <= submission; ++each)
        std::memcpy(memory_.at(each->address, 4), &each->value, 4);
    held_.erase(held_.begin(), each);
}

void fence_queue::forget(std::uint64_t address, std::uint64_t bytes)
{
    held_.erase(
        std::remove_if(held_.begin(), held_.end(), [&](const fence& each) { return each.inside(address, bytes); }),
        held_.end());
}

std::vector<std::uint32_t> fence_queue::words(std::uint64_t address, std::uint64_t bytes) const
{
    std::vector<std::uint32_t> result(bytes / 4);
    if (!result.empty()) std::memcpy(result.data(), memory_.at(address, bytes), bytes);
    for (const auto& each : held_)
        if (each.inside(address, bytes)) result[(each.address - address) / 4] = each.value;
    return result;
}

} // namespace isbesim::gl
