// SPDX-License-Identifier: Apache-2.0
// The speed of everything that can answer a trace, in one run: LT, AT, the bare Verilated RTL, lockstep, and empty TLM
// modules behind the same initiators. Not a test; scripts/bench records the traces and calls it.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <boost/program_options.hpp>
#include <systemc>

#include "testbench/crosscheck/traces/trace.h"
#include "testbench/files/json_text.h"
#include "testbench/rtl/isbe_backend.h"
#include "testbench/rtl/rtl_parameters.h"
#include "tests/bench/bare_rtl.h"
#include "tests/bench/empty_modules.h"
#include "tests/bench/packed_trace.h"
#include "tests/bench/replayers.h"

namespace isbesim::test {
namespace {

/// The host's upper bound: the bytes of a trace moved between storage and payload, and nothing else.
/// A line (128 bytes) for each pass of each operation, from one line of a storage after the other into the payload, or
/// back for stores. No address is worked out, no lane is read, no time passes.
class line_copies {
public:
    void play(const packed_trace& trace)
    {
        warp_op op;
        for (const auto& port : trace.ports)
            for (std::size_t i = 0; i < port.size(); ++i) {
                port.load(i, op);
                for (unsigned pass = 0; pass < port.passes(i); ++pass) {
                    auto& line = storage_[next_++ % storage_.size()];
                    auto& component = payload_[pass % max_components];
                    if (is_store(op.op))
                        std::memcpy(line.data(), op.data[pass % max_components].data(), sizeof line);
                    else
                        std::memcpy(component.data(), line.data(), sizeof line);
                }
                // The compiler must keep unread copies.
                asm volatile("" : : "r"(payload_.data()), "r"(storage_.data()) : "memory");
            }
    }

private:
    std::vector<per_lane<word>> storage_{1024}; ///< the default machine's lines
    std::array<per_lane<word>, max_components> payload_{};
    std::size_t next_ = 0;
};

/// Simulators of other memories, for a sense of scale.
/// Million requests per second of host time, net of start-up, all on one machine in one session, which is not the one
/// that the bench runs on. A request of theirs moves 64 bytes at most, a transaction of ours about 200.
struct peer {
    const char* name;
    double random;
    double sequential;
};
constexpr std::array<peer, 4> peers{{{"DRAMSys 5.5", 0.119, 0.416},
                                     {"DRAMSys 5.5 with its database", 0.036, 0.050},
                                     {"DRAMsim3", 0.125, 0.203},
                                     {"Ramulator 2.1", 0.138, 0.240}}};

namespace po = boost::program_options;
namespace json = boost::json;
using testbench::isbe_instance;

constexpr unsigned ports = 2; // the default machine's

/// Host time of this process: what else runs on the machine counts less than on the wall clock.
double cpu_seconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Something that answers traces.
class contestant {
public:
    contestant(const char* its_name, const char* its_description) : name(its_name), description(its_description) {}
    virtual ~contestant() = default;
    virtual void play(const packed_trace& trace, pace how) = 0;

    const char* name;
    const char* description; ///< what its row covers
};

/// A module per port, or one for all, behind one initiator of ours per port.
template <typename replayer>
class tlm_contestant : public contestant {
public:
    using bind_port = std::function<void(unsigned port, tlm::tlm_initiator_socket<>& socket)>;

    tlm_contestant(const char* its_name, const char* its_description, const cycle_clock& clock, const bind_port& bind)
        : contestant(its_name, its_description)
    {
        for (unsigned port = 0; port < ports; ++port) {
            replayers_.push_back(
                std::make_unique<replayer>((std::string(name) + "_from" + std::to_string(port)).c_str(), clock));
            bind(port, socket_of(*replayers_.back()));
        }
    }
    void play(const packed_trace& trace, pace how) override
    {
        for (unsigned port = 0; port < ports; ++port) replayers_[port]->start(trace.ports[port], how);
        sc_core::sc_start();
        for (const auto& r : replayers_)
            if (!r->finished()) throw std::runtime_error(std::string(name) + " did not answer everything");
    }

private:
    static tlm::tlm_initiator_socket<>& socket_of(at_replayer& r) { return r.initiator.socket; }
    static tlm::tlm_initiator_socket<>& socket_of(lt_replayer& r) { return r.socket; }

