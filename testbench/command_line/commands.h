// SPDX-License-Identifier: Apache-2.0
// The commands: their options, and functions that run them with the words after the name. They are in
// COMMAND_command.cpp, but asm, disasm and layout in file_commands.cpp, capture-info in capture_commands.cpp.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/program_options.hpp>

namespace isbesim::testbench {

class command_arguments;
struct scenario;

/// The values of the own options of calibrate.
struct calibrate_choices {
    std::string out, report;
    std::vector<std::string> scopes, signals;
    bool quiet = false;

    boost::program_options::options_description options();
};

boost::program_options::options_description asm_options();
boost::program_options::options_description calibrate_options();
boost::program_options::options_description capture_info_options();
boost::program_options::options_description compare_options();
boost::program_options::options_description compile_options();
boost::program_options::options_description crosscheck_options();
boost::program_options::options_description disasm_options();
boost::program_options::options_description gl_options();
boost::program_options::options_description layout_options();
boost::program_options::options_description pack_options();
boost::program_options::options_description replay_options();
boost::program_options::options_description run_options();
boost::program_options::options_description serve_options();
boost::program_options::options_description traffic_options();

int run_asm(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
/// Finds the keys that explain a card's measurement. Exit status check_failed if a test takes other cycles on the
/// result, or nothing was measured. Throws input_error.
int calibrate_card(const std::string& path, const command_arguments& arguments, const calibrate_choices& choices,
                   std::ostream& out, std::ostream& err);
int run_calibrate(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_capture_info(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_compare(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_compile(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_crosscheck(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_disasm(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_gl(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_vk(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_layout(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_pack(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_replay(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
/// A run whose report goes to `report`; its folder stays empty. `loaded`: the scenario, which is consumed, or null if
/// it has to be read.
int run_for_report(const std::vector<std::string>& words, scenario* loaded, std::ostream& err,
                   const std::function<void(boost::json::object)>& report);
int run_run(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_serve(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);
int run_traffic(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
