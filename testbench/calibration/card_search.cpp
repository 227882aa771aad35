// SPDX-License-Identifier: Apache-2.0
#include "testbench/calibration/card_search.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tlm/rounded_up.h"

namespace isbesim::testbench {

namespace {

using test_names = std::vector<std::string>;

const test_names rooms = {"warps_of_4", "warps_of_7", "warps_of_11", "warps_of_17", "warps_of_24", "warps_of_31"};
/// The tests that show most of the structure alone, and all tests of it.
const test_names first_patterns = {"ald_columns_16", "ald_diagonals_16"};
const test_names patterns = {"ald_same",         "ald_row",         "ald_columns_16", "ald_columns_8",
                             "ald_diagonals_16", "ald_diagonals_8", "ald_mirrors_16", "ald_mirrors_8"};
const std::vector<const char*> structure_keys = {"isbe.access", "isbe.banks", "isbe.bank_map", "isbe.skew"};
/// The PE writes inputs while the SM reads others.
const test_names fetches = {"fetch"};

/// False: all stages share isbe.lines.
bool has_buffers(const pe_config& pe)
{
    return pe.buffers == buffer_rule::alpha_beta && pe.alpha_lines != 0;
}

unsigned lines_of_buffers(const pe_config& pe)
{
    return has_buffers(pe) ? rounded_up(pe.alpha_lines + pe.beta_lines, 8U) : 0;
}

/// Leaves the lowest and the highest of the values.
void to_ends(std::vector<double>& values)
{
    if (values.empty()) return;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    values = {*least, *most};
    if (values.front() == values.back()) values.pop_back();
}

/// The last place, 0 to `last`, that fits, from `good` towards `bad`; `bad` does not fit, or is -1 or `last` + 1.
/// Places fit up to the result and not after it. `hint`: the result of an earlier search.
template <typename predicate>
long last_that_fits(long good, long bad, long last, long hint, const predicate& fits)
{
    const auto end = std::clamp(bad, 0L, last); // not tried yet if it is not `bad`
    long next = bad > good ? 1 : -1;
    bool beyond = false;
    if ((hint - good) * next > 0 && (bad - hint) * next > 0) (fits(hint) ? good : bad) = hint;
    while (std::abs(bad - good) > 1) {
        auto there = beyond ? (good + bad) / 2 : good + next;
        if (next > 0 ? there >= bad : there <= bad) there = (good + bad) / 2;
        if (fits(there)) {
            good = there;
            if (std::abs(next) == 1 && end != bad && fits(end)) return end;
            next *= 4;
        } else {
            bad = there;
            beyond = true;
        }
    }
    return good;
}

unsigned lines_needed(const machine_config& machine)
{
    return std::max(machine.isbe.lines, lines_of_buffers(machine.pe));
}

struct number_key {
    const char* name;
    int direction;  ///< 1: the tests take longer, or count more, with a larger value; -1: with a smaller value
    bool is_direct; ///< the first test changes by one for each step of the key
    test_names tests;
    bool is_steady = false; ///< no test changes back: too low for one and too high for another, no value explains all
};

const number_key load_time{"isbe.pipeline_latency",
                           1,
                           true,
                           {"ald_output", "ald_input", "ald_width_1", "ald_width_2", "ald_width_4", "clock_ald"},
                           true};
const number_key address_time{"isbe.al2p_latency", 1, true, {"al2p_input"}};
const number_key response_places{"isbe.response_queue_depth", -1, false, {"ald_warps.many"}};
const number_key write_time{"isbe.write_latency",
                            1,
                            true,
                            {"ast_output", "ast_al2p", "ast_width_2", "ast_width_4", "ast_lanes_8", "ast_lanes_32",
                             "ast_output.many", "ast_al2p.many", "ast_width_2.many", "ast_width_4.many"}};
const number_key request_places{"isbe.request_queue_depth", -1, false, {"ast_burst"}};
const number_key first_keys[] = {{"pe.batch_indices", 1, true, {"batch_indices"}},
                                 {"pe.batch_vertices", 1, true, {"batch_vertices"}},
                                 {"pe.patches_per_batch", 1, true, {"batch_patches"}},
                                 load_time,
                                 address_time,
                                 {"isbe.out_latency", 1, true, {"out_cut", "out_stream"}}};
/// Threads and declared vertices of a geometry warp.
const number_key geometry_keys[] = {
    {"pe.gs_instances", 1, true, {"geometry_threads"}},
    {"pe.gs_output_vertices", 1, false, {"geometry_halves", "geometry_thirds", "geometry_32nds"}}};

/// Values of the queues' keys with the depths that explain the tests.
struct queue_findings {
    machine_config base;
    key_finding responses, writes; ///< with the base's depth
    std::vector<double> depths{}, places{}, latencies{};
    machine_config best{};
    double gap = 0, distance = 0; ///< of the best: cycles from the card's many warps, places from the base's depth
};

/// Compares a machine's figures with the card's.
struct trial {
    int side = 0;       ///< -1: the value is too low; 0: it explains the tests; 1: too high
    double first = 0;   ///< the first test: model minus card
    bool apart = false; ///< the value is too low for some tests and too high for others
};

struct key_range {
    double low, high;
};

class card_search {
public:
    card_search(const card_model& model, const card_figures& card, const machine_config& base)
        : model_(model), card_(card), now_{base, {}, {}, 0}
    {
    }
    card_findings find(machine_config& found)
    {
        find_all();
        found = now_.machine;
        return {now_.keys, now_.explained, explains_all()};
    }

private:
    struct state {
        machine_config machine;
        std::vector<key_finding> keys;
        card_figures explained; ///< the card's tests on the machine
        double open;            ///< cycles of a fetch that the keys' ranges leave open
    };

