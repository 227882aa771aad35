// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>

#include <boost/json.hpp>

#include "testbench/command_line/capture_commands.h"
#include "testbench/command_line/commands_at_once.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/command_line/run_request.h"
#include "testbench/files/files.h"
#include "testbench/files/json_text.h"
#include "testbench/gl/capture/capture_reader.h"
#include "testbench/gl/frame/draw_sequence.h"
#include "testbench/gl/frame/frame_page.h"
#include "testbench/processes/exit_status.h"
#include "testbench/report/estimate.h"
#include "testbench/report/origin.h"
#include "testbench/report/proxies.h"
#include "testbench/report/result_folder.h"
#include "testbench/system/config.h"
#include "testbench/version.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

/// Most edges of the page's picture, all draws together.
constexpr std::size_t most_edges = 60'000;

/// The draws of --frame, or all. Throws input_error.
std::vector<std::size_t> wanted_draws(const gl::capture_reader& capture, const run_request& request)
{
    const auto& frame = request.frame;
    if (frame && *frame >= capture.frames())
        request.arguments.fail("frame", " is " + std::to_string(*frame) + ", the capture has " +
                                            std::to_string(capture.frames()) + " frames, expected one of them");
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < capture.draws(); ++i)
        if (!frame || capture.frame_of(i) == *frame) numbers.push_back(i);
    if (numbers.empty()) throw input_error({capture.file()}, "the capture has no draws, expected one");
    return numbers;
}

/// The report of a draw in `folder`.
json::value read_report(const std::string& folder, int status)
{
    // Wrong input and internal errors leave no report.
    if (status == exit_status::wrong_input || status == exit_status::internal_error) return {};
    auto report = json::parse(read_file(folder + "/report.json", "a report"));
    // Removes the parts that no page of all draws shows; keeps only the meshlets of the series.
    auto& all = report.as_object();
    for (const auto* key : {"stacks", "critical_path", "per_instance", "covers"}) all.erase(key);
    if (auto* series = all.if_contains("series")) {
        const auto* meshlets = series->as_object().if_contains("meshlets");
        *series = meshlets == nullptr ? json::object{} : json::object{{"meshlets", *meshlets}};
    }
    return report;
}

std::size_t edge_count(const gl::frame_draw& draw)
{
    boost::system::error_code missing;
    const auto* primitives = draw.report.find_pointer("/output/primitives_out_stream_0", missing);
    constexpr std::size_t corners = 3; // at most
    return primitives == nullptr ? 0 : corners * primitives->to_number<std::size_t>();
}

/// Reads the pictures of all draws; large pictures lose lines until the total is at most most_edges.
void read_pictures(const std::string& folder, std::vector<gl::frame_draw>& draws)
{
    std::size_t limit = most_edges;
    const auto total = [&] {
        std::size_t sum = 0;
        for (const auto& each : draws) sum += std::min(edge_count(each), limit);
        return sum;
    };
    while (limit > 1 && total() > most_edges) limit /= 2;
    for (auto& each : draws) {
        std::ifstream vertices(folder + "/" + each.folder + "/vertices.csv");
        each.picture = gl::read_wire_frame(vertices, limit);
    }
}

/// Runs all successful draws one after the other on one machine.
gl::frame_machine run_on_one_machine(gl::capture_reader& capture, const gl::sequence_machine& on,
                                     std::vector<gl::frame_draw>& draws)
{
    std::vector<std::size_t> numbers;
    std::vector<gl::frame_draw*> good;
    for (auto& each : draws) {
        if (each.status != exit_status::done) continue;
        numbers.push_back(each.facts.number);
        good.push_back(&each);
    }
    gl::frame_machine machine;
    if (good.empty()) machine.problem = "no draw ended well";
    if (on.config.chip.all_tpcs() > 1) machine.problem = "a chip of several TPCs runs single draws only";
    if (!machine.problem.empty()) return machine;
    const auto result = gl::run_sequence_in_process(gl::draws_of(capture, numbers), numbers.size(), on);
    machine.problem = result.problem;
    for (std::size_t i = 0; i < result.draws.size(); ++i) good[i]->span = result.draws[i];
    if (machine.problem.empty()) machine.cycles = result.draws.back().end;
    return machine;
}

