// SPDX-License-Identifier: Apache-2.0
#include "tests/calibration/written_vcd.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "testbench/crosscheck/traffic/random_traffic.h"

namespace isbesim::testbench {

std::vector<written_part> parts_of(layout how, std::size_t bits, std::size_t ports)
{
    const auto range = [](std::size_t high, std::size_t low) {
        return "[" + std::to_string(high) + ":" + std::to_string(low) + "]";
    };
    const auto index = [](std::size_t i) { return "[" + std::to_string(i) + "]"; };
    const auto all = bits * ports;
    std::vector<written_part> parts;
    switch (how) {
    case layout::vector:
        parts.push_back({all > 1 ? " " + range(all - 1, 0) : "", 0, all});
        break;
    case layout::slices:
        if (all < 3) return parts_of(layout::vector, bits, ports);
        parts.push_back({" " + range(0, all / 3 - 1), all - all / 3, all / 3});
        parts.push_back({range(all / 3, all - 1), 0, all - all / 3});
        break;
    case layout::bits:
        for (auto i = all; i-- != 0;) parts.push_back({" " + index(i), i, 1});
        break;
    case layout::bits_of_elements:
        for (std::size_t p = 0; p < ports; ++p)
            for (std::size_t i = 0; i < bits; ++i) parts.push_back({index(p) + index(i + 5), bits * p + i, 1});
        break;
    default:
        for (auto p = ports; p-- != 0;) {
            auto text = how == layout::elements_in_brackets ? "(" + std::to_string(p) + ")" : index(p + 1);
            if (bits > 1) text += " " + (how == layout::elements_upwards ? range(0, bits - 1) : range(bits - 1, 0));
            parts.push_back({text, bits * p, bits});
        }
    }
    return parts;
}

std::string write_vcd(const kept_observation& seen, unsigned ports, const written_vcd& how)
{
    std::ostringstream out;
    out << "$timescale 1ns $end\n";
    std::istringstream scopes(how.scope);
    unsigned depth = 0;
    for (std::string scope; std::getline(scopes, scope, '.'); ++depth) out << "$scope module " << scope << " $end\n";
    const std::vector<std::pair<const char*, unsigned>> pins{
        {"clk", 0},        {"rst", 0},        {"req_valid", 1}, {"req_ready", 1},
#define ISBESIM_FIELD(name, pins, ...) {"req_" #name, pins},
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/request_fields.inc"
        {"resp_valid", 1}, {"resp_ready", 1},
#define ISBESIM_FIELD(name, pins, ...) {"resp_" #name, pins},
#define ISBESIM_LANE_FIELD ISBESIM_FIELD
#include "tlm/response_fields.inc"
    };
    std::map<std::string, std::string> code;
    std::map<std::string, std::vector<written_part>> parts;
    pin_values value;
    for (const auto& [name, bits] : pins) {
        if (!how.passes && std::string(name) == "resp_passes") continue;
        const auto all = std::max(1U, bits * ports);
        code[name] = "p" + std::to_string(code.size());
        value.emplace(name, bit_vector(all));
        const bool per_port = bits != 0;
        parts[name] = parts_of(per_port ? how.declared : layout::vector, std::max(1U, bits), per_port ? ports : 1);
        if (per_port && how.ports) { // declared below
            parts[name].clear();
            for (unsigned p = 0; p < ports; ++p) parts[name].push_back({"", std::size_t{bits} * p, bits});
            continue;
        }
        const bool scope = per_port && how.declared == layout::scope;
        if (scope) out << "$scope module " << how.prefix << name << " $end\n";
        for (const auto& part : parts[name])
            out << "$var wire " << part.bits << " " << code[name] << "_" << part.first << " "
                << (scope ? "" : how.prefix + name) << part.index << " $end\n";
        if (scope) out << "$upscope $end\n";
    }
    for (unsigned p = 0; how.ports && p < ports; ++p) {
        const auto numbered = [&](std::string text) {
            if (const auto mark = text.find('#'); mark != std::string::npos)
                text.replace(mark, 1, std::to_string(how.ports->first + p));
            return text;
        };
        auto before = numbered(how.ports->before);
        unsigned inner = 0;
        for (auto dot = before.find('.'); dot != std::string::npos && !how.ports->escaped; dot = before.find('.')) {
            out << "$scope interface " << before.substr(0, dot) << " $end\n";
            before.erase(0, dot + 1);
            ++inner;
        }
        for (const auto& [name, bits] : pins)
            if (bits != 0 && code.count(name) != 0)
                out << "$var wire " << bits << " " << code[name] << "_" << bits * p << " "
                    << (how.ports->escaped ? "\\" : "") << before << how.prefix << name << numbered(how.ports->after)
                    << (bits == 1 ? "" : " [" + std::to_string(bits - 1) + ":0]") << " $end\n";
        while (inner-- != 0) out << "$upscope $end\n";
    }
    while (depth-- != 0) out << "$upscope $end\n";
    out << "$enddefinitions $end\n#0\n$dumpvars\n";
    pin_values shown;
    unsigned letter = 0;
    const auto change = [&](const std::string& name) {
        const auto& now = value.at(name);
        const auto before = std::exchange(shown[name], now);
        if (before.text(0, before.size()) == now.text(0, now.size())) return;
        for (const auto& part : parts[name]) {
            auto text = now.text(part.first, part.bits);
            if (before.size() != 0 && before.text(part.first, part.bits) == text) continue;
            const auto own = code[name] + "_" + std::to_string(part.first);
            for (auto& digit : text)
                if (how.letters && digit == (letter % 2 == 0 ? '0' : '1')) digit = "LhlH"[letter++ % 4];
            if (text.size() == 1)
                out << text << own << "\n";
            else
                out << "b" << text << " " << own << "\n";
        }
    };
    for (auto& [name, bits] : value) {
        if (name != "clk") bits.mark(0, bits.size(), how.letters ? "UW-"[bits.size() % 3] : 'x');
        change(name);
        bits.put(0, bits.size(), 0);
    }
    out << "$end\n";
    std::uint64_t time = 0;
    const auto edge = [&] {
        // The pins of the cycle, then its rising edge, then the low clock.
        how.touch(value);
        out << "#" << time + 1 << "\n";
        for (const auto& each : value)
            if (each.first != "clk") change(each.first);
        out << "#" << time + 5 << "\n1" << code["clk"] << "_0\n#" << time + 9 << "\n0" << code["clk"] << "_0\n";
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
#define ISBESIM_FIELD(name, pins, ...) value.at("req_" #name).put((pins)*p, pins, static_cast<std::uint32_t>(op.name));
#include "tlm/request_fields.inc"
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

std::string cut(const std::string& text, std::uint64_t time)
{
    std::istringstream in(text);
    std::ostringstream begin, rest;
    std::map<std::string, std::string> values; // lines, by code
    std::uint64_t now = 0;
    bool declared = false;
    for (std::string line; std::getline(in, line);) {
        if (!declared) begin << line << "\n";
        declared = declared || line.rfind("$enddefinitions", 0) == 0;
        if (!declared || line.front() == '$') continue;
        if (line.front() == '#') now = std::stoull(line.substr(1));
        if (now >= time)
            rest << line << "\n";
        else if (line.front() != '#')
            values[line.front() == 'b' ? line.substr(line.find(' ') + 1) : line.substr(1)] = line;
    }
    begin << "#" << time - 1 << "\n$dumpvars\n";
    for (const auto& [code, line] : values) begin << line << "\n";
    begin << "$end\n";
    return begin.str() + rest.str();
}

kept_observation traffic_of(const isbe_config& machine, unsigned operations, unsigned pause)
{
    struct pausing : traffic_source {
        const traffic_item* draw(unsigned port) override
        {
            const auto* drawn = random->draw(port);
            if (drawn == nullptr) return nullptr;
            item = *drawn;
            item.earliest += pause * (count[port]++ / 12);
            return &item;
        }
        random_traffic* random = nullptr;
        std::uint64_t pause = 0;
        std::array<std::uint64_t, 2> count{};
        traffic_item item;
    };
    random_traffic random(machine, 12, operations);
    pausing source;
    source.random = &random;
    source.pause = pause;
    return observe_model(machine, source);
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

} // namespace isbesim::testbench
