// SPDX-License-Identifier: Apache-2.0
// Generates the operations of a load profile. Their context must be bound first.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

/// A value with the share of operations that have it.
struct weighted_value {
    unsigned value = 0;
    double weight = 0;
};

/// The vertices, or words, that the lanes of a load name.
enum class handle_pattern : std::uint8_t { sequential, same, stride, random };

/// The load that `isbesim traffic` puts on an ISBE.
struct load_profile {
    /// By opcode; BIND's is 0.
    std::array<double, opcode_count> mix{};
    std::vector<weighted_value> sizes{{1, 1}};     ///< words of ALD, AST and AL2P
    std::vector<weighted_value> conflicts{{1, 1}}; ///< rows of one bank that sequential lanes use: 1, 2, 4, .. 32
    handle_pattern handles = handle_pattern::sequential;
    unsigned stride = 1;
    unsigned lanes = warp_lanes;
    double second_port = 0; ///< share of the operations that go to port 1, the PE's
    /// Open loop. Operations arrive in groups of `burst`, at random (Poisson) or at equal distances.
    bool poisson = true;
    unsigned burst = 1;
    std::uint64_t warmup = 2000; ///< operations before measuring begins
    std::uint64_t operations = 50000;
    std::uint64_t seed = 1;
};

/// The load on an ISBE: one of the two members is set.
struct load_level {
    double rate = 0;          ///< open loop: operations per cycle that arrive, all ports
    unsigned outstanding = 0; ///< closed loop: operations always in flight at each used port
};

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
