// SPDX-License-Identifier: Apache-2.0
// What testbench/measure finds on a machine that it does not know: the machine's latencies.
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <regex>

#include <boost/json.hpp>

#include "tests/gl/gl_session.h"

namespace isbesim::testbench {
namespace {

const std::string instrument = ISBESIM_BINARY_DIR "/isbesim_measure";

/// Keys that a card's owner does not know.
struct hidden_machine {
    explicit hidden_machine(unsigned seed)
    {
        std::mt19937 dice(seed);
        const auto roll = [&](unsigned least, unsigned most) {
            return std::uniform_int_distribution<unsigned>(least, most)(dice);
        };
        // Below 12 an address stays hidden behind the 15 cycles that the compiled program waits at least.
        set("isbe.al2p_latency", al2p = roll(12, 90));
        set("isbe.pipeline_latency", load = roll(12, 90));
        set("isbe.out_latency", out = roll(2, 90));
        set("isbe.write_latency", roll(2, 90));
        const auto banks = 8U << roll(0, 2);
        const auto by_line = roll(0, 3) == 0;
        set("isbe.banks", banks);
        options.insert(options.end(), {"--set", by_line ? "isbe.access=line" : "isbe.access=banked"});
        passes = by_line ? 1 : (24 + banks - 1) / banks;
        ghz = roll(300, 2500) / 1000.0;
        options.insert(options.end(), {"--set", "clock_ghz=" + std::to_string(ghz)});
    }
    void set(const std::string& key, unsigned value)
    {
        options.insert(options.end(), {"--set", key + "=" + std::to_string(value)});
    }

    unsigned al2p = 0, load = 0, out = 0;
    double ghz = 1;
    unsigned passes = 0; ///< for a word of each of eight triangles' vertices
    words options{"--execute", "at", "--quiet"};
};

/// rtl_ref/README.md 5: 1 + P + L from accept to response. A warp's operation is accepted a cycle after its issue, and
/// what waits for it issues a cycle after the response.
double round_trip(unsigned latency)
{
    constexpr unsigned passes = 1;
    return 1 + (1 + passes + latency) + 1;
}

class gl_measure : public gl_driver {
protected:
    void SetUp() override
    {
        gl_driver::SetUp();
        if (!IsSkipped() && !fs::exists(instrument)) ISBESIM_MISSING("built without isbesim_measure");
    }
    /// A step in cycles, of one primitive and of eight.
    struct figures {
        double one, many;
    };
    /// Leaves file().
    void run_tests(const std::string& chip, const words& machine) const
    {
        auto options = machine;
        options.insert(options.end(), {"--chip", chip});
        const auto result = run(options, {instrument, "--out", file(), "--repetitions", "2"});
        EXPECT_EQ(result.status, 0) << result.out << result.err;
    }
    /// By test. The clock comes from the results too: a dependent multiply-add takes 6 cycles.
    std::map<std::string, figures> measure(const std::string& chip, const hidden_machine& machine)
    {
        run_tests(chip, machine.options);
        const auto found = boost::json::parse(temporary_folder::read(file()));
        EXPECT_EQ(found.at("structure"), true);
        std::map<std::string, figures> steps;
        for (const auto& each : found.at("tests").as_array()) {
            const auto step = [&](const char* of) { return each.at(of).at("step_ns").to_number<double>(); };
            steps[std::string(each.at("name").as_string())] = {step("one"), step("many")};
        }
        const auto cycle = steps.at("alu").one / 6;
        for (auto& [name, step] : steps) step = {step.one / cycle, step.many / cycle};
        return steps;
    }
    /// The ISBE of the machine that calibrate finds.
    boost::json::object calibrate(const std::string& chip, int status = 0)
    {
        const auto result = run_isbesim({"calibrate", file(), "--chip", chip, "--out", folder_.path("found.json")});
        EXPECT_EQ(result.status, status) << result.out << result.err;
        found_ = boost::json::parse(temporary_folder::read(folder_.path("found.json"))).as_object();
        return found_.at("isbe").as_object();
    }
    static double value_of(const boost::json::value& key) { return key.at("value").to_number<double>(); }
    static std::string source_of(const boost::json::value& key) { return key.at("source").as_string().c_str(); }
    /// That the value was found, or lies in the range that explains as much.
    static bool is_explained_by(const boost::json::value& key, unsigned value)
    {
        static const std::regex range(": ([0-9]+) to ([0-9]+) explain as much");
        const auto source = source_of(key);
        std::smatch ends;
        if (!std::regex_search(source, ends, range)) return value_of(key) == value;
        return std::stoul(ends[1]) <= value && value <= std::stoul(ends[2]);
    }
    std::string file() const { return folder_.path("measure.json"); }

