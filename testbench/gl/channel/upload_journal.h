// SPDX-License-Identifier: Apache-2.0
// Which bytes of memory came in one upload: the driver uploads a program's code as a whole, and says nowhere how long
// it is.
#pragma once

#include <cstdint>
#include <map>

namespace isbesim::gl {

class upload_journal {
public:
    void uploaded(std::uint64_t address, std::uint64_t bytes);
    /// Everything in this range is something else now.
    void forget(std::uint64_t address, std::uint64_t bytes);
    /// Bytes of the upload that begins at an address, with its later pieces if it was cut into pieces
    /// (a packet holds 2047 words); 0 when none begins there.
    std::uint64_t length_at(std::uint64_t address) const;
    /// Where the upload begins that an address is in, its first piece's place; 0 when it is in none.
    std::uint64_t start_around(std::uint64_t address) const;

private:
    std::map<std::uint64_t, std::uint64_t> runs_; ///< address -> bytes, no two overlap
};

} // namespace isbesim::gl
