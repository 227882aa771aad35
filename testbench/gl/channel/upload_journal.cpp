#include "testbench/gl/channel/upload_journal.h"

#include <iterator>

namespace isbesim::gl {

namespace {

/// Data words of a packet that is full: one of the 2047 is the command.
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

std::uint64_t upload_journal::next(std::uint64_t address, std::uint64_t end) const
{
    const auto run = runs_.lower_bound(address);
    return run != runs_.end() && run->first < end ? run->first : end;
}

} // namespace isbesim::gl