    void find_all()
    {
        const auto base = now_.machine;
        const bool is_finished = search();
        if (is_finished && explains_all()) return;
        // With one operation in flight at a time nothing overlaps, and with one place for requests each waits for the
        // one before: such a key must be known before all others.
        auto first = now_;
        for (const auto depth : {&isbe_config::response_queue_depth, &isbe_config::request_queue_depth}) {
            now_.machine = base;
            now_.machine.isbe.*depth = 1;
            if (search() && explains_all()) return;
        }
        now_ = std::move(first);
        if (!is_finished) find_rest();
    }

    bool explains_all() const
    {
        return std::all_of(card_.begin(), card_.end(), [&](const auto& test) {
            const auto model = now_.explained.find(test.first);
            return test.second.noisy || (model != now_.explained.end() && is_explained(test.second, model->second));
        });
    }

    /// Returns false if some of the first keys have no value that explains their tests; the rest is skipped then.
    bool search()
    {
        now_.keys.clear();
        for (const auto& each : first_keys) keep(find_number(each));
        find_structure();
        if (std::any_of(now_.keys.begin(), now_.keys.end(),
                        [](const auto& each) { return each.measured && each.fits.empty(); }))
            return false;
        find_rest();
        return true;
    }

    void find_rest()
    {
        // With a wrong number of ports, queues appear too deep or too shallow.
        const auto base = now_.machine;
        if (find_rest_as_is() || present(fetches).empty()) return;
        const auto first = now_;
        now_.machine = base;
        now_.machine.isbe.ports = 3 - base.isbe.ports;
        if (find_rest_as_is()) return;
        const auto other = now_;
        const auto explains_with_ranges = [&](const state& target) {
            now_ = target;
            for (const auto& test : fetches)
                if (const auto model = now_.explained.find(test); model != now_.explained.end())
                    model->second.spread += now_.open;
            return explains_all();
        };
        if (!explains_with_ranges(first) && !explains_with_ranges(other)) explains_with_ranges(first);
    }

