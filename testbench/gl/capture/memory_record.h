// SPDX-License-Identifier: Apache-2.0
// What a captured draw's programs reach, as a part of the draw's record: tables of textures, windows, buffers by pages.
#pragma once

#include "testbench/gl/capture/byte_stream.h"
#include "testbench/gl/capture/draw_record.h"

namespace isbesim::gl {

/// Buffers of a draw together; a replay makes all of them again.
inline constexpr std::uint64_t most_memory_bytes = std::uint64_t{1} << 30;

/// Pages that are not all zero become blobs. Throws draw_refused where it is more than a capture holds.
void write_memory(byte_writer& out, const built_draw& draw, const blob_store& store);
/// Throws record_error, std::invalid_argument. `shared` as of read_draw().
void read_memory(byte_reader& in, draw_call& draw, const blob_source& blobs,
                 const std::shared_ptr<memory_contents>& shared);

} // namespace isbesim::gl
