// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/upload_journal.h"

#include <iterator>

namespace isbesim::gl {

namespace {

/// Data bytes of a full packet: one of its 2047 words is the command.
constexpr std::uint64_t full_piece = 2046 * 4;

} // namespace

void upload_journal::forget(std::uint64_t address, std::uint64_t bytes)
{
    auto run = runs_.lower_bound(address);
    if (run != runs_.begin())
        if (const auto before = std::prev(run); before->first + before->second > address) run = before;
    while (run != runs_.end() && run->first < address + bytes) run = runs_.erase(run);
}

void upload_journal::uploaded(std::uint64_t address, std::uint64_t bytes)
{
    forget(address, bytes);
    if (bytes != 0) runs_.emplace(address, bytes);
}

std::uint64_t upload_journal::length_at(std::uint64_t address) const
{
    std::uint64_t bytes = 0;
    for (auto run = runs_.find(address); run != runs_.end(); run = runs_.find(address + bytes)) {
        bytes += run->second;
        if (run->second != full_piece) break;
    }
    return bytes;
}

std::uint64_t upload_journal::start_around(std::uint64_t address) const
{
    auto run = runs_.upper_bound(address);
    if (run == runs_.begin()) return 0;
    --run;
    if (address - run->first >= run->second) return 0;
    while (run != runs_.begin()) {
        const auto before = std::prev(run);
        if (before->second != full_piece || before->first + full_piece != run->first) break;
        run = before;
    }
    return run->first;
}

} // namespace isbesim::gl
