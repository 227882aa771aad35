// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/vcd_observation.h"

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "testbench/calibration/timing_fit.h"
#include "testbench/calibration/vcd_file.h"
#include "testbench/crosscheck/traces/trace.h"
#include "testbench/files/input_error.h"
#include "tlm/warp_fields.h"

namespace isbesim::testbench {

namespace {

struct pin {
    const char* name;
    unsigned bits; ///< per port; 0: a pin of the block
    bool needed;
    const char* transfer = nullptr; ///< a ready in the wires of a model: 1 where valid is, too
};

enum pin_number : unsigned {
    clk,
    rst,
    req_valid,
    req_ready,
#define ISBESIM_FIELD(name, ...) req_##name,
#define ISBESIM_LANE_FIELD(name, ...) req_##name,
#include "tlm/request_fields.inc"
    resp_valid,
    resp_ready,
#define ISBESIM_FIELD(name, ...) resp_##name,
#define ISBESIM_LANE_FIELD(name, ...) resp_##name,
#include "tlm/response_fields.inc"
    pin_count
};

constexpr std::array<pin, pin_count> pins{{
    {"clk", 0, true},
    {"rst", 0, false},
    {"req_valid", 1, true},
    {"req_ready", 1, true, "req_transfer"},
#define ISBESIM_FIELD(name, pins, ...) {"req_" #name, pins, std::string_view(#name) != "skew"},
#define ISBESIM_LANE_FIELD(name, pins, ...) {"req_" #name, pins, true},
#include "tlm/request_fields.inc"
    {"resp_valid", 1, true},
    {"resp_ready", 1, true, "resp_transfer"},
#define ISBESIM_FIELD(name, pins, ...) {"resp_" #name, pins, std::string_view(#name) != "passes"},
#define ISBESIM_LANE_FIELD(name, pins, ...) {"resp_" #name, pins, std::string_view(#name) != "data"},
#include "tlm/response_fields.inc"
}};

/// All declarations of a file under one name.
using variable_parts = std::vector<const vcd_variable*>;

/// Where pins are: the variable of a pin has its name between these texts, such as "tb.dut.ports[0]." and "".
struct pin_place {
    std::string before, after;

    std::string scope() const { return before.substr(0, before.rfind('.') + 1); }
    std::string with(const std::string& pin) const { return before + pin + after; }
    bool operator<(const pin_place& other) const
    {
        return std::tie(before, after) < std::tie(other.before, other.after);
    }
    bool operator==(const pin_place& other) const { return before == other.before && after == other.after; }
};
/// One place for the pins of all ports together, or one for each port.
using pin_places = std::vector<pin_place>;

/// The pins of a block.
struct found_pins {
    pin_places places;
    std::array<std::vector<variable_parts>, pin_count> variables; ///< by place; none for absent optional pins
    unsigned missing = pin_count;                                 ///< first missing pin
    std::string clock_scope;                                      ///< of clk
    bool clocked = true;                                          ///< else the wires of a model

