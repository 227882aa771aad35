// The functional texture unit: headers (TIC), samplers (TSC), and the texels that they describe in global memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "models/memory/global_memory.h"
#include "models/texture/request.h"

namespace isbesim::texture {

/// Where the driver's two tables are; 8 words an entry. The unit reads them when they are used: programs and uploads
/// may change them.
struct tables {
    std::uint64_t headers = 0, samplers = 0; ///< addresses in global memory
    std::size_t header_count = 0, sampler_count = 0;
    unsigned handle_bank = 15; ///< constant bank that instructions with a number take the handle from
};

/// Why a lane got no texel: it traps, as an address outside does.
enum class fault : std::uint8_t { none, no_header, no_sampler, bad_header, unsupported_format, outside_memory };

/// For messages: "the header's format is not supported".
const char* describe(fault why);

/// All results are as the OpenGL specification says, in 32-bit floating point; `fault` where there is none. A texel
/// outside the image reads as 0 for fetches and surfaces.
class texture_unit {
public:
    texture_unit(std::shared_ptr<global_memory> memory, const tables& where);

    const tables& where() const { return tables_; }

    fault sample(const sample_request& request, texel& result);
    fault gather(const gather_request& request, texel& result);
    fault fetch(const fetch_request& request, texel& result);
    fault query_header(texture::handle handle, query what, std::int32_t argument, texel& result);
    fault query_level(const sample_request& request, level_of_detail& result);

    /// A texel of an image converted by the header's format (SULD.P, SUST.P); stores outside do nothing.
    fault load(const surface_request& request, texel& result);
    fault store(const surface_request& request, const texel& value);
    /// The bytes themselves (SULD.D, SUST.D, SUATOM): where they are, null outside the image.
    fault find_bytes(const surface_request& request, std::size_t count, std::uint8_t*& found);

private:
    std::shared_ptr<global_memory> memory_;
    tables tables_;
};

} // namespace isbesim::texture