    bool find_rest_as_is()
    {
        // The lines decide how many warps fill the queues; all other keys decide when these warps start. A range is
        // only right with the final values of the other keys.
        for (unsigned rounds = 0; rounds < 3; ++rounds) {
            const auto before = config_to_json(now_.machine);
            find_lines();
            find_queues();
            find_ports();
            for (const auto& each : geometry_keys) keep(find_number(each));
            now_.explained = model_(now_.machine, names_of(card_)).value_or(card_figures{});
            if (config_to_json(now_.machine) == before) break;
        }
        return explains_all();
    }

    /// Finds the lines of the buffer that the first stage writes, or of the ISBE if the machine has no buffers.
    void find_lines()
    {
        if (!has_buffers(now_.machine.pe)) return keep(find_number({"isbe.lines", 1, false, rooms}));
        const auto rings = find_number({"pe.alpha_lines", 1, false, rooms});
        keep(rings);
        const auto* lines = find_config_key("isbe.lines");
        if (rings.fits.empty()) return keep({lines, rings.measured, {}});
        auto least = now_.machine.pe;
        least.alpha_lines = static_cast<unsigned>(rings.fits.front());
        keep({lines, true, {static_cast<double>(lines_of_buffers(least)), lines->high}});
    }

    test_names present(const test_names& tests) const
    {
        test_names result;
        for (const auto& test : tests)
            if (const auto found = card_.find(test); found != card_.end() && !found->second.noisy)
                result.push_back(test);
        return result;
    }

    trial try_machine(const machine_config& machine, const test_names& tests, int direction) const
    {
        const auto model = model_(machine, tests);
        if (!model) return {-1, 0};
        trial result;
        double sum = 0;
        bool is_low = false, is_high = false;
        for (const auto& test : tests) {
            const auto& card = card_.at(test);
            const auto known = model->find(test);
            const auto figure =
                known == model->end() ? card_figure{} : known->second; // empty if the machine cannot run it
            const auto difference = figure.value - card.value;
            if (test == tests.front()) result.first = difference;
            if (is_explained(card, figure)) continue;
            (difference * direction < 0 ? is_low : is_high) = true;
            sum += difference * direction;
        }
        result.side = !is_low && !is_high ? 0 : sum < 0 ? -1 : 1;
        result.apart = is_low && is_high;
        return result;
    }

    /// A key without a finding gets a new one, not measured.
    key_finding& finding_of(const char* name)
    {
        const auto* key = find_config_key(name);
        auto& keys = now_.keys;
        const auto place = std::find_if(keys.begin(), keys.end(), [&](const auto& each) { return each.key == key; });
        return place != keys.end() ? *place : keys.emplace_back(key_finding{key, false, {}});
    }

    void keep(key_finding found) { finding_of(found.key->name) = std::move(found); }

