// SPDX-License-Identifier: Apache-2.0
// passes_by(), the passes of an operation on a machine with other banks, against a core of that machine which executes
// the same operations.
#include <vector>

#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"
#include "tests/isbe/random_operation.h"

namespace isbesim::test {
namespace {

TEST(passes_by, are_those_of_a_core_with_the_other_banks)
{
    isbe_config own;
    own.lines = 128;
    own.banks = 16;
    own.access = access_rule::banked;
    own.bank_map = bank_map::modulo;
    std::vector<isbe_config> others(5, own);
    others[0].banks = 8;
    others[1].banks = 32;
    others[2].access = access_rule::line;
    others[3].bank_map = bank_map::rotate;
    others[4].bank_map = bank_map::exclusive_or;
    for (const auto& other : others) {
        isbe_core here(own), there(other);
        pass_counter counter(other, here.storage().words());
        random_source random(own, 5);
        unsigned differ = 0, none = 0;
        for (unsigned n = 0; n < 2000; ++n) {
            const auto op = random.next(n);
            warp_result result, expected;
            here.execute(op, result);
            there.execute(op, expected);
            const bool touches = op.op != opcode::bind && result.error == op_error::none;
            ASSERT_EQ(here.passes_by(counter), touches ? expected.passes : 0) << "operation " << n;
            differ += result.passes != expected.passes ? 1U : 0U;
            none += touches ? 0U : 1U;
        }
        EXPECT_GT(differ, 20U);
        EXPECT_GT(none, 20U);
    }
}

} // namespace
} // namespace isbesim::test
