// SPDX-License-Identifier: Apache-2.0
// Messages to and from the machine's process: a draw, and its result.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/machine_config.h"
#include "models/pe/front_end/dealing.h"
#include "testbench/gl/capture/draw_record.h"
#include "testbench/gl/draws/draw_executor.h"

namespace isbesim::gl {

/// A process's work on a draw. Plain data: it is sent.
struct draw_part {
    enum class kind : std::uint8_t {
        dealt, ///< each TPC runs the batches that the chip deals to it
        timed, ///< the same, but writes to memory are lost, and no rows are kept
        whole, ///< one TPC runs all batches, as if it were the only one
    };
    kind how = kind::dealt;
    std::uint32_t first = 0; ///< turn of the process's first TPC; it runs every `step`th from there on
    std::uint32_t step = 1;
};

/// A draw, as the machine's process receives it.
struct draw_request {
    draw_part part;
    draw_call draw; ///< it uses the memory passed to read_request()
    stream_out_layout layout;
    stream_out_position position;
};

/// The reply. Plain data: its bytes are sent.
struct draw_reply {
    draw_result result;
    stream_out_position position; ///< valid if the draw has one part
    bool goes_on = false;         ///< the process can take another draw
    std::uint64_t rows = 0;       ///< bytes that follow, of write_rows()
};

/// The shared memory of a request: its addresses, null if unchanged since the last request, and the pixels that nothing
/// has drawn, null if the draw reads no memory.
struct sent_memory {
    const memory_map* table = nullptr;
    const address_ranges* undrawn = nullptr;
};

/// The record of the draw (draw_record.h) with its blobs; the buffers that it reaches are shared, not sent. The length
/// comes first. Throws draw_refused.
std::string write_request(const built_draw& draw, const draw_part& part, const stream_out_layout& layout,
                          const stream_out_position& position, const sent_memory& memory);
/// `bytes`: without the length. Throws as read_draw() does.
draw_request read_request(const std::string& bytes, gpu_memory& memory, decoded_programs& programs);

/// Appends a TPC's results as a process sends them: its stream-out (testbench/chip/batch_rows.h), and what passed to
/// the raster engine.
void write_rows(std::string& message, std::uint64_t batches, unsigned tpc, std::string_view bytes,
                const std::vector<departures>& departed);
/// Passes on the rows of all TPCs in the order of the draw, unless `to` is null. Returns the cycle in which the raster
/// engines have taken everything.
std::uint64_t pass_on_rows(const chip_config& chip, const std::vector<std::string>& messages, vertex_sink* to);

/// Copies the first line of a text, cut to the size of `target`.
template <std::size_t Size>
void set_text(std::array<char, Size>& target, const std::string& text)
{
    const auto length = std::min(text.find('\n'), std::min(text.size(), Size - 1));
    text.copy(target.data(), length);
    target[length] = '\0';
}

} // namespace isbesim::gl