    std::vector<std::unique_ptr<replayer>> replayers_;
};

class rtl_contestant : public contestant {
public:
    using contestant::contestant;
    void play(const packed_trace& trace, pace how) override { cycles_ = rtl_.play(trace, how); }
    /// Clock cycles of the last play.
    std::uint64_t cycles() const { return cycles_; }

private:
    bare_rtl rtl_;
    std::uint64_t cycles_ = 0;
};

class copies_contestant : public contestant {
public:
    using contestant::contestant;
    void play(const packed_trace& trace, pace) override { copies_.play(trace); }

private:
    line_copies copies_;
};

/// All of them: one SystemC elaboration.
class arena {
public:
    explicit arena(const isbe_config& config)
        : clock_(sc_core::sc_time(1, sc_core::SC_NS)),
          lt_(instance("lt", config)),
          at_(instance("at", config)),
          lockstep_(instance("lockstep", config))
    {
        for (unsigned port = 0; port < ports; ++port) {
            const auto number = std::to_string(port);
            empty_lt_.push_back(std::make_unique<empty_lt>(("empty_lt" + number).c_str(), clock_.time(24)));
            empty_at_.push_back(std::make_unique<textbook_at>(("empty_at" + number).c_str(), clock_.time(24)));
            lean_at_.push_back(std::make_unique<empty_at>(("lean_at" + number).c_str(), clock_.time(24)));
        }
        const auto to_isbe = [](isbe_instance& isbe) {
            return [&isbe](unsigned port, auto& socket) { socket.bind(isbe.module->ports[port]); };
        };
        const auto to_empty = [](auto& modules) {
            return [&modules](unsigned port, auto& socket) { socket.bind(modules[port]->socket); };
        };
        add<lt_replayer>("lt", "the loosely timed ISBE through b_transport, quantum of 10,000 cycles", to_isbe(lt_));
        add<lt_replayer>("empty_lt", "the same initiators and payload, an empty b_transport", to_empty(empty_lt_));
        add<at_replayer>("at", "the approximately timed ISBE, four phases", to_isbe(at_));
        add<at_replayer>("empty_at",
                         "the same initiators and payload, an empty target: four phases through the stock event queue",
                         to_empty(empty_at_));
        add<at_replayer>("lean_at",
                         "the same with END_REQ in the call and one event a transaction: the fewest four phases can do",
                         to_empty(lean_at_));
        auto rtl = std::make_unique<rtl_contestant>(
            "bare_rtl",
            "the Verilated RTL by itself: pins only, no SystemC, built without waveforms; its data are not looked at");
        rtl_ = rtl.get();
        contestants.push_back(std::move(rtl));
        add<at_replayer>("lockstep",
                         "AT with the RTL beside it, every cycle and word compared (the comparison is part of it)",
                         to_isbe(lockstep_));
        contestants.push_back(std::make_unique<copies_contestant>(
            "copies", "128 bytes copied for each pass, nothing else: what the host could do at best"));
        sc_core::sc_start(sc_core::SC_ZERO_TIME); // threads wait for their first trace now
    }

    std::vector<std::unique_ptr<contestant>> contestants;
    std::uint64_t rtl_cycles() const { return rtl_->cycles(); }
    const testbench::lockstep_totals& totals() const { return lockstep_.comparison->totals(); }
    bool differed() const { return lockstep_.comparison->failed(); }

private:
    isbe_instance instance(const char* backend, const isbe_config& config)
    {
        return testbench::find_isbe_backend(backend)->make((std::string("isbe_") + backend).c_str(), config, clock_,
                                                           testbench::require_rtl_block, nullptr);
    }
    template <typename replayer, typename binder>
    void add(const char* name, const char* description, const binder& bind)
    {
        contestants.push_back(std::make_unique<tlm_contestant<replayer>>(name, description, clock_, bind));
    }

