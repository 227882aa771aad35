// SPDX-License-Identifier: Apache-2.0
// Operations for two accounts of the micro-architecture page: the model (isbe_core) and the plain oracle of the tests.
// They share nothing; on any operations, their answers are the same.

#include "models/isbe/execution/isbe_core.h"
#include "testbench/crosscheck/oracle.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "tests/fuzz/targets/operations.h"
#include "tlm/warp_fields.h"

namespace isbesim::fuzz {

namespace {

/// A machine of few lines and contexts: what operations do to each other shows soon.
isbe_config machine_of(unsigned choice)
{
    isbe_config config;
    config.lines = 64;
    config.banks = 8U << (choice & 3U) % 3;
    config.bank_map = static_cast<bank_map>((choice >> 2 & 3U) % 3);
    config.access = (choice & 16U) != 0 ? access_rule::line : access_rule::banked;
    config.skew = (choice & 32U) == 0;
    config.gs_slot_order = (choice & 64U) != 0 ? gs_slot_order::blocked : gs_slot_order::interleaved;
    config.patch_winner = (choice & 128U) != 0 ? lane_winner::lowest : lane_winner::highest;
    config.map_byte_swap = (choice & 1U) != 0;
    config.attribute_default = choice & 63U;
    config.contexts = 3;
    return config;
}

} // namespace

void traffic(std::string_view bytes)
{
    const auto config = machine_of(take_byte(bytes));
    const word storage = config.lines * 128;
    isbe_core core(config);
    testbench::oracle oracle(config);
    field_reader in(bytes);
    while (!in.done()) {
        warp_op op;
        read_operation(in, storage, op);
        warp_result result;
        core.execute(op, result);
        require(result == oracle.execute(op), "model and oracle agree on the response");
    }
    for (word i = 0; i < storage / 4; ++i) {
        word expected = 0;
        for (unsigned b = 4; b-- != 0;) expected = expected << 8 | oracle.memory[i * 4 + b];
        require(core.storage().read(i) == expected, "model and oracle agree on the storage");
    }
}

std::vector<std::string> traffic_seeds(const std::string&)
{
    std::vector<std::string> seeds;
    testbench::random_numbers random(1);
    for (unsigned i = 0; i < 40; ++i) {
        std::string seed;
        for (unsigned n = 100 + random.below(900); n != 0; --n) seed += static_cast<char>(random.bits());
        seeds.push_back(seed);
    }
    return seeds;
}

} // namespace isbesim::fuzz
