// SPDX-License-Identifier: Apache-2.0
// A draw as a record of the capture file, and back.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "models/isa/program.h"
#include "models/pe/front_end/draw.h"
#include "testbench/gl/capture/byte_stream.h"
#include "testbench/gl/draws/draw_executor.h"

namespace isbesim::gl {

/// Programs of records, decoded once by content: successive draws run the same few programs.
class decoded_programs {
public:
    /// `library`: the driver's routines at `address`, or empty. The result is valid until the next call. Throws
    /// isa::program_error, std::invalid_argument.
    const isa::program& find(isa::architecture arch, const std::string& code, const std::string& library,
                             std::uint32_t address);

private:
    using content = std::tuple<isa::architecture, std::string, std::string, std::uint32_t>;

    static constexpr std::size_t most = 1000; ///< programs; more than a frame of a game has
    std::map<content, isa::program> known_;
};

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

// Memory that a captured draw's programs reach, as a part of its record: texture tables, windows, buffers by pages.

/// Limit of all buffers of a draw, which a replay allocates.
inline constexpr std::uint64_t most_memory_bytes = std::uint64_t{1} << 30;

/// Pages that are not all zero become blobs. Throws draw_refused above most_memory_bytes.
void write_memory(byte_writer& out, const built_draw& draw, const blob_store& store);
/// Throws record_error, std::invalid_argument. `shared`: as for read_draw().
void read_memory(byte_reader& in, draw_call& draw, const blob_source& blobs,
                 const std::shared_ptr<memory_contents>& shared);

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
