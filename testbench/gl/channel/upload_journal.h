// SPDX-License-Identifier: Apache-2.0
// Records the extent of uploads: the driver uploads a program's code in one piece and gives its length nowhere else.
#pragma once

#include <cstdint>
#include <map>

namespace isbesim::gl {

class upload_journal {
public:
    void uploaded(std::uint64_t address, std::uint64_t bytes);
    /// The content of this range was replaced.
    void forget(std::uint64_t address, std::uint64_t bytes);
    /// Bytes of the upload that begins at an address, including its later pieces if it was split (a packet holds 2047
    /// words); 0 if no upload begins there.
    std::uint64_t length_at(std::uint64_t address) const;
    /// Start of the upload that contains an address, that is of its first piece; 0 if no upload contains it.
    std::uint64_t start_around(std::uint64_t address) const;

private:
    std::map<std::uint64_t, std::uint64_t> runs_; ///< address -> bytes, no two overlap
};

} // namespace isbesim::gl
