// SPDX-License-Identifier: Apache-2.0
// Puts results back into API order: warps finish in any order, but vertices leave in the order of the draw.
//
// Every piece of work that may produce output holds a place in a list; a finished place waits until all places before
// it are done. A stage that expands its input (tessellation, geometry) replaces its own place by one place per warp
// that it starts, so the order is kept at any depth of the pipeline. The list is as long as the work in flight.
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
        std::uint64_t primitives() const { return primitive_vertices == 0 ? 0 : vertices / primitive_vertices; }

        unsigned primitive_vertices = 0;
        std::uint64_t vertices = 0;
        std::vector<word> words; ///< vertices x capture columns, then remains of an earlier use

        /// Adds `rows` rows of `columns` words for the caller to fill.
        word* add(std::size_t rows, std::size_t columns)
        {
            const auto end = static_cast<std::size_t>(vertices) * columns;
            if (words.size() < end + rows * columns) words.resize(end + rows * columns);
            vertices += rows;
            return words.data() + end;
        }
    };
    std::array<stream, 4> streams;
    unsigned vertices = 0;         ///< different vertices of the primitives
    std::uint64_t culled = 0;      ///< primitives of stream 0 that the rasteriser drops
    std::uint64_t warp_cycles = 0; ///< of the warp that made it, from launch to completion
};

/// Output of one piece of work on a stream: primitives from number `first` on.
struct passed_output {
    unsigned stream = 0;
    std::uint64_t first = 0;
    std::uint64_t primitives = 0;
    std::uint64_t vertices = 0;
    bool captured = false; ///< the sink received them
    std::uint64_t warp_cycles = 0;
};

class output_order {
private:
    struct place {
        bool done = false;
        std::uint64_t batch = 0; ///< the batch of the work; places of a batch are neighbours
        stream_output output;
    };

public:
    using ticket = std::list<place>::iterator;

    /// `sink` and `capture` must outlive this. Streams without capture columns are counted but not passed on.
    output_order(vertex_sink& sink, const capture_list& capture);

    /// Adds a place for another batch after all others.
    ticket append() { return insert(places_.end(), batches_++); }
    /// Adds a place of the same batch right before `position`, or right after it. A holder that does not need
    /// `position` any more completes it without output.
    ticket insert_before(ticket position) { return insert(position, position->batch); }
    ticket insert_after(ticket position) { return insert(std::next(position), position->batch); }
    /// The holder of `position` puts its rows here before complete().
    stream_output& output(ticket position) { return position->output; }
    /// Ends `position` and passes on all output that is in order now.
    void complete(ticket position);
    /// Passes on nothing until let_go(): the output of an older draw comes first.
    void hold() { held_ = true; }
    /// Passes on all output that is in order, now and from here on.
    void let_go();

    /// Called with each stream of each place when it is passed on.
    using listener = std::function<void(const passed_output&)>;
    void report_to(listener reported) { listener_ = std::move(reported); }
    /// Called when all output of a batch has been passed on, in the order of the batches.
    void report_batches_to(std::function<void()> reported) { batch_listener_ = std::move(reported); }

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
    std::list<place> spare_; ///< passed on, for reuse
    listener listener_;
    std::function<void()> batch_listener_;
    std::uint64_t batches_ = 0; ///< batches appended so far
    bool held_ = false;
    std::array<std::uint64_t, 4> primitives_{};
    std::array<std::uint64_t, 4> vertices_{};
};

} // namespace isbesim
