// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/interface_run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <boost/json/serialize.hpp>
#include <systemc>
#include <tlm>

#include "models/attribute/layout.h"
#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "testbench/c_interface/isbesim.h"
#include "testbench/c_interface/request_values.h"
#include "testbench/crosscheck/initiator_run.h"
#include "testbench/crosscheck/memory_access.h"
#include "testbench/crosscheck/oracle.h"
#include "testbench/crosscheck/page_times.h"
#include "testbench/crosscheck/protocol_cases.h"
#include "testbench/crosscheck/refusals.h"
#include "testbench/crosscheck/traffic/random_numbers.h"
#include "testbench/crosscheck/traffic/random_operation.h"
#include "testbench/rtl/mismatch_report.h"
#include "testbench/system/config.h"
#include "tlm/block_read.h"
#include "tlm/clock.h"
#include "tlm/has_process.h"
#include "tlm/payload_pool.h"
#include "tlm/process_guard.h"
#include "tlm/protocol_checker.h"
#include "tlm/warp_fields.h"

namespace isbesim::testbench {

namespace {

/// The C interface of a machine.
class c_model {
public:
    explicit c_model(const isbe_config& config)
    {
        machine_config machine;
        machine.isbe = config;
        std::array<char, 512> error{};
        model_ = isbesim_create(boost::json::serialize(config_to_json(machine)).c_str(), error.data(), error.size());
        if (model_ == nullptr) throw std::runtime_error(error.data());
    }
    ~c_model() { isbesim_destroy(model_); }
    c_model(const c_model&) = delete;
    c_model& operator=(const c_model&) = delete;
    isbesim_model* get() { return model_; }

private:
    isbesim_model* model_;
};

class interface_run : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
public:
    interface_run(const sc_core::sc_module_name& name, const isbe_config& config, const cycle_clock& clock,
                  std::uint64_t seed, traffic_source& source)
        : sc_module(name),
          config_(config),
          clock_(clock),
          random_(seed),
          source_(source),
          oracle_(config),
          plain_(config),
          c_(config),
          lt_("lt", config, clock),
          at_("at", config, clock),
          to_lt_("to_lt", config.ports),
          to_at_("to_at", config.ports),
          checkers_("checker", config.ports,
                    [&clock](const char* its_name, std::size_t port) {
                        return new protocol_checker(its_name, clock, static_cast<unsigned>(port));
                    }),
          places_(config.ports),
          at_free_(config.ports),
          refusals_(refusal_cases(config.lines * line_bytes)),
          benches_("bench", protocol_cases().size())
    {
        using style = warp_initiator::style;
        for (const auto& [how, module] : {std::pair{style::loosely_timed, "lt_initiator"},
                                          {style::approximately_timed, "at_initiator"},
                                          {style::decoupled, "decoupled_initiator"}})
            initiators_.push_back(std::make_unique<initiator_run>(module, how, config, clock, seed));
        for (unsigned port = 0; port < config.ports; ++port) {
            to_lt_[port].bind(*this);
            to_at_[port].bind(*this);
            to_lt_[port].bind(lt_.ports[port]);
            to_at_[port].bind(checkers_[port].target);
            checkers_[port].initiator.bind(at_.ports[port]);
        }
        ISBESIM_HAS_PROCESS(interface_run);
        SC_THREAD(act);
    }
    const interface_outcome& outcome()
    {
        if (!ended_) fail("AT never answers, other", "");
        return outcome_;
    }

private:
    void act()
    {
        guard_process([this] { run(); });
    }

    void run()
    {
        warp_op unbinds;
        unbinds.op = opcode::bind;
        unbinds.data[0][0] = 0xfffffff0U; // stage 0: no other bit has a meaning
        execute({unbinds});
        for (unsigned i = 0; i < 20 && !failed(); ++i) { // before a descriptor with shared spaces ends the grants
            auto access = random_access();
            direct(access);
        }
        std::vector<warp_op> burst;
        const traffic_item* item = nullptr;
        while (!failed() && (item = source_.draw(0)) != nullptr) {
            burst.push_back(item->op);
            if (first_.size() < initiator_operations) first_.push_back(item->op);
            if (burst.size() < longest_burst && random_.chance(90)) continue;
            execute(burst);
            burst.clear();
            access_memory();
        }
        if (!failed()) execute(burst);
        if (!failed()) compare_all();
        check_protocol();
        for (const auto& each : initiators_)
            if (!failed())
                if (const auto text = each->run(first_); !text.empty()) outcome_.mismatch_report = text;
        outcome_.cycles = clock_.now();
        ended_ = true;
    }

