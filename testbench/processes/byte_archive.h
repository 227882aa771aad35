// SPDX-License-Identifier: Apache-2.0
// Values as bytes between copies of one process. A function template pass(archive, value) that names the members of a
// type in turn both writes and reads it.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace isbesim::testbench {

/// Copies values as bytes where possible, and texts and lists; other types need a pass() of their own.
template <typename Archive, typename T>
void pass_all(Archive& archive, T& value)
{
    if constexpr (std::is_trivially_copyable_v<T>)
        archive.bytes(&value, sizeof value);
    else
        pass(archive, value);
}

template <typename Archive>
void pass(Archive& archive, std::string& text)
{
    text.resize(archive.size(text.size()));
    archive.bytes(text.data(), text.size());
}

template <typename Archive, typename T>
void pass(Archive& archive, std::vector<T>& list)
{
    list.resize(archive.size(list.size()));
    for (auto& each : list) pass_all(archive, each);
}

class byte_sink {
public:
    void bytes(const void* data, std::size_t count) { all_.append(static_cast<const char*>(data), count); }
    std::size_t size(std::size_t count)
    {
        bytes(&count, sizeof count);
        return count;
    }
    std::string take() { return std::move(all_); }

private:
    std::string all_;
};

class byte_source {
public:
    /// `all` must outlive this object.
    explicit byte_source(const std::string& all) : all_(all) {}

    void bytes(void* to, std::size_t count)
    {
        if (count > all_.size() - at_) throw std::logic_error("a copy of this process sent too few bytes");
        std::memcpy(to, all_.data() + at_, count);
        at_ += count;
    }
    std::size_t size(std::size_t)
    {
        std::size_t count = 0;
        bytes(&count, sizeof count);
        return count;
    }

private:
    const std::string& all_;
    std::size_t at_ = 0;
};

} // namespace isbesim::testbench
