// SPDX-License-Identifier: Apache-2.0
// Shader program header, VTG type: 20 words (80 bytes) or 32 words (128 bytes) -> named fields and back (HARDWARE.md
// A.1, E.3). Version 4 always has 32 words; compilers for SM75 also write version 3 into 32 words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/attribute/attribute_set.h"
#include "tlm/stage.h"

namespace isbesim {

/// OutputTopology values of the header.
enum class output_topology : std::uint8_t { none = 0, points = 1, line_strip = 6, triangle_strip = 7 };
/// Vertices of a primitive; 0 when the value names no topology.
unsigned vertices_per_output_primitive(output_topology kind);

/// Where PerPatchAttributeCount is stored: in bits 63:56, in the GM107 nibbles 151:148 and 127:124, or (what the known
/// compilers write) in both.
enum class patch_count_encoding : std::uint8_t { both, byte, nibbles };

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
    unsigned per_patch_attribute_count = 0; ///< 32-bit scalars, 0..255
    isbesim::patch_count_encoding patch_count_encoding = isbesim::patch_count_encoding::both;
    unsigned threads_per_input_primitive = 0; ///< GS instances, TI threads per patch
    isbesim::output_topology output_topology = isbesim::output_topology::none;
    unsigned max_output_vertex_count = 0;
    unsigned store_req_start = 0xff; ///< attribute ids, inclusive; empty when start > end
    unsigned store_req_end = 0;
    attribute_set imap; ///< bits of ids 0..239
    attribute_set omap;
    std::vector<std::uint32_t> tail; ///< words 20..31 unchanged; empty in an 80-byte header
};

class header_error : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline constexpr std::size_t header_bytes_v3 = 80;
inline constexpr std::size_t header_bytes_v4 = 128;

/// Throws header_error on a wrong size, type, version or stage, on two patch counts that differ and on counts that no
/// hardware accepts; the message names the expected value.
program_header decode_header(const std::uint8_t* bytes, std::size_t size);

/// Reproduces the words: encode(decode(x)) == x for every header without reserved bits set. Throws header_error if a
/// value does not fit its field.
std::vector<std::uint32_t> encode_header(const program_header& header);

/// Attributes between StoreReqStart and StoreReqEnd, inclusive; empty in a geometry shader (HARDWARE.md E.2).
attribute_set store_request(const program_header& header);

/// Legal but suspicious settings, one line each (conformance SPH-04).
std::vector<std::string> warnings_of_header(const program_header& header);
/// The same for a TI and a TS that are linked: a TS that declares a different patch size than its TI. Compilers leave
/// the field of TS 0, so a 0 there has no meaning unless `zero_is_a_size`.
std::vector<std::string> warnings_of_patch_size(const program_header& tess_init, const program_header& tess,
                                                bool zero_is_a_size = false);

/// Every field by its name in the header's documentation, in bit order, ready to print. Maps are lists of attribute
/// names.
std::vector<std::pair<std::string, std::string>> describe_header(const program_header& header);

} // namespace isbesim
