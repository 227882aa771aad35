// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/vcd_observation.h"

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "testbench/calibration/timing_fit.h"
#include "testbench/calibration/vcd_file.h"
#include "testbench/crosscheck/traces/trace.h"
#include "testbench/files/input_error.h"

namespace isbesim::testbench {

namespace {

struct pin {
    const char* name;
    unsigned bits; ///< per port; 0: a pin of the block
    bool needed;
};

enum pin_number : unsigned {
    clk,
    rst,
    req_valid,
    req_ready,
    req_op,
    req_space,
    req_region,
    req_form,
    req_type,
    req_size,
    req_skew,
    req_context,
    req_immediate,
    req_lanes,
    req_address,
    req_handle,
    req_data,
    resp_valid,
    resp_ready,
    resp_data,
    resp_status,
    resp_error,
    resp_passes,
    pin_count
};

constexpr std::array<pin, pin_count> pins{{{"clk", 0, true},
                                           {"rst", 0, false},
                                           {"req_valid", 1, true},
                                           {"req_ready", 1, true},
                                           {"req_op", 3, true},
                                           {"req_space", 1, true},
                                           {"req_region", 3, true},
                                           {"req_form", 2, true},
                                           {"req_type", 2, true},
                                           {"req_size", 3, true},
                                           {"req_skew", 1, false},
                                           {"req_context", 16, true},
                                           {"req_immediate", 32, true},
                                           {"req_lanes", 32, true},
                                           {"req_address", 1024, true},
                                           {"req_handle", 1024, true},
                                           {"req_data", 4096, true},
                                           {"resp_valid", 1, true},
                                           {"resp_ready", 1, true},
                                           {"resp_data", 4096, false},
                                           {"resp_status", 512, true},
                                           {"resp_error", 8, true},
                                           {"resp_passes", 16, false}}};

/// All declarations of a file under one name.
using variable_parts = std::vector<const vcd_variable*>;
/// The variables of the pins; empty for absent optional pins.
using pin_variables = std::array<variable_parts, pin_count>;

/// An index of variables by name, because a whole chip's file has very many.
class variable_index {
public:
    explicit variable_index(const vcd_file& file)
    {
        for (const auto& variable : file.variables()) by_name_[variable.name].push_back(&variable);
    }
    variable_parts find(const std::string& name) const
    {
        const auto found = by_name_.find(name);
        return found == by_name_.end() ? variable_parts{} : found->second;
    }

private:
    std::unordered_map<std::string_view, variable_parts> by_name_;
};

/// True if `next` begins where `before` ends: the last index advances by its bits; an earlier index advances by one
/// when the later indices wrap from their `last` to their `first` place.
bool follows(const vcd_variable& next, const vcd_variable& before, const vcd_variable& first, const vcd_variable& last)
{
    const auto depth = next.place.size();
    if (depth != before.place.size()) return false;
    std::size_t at = 0;
    while (at < depth && next.place[at] == before.place[at]) ++at;
    if (at == depth) return false;
    const std::int64_t step = std::int64_t{next.place[at]} - before.place[at];
    if (step != (at + 1 == depth ? std::int64_t{before.bits} : 1)) return false;
    for (++at; at < depth; ++at) {
        const auto end = std::int64_t{last.place[at]} + (at + 1 == depth ? last.bits : 1);
        const auto end_before = std::int64_t{before.place[at]} + (at + 1 == depth ? before.bits : 1);
        if (next.place[at] != first.place[at] || end_before != end) return false;
    }
    return true;
}

/// The parts of a variable, the lowest first. If a file has both a variable and its elements, only the variable.
variable_parts in_order(variable_parts parts, const std::string& file)
{
    const auto key = [](const vcd_variable* part) { return std::tie(part->place, part->code); };
    std::sort(parts.begin(), parts.end(), [&](const auto* a, const auto* b) {
        return std::pair(a->place.size(), key(a)) < std::pair(b->place.size(), key(b));
    });
    parts.erase(std::unique(parts.begin(), parts.end(), [&](const auto* a, const auto* b) { return key(a) == key(b); }),
                parts.end());
    const auto depth = parts.front()->place.size();
    while (parts.back()->place.size() != depth) parts.pop_back();
    for (std::size_t i = 1; i < parts.size(); ++i)
        if (!follows(*parts[i], *parts[i - 1], *parts.front(), *parts.back()))
            throw input_error({file}, parts[i]->name + " is declared in " + std::to_string(parts.size()) +
                                          " parts with gaps or overlaps, expected each of its bits once");
    return parts;
}

/// Finds the pins in a scope ("" or "tb.dut."). `missing`: the first missing pin, or pin_count.
pin_variables find_pins(const variable_index& index, const vcd_names& names, const std::string& scope,
                        unsigned& missing)
{
    pin_variables found{};
    missing = pin_count;
    for (unsigned i = 0; i < pin_count; ++i) {
        const auto named = names.named.find(pins[i].name);
        if (named == names.named.end()) {
            found[i] = index.find(scope + pins[i].name);
        } else {
            found[i] = index.find(scope + named->second);
            if (found[i].empty()) found[i] = index.find(named->second);
        }
        const bool needed = pins[i].needed || named != names.named.end();
        if (found[i].empty() && needed) missing = std::min(missing, i);
    }
    return found;
}

/// True if the pins that both scopes have are the same signals.
bool same_signals(const pin_variables& a, const pin_variables& b)
{
    const auto same_code = [](const auto* one, const auto* other) { return one->code == other->code; };
    return std::equal(a.begin(), a.end(), b.begin(), [&](const auto& of_a, const auto& of_b) {
        return of_a.empty() || of_b.empty() ||
               std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), same_code);
    });
}

