// SPDX-License-Identifier: Apache-2.0
#include "tests/foreign/foreign_machine.h"

#include <gtest/gtest.h>

#include "testbench/scenario/expectation.h"

namespace isbesim::test {

void foreign_machine::run()
{
    start_simulation();
    EXPECT_TRUE(pe_.done()) << pe_.state_dump();
    csv_.finish();
    ASSERT_FALSE(scenario_.expect.file.empty());
    const auto difference = testbench::compare_vertices(folder_.path("vertices.csv"), scenario_.expect);
    EXPECT_FALSE(difference) << difference->text();
    for (auto* const checker : checkers_) {
        checker->finish();
        EXPECT_GT(checker->transactions(), 0U) << checker->name();
        for (const auto& violation : checker->violations())
            ADD_FAILURE() << checker->name() << ": " << violation.describe();
    }
}

} // namespace isbesim::test
