// SPDX-License-Identifier: Apache-2.0
// Memory that a captured draw's programs reach, as a part of its record: texture tables, windows, buffers by pages.
#pragma once

#include "testbench/gl/capture/byte_stream.h"
#include "testbench/gl/capture/draw_record.h"

namespace isbesim::gl {

/// Limit of all buffers of a draw, which a replay allocates.
inline constexpr std::uint64_t most_memory_bytes = std::uint64_t{1} << 30;

/// Pages that are not all zero become blobs. Throws draw_refused above most_memory_bytes.
void write_memory(byte_writer& out, const built_draw& draw, const blob_store& store);
/// Throws record_error, std::invalid_argument. `shared`: as for read_draw().
void read_memory(byte_reader& in, draw_call& draw, const blob_source& blobs,
                 const std::shared_ptr<memory_contents>& shared);

} // namespace isbesim::gl