pin_variables find_pins(const vcd_file& file, const std::string& name, const vcd_names& names)
{
    std::vector<std::string> scopes;
    const auto depth = [](const std::string& scope) { return std::count(scope.begin(), scope.end(), '.'); };
    if (!names.scope.empty()) {
        scopes.push_back(names.scope + ".");
    } else {
        scopes.emplace_back();
        std::unordered_set<std::string_view> known{""};
        for (const auto& variable : file.variables()) {
            const auto scope = std::string_view(variable.name).substr(0, variable.name.rfind('.') + 1);
            if (known.insert(scope).second) scopes.emplace_back(scope);
        }
        std::stable_sort(scopes.begin(), scopes.end(),
                         [&](const auto& a, const auto& b) { return depth(a) < depth(b); });
    }
    const variable_index index(file);
    unsigned last_missing = 0; // of the scope with most of the pins
    const std::string* outermost = nullptr;
    pin_variables result{};
    for (const auto& scope : scopes) {
        if (outermost != nullptr && depth(scope) != depth(*outermost)) break;
        unsigned missing = 0;
        auto found = find_pins(index, names, scope, missing);
        last_missing = std::max(last_missing, missing);
        if (missing != pin_count) continue;
        if (outermost == nullptr) {
            outermost = &scope;
            result = std::move(found);
        } else if (!same_signals(result, found)) {
            throw input_error({name}, "the pins are in " + outermost->substr(0, outermost->size() - 1) + " and in " +
                                          scope.substr(0, scope.size() - 1) + ", expected one of the two (--scope)");
        }
    }
    if (outermost != nullptr) return result;
    throw input_error({name}, std::string("no variable ") + pins[last_missing].name + " beside the others" +
                                  (names.scope.empty() ? "" : " in " + names.scope) +
                                  ", expected the pins of isbe_top (--scope, --signal)");
}

} // namespace

bool is_vcd_pin(const std::string& name)
{
    return std::any_of(pins.begin(), pins.end(), [&](const pin& each) { return name == each.name; });
}

