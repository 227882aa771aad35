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
    for (auto* const monitor : monitors_) {
        monitor->finish();
        EXPECT_GT(monitor->transactions(), 0U) << monitor->name();
        for (const auto& breach : monitor->breaches()) ADD_FAILURE() << breach;
    }
    for (auto* const checker : checkers_) {
        checker->finish();
        for (const auto& violation : checker->violations())
            ADD_FAILURE() << checker->name() << ": " << violation.describe();
    }
}

} // namespace isbesim::test
