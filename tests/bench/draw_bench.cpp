// SPDX-License-Identifier: Apache-2.0
// How fast successive draws run on one machine: draws, vertices and warp instructions per second of processor time, on
// the exact and on the loosely timed machine, and how far the latter's cycles are off.
//
//   draw_bench [--only at|lt] [--repetitions N] [FILE.capture[:FRAME[-LAST]] | SCENARIO.json[:VERTICES]]...
//
// --only is for a profile.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "testbench/gl/frame/draw_sequence.h"
#include "testbench/scenario/scenario.h"
#include "testbench/system/config.h"

namespace {

using namespace isbesim;

/// A measured workload.
struct workload {
    std::string name;
    machine_config config;
    std::vector<std::size_t> numbers; ///< of a capture's draws
    gl::draw_loader load;
    std::size_t count = 1;
};

/// How it is measured.
struct manner {
    std::string only; ///< machine; empty: both
    unsigned repetitions = 5;
};

double seconds_of_children()
{
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

struct measurement {
    gl::sequence_result result;
    double seconds = 0; ///< median
};

/// Each run is a process; loading the draws counts.
measurement measure(const workload& work, const gl::sequence_machine& machine, unsigned repetitions)
{
    std::vector<double> seconds;
    measurement measured;
    for (unsigned i = 0; i < repetitions; ++i) {
        const auto before = seconds_of_children();
        measured.result = gl::run_sequence_in_process(work.load, work.count, machine);
        seconds.push_back(seconds_of_children() - before);
        if (!measured.result.problem.empty()) throw std::runtime_error(work.name + ": " + measured.result.problem);
    }
    std::sort(seconds.begin(), seconds.end());
    measured.seconds = seconds[repetitions / 2];
    return measured;
}

void print(const char* how, const measurement& measured)
{
    const auto& result = measured.result;
    const auto vertices = result.invocations[static_cast<unsigned>(stage::vertex)];
    std::printf("  %-3s %8.0f draws/s %8.0f k vertices/s %8.0f k warp instructions/s   "
                "%llu cycles, %llu vertices shaded, %.3f s\n",
                how, static_cast<double>(result.draws.size()) / measured.seconds,
                static_cast<double>(vertices) / measured.seconds / 1e3,
                static_cast<double>(result.instructions) / measured.seconds / 1e3,
                static_cast<unsigned long long>(result.draws.back().end), static_cast<unsigned long long>(vertices),
                measured.seconds);
}

void compare(const workload& work, const manner& how)
{
    std::printf("%s, %zu draws\n", work.name.c_str(), work.count);
    measurement exact, loose;
    if (how.only != "lt") {
        exact = measure(work, {work.config, *testbench::find_isbe_backend("at"), sm_timing::by_cycle}, how.repetitions);
        print("at", exact);
    }
    if (how.only != "at") {
        loose = measure(work, {work.config, *testbench::find_isbe_backend("lt"), sm_timing::by_warp}, how.repetitions);
        print("lt", loose);
    }
    if (!how.only.empty()) return;
    const auto cycles = [](const measurement& result_of) {
        return static_cast<double>(result_of.result.draws.back().end);
    };
    std::printf("  lt is %.1f times as fast, its cycles are %+.1f %% off\n", exact.seconds / loose.seconds,
                100 * (cycles(loose) / cycles(exact) - 1));
}

/// The part after the colon; empty without a colon.
std::string suffix_of(const std::string& argument)
{
    const auto colon = argument.rfind(':');
    return colon == std::string::npos ? "" : argument.substr(colon + 1);
}

void compare_captured(const std::string& argument, const manner& how)
{
    gl::capture_reader capture(argument.substr(0, argument.rfind(':')));
    workload work{argument, {}, {}, {}, 0};
    testbench::load_config(capture.chip(), {capture.file()}, work.config);
    const auto frame = suffix_of(argument);
    const auto dash = frame.find('-');
    const std::size_t first = frame.empty() ? 0 : std::stoul(frame);
    const std::size_t last = dash != std::string::npos ? std::stoul(frame.substr(dash + 1))
                             : frame.empty()           ? capture.frames()
                                                       : first;
    for (std::size_t i = 0; i < capture.draws(); ++i)
        if (capture.frame_of(i) >= first && capture.frame_of(i) <= last) work.numbers.push_back(i);
    if (work.numbers.empty()) throw std::runtime_error(argument + " has no draws");
    work.count = work.numbers.size();
    work.load = gl::draws_of(capture, work.numbers);
    compare(work, how);
}

/// SCENARIO[:VERTICES]: with VERTICES the draw has this number of vertices, and its data repeats.
void compare_scenario(const std::string& argument, const manner& how)
{
    const auto loaded = testbench::load_scenario(argument.substr(0, argument.rfind(':')));
    auto draw = loaded.draw;
    if (const auto vertices = suffix_of(argument); !vertices.empty()) {
        draw.vertex_count = std::stoul(vertices);
        for (auto& [address, source] : draw.attributes) source.repeat = true;
    }
    compare({argument, {}, {}, [&](std::size_t) { return draw; }, 1}, how);
}

} // namespace

int main(int count, char** arguments)
{
    try {
        manner how;
        for (int i = 1; i < count; ++i) {
            const std::string argument = arguments[i];
            if (argument == "--only" && i + 1 < count)
                how.only = arguments[++i];
            else if (argument == "--repetitions" && i + 1 < count)
                how.repetitions = static_cast<unsigned>(std::max(1, std::stoi(arguments[++i])));
            else if (argument.find(".json") != std::string::npos)
                compare_scenario(argument, how);
            else
                compare_captured(argument, how);
        }
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "draw_bench: " << error.what() << "\n";
        return 1;
    }
}

int sc_main(int, char**)
{
    return 0;
}