/// Collects operations edge by edge.
class vcd_observation::sampler {
public:
    sampler(vcd_file& file, const std::string& name, const vcd_names& names) : file_(file), name_(name)
    {
        const auto variables = find_pins(file, name, names);
        const auto bits_of = [](const variable_parts& parts) {
            return std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                                   [](std::size_t sum, const auto* part) { return sum + part->bits; });
        };
        const auto bits = bits_of(in_order(variables[req_valid], name));
        if (bits != 1 && bits != 2)
            throw input_error({name}, "req_valid has " + std::to_string(bits) + " bits, expected 1 or 2, one a port");
        ports_ = static_cast<unsigned>(bits);
        for (unsigned i = 0; i < pin_count; ++i) {
            if (variables[i].empty()) continue;
            const auto parts = in_order(variables[i], name);
            const auto expected = std::max(1U, pins[i].bits * ports_);
            if (bits_of(parts) != expected)
                throw input_error({name},
                                  parts.front()->name + " has " + std::to_string(bits_of(parts)) + " bits" +
                                      (parts.size() > 1 ? " in " + std::to_string(parts.size()) + " parts" : "") +
                                      ", expected " + std::to_string(expected));
            value_[i] = file.keep(parts, i == clk ? 'x' : '0'); // a file may begin while the clock is 1
            names_[i] = parts.front()->name;
        }
    }

    void read()
    {
        while (file_.next_time()) {
            high(clk, 0); // an undefined clock has no edge: a cycle would be lost
            if (!file_.rises(*value_[clk])) continue;
            sample();
            edges_.push_back(file_.time());
        }
        if (!wrong_.empty()) throw input_error({name_, wrong_line_, 1}, wrong_);
        number_cycles();
    }

    unsigned ports_ = 0;
    std::vector<taken> taken_;
    std::vector<observed_operation> operations_;

