// SPDX-License-Identifier: Apache-2.0
// A draw on its way to the process of the machine, and what comes back.
#pragma once

#include <string>

#include "testbench/gl/capture/decoded_programs.h"
#include "testbench/gl/draws/draw_executor.h"

namespace isbesim::gl {

/// What the machine's process gets.
struct draw_request {
    draw_call draw; ///< on the memory that was given to read_request()
    stream_out_layout layout;
    stream_out_position position;
};

/// What comes back. Plain: it is sent as it is.
struct draw_reply {
    draw_result result;
    stream_out_position position;
    bool goes_on = false; ///< the process can take another draw
};

/// The record of the draw (draw_record.h) with its blobs; the buffers that it reaches are shared, not sent. `table`: of
/// the memory's addresses, or null where it is that of the last request. Throws draw_refused.
std::string write_request(const built_draw& draw, const stream_out_layout& layout, const stream_out_position& position,
                          const memory_map* table);
/// Throws what read_draw() throws.
draw_request read_request(const std::string& bytes, gpu_memory& memory, decoded_programs& programs);

/// The first line of a text, as much as there is room for.
template <std::size_t Size>
void set_text(std::array<char, Size>& target, const std::string& text)
{
    const auto length = std::min(text.find('\n'), std::min(text.size(), Size - 1));
    text.copy(target.data(), length);
    target[length] = '\0';
}

} // namespace isbesim::gl
