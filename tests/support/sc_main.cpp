// SPDX-License-Identifier: Apache-2.0
// SystemC's library owns main() and calls sc_main: run GoogleTest from there. Linking gtest_main instead would run no
// test and exit 0.
#include <gtest/gtest.h>
#include <systemc>

int sc_main(int argc, char* argv[])
{
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
