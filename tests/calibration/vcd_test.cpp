// SPDX-License-Identifier: Apache-2.0
// Waveforms of the ports: read back they equal the recorded traffic, with other names, resets and stopped clocks.
#include <algorithm>
#include <ctime>
#include <regex>
#include <sstream>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/calibration/calibration.h"
#include "testbench/calibration/vcd_observation.h"
#include "testbench/files/input_error.h"
#include "tests/calibration/written_vcd.h"
#include "tests/support/error_text.h"
#include "tests/support/repetitions.h"

namespace isbesim::testbench {
namespace {

TEST(vcd, pins_give_requests_in_the_order_of_grants)
{
    const auto seen = traffic_of(small_isbe());
    std::istringstream file(write_vcd(seen, 2, {}));
    const vcd_observation read(file, "x.vcd", {});
    expect_same(read, seen);
    const auto result = calibrate(read, isbe_config{});
    ASSERT_TRUE(result.explained());
    EXPECT_EQ(result.found.banks, 8U);
    EXPECT_EQ(result.found.pipeline_latency, 9U);
    EXPECT_EQ(result.found.write_latency, 6U);
    EXPECT_EQ(result.found.request_queue_depth, 2U);
}

TEST(vcd, reads_stopped_clocks_and_renamed_pins)
{
    const auto seen = traffic_of(small_isbe());
    written_vcd how;
    how.scope = "top.chip.their_block";
    how.prefix = "io_";
    how.sleeps = true;
    how.reset_first = false;
    std::istringstream file(write_vcd(seen, 2, how));
    vcd_names names;
    names.scopes = {"top.chip.their_block"};
    for (const char* name : {
             "clk",
             "rst",
             "req_valid",
             "req_ready",
             "resp_valid",
             "resp_ready",
#define ISBESIM_FIELD(name, ...) "req_" #name,
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/request_fields.inc"
#define ISBESIM_FIELD(name, ...) "resp_" #name,
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/response_fields.inc"
         })
        names.named[name] = std::string(name) == "clk" ? "top.chip.their_block.io_clk" : std::string("io_") + name;
    const vcd_observation read(file, "x.vcd", names);
    expect_same(read, seen);
}

/// A 1 at the start of a file or after $dumpon is not an edge: it would halve the shortest distance of edges.
TEST(vcd, may_begin_while_the_clock_is_high)
{
    const auto seen = traffic_of(small_isbe());
    for (const char* begin : {"1p0_0", "xp0_0\n1p0_0"}) {
        auto text = write_vcd(seen, 2, {});
        text.replace(text.find("0p0_0"), 5, begin);
        text.insert(text.find("#5\n"), "#4\n0p0_0\n");
        std::istringstream file(text);
        expect_same(vcd_observation(file, "x.vcd", {}), seen);
    }
}

TEST(vcd, one_port_needs_no_passes)
{
    auto machine = small_isbe();
    machine.ports = 1;
    const auto seen = traffic_of(machine);
    written_vcd how;
    how.passes = false;
    std::istringstream file(write_vcd(seen, 1, how));
    const vcd_observation read(file, "x.vcd", {});
    expect_same(read, seen);
    const auto result = calibrate(read, isbe_config{});
    ASSERT_TRUE(result.explained());
    EXPECT_EQ(result.found.ports, 1U);
    EXPECT_EQ(result.found.banks, 8U);
}

class declared_as : public testing::TestWithParam<std::tuple<layout, bool, unsigned>> {};

TEST_P(declared_as, it_is_the_same_machine)
{
    auto machine = small_isbe();
    written_vcd how;
    std::tie(how.declared, how.letters, machine.ports) = GetParam();
    const auto seen = traffic_of(machine, 40);
    std::istringstream file(write_vcd(seen, machine.ports, how));
    const vcd_observation read(file, "x.vcd", {});
    EXPECT_EQ(read.ports(), machine.ports);
    expect_same(read, seen);
}

INSTANTIATE_TEST_SUITE_P(vcd, declared_as,
                         testing::Combine(testing::Values(layout::vector, layout::elements,
                                                          layout::elements_in_brackets, layout::elements_upwards,
                                                          layout::bits, layout::bits_of_elements, layout::slices,
                                                          layout::scope),
                                          testing::Bool(), testing::Values(1U, 2U)));

std::string error_of(const std::string& text, const vcd_names& names = {}, bool has_lines = true)
{
    std::istringstream file(text);
    return error_text<input_error>([&] { vcd_observation(file, "x.vcd", names, has_lines); });
}

/// Identifier code of a variable of one part.
std::string code_of(const std::string& text, const std::string& name)
{
    const auto end = text.find(" " + name + " ");
    const auto begin = text.rfind(' ', end - 1) + 1;
    return text.substr(begin, end - begin);
}

class ports_apart : public testing::TestWithParam<apart> {};

TEST_P(ports_apart, are_the_same_machine)
{
    for (const unsigned ports : {1U, 2U}) {
        auto machine = small_isbe();
        machine.ports = ports;
        const auto seen = traffic_of(machine, 40);
        written_vcd how;
        how.ports = GetParam();
        const auto text = write_vcd(seen, ports, how);
        std::vector<vcd_names> all(2);
        all.back().scopes = {"tb.dut"};
        for (const auto& names : all) {
            std::istringstream file(text);
            const vcd_observation read(file, "x.vcd", names);
            EXPECT_EQ(read.ports(), ports);
            expect_same(read, seen);
            EXPECT_EQ(read.remarks(), std::vector<std::string>{});
        }
    }
}

INSTANTIATE_TEST_SUITE_P(vcd, ports_apart,
                         testing::Values(apart{"ports[#].", ""}, apart{"ports(#).", "", 1}, apart{"g[#].p.", ""},
                                         apart{"inner2.gen0[#].u1.", ""}, apart{"port#.", ""}, apart{"port_#_", ""},
                                         apart{"bus0_p#_", "_i"}, apart{"io2_", "_#"}, apart{"a.", "#", 1},
                                         apart{"ports[#].", "", 0, true}, apart{"g[#].p.", "", 0, true}));

/// A scope of one of two ports: never a machine of one port without a word.
TEST(vcd, second_port_is_read_or_warned_about)
{
    const auto seen = traffic_of(small_isbe(), 40);
    const auto warned = [](const std::string& text, const vcd_names& names) {
        std::istringstream file(text);
        try {
            return vcd_observation(file, "x.vcd", names).remarks().front();
        } catch (const input_error& error) { // the other port's traffic may explain a response to no request
            return std::string(error.what());
        }
    };
    for (const auto& how : {apart{"ports[#].", ""}, apart{"g[#].p.", ""}, apart{"pe#.", ""}}) {
        written_vcd written;
        written.ports = how;
        const auto text = write_vcd(seen, 2, written);
        const auto scope = [&](unsigned port) {
            auto name = "tb.dut." + how.before.substr(0, how.before.size() - 1);
            return name.replace(name.find('#'), 1, std::to_string(port));
        };
        for (unsigned port = 0; port < 2; ++port)
            EXPECT_EQ(warned(text, {{scope(port)}, {}}),
                      scope(1 - port) + ".req_valid is there, too, and not read: a machine with one port is sought");
        std::istringstream file(text);
        expect_same(vcd_observation(file, "x.vcd", {{scope(0), scope(1)}, {}}), seen);
        // Names without numbers do not identify the ports.
        auto named = std::regex_replace(text, std::regex(R"((ports\[0\]|g\[0\]|pe0) \$end)"), "sm $$end");
        named = std::regex_replace(named, std::regex(R"((ports\[1\]|g\[1\]|pe1) \$end)"), "pe $$end");
        EXPECT_NE(error_of(named).find("expected one of the two (--scope), or both as the ports of one block"),
                  std::string::npos)
            << error_of(named);
    }
}

/// A part of a longer run is read from the first moment at which nothing is under way, or refused without one.
TEST(vcd, part_of_a_run_is_read_from_a_quiet_moment)
{
    const auto seen = traffic_of(small_isbe(), 300, 400);
    written_vcd how;
    how.reset_first = false;
    const auto text = write_vcd(seen, 2, how);
    std::uint64_t end = 0;
    for (const auto& each : seen.operations()) end = std::max(end, each.transfer);
    unsigned read_parts = 0, busy_parts = 0;
    const auto parts = repetitions(60);
    for (std::uint64_t cycle = 1; cycle < end; cycle += end / parts) {
        const auto part = cut(text, 10 * cycle + 1);
        std::istringstream file(part);
        try {
            const vcd_observation read(file, "x.vcd", {});
            // The last operations, and none that was under way when an earlier one was.
            const auto& all = seen.operations();
            const auto first = all.size() - read.operations().size();
            ++read_parts;
            for (std::size_t i = 0; i < all.size(); ++i) {
                const bool early = i < first;
                const auto& each = all[i];
                if (early)
                    EXPECT_TRUE(each.request < all[first].request && each.transfer < all[first].request + 1) << cycle;
                else
                    EXPECT_EQ(read.operations()[i - first].response - read.operations()[0].request,
                              each.response - all[first].request)
                        << cycle;
            }
            const bool busy = std::any_of(all.begin(), all.end(), [&](const auto& each) {
                return each.request < cycle && each.transfer >= cycle;
            });
            busy_parts += busy ? 1 : 0;
            EXPECT_EQ(read.remarks().empty(), !busy) << cycle;
            if (busy && !read.remarks().empty()) {
                EXPECT_EQ(read.remarks().front().rfind("the file begins at time " + std::to_string(10 * cycle + 5), 0),
                          0U)
                    << read.remarks().front();
            }
        } catch (const input_error& error) {
            EXPECT_NE(std::string(error.what())
                          .find("the file begins at time " + std::to_string(10 * cycle + 5) +
                                " without a reset, while requests are under way, and some are"),
                      std::string::npos)
                << error.what();
        }
    }
    EXPECT_GT(read_parts, parts / 3);
    EXPECT_GT(busy_parts, parts / 12);
}

struct equal_reads : traffic_source {
    explicit equal_reads(std::uint64_t cycles) : distance(cycles) {}
    const traffic_item* draw(unsigned port) override
    {
        if (port != 0 || count == 40) return nullptr;
        item.op.op = opcode::isberd;
        item.op.region = region::physical;
        item.op.size = 4;
        item.earliest = distance * count++;
        return &item;
    }
    std::uint64_t distance, count = 0;
    traffic_item item;
};

/// Which of several equal requests a response answers is unknown, unless the file begins with a reset.
TEST(vcd, equal_operations_without_a_reset_are_a_warning)
{
    equal_reads source(5);
    const auto seen = observe_model(small_isbe(), source);
    written_vcd how;
    const auto remarks = [](const std::string& text) {
        std::istringstream file(text);
        return vcd_observation(file, "x.vcd", {}).remarks();
    };
    EXPECT_TRUE(remarks(write_vcd(seen, 2, how)).empty());
    how.reset_first = false;
    const auto text = write_vcd(seen, 2, how);
    EXPECT_EQ(remarks(text), std::vector<std::string>{"a file without a reset, and all operations of port 0 are alike: "
                                                      "right only if none was under way at time 5"});
    // In the middle, with several under way until the end of the run or of the file.
    const auto part = cut(text, 1001);
    EXPECT_NE(error_of(part).find("and some are under way until its end"), std::string::npos);
    for (const char* end : {"#1501\n", "#1521\n", "#1551\n"}) {
        const auto middle = part.substr(0, part.find(end));
        ASSERT_EQ(error_of(middle), "");
        EXPECT_NE(remarks(middle).back().find("port 0 are alike"), std::string::npos);
    }
}

TEST(vcd, part_of_a_run_without_first_values_is_refused)
{
    equal_reads source(50);
    auto text = cut(write_vcd(observe_model(small_isbe(), source), 2, {}), 5001);
    EXPECT_EQ(error_of(text), "");
    const auto line = text.find(" " + code_of(text, "req_lanes [63:0]") + "\n");
    ASSERT_NE(line, std::string::npos);
    const auto begin = text.rfind('\n', line);
    text.erase(begin, text.find('\n', line) - begin);
    EXPECT_NE(error_of(text).find("tb.dut.req_lanes of port 0 is undefined at time 5"), std::string::npos)
        << error_of(text);
}

/// Whether a pin of `port` is 1.
bool is_high(const pin_values& pins, const char* name, unsigned port)
{
    return pins.at(name).text(port, 1) == "1";
}
unsigned number(const pin_values& pins, const char* name, unsigned port, unsigned bits)
{
    return static_cast<unsigned>(std::stoul(pins.at(name).text(std::size_t{bits} * port, bits), nullptr, 2));
}

/// Pins that sections 2 and 4 of the page ignore.
void spoil_what_means_nothing(pin_values& pins)
{
    const auto bits_of = [&](const std::string& name) { return pins.at(name).size() / 2; };
    for (unsigned port = 0; port < 2; ++port) {
        const auto spoil = [&](const std::string& name) {
            pins.at(name).mark(bits_of(name) * port, bits_of(name), "UXWZ-"[name.size() % 5]);
        };
        if (!is_high(pins, "resp_valid", port))
            for (const char* name : {"resp_ready", "resp_data", "resp_status", "resp_error", "resp_passes"})
                spoil(name);
        if (!is_high(pins, "req_valid", port)) {
            for (const auto& [name, bits] : pins)
                if (name.rfind("req_", 0) == 0 && name != "req_valid") spoil(name);
            continue;
        }
        const auto op = static_cast<opcode>(number(pins, "req_op", port, 3));
        if (op != opcode::bind)
            for (unsigned lane = 0; lane < warp_lanes; ++lane)
                if (pins.at("req_lanes").text(32 * port + lane, 1) == "0")
                    for (const char* name : {"req_address", "req_handle"})
                        pins.at(name).mark(1024 * port + 32 * lane, 32, 'U');
        spoil("req_skew");
        if (!is_raw(op)) spoil("req_region");
        if (!is_attribute(op)) spoil("req_form");
        if (op != opcode::out) spoil("req_type");
        if (op == opcode::out || op == opcode::bind)
            for (const char* name : {"req_size", "req_space", "req_immediate"}) spoil(name);
        if (op == opcode::ast) spoil("req_space");
        if (op == opcode::al2p || is_raw(op) || op == opcode::bind) spoil("req_handle");
        if (!is_store(op) && op != opcode::bind) spoil("req_data");
        if (op == opcode::bind)
            for (const char* name : {"req_lanes", "req_address"}) spoil(name);
    }
}

/// Cycles and answers, and of the operations what they take.
TEST(vcd, unused_values_may_be_undefined)
{
    const auto seen = traffic_of(small_isbe());
    written_vcd how;
    how.touch = spoil_what_means_nothing;
    std::istringstream file(write_vcd(seen, 2, how));
    const vcd_observation read(file, "x.vcd", {});
    std::istringstream plain_file(write_vcd(seen, 2, {}));
    const vcd_observation plain(plain_file, "x.vcd", {});
    ASSERT_EQ(read.operations().size(), plain.operations().size());
    for (std::size_t i = 0; i < read.operations().size(); ++i) {
        EXPECT_EQ(read.operations()[i].op, plain.operations()[i].op) << i;
        EXPECT_EQ(read.operations()[i].response, plain.operations()[i].response) << i;
    }
    const auto result = calibrate(read, isbe_config{});
    ASSERT_TRUE(result.explained());
    EXPECT_EQ(result.found.pipeline_latency, 9U);
    EXPECT_EQ(result.found.write_latency, 6U);
}

/// Number of the line with this character.
std::string line_of(const std::string& text, std::size_t place)
{
    return std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

TEST(vcd, undefined_used_values_are_named_by_line_and_time)
{
    struct undefined_pin {
        const char* name;
        unsigned bits;     ///< of a port
        const char* means; ///< something: always, or in a cycle with a request, its transfer, or a new response
        std::vector<opcode> ops;
    };
    using o = opcode;
    const std::vector<undefined_pin> cases{{"rst", 1, "always", {}},
                                           {"req_valid", 1, "always", {}},
                                           {"resp_valid", 1, "always", {}},
                                           {"req_ready", 1, "request", {}},
                                           {"resp_ready", 1, "response", {}},
                                           {"resp_error", 8, "response", {}},
                                           {"resp_passes", 16, "response", {}},
                                           {"req_op", 3, "transfer", {}},
                                           {"req_context", 16, "transfer", {}},
                                           {"req_lanes", 32, "transfer", {o::ald, o::ast, o::al2p, o::isbewr}},
                                           {"req_size", 3, "transfer", {o::ald, o::ast, o::isberd, o::isbewr}},
                                           {"req_space", 1, "transfer", {o::ald, o::al2p, o::isberd}},
                                           {"req_region", 3, "transfer", {o::isberd, o::isbewr}},
                                           {"req_form", 2, "transfer", {o::ald, o::ast}},
                                           {"req_address", 1024, "transfer", {o::ald, o::ast, o::isberd}},
                                           {"req_data", 1024, "transfer", {o::ast, o::isbewr, o::bind}}};
    const auto seen = traffic_of(small_isbe(), 60);
    for (const auto& each : cases)
        for (const char digit : {'x', 'W'}) {
            const unsigned port = each.name == std::string("rst") ? 0 : 1;
            unsigned edges = 0, first = 0;
            bool held = false; // the response was there in the cycle before
            written_vcd how;
            how.touch = [&](pin_values& pins) {
                ++edges;
                const bool response = is_high(pins, "resp_valid", 1);
                const bool new_response = response && !std::exchange(held, response && !is_high(pins, "resp_ready", 1));
                if (edges < 20 || first != 0) return;
                const std::string means = each.means;
                if (means == "request" && !is_high(pins, "req_valid", 1)) return;
                if (means == "transfer" && !(is_high(pins, "req_valid", 1) && is_high(pins, "req_ready", 1))) return;
                if (means == "response" && !new_response) return;
                const auto op = static_cast<o>(number(pins, "req_op", port, 3));
                if (!each.ops.empty() && std::find(each.ops.begin(), each.ops.end(), op) == each.ops.end()) return;
                if (each.bits > 32 && number(pins, "req_lanes", port, 32) == 0) return;
                first = edges;
                auto& pin = pins.at(each.name);
                pin.mark(port * pin.size() / 2, each.bits, digit);
            };
            const auto text = write_vcd(seen, 2, how);
            const auto error = error_of(text);
            ASSERT_NE(first, 0U) << each.name;
            const auto begin = text.find("#" + std::to_string(10 * (first - 1) + 1) + "\n");
            const auto line = line_of(text, text.find(code_of(text, each.name) + "\n", begin));
            const auto port_text = each.name == std::string("rst") ? "" : " of port " + std::to_string(port);
            EXPECT_EQ(error, "x.vcd:" + line + ":1: tb.dut." + std::string(each.name) + port_text +
                                 " is undefined at time " + std::to_string(10 * (first - 1) + 5) +
                                 ", expected 0 or 1 after the last reset");
        }
}

TEST(vcd, a_clock_that_becomes_undefined_loses_no_cycle_quietly)
{
    const auto good = write_vcd(traffic_of(small_isbe(), 40), 2, {});
    const auto code = code_of(good, "clk");
    auto falls = good.find("#0\n");
    for (unsigned i = 0; i < 30; ++i) falls = good.find("\n0" + code + "\n", falls + 1);
    ASSERT_NE(falls, std::string::npos);
    const auto time = good.find('#', falls) + 1; // an undefined value is noticed when it ends, as on other pins
    for (const char digit : {'x', 'U', '-'}) {
        auto text = good;
        text[falls + 1] = digit;
        const auto end = ":1: tb.dut.clk is undefined at time " + good.substr(time, good.find('\n', time) - time) +
                         ", expected 0 or 1 after the last reset";
        EXPECT_EQ(error_of(text), "x.vcd:" + line_of(text, falls + 1) + end);
        EXPECT_EQ(error_of(text, {}, false), "x.vcd:1" + end);
    }
}

TEST(vcd, before_the_last_reset_everything_may_be_undefined)
{
    const auto seen = traffic_of(small_isbe(), 40);
    for (const char digit : {'x', 'U', '-'})
        for (const char* defined : {"", "req_valid", "resp_valid", "req_op"}) {
            unsigned edges = 0;
            written_vcd how;
            how.touch = [&](pin_values& pins) {
                if (++edges > 2) return;
                for (auto& [name, bits] : pins)
                    if (name != "clk" && name != defined && !(name == "rst" && edges == 2))
                        bits.mark(0, bits.size(), digit);
                if (*defined != '\0') pins.at(defined).mark(0, pins.at(defined).size(), '1');
                if (edges == 2) pins.at("rst").put(0, 1, 1);
            };
            std::istringstream file(write_vcd(seen, 2, how));
            EXPECT_NO_THROW(vcd_observation(file, "x.vcd", {})) << digit << defined;
        }
}

TEST(vcd, parts_of_a_pin_have_each_bit_once)
{
    written_vcd how;
    for (const auto declared : {layout::elements, layout::bits, layout::bits_of_elements, layout::slices}) {
        how.declared = declared;
        const auto whole = write_vcd(traffic_of(small_isbe(), 2), 2, how);
        const auto good = whole.substr(0, whole.find("#0\n"));
        const auto parts = parts_of(declared, 3, 2);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto line = good.find("req_op" + parts[i].index + " $end");
            ASSERT_NE(line, std::string::npos);
            const auto begin = good.rfind('\n', line) + 1;
            const auto end = good.find('\n', line) + 1;
            auto text = good;
            const auto missing = error_of(text.erase(begin, end - begin));
            EXPECT_TRUE(missing.find("parts with gaps or overlaps") != std::string::npos ||
                        missing.find(", expected 6") != std::string::npos)
                << missing;
            text = good;
            const auto twice = error_of(text.insert(begin, "$var wire 1 other req_op" + parts[i].index + " $end\n"));
            EXPECT_NE(twice.find("req_op is declared in " + std::to_string(parts.size() + 1) + " parts with gaps or"),
                      std::string::npos)
                << twice;
            // A repeated declaration of the same variable adds nothing.
            text = good;
            EXPECT_NE(error_of(text.insert(begin, good.substr(begin, end - begin))).find("no request was transferred"),
                      std::string::npos);
        }
    }
}

TEST(vcd, an_extended_file_is_named)
{
    EXPECT_EQ(error_of("$scope module tb $end\n$var port 1 <0 clk $end\n"),
              "x.vcd:2:1: an extended VCD file ($var port), expected one of $dumpvars in place of $dumpports");
}

TEST(vcd, errors_have_their_line)
{
    const auto good = write_vcd(traffic_of(small_isbe()), 2, {});
    EXPECT_EQ(error_of(good), "");
    EXPECT_EQ(error_of("nothing of the kind"),
              "x.vcd:1:1: 'nothing' in the declarations, expected a VCD file with $var "
              "and $enddefinitions");
    EXPECT_EQ(error_of("$scope module a $end\n"), "x.vcd:2:1: the file ends here, expected $enddefinitions");
    const auto without = [&](const std::string& what, const std::string& by) {
        auto text = good;
        return text.replace(text.find(what), what.size(), by);
    };
    EXPECT_EQ(error_of(without(" req_lanes ", " req_line ")),
              "x.vcd:1:1: no variable req_lanes beside the others, expected the pins of isbe_top (--scope, --signal)");
    EXPECT_EQ(error_of(without("wire 16 p21_0", "wire 15 p21_0")),
              "x.vcd:1:1: tb.dut.resp_error has 15 bits, expected 16");
    EXPECT_NE(error_of(good + "#3\n").find("expected a time not before"), std::string::npos);
    EXPECT_NE(error_of(good + "quark\n").find("'quark', expected a change of a value or a time"), std::string::npos);
    // If both scopes lack something, the one that lacks less counts.
    const auto other = "$scope module other $end $var wire 1 zz clk $end $upscope $end\n";
    EXPECT_NE(error_of(other + without(" req_lanes ", " req_line ")).find("no variable req_lanes"), std::string::npos);
    // A second block beside the first is another one, a second name of its signals is not.
    const auto pins = good.substr(good.find("$var"), good.find("$upscope") - good.find("$var"));
    const auto with = [&](const std::string& variables) {
        return error_of("$scope module tb $end $scope module next $end\n" + variables +
                        "$upscope $end $upscope $end\n" + good);
    };
    EXPECT_EQ(
        with(std::regex_replace(pins, std::regex(" p(\\d+_)"), " q$1")),
        "x.vcd:1:1: the pins are in tb.next and in tb.dut, expected one of the two (--scope), or both as the ports of "
        "one block (--scope for each)");
    EXPECT_EQ(with(pins), "");
    const auto far = error_of(good + "#1000000000000000\nb0 p17_0\n0p0_0\n#1000000000000005\n1p0_0\n");
    EXPECT_NE(far.find("more than 2^40 cycles"), std::string::npos) << far;
    EXPECT_NE(error_of("$scope module " + std::string(1000, 'a') + " $end\n").find("1001 characters, expected at most"),
              std::string::npos);
    std::string nested;
    for (unsigned i = 0; i < 300; ++i) nested += "$scope module abcd $end\n";
    EXPECT_NE(error_of(nested).find("x.vcd:201:1: the scopes' names come to 1005"), std::string::npos);
    EXPECT_NE(error_of(good, {{"tb.other"}, {}}).find("in tb.other"), std::string::npos);
    // A response out of nowhere, after a reset and without one.
    const auto end = good.find("#0\n");
    const std::string reset = "#0\nb1 p1_0\n0p0_0\n#5\n1p0_0\n#6\nb0 p1_0\n0p0_0\n", zeros = "b00 p2_0\nb11 p18_0\n";
    EXPECT_NE(error_of(good.substr(0, end) + reset + zeros + "b01 p17_0\n#15\n1p0_0\n").find("to no request"),
              std::string::npos);
    EXPECT_NE(error_of(good.substr(0, end) + "#0\n0p0_0\n" + zeros + "b01 p17_0\n#5\n1p0_0\n")
                  .find("the file begins at time 5 without a reset, while requests are under way"),
              std::string::npos);
    EXPECT_NE(error_of(good.substr(0, end)).find("no request was transferred"), std::string::npos);
}

/// A file of a whole chip: what looks for the pins in every scope may not look at every variable each time.
TEST(vcd, a_file_of_many_scopes_is_searched_once)
{
    std::string text;
    for (unsigned i = 0; i < 20'000; ++i) {
        const auto number = std::to_string(i);
        text.append("$scope module m").append(number).append(" $end\n$var wire 1 a").append(number);
        text.append(" clk").append(number).append(" $end\n$upscope $end\n");
    }
    const auto begin = std::clock();
    EXPECT_NE(error_of(text + "$enddefinitions $end\n").find("no variable clk"), std::string::npos);
    EXPECT_LT(std::clock() - begin, 5 * CLOCKS_PER_SEC); // 11 s on a fast machine when it did
}

} // namespace
} // namespace isbesim::testbench
