// SPDX-License-Identifier: Apache-2.0
// A trace in memory, as small as it gets without decoding: the measurement is about the simulator, not about the
// trace's memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/traffic.h"
#include "tlm/warp_fields.h"

namespace isbesim::test {

/// The requests of one port.
class packed_port {
public:
    void add(const testbench::traffic_item& item, unsigned passes);

    std::size_t size() const { return requests_.size(); }
    /// Cycle before which request `i` does not appear.
    std::uint64_t earliest(std::size_t i) const { return requests_[i].earliest; }
    /// Cycles for which it holds the pass engine.
    unsigned passes(std::size_t i) const { return requests_[i].passes; }
    /// Fills in what request `i` uses; arrays that its opcode does not look at stay as they are.
    void load(std::size_t i, warp_op& op) const
    {
        const request& r = requests_[i];
#define ISBESIM_FIELD(name, ...) op.name = r.name;
#include "tlm/request_fields.inc"
        const word* next = words_.data() + r.first;
        const auto take = [&](per_lane<word>& to) {
            std::memcpy(to.data(), next, sizeof to);
            next += warp_lanes;
        };
        if (uses(r.op, request_field::address)) take(op.address);
        if (uses(r.op, request_field::handle)) take(op.handle);
        for (unsigned c = 0; c < r.components; ++c) take(op.data[c]);
    }

private:
    struct request {
        std::uint64_t earliest;
        std::uint64_t first; ///< of its words
#define ISBESIM_FIELD(name, ...) decltype(warp_op::name) name;
#include "tlm/request_fields.inc"
        std::uint16_t passes;
        std::uint8_t components;
    };

    std::vector<request> requests_;
    std::vector<word> words_;
};

struct packed_trace {
    std::string name;
    isbe_config config; ///< of the machine it was recorded on
    std::vector<packed_port> ports;

    std::uint64_t transactions() const;
};

/// Reads a file that `--record` wrote. Throws testbench::trace_error.
packed_trace read_packed_trace(const std::string& name, const std::string& path);

} // namespace isbesim::test
