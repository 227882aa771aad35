// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <boost/json.hpp>

#include "testbench/command_line/crosscheck_job.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/command_line/progress_line.h"
#include "testbench/files/files.h"
#include "testbench/files/shell_text.h"
#include "testbench/processes/exit_status.h"

namespace isbesim::testbench {

namespace json = boost::json;

namespace {

std::uint64_t number(const json::value& value)
{
    return value.is_null() ? 0 : value.to_number<std::uint64_t>();
}

/// Returns the sum of `counts`.
std::uint64_t add_counts(json::object& sum, const json::object& counts)
{
    std::uint64_t all = 0;
    for (const auto& [name, count] : counts) {
        auto& total = sum[name];
        const auto before = number(total), own = number(count);
        total = name == "max_cycle_error" ? std::max(before, own) : before + own;
        all += own;
    }
    return all;
}

} // namespace

std::string planned_run::folder() const
{
    if (phase.empty()) return "seeds/" + std::to_string(seed);
    return "phases/" + phase + (configuration.empty() ? "" : "_" + configuration) + "/" + std::to_string(seed);
}

command_words planned_run::words() const
{
    command_words own{"--seed", std::to_string(seed)};
    if (!phase.empty()) own.insert(own.end(), {"--phase", phase});
    if (!configuration.empty()) own.insert(own.end(), {"--rtl", configuration});
    return own;
}

crosscheck_runs::crosscheck_runs(const crosscheck_job& job, coverage& bins, std::ostream& err)
    : folder(place_of_results(job.arguments, "crosscheck")),
      arguments_(job.arguments),
      kept_(without_options(job.words, {"--runs", "--seconds", "--jobs", "--seed", "--out"},
                            {"--quiet", "--progress", "--require-coverage", "--require-conditions"})),
      bins_(bins),
      err_(err)
{
}

int crosscheck_runs::run(const std::vector<planned_run>& runs, std::ostream& out, bool go_on, const deadline& until)
{
    std::vector<command_words> commands;
    commands.reserve(runs.size());
    for (const auto& each : runs)
        commands.push_back(quiet_command("crosscheck", kept_, each.words(), folder.file(each.folder())));
    std::vector<int> statuses;
    {
        progress_line progress(err_, arguments_);
        const auto ended = [&](std::size_t done, int status) {
            progress.count(done, runs.size(), "runs");
            return go_on || status == exit_status::done;
        };
        statuses = run_commands(commands, jobs_of(arguments_), out, ended, until);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (statuses[i] == not_ended) continue;
        // Wrong input and internal errors leave no report.
        const bool whole = statuses[i] == exit_status::done || statuses[i] == exit_status::check_failed;
        add(runs[i], statuses[i], whole ? report_of(runs[i]) : json::object());
        if (statuses[i] != exit_status::done) last_failed_ = runs[i];
    }
    return *std::max_element(statuses.begin(), statuses.end());
}

/// `report` is empty if the run has left none.
void crosscheck_runs::add(const planned_run& run, int status, const json::object& report)
{
    json::object row{{"seed", run.seed}};
    if (!run.phase.empty()) row["phase"] = run.phase;
    if (!run.configuration.empty()) row["configuration"] = run.configuration;
    std::uint64_t own_operations = 0, own_cycles = 0;
    if (!report.empty()) {
        own_operations = add_counts(transactions, report.at("transactions").as_object());
        own_cycles = number(report.at("cycles"));
        if (const auto* const own = report.if_contains("crosscheck")) add_counts(crosscheck, own->as_object());
        const auto add_hits = [this](const json::value& part) {
            for (const auto& [name, hits] : part.at("hits").as_object()) bins_.add_hits(name, number(hits));
        };
        if (const auto* const own = run.configuration.empty() ? report.if_contains("coverage") : nullptr)
            for (const auto* part : {own, &own->at("conditions"), &own->at("corners")}) add_hits(*part);
    }
    operations += own_operations;
    cycles += own_cycles;
    failed += status == exit_status::done ? 0 : 1;
    row["status"] = status;
    row["result"] = report.empty() ? json::value("none") : report.at("result").at("status");
    row["transactions"] = own_operations;
    row["cycles"] = own_cycles;
    row["folder"] = run.folder();
    rows.push_back(std::move(row));
}

json::object crosscheck_runs::report_of(const planned_run& run) const
{
    return json::parse(read_file(folder.file(run.folder() + "/report.json"), "a report")).as_object();
}

std::string crosscheck_runs::command_of(const planned_run& run) const
{
    return "isbesim crosscheck" + shell_text(kept_) + shell_text(run.words());
}

} // namespace isbesim::testbench