    /// The checker finds no violation of AT and reports each planted one; LT and AT refuse every invalid request.
    void check_protocol()
    {
        for (auto& checker : checkers_)
            if (checker.violation_count() != 0)
                fail("AT breaks the protocol, other", "  " + checker.violations()[0].describe() + "\n");
        for (std::size_t i = 0; i < protocol_cases().size() && !failed(); ++i)
            if (const auto text = wrong_report(protocol_cases()[i], benches_[i]); !text.empty())
                fail("the protocol checker reports, other", text);
        using handler = sc_core::sc_report_handler;
        constexpr const char* reports = "/isbesim/isbe";
        const auto warnings = handler::set_actions(reports, sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
        const auto errors = handler::set_actions(reports, sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
        for (auto* const sockets : {&to_lt_, &to_at_}) {
            auto& socket = (*sockets)[any_port()];
            const bool loosely = sockets == &to_lt_;
            const auto fail_of = [&](const std::string& kind, const std::string& text) {
                fail((loosely ? "LT " : "AT ") + kind, text);
            };
            for (const auto& each : refusals_)
                if (!failed()) check_refusal(each, socket, pool_, fail_of);
            if (!failed()) check_calls_without_effect(socket, loosely, fail_of);
        }
        handler::set_actions(reports, sc_core::SC_WARNING, warnings);
        handler::set_actions(reports, sc_core::SC_ERROR, errors);
    }

    unsigned any_port() { return random_.below(config_.ports); }
    bool failed() const { return !outcome_.mismatch_report.empty(); }
    void fail(const std::string& kind, const std::string& text)
    {
        if (!failed()) outcome_.mismatch_report = kind + " than the oracle\n" + text;
    }
    void compare(const char* who, const warp_op& op, const warp_result& expected, const warp_result& got)
    {
        if (got == expected) return;
        fail(std::string(who) + " answers with " + different_parts(expected, got),
             describe_transaction(outcome_.operations, 0, op) + describe_difference(op, expected, got));
    }
    void compare_cycles(const char* who, const warp_op& op, std::uint64_t expected, std::uint64_t got)
    {
        if (got != expected)
            fail(std::string(who) + " takes " + std::to_string(got) + " cycles, " + std::to_string(expected) +
                     " by section 5, other",
                 describe_transaction(outcome_.operations, 0, op));
    }

    /// The result of an operation that LT and AT carry out; counts its passes.
    warp_result expect(oracle& by, const warp_op& op)
    {
        auto result = by.execute(op);
        ++operations_;
        passes_ += result.passes;
        return result;
    }

    /// isbe_extension::busy_until: the end of the passes so far, or of the work that is in the places of the port.
    std::uint64_t busy_until(unsigned port, std::uint64_t passes, std::uint64_t work)
    {
        const auto now = clock_.now(), depth = std::uint64_t{config_.response_queue_depth};
        engine_until_ = std::max(engine_until_, now) + passes;
        places_[port] = std::max(places_[port], now * depth) + work;
        return std::max(engine_until_, places_[port] / depth);
    }

    struct lt_port {
        std::vector<std::uint64_t> grants, responses;
        std::uint64_t engine = 0, last = 0;
    };

    /// The operations of a burst reach LT in one cycle, the others one after the other. LT's times are those of section
    /// 5 for a port whose requests are all accepted at once; another port's calls before take their passes only.
    void execute(const std::vector<warp_op>& burst)
    {
        const auto begin = clock_.now();
        std::uint64_t turn = begin + 1, last = begin;
        std::vector<lt_port> ports(config_.ports);
        for (auto& port : ports) port.last = begin;
        const bool ahead = random_.chance(10); // of simulated time: such calls cost 1 + P + L
        for (const auto& op : burst) {
            if (failed()) return;
            ++outcome_.operations;
            if (op.op == opcode::bind && op.context < config_.contexts && (op.data[0][0] & 0xfU) != 0)
                shared_ = shared_ || (op.data[0][0] & 0x20U) != 0; // a descriptor of stage 0 has no other bits
            const auto expected = expect(oracle_, op);
            auto& payload = pool_.acquire();
            auto& extension = payload_pool::extension(payload);
            const auto before = ahead ? 1 + random_.below(50) : 0;
            const auto port = any_port();
            auto& timeline = ports[port];
            make_request(payload, extension);
            extension.op = op;
            const auto delay = call_lt(port, payload, before);
            compare("LT", op, expected, extension.result);
            const std::size_t depth = config_.response_queue_depth, queue = config_.request_queue_depth;
            const auto n = timeline.responses.size();
            const auto alone = expected.passes + 1 + latency_of(config_, op.op);
            const auto interval = std::max<std::uint64_t>(expected.passes, (alone + depth - 1) / depth);
            if (extension.interval != interval) fail("LT has another interval", describe_transaction(n, 0, op));
            if (extension.busy_until != busy_until(port, expected.passes, alone))
                fail("LT is busy until another cycle", describe_transaction(n, port, op));
            if (ahead) {
                compare_cycles("LT", op, alone, delay);
            } else {
                const auto grant =
                    std::max({turn, timeline.engine, n >= depth ? timeline.responses[n - depth] + 1 : 0});
                timeline.grants.push_back(grant);
                timeline.engine = grant + expected.passes;
                turn += expected.passes;
                timeline.last = std::max(timeline.engine + latency_of(config_, op.op), timeline.last + 1);
                last = std::max(last, timeline.last);
                timeline.responses.push_back(timeline.last);
                compare_cycles("LT", op, timeline.last - begin, delay);
                const auto next = std::max(begin, n + 1 >= queue ? timeline.grants[n + 1 - queue] : 0) + 1;
                if (extension.next_request != next)
                    fail("LT takes the next request, other", describe_transaction(n, port, op));
            }

            isbesim_request request{};
            isbesim_response response{};
            write_request(op, request);
            warp_result result;
            if (isbesim_execute(c_.get(), &request, &response) != ISBESIM_OK)
                fail("the C interface refuses an operation, other", isbesim_error(c_.get()));
            read_response(response, result);
            compare("the C interface", op, expected, result);
            payload.release();
            expected_.push_back(expected);
        }
        sc_core::wait(clock_.time(last - begin + 1));
        for (std::size_t i = 0; i < burst.size() && !failed(); ++i) execute_at(burst[i], expected_[i]);
        expected_.clear();
    }

    void execute_at(const warp_op& op, const warp_result& expected)
    {
        auto& payload = pool_.acquire();
        auto& extension = payload_pool::extension(payload);
        make_request(payload, extension);
        extension.op = op;
        const auto cycles = call_at(payload, {expected.passes}, latency_of(config_, op.op));
        compare("AT", op, expected, extension.result);
        compare_cycles("AT", op, cycles.by_page, cycles.taken);
        payload.release();
    }

    /// Two requests in one cycle, which the base protocol allows: the channel takes the second in the next cycle.
    void request_twice()
    {
        const auto port = any_port();
        auto& socket = to_at_[port];
        if (at_free_[port] > clock_.now()) sc_core::wait(clock_.time(at_free_[port] - clock_.now()));
        const auto begin = clock_.now();
        std::array<tlm::tlm_generic_payload*, 2> payloads{};
        std::array<warp_result, 2> expected;
        end_ = ending::completed;
        hold_ = 0;
        accepted_ = false;
        for (unsigned i = 0; i < 2; ++i) {
            warp_op op;
            make_read({4 * i, 4, random_lanes(random_) | 1U, nullptr}, op);
            expected[i] = expect(oracle_, op);
            payloads[i] = &pool_.acquire();
            payload_pool::extension(*payloads[i]).op = op;
            call_lt(port, *payloads[i], 1); // LT counts the operation, too
            busy_until(port, expected[i].passes, expected[i].passes + 1 + config_.pipeline_latency);
            make_request(*payloads[i], payload_pool::extension(*payloads[i]));
            sc_core::sc_time delay;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            if (socket->nb_transport_fw(*payloads[i], phase, delay) != (i == 0 ? tlm::TLM_UPDATED : tlm::TLM_ACCEPTED))
                fail("AT takes two requests in a cycle, other", "");
        }
        const auto by_page = end_in_queues(config_, {expected[0].passes, expected[1].passes}, config_.pipeline_latency,
                                           begin, at_free_[port]);
        for (unsigned i = 0; i < 2; ++i) {
            sc_core::wait(responded_);
            const auto& extension = payload_pool::extension(*payloads[i]);
            compare("AT", extension.op, expected[i], extension.result);
            payloads[i]->release();
        }
        if (!accepted_ || clock_.now() != by_page) fail("AT answers two requests of a cycle, other", "");
        at_free_[port] = clock_.now() + 1;
    }

    /// Returns the cycles that the call adds to its delay.
    std::uint64_t call_lt(unsigned port, tlm::tlm_generic_payload& payload, std::uint64_t before)
    {
        auto delay = clock_.time(before);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        const auto way = random_.below(10);
        if (way == 0 && payload.get_extension<isbe_extension>() != nullptr) { // a component between sends a copy
            std::array<byte, warp_data_bytes> data{};
            tlm::tlm_generic_payload copy;
            copy.set_data_ptr(data.data());
            copy.deep_copy_from(payload);
            to_lt_[port]->b_transport(copy, delay);
            payload.update_original_from(copy);
            copy.free_all_extensions();
        } else if (way < 7)
            to_lt_[port]->b_transport(payload, delay);
        else if (to_lt_[port]->nb_transport_fw(payload, phase, delay) != tlm::TLM_COMPLETED)
            fail("LT does not complete a call, other", "");
        return clock_.cycles(delay) - before;
    }

    struct at_cycles {
        std::uint64_t by_page = 0, taken = 0;
    };

    /// A blocking call or one in four phases, each of whose calls may have a delay: the cycles from the end of its
    /// delay to the response, and those that operations with these passes take after the last response of the port,
    /// which may be held.
    at_cycles call_at(tlm::tlm_generic_payload& payload, const std::vector<std::uint64_t>& passes,
                      std::uint64_t latency)
    {
        const auto port = any_port();
        auto& socket = to_at_[port];
        const bool blocking = random_.chance(50);
        // Later calls of this path must not overtake a delay that was announced before.
        if (!blocking && at_free_[port] > clock_.now()) sc_core::wait(clock_.time(at_free_[port] - clock_.now()));
        const auto before = random_.chance(20) ? random_.below(30) : 0;
        const auto begin = clock_.now() + before;
        const auto by_page = passes.empty() ? begin : end_in_queues(config_, passes, latency, begin, at_free_[port]);
        auto delay = clock_.time(before);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        if (blocking) {
            socket->b_transport(payload, delay);
            if (delay != sc_core::SC_ZERO_TIME) fail("AT leaves a delay, other", "");
            at_free_[port] = std::max(at_free_[port], clock_.now() + 1);
            return {by_page - begin, clock_.now() - begin};
        }
        end_ = static_cast<ending>(random_.below(3));
        hold_ = random_.chance(30) ? random_.below(100) : 0;
        accepted_ = false;
        const auto status = socket->nb_transport_fw(payload, phase, delay);
        if (status == tlm::TLM_COMPLETED) { // refused
            sc_core::wait(clock_.time(before));
            return {};
        }
        accepted_ = accepted_ || (status == tlm::TLM_UPDATED && phase == tlm::END_REQ);
        if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
            fail("AT sets the response status before the response, other", "");
        sc_core::wait(responded_);
        if (!accepted_) fail("AT answers before it accepts, other", "");
        const auto end = clock_.now();
        at_free_[port] = end + hold_ + 1;
        delay = clock_.time(hold_);
        phase = tlm::END_RESP;
        if (end_ == ending::call) socket->nb_transport_fw(payload, phase, delay);
        return {by_page - begin, end - begin};
    }

    // ---- memory

    memory_access random_access()
    {
        const auto bytes = std::uint64_t{config_.lines} * line_bytes;
        constexpr std::array<unsigned, 6> longest{1, 4, 8, 128, 300, 1};
        memory_access access;
        access.write = random_.chance(50);
        access.data.resize(1 + random_.below(longest[random_.below(6)]));
        access.address = random_.below(static_cast<word>(bytes));
        if (random_.chance(20)) access.address = bytes - std::min<std::uint64_t>(bytes, random_.below(200));
        if (random_.chance(50)) access.address &= ~std::uint64_t{3};
        if (random_.chance(5)) access.address = bytes; // the first byte past the end
        if (random_.chance(40)) access.address = flagged_byte(access.address);
        if (random_.chance(50)) access.data.resize((access.data.size() + 3) / 4 * 4);
        if (random_.chance(5)) access.address = bytes - std::min<std::uint64_t>(bytes, access.data.size());
        for (auto& each : access.data) each = static_cast<byte>(random_.bits());
        if (random_.chance(40)) {
            access.enables.resize(1 + random_.below(9));
            for (auto& each : access.enables)
                each = random_.chance(60) ? byte{TLM_BYTE_ENABLED} : byte{TLM_BYTE_DISABLED};
        }
        return access;
    }

    /// A byte of the next word that is overwritten; the same byte if no word is.
    std::uint64_t flagged_byte(std::uint64_t address) const
    {
        const auto begin = oracle_.flag.begin() +
                           static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(address / 4, oracle_.flag.size()));
        const auto found = std::find(begin, oracle_.flag.end(), true);
        return found == oracle_.flag.end() ? address
                                           : static_cast<std::uint64_t>(found - oracle_.flag.begin()) * 4 + address % 4;
    }

    /// A write to any byte of a word clears its bit (section 4.7).
    void write_oracle(std::uint64_t address, byte value)
    {
        oracle_.memory[address] = value;
        oracle_.flag[address / 4] = false;
    }

    void access_memory()
    {
        for (auto left = random_.below(4); left > 0 && !failed(); --left) {
            ++outcome_.accesses;
            auto access = random_access();
            switch (random_.below(5)) {
            case 4:
                request_twice();
                break;
            case 0:
                plain(access);
                break;
            case 1:
                debug(access);
                break;
            case 2:
                read_block();
                break;
            default:
                direct(access);
                break;
            }
        }
    }

    /// The bytes that a read returns, or the effect of a write, up to the end of the storage.
    std::vector<byte> expect(const memory_access& access)
    {
        auto bytes = access.data;
        for (std::size_t i = 0; i < bytes.size() && access.address + i < oracle_.memory.size(); ++i) {
            if (!access.enabled(i)) continue;
            if (access.write)
                write_oracle(access.address + i, bytes[i]);
            else
                bytes[i] = oracle_.memory[access.address + i];
        }
        return bytes;
    }

    void compare_bytes(const char* who, const memory_access& access, const std::vector<byte>& expected,
                       const std::vector<byte>& got)
    {
        if (got == expected) return;
        const auto place =
            static_cast<std::size_t>(std::mismatch(got.begin(), got.end(), expected.begin()).first - got.begin());
        fail(std::string(who) + " has other data",
             "  byte " + std::to_string(place) + " from " + std::to_string(access.address) + ": expected " +
                 std::to_string(expected[place]) + ", got " + std::to_string(got[place]) + "\n");
    }

    /// The passes of its operations (raw_access.h).
    std::vector<std::uint64_t> passes_of(const memory_access& access)
    {
        std::vector<std::uint64_t> passes;
        const auto execute = [&](warp_op& op) {
            if (op.lanes == 0) return;
            passes.push_back(expect(plain_, op).passes);
            op.lanes = 0;
        };
        warp_op words, bytes;
        for (auto* const op : {&words, &bytes}) {
            op->op = access.write ? opcode::isbewr : opcode::isberd;
            op->space = access.write ? space::output : space::input;
            op->region = region::physical;
            op->size = op == &words ? 4 : 1;
            op->lanes = 0;
        }
        const auto end = access.address + access.data.size();
        for (auto line = access.address / line_bytes; line * line_bytes < end; ++line) {
            unsigned single = 0;
            for (unsigned i = 0; i < warp_lanes; ++i) {
                std::vector<word> on;
                for (unsigned b = 0; b < 4; ++b) {
                    const auto byte_address = line * line_bytes + 4 * i + b;
                    if (byte_address >= access.address && byte_address < end &&
                        access.enabled(byte_address - access.address))
                        on.push_back(static_cast<word>(byte_address));
                }
                if (on.empty()) continue;
                words.address[i] = on.front() & ~word{3};
                if (on.size() == 4 || !access.write) {
                    words.lanes |= lane_mask{1} << i;
                    continue;
                }
                for (const word byte_address : on) {
                    bytes.address[single] = byte_address;
                    bytes.lanes |= lane_mask{1} << single;
                    single = (single + 1) % warp_lanes;
                    if (single == 0) execute(bytes);
                }
            }
            execute(words);
            execute(bytes);
        }
        if (passes.empty()) passes.push_back(expect(plain_, words).passes); // nothing is enabled: an empty pass
        return passes;
    }

    void plain(memory_access& access)
    {
        const bool inside = access.address + access.data.size() <= oracle_.memory.size();
        const auto expected = inside ? expect(access) : access.data;
        const auto passes = inside ? passes_of(access) : std::vector<std::uint64_t>{};
        const auto latency = access.write ? config_.write_latency : config_.pipeline_latency;
        const auto sum = std::accumulate(passes.begin(), passes.end(), std::uint64_t{1} + latency);
        for (const bool loosely : {true, false}) {
            const char* const who = loosely ? "a plain access to LT" : "a plain access to AT";
            auto bytes = access.data;
            auto& payload = pool_.acquire(); // AT may need it until its response ends
            payload.clear_extension(&payload_pool::extension(payload));
            access.fill(payload, bytes);
            at_cycles cycles;
            if (loosely)
                cycles = {inside ? sum : 0, call_lt(any_port(), payload, 0)};
            else
                cycles = call_at(payload, passes, latency);
            const auto status = inside ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
            if (payload.get_response_status() != status)
                return fail(std::string(who) + " has another response status", payload.get_response_string() + "\n");
            compare_bytes(who, access, expected, bytes);
            if (payload.is_dmi_allowed() != (loosely && inside && !shared_))
                fail(std::string(who) + " has another hint of direct memory", "");
            if (cycles.taken != cycles.by_page)
                fail(std::string(who) + " takes " + std::to_string(cycles.taken) + " cycles, " +
                         std::to_string(cycles.by_page) + " by section 5, other",
                     "");
            payload.release();
            if (loosely) sc_core::wait(clock_.time(cycles.taken + 1));
        }
        if (inside) write_c(access);
    }

    /// The C interface has whole words only: those of an access get the oracle's values.
    void write_c(const memory_access& access)
    {
        if (!access.write) return;
        const auto end = std::min<std::uint64_t>(access.address + access.data.size(), oracle_.memory.size());
        for (auto address = access.address / 4 * 4; address < end; address += 4) {
            bool any = false;
            word value = 0;
            for (unsigned b = 0; b < 4; ++b) {
                value |= word{oracle_.memory[address + b]} << 8 * b;
                any = any || (address + b >= access.address && address + b < end &&
                              access.enabled(address + b - access.address));
            }
            if (any && isbesim_write_storage(c_.get(), static_cast<word>(address), &value, 1) != ISBESIM_OK)
                fail("the C interface refuses a word, other", isbesim_error(c_.get()));
        }
    }

    void debug(memory_access& access)
    {
        const bool full = random_.chance(80); // otherwise byte enables have no meaning
        const auto whole = access;
        if (!full) access.enables.clear();
        const auto expected = expect(access);
        const auto count = access.address >= oracle_.memory.size()
                               ? 0
                               : std::min<std::uint64_t>(access.data.size(), oracle_.memory.size() - access.address);
        for (const bool loosely : {true, false}) {
            const char* const who = loosely ? "debug transport to LT" : "debug transport to AT";
            auto bytes = access.data;
            tlm::tlm_generic_payload payload;
            auto sent = whole;
            sent.fill(payload, bytes);
            if (!full) payload.set_gp_option(tlm::TLM_MIN_PAYLOAD);
            const auto done = (loosely ? to_lt_ : to_at_)[any_port()]->transport_dbg(payload);
            if (done != count) return fail(std::string(who) + " copies another number of bytes", "");
            if (payload.get_gp_option() != (full ? tlm::TLM_FULL_PAYLOAD_ACCEPTED : tlm::TLM_MIN_PAYLOAD))
                return fail(std::string(who) + " does not accept byte enables, other", "");
            compare_bytes(who, access, expected, bytes);
        }
        write_c(access);
    }

    /// A pointer is granted by LT only, for addresses in the storage, until a context has shared spaces.
    void direct(memory_access& access)
    {
        const bool inside = access.address < oracle_.memory.size();
        tlm::tlm_generic_payload payload;
        access.fill(payload, access.data);
        tlm::tlm_dmi dmi;
        if (to_at_[any_port()]->get_direct_mem_ptr(payload, dmi)) return fail("AT grants direct memory, other", "");
        const bool granted = to_lt_[any_port()]->get_direct_mem_ptr(payload, dmi);
        if (granted != (inside && !shared_))
            return fail(std::string("LT ") + (granted ? "grants" : "refuses") + " direct memory, other", "");
        if (shared_ && invalidated_ != config_.ports) return fail("LT leaves direct memory valid, other", "");
        if (!granted && !shared_ && dmi.get_start_address() != oracle_.memory.size())
            return fail("LT denies another part of direct memory", "");
        if (!granted) return;
        if (dmi.get_read_latency() != clock_.time(2 + config_.pipeline_latency) ||
            dmi.get_write_latency() != clock_.time(2 + config_.write_latency))
            return fail("LT has another latency of direct memory", "");
        if (dmi.get_start_address() != 0 || dmi.get_end_address() != oracle_.memory.size() - 1 ||
            !dmi.is_read_write_allowed())
            return fail("LT grants another part of direct memory", "");
        access.enables.clear();
        access.data.resize(std::min<std::uint64_t>(access.data.size(), oracle_.memory.size() - access.address));
        const auto expected = expect(access);
        auto bytes = access.data;
        byte* const pointer = dmi.get_dmi_ptr() + access.address;
        if (access.write)
            std::memcpy(pointer, bytes.data(), bytes.size());
        else
            std::memcpy(bytes.data(), pointer, bytes.size());
        compare_bytes("direct memory of LT", access, expected, bytes);
        if (!access.write) return;
        access.fill(payload, bytes);
        to_at_[any_port()]->transport_dbg(payload);
        write_c(access);
    }

    /// Many reads in one call. LT carries out all of them, or only the first if one of them ends beyond the storage.
    void read_block()
    {
        block_read block;
        std::vector<std::array<word, warp_lanes>> words(1 + random_.below(5));
        const auto storage = static_cast<word>(oracle_.memory.size());
        bool inside = true;
        for (auto& to : words) {
            run_read run;
            run.lanes = random_lanes(random_);
            if (run.lanes == 0) run.lanes = 1;
            const auto bytes = 4 * (warp_lanes - static_cast<word>(__builtin_clz(run.lanes)));
            run.address = random_.chance(30) ? storage - bytes : random_.below((storage - bytes) / 4 + 1) * 4;
            if (random_.chance(5)) run.address = storage - bytes + 4;
            run.to = to.data();
            inside = inside && run.address + bytes <= storage;
            block.runs.push_back(run);
        }
        std::uint64_t passes = 0;
        std::vector<warp_result> expected;
        for (const auto& run : block.runs) {
            if (!inside && !expected.empty()) break;
            warp_op op;
            make_read(run, op);
            expected.push_back(expect(oracle_, op));
            passes += expected.back().passes;
        }
        auto& payload = pool_.acquire();
        payload_pool::extension(payload).op = warp_op{};
        make_read(block.runs.front(), payload_pool::extension(payload).op);
        payload.set_extension(&block);
        auto delay = clock_.time(1);
        const auto port = any_port();
        to_lt_[port]->b_transport(payload, delay);
        payload.clear_extension(&block);
        const auto busy = payload_pool::extension(payload).busy_until;
        payload.release();
        const std::uint64_t depth = config_.response_queue_depth, unloaded = 1 + config_.pipeline_latency;
        const auto cycles = std::max(unloaded + passes, (passes + expected.size() * unloaded + depth - 1) / depth);
        if (block.passes != (inside ? passes : 0) || delay != clock_.time(1 + cycles) ||
            busy != busy_until(port, passes, passes + expected.size() * unloaded))
            return fail("LT takes a block of reads, other",
                        "  inside " + std::to_string(inside) + ", passes " + std::to_string(block.passes) +
                            ", expected " + std::to_string(passes) + ", delay " + delay.to_string() + ", expected " +
                            clock_.time(1 + cycles).to_string() + ", busy " + std::to_string(busy) + "\n");
        for (std::size_t i = 0; inside && i < words.size(); ++i)
            for (unsigned lane = 0; lane < warp_lanes; ++lane)
                if ((block.runs[i].lanes >> lane & 1U) != 0 && words[i][lane] != expected[i].data[0][lane])
                    return fail("LT has other words of a block", "");
        for (std::size_t i = 0; i < expected.size() && !failed(); ++i) {
            warp_op op;
            make_read(block.runs[i], op);
            execute_at(op, expected[i]);
        }
    }

    /// The modules' counters equal the oracle's, for operations and for the parts of plain accesses.
    void compare_counters()
    {
        using counters = isbe_counters;
        constexpr std::pair<const char*, std::uint64_t counters::*> all[] = {
            {"accesses", &counters::accesses},
            {"passes", &counters::passes},
            {"ideal passes", &counters::ideal_passes},
            {"bank reads", &counters::bank_reads},
            {"bank writes", &counters::bank_writes},
            {"crossbar words", &counters::crossbar_words},
            {"map lookups", &counters::map_lookups},
            {"bytes read", &counters::bytes_read},
            {"bytes written", &counters::bytes_written},
            {"words dropped by the map", &counters::discarded_bmap},
            {"words out of range", &counters::discarded_out_of_range},
            {"lanes that lost bytes", &counters::discarded_patch_conflict},
            {"words without a slot", &counters::discarded_gs_overflow},
            {"words without a state", &counters::discarded_bad_register},
        };
        for (auto* const module : {static_cast<isbe_module*>(&lt_), static_cast<isbe_module*>(&at_)}) {
            std::uint64_t operations = 0, busy = 0;
            for (unsigned port = 0; port < config_.ports; ++port) {
                operations += module->timing(port).operations;
                busy += module->timing(port).busy_cycles;
            }
            if (operations != operations_ || busy != passes_)
                fail(std::string(module->basename()) + " counts other operations or passes of its ports", "");
        }
        for (const auto& [name, counter] : all)
            for (auto* const got : {&lt_.core().counters(), &at_.core().counters()})
                if (got->*counter != oracle_.counters.*counter + plain_.counters.*counter)
                    fail(std::string(got == &lt_.core().counters() ? "LT" : "AT") + " counts other " + name,
                         "  expected " + std::to_string(oracle_.counters.*counter + plain_.counters.*counter) +
                             ", got " + std::to_string(got->*counter) + "\n");
    }

    void compare_all()
    {
        memory_access all;
        all.data.resize(oracle_.memory.size());
        debug(all);
        std::vector<word> words(oracle_.memory.size() / 4);
        isbesim_read_storage(c_.get(), 0, words.data(), static_cast<word>(words.size()));
        std::vector<byte> bytes(oracle_.memory.size());
        std::memcpy(bytes.data(), words.data(), bytes.size()); // little-endian hosts
        compare_bytes("the storage of the C interface", all, oracle_.memory, bytes);
        compare_counters();
        for (std::size_t i = 0; i < oracle_.flag.size(); ++i) {
            const auto index = static_cast<word>(i);
            if (lt_.core().storage().overwritten(index) != oracle_.flag[i])
                return fail("LT has another overwritten bit", "  of word " + std::to_string(i) + "\n");
            if (at_.core().storage().overwritten(index) != oracle_.flag[i])
                return fail("AT has another overwritten bit", "  of word " + std::to_string(i) + "\n");
        }
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        accepted_ = accepted_ || phase == tlm::END_REQ;
        if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
        responded_.notify();
        if (end_ == ending::call) return tlm::TLM_ACCEPTED;
        delay = clock_.time(hold_);
        if (end_ == ending::completed) return tlm::TLM_COMPLETED;
        phase = tlm::END_RESP;
        return tlm::TLM_UPDATED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override
    {
        if (first == 0 && last == oracle_.memory.size() - 1) ++invalidated_;
    }

    isbe_config config_;
    cycle_clock clock_;
    random_numbers random_;
    traffic_source& source_;
    oracle oracle_;
    oracle plain_; ///< passes and counters of plain accesses; its data do not matter
    c_model c_;
    isbe_lt lt_;
    isbe_at at_;
    sc_core::sc_vector<tlm::tlm_initiator_socket<>> to_lt_, to_at_;
    sc_core::sc_vector<protocol_checker> checkers_; ///< before AT
    std::uint64_t engine_until_ = 0;                ///< see busy_until()
    std::vector<std::uint64_t> places_;
    sc_core::sc_event responded_;
    enum class ending : std::uint8_t { call, completed, updated };
    ending end_ = ending::call; ///< how AT's response ends, `hold_` cycles after its beginning
    std::uint64_t hold_ = 0;
    bool accepted_ = false;
    std::vector<std::uint64_t> at_free_; ///< by port, the cycle after the last transfer of a response
    std::uint64_t operations_ = 0, passes_ = 0;
    std::vector<refusal_case> refusals_;
    sc_core::sc_vector<checker_bench> benches_;
    std::vector<std::unique_ptr<initiator_run>> initiators_;
    payload_pool pool_;
    static constexpr std::size_t longest_burst = 40, initiator_operations = 500;
    std::vector<warp_op> first_;        ///< operations
    std::vector<warp_result> expected_; ///< of the burst
    bool shared_ = false;               ///< a context has had shared spaces
    unsigned invalidated_ = 0;          ///< ports
    bool ended_ = false;                ///< otherwise a call still waits
    interface_outcome outcome_;
};

} // namespace

interface_outcome run_interfaces(const isbe_config& config, double clock_ghz, std::uint64_t seed,
                                 traffic_source& source)
{
    interface_run run("interfaces", config, cycle_clock::from_ghz(clock_ghz), seed, source);
    start_simulation();
    return run.outcome();
}

} // namespace isbesim::testbench
