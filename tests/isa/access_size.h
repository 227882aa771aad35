// SPDX-License-Identifier: Apache-2.0
// Memory as bytes, and what loads and stores of every size make of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/isa/program.h"

namespace isbesim::isa {

struct access_size {
    const char* name;
    unsigned bytes;
    bool is_signed;
};
inline constexpr access_size sizes[] = {{".U8", 1, false}, {".S8", 1, true},  {".U16", 2, false}, {".S16", 2, true},
                                        {"", 4, false},    {".64", 8, false}, {".128", 16, false}};

/// Each size on SM50 and on SM75.
inline std::vector<std::pair<access_size, architecture>> on_both()
{
    std::vector<std::pair<access_size, architecture>> all;
    for (const auto arch : {architecture::sm50, architecture::sm75})
        for (const auto& size : sizes) all.emplace_back(size, arch);
    return all;
}

/// Word k that a load leaves: bytes little-endian, short ones extended.
inline word loaded(const std::vector<std::uint8_t>& bytes, std::size_t offset, const access_size& size, unsigned k)
{
    word value = 0;
    const unsigned count = std::min(size.bytes, 4U);
    for (unsigned i = 0; i < count; ++i) value |= word{bytes.at(offset + 4 * k + i)} << (8 * i);
    if (size.is_signed && (value >> (8 * count - 1) & 1U) != 0) value |= ~word{0} << (8 * count);
    return value;
}

inline void stored(std::vector<std::uint8_t>& bytes, std::size_t offset, const access_size& size, unsigned k,
                   word value)
{
    for (unsigned i = 0; i < std::min(size.bytes, 4U); ++i)
        bytes.at(offset + 4 * k + i) = static_cast<std::uint8_t>(value >> (8 * i));
}

} // namespace isbesim::isa