    /// Sets now_.machine to the nearest value that explains the tests; does not change it if no value does. Outside of
    /// `within` some of the tests are known to have no value.
    key_finding find_number(const number_key& what, const std::vector<double>& within = {})
    {
        const auto* key = find_config_key(what.name);
        const auto tests = present(what.tests);
        if (tests.empty()) return {key, false, {}};
        const auto last = static_cast<long>((key->high - key->low) / key->step);
        const auto value_of = [&](long place) { return key->low + static_cast<double>(place) * key->step; };
        const auto attempt = [&](long place) {
            auto machine = now_.machine;
            key->set(machine, value_of(place));
            machine.isbe.lines = lines_needed(machine);
            return try_machine(machine, tests, what.direction);
        };
        // Bounds that are too low and too high. 0 lines of a buffer mean the lines that a draw needs.
        long low = key->name == std::string("pe.alpha_lines") ? 0 : -1, high = last + 1;
        const auto place_of = [&](double value) {
            return std::lround((std::max(value, key->low) - key->low) / key->step);
        };
        const auto begin = place_of(key->get(now_.machine));
        const auto& known = finding_of(what.name).fits; // most of the time little has changed
        const long hints[] = {known.empty() ? begin : place_of(known.front()),
                              known.empty() ? begin : place_of(known.back())};
        if (!within.empty()) {
            low = place_of(within.front()) - 1;
            high = place_of(within.back()) + 1;
        }
        long place = std::clamp(std::clamp(begin, hints[0], hints[1]), low + 1, high - 1);
        long stride = 1;
        for (unsigned tries = 0;; ++tries) {
            const auto result = attempt(place);
            if (result.side == 0) break;
            (result.side < 0 ? low : high) = place;
            if (high - low <= 1 || (what.is_steady && result.apart)) return {key, true, {}};
            stride *= 4;
            const auto guess = place - std::lround(result.first);
            if (what.is_direct && tries < 2 && guess > low && guess < high)
                place = guess;
            else if (low >= 0 && high <= last)
                place = (low + high) / 2;
            else
                place = result.side < 0 ? std::min(place + stride, last) : std::max(place - stride, low + 1);
        }
        const auto fits = [&](long there) { return attempt(there).side == 0; };
        const auto lowest = last_that_fits(place, low, last, hints[0], fits);
        const auto highest = last_that_fits(place, high, last, hints[1], fits);
        key->set(now_.machine, value_of(std::clamp(begin, lowest, highest)));
        now_.machine.isbe.lines = lines_needed(now_.machine);
        if (lowest == highest) return {key, true, {value_of(lowest)}};
        return {key, true, {value_of(lowest), value_of(highest)}};
    }

    /// Access, banks, map and layout: tries all combinations. If the program hides a short load latency, only loads of
    /// many passes show it; and without skew even three vertices may share a bank. So if no combination fits the
    /// latencies found before, they are searched with each combination.
    void find_structure()
    {
        const auto tests = present(patterns);
        std::vector<key_finding> keys;
        keys.reserve(structure_keys.size());
        for (const auto* name : structure_keys) keys.push_back({find_config_key(name), !tests.empty(), {}});
        const auto put = [&] {
            for (const auto& each : keys) keep(each);
        };
        if (tests.empty()) return put();
        // Not wider reads, of which some compilers make several that wait for places for responses.
        const number_key single{load_time.name, 1, true, {"ald_output", "ald_input"}, true};
        auto load = single;
        load.tests.insert(load.tests.begin(), first_patterns.begin(), first_patterns.end());
        struct fit {
            machine_config machine;
            key_finding load, address;
        };
        std::vector<fit> fitting;
        const auto base = now_.machine;
        const auto load_before = finding_of(load_time.name);
        const auto address_before = finding_of(address_time.name);
        const auto try_one = [&](const machine_config& machine, bool as_before) {
            now_.machine = machine;
            fit result{machine, load_before, address_before};
            if (as_before) {
                if (const auto few = present(first_patterns);
                    !few.empty() && try_machine(now_.machine, few, 1).side != 0)
                    return;
            } else {
                const auto by_single = find_number(single);
                if (by_single.measured && by_single.fits.empty()) return;
                if (address_before.measured) result.address = find_number(address_time);
                if (result.address.measured && result.address.fits.empty()) return;
                result.load = find_number(load, by_single.fits);
                if (result.load.fits.empty()) return;
            }
            if (try_machine(now_.machine, tests, 1).side != 0) return;
            result.machine = now_.machine;
            fitting.push_back(result);
        };
        // The base's layout first: no combination of the other layout looks like one of it
        // (testbench/measure/README.md). With one place for requests each test takes a cycle longer.
        for (unsigned other = load_before.is_determined() ? 0 : 4; other < 8 && fitting.empty(); ++other) {
            const bool as_before = other < 4;
            auto machine = base;
            machine.isbe.skew = base.isbe.skew == (other % 2 == 0);
            if (other % 4 >= 2) machine.isbe.request_queue_depth = 1;
            machine.isbe.access = access_rule::line;
            try_one(machine, as_before);
            machine.isbe.access = access_rule::banked;
            for (const auto map : {bank_map::modulo, bank_map::rotate, bank_map::exclusive_or})
                for (const unsigned banks : {8U, 16U, 32U}) {
                    machine.isbe.bank_map = map;
                    machine.isbe.banks = banks;
                    try_one(machine, as_before);
                }
        }
        now_.machine = base;
        if (fitting.empty()) return put();
        now_.machine = fitting.front().machine;
        for (auto& each : keys) {
            std::set<double> values;
            for (const auto& [machine, with_load, with_address] : fitting)
                if (machine.isbe.access == access_rule::banked || each.key->name == std::string("isbe.access") ||
                    each.key->name == std::string("isbe.skew"))
                    values.insert(each.key->get(machine));
            each.fits.assign(values.begin(), values.end());
            // With access by line, banks and their map have no effect.
            for (auto value = each.key->low; values.empty() && value <= each.key->high; ++value)
                if (admits(*each.key, value)) each.fits.push_back(value);
        }
        put();
        for (const auto latency : {&fit::load, &fit::address}) {
            auto all = fitting.front().*latency;
            for (const auto& each : fitting)
                all.fits.insert(all.fits.end(), (each.*latency).fits.begin(), (each.*latency).fits.end());
            to_ends(all.fits);
            keep(all);
        }
    }