private:
    std::uint32_t field(pin_number which, unsigned port) const
    {
        if (!value_[which]) return 0;
        const auto bits = pins[which].bits;
        return file_.value(*value_[which]).field(std::size_t{port} * bits, bits);
    }
    std::uint32_t element(pin_number which, unsigned port, unsigned index, unsigned bits) const
    {
        if (!value_[which]) return 0;
        return file_.value(*value_[which])
            .field(std::size_t{port} * pins[which].bits + std::size_t{index} * bits, bits);
    }

    /// Keeps the first error after the last reset; `line`: of the file.
    void wrong(const std::string& text, std::size_t line = 1)
    {
        if (!wrong_.empty()) return;
        wrong_ = text;
        wrong_line_ = line;
    }
    /// Checks that bits with a meaning now are 0 or 1.
    void need(pin_number which, unsigned port, unsigned first, unsigned bits)
    {
        if (!value_[which] || !wrong_.empty()) return;
        const auto& value = file_.value(*value_[which]);
        const auto at = std::size_t{port} * pins[which].bits + first;
        if (value.undefined(at, bits))
            wrong(names_[which] + (pins[which].bits == 0 ? "" : " of port " + std::to_string(port)) +
                      " is undefined at time " + std::to_string(file_.time()) +
                      ", expected 0 or 1 after the last reset",
                  value.line_of_undefined(at));
    }
    void need(pin_number which, unsigned port) { need(which, port, 0, pins[which].bits); }
    /// The same for the words of participating lanes.
    void need_lanes(pin_number which, unsigned port, std::uint32_t lanes, unsigned bits, unsigned words = 1)
    {
        for (unsigned i = 0; i < words * warp_lanes; ++i)
            if ((lanes >> i % warp_lanes & 1U) != 0) need(which, port, i * bits, bits);
    }
    /// A pin that always has a meaning; 0 before its first value if there was no reset.
    bool high(pin_number which, unsigned port)
    {
        if (!value_[which]) return false;
        const auto& value = file_.value(*value_[which]);
        const auto at = std::size_t{port} * pins[which].bits;
        auto& known = known_[which][port];
        if (!value.undefined(at, 1))
            known = true;
        else if (known || reset_seen_)
            need(which, port, 0, 1);
        return value.bit(at);
    }

    void sample()
    {
        const auto cycle = edges_.size();
        if (high(rst, 0)) {
            reset_seen_ = true;
            wrong_.clear();
            taken_.clear();
            operations_.clear();
            port_states_ = {};
            return;
        }
        for (unsigned port = 0; port < ports_ && wrong_.empty(); ++port) {
            respond(port, cycle);
            request(port, cycle);
        }
    }

    void request(unsigned port, std::uint64_t cycle)
    {
        auto& state = port_states_[port];
        if (!high(req_valid, port)) {
            state.request.reset();
            return;
        }
        if (!state.request) state.request = cycle;
        if (!high(req_ready, port)) return;
        observed_operation seen;
        seen.port = static_cast<std::uint8_t>(port);
        seen.request = *state.request;
        seen.accept = cycle;
        need_fields(port);
        taken_.push_back({read_operation(port), {}});
        seen.op = taken_.back().op.op;
        state.waiting.push_back(operations_.size());
        operations_.push_back(seen);
        state.request.reset();
    }

    void respond(unsigned port, std::uint64_t cycle)
    {
        auto& state = port_states_[port];
        if (!high(resp_valid, port)) return;
        if (state.waiting.empty()) {
            wrong("port " + std::to_string(port) + " responds at time " + std::to_string(file_.time()) +
                  " to no request, expected one request before each response");
            return;
        }
        const auto number = state.waiting.front();
        auto& seen = operations_[number];
        if (seen.response == never) {
            seen.response = cycle;
            seen.passes = static_cast<std::uint16_t>(field(resp_passes, port));
            taken_[number].answer = read_answer(port, taken_[number].op);
        }
        if (!high(resp_ready, port)) return;
        seen.transfer = cycle;
        state.waiting.pop_front();
    }

    warp_op read_operation(unsigned port)
    {
        warp_op op;
        const auto code = field(req_op, port);
        op.region = static_cast<region>(field(req_region, port));
        op.form = static_cast<address_form>(field(req_form, port));
        op.size = static_cast<std::uint8_t>(field(req_size, port));
        const bool words = code < 3;
        if (code < opcode_count) op.op = static_cast<opcode>(code);
        if (code >= opcode_count || (is_attribute(op.op) && field(req_form, port) >= form_count) ||
            (is_raw(op.op) &&
             (field(req_region, port) >= region_count || (op.size != 1 && op.size != 2 && op.size != 4))) ||
            (words && (op.size < 1 || op.size > max_components)))
            wrong("the request of port " + std::to_string(port) + " at time " + std::to_string(file_.time()) +
                  " is no operation, expected op, form, region and size of the page's section 2");
        op.space = static_cast<space>(field(req_space, port));
        op.type = static_cast<out_type>(field(req_type, port));
        op.skew = field(req_skew, port) != 0;
        op.context = static_cast<std::uint16_t>(field(req_context, port));
        op.immediate = static_cast<std::int32_t>(field(req_immediate, port));
        op.lanes = field(req_lanes, port);
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            op.address[lane] = element(req_address, port, lane, 32);
            op.handle[lane] = element(req_handle, port, lane, 32);
            for (unsigned c = 0; c < max_components; ++c)
                op.data[c][lane] = element(req_data, port, c * warp_lanes + lane, 32);
        }
        return op;
    }
    /// Checks the fields of an operation (section 2 of the page); other fields may have any value.
    void need_fields(unsigned port)
    {
        need(req_op, port);
        const auto op = static_cast<opcode>(field(req_op, port));
        need(req_context, port);
        if (op == opcode::bind) {
            need_lanes(req_data, port, ~0U, 32, 2);
            return;
        }
        need(req_lanes, port);
        const auto lanes = field(req_lanes, port);
        if (is_attribute(op)) need(req_form, port);
        const auto form = is_attribute(op) ? static_cast<address_form>(field(req_form, port)) : address_form::logical;
        if (op == opcode::out) {
            need(req_type, port);
        } else {
            need(req_size, port);
            if (op != opcode::ast) need(req_space, port);
            if (form != address_form::phys) need(req_immediate, port);
        }
        if (is_raw(op)) need(req_region, port);
        need_lanes(req_address, port, lanes, 32);
        if (op == opcode::out || (op == opcode::ald && form != address_form::patch))
            need_lanes(req_handle, port, lanes, 32);
        if (op == opcode::ast) need_lanes(req_data, port, lanes, 32, std::min(field(req_size, port), max_components));
        if (op == opcode::isbewr) need_lanes(req_data, port, lanes, 32);
    }

    operation_answer read_answer(unsigned port, const warp_op& op)
    {
        const auto lanes = op.op == opcode::bind ? 0 : op.lanes;
        need(resp_error, port);
        need(resp_passes, port);
        need_lanes(resp_status, port, lanes, 16);
        need_lanes(resp_data, port, lanes, 32, responded_components(op));
        warp_result result;
        result.error = static_cast<op_error>(field(resp_error, port));
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            result.status[lane] = static_cast<std::uint16_t>(element(resp_status, port, lane, 16));
            for (unsigned c = 0; c < max_components; ++c)
                result.data[c][lane] = element(resp_data, port, c * warp_lanes + lane, 32);
        }
        return answer_of(op, result);
    }

    /// Converts edges to cycles, by their shortest distance.
    void number_cycles()
    {
        std::uint64_t period = never;
        for (std::size_t i = 1; i < edges_.size(); ++i) period = std::min(period, edges_[i] - edges_[i - 1]);
        if (edges_.size() > 1 && (edges_.back() - edges_.front()) / period > max_trace_cycle)
            throw input_error({name_}, "more than 2^40 cycles from the first edge of clk to the last, whose shortest "
                                       "distance is " +
                                           std::to_string(period) + ", expected fewer");
        std::vector<std::uint64_t> cycle(edges_.size());
        for (std::size_t i = 1; i < edges_.size(); ++i)
            cycle[i] = cycle[i - 1] + (edges_[i] - edges_[i - 1] + period / 2) / period;
        for (auto& each : operations_)
            for (auto* edge : {&each.request, &each.accept, &each.response, &each.transfer})
                if (*edge != never) *edge = cycle[*edge];
    }

    struct port_state {
        std::optional<std::uint64_t> request;
        std::deque<std::size_t> waiting; ///< operations that wait for a response, by place in operations_
    };

    vcd_file& file_;
    std::string name_;
    std::array<std::optional<std::size_t>, pin_count> value_{};
    std::array<std::string, pin_count> names_;           ///< of the variables
    std::array<std::array<bool, 2>, pin_count> known_{}; ///< by port: had a value
    bool reset_seen_ = false;
    std::string wrong_; ///< first error after the last reset
    std::size_t wrong_line_ = 1;
    std::vector<std::uint64_t> edges_; ///< times
    std::array<port_state, 2> port_states_;
};

