// SPDX-License-Identifier: Apache-2.0
#include "testbench/rtl/fst_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace isbesim::testbench {

namespace {

constexpr std::uint64_t header_bytes = 329;
constexpr std::uint64_t count_of_changes = 65; ///< its offset in the header

std::uint64_t read_number(std::ifstream& file)
{
    std::uint64_t number = 0;
    for (unsigned i = 0; i < 8; ++i) number = number << 8U | static_cast<std::uint64_t>(file.get() & 0xff);
    return number;
}

} // namespace

bool fst_is_whole(const std::string& path)
{
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) return !failure;
    const auto size = std::filesystem::file_size(path, failure);
    std::ifstream file(path, std::ios::binary);
    if (failure || size <= header_bytes) return false;
    file.seekg(count_of_changes);
    const auto counted = read_number(file);
    std::uint64_t position = 0, changes = 0;
    bool sizes = false, names = false;
    while (position < size) {
        file.seekg(static_cast<std::streamoff>(position));
        const int kind = file.get();
        const auto length = read_number(file);
        if (!file || length < 8 || length > size - position - 1) return false;
        if ((kind == 0) != (position == 0) || (kind == 0 && length != header_bytes)) return false;
        changes += kind == 1 || kind == 5 || kind == 8 ? 1U : 0U;
        sizes = sizes || kind == 3;
        names = names || kind == 4 || kind == 6 || kind == 7;
        position += 1 + length;
    }
    return changes == counted && sizes && names;
}

} // namespace isbesim::testbench
