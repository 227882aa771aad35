// SPDX-License-Identifier: Apache-2.0
// testbench/measure finds the latencies of a machine that it does not know.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <regex>
#include <set>

#include <boost/json.hpp>

#include "tests/gl/gl_session.h"

namespace isbesim::testbench {
namespace {

const std::string instrument = ISBESIM_BINARY_DIR "/isbesim_measure";

/// Options that set keys, each as "key=value".
words options_of(const words& keys)
{
    words options;
    for (const auto& key : keys) options.insert(options.end(), {"--set", key});
    return options;
}

/// Keys that a card's owner does not know.
struct hidden_machine {
    explicit hidden_machine(unsigned seed)
    {
        std::mt19937 dice(seed);
        const auto roll = [&](unsigned least, unsigned most) {
            return std::uniform_int_distribution<unsigned>(least, most)(dice);
        };
        // Below 12 the latency of an address is hidden by the 15 cycles that the compiled program waits at least.
        set("isbe.al2p_latency", al2p = roll(12, 90));
        set("isbe.pipeline_latency", load = roll(12, 90));
        set("isbe.out_latency", out = roll(2, 90));
        // Longer than what follows a write, or it would not show.
        set("isbe.write_latency", write = roll(110, 200));
        banks = 8U << roll(0, 2);
        by_line = roll(0, 3) == 0;
        rotates = roll(0, 1) == 0;
        set("isbe.banks", banks);
        keys.emplace_back(by_line ? "isbe.access=line" : "isbe.access=banked");
        keys.emplace_back(rotates ? "isbe.bank_map=rotate" : "isbe.bank_map=modulo");
        set("pe.batch_indices", indices = roll(40, 200));
        // Eight triangles have to be one warp.
        set("pe.batch_vertices", vertices = roll(24, 32));
        set("pe.patches_per_batch", patches = roll(8, 32));
        passes = passes_of_row(24);
        set("pe.gs_output_vertices", declared = roll(64, 1900));
        set("pe.gs_instances", threads = roll(3, 32));
        ghz = roll(300, 2500) / 1000.0;
        keys.push_back("clock_ghz=" + std::to_string(ghz));
    }
    void set(const std::string& key, unsigned value) { keys.push_back(key + "=" + std::to_string(value)); }

    /// Passes of an access to consecutive words, one a lane.
    unsigned passes_of_row(unsigned lanes) const { return by_line ? 1 : (lanes + banks - 1) / banks; }

