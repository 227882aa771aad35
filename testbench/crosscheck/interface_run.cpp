// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/interface_run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
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
#include "testbench/crosscheck/oracle.h"
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

namespace isbesim::testbench {

namespace {

using byte = unsigned char;

/// A plain access to some bytes; some may be disabled.
struct memory_access {
    bool write = false;
    std::uint64_t address = 0;
    std::vector<byte> data;
    std::vector<byte> enables; ///< empty: all

    bool enabled(std::size_t i) const { return enables.empty() || enables[i % enables.size()] == TLM_BYTE_ENABLED; }
    void fill(tlm::tlm_generic_payload& payload, std::vector<byte>& bytes)
    {
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(static_cast<unsigned>(bytes.size()));
        payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
        payload.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
        payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        payload.set_gp_option(tlm::TLM_FULL_PAYLOAD);
    }
};

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
          c_(config),
          lt_("lt", config, clock),
          at_("at", config, clock),
          checker_("checker", clock),
          benches_("bench", protocol_cases().size())
    {
        using style = warp_initiator::style;
        for (const auto& [how, module] : {std::pair{style::loosely_timed, "lt_initiator"},
                                          {style::approximately_timed, "at_initiator"},
                                          {style::decoupled, "decoupled_initiator"}})
            initiators_.push_back(std::make_unique<initiator_run>(module, how, config, clock, seed));
        to_lt_.bind(*this);
        to_at_.bind(*this);
        to_lt_.bind(lt_.ports[0]);
        to_at_.bind(checker_.target);
        checker_.initiator.bind(at_.ports[0]);
        ISBESIM_HAS_PROCESS(interface_run);
        SC_THREAD(act);
    }
    const interface_outcome& outcome() const { return outcome_; }

private:
    void act()
    {
        guard_process([this] { run(); });
    }