    /// Where a burst of writes is, compared with the card's time: -1 quicker, 1 slower, 0 neither or not measured.
    int side_of_burst(double places, double latency) const
    {
        const auto tests = present(request_places.tests);
        auto machine = now_.machine;
        find_config_key(response_places.name)->set(machine, places);
        find_config_key(write_time.name)->set(machine, latency);
        return tests.empty() ? 0 : try_machine(machine, tests, 1).side;
    }

    /// True if a burst may take the card's time between the ends of the ranges: deeper queues and shorter writes never
    /// make it slower.
    bool may_explain_burst(const key_range& responses, const key_range& writes) const
    {
        return side_of_burst(responses.high, writes.low) <= 0 && side_of_burst(responses.low, writes.high) >= 0;
    }

    /// Narrows the ranges to values that explain a burst with a value of the other range, and sets both keys to such a
    /// pair. False if no pair explains it.
    bool explain_burst(key_range& responses, key_range& writes)
    {
        if (!may_explain_burst(responses, writes)) return false;
        // The first value from `begin` towards `end` that is not wrong; `end` is not.
        const auto first = [](double begin, double end, const auto& is_wrong) {
            if (!is_wrong(begin)) return begin;
            while (std::abs(end - begin) > 1) {
                const auto middle = std::floor((begin + end) / 2);
                (is_wrong(middle) ? begin : end) = middle;
            }
            return end;
        };
        const auto few = responses.low, many = responses.high, quick = writes.low, slow = writes.high;
        responses = {first(few, many, [&](double places) { return side_of_burst(places, quick) > 0; }),
                     first(many, few, [&](double places) { return side_of_burst(places, slow) < 0; })};
        writes = {first(quick, slow, [&](double latency) { return side_of_burst(few, latency) < 0; }),
                  first(slow, quick, [&](double latency) { return side_of_burst(many, latency) > 0; })};
        const auto* places_key = find_config_key(response_places.name);
        const auto* latency_key = find_config_key(write_time.name);
        const auto nearest = std::clamp(places_key->get(now_.machine), responses.low, responses.high);
        const auto begin = std::clamp(latency_key->get(now_.machine), quick, slow);
        for (double step = 0; step <= responses.high - responses.low; ++step)
            for (const auto places : {nearest - step, nearest + step}) {
                if (places < responses.low || places > responses.high) continue;
                const auto side = side_of_burst(places, begin);
                const auto end = side < 0 ? slow : quick;
                if (side * side_of_burst(places, end) > 0) continue;
                const auto latency =
                    first(begin, end, [&](double value) { return side_of_burst(places, value) * side > 0; });
                if (side_of_burst(places, latency) != 0) continue;
                places_key->set(now_.machine, places);
                latency_key->set(now_.machine, latency);
                return true;
            }
        return false;
    }