    unsigned al2p = 0, load = 0, out = 0, write = 0, banks = 32, indices = 0, vertices = 0, patches = 0;
    unsigned declared = 0, threads = 0;
    bool by_line = false, rotates = false;
    double ghz = 1;
    unsigned passes = 0; ///< for a word of each of eight triangles' vertices
    words keys;
};

/// Passes of 32 lanes that each read a word w of a vertex v (testbench/measure/shaders.h): by line, the lines; else the
/// most words of a bank. In which line the first word is does not matter.
unsigned passes_of(const hidden_machine& machine, unsigned (*vertex)(unsigned lane))
{
    std::map<unsigned, std::set<unsigned>> words_of;
    for (unsigned lane = 0; lane < 32; ++lane) {
        const auto v = vertex(lane) % 32, w = lane % 16;
        words_of[machine.by_line ? 0 : (v + (machine.rotates ? w : 0)) % machine.banks].insert(
            machine.by_line ? w : 32 * w + v);
    }
    std::size_t most = 0;
    for (const auto& [bank, words] : words_of) most = std::max(most, words.size());
    return static_cast<unsigned>(most);
}

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
    void run_tests(const std::string& chip, const words& keys, const std::string& tests) const
    {
        const auto result = run(words{"--execute", "at", "--quiet", "--chip", chip} + options_of(keys),
                                {instrument, "--out", file(), "--repetitions", "2", "--tests", tests});
        EXPECT_EQ(result.status, 0) << result.out << result.err;
    }
    boost::json::value measured() const { return boost::json::parse(temporary_folder::read(file())); }
    void write(const boost::json::value& edited) const
    {
        folder_.write("measure.json", boost::json::serialize(edited));
    }
    /// By test. The clock comes from the results too: a dependent multiply-add takes 6 cycles.
    std::map<std::string, figures> measure(const std::string& chip, const hidden_machine& machine)
    {
        run_tests(chip, machine.keys,
                  "ald_input,al2p_input,ald_output,out_cut,out_stream,clock_alu,clock_ald,ald_width_1,ald_width_2,ald_"
                  "width_4,ast_output,ast_al2p,"
                  "ald_columns_16,ald_columns_8,ald_diagonals_16,ald_diagonals_8,ald_row,ald_lanes_16,ald_lanes_8,"
                  "ald_patch,ast_width_2,ast_width_4,ast_lanes_8,ast_lanes_32,fetch,draws,batch_indices,batch_vertices,"
                  "batch_strip,batch_patches,geometry_threads,geometry_halves,geometry_thirds,geometry_32nds");
        const auto found = measured();
        EXPECT_EQ(found.at("structure"), true);
        std::map<std::string, figures> steps;
        for (const auto& each : found.at("tests").as_array()) {
            const auto& test = each.as_object();
            const std::string name = test.at("name").as_string().c_str();
            const auto step = [&](const char* item) {
                return test.contains(item) ? test.at(item).at("step_ns").to_number<double>() : 0;
            };
            if (test.contains("count"))
                counts_[name] = test.at("count").to_number<unsigned>();
            else if (name.find("clock_") == 0)
                clocks_[name] = test.at("one").at("step_clocks").to_number<double>();
            else
                steps[name] = {step("one"), step("many")};
        }
        const auto cycle = steps.at("alu").one / 6;
        for (auto& [name, step] : steps) step = {step.one / cycle, step.many / cycle};
        return steps;
    }
    /// The ISBE of the machine that calibrate finds.
    boost::json::object calibrate(const std::string& chip, int status = 0, const words& base = {})
    {
        const auto result = run_isbesim(
            words{"calibrate", file(), "--chip", chip, "--out", folder_.path("found.json")} + options_of(base));
        EXPECT_EQ(result.status, status) << result.out << result.err;
        found_ = boost::json::parse(temporary_folder::read(folder_.path("found.json"))).as_object();
        return found_.at("isbe").as_object();
    }
    /// The same on a gm107 with the keys `known` and `hidden`, from a gm107 with `known`.
    boost::json::object calibrate_hidden(const words& known, const words& hidden, const std::string& tests)
    {
        run_tests("gm107", known + hidden, tests);
        return calibrate("gm107", 0, known);
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

    boost::json::object found_;              ///< by calibrate()
    std::map<std::string, unsigned> counts_; ///< by measure()
    std::map<std::string, double> clocks_;   ///< cycles of a step that programs read, by measure()
};

TEST_F(gl_measure, finds_the_latencies_of_machines_that_it_does_not_know)
{
    // Nanoseconds are whole: half a cycle would be another latency.
    constexpr double near = 0.2;
    const hidden_machine machines[] = {hidden_machine(1), hidden_machine(3)};
    for (const std::string chip : {"gm107", "tu102"}) {
        std::map<std::string, figures> found[2];
        for (unsigned i = 0; i < 2; ++i) {
            SCOPED_TRACE(chip + ", machine " + std::to_string(i));
            const auto& machine = machines[i];
            auto& steps = found[i] = measure(chip, machine);
            EXPECT_NEAR(steps.at("ald_output").one, 6 + round_trip(machine.load), near); // a sum makes the handle
            EXPECT_NEAR(steps.at("out_cut").one, round_trip(machine.out), near);
            EXPECT_NEAR(steps.at("out_cut").many, round_trip(machine.out), near);
            EXPECT_NEAR(steps.at("out_stream").one, round_trip(machine.out), near);
            EXPECT_NEAR(clocks_.at("clock_alu"), 6, near);
            EXPECT_NEAR(clocks_.at("clock_ald"), 6 + round_trip(machine.load), near);
            EXPECT_NEAR(steps.at("ald_output").many - steps.at("ald_output").one, machine.passes - 1, near);
            const auto column = passes_of(machine, [](unsigned lane) { return lane / 16 * 16; });
            const auto more = [&](const char* name) { return steps.at(name).one - steps.at("ald_columns_16").one; };
            const auto expect = [&](const char* name, unsigned (*vertex)(unsigned)) {
                EXPECT_NEAR(more(name), static_cast<double>(passes_of(machine, vertex)) - column, near) << name;
            };
            expect("ald_columns_8", [](unsigned lane) { return lane / 16 * 8; });
            expect("ald_diagonals_16", [](unsigned lane) { return lane / 16 * 16 - lane % 16; });
            expect("ald_diagonals_8", [](unsigned lane) { return lane / 16 * 8 - lane % 16; });
            const auto row = machine.passes_of_row(32);
            for (const auto lanes : {16U, 8U})
                EXPECT_NEAR(steps.at("ald_lanes_" + std::to_string(lanes)).one - steps.at("ald_row").one,
                            static_cast<double>(machine.passes_of_row(lanes)) - row, near);
            for (const auto words : {2U, 4U}) {
                const auto& step = steps.at("ast_width_" + std::to_string(words));
                EXPECT_NEAR(step.many - step.one, words * (machine.passes - 1.0), near);
            }
            EXPECT_NEAR(steps.at("ast_lanes_8").one - steps.at("ast_lanes_32").one,
                        static_cast<double>(machine.passes_of_row(8)) - row, near);
            EXPECT_NEAR(steps.at("draws").many, 2 * steps.at("draws").one, near);
            // tu102 has too few lines for as many vertices as fill the queue.
            if (chip == "gm107") {
                const auto operations = 4.0 * 128 / machine.vertices; // a word of a batch each
                constexpr double depth = 32;
                const auto fetched = std::max(2 * operations * row, operations * (1 + row + machine.write) / depth);
                EXPECT_NEAR(steps.at("fetch").one, fetched, 0.015 * fetched);
            }
            EXPECT_EQ(counts_.at("batch_strip"), std::min(machine.vertices - 2, machine.indices / 3));
            EXPECT_EQ(counts_.at("geometry_threads"), machine.threads);
            EXPECT_EQ(counts_.at("geometry_halves"), machine.declared / 2);
            EXPECT_EQ(counts_.at("geometry_thirds"), machine.declared / 3);
            EXPECT_EQ(counts_.count("geometry_32nds"), machine.threads == 32 ? 1 : 0);
            EXPECT_EQ(counts_.at("batch_indices"), machine.indices);
            EXPECT_EQ(counts_.at("batch_vertices"), machine.vertices);
            EXPECT_EQ(counts_.at("batch_patches"), machine.patches);
        }
        // How the compiler makes addresses is not known here: the same way for both machines. The handle is a read too.
        const auto difference = [&](const std::string& name) { return found[1].at(name).one - found[0].at(name).one; };
        const auto load = round_trip(machines[1].load) - round_trip(machines[0].load);
        const auto al2p = round_trip(machines[1].al2p) - round_trip(machines[0].al2p);
        ASSERT_NE(load, 0);
        ASSERT_NE(al2p, 0);
        EXPECT_NEAR(difference("ald_input"), 2 * load, near) << chip;
        EXPECT_NEAR(difference("al2p_input"), load + al2p, near) << chip;
        EXPECT_NEAR(difference("ald_patch"), load, near) << chip;
        const auto write = static_cast<double>(machines[1].write) - machines[0].write;
        ASSERT_NE(write, 0);
        EXPECT_NEAR(difference("ast_output"), write, near) << chip;
        for (const auto* width : {"1", "2", "4"})
            EXPECT_NEAR(difference(std::string("ald_width_") + width), load, near) << chip << " " << width;
    }
}

/// The program hides a load of 3 cycles unless it takes many passes: with this map, those of the diagonals do.
TEST_F(gl_measure, calibrate_finds_a_short_latency_by_the_passes_of_one_map)
{
    run_tests("tu102", {"isbe.pipeline_latency=3", "isbe.banks=8", "isbe.bank_map=xor"},
              "ald_output,ald_same,ald_row,ald_columns_16,ald_diagonals_16,ald_mirrors_16");
    const auto isbe = calibrate("tu102");
    EXPECT_EQ(value_of(isbe.at("pipeline_latency")), 3);
    EXPECT_EQ(value_of(isbe.at("banks")), 8);
    EXPECT_EQ(isbe.at("bank_map").at("value"), "xor");
}

TEST_F(gl_measure, calibrate_names_the_range_that_the_program_hides)
{
    run_tests("tu102", {"isbe.pipeline_latency=5", "isbe.al2p_latency=3", "isbe.out_latency=2"},
              "al2p_input,ald_output,out_cut,ald_columns_16");
    const auto isbe = calibrate("tu102");
    // How many cycles the program waits anyway is its compiler's choice.
    EXPECT_EQ(value_of(isbe.at("pipeline_latency")), 5); // by the 16 passes of ald_columns_16
    EXPECT_TRUE(is_explained_by(isbe.at("pipeline_latency"), 5)) << isbe.at("pipeline_latency");
    EXPECT_TRUE(is_explained_by(isbe.at("al2p_latency"), 3)) << isbe.at("al2p_latency");
    EXPECT_EQ(source_of(isbe.at("out_latency")).find("explain"), std::string::npos);
    EXPECT_EQ(value_of(isbe.at("out_latency")), 2);
}

TEST_F(gl_measure, counts_the_warps_whose_lines_fit)
{
    constexpr unsigned lines = 300;
    const struct {
        std::string chip;
        unsigned sms, beta_lines;
    } chips[] = {{"gm107", 1, 680}, {"tu102", 2, 224}}; // of a TPC, which shares its SMs' lines evenly
    for (const auto& [chip, sms, beta_lines] : chips) {
        run_tests(chip,
                  {"pe.alpha_lines=" + std::to_string(lines),
                   "isbe.lines=" + std::to_string((lines + beta_lines + 7) / 8 * 8)},
                  "warps_of_4,warps_of_11,warps_of_31");
        const auto found = measured();
        const auto& tests = found.at("tests").as_array();
        ASSERT_EQ(tests.size(), 4); // alu before these
        for (unsigned i = 1; i < tests.size(); ++i) {
            const std::string name = tests[i].at("name").as_string().c_str();
            const auto vectors = std::stoul(name.substr(name.rfind('_') + 1));
            EXPECT_EQ(tests[i].at("count").to_number<unsigned>(), sms * (lines / (4 * (vectors + 2))))
                << chip << " " << name;
        }
    }
}

TEST_F(gl_measure, sees_how_deep_the_queues_are)
{
    constexpr unsigned load = 20, responses = 3, warps = 32;
    for (const unsigned sms : {1U, 2U}) { // of a TPC
        const std::string chip = sms == 1 ? "gm107" : "tu102";
        const auto cycles = [&](const std::string& name, const char* item, const std::string& key, unsigned value) {
            run_tests(chip, {"isbe.pipeline_latency=" + std::to_string(load), key + "=" + std::to_string(value)}, name);
            const auto found = measured();
            const auto& tests = found.at("tests").as_array(); // alu is the first
            return tests[1].at(item).at("step_ns").to_number<double>() * 6 /
                   tests[0].at("one").at("step_ns").to_number<double>();
        };
        const auto together = 2.0 * warps / sms * (1 + 1 + load) / responses; // a handle and a read each
        EXPECT_NEAR(cycles("ald_warps", "many", "isbe.response_queue_depth", responses), together, 0.015 * together)
            << chip;
        // Four cycles for each place with Mesa 22.3. The compiler of Mesa 25 spaces the writes: only the first place
        // counts.
        EXPECT_GE(cycles("ast_burst", "one", "isbe.request_queue_depth", 1) -
                      cycles("ast_burst", "one", "isbe.request_queue_depth", 5),
                  4 * 3 - 0.2)
            << chip;
    }
}

/// A geometry program writes its vertices while inputs of the next batches are fetched.
TEST_F(gl_measure, sees_the_ports_of_emitted_vertices)
{
    const auto cycles = [&](unsigned ports, const std::string& rule) {
        run_tests("gm107",
                  {"isbe.response_queue_depth=3", "isbe.write_latency=30", "isbe.banks=8",
                   "isbe.ports=" + std::to_string(ports), "isbe.arbitration=" + rule},
                  "fetch_emit");
        const auto found = measured();
        return found.at("tests").at(1).at("one").at("step_ns").to_number<double>(); // alu is the first
    };
    const auto shared = cycles(1, "round_robin");
    EXPECT_LT(cycles(2, "round_robin"), 0.75 * shared);
    EXPECT_LT(cycles(2, "fixed_priority"), 0.9 * shared);
}

/// A card whose multiply-add takes other cycles than in the programs of Mesa's compiler.
TEST_F(gl_measure, calibrate_takes_the_clock_that_programs_read)
{
    const hidden_machine machine(5);
    run_tests("tu102", machine.keys, "out_cut,clock_alu");
    auto original = measured();
    const auto shorten = [](boost::json::value& step) { step = step.to_number<double>() * 4 / 6; };
    for (auto& each : original.at("tests").as_array())
        if (each.at("name") == "alu") {
            shorten(each.at("one").at("step_ns"));
            shorten(each.at("many").at("step_ns"));
        } else if (each.at("name") == "clock_alu")
            shorten(each.at("one").at("step_clocks"));
    write(original);
    EXPECT_EQ(value_of(calibrate("tu102", 1).at("out_latency")), machine.out); // no machine explains alu
    EXPECT_NEAR(value_of(found_.at("clock_ghz")), machine.ghz, 0.002 * machine.ghz);
    EXPECT_NE(source_of(found_.at("clock_ghz")).find("by the cycles that programs read"), std::string::npos);
}

TEST_F(gl_measure, calibrate_makes_no_machine_of_files_that_were_edited)
{
    run_tests("tu102", {}, "out_cut,geometry_32nds");
    const auto original = measured();
    const auto refused = [&](int status, const std::string& words, const auto& change) {
        auto edited = original;
        for (auto& each : edited.at("tests").as_array()) change(each.as_object());
        write(edited);
        const auto result = run_isbesim({"calibrate", file(), "--chip", "tu102", "--out", folder_.path("none.json")});
        EXPECT_EQ(result.status, status) << words;
        EXPECT_NE(result.last_error().find(words), std::string::npos) << result.err;
        EXPECT_FALSE(fs::exists(folder_.path("none.json"))) << words;
    };
    const auto is_alu = [](const auto& test) { return test.at("name") == "alu"; };
    refused(1, "measures no ISBE: alu: repetitions differ", [&](auto& test) {
        if (is_alu(test)) test["one"].as_object()["noisy"] = true;
    });
    refused(1, "measures no ISBE: alu: repetitions differ", [&](auto& test) {
        if (is_alu(test)) test["one"].as_object()["spread_ns"] = test["one"].as_object()["step_ns"];
    });
    refused(2, "spread_ns is -1, expected a number from 0", [&](auto& test) {
        if (is_alu(test)) test["one"].as_object()["spread_ns"] = -1;
    });
    refused(2, "step_ns is -1, expected a number from 0", [&](auto& test) {
        if (!is_alu(test) && test.contains("one")) test["one"].as_object()["step_ns"] = -1;
    });
    refused(2, "tests have no alu, expected one", [&](auto& test) {
        if (is_alu(test)) test["name"] = "none";
    });
    refused(2, "test 'out_cut' stands twice, expected each once", [](auto& test) { test["name"] = "out_cut"; });
    refused(2, "expected its own", [&](auto& test) {
        if (!is_alu(test)) test["name"] = std::string("no_") + test["name"].as_string().c_str();
    });
    refused(2, "a repetition has 3 times, expected 4", [&](auto& test) {
        if (is_alu(test)) test["one"].at("long_ns").as_array()[0].as_array().resize(3);
    });
    refused(2, "the times have 1 repetitions, expected at least 2", [&](auto& test) {
        if (is_alu(test)) test["one"].at("long_ns").as_array().resize(1);
    });
    refused(2, "a test has no trips", [&](auto& test) {
        if (is_alu(test)) test["one"].at("trips").as_array().clear();
    });
}

/// Eight patches are two warps of different speed here: the first trips of the model's short draws take other times
/// than the later ones, which the card's longer draws do not show.
TEST_F(gl_measure, calibrate_explains_warps_of_different_speed)
{
    const words machine{"isbe.pipeline_latency=15", "isbe.write_latency=80", "isbe.banks=8",
                        "isbe.response_queue_depth=2", "pe.batch_vertices=22"};
    const auto isbe = calibrate_hidden(machine, {"clock_ghz=1.924"}, "ald_width_2");
    EXPECT_EQ(value_of(isbe.at("ports")), 2); // one port would begin them otherwise
}

/// With one port, a fetch takes longer or shorter with a deeper queue for requests: 6 places, the fewest that explain
/// the burst, take less than the card's 32, and 64 more.
TEST_F(gl_measure, calibrate_finds_one_port_at_a_queue_of_unknown_depth)
{
    const words machine{"isbe.pipeline_latency=89",    "isbe.write_latency=21", "isbe.al2p_latency=35",
                        "isbe.response_queue_depth=3", "pe.batch_vertices=21",  "isbe.arbitration=fixed_priority"};
    const auto isbe = calibrate_hidden(machine, {"isbe.ports=1", "isbe.request_queue_depth=32", "clock_ghz=0.722"},
                                       "ast_burst,fetch");
    EXPECT_TRUE(is_explained_by(isbe.at("request_queue_depth"), 32)) << isbe.at("request_queue_depth");
    EXPECT_TRUE(is_explained_by(isbe.at("ports"), 1)) << isbe.at("ports");
}

/// Without skew even a triangle's vertices share a bank here: each load takes three passes.
TEST_F(gl_measure, calibrate_finds_latencies_where_a_triangle_shares_a_bank)
{
    const auto isbe =
        calibrate_hidden({}, {"isbe.skew=false", "isbe.banks=8", "isbe.pipeline_latency=61", "isbe.al2p_latency=49"},
                         "ald_output,ald_width_4,al2p_input,ald_columns_16,ald_diagonals_16");
    EXPECT_EQ(isbe.at("skew").at("value"), false);
    EXPECT_EQ(value_of(isbe.at("banks")), 8) << isbe.at("banks");
    EXPECT_EQ(value_of(isbe.at("pipeline_latency")), 61) << isbe.at("pipeline_latency");
    EXPECT_EQ(value_of(isbe.at("al2p_latency")), 49) << isbe.at("al2p_latency");
}

/// One triangle hides a write of 2 to 23 cycles; eight in a warp, which share banks, hide less.
TEST_F(gl_measure, calibrate_takes_no_write_that_eight_primitives_exclude)
{
    const words machine{"isbe.pipeline_latency=44", "isbe.al2p_latency=4", "isbe.banks=8",
                        "isbe.response_queue_depth=6", "pe.batch_vertices=28"};
    const auto isbe = calibrate_hidden(machine, {"isbe.write_latency=9"}, "ast_al2p");
    EXPECT_TRUE(is_explained_by(isbe.at("write_latency"), 9)) << isbe.at("write_latency");
}

/// With 8 places for requests, 9 responses in flight take about as long as the card's 8 with 64 places.
TEST_F(gl_measure, calibrate_finds_the_responses_at_a_queue_of_unknown_depth)
{
    const words machine{"isbe.pipeline_latency=19", "isbe.write_latency=33", "isbe.banks=16",
                        "pe.batch_vertices=10",     "pe.alpha_lines=495",    "isbe.lines=1176"};
    const auto isbe =
        calibrate_hidden(machine, {"isbe.response_queue_depth=8", "isbe.request_queue_depth=64", "clock_ghz=0.503"},
                         "ald_warps,ast_burst");
    EXPECT_TRUE(is_explained_by(isbe.at("response_queue_depth"), 8)) << isbe.at("response_queue_depth");
    EXPECT_TRUE(is_explained_by(isbe.at("request_queue_depth"), 64)) << isbe.at("request_queue_depth");
}

TEST_F(gl_measure, calibrate_finds_the_lines_of_one_store)
{
    const words store{"pe.buffers=unified"};
    run_tests("gm107", {"pe.buffers=unified", "isbe.lines=808"}, "warps_of_4,warps_of_7,warps_of_31");
    const auto lines = calibrate("gm107", 0, store).at("lines");
    EXPECT_TRUE(is_explained_by(lines, 808)) << lines;
}

TEST_F(gl_measure, calibrate_rejects_noise_and_impossible_timing)
{
    const hidden_machine machine(31);
    run_tests("gm107", machine.keys, "al2p_input,ald_output,out_cut,ald_width_4");
    auto edited = measured();
    for (auto& each : edited.at("tests").as_array())
        if (each.at("name") == "out_cut") each.at("one").at("noisy") = each.at("many").at("noisy") = true;
    write(edited);
    const auto isbe = calibrate("gm107");
    EXPECT_EQ(source_of(isbe.at("out_latency")), "not measured: noisy or not there");
    EXPECT_EQ(value_of(isbe.at("pipeline_latency")), machine.load);
    for (auto& each : edited.at("tests").as_array())
        if (each.at("name") == "ald_width_4")
            each.at("one").at("step_ns") = each.at("one").at("step_ns").to_number<double>() + 3 / machine.ghz;
    write(edited);
    EXPECT_EQ(source_of(calibrate("gm107", 1).at("pipeline_latency")), "not measured: no value explains the tests");
    edited.at("structure") = false;
    edited.as_object()["reason"] = "a test";
    write(edited);
    const auto result = run_isbesim({"calibrate", file(), "--out", folder_.path("none.json")});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.last_error(), "isbesim: " + file() + " measures no ISBE: a test");
    EXPECT_FALSE(fs::exists(folder_.path("none.json")));
    edited.as_object().erase("card");
    write(edited);
    EXPECT_EQ(run_isbesim({"calibrate", file()}).status, 2);
    EXPECT_NE(run_isbesim({"calibrate", file(), "--scope", "top"}).last_error().find("--scope and a card's"),
              std::string::npos);
}

TEST_F(gl_measure, missing_structure_is_reported)
{
    const auto command =
        "LIBGL_ALWAYS_SOFTWARE=1 " + instrument + " --out " + file() + " >" + folder_.path("out") + " 2>" + err();
    const auto status = std::system(command.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 3) << temporary_folder::read(err());
    EXPECT_NE(temporary_folder::read(folder_.path("out")).find("no such structure: "), std::string::npos);
    EXPECT_EQ(measured().at("structure"), false);
}

TEST_F(gl_measure, refuses_wrong_arguments)
{
    const auto result = run({"--quiet"}, {instrument, "--repetitions", "0"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.err, "0, expected a number from 1 to 64\n");
    EXPECT_EQ(run({"--quiet"}, {instrument, "--outt", file()}).status, 1);
    const auto unknown = run({"--quiet"}, {instrument, "--tests", "out_cut,out"});
    EXPECT_EQ(unknown.status, 1);
    EXPECT_EQ(unknown.err, "out, expected the name of a test\n");
}

} // namespace
} // namespace isbesim::testbench
