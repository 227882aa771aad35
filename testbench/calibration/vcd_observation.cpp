#include "testbench/calibration/vcd_observation.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "testbench/calibration/timing_fit.h"
#include "testbench/calibration/vcd_file.h"
#include "testbench/crosscheck/traces/trace.h"
#include "testbench/files/input_error.h"

namespace isbesim::testbench {

namespace {

struct pin {
    const char* name;
    unsigned bits; ///< of a port; 0: of the block
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

/// The variables of the pins, null where a file has none that it needs not have.
using pin_variables = std::array<const vcd_variable*, pin_count>;

/// Variables by name, the first of each: a whole chip's file has very many.
class variable_index {
public:
    explicit variable_index(const vcd_file& file)
    {
        for (const auto& variable : file.variables()) by_name_.emplace(variable.name, &variable);
    }
    const vcd_variable* find(const std::string& name) const
    {
        const auto found = by_name_.find(name);
        return found == by_name_.end() ? nullptr : found->second;
    }

private:
    std::unordered_map<std::string_view, const vcd_variable*> by_name_;
};

/// In a scope ("" or "tb.dut."); `missing` is the first pin that is not there, pin_count when all are.
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
            if (found[i] == nullptr) found[i] = index.find(named->second);
        }
        const bool needed = pins[i].needed || named != names.named.end();
        if (found[i] == nullptr && needed) missing = std::min(missing, i);
    }
    return found;
}

pin_variables find_pins(const vcd_file& file, const std::string& name, const vcd_names& names)
{
    std::vector<std::string> scopes;
    if (!names.scope.empty()) {
        scopes.push_back(names.scope + ".");
    } else {
        scopes.emplace_back();
        std::unordered_set<std::string_view> known{""};
        for (const auto& variable : file.variables()) {
            const auto scope = std::string_view(variable.name).substr(0, variable.name.rfind('.') + 1);
            if (known.insert(scope).second) scopes.emplace_back(scope);
        }
        const auto depth = [](const std::string& scope) { return std::count(scope.begin(), scope.end(), '.'); };
        std::stable_sort(scopes.begin(), scopes.end(),
                         [&](const auto& a, const auto& b) { return depth(a) < depth(b); });
    }
    const variable_index index(file);
    unsigned last_missing = 0; // of the scope that is nearest to having all
    for (const auto& scope : scopes) {
        unsigned missing = 0;
        const auto found = find_pins(index, names, scope, missing);
        if (missing == pin_count) return found;
        last_missing = std::max(last_missing, missing);
    }
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
        ports_ = variables[req_valid]->bits;
        if (ports_ != 1 && ports_ != 2)
            throw input_error({name}, "req_valid has " + std::to_string(ports_) + " bits, expected 1 or 2, one a port");
        for (unsigned i = 0; i < pin_count; ++i) {
            if (variables[i] == nullptr) continue;
            const auto bits = std::max(1U, pins[i].bits * ports_);
            if (variables[i]->bits != bits)
                throw input_error({name}, variables[i]->name + " has " + std::to_string(variables[i]->bits) +
                                              " bits, expected " + std::to_string(bits));
            value_[i] = file.keep(*variables[i]);
        }
    }

    void read()
    {
        while (file_.next_time()) {
            if (!file_.rises(*value_[clk])) continue;
            sample();
            edges_.push_back(file_.time());
        }
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

    void sample()
    {
        const auto cycle = edges_.size();
        if (value_[rst] && file_.value(*value_[rst]).bit(0)) {
            taken_.clear();
            operations_.clear();
            port_states_ = {};
            return;
        }
        for (unsigned port = 0; port < ports_; ++port) {
            respond(port, cycle);
            request(port, cycle);
        }
    }

    void request(unsigned port, std::uint64_t cycle)
    {
        auto& state = port_states_[port];
        if (field(req_valid, port) == 0) {
            state.request.reset();
            return;
        }
        if (!state.request) state.request = cycle;
        if (field(req_ready, port) == 0) return;
        observed_operation seen;
        seen.port = static_cast<std::uint8_t>(port);
        seen.request = *state.request;
        seen.accept = cycle;
        taken_.push_back({read_operation(port), {}});
        seen.op = taken_.back().op.op;
        state.waiting.push_back(operations_.size());
        operations_.push_back(seen);
        state.request.reset();
    }

    void respond(unsigned port, std::uint64_t cycle)
    {
        auto& state = port_states_[port];
        if (field(resp_valid, port) == 0) return;
        if (state.waiting.empty())
            throw input_error({name_}, "port " + std::to_string(port) + " responds at time " +
                                           std::to_string(file_.time()) +
                                           " to no request, expected one request before each response");
        const auto number = state.waiting.front();
        auto& seen = operations_[number];
        if (seen.response == never) {
            seen.response = cycle;
            seen.passes = static_cast<std::uint16_t>(field(resp_passes, port));
            taken_[number].answer = read_answer(port, taken_[number].op);
        }
        if (field(resp_ready, port) == 0) return;
        seen.transfer = cycle;
        state.waiting.pop_front();
    }

    warp_op read_operation(unsigned port) const
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
            throw input_error({name_}, "the request of port " + std::to_string(port) + " at time " +
                                           std::to_string(file_.time()) +
                                           " is none, expected op, form, region and size of the page's section 2");
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

    operation_answer read_answer(unsigned port, const warp_op& op) const
    {
        warp_result result;
        result.error = static_cast<op_error>(field(resp_error, port));
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            result.status[lane] = static_cast<std::uint16_t>(element(resp_status, port, lane, 16));
            for (unsigned c = 0; c < max_components; ++c)
                result.data[c][lane] = element(resp_data, port, c * warp_lanes + lane, 32);
        }
        return answer_of(op, result);
    }

    /// From edges to cycles of the shortest distance.
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
        std::deque<std::size_t> waiting; ///< for a response, by place in operations_
    };

    vcd_file& file_;
    std::string name_;
    std::array<std::optional<std::size_t>, pin_count> value_{};
    std::vector<std::uint64_t> edges_; ///< times
    std::array<port_state, 2> port_states_;
};

vcd_observation::vcd_observation(std::istream& in, const std::string& file, const vcd_names& names)
{
    vcd_file changes(in, file);
    sampler samples(changes, file, names);
    samples.read();
    if (samples.operations_.empty())
        throw input_error({file}, "no request was transferred behind the last reset, expected at least one");
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

/// By the grants that lead to the responses with the passes that they name.
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
