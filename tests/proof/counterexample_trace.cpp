// SPDX-License-Identifier: Apache-2.0
// Writes an example of address_proof as a trace that `isbesim replay` plays:
//
//   counterexample_trace CONFIGURATION FILE NAME=VALUE...
//
// CONFIGURATION names an entry of rtl_ref/configurations.json. Exit status: 0 written, 2 wrong arguments or no file.
#include <exception>
#include <iostream>
#include <stdexcept>

#include <systemc>

#include "models/isbe/execution/isbe_core.h"
#include "testbench/crosscheck/traces/trace_recorder.h"
#include "testbench/files/json_text.h"
#include "testbench/rtl/rtl_parameters.h"
#include "testbench/system/config.h"
#include "tests/proof/counterexample.h"

namespace isbesim::proof {
namespace {

using namespace testbench;

/// As if one operation were carried out after the other: the trace's cycles do not matter here.
void record(const std::string& file, const machine_config& machine, const std::vector<warp_op>& operations)
{
    constexpr std::uint64_t far = 1'000; // cycles from one to the next
    isbe_core core(machine.isbe);
    trace_recorder recorder(file, {machine.isbe, json_text(config_to_json(machine)), true, false});
    warp_result result;
    std::uint64_t cycle = 0;
    for (const auto& op : operations) {
        cycle += far;
        recorder.begin_request(0, 0, op, cycle);
        recorder.accept(0, 0, cycle);
        core.execute(op, result);
        recorder.granted(0, 0, op, result, cycle + 1, {});
        recorder.response(0, 0, op, result, {cycle, cycle + 1, cycle + far / 2});
        recorder.end_response(0, 0, cycle + far / 2);
    }
    recorder.close();
}

int run(const std::vector<std::string>& words)
{
    if (words.size() < 3) throw std::invalid_argument("expected a configuration, a file and fields");
    field_values fields;
    for (std::size_t i = 2; i < words.size(); ++i) {
        const auto equals = words[i].find('=');
        if (equals == std::string::npos) throw std::invalid_argument("expected NAME=VALUE, not " + words[i]);
        fields[words[i].substr(0, equals)] = static_cast<std::uint32_t>(std::stoul(words[i].substr(equals + 1)));
    }
    machine_config machine;
    machine.isbe = rtl_configuration_of(words[0]);
    check_context(context_of(fields), std::uint64_t{machine.isbe.lines} * 128);
    record(words[1], machine, operations_of(fields, machine.isbe));
    return 0;
}

} // namespace
} // namespace isbesim::proof

int sc_main(int count, char** words)
{
    try {
        return isbesim::proof::run({words + 1, words + count});
    } catch (const std::exception& error) {
        std::cerr << "counterexample_trace: " << error.what() << "\n";
        return 2;
    }
}