    /// Adds what explains many warps and, if `by_burst`, a burst of writes with this depth of the request queue. False
    /// if nothing does.
    bool try_depth(queue_findings& all, double depth, bool by_burst)
    {
        const auto* depth_key = find_config_key(request_places.name);
        const auto before = depth_key->get(all.base);
        now_.machine = all.base;
        depth_key->set(now_.machine, depth);
        const auto range_of = [&](const key_finding& finding) {
            return finding.fits.empty() ? key_range{finding.key->get(now_.machine), finding.key->get(now_.machine)}
                                        : key_range{finding.fits.front(), finding.fits.back()};
        };
        // With one place each test takes a cycle longer.
        auto writes = range_of((depth == 1) == (before == 1) ? all.writes : find_number(write_time));
        auto responses = range_of(all.responses);
        const auto warps = present(response_places.tests);
        if (!warps.empty()) {
            const auto* key = all.responses.key;
            if (by_burst && !may_explain_burst({key->low, key->high}, writes)) return false;
            const auto found = find_number(response_places);
            if (found.fits.empty()) return false;
            responses = range_of(found);
        }
        if (by_burst && !explain_burst(responses, writes)) return false;
        const auto gap = warps.empty() ? 0 : std::abs(try_machine(now_.machine, warps, 1).first);
        const auto distance = std::abs(depth - before);
        if (all.depths.empty() || gap < all.gap - 0.5 || (gap < all.gap + 0.5 && distance < all.distance)) {
            all.best = now_.machine;
            all.gap = gap;
            all.distance = distance;
        }
        all.depths.push_back(depth);
        all.places.insert(all.places.end(), {responses.low, responses.high});
        all.latencies.insert(all.latencies.end(), {writes.low, writes.high});
        return true;
    }

    /// The latency of writes and the depths of both queues. The time of many warps depends on both depths, that of a
    /// burst of writes on all three: responses and latency are searched with each depth of the request queue. Chooses
    /// the depth with which many warps come nearest to the card, of several the one nearest to the base's.
    void find_queues()
    {
        constexpr long enough = 13; // places for all writes of the burst
        keep(find_number(write_time));
        const auto base = now_.machine;
        for (const auto& each : {response_places, request_places}) keep(find_number(each));
        const auto as_is = now_.machine;
        auto requests = finding_of(request_places.name);
        auto responses = finding_of(response_places.name);
        auto writes = finding_of(write_time.name);
        const auto least = std::lround(requests.key->low), most = std::lround(requests.key->high);
        // As long as other keys are wrong, no depth may explain the burst.
        for (const bool by_burst : {true, false}) {
            if (by_burst && !requests.measured) continue;
            queue_findings all{base, responses, writes};
            const auto fits = [&](long depth) { return try_depth(all, static_cast<double>(depth), by_burst); };
            std::vector<long> first{as_is.isbe.request_queue_depth, base.isbe.request_queue_depth};
            for (auto depth = least; depth <= most; depth += depth < enough ? 1 : depth) first.push_back(depth);
            const auto start = std::find_if(first.begin(), first.end(), fits);
            now_.machine = as_is;
            if (start == first.end()) continue;
            const auto hint = requests.fits.empty() ? std::vector<double>{0, 0} : requests.fits;
            const auto low = last_that_fits(*start, least - 1, most, std::lround(hint.front()), fits);
            const auto high = last_that_fits(*start, most + 1, most, std::lround(hint.back()), fits);
            for (auto depth = 2 * low; depth < high; depth *= 2) fits(depth);
            for (auto* each : {&all.depths, &all.places, &all.latencies}) to_ends(*each);
            now_.machine = all.best;
            requests.fits = by_burst ? all.depths : std::vector<double>{};
            if (responses.measured) responses.fits = all.places;
            if (!writes.fits.empty()) writes.fits = all.latencies;
            for (const auto& each : {requests, responses, writes}) keep(each);
            return;
        }
    }

