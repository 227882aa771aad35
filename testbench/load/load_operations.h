// SPDX-License-Identifier: Apache-2.0
// Generates the operations of a load profile. Their context must be bound first.
#pragma once

#include <vector>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/load/load_profile.h"

namespace isbesim::testbench {

/// All operations use one geometry context, in which an instruction names its vertices: four attributes of as many
/// input vertices as the pattern needs, and four output slots per thread.
class load_operations {
public:
    /// Throws std::invalid_argument if the storage is too small for the pattern.
    load_operations(const isbe_config& config, const load_profile& profile, unsigned port);

    /// The operation that binds the context.
    static void bind(const isbe_config& config, const load_profile& profile, warp_op& op);
    void next(warp_op& op);

private:
    unsigned pick(const std::vector<weighted_value>& values);
    void fill_vertices(warp_op& op);
    void fill_words(warp_op& op);

    load_profile profile_;
    context context_;
    random_numbers random_;
    std::vector<weighted_value> opcodes_;
};

/// Bytes that the lanes of an operation load or store.
unsigned bytes_of(const warp_op& op);

} // namespace isbesim::testbench