    bool complete() const { return missing == pin_count; }
    /// As in vcd_names::scopes: "tb.dut", "tb.dut.port_0_*".
    std::string name(std::size_t place = 0) const
    {
        const auto& here = places[place];
        return here.before.empty() || here.before.back() != '.' || !here.after.empty()
                   ? here.with("*")
                   : here.before.substr(0, here.before.size() - 1);
    }
};

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
    std::size_t position = 0;
    while (position < depth && next.place[position] == before.place[position]) ++position;
    if (position == depth) return false;
    const std::int64_t step = std::int64_t{next.place[position]} - before.place[position];
    if (step != (position + 1 == depth ? std::int64_t{before.bits} : 1)) return false;
    for (++position; position < depth; ++position) {
        const auto end = std::int64_t{last.place[position]} + (position + 1 == depth ? last.bits : 1);
        const auto end_before = std::int64_t{before.place[position]} + (position + 1 == depth ? before.bits : 1);
        if (next.place[position] != first.place[position] || end_before != end) return false;
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

/// The name of a pin's variable.
const std::string& variable_name(unsigned number, const vcd_names& names, std::string& space)
{
    const auto named = names.named.find(pins[number].name);
    if (named != names.named.end()) return named->second;
    return space = pins[number].name;
}

/// The variable of a pin of the block: in the scope, else in the nearest one around it.
variable_parts find_around(const variable_index& index, std::string scope, const std::string& name, std::string& found)
{
    for (;;) {
        auto parts = index.find(scope + name);
        if (!parts.empty() || scope.empty()) {
            found = scope;
            return parts;
        }
        scope.pop_back();
        scope.resize(scope.rfind('.') + 1);
    }
}

found_pins find_pins(const variable_index& index, const vcd_names& names, pin_places places)
{
    found_pins found;
    bool transfers = false;
    std::string space, scope;
    for (unsigned i = 0; i < pin_count; ++i) {
        const auto& name = variable_name(i, names, space);
        const bool named = names.named.count(pins[i].name) != 0;
        std::vector<variable_parts> parts;
        if (pins[i].bits == 0) {
            parts.push_back(find_around(index, places.front().scope(), name, scope));
            if (i == clk) found.clock_scope = scope;
        } else {
            for (const auto& place : places) {
                parts.push_back(index.find(place.with(name)));
                if (parts.back().empty() && named && places.size() == 1) parts.back() = index.find(name);
                if (parts.back().empty() && !named && pins[i].transfer != nullptr) {
                    parts.back() = index.find(place.with(pins[i].transfer));
                    transfers = transfers || !parts.back().empty();
                }
            }
        }
        const bool absent = std::any_of(parts.begin(), parts.end(), [](const auto& each) { return each.empty(); });
        if (absent && (pins[i].needed || named)) found.missing = std::min(found.missing, i);
        if (!absent) found.variables[i] = std::move(parts);
    }
    found.places = std::move(places);
    if (found.missing != clk || !transfers) return found;
    found.clocked = false;
    found.missing = pin_count;
    for (unsigned i = clk + 1; i < pin_count; ++i)
        if (pins[i].needed && found.variables[i].empty()) found.missing = std::min(found.missing, i);
    return found;
}

/// True if the pins that both have are the same signals.
bool same_signals(const found_pins& a, const found_pins& b)
{
    const auto codes = [](const std::vector<variable_parts>& places) {
        std::vector<std::string_view> result;
        for (const auto& parts : places)
            for (const auto* part : parts) result.emplace_back(part->code);
        return result;
    };
    return std::equal(
        a.variables.begin(), a.variables.end(), b.variables.begin(),
        [&](const auto& in_a, const auto& in_b) { return in_a.empty() || in_b.empty() || codes(in_a) == codes(in_b); });
}

/// The places of variables with req_valid's name in theirs, those of one port each.
std::vector<pin_place> places_of_ports(const vcd_file& file, const std::string& name)
{
    std::vector<pin_place> found;
    for (const auto& variable : file.variables()) {
        const auto found_at = variable.name.rfind(name);
        if (found_at == std::string::npos || variable.bits != 1) continue;
        pin_place place{variable.name.substr(0, found_at), variable.name.substr(found_at + name.size())};
        if (place.after.find_first_of(".[(") == std::string::npos) found.push_back(std::move(place));
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

/// Places that differ in one number only, by their equal texts: "tb.ports[" and "].", and the text after the name.
std::map<std::tuple<std::string, std::string, std::string>, std::map<unsigned long, pin_place>>
numbered(const std::vector<pin_place>& places)
{
    constexpr auto digits = "0123456789";
    constexpr std::size_t most_digits = 9;
    std::map<std::tuple<std::string, std::string, std::string>, std::map<unsigned long, pin_place>> found;
    for (const auto& place : places)
        for (const bool after : {false, true}) {
            const auto& text = after ? place.after : place.before;
            for (auto begin = text.find_first_of(digits); begin != std::string::npos;) {
                const auto end = std::min(text.find_first_not_of(digits, begin), text.size());
                if (end - begin <= most_digits)
                    found[{after ? place.before : "", text.substr(0, begin) + (after ? "\n" : ""),
                           text.substr(end) + (after ? "" : "\n" + place.after)}]
                        .emplace(std::stoul(text.substr(begin, end - begin)), place);
                begin = text.find_first_of(digits, end);
            }
        }
    return found;
}

/// Blocks whose ports have a place each, with the clock outside of both.
std::vector<found_pins> blocks_of_ports(const variable_index& index, const vcd_names& names,
                                        const std::vector<pin_place>& places)
{
    std::vector<found_pins> blocks;
    for (const auto& [equal, by_number] : numbered(places)) {
        if (by_number.size() != 2) continue;
        const auto &first = by_number.begin()->second, &second = by_number.rbegin()->second;
        auto found = find_pins(index, names, {first, second});
        const auto ends =
            std::mismatch(first.before.begin(), first.before.end(), second.before.begin(), second.before.end());
        const auto common = static_cast<std::size_t>(ends.first - first.before.begin());
        if (found.complete() && found.clock_scope.size() <= common) blocks.push_back(std::move(found));
    }
    return blocks;
}

bool is_below(const std::string& name, const std::string& scope)
{
    return name.compare(0, scope.size(), scope) == 0;
}

found_pins find_pins(const vcd_file& file, const std::string& name, const vcd_names& names)
{
    const variable_index index(file);
    std::string space;
    const auto& valid = variable_name(req_valid, names, space);
    std::vector<found_pins> blocks;
    unsigned last_missing = 0; // of the scope with most of the pins
    const auto try_place = [&](pin_places places) {
        auto found = find_pins(index, names, std::move(places));
        last_missing = std::max(last_missing, found.missing);
        if (found.complete()) blocks.push_back(std::move(found));
    };
    pin_places named;
    for (const auto& scope : names.scopes) {
        const auto star = scope.find('*');
        named.push_back(star == std::string::npos ? pin_place{scope + ".", ""}
                                                  : pin_place{scope.substr(0, star), scope.substr(star + 1)});
    }
    if (!named.empty()) try_place(named);
    if (blocks.empty() && named.size() < 2) {
        auto places = places_of_ports(file, valid);
        if (!named.empty())
            places.erase(std::remove_if(places.begin(), places.end(),
                                        [&](const auto& each) { return !is_below(each.before, named.front().before); }),
                         places.end());
        blocks = blocks_of_ports(index, names, places);
        std::unordered_set<std::string_view> known{""};
        places.push_back({"", ""});
        for (const auto& variable : file.variables()) {
            const auto scope = std::string_view(variable.name).substr(0, variable.name.rfind('.') + 1);
            if (known.insert(scope).second) places.push_back({std::string(scope), ""});
        }
        const auto apart = blocks;
        std::set<pin_place> tried;
        for (const auto& place : places) {
            const bool is_port = std::any_of(apart.begin(), apart.end(), [&](const auto& block) {
                return place == block.places[0] || place == block.places[1];
            });
            if (!is_port && (named.empty() || is_below(place.before, named.front().before)) &&
                tried.insert(place).second)
                try_place({place});
        }
    }
    const auto depth = [](const found_pins& block) {
        const auto scope = block.places.front().scope();
        return std::pair(!block.clocked, std::count(scope.begin(), scope.end(), '.'));
    };
    std::stable_sort(blocks.begin(), blocks.end(), [&](const auto& a, const auto& b) { return depth(a) < depth(b); });
    for (std::size_t i = 1; i < blocks.size() && depth(blocks[i]) == depth(blocks[0]); ++i)
        if (!same_signals(blocks[0], blocks[i]))
            throw input_error({name}, "the pins are in " + blocks[0].name() + " and in " + blocks[i].name() +
                                          ", expected one of the two (--scope), or both as the ports of one block "
                                          "(--scope for each)");
    // The file of model and block changes in both halves of a cycle.
    if (!blocks.empty() && !blocks.front().clocked)
        for (const auto& variable : file.variables())
            if (variable.name.size() >= 4 && variable.name.compare(variable.name.size() - 4, 4, ".clk") == 0)
                throw input_error({name}, "the wires of a model in " + blocks.front().name() + " beside a block with " +
                                              variable.name +
                                              ", expected --scope for the block, or --signal clk=" + variable.name);
    if (!blocks.empty()) return blocks.front();
    throw input_error({name}, std::string("no variable ") + pins[last_missing].name + " beside the others" +
                                  (names.scopes.empty() ? "" : " in " + names.scopes.back()) +
                                  ", expected the pins of isbe_top (--scope, --signal)");
}

/// A port besides the only one that was found: in its scope, in one beside it, or with another number. Empty: none.
std::string port_beside(const vcd_file& file, const vcd_names& names, const found_pins& found)
{
    const auto outer = [](std::string scope) {
        if (!scope.empty()) scope.pop_back();
        return scope.substr(0, scope.rfind('.') + 1);
    };
    std::string space, response_space;
    const auto& valid = variable_name(req_valid, names, space);
    const auto& response = variable_name(resp_valid, names, response_space);
    const auto& here = found.places.front();
    const auto places = places_of_ports(file, valid);
    std::vector<pin_place> near;
    for (const auto& place : places)
        if (place.scope() == here.scope() || outer(place.scope()) == outer(here.scope())) near.push_back(place);
    for (const auto& [equal, by_number] : numbered(places))
        if (std::any_of(by_number.begin(), by_number.end(), [&](const auto& each) { return each.second == here; }))
            for (const auto& [number, place] : by_number) near.push_back(place);
    const variable_index index(file);
    const auto& own = found.variables[req_valid].front().front()->code;
    for (const auto& place : near)
        if (!index.find(place.with(response)).empty())
            if (auto name = place.with(valid); index.find(name).front()->code != own) return name;
    return "";
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
        const auto found = find_pins(file, name, names);
        const auto bits_of = [](const variable_parts& parts) {
            return std::accumulate(parts.begin(), parts.end(), 0U,
                                   [](unsigned sum, const auto* part) { return sum + part->bits; });
        };
        found_clock_ = found.clocked;
        const auto places = static_cast<unsigned>(found.places.size());
        ports_ = places * bits_of(in_order(found.variables[req_valid].front(), name));
        if (ports_ != 1 && ports_ != 2)
            throw input_error({name}, "req_valid has " + std::to_string(ports_) + " bits, expected 1 or 2, one a port");
        for (unsigned i = 0; i < pin_count; ++i) {
            variable_parts all;
            for (const auto& pin_parts : found.variables[i]) {
                const auto parts = in_order(pin_parts, name);
                const auto expected = pins[i].bits == 0 ? 1 : pins[i].bits * ports_ / places;
                if (bits_of(parts) != expected)
                    throw input_error({name},
                                      parts.front()->name + " has " + std::to_string(bits_of(parts)) + " bits" +
                                          (parts.size() > 1 ? " in " + std::to_string(parts.size()) + " parts" : "") +
                                          ", expected " + std::to_string(expected));
                all.insert(all.end(), parts.begin(), parts.end());
                names_[i].push_back(parts.front()->name);
            }
            if (all.empty() || (i == clk && !found.clocked)) continue;
            value_[i] = file.keep(all); // undefined at first: a file may begin while the clock is 1
        }
        if (const auto other = ports_ == 1 ? port_beside(file, names, found) : ""; !other.empty())
            remarks_.push_back(other + " is there, too, and not read: a machine with one port is sought");
    }

    void read()
    {
        const auto take = [&](std::uint64_t time) {
            sample();
            edges_.push_back(time);
        };
        std::optional<std::uint64_t> changed; // without a clock every cycle with a transfer ends with a change
        while (file_.next_time()) {
            if (!value_[clk]) {
                if (changed) take(*changed);
                changed = file_.time();
                continue;
            }
            high(clk, 0); // an undefined clock has no edge: a cycle would be lost
            if (file_.rises(*value_[clk])) take(file_.time());
        }
        if (changed) take(*changed);
        if (!wrong_.empty()) throw input_error({name_, wrong_line_, 1}, wrong_);
        if (begun_again_ && operations_.empty())
            throw input_error({name_}, in_the_middle() + ", and some are under way until its end, expected a file that "
                                                         "begins with a reset or has a moment without requests");
        number_cycles();
        if (begun_again_)
            remarks_.push_back(in_the_middle() + ": read from time " + std::to_string(begin_) + " on, when none is");
        if (!found_clock_ && ports_ == 2 &&
            std::all_of(operations_.begin(), operations_.end(), [](const auto& each) { return each.port == 0; })) {
            ports_ = 1;
            remarks_.push_back("port 1 of the model's wires has no request: a machine with one port is sought");
        }
        if (!reset_seen_)
            for (unsigned port = 0; port < ports_; ++port)
                if (are_alike(port))
                    remarks_.push_back("a file without a reset, and all operations of port " + std::to_string(port) +
                                       " are alike: right only if none was under way at time " +
                                       std::to_string(begin_));
    }

    unsigned ports_ = 0;
    std::vector<warp_op> binds_; ///< from before the operations
    std::vector<std::string> remarks_;
    bool reset_seen_ = false;
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
        const auto position = std::size_t{port} * pins[which].bits + first;
        if (value.undefined(position, bits))
            wrong(names_[which][port % names_[which].size()] +
                      (pins[which].bits == 0 ? "" : " of port " + std::to_string(port)) + " is undefined at time " +
                      std::to_string(file_.time()) + ", expected 0 or 1 after the last reset",
                  std::max<std::size_t>(value.line_of_undefined(position), 1));
    }
    void need(pin_number which, unsigned port) { need(which, port, 0, pins[which].bits); }
    /// Checks the words of participating lanes.
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
        const auto position = std::size_t{port} * pins[which].bits;
        auto& known = known_[which][port];
        if (!value.undefined(position, 1))
            known = true;
        else if (known || reset_seen_)
            need(which, port, 0, 1);
        return value.bit(position);
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
            binds_.clear();
            reading_ = true;
            begun_again_ = false;
            return;
        }
        if (edges_.empty()) begin_ = first_ = file_.time();
        for (unsigned port = 0; port < ports_ && wrong_.empty(); ++port) {
            respond(port, cycle);
            request(port, cycle);
        }
        if (reading_ || std::any_of(port_states_.begin(), port_states_.end(),
                                    [](const auto& each) { return each.request || !each.waiting.empty(); }))
            return;
        reading_ = true;
        begin_ = file_.time();
    }