    /// The speed of fetching inputs also depends on both queues, the latency of writes and the lines; an uncertainty of
    /// these may hide the ports. With one port it is not monotonic in them: any two figures on both sides of the card's
    /// explain it.
    void find_ports()
    {
        const auto tests = present(fetches);
        key_finding ports{find_config_key("isbe.ports"), !tests.empty(), {}};
        key_finding rule{find_config_key("isbe.arbitration"), !tests.empty(), {}};
        const number_key lines{has_buffers(now_.machine.pe) ? "pe.alpha_lines" : "isbe.lines", -1, false, {}};
        // With all ranges at their fast ends, or at their slow ends, but with `places` for requests, if not 0.
        const auto difference = [&](bool slow, unsigned places) {
            auto machine = now_.machine;
            for (const auto* each : {&write_time, &response_places, &request_places, &lines})
                if (const auto& finding = finding_of(each->name); !finding.fits.empty())
                    finding.key->set(machine,
                                     slow == (each->direction > 0) ? finding.fits.back() : finding.fits.front());
            if (places != 0) machine.isbe.request_queue_depth = places;
            machine.isbe.lines = lines_needed(machine);
            return try_machine(machine, tests, 1);
        };
        // Also the values found, and with one port between the ends of the queue for requests, if those explain
        // nothing.
        const auto figures = [&] {
            std::vector<trial> all{difference(false, 0), difference(true, 0)};
            if (all[0].side * all[1].side > 0) all.push_back(try_machine(now_.machine, tests, 1));
            if (now_.machine.isbe.ports != 1 || all[0].side * all.back().side <= 0) return all;
            const auto& finding = finding_of(request_places.name);
            const auto most =
                finding.fits.empty() ? finding.key->high : finding.fits.back(); // all, if none explains the burst
            for (auto depth = finding.fits.empty() ? finding.key->low : finding.fits.front(); depth < most; depth *= 2)
                for (const bool slow : {false, true}) all.push_back(difference(slow, static_cast<unsigned>(depth)));
            return all;
        };
        const auto by_time = [](const trial& a, const trial& b) { return a.first < b.first; };
        const auto base = now_.machine;
        auto best = base;
        std::set<double> counts, rules;
        now_.open = 0;
        // The base's values first.
        for (unsigned other = 0; other < 4 && !tests.empty(); ++other) {
            now_.machine = base;
            now_.machine.isbe.ports = other % 2 == 0 ? base.isbe.ports : 3 - base.isbe.ports;
            if (other >= 2) rule.key->set(now_.machine, 1 - rule.key->get(base));
            const auto all = figures();
            const auto [least, most] = std::minmax_element(all.begin(), all.end(), by_time);
            if (least->side * most->side > 0) continue;
            if (counts.empty()) {
                best = now_.machine;
                now_.open = most->first - least->first;
            }
            counts.insert(now_.machine.isbe.ports);
            rules.insert(rule.key->get(now_.machine));
        }
        now_.machine = best;
        ports.fits.assign(counts.begin(), counts.end());
        rule.fits.assign(rules.begin(), rules.end());
        // Among the values that explain the other tests equally, chooses one that also explains these tests.
        for (const auto* each : {&write_time, &response_places, &request_places}) {
            if (counts.empty() || try_machine(now_.machine, tests, 1).side == 0) break;
            auto both = *each;
            both.is_direct = false;
            both.tests.insert(both.tests.end(), {"ast_burst", "fetch"});
            find_number(both);
        }
        keep(ports);
        keep(rule);
    }

    const card_model& model_;
    const card_figures& card_;
    state now_;
};

} // namespace

std::string key_finding::range_text() const
{
    if (fits.empty() || is_determined()) return "";
    std::string text;
    for (const auto value : fits)
        text += (text.empty() ? "" : key->choices.empty() ? " to " : " or ") + key->value_text(value);
    return text;
}

card_findings find_card(const card_model& model, const card_figures& card, machine_config& found)
{
    return card_search(model, card, found).find(found);
}

} // namespace isbesim::testbench