/// Returns the sum of the cycles of all draws that ended well, each alone; none without such a draw.
std::optional<std::uint64_t> write_results(const result_folder& folder, const std::string& file,
                                           const std::vector<gl::frame_draw>& draws, const gl::frame_machine& machine,
                                           const std::optional<estimate>& known, const std::vector<std::string>& words)
{
    std::ostringstream table;
    table << "draw,status,cycles,begin,end" << (known ? ",estimate.of\n" : "\n");
    json::array list;
    std::optional<std::uint64_t> cycles;
    for (const auto& each : draws) {
        auto summary = gl::summary_of(each);
        table << each.facts.number << "," << each.status << ",";
        if (const auto* own = summary.if_contains("cycles")) {
            if (each.status == exit_status::done) cycles = cycles.value_or(0) + own->to_number<std::uint64_t>();
            table << *own;
        }
        table << ",";
        if (each.span)
            table << each.span->begin << "," << each.span->end;
        else
            table << ",";
        table << (known ? ",cycles\n" : "\n");
        list.push_back(std::move(summary));
    }
    json::value machine_cycles; // null if no machine ran the draws
    if (machine.problem.empty()) machine_cycles = machine.cycles;
    folder.write("draws.csv", table.str());
    json::object report{{"tool", json::object{{"version", version_text}}},
                        {"capture", file},
                        {"machine_cycles", machine_cycles},
                        {"draws", std::move(list)}};
    if (cycles) report["cycles"] = *cycles;
    if (known) report["estimate"] = known->json();
    for (const auto& each : draws)
        if (const auto* origin = each.report.is_object() ? each.report.get_object().if_contains("of") : nullptr)
            report["of"] = *origin; // but for the command, the same for each
    if (auto* origin = report.if_contains("of"))
        origin->get_object()["command"] = command_json("run", result_words(words));
    folder.write("report.json", json_text(report));
    std::ostringstream page;
    gl::write_frame_page(page, "isbesim: " + file, draws, machine, origin_text(report));
    folder.write("frame.html", page.str());
    return cycles;
}

} // namespace

int run_captured_sequence(const run_request& request, const std::vector<std::string>& words, std::ostream& out,
                          std::ostream& err)
{
    const auto& arguments = request.arguments;
    const auto& file = request.scenario_file;
    const gl::sequence_machine on{request.config, *request.backend, request.timing};
    refuse_one_file(arguments, "many draws", "one of them: --draw N", {"every", "cycles", "tpc"});
    if (arguments.has("coefficients")) // one error instead of one per draw
        coefficient_table().load(arguments.get<std::string>("coefficients"));
    const auto opened = gl::capture_reader::open(file); // also for the processes of the draws
    auto& capture = *opened;
    const auto numbers = wanted_draws(capture, request);
    gl::draw_fact_reader facts(capture, on.config);
    result_folder folder(request.out);
    auto kept = without_options(words, {"--out", "--frame", "--jobs"}, {"--quiet", "--progress"});
    if (!request.what_if.empty()) kept.emplace_back("--jobs=1"); // for each draw's reruns
    std::vector<gl::frame_draw> draws;
    std::vector<command_words> commands;
    for (const auto number : numbers) {
        char name[32];
        std::snprintf(name, sizeof name, "draws/%04zu", number);
        draws.push_back({facts.read(number), name, 0, {}, {}, {}});
        commands.push_back(quiet_command("run", kept, {"--draw", std::to_string(number)}, folder.file(name)));
    }
    out.flush();
    std::optional<progress_line> progress(std::in_place, err, arguments);
    const auto statuses = run_commands(commands, request.jobs, err, [&](std::size_t done, int) {
        progress->count(done, commands.size(), "draws");
        return true;
    });
    for (std::size_t i = 0; i < draws.size(); ++i) {
        draws[i].status = statuses[i];
        draws[i].report = read_report(folder.file(draws[i].folder), statuses[i]);
    }
    read_pictures(folder.file(""), draws);
    if (progress->shown()) progress->show("all draws in a row on one machine", 0, 0);
    const auto known =
        estimate_of(std::string(on.backend.name), on.timing == sm_timing::by_warp, config_to_json(on.config));
    auto machine = run_on_one_machine(capture, on, draws);
    if (known) machine.estimate = known->text();
    progress.reset();
    const auto cycles = write_results(folder, file, draws, machine, known, words);
    folder.commit();
    if (!request.quiet) {
        const std::string unit = known ? " cycles (estimate)" : " cycles";
        const auto well = std::count(statuses.begin(), statuses.end(), exit_status::done);
        const auto failed = numbers.size() - static_cast<std::size_t>(well);
        out << numbers.size() << " draws, ";
        if (failed != 0) out << failed << " of which did not end well, ";
        out << (machine.problem.empty() ? std::to_string(machine.cycles) + unit +
                                              (failed != 0 ? " of the others" : "") + " back to back on one machine"
                                        : "not on one machine: " + machine.problem);
        if (cycles) out << "; " << *cycles << unit << " when each starts on an idle one";
        out << "\n"
            << (known ? machine.estimate + "\n" : "") << "\ndraws:    " << folder.final_file("draws.csv")
            << "\npage:     " << folder.final_file("frame.html") << "\n";
    }
    return *std::max_element(statuses.begin(), statuses.end());
}

} // namespace isbesim::testbench
