// SPDX-License-Identifier: Apache-2.0
// What has to be known about a trace before anything of it is simulated.
#pragma once

#include <cstdint>
#include <limits>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traces/trace_reader.h"

namespace isbesim::testbench {

/// What the operations of a trace ask of the storage and the context slots of the machine that plays them.
struct trace_needs {
    static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t storage_bytes = 0;        ///< of regions that contexts name, and of accesses by address inside
    std::uint64_t storage_below = no_limit; ///< a storage of so many bytes would take an access that was outside
    unsigned contexts = 0;                  ///< slots that were bound
    unsigned contexts_below = ~0U;          ///< so many slots would take a BIND that was refused
};

/// Bytes of storage that the regions of a context reach, from 0 on; 0 for one of stage none, whose regions are
/// unused.
std::uint64_t storage_end(const context& context);

/// Reads all records, in memory that does not grow. Throws trace_error for one that `recorded`, the machine of the
/// header, can't have carried out.
trace_needs check_trace(const trace_file& trace, const isbe_config& recorded);

} // namespace isbesim::testbench