    /// A response to a request from before the file's begin: what came so far was assigned to wrong requests. Reads on
    /// when nothing is under way.
    void begin_again()
    {
        begun_again_ = true;
        reading_ = false;
        wrong_.clear();
        for (const auto& each : taken_)
            if (each.op.op == opcode::bind) binds_.push_back(each.op);
        taken_.clear();
        operations_.clear();
        for (auto& state : port_states_) std::fill(state.waiting.begin(), state.waiting.end(), unread);
    }
    std::string in_the_middle() const
    {
        return "the file begins at time " + std::to_string(first_) + " without a reset, while requests are under way";
    }
    /// True if a later operation of the port could be taken for an earlier one.
    bool are_alike(unsigned port) const
    {
        const observed_operation* first = nullptr;
        unsigned count = 0;
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            const auto& each = operations_[i];
            if (each.port != port) continue;
            if (first == nullptr) first = &each;
            const auto &op = taken_[i].op, &first_op = taken_[static_cast<std::size_t>(first - operations_.data())].op;
            if (each.passes != first->passes || op.op != first_op.op || op.size != first_op.size ||
                op.lanes != first_op.lanes)
                return false;
            ++count;
        }
        return count > 1;
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
        if (!reading_) {
            if (field(req_op, port) == static_cast<unsigned>(opcode::bind)) {
                need_fields(port);
                binds_.push_back(read_operation(port));
            }
            state.waiting.push_back(unread);
            state.request.reset();
            return;
        }
        need_fields(port);
        const auto op = read_operation(port);
        taken_.push_back({op, {}});
        seen.op = op.op;
        state.waiting.push_back(operations_.size());
        operations_.push_back(seen);
        state.request.reset();
    }