vcd_observation::vcd_observation(std::istream& in, const std::string& file, const vcd_names& names, bool has_lines)
{
    vcd_file changes(in, file, has_lines);
    sampler samples(changes, file, names);
    samples.read();
    if (samples.operations_.empty())
        throw input_error({file}, "no request was transferred after the last reset, expected at least one");
    ports_ = samples.ports_;
    operations_ = std::move(samples.operations_);
    taken_ = std::move(samples.taken_);
    sort_by_execution();
}

void vcd_observation::visit(const visitor& each) const
{
    for (std::size_t number = 0; number < place_.size(); ++number) {
        const auto& one = taken_[place_[number]];
        each(number, one.op, one.answer);
    }
}

/// Sorts by grants, which are computed from the responses and their passes.
void vcd_observation::sort_by_execution()
{
    timing_fit::pass_list passes;
    for (const auto& seen : operations_) passes.push_back(std::max<std::uint16_t>(seen.passes, 1));
    const timing_fit fit(*this);
    place_ = fit.grant_order(passes, fit.likely_rule(passes));
    std::vector<observed_operation> sorted;
    sorted.reserve(place_.size());
    for (const auto place : place_) sorted.push_back(operations_[place]);
    operations_ = std::move(sorted);
}

} // namespace isbesim::testbench
