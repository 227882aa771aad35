// SPDX-License-Identifier: Apache-2.0
// Passes vertices to an output in another thread, because writing them as text takes several times as long as copying.
#pragma once

#include <memory>
#include <vector>

#include "testbench/processes/block_relay.h"
#include "testbench/scenario/vertex_csv.h"

namespace isbesim::testbench {

/// Keeps the order. Blocks have a bounded size: the simulation waits while the output is behind, so memory stays flat.
class vertex_relay : public vertex_output {
public:
    explicit vertex_relay(std::unique_ptr<vertex_output> target);

    void vertex(unsigned stream, std::uint64_t primitive, unsigned vertex, const word* values,
                std::size_t count) override
    {
        keep({stream, primitive, vertex, 0, count, 1}, values);
    }
    void primitives(unsigned stream, std::uint64_t first, unsigned vertices, const word* values, std::size_t count,
                    std::uint64_t rows) override
    {
        keep({stream, first, 0, vertices, count, rows}, values);
    }

    /// Also throws what the output threw; the output received nothing after that.
    void finish() override;
    std::uint64_t rows() const override { return rows_; }

private:
    /// Arguments of a call of vertex() or primitives().
    struct call {
        unsigned stream;
        std::uint64_t primitive;
        unsigned vertex;
        unsigned vertices; ///< of a primitive; 0: vertex() was called
        std::size_t count; ///< values of a row
        std::uint64_t rows;
    };
    struct block {
        std::vector<call> calls;
        std::vector<word> values; ///< of all rows of all calls

        void clear()
        {
            calls.clear();
            values.clear();
        }
    };
    static constexpr std::size_t block_values = 1U << 15;
    static constexpr std::size_t block_calls = 4096;

    void keep(const call& delivery, const word* values);
    void deliver(const block& full);

    std::unique_ptr<vertex_output> target_;
    std::uint64_t rows_ = 0;
    block_relay<block> relay_;
};

} // namespace isbesim::testbench
