// Waveforms of the ports: read back they say what was written, with other names, resets and clocks that stand still.
#include <ctime>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/calibration/calibration.h"
#include "testbench/calibration/vcd_observation.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "testbench/files/input_error.h"
#include "tests/calibration/observations.h"

namespace isbesim::testbench {
namespace {

/// Bits of a vector, the highest first.
class bit_vector {
public:
    explicit bit_vector(std::size_t bits) : text_(bits, '0') {}
    void put(std::size_t first, unsigned bits, std::uint32_t value)
    {
        for (unsigned i = 0; i < bits; ++i) text_[text_.size() - 1 - first - i] = (value >> i & 1U) != 0 ? '1' : '0';
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

struct written_vcd {
    std::string scope = "tb.dut";
    std::string prefix; ///< of all names
    bool reset_first = true;
    bool sleeps = false; ///< the clock stands still where nothing is in flight
    bool passes = true;
};

/// Drives the pins of both ports cycle by cycle as `seen` says, rising edges at 10 c + 5.
std::string write_vcd(const kept_observation& seen, unsigned ports, const written_vcd& how)
{
    std::ostringstream out;
    out << "$timescale 1ns $end\n";
    std::istringstream scopes(how.scope);
    unsigned depth = 0;
    for (std::string scope; std::getline(scopes, scope, '.'); ++depth) out << "$scope module " << scope << " $end\n";
    const std::vector<std::pair<const char*, unsigned>> pins{
        {"clk", 0},           {"rst", 0},          {"req_valid", 1},      {"req_ready", 1},  {"req_op", 3},
        {"req_space", 1},     {"req_region", 3},   {"req_form", 2},       {"req_type", 2},   {"req_size", 3},
        {"req_skew", 1},      {"req_context", 16}, {"req_immediate", 32}, {"req_lanes", 32}, {"req_address", 1024},
        {"req_handle", 1024}, {"req_data", 4096},  {"resp_valid", 1},     {"resp_ready", 1}, {"resp_data", 4096},
        {"resp_status", 512}, {"resp_error", 8},   {"resp_passes", 16}};
    std::map<std::string, std::string> code;
    std::map<std::string, bit_vector> value;
    for (const auto& [name, bits] : pins) {
        if (!how.passes && std::string(name) == "resp_passes") continue;
        const auto all = std::max(1U, bits * ports);
        code[name] = "p" + std::to_string(code.size());
        value.emplace(name, bit_vector(all));
        out << "$var wire " << all << " " << code[name] << " " << how.prefix << name;
        if (all > 1) out << " [" << all - 1 << ":0]";
        out << " $end\n";
    }
    while (depth-- != 0) out << "$upscope $end\n";
    out << "$enddefinitions $end\n#0\n$dumpvars\n";
    for (const auto& [name, bits] : value)
        out << "b" << std::string(bits.text().size(), 'x') << " " << code[name] << "\n";
    out << "$end\n";
    std::map<std::string, std::string> shown;
    const auto change = [&](const std::string& name) {
        const auto& text = value.at(name).text();
        if (shown[name] == text) return;
        shown[name] = text;
        if (text.size() == 1)
            out << text << code[name] << "\n";
        else
            out << "b" << text << " " << code[name] << "\n";
    };
    std::uint64_t time = 0;
    const auto edge = [&] {
        // The pins of the cycle, then its rising edge, then the low clock.
        out << "#" << time + 1 << "\n";
        for (const auto& each : value)
            if (each.first != "clk") change(each.first);
        out << "#" << time + 5 << "\n1" << code["clk"] << "\n#" << time + 9 << "\n0" << code["clk"] << "\n";
        time += 10;
    };
    if (how.reset_first) {
        // A request that the reset throws away.
        value.at("req_valid").put(0, 1, 1);
        value.at("req_ready").put(0, 1, 1);
        value.at("req_size").put(0, 3, 1);
        edge();
        value.at("rst").put(0, 1, 1);
        edge();
        value.at("rst").put(0, 1, 0);
    }
    std::uint64_t end = 0;
    for (const auto& each : seen.operations()) end = std::max(end, each.transfer);
    for (std::uint64_t cycle = 0; cycle <= end; ++cycle) {
        bool busy = false;
        for (const char* name : {"req_valid", "req_ready", "resp_valid", "resp_ready"})
            for (unsigned p = 0; p < ports; ++p) value.at(name).put(p, 1, 0);
        const auto& all = seen.operations();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto& one = all[i];
            const auto& op = seen.op(i);
            const unsigned p = one.port;
            busy = busy || (one.request <= cycle && cycle <= one.transfer);
            if (one.request <= cycle && cycle <= one.accept) {
                value.at("req_valid").put(p, 1, 1);
                value.at("req_ready").put(p, 1, cycle == one.accept);
                value.at("req_op").put(3 * p, 3, static_cast<unsigned>(op.op));
                value.at("req_space").put(p, 1, static_cast<unsigned>(op.space));
                value.at("req_region").put(3 * p, 3, static_cast<unsigned>(op.region));
                value.at("req_form").put(2 * p, 2, static_cast<unsigned>(op.form));
                value.at("req_type").put(2 * p, 2, static_cast<unsigned>(op.type));
                value.at("req_size").put(3 * p, 3, op.size);
                value.at("req_skew").put(p, 1, op.skew);
                value.at("req_context").put(16 * p, 16, op.context);
                value.at("req_immediate").put(32 * p, 32, static_cast<std::uint32_t>(op.immediate));
                value.at("req_lanes").put(32 * p, 32, op.lanes);
                for (unsigned lane = 0; lane < warp_lanes; ++lane) {
                    value.at("req_address").put(1024 * p + 32 * lane, 32, op.address[lane]);
                    value.at("req_handle").put(1024 * p + 32 * lane, 32, op.handle[lane]);
                    for (unsigned c = 0; c < max_components; ++c)
                        value.at("req_data").put(4096 * p + 32 * (32 * c + lane), 32, op.data[c][lane]);
                }
            }
            if (one.response <= cycle && cycle <= one.transfer) {
                const auto& result = seen.result(i);
                value.at("resp_valid").put(p, 1, 1);
                value.at("resp_ready").put(p, 1, cycle == one.transfer);
                value.at("resp_error").put(8 * p, 8, static_cast<unsigned>(result.error));
                if (how.passes) value.at("resp_passes").put(16 * p, 16, result.passes);
                for (unsigned lane = 0; lane < warp_lanes; ++lane) {
                    value.at("resp_status").put(512 * p + 16 * lane, 16, result.status[lane]);
                    for (unsigned c = 0; c < max_components; ++c)
                        value.at("resp_data").put(4096 * p + 32 * (32 * c + lane), 32, result.data[c][lane]);
                }
            }
        }
        if (busy || !how.sleeps)
            edge();
        else
            time += 10;
    }
    return out.str();
}

kept_observation traffic_of(const isbe_config& machine)
{
    random_traffic random(machine, 12, 160);
    return observe_model(machine, random);
}

isbe_config small_isbe()
{
    isbe_config machine;
    machine.lines = 16;
    machine.banks = 8;
    machine.contexts = 2;
    machine.request_queue_depth = 2;
    machine.pipeline_latency = 9;
    machine.write_latency = 6;
    return machine;
}

void expect_same(const vcd_observation& read, kept_observation written)
{
    ASSERT_EQ(read.operations().size(), written.seen().size());
    const auto first_read = read.operations().front().request;
    const auto first_written = written.seen().front().request;
    read.visit([&](std::size_t i, const warp_op& op, const operation_answer& answer) {
        const auto& a = read.operations()[i];
        const auto& b = written.seen()[i];
        EXPECT_EQ(a.port, b.port) << i;
        EXPECT_EQ(a.op, b.op) << i;
        EXPECT_EQ(a.request - first_read, b.request - first_written) << i;
        EXPECT_EQ(a.accept - first_read, b.accept - first_written) << i;
        EXPECT_EQ(a.response - first_read, b.response - first_written) << i;
        EXPECT_EQ(a.transfer - first_read, b.transfer - first_written) << i;
        EXPECT_EQ(answer, answer_of(written.op(i), written.result(i))) << i;
        EXPECT_EQ(op.address, written.op(i).address) << i;
        EXPECT_EQ(op.data, written.op(i).data) << i;
    });
}

TEST(vcd, pins_say_what_was_driven_in_the_order_of_grants)
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

TEST(vcd, a_clock_that_stands_still_and_pins_with_other_names)
{
    const auto seen = traffic_of(small_isbe());
    written_vcd how;
    how.scope = "top.chip.their_block";
    how.prefix = "io_";
    how.sleeps = true;
    how.reset_first = false;
    std::istringstream file(write_vcd(seen, 2, how));
    vcd_names names;
    names.scope = "top.chip.their_block";
    for (const char* name : {"clk",           "rst",       "req_valid",   "req_ready",  "req_op",     "req_space",
                             "req_region",    "req_form",  "req_type",    "req_size",   "req_skew",   "req_context",
                             "req_immediate", "req_lanes", "req_address", "req_handle", "req_data",   "resp_valid",
                             "resp_ready",    "resp_data", "resp_status", "resp_error", "resp_passes"})
        names.named[name] = std::string(name) == "clk" ? "top.chip.their_block.io_clk" : std::string("io_") + name;
    const vcd_observation read(file, "x.vcd", names);
    expect_same(read, seen);
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

std::string error_of(const std::string& text, const vcd_names& names = {})
{
    std::istringstream file(text);
    try {
        const vcd_observation read(file, "x.vcd", names);
    } catch (const input_error& error) {
        return error.what();
    }
    return "";
}

TEST(vcd, what_is_wrong_is_said_with_its_line)
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
    EXPECT_EQ(error_of(without("wire 16 p21", "wire 15 p21")), "x.vcd:1:1: tb.dut.resp_error has 15 bits, expected 16");
    EXPECT_NE(error_of(good + "#3\n").find("expected a time not before"), std::string::npos);
    EXPECT_NE(error_of(good + "what\n").find("'what', expected a change of a value or a time"), std::string::npos);
    // Of two scopes that lack something, the one that lacks less counts.
    const auto other = "$scope module other $end $var wire 1 zz clk $end $upscope $end\n";
    EXPECT_NE(error_of(other + without(" req_lanes ", " req_line ")).find("no variable req_lanes"), std::string::npos);
    const auto far = error_of(good + "#1000000000000000\nb0 p17\n0p0\n#1000000000000005\n1p0\n");
    EXPECT_NE(far.find("more than 2^40 cycles"), std::string::npos) << far;
    EXPECT_NE(error_of("$scope module " + std::string(1000, 'a') + " $end\n").find("1001 characters, expected at most"),
              std::string::npos);
    std::string nested;
    for (unsigned i = 0; i < 300; ++i) nested += "$scope module abcd $end\n";
    EXPECT_NE(error_of(nested).find("x.vcd:201:1: the scopes' names come to 1005"), std::string::npos);
    EXPECT_NE(error_of(good, {"tb.other", {}}).find("in tb.other"), std::string::npos);
    // A response out of nowhere.
    const auto end = good.find("#0\n");
    EXPECT_NE(error_of(good.substr(0, end) + "#0\nb01 p17\n0p0\n#5\n1p0\n").find("to no request"), std::string::npos);
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
