// SPDX-License-Identifier: Apache-2.0
// What a program means, from its declarations alone: registers are registers and an array is a run of them; no
// addresses, no strategies. What lower() makes must give the same.
#pragma once

#include <vector>

#include "models/varying/allocation/allocation.h"
#include "tlm/warp_op.h"

namespace isbesim::varying {

/// What one thread reads. Registers by the numbers of the text.
class thread_inputs {
public:
    virtual ~thread_inputs() = default;
    /// `vertex` is 0 for programs without a vertex dimension.
    virtual word input(unsigned vertex, unsigned number, unsigned component) const = 0;
    virtual word system_value(semantic meaning) const = 0;
    virtual word constant(unsigned buffer, unsigned number, unsigned component) const = 0;
};

/// A vertex that comes out, or the end of a strip.
struct evaluated_event {
    bool cut = false;
    unsigned stream = 0;
    std::vector<word> values; ///< in the order of allocation::components(), inputs left out
};

/// Runs one thread: one vertex for vertex programs, the events of its EMITs and ENDPRIMs for geometry programs. An
/// index outside its array reads 0 and stores nothing; outputs begin as 0 for every vertex. Throws shader_error for an
/// opcode that lower() does not have.
std::vector<evaluated_event> evaluate(const shader& program, const allocation& placed, const thread_inputs& thread);

} // namespace isbesim::varying
