// Shader program header, VTG type: 20 words (v3) or 32 words (v4) -> named fields and back (hardware.md A.1, E.3).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/attribute/attribute_set.h"

namespace isbesim {

/// OutputTopology values of the header.
enum class output_topology : std::uint8_t { none = 0, points = 1, line_strip = 6, triangle_strip = 7 };

/// ShaderType values of the header.
enum class shader_type : std::uint8_t { vertex = 1, tess_init = 2, tess = 3, geometry = 4, pixel = 5 };

/// All fields of a type 1 header. Sizes in bytes unless said otherwise.
struct program_header {
    unsigned sph_type = 1;
    unsigned version = 3;
    isbesim::shader_type shader_type = isbesim::shader_type::vertex;
    bool mrt_enable = false;
    bool kills_pixels = false;
    bool does_global_store = false;
    unsigned sass_version = 1;
    bool geometry_passthrough = false; ///< bit 24
    bool shared_spaces = false;        ///< bit 25: input and output ISBE share memory
    bool does_load_or_store = false;
    bool does_fp64 = false;
    unsigned stream_out_mask = 0; ///< 4 bits
    std::uint32_t local_memory_low_size = 0;
    std::uint32_t local_memory_high_size = 0;
    std::uint32_t local_memory_crs_size = 0;
    unsigned per_patch_attribute_count = 0;   ///< 32-bit scalars; both encodings are read (E.3)
    unsigned threads_per_input_primitive = 0; ///< GS instances, TI threads per patch
    isbesim::output_topology output_topology = isbesim::output_topology::none;
    unsigned max_output_vertex_count = 0;
    unsigned store_req_start = 0xff; ///< attribute ids, inclusive; empty when start > end
    unsigned store_req_end = 0;
    attribute_set imap; ///< bits of ids 0..239
    attribute_set omap;
    std::vector<std::uint32_t> tail; ///< v4: words 20..31, kept as they are
};

class header_error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Throws header_error on a wrong size, type, version or stage; the text says what was expected.
program_header decode_header(const std::uint8_t* bytes, std::size_t size);

/// The exact words again: encode(decode(x)) == x for every header without reserved bits set.
std::vector<std::uint32_t> encode_header(const program_header& header);

} // namespace isbesim