    void run()
    {
        for (unsigned i = 0; i < 20 && !failed(); ++i) { // while LT grants it
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
    }

    /// The checker is silent about AT, and reports what it has to; then AT and LT refuse what they have to.
    void check_protocol()
    {
        if (checker_.violation_count() != 0)
            fail("AT breaks the protocol, other", "  " + checker_.violations()[0].describe() + "\n");
        for (std::size_t i = 0; i < protocol_cases().size() && !failed(); ++i)
            if (const auto text = wrong_report(protocol_cases()[i], benches_[i]); !text.empty())
                fail("the protocol checker reports, other", text);
        const auto warnings =
            sc_core::sc_report_handler::set_actions("/isbesim/isbe", sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
        for (const auto& each : refusal_cases())
            for (auto* const socket : {&to_lt_, &to_at_})
                if (!failed()) refuse(each, *socket);
        sc_core::sc_report_handler::set_actions("/isbesim/isbe", sc_core::SC_WARNING, warnings);
    }

    void refuse(const refusal_case& each, tlm::tlm_initiator_socket<>& socket)
    {
        const char* const who = &socket == &to_lt_ ? "LT" : "AT";
        auto& operation = pool_.acquire();
        auto& extension = payload_pool::extension(operation);
        extension.op = warp_op{};
        tlm::tlm_generic_payload plain(&pool_);
        memory_access access;
        access.data.resize(8);
        access.fill(plain, access.data);
        auto& payload = each.operation ? operation : plain;
        each.change(payload, extension.op);
        const auto refused = [&](tlm::tlm_sync_enum answer) {
            if (payload.get_response_status() != each.status || answer != tlm::TLM_COMPLETED)
                fail(std::string(who) + " takes a payload, other",
                     std::string("  with ") + each.name + ": " + payload.get_response_string() + "\n");
            payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        };
        sc_core::sc_time delay;
        socket->b_transport(payload, delay);
        refused(tlm::TLM_COMPLETED);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        refused(socket->nb_transport_fw(payload, phase, delay));
        if (each.operation && socket->transport_dbg(payload) != 0)
            fail(std::string(who) + " copies bytes of an operation, other", "");
        operation.release();
    }

    bool failed() const { return !outcome_.mismatch_report.empty(); }
    void fail(const std::string& kind, const std::string& text)
    {
        if (!failed()) outcome_.mismatch_report = kind + " than the oracle\n" + text;
    }
    void compare(const char* who, const warp_op& op, const warp_result& expected, const warp_result& got)
    {
        if (got.data == expected.data && got.status == expected.status && got.error == expected.error &&
            got.passes == expected.passes)
            return;
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

    /// Section 5.5, L.
    std::uint64_t latency_of(opcode op) const
    {
        switch (op) {
        case opcode::ald:
        case opcode::isberd:
            return config_.pipeline_latency;
        case opcode::al2p:
            return config_.al2p_latency;
        case opcode::out:
            return config_.out_latency;
        default:
            return config_.write_latency;
        }
    }

    /// The operations of a burst reach LT in one cycle, the others one after the other. LT's times are those of section
    /// 5 for one port whose requests are all accepted at once.
    void execute(const std::vector<warp_op>& burst)
    {
        const auto begin = clock_.now();
        std::uint64_t engine = 0, last = begin;
        std::vector<std::uint64_t> grants, responses;
        const bool ahead = random_.chance(10); // in time: such calls cost 1 + P + L
        for (const auto& op : burst) {
            if (failed()) return;
            ++outcome_.operations;
            if (op.op == opcode::bind && op.context < config_.contexts && (op.data[0][0] & 0xfU) != 0)
                shared_ = shared_ || (op.data[0][0] & 0x20U) != 0; // a descriptor of stage 0 has no other bits
            const auto expected = oracle_.execute(op);
            auto& payload = pool_.acquire();
            auto& extension = payload_pool::extension(payload);
            const auto before = ahead ? 1 + random_.below(50) : 0;
            const auto send = [&](tlm::tlm_initiator_socket<>& socket) {
                make_request(payload, extension);
                extension.op = op;
                auto delay = clock_.time(before);
                if (random_.chance(70)) {
                    socket->b_transport(payload, delay);
                } else {
                    tlm::tlm_phase phase = tlm::BEGIN_REQ;
                    if (socket->nb_transport_fw(payload, phase, delay) != tlm::TLM_COMPLETED)
                        fail("LT does not complete a call, other", "");
                }
                return clock_.cycles(delay) - before;
            };
            const auto delay = send(to_lt_);
            compare("LT", op, expected, extension.result);
            const std::size_t depth = config_.response_queue_depth, queue = config_.request_queue_depth;
            const auto n = responses.size();
            const auto alone = expected.passes + 1 + latency_of(op.op);
            const auto interval = std::max<std::uint64_t>(expected.passes, (alone + depth - 1) / depth);
            if (extension.interval != interval) fail("LT has another interval", describe_transaction(n, 0, op));
            if (ahead) {
                compare_cycles("LT", op, alone, delay);
            } else {
                const auto grant = std::max({engine, begin + 1, n >= depth ? responses[n - depth] + 1 : 0});
                grants.push_back(grant);
                engine = grant + expected.passes;
                last = std::max(engine + latency_of(op.op), last + 1);
                responses.push_back(last);
                compare_cycles("LT", op, last - begin, delay);
                const auto next = std::max(begin, n + 1 >= queue ? grants[n + 1 - queue] : 0) + 1;
                if (extension.next_request != next)
                    fail("LT takes the next request, other", describe_transaction(n, 0, op));
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
        for (std::size_t i = 0; i < burst.size() && !failed(); ++i) {
            auto& payload = pool_.acquire();
            auto& extension = payload_pool::extension(payload);
            make_request(payload, extension);
            extension.op = burst[i];
            sc_core::sc_time delay;
            const auto sent = clock_.now();
            to_at_->b_transport(payload, delay);
            compare("AT", burst[i], expected_[i], extension.result);
            compare_cycles("AT", burst[i], 1 + expected_[i].passes + latency_of(burst[i].op), clock_.now() - sent);
            payload.release();
        }
        expected_.clear();
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
        const auto from = oracle_.flag.begin() +
                          static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(address / 4, oracle_.flag.size()));
        const auto found = std::find(from, oracle_.flag.end(), true);
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
            switch (random_.below(4)) {
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
        const auto at =
            static_cast<std::size_t>(std::mismatch(got.begin(), got.end(), expected.begin()).first - got.begin());
        fail(std::string(who) + " has other data",
             "  byte " + std::to_string(at) + " from " + std::to_string(access.address) + ": expected " +
                 std::to_string(expected[at]) + ", got " + std::to_string(got[at]) + "\n");
    }

    /// Its operations, which LT and AT execute one after the other: for each line its whole words, then its other
    /// bytes, 32 at a time. Returns 1 + the passes of all + L.
    std::uint64_t cycles_of(const memory_access& access, unsigned& operations)
    {
        oracle passes(config_); // of storage words; the data do not matter
        std::uint64_t sum = 0;
        operations = 0;
        const auto execute = [&](warp_op& op) {
            if (op.lanes == 0) return;
            ++operations;
            sum += passes.execute(op).passes;
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
            std::vector<word> single;
            for (unsigned i = 0; i < warp_lanes; ++i) {
                std::vector<word> on;
                for (unsigned b = 0; b < 4; ++b) {
                    const auto at = line * line_bytes + 4 * i + b;
                    if (at >= access.address && at < end && access.enabled(at - access.address))
                        on.push_back(static_cast<word>(at));
                }
                if (on.empty()) continue;
                words.address[i] = on.front() & ~word{3};
                if (on.size() == 4 || !access.write)
                    words.lanes |= lane_mask{1} << i;
                else
                    single.insert(single.end(), on.begin(), on.end());
            }
            execute(words);
            for (std::size_t i = 0; i < single.size(); ++i) {
                bytes.address[i % warp_lanes] = single[i];
                bytes.lanes |= lane_mask{1} << i % warp_lanes;
                if (i % warp_lanes == warp_lanes - 1 || i + 1 == single.size()) execute(bytes);
            }
        }
        if (operations == 0) sum = operations = 1; // nothing is enabled: an empty pass
        return 1 + sum + (access.write ? config_.write_latency : config_.pipeline_latency);
    }

    void plain(memory_access& access)
    {
        const bool inside = access.address + access.data.size() <= oracle_.memory.size();
        const auto expected = inside ? expect(access) : access.data;
        unsigned operations = 0;
        const auto cycles = inside ? cycles_of(access, operations) : 0;
        for (const bool loosely : {true, false}) {
            const char* const who = loosely ? "a plain access to LT" : "a plain access to AT";
            auto bytes = access.data;
            tlm::tlm_generic_payload payload;
            access.fill(payload, bytes);
            sc_core::sc_time delay;
            const auto begin = clock_.now();
            (loosely ? to_lt_ : to_at_)->b_transport(payload, delay);
            sc_core::wait(delay);
            const auto status = inside ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
            if (payload.get_response_status() != status)
                return fail(std::string(who) + " has another response status", payload.get_response_string() + "\n");
            compare_bytes(who, access, expected, bytes);
            if (payload.is_dmi_allowed() != (loosely && inside && !shared_))
                fail(std::string(who) + " has another hint of direct memory", "");
            if (clock_.now() - begin != cycles && (loosely || operations == 1 || !inside))
                fail(std::string(who) + " takes " + std::to_string(clock_.now() - begin) + " cycles, " +
                         std::to_string(cycles) + " by section 5, other",
                     "");
            if (loosely) sc_core::wait(clock_.time(1));
        }
        if (inside) write_c(access);
    }

    /// The C interface has whole words only: those of an access get the oracle's values.
    void write_c(const memory_access& access)
    {
        if (!access.write) return;
        const auto end = std::min<std::uint64_t>(access.address + access.data.size(), oracle_.memory.size());
        for (auto at = access.address / 4 * 4; at < end; at += 4) {
            bool any = false;
            word value = 0;
            for (unsigned b = 0; b < 4; ++b) {
                value |= word{oracle_.memory[at + b]} << 8 * b;
                any = any || (at + b >= access.address && at + b < end && access.enabled(at + b - access.address));
            }
            if (any && isbesim_write_storage(c_.get(), static_cast<word>(at), &value, 1) != ISBESIM_OK)
                fail("the C interface refuses a word, other", isbesim_error(c_.get()));
        }
    }

    void debug(memory_access& access)
    {
        const auto expected = expect(access);
        const auto count = access.address >= oracle_.memory.size()
                               ? 0
                               : std::min<std::uint64_t>(access.data.size(), oracle_.memory.size() - access.address);
        for (const bool loosely : {true, false}) {
            const char* const who = loosely ? "debug transport to LT" : "debug transport to AT";
            auto bytes = access.data;
            tlm::tlm_generic_payload payload;
            access.fill(payload, bytes);
            const auto done = (loosely ? to_lt_ : to_at_)->transport_dbg(payload);
            if (done != count) return fail(std::string(who) + " copies another number of bytes", "");
            if (payload.get_gp_option() != tlm::TLM_FULL_PAYLOAD_ACCEPTED)
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
        if (to_at_->get_direct_mem_ptr(payload, dmi)) return fail("AT grants direct memory, other", "");
        const bool granted = to_lt_->get_direct_mem_ptr(payload, dmi);
        if (granted != (inside && !shared_))
            return fail(std::string("LT ") + (granted ? "grants" : "refuses") + " direct memory, other", "");
        if (shared_ && !invalidated_) return fail("LT leaves direct memory valid, other", "");
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
        byte* const at = dmi.get_dmi_ptr() + access.address;
        if (access.write)
            std::memcpy(at, bytes.data(), bytes.size());
        else
            std::memcpy(bytes.data(), at, bytes.size());
        compare_bytes("direct memory of LT", access, expected, bytes);
        if (!access.write) return;
        access.fill(payload, bytes);
        to_at_->transport_dbg(payload);
        write_c(access);
    }

    /// Many reads in one call, which LT carries out unless one of them ends beyond the storage.
    void read_block()
    {
        block_read block;
        std::vector<std::array<word, warp_lanes>> words(1 + random_.below(5));
        const auto storage = static_cast<word>(oracle_.memory.size());
        bool inside = true;
        std::uint64_t passes = 0;
        std::vector<warp_result> expected;
        for (auto& to : words) {
            run_read run;
            run.lanes = random_lanes(random_);
            if (run.lanes == 0) run.lanes = 1;
            const auto bytes = 4 * (warp_lanes - static_cast<word>(__builtin_clz(run.lanes)));
            run.address = random_.chance(30) ? storage - bytes : random_.below((storage - bytes) / 4 + 1) * 4;
            if (random_.chance(5)) run.address = storage - bytes + 4;
            run.to = to.data();
            inside = inside && run.address + bytes <= storage;
            warp_op op;
            make_read(run, op);
            expected.push_back(oracle_.execute(op));
            passes += expected.back().passes;
            block.runs.push_back(run);
        }
        auto& payload = pool_.acquire();
        make_read(block.runs.front(), payload_pool::extension(payload).op);
        payload.set_extension(&block);
        auto delay = clock_.time(1);
        to_lt_->b_transport(payload, delay);
        payload.clear_extension(&block);
        payload.release();
        const std::uint64_t depth = config_.response_queue_depth, unloaded = 1 + config_.pipeline_latency;
        const auto cycles = std::max(unloaded + passes, (passes + block.runs.size() * unloaded + depth - 1) / depth);
        if (block.passes != (inside ? passes : 0) || (inside && delay != clock_.time(1 + cycles)))
            return fail("LT takes a block of reads, other", "");
        for (std::size_t i = 0; inside && i < words.size(); ++i)
            for (unsigned lane = 0; lane < warp_lanes; ++lane)
                if ((block.runs[i].lanes >> lane & 1U) != 0 && words[i][lane] != expected[i].data[0][lane])
                    return fail("LT has other words of a block", "");
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
        for (std::size_t i = 0; i < oracle_.flag.size(); ++i) {
            const auto index = static_cast<word>(i);
            if (lt_.core().storage().overwritten(index) != oracle_.flag[i])
                return fail("LT has another overwritten bit", "  of word " + std::to_string(i) + "\n");
            if (at_.core().storage().overwritten(index) != oracle_.flag[i])
                return fail("AT has another overwritten bit", "  of word " + std::to_string(i) + "\n");
        }
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override { invalidated_ = true; }

    isbe_config config_;
    cycle_clock clock_;
    random_numbers random_;
    traffic_source& source_;
    oracle oracle_;
    c_model c_;
    isbe_lt lt_;
    isbe_at at_;
    tlm::tlm_initiator_socket<> to_lt_{"to_lt"}, to_at_{"to_at"};
    protocol_checker checker_; ///< before AT
    sc_core::sc_vector<checker_bench> benches_;
    std::vector<std::unique_ptr<initiator_run>> initiators_;
    payload_pool pool_;
    static constexpr std::size_t longest_burst = 40, initiator_operations = 500;
    std::vector<warp_op> first_;        ///< operations
    std::vector<warp_result> expected_; ///< of the burst
    bool shared_ = false;               ///< a context has had shared spaces
    bool invalidated_ = false;
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