    boost::json::object found_; ///< by calibrate()
};

TEST_F(gl_measure, finds_the_latencies_of_machines_that_it_does_not_know)
{
    // Nanoseconds are whole: half a cycle would be another latency.
    constexpr double near = 0.2;
    const hidden_machine machines[] = {hidden_machine(1), hidden_machine(2)};
    for (const std::string chip : {"gm107", "tu102"}) {
        std::map<std::string, figures> found[2];
        for (unsigned i = 0; i < 2; ++i) {
            SCOPED_TRACE(chip + ", machine " + std::to_string(i));
            const auto& machine = machines[i];
            auto& steps = found[i] = measure(chip, machine);
            EXPECT_NEAR(steps.at("ald_output").one, 6 + round_trip(machine.load), near); // a sum makes the handle
            EXPECT_NEAR(steps.at("out_cut").one, round_trip(machine.out), near);
            EXPECT_NEAR(steps.at("out_cut").many, round_trip(machine.out), near);
            EXPECT_NEAR(steps.at("ald_output").many - steps.at("ald_output").one, machine.passes - 1, near);
        }
        // How the compiler makes addresses is not known here: the same way for both machines. The handle is a read too.
        const auto difference = [&](const std::string& name) { return found[1].at(name).one - found[0].at(name).one; };
        const auto load = round_trip(machines[1].load) - round_trip(machines[0].load);
        const auto al2p = round_trip(machines[1].al2p) - round_trip(machines[0].al2p);
        ASSERT_NE(load, 0);
        ASSERT_NE(al2p, 0);
        EXPECT_NEAR(difference("ald_input"), 2 * load, near) << chip;
        EXPECT_NEAR(difference("al2p_input"), load + al2p, near) << chip;
        for (const auto* width : {"1", "2", "4"})
            EXPECT_NEAR(difference(std::string("ald_width_") + width), load, near) << chip << " " << width;
    }
}

TEST_F(gl_measure, calibrate_finds_the_machine)
{
    for (const std::string chip : {"gm107", "tu102"}) {
        for (const unsigned seed : {21U, 22U, 23U}) {
            SCOPED_TRACE(chip + ", seed " + std::to_string(seed));
            const hidden_machine machine(seed);
            run_tests(chip, machine.options);
            const auto isbe = calibrate(chip);
            EXPECT_EQ(value_of(isbe.at("pipeline_latency")), machine.load);
            EXPECT_EQ(value_of(isbe.at("al2p_latency")), machine.al2p);
            EXPECT_EQ(value_of(isbe.at("out_latency")), machine.out);
            EXPECT_NEAR(value_of(found_.at("clock_ghz")), machine.ghz, 0.001 * machine.ghz);
            EXPECT_FALSE(isbe.at("write_latency").is_object()); // nothing measures it
        }
    }
}

TEST_F(gl_measure, calibrate_names_the_range_that_the_program_hides)
{
    run_tests("tu102", {"--execute", "at", "--quiet", "--set", "isbe.pipeline_latency=5", "--set",
                        "isbe.al2p_latency=3", "--set", "isbe.out_latency=2"});
    const auto isbe = calibrate("tu102");
    // How many cycles the program waits anyway is its compiler's choice.
    EXPECT_TRUE(is_explained_by(isbe.at("pipeline_latency"), 5)) << isbe.at("pipeline_latency");
    EXPECT_TRUE(is_explained_by(isbe.at("al2p_latency"), 3)) << isbe.at("al2p_latency");
    EXPECT_EQ(source_of(isbe.at("out_latency")).find("explain"), std::string::npos);
    EXPECT_EQ(value_of(isbe.at("out_latency")), 2);
}

TEST_F(gl_measure, calibrate_takes_no_noise_and_tells_what_no_machine_does)
{
    const hidden_machine machine(31);
    run_tests("gm107", machine.options);
    auto measured = boost::json::parse(temporary_folder::read(file()));
    const auto write = [&] { folder_.write("measure.json", boost::json::serialize(measured)); };
    for (auto& each : measured.at("tests").as_array())
        if (each.at("name") == "out_cut") each.at("one").at("noisy") = true;
    write();
    const auto isbe = calibrate("gm107");
    EXPECT_EQ(source_of(isbe.at("out_latency")), "not measured: noisy or not there");
    EXPECT_EQ(value_of(isbe.at("pipeline_latency")), machine.load);
    for (auto& each : measured.at("tests").as_array())
        if (each.at("name") == "ald_width_4")
            each.at("one").at("step_ns") = each.at("one").at("step_ns").to_number<double>() + 3 / machine.ghz;
    write();
    EXPECT_EQ(value_of(calibrate("gm107", 1).at("pipeline_latency")), machine.load);
    measured.at("structure") = false;
    measured.as_object()["reason"] = "a test";
    write();
    const auto result = run_isbesim({"calibrate", file(), "--out", folder_.path("none.json")});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.last_error(), "isbesim: " + file() + " measures no ISBE: a test");
    EXPECT_FALSE(fs::exists(folder_.path("none.json")));
    measured.as_object().erase("card");
    write();
    EXPECT_EQ(run_isbesim({"calibrate", file()}).status, 2);
    EXPECT_NE(run_isbesim({"calibrate", file(), "--scope", "top"}).last_error().find("--scope and a card's"),
              std::string::npos);
}

TEST_F(gl_measure, says_so_where_there_is_no_such_structure)
{
    const auto command =
        "LIBGL_ALWAYS_SOFTWARE=1 " + instrument + " --out " + file() + " >" + folder_.path("out") + " 2>" + err();
    const auto status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 3) << temporary_folder::read(err());
    EXPECT_NE(temporary_folder::read(folder_.path("out")).find("no such structure: "), std::string::npos);
    EXPECT_EQ(boost::json::parse(temporary_folder::read(file())).at("structure"), false);
}

TEST_F(gl_measure, refuses_wrong_arguments)
{
    const auto result = run({"--quiet"}, {instrument, "--repetitions", "1"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, "1, expected a number from 2 to 64\n");
    EXPECT_EQ(run({"--quiet"}, {instrument, "--outt", file()}).status, 1);
}

} // namespace
} // namespace isbesim::testbench
