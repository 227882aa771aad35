// SPDX-License-Identifier: Apache-2.0
// `isbesim calibrate` of a card's measurement: the same tests run on variants of the chip's machine.
#include <csignal>
#include <map>
#include <optional>
#include <ostream>
#include <set>

#include "testbench/calibration/card_report.h"
#include "testbench/command_line/commands.h"
#include "testbench/command_line/gl_session.h"
#include "testbench/command_line/machine_options.h"
#include "testbench/files/files.h"
#include "testbench/files/json_text.h"
#include "testbench/files/temporary_file.h"
#include "testbench/gl/execution/machine_executor.h"
#include "testbench/processes/exit_status.h"

namespace isbesim::testbench {

namespace {

/// A card_model that keeps results, so nothing is measured twice: its figures include others of the same machine.
class measured_model {
public:
    explicit measured_model(const gl::chip& chip) : chip_(chip) {}

    std::optional<card_figures> operator()(machine_config config, const std::vector<std::string>& tests)
    {
        // So slow that nanoseconds do not matter: the fewest trips are enough.
        config.clock_ghz = 0.01;
        auto& known = known_[json_text(config_to_json(config))];
        std::set<std::string> names; // in the form of isbesim_measure's option
        for (const auto& test : tests) names.insert(test.substr(0, test.find('.')));
        std::string list;
        for (const auto& name : names)
            if (known.tested.count(name) == 0) list += (list.empty() ? "" : ",") + name;
        if (list.empty()) return known.figures;
        if (known.refused.count(list) != 0) return std::nullopt;
        const auto measured = measure(config, list);
        if (!measured) {
            known.refused.insert(list);
            return std::nullopt;
        }
        for (const auto& [test, each] : *measured) known.figures[test] = each;
        known.tested.insert(names.begin(), names.end());
        known.tested.insert(reference_test);
        return known.figures;
    }

private:
    std::optional<card_figures> measure(const machine_config& config, const std::string& tests) const
    {
        const temporary_file file;
        gl::machine_executor executor(config, *find_isbe_backend("at"));
        gl::tally counts;
        const auto status = run_gl_session({chip_,
                                            &executor,
                                            nullptr,
                                            {},
                                            {installed_beside("isbesim_measure"), "--quiet", "--repetitions", "1",
                                             "--tests", tests, "--out", file.path()}},
                                           counts);
        // Ctrl-C ended only the session, but must end the search, too.
        constexpr int signal_base = 128;
        for (const int number : {SIGINT, SIGTERM, SIGHUP})
            if (status == signal_base + number) std::raise(number);
        if (status != 0) return std::nullopt;
        auto figures = read_card_measurement({file.path(), read_file(file.path(), "a measurement")}, true).tests;
        // Warps wait for each other's operations nearly as long as for lines, so the last of them may count or not.
        const double by_order = config.isbe.response_queue_depth == 1 ? 1 : 0;
        for (auto& [test, each] : figures) {
            each.count_cycles(config.clock_ghz);
            each.spread = test.rfind("warps_of_", 0) == 0 ? by_order : 0;
        }
        return figures;
    }

    struct machine_figures {
        std::set<std::string> tested;
        std::set<std::string> refused; ///< lists of tests that the machine cannot run
        card_figures figures;
    };

    const gl::chip& chip_;
    std::map<std::string, machine_figures> known_;
};

} // namespace

int calibrate_card(const std::string& path, const command_arguments& arguments, const calibrate_choices& choices,
                   std::ostream& out, std::ostream& err)
{
    const json_document file(path, read_file(path, "a measurement"));
    explained_card result{read_card_measurement(file), {}, {}, {}, {}};
    auto& [card, rates, found, structure, speed] = result;
    if (!card.structure) {
        err << "isbesim: " << path << " measures no ISBE: " << card.reason << std::endl;
        return exit_status::check_failed;
    }
    const auto& chip = read_chip(arguments, gl::graphics_api::opengl);
    if (!arguments.has("config")) load_config(chip.name, arguments.place_of("--chip"), found);
    read_machine(arguments, found);
    const card_model model = measured_model(chip);
    const auto base = model(found, {reference_test});
    if (!base)
        throw input_error({"command-line", 1, 1}, "isbesim_measure can't run on the model, expected Mesa's nouveau "
                                                  "driver (Debian packages libegl1, libgl1-mesa-dri)");
    rates = take_rates(card.tests);
    if (found.chip.all_tpcs() == 1) rates.clear(); // a single TPC has no chip around it that limits
    if (!model(found, names_of(card.tests)) || !model(found, names_of(rates)))
        file.fail(file.root(), "isbesim_measure can't run these tests on the base, expected its own");
    const auto cycles = (card.is_clock_read() ? card.tests.at(clock_test) : base->at(reference_test)).value;
    found.clock_ghz = cycles / card.tests.at(reference_test).value;
    card.count_cycles(found.clock_ghz);
    for (auto& [name, each] : rates) each.count_cycles(found.clock_ghz);
    structure = find_card(model, card.tests, found);
    speed = find_rates(model, rates, found);
    if (!choices.quiet) print_card(out, result);
    if (!choices.out.empty())
        write_output(
            choices.out,
            json_text(card_machine(result, arguments.has("config") ? "the base's" : std::string(chip.name) + "'s")),
            arguments.place_of("--out"), out, false);
    return structure.explains_all && speed.explains_all ? exit_status::done : exit_status::check_failed;
}

} // namespace isbesim::testbench
