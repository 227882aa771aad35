// SPDX-License-Identifier: Apache-2.0
// The isbesim executable.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <systemc>

#include "testbench/command_line/command_line.h"
#include "testbench/processes/interruption.h"

int sc_main(int argc, char* argv[])
{
    // Info lines would go to stdout, which belongs to the summary.
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_IEEE_1666_DEPRECATION_, sc_core::SC_DO_NOTHING);
    isbesim::testbench::clean_up_when_interrupted();
    // A fatal report would abort: it is an internal error like others.
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    const std::vector<std::string> words(argv + 1, argv + argc);
    return isbesim::testbench::run_command_line(words, std::cout, std::cerr);
}

int main(int argc, char* argv[])
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1); // the banner goes to stderr otherwise
    return sc_core::sc_elab_and_sim(argc, argv);
}
