// SPDX-License-Identifier: Apache-2.0
// A draw as a record of the capture file, and back.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "models/pe/front_end/draw.h"
#include "testbench/gl/capture/decoded_programs.h"
#include "testbench/gl/draws/draw_executor.h"

namespace isbesim::gl {

/// Stores a blob with these bytes; returns its number.
using blob_store = std::function<std::uint32_t(const std::string&)>;
/// The bytes of a blob. Throws record_error.
using blob_source = std::function<const std::string&(std::uint32_t)>;

/// Program bytes, vertex data, indices, constants and pages of memory become blobs. Throws draw_refused.
std::string write_draw(const built_draw& draw, const blob_store& store);
/// Throws record_error, header_error, isa::program_error, std::invalid_argument. `shared`: memory of a draw whose
/// record holds no buffers; null: its memory is built from its buffers.
draw_call read_draw(const std::string& record, const blob_source& blobs, decoded_programs& programs,
                    const std::shared_ptr<memory_contents>& shared = nullptr);

/// Summary of a draw for lists, without programs and data.
struct draw_outline {
    std::map<stage, std::pair<std::uint32_t, std::uint32_t>> programs; ///< blobs of header and code
    isbesim::topology topology = topology::points;
    std::uint64_t vertices = 0;
    std::uint32_t instances = 0;
    bool indexed = false;
    std::size_t attributes = 0;
    std::size_t captured = 0; ///< columns of all streams
};
draw_outline read_outline(const std::string& record);

} // namespace isbesim::gl