    cycle_clock clock_;
    isbe_instance lt_, at_, lockstep_;
    std::vector<std::unique_ptr<empty_lt>> empty_lt_;
    std::vector<std::unique_ptr<textbook_at>> empty_at_;
    std::vector<std::unique_ptr<empty_at>> lean_at_;
    rtl_contestant* rtl_ = nullptr;
};

/// Required ratios of medians.
struct target {
    const char* row;
    const char* base;
    double at_least;
};
constexpr target targets[] = {
    {"at", "bare_rtl", 5.0}, {"lt", "bare_rtl", 25.0}, {"at", "empty_at", 0.7}, {"lt", "empty_lt", 0.4}};

struct row {
    contestant* who = nullptr;
    std::vector<double> speeds; ///< transactions per second, sorted
    double median() const { return speeds[speeds.size() / 2]; }
};

/// The contestants take turns, so that a slow moment of the machine does not hit one of them alone.
std::vector<row> measure(arena& all, const packed_trace& trace, pace how, unsigned repetitions, const std::string& only)
{
    std::vector<row> rows;
    for (const auto& who : all.contestants)
        if (only.empty() || only == who->name) rows.push_back({who.get(), {}});
    for (unsigned repetition = 0; repetition < repetitions; ++repetition) {
        for (auto& r : rows) {
            // The row before has emptied the caches: a play that does not count fills them with this row's code and
            // with the trace, or the fastest rows would be those that happen to follow another light one.
            r.who->play(trace, how);
            const double begin = cpu_seconds();
            r.who->play(trace, how);
            const double seconds = cpu_seconds() - begin;
            r.speeds.push_back(static_cast<double>(trace.transactions()) / seconds);
        }
    }
    for (auto& r : rows) std::sort(r.speeds.begin(), r.speeds.end());
    return rows;
}

const row* find(const std::vector<row>& rows, const std::string& name)
{
    for (const auto& r : rows)
        if (name == r.who->name) return &r;
    return nullptr;
}

double best_of_peers(bool random)
{
    double best = 0;
    for (const auto& one : peers) best = std::max(best, random ? one.random : one.sequential);
    return best;
}

/// Prints the table, returns it as JSON; `met` becomes false when a target is missed.
json::object tell(const packed_trace& trace, pace how, std::uint64_t rtl_cycles, const std::vector<row>& rows,
                  bool& met)
{
    const char* pace_name = how == pace::back_to_back ? "back to back" : "as recorded";
    std::printf("\n%s, %s: %llu transactions, %llu RTL cycles\n", trace.name.c_str(), pace_name,
                static_cast<unsigned long long>(trace.transactions()), static_cast<unsigned long long>(rtl_cycles));
    std::printf("  %-10s %10s %10s %10s %12s %12s %12s %12s %12s\n", "row", "median M/s", "min", "max", "of bare RTL",
                "of empty AT", "of empty LT", "of copies", "of best peer");
    const bool random = trace.name == "random";
    const double best_peer = best_of_peers(random);
    json::array json_rows;
    for (const auto& r : rows) {
        std::printf("  %-10s %10.3f %10.3f %10.3f", r.who->name, r.median() / 1e6, r.speeds.front() / 1e6,
                    r.speeds.back() / 1e6);
        json::object ratios;
        for (const auto* reference : {"bare_rtl", "empty_at", "empty_lt", "copies"}) {
            const auto* base = find(rows, reference);
            if (base == nullptr) continue;
            std::printf(" %12.3g", r.median() / base->median());
            ratios[reference] = r.median() / base->median();
        }
        std::printf(" %12.3g\n", r.median() / 1e6 / best_peer);
        json_rows.push_back(json::object{{"name", r.who->name},
                                         {"covers", r.who->description},
                                         {"transactions_per_s", r.median()},
                                         {"min", r.speeds.front()},
                                         {"max", r.speeds.back()},
                                         {"ratio", std::move(ratios)}});
    }
    json::array json_targets;
    for (const auto& t : targets) {
        const auto* one = find(rows, t.row);
        const auto* other = find(rows, t.base);
        if (one == nullptr || other == nullptr) continue;
        const double ratio = one->median() / other->median();
        const bool holds = ratio >= t.at_least;
        met = met && holds;
        std::printf("  target: %s at least %g of %s: %.2f, %s\n", t.row, t.at_least, t.base, ratio,
                    holds ? "met" : "missed");
        json_targets.push_back(
            json::object{{"row", t.row}, {"of", t.base}, {"at_least", t.at_least}, {"ratio", ratio}, {"met", holds}});
    }
    return {{"trace", trace.name},
            {"pace", pace_name},
            {"transactions", trace.transactions()},
            {"rtl_cycles", rtl_cycles},
            {"rows", std::move(json_rows)},
            {"targets", std::move(json_targets)}};
}

/// NAME=FILE; the trace must come from the machine that the RTL was compiled for.
packed_trace read(const std::string& argument)
{
    const auto equals = argument.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("'" + argument + "', expected NAME=TRACE");
    auto trace = read_packed_trace(argument.substr(0, equals), argument.substr(equals + 1));
    if (testbench::rtl_parameter_list(trace.config) != testbench::rtl_parameter_list(isbe_config{}))
        throw std::invalid_argument(argument + " was recorded on another machine, expected the default one");
    return trace;
}

int run(int argc, char* argv[])
{
    po::options_description options("isbe_bench NAME=TRACE...: speed of LT, AT, RTL, lockstep and empty TLM modules");
    auto add = options.add_options();
    add("trace", po::value<std::vector<std::string>>(), "NAME=FILE, as --record wrote it; repeatable");
    add("repetitions", po::value<unsigned>()->default_value(5), "measured rounds; medians are printed");
    add("pace", po::value<std::string>()->default_value("both"), "back_to_back, as_recorded or both");
    add("row", po::value<std::string>()->default_value(""), "only this row, for a profiler");
    add("json", po::value<std::string>(), "writes the figures to this file too");
    add("check", "exit status 1 when a target is missed");
    po::positional_options_description positional;
    positional.add("trace", -1);
    po::variables_map given;
    po::store(po::command_line_parser(argc, argv).options(options).positional(positional).run(), given);
    po::notify(given);
    if (given.count("trace") == 0 || given["repetitions"].as<unsigned>() == 0) {
        std::cerr << options;
        return 2;
    }
    const auto pace_name = given["pace"].as<std::string>();
    const auto repetitions = given["repetitions"].as<unsigned>();
    std::vector<packed_trace> traces;
    for (const auto& argument : given["trace"].as<std::vector<std::string>>()) traces.push_back(read(argument));

    arena all{isbe_config{}};
    std::printf("Transactions per second of host CPU time, one core, medians of %u rounds; rows take turns, and each "
                "plays the trace once uncounted before it is timed.\nNo coverage, no statistics beyond the models' own "
                "counters, no trace decoding in any "
                "row.\nback to back: every request as soon as the port takes it. as recorded: in its cycle; "
                "the RTL is not clocked while it is idle.\n",
                repetitions);
    for (const auto& who : all.contestants) std::printf("  %-10s %s\n", who->name, who->description);
    std::printf("Peers: simulators of DRAM, million requests/s (random, sequential), net of start-up, all on one other "
                "machine; of best peer: beside the fastest of them, random for the trace `random`, else sequential.\n");
    for (const auto& one : peers) std::printf("  %-30s %.3f %.3f\n", one.name, one.random, one.sequential);
    json::array tables;
    bool met = true;
    for (const auto& trace : traces) {
        for (const auto how : {pace::back_to_back, pace::as_recorded}) {
            if (pace_name != "both" && (pace_name == "back_to_back") != (how == pace::back_to_back)) continue;
            const auto rows = measure(all, trace, how, repetitions, given["row"].as<std::string>());
            tables.push_back(tell(trace, how, all.rtl_cycles(), rows, met));
        }
    }
    std::printf("\n%s\n", testbench::lockstep_line(all.totals()).c_str());
    if (given.count("json") != 0) {
        std::ofstream file(given["json"].as<std::string>());
        file << testbench::json_text(json::object{{"repetitions", repetitions}, {"tables", std::move(tables)}});
        file.close();
        if (!file) throw std::invalid_argument(given["json"].as<std::string>() + " can't be written");
    }
    if (all.differed()) return 1;
    return given.count("check") != 0 && !met ? 1 : 0;
}

} // namespace
} // namespace isbesim::test

int sc_main(int argc, char* argv[])
{
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    try {
        return isbesim::test::run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "isbe_bench: error: " << error.what() << std::endl;
    }
    return 2;
}
