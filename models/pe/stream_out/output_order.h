// SPDX-License-Identifier: Apache-2.0
// Puts results back into API order: warps finish in any order, vertices leave in the order of the draw.
//
// Every piece of work that may produce output holds a place in a list; a finished place waits until all places before
// it are done. A stage that expands its input (geometry, later tessellation) replaces its own place by one per warp
// that it starts, so order is kept however deep the pipeline is. The list is as long as the work in flight.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <list>
#include <vector>

#include "models/pe/front_end/draw.h"

namespace isbesim {

/// Streamed-out vertices of one piece of work: per stream whole primitives, captured words row by row.
struct stream_output {
    struct stream {
        unsigned primitive_vertices = 0;
        std::uint64_t vertices = 0;
        std::vector<word> words; ///< vertices x capture columns; then leftovers of an earlier use

        /// Adds rows, to be filled, of a place that has so many columns.
        word* add(std::size_t rows, std::size_t columns)
        {
            const auto end = static_cast<std::size_t>(vertices) * columns;
            if (words.size() < end + rows * columns) words.resize(end + rows * columns);
            vertices += rows;
            return words.data() + end;
        }
    };
    std::array<stream, 4> streams;
    std::uint64_t warp_cycles = 0; ///< from the launch of the warp that made it to its completion
};

/// What one piece of work leaves on a stream: primitives from number `first` on.
struct passed_output {
    unsigned stream = 0;
    std::uint64_t first = 0;
    std::uint64_t primitives = 0;
    std::uint64_t vertices = 0;
    bool captured = false; ///< the sink got them
    std::uint64_t warp_cycles = 0;
};

class output_order {
private:
    struct place {
        bool done = false;
        std::uint64_t batch = 0; ///< whose work it is; places of a batch are neighbours
        stream_output output;
    };

public:
    using ticket = std::list<place>::iterator;

    /// `sink` and `capture` must outlive this. Streams without capture columns are counted but not passed on.
    output_order(vertex_sink& sink, const capture_list& capture);

    /// A place after all others, of another batch.
    ticket append() { return insert(places_.end(), batches_++); }
    /// A place right before `position`, or after it, of the same batch. The holder of `position` finishes it with no
    /// output when it needs no more.
    ticket insert_before(ticket position) { return insert(position, position->batch); }
    ticket insert_after(ticket position) { return insert(std::next(position), position->batch); }
    /// Where the holder of `position` puts its rows before complete().
    stream_output& output(ticket position) { return position->output; }
    /// Ends `position` and passes on everything that is in order now.
    void complete(ticket position);
    /// While it is held nothing is passed on: an older draw's output comes first.
    void hold() { held_ = true; }
    /// Passes on everything that is in order, now and from here on.
    void let_go();

    /// Called with each stream of each place that is passed on.
    using listener = std::function<void(const passed_output&)>;
    void report_to(listener heard) { heard_ = std::move(heard); }
    /// Called when everything of a batch has been passed on, in the order of the batches.
    void report_batches_to(std::function<void()> heard) { heard_batch_ = std::move(heard); }

    bool empty() const { return places_.empty(); }
    std::size_t waiting() const { return places_.size(); }
    std::uint64_t primitives(unsigned stream) const { return primitives_[stream]; }
    std::uint64_t vertices(unsigned stream) const { return vertices_[stream]; }

private:
    ticket insert(ticket position, std::uint64_t batch);
    void pass_on_done();
    void pass_on(const stream_output& output);

    vertex_sink& sink_;
    const capture_list& capture_;
    std::list<place> places_;
    std::list<place> spare_; ///< passed on, to be used again
    listener heard_;
    std::function<void()> heard_batch_;
    std::uint64_t batches_ = 0; ///< so far
    bool held_ = false;
    std::array<std::uint64_t, 4> primitives_{};
    std::array<std::uint64_t, 4> vertices_{};
};

} // namespace isbesim