    void respond(unsigned port, std::uint64_t cycle)
    {
        auto& state = port_states_[port];
        if (!high(resp_valid, port)) return;
        if (state.waiting.empty() && reset_seen_) {
            wrong("port " + std::to_string(port) + " responds at time " + std::to_string(file_.time()) +
                  " to no request, expected one request before each response");
            return;
        }
        if (state.waiting.empty()) {
            begin_again();
            state.waiting.push_back(unread);
        }
        const auto number = state.waiting.front();
        if (number == unread) {
            if (high(resp_ready, port)) state.waiting.pop_front();
            return;
        }
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

    template <typename T>
    void read_lanes(pin_number pin, unsigned port, per_lane<T>& lanes)
    {
        read_elements(pin, port, 0, lanes);
    }
    void read_lanes(pin_number pin, unsigned port, std::array<per_lane<word>, max_components>& components)
    {
        for (unsigned c = 0; c < max_components; ++c) read_elements(pin, port, c * warp_lanes, components[c]);
    }
    template <typename T>
    void read_elements(pin_number pin, unsigned port, unsigned first, per_lane<T>& lanes)
    {
        for (unsigned lane = 0; lane < warp_lanes; ++lane)
            lanes[lane] = static_cast<T>(element(pin, port, first + lane, 8 * sizeof(T)));
    }

    warp_op read_operation(unsigned port)
    {
        warp_op op;
#define ISBESIM_FIELD(name, ...) op.name = static_cast<decltype(op.name)>(field(req_##name, port));
#define ISBESIM_LANE_FIELD(name, ...) read_lanes(req_##name, port, op.name);
#include "tlm/request_fields.inc"
        if (const auto error = field_error(op); !error.empty()) {
            wrong("the request of port " + std::to_string(port) + " at time " + std::to_string(file_.time()) +
                  " is no operation: " + error);
            op = {};
        }
        return op;
    }
    /// Checks the fields of an operation (section 2 of the page); other fields may have any value.
    void need_fields(unsigned port)
    {
        need(req_op, port);
        const auto op = static_cast<opcode>(field(req_op, port));
        if (field(req_op, port) >= opcode_count) return; // read_operation reports it
        const bool attribute = is_attribute(op);
        if (attribute) need(req_form, port);
        const auto form = attribute ? static_cast<address_form>(field(req_form, port)) : address_form::logical;
        const auto ignored = form == address_form::phys ? req_immediate : req_skew; // .SKEW changes nothing
#define ISBESIM_FIELD(name, ...)                                                                                       \
    if (uses(op, request_field::name) && req_##name != ignored) need(req_##name, port);
#include "tlm/request_fields.inc"
        const auto lanes = uses(op, request_field::lanes) ? field(req_lanes, port) : 0;
        need_lanes(req_address, port, lanes, 32);
        if (op == opcode::out || (op == opcode::ald && form != address_form::patch))
            need_lanes(req_handle, port, lanes, 32);
        const auto components = std::min(request_components(op, field(req_size, port)), max_components);
        need_lanes(req_data, port, request_data_lanes(op, lanes), 32, components);
    }

    operation_answer read_answer(unsigned port, const warp_op& op)
    {
        const auto lanes = op.op == opcode::bind ? 0 : op.lanes;
        need(resp_error, port);
        need(resp_passes, port);
        need_lanes(resp_status, port, lanes, 16);
        need_lanes(resp_data, port, lanes, 32, responded_components(op));
        warp_result result;
#define ISBESIM_FIELD(name, ...) result.name = static_cast<decltype(result.name)>(field(resp_##name, port));
#define ISBESIM_LANE_FIELD(name, ...) read_lanes(resp_##name, port, result.name);
#include "tlm/response_fields.inc"
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

    static constexpr auto unread = ~std::size_t{0}; ///< of an operation that began before the file was read

    struct port_state {
        std::optional<std::uint64_t> request;
        std::deque<std::size_t> waiting; ///< operations that wait for a response, by place in operations_
    };

    vcd_file& file_;
    std::string name_;
    std::array<std::optional<std::size_t>, pin_count> value_{};
    std::array<std::vector<std::string>, pin_count> names_; ///< of the variables, by place
    std::array<std::array<bool, 2>, pin_count> known_{};    ///< by port: had a value
    bool found_clock_ = true;
    bool reading_ = true;      ///< false: something is under way from before the file's begin
    bool begun_again_ = false; ///< there was such a thing
    std::uint64_t first_ = 0;  ///< time of the first edge
    std::uint64_t begin_ = 0;  ///< nothing is under way
    std::string wrong_;        ///< first error after the last reset
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
    earlier_binds_ = std::move(samples.binds_);
    remarks_ = std::move(samples.remarks_);
    sort_by_execution();
    if (!samples.reset_seen_) find_unbound();
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

void vcd_observation::find_unbound()
{
    std::unordered_set<std::uint16_t> bound;
    bool any = false;
    visit([&](std::size_t, const warp_op& op, const operation_answer&) {
        if (op.op == opcode::bind) bound.insert(op.context);
        const bool needs_slot = op.op != opcode::bind && !(is_raw(op.op) && op.region == region::physical);
        unbound_.push_back(needs_slot && bound.count(op.context) == 0);
        any = any || unbound_.back();
    });
    if (!any) unbound_.clear();
}

} // namespace isbesim::testbench
