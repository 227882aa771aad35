// SPDX-License-Identifier: Apache-2.0
// Messages to and from the machine's process: a draw, and its result.
#pragma once

#include <string>

#include "testbench/gl/capture/decoded_programs.h"
#include "testbench/gl/draws/draw_executor.h"

namespace isbesim::gl {

/// A draw, as the machine's process receives it.
struct draw_request {
    draw_call draw; ///< it uses the memory passed to read_request()
    stream_out_layout layout;
    stream_out_position position;
};

/// The reply. Plain data: its bytes are sent.
struct draw_reply {
    draw_result result;
    stream_out_position position;
    bool goes_on = false; ///< the process can take another draw
};

/// The record of the draw (draw_record.h) with its blobs; the buffers that it reaches are shared, not sent. `table`:
/// the memory's addresses, or null if unchanged since the last request. Throws draw_refused.
std::string write_request(const built_draw& draw, const stream_out_layout& layout, const stream_out_position& position,
                          const memory_map* table);
/// Throws as read_draw() does.
draw_request read_request(const std::string& bytes, gpu_memory& memory, decoded_programs& programs);

/// Copies the first line of a text, truncated to the room.
template <std::size_t Size>
void set_text(std::array<char, Size>& target, const std::string& text)
{
    const auto length = std::min(text.find('\n'), std::min(text.size(), Size - 1));
    text.copy(target.data(), length);
    target[length] = '\0';
}

} // namespace isbesim::gl
