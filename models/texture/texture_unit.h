// SPDX-License-Identifier: Apache-2.0
// The functional texture unit: headers (TIC), samplers (TSC), and the texels that they describe in global memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "models/memory/memory_space.h"
#include "models/texture/fault.h"
#include "models/texture/image.h"
#include "models/texture/request.h"
#include "models/texture/sampler.h"

namespace isbesim::texture {

/// Places of the driver's tables of headers and samplers in global memory; an entry has 8 words. The unit reads an
/// entry at each use, as programs and uploads may change it.
struct tables {
    std::uint64_t headers = 0, samplers = 0; ///< addresses in global memory
    std::size_t header_count = 0, sampler_count = 0;
    unsigned handle_bank = 15;   ///< constant bank with the handle, for instructions that name its word
    bool second_version = false; ///< of headers: SM90 and later (first_version_header)
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

/// Results follow the OpenGL specification, in 32-bit floating point (HARDWARE.md H.5). Methods return fault::none, or
/// why there is no result. Texels outside the image read as 0 in fetches and surface loads.
class texture_unit {
public:
    texture_unit(std::shared_ptr<memory_space> memory, const tables& where);

    const tables& where() const { return entries_.where(); }

    fault sample(const sample_request& request, texel& result);
    fault gather(const gather_request& request, texel& result);
    fault fetch(const fetch_request& request, texel& result);
    /// `argument`: a level for `dimension`, a sample for `sampler_pos`.
    fault query_header(texture::handle handle, query what, std::int32_t argument, texel& result);
    fault query_level(const sample_request& request, level_of_detail& result);

    /// Access a texel of an image with conversion by the header's format (SULD.P, SUST.P); stores outside do nothing.
    fault load(const surface_request& request, texel& result);
    fault store(const surface_request& request, const texel& value);
    /// Finds raw bytes of an image (SULD.D, SUST.D, SUATOM); null outside the image.
    fault find_bytes(const surface_request& request, std::size_t count, std::uint8_t*& found);

private:
    std::shared_ptr<memory_space> memory_;
    entry_tables entries_;
};

} // namespace isbesim::texture
