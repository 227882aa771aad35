// SPDX-License-Identifier: Apache-2.0
// The functional texture unit: headers (TIC), samplers (TSC), and the texels that they describe in global memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "models/memory/memory_space.h"
#include "models/texture/entry_tables.h"
#include "models/texture/fault.h"
#include "models/texture/request.h"

namespace isbesim::texture {

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
