// SPDX-License-Identifier: Apache-2.0
// Checks a trace before it is simulated.
#pragma once

#include <cstdint>
#include <limits>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traces/trace_reader.h"

namespace isbesim::testbench {

/// The demands of a trace on the storage and the context slots of the machine that plays it.
struct trace_needs {
    static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t storage_bytes = 0;        ///< for the regions of contexts, and for physical accesses in range
    std::uint64_t storage_below = no_limit; ///< a storage of this size would accept an access that was out of range
    unsigned contexts = 0;                  ///< slots that were bound
    unsigned contexts_below = ~0U;          ///< this number of slots would accept a BIND that was refused
};

/// End of the highest region of a context, in bytes; 0 for stage none, whose regions are unused.
std::uint64_t storage_end(const context& context);

/// Reads all records, in memory that does not grow. Throws trace_error for a record that `recorded`, the machine of the
/// header, can't have executed.
trace_needs check_trace(const trace_file& trace, const isbe_config& recorded);

} // namespace isbesim::testbench
