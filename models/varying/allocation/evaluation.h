// SPDX-License-Identifier: Apache-2.0
// Evaluates a program from its declarations alone: an array is a run of registers, without addresses and strategies.
// The result of lower() must compute the same values.
#pragma once

#include <vector>

#include "models/varying/allocation/allocation.h"
#include "tlm/warp_op.h"

namespace isbesim::varying {

/// Values that one thread reads; `number` is the register number in the text.
class thread_inputs {
public:
    virtual ~thread_inputs() = default;
    /// `vertex` is 0 for programs without a vertex dimension.
    virtual word input(unsigned vertex, unsigned number, unsigned component) const = 0;
    virtual word system_value(semantic meaning) const = 0;
    virtual word constant(unsigned buffer, unsigned number, unsigned component) const = 0;
};

/// An emitted vertex, or the end of a strip.
struct evaluated_event {
    bool cut = false;
    unsigned stream = 0;
    std::vector<word> values; ///< in the order of allocation::components(), without inputs
};

/// Runs one thread. Returns one vertex, or for geometry programs an event for every EMIT and ENDPRIM. An access outside
/// its array reads 0 or stores nothing; outputs are 0 at the start of every vertex. Throws shader_error for an opcode
/// that lower() does not support.
std::vector<evaluated_event> evaluate(const shader& program, const allocation& placed, const thread_inputs& thread);

} // namespace isbesim::varying
