// SPDX-License-Identifier: Apache-2.0
// The driver's tables of headers and samplers in global memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/memory/memory_space.h"
#include "models/texture/image.h"
#include "models/texture/sampler.h"

namespace isbesim::texture {

/// Places of the driver's two tables; an entry has 8 words. The unit reads an entry at each use, as programs and
/// uploads may change it.
struct tables {
    std::uint64_t headers = 0, samplers = 0; ///< addresses in global memory
    std::size_t header_count = 0, sampler_count = 0;
    unsigned handle_bank = 15; ///< constant bank with the handle, for instructions that name its word
};

class entry_tables {
public:
    explicit entry_tables(const tables& where) : where_(where) {}

    const tables& where() const { return where_; }

    /// The header with a number, valid until the next call. Decoded again only if its words have changed.
    fault find_image(memory_space& memory, word number, access kind, const image*& found);
    fault find_sampler(memory_space& memory, word number, sampler& found) const;

private:
    struct decoded {
        bool used = false;
        access kind = access::texture;
        entry words{};
        fault why = fault::none;
        image value;
    };

    tables where_;
    std::array<decoded, 8> recent_; ///< by number
};

} // namespace isbesim::texture
