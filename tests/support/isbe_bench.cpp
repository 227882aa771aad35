// SPDX-License-Identifier: Apache-2.0
#include "tests/support/isbe_bench.h"

#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "testbench/rtl/isbe_rtl.h"
#include "testbench/rtl/rtl_store.h"
#include "tlm/has_process.h"

namespace isbesim::test {

namespace {

constexpr unsigned period_ns = 2; // not 1, so that confusing cycles and times fails

std::unique_ptr<isbe_module> make_back_end(const std::string& name, const isbe_config& config, const cycle_clock& clock)
{
    if (name == "lt") return std::make_unique<isbe_lt>("isbe", config, clock);
    if (name == "at") return std::make_unique<isbe_at>("isbe", config, clock);
    if (name == "rtl")
        return std::make_unique<testbench::isbe_rtl>("isbe", config, clock, testbench::require_rtl_block(config));
    throw std::invalid_argument("no back end " + name);
}

} // namespace

std::vector<std::string> back_ends()
{
    return {"lt", "at"};
}

std::vector<std::string> back_ends_with_rtl()
{
    auto names = back_ends();
    if (!testbench::built_rtl_plugin(isbe_config{}).empty()) names.emplace_back("rtl");
    return names;
}

bool can_build(const std::string& back_end, const isbe_config& config)
{
    return back_end != "rtl" || !testbench::built_rtl_plugin(config).empty();
}

/// Plays one stream through one port.
class isbe_bench::port : public sc_core::sc_module, public warp_initiator::client {
public:
    port(const sc_core::sc_module_name& name, unsigned number, bool loosely_timed, const cycle_clock& clock,
         isbe_module& isbe, unsigned late_deltas)
        : sc_core::sc_module(name),
          clock_(clock),
          late_deltas_(late_deltas),
          initiator_(warp_initiator::make("initiator",
                                          loosely_timed ? warp_initiator::style::loosely_timed
                                                        : warp_initiator::style::approximately_timed,
                                          clock, 2, *this)),
          checker_("checker", clock, number)
    {
        initiator_->socket.bind(checker_.target);
        checker_.initiator.bind(isbe.ports[number]);
        ISBESIM_HAS_PROCESS(port);
        SC_METHOD(send);
        sensitive << send_event_;
        dont_initialize();
    }

    void start(const stream& operations)
    {
        operations_ = &operations;
        next_ = 0;
        origin_ = clock_.now();
        answers_.clear();
        if (!operations.empty()) send_in(sc_core::SC_ZERO_TIME);
    }
    void stop() { operations_ = nullptr; }
    bool idle() const { return operations_ == nullptr || answers_.size() == operations_->size(); }
    std::vector<answer>& answers() { return answers_; }
    protocol_checker& checker() { return checker_; }

private:
    void send_in(const sc_core::sc_time& delay)
    {
        deltas_left_ = late_deltas_;
        send_event_.notify(delay);
    }
    void send()
    {
        if (deltas_left_ != 0) {
            --deltas_left_;
            send_event_.notify(sc_core::SC_ZERO_TIME);
            return;
        }
        while (next_ < operations_->size() && initiator_->can_send()) {
            const stimulus& s = (*operations_)[next_];
            if (origin_ + s.start > clock_.now()) {
                send_in(clock_.until(origin_ + s.start));
                return;
            }
            initiator_->send(s.op, next_++);
        }
    }
    void accepted(std::uint64_t) override { send_in(sc_core::SC_ZERO_TIME); }
    void response(std::uint64_t tag, const warp_op&, const warp_result& result, const transaction_times& times) override
    {
        EXPECT_EQ(tag, answers_.size()) << "responses out of order";
        answers_.push_back({result, {times.begin_request - origin_, times.accept - origin_, times.response - origin_}});
    }
    unsigned response_stall(std::uint64_t tag) override { return (*operations_)[tag].stall; }

    cycle_clock clock_;
    unsigned late_deltas_;
    unsigned deltas_left_ = 0;
    std::unique_ptr<warp_initiator> initiator_;
    protocol_checker checker_;
    const stream* operations_ = nullptr;
    std::size_t next_ = 0;
    std::uint64_t origin_ = 0;
    std::vector<answer> answers_;
    sc_core::sc_event send_event_;
};

isbe_bench::isbe_bench(const std::string& back_end, const isbe_config& config, const std::vector<unsigned>& late_deltas)
    : config_(config),
      clock_(sc_core::sc_time(period_ns, sc_core::SC_NS)),
      isbe_(make_back_end(back_end, config, clock_))
{
    for (unsigned number = 0; number < config.ports; ++number)
        ports_.push_back(std::make_unique<port>(("port" + std::to_string(number)).c_str(), number, back_end == "lt",
                                                clock_, *isbe_, number < late_deltas.size() ? late_deltas[number] : 0));
}

isbe_bench::~isbe_bench()
{
    for (auto& p : ports_) {
        p->checker().finish();
        for (const auto& v : p->checker().violations()) ADD_FAILURE() << p->name() << ": " << v.describe();
    }
}

isbe_core* isbe_bench::core()
{
    if (auto* const at = dynamic_cast<isbe_at*>(isbe_.get())) return &at->core();
    if (auto* const lt = dynamic_cast<isbe_lt*>(isbe_.get())) return &lt->core();
    return nullptr;
}

void isbe_bench::wait_until_idle()
{
    constexpr unsigned step = 1000;
    const auto all_idle = [&] {
        for (const auto& p : ports_)
            if (!p->idle()) return false;
        return true;
    };
    std::uint64_t responded = 0;
    unsigned quiet_steps = 0;
    do {
        sc_core::sc_start(clock_.time(step));
        std::uint64_t now_responded = 0;
        for (const auto& p : ports_) now_responded += p->answers().size();
        quiet_steps = now_responded == responded ? quiet_steps + 1 : 0;
        responded = now_responded;
        if (quiet_steps > 100) throw std::runtime_error("no response for 100000 cycles");
    } while (!all_idle());
}

std::vector<std::vector<answer>> isbe_bench::run(const std::vector<stream>& streams)
{
    for (std::size_t i = 0; i < streams.size(); ++i) ports_.at(i)->start(streams[i]);
    wait_until_idle();
    std::vector<std::vector<answer>> answers;
    for (std::size_t i = 0; i < streams.size(); ++i) answers.push_back(std::move(ports_[i]->answers()));
    for (auto& p : ports_) p->stop();
    return answers;
}

answer isbe_bench::run(const warp_op& op, unsigned port_number)
{
    std::vector<stream> streams(port_number + 1);
    streams[port_number].push_back({op, 0, 0});
    return run(streams)[port_number].front();
}

void isbe_bench::bind(unsigned slot, const context& value)
{
    warp_op op;
    op.op = opcode::bind;
    op.context = static_cast<std::uint16_t>(slot);
    pack_context(value, op);
    ASSERT_EQ(run(op).result.error, op_error::none);
}

/// The RTL has no back door: ordinary operations read and write its storage, which does not affect tests of
/// values.
bool isbe_bench::has_back_door() const
{
    return dynamic_cast<const testbench::isbe_rtl*>(isbe_.get()) == nullptr;
}

std::vector<std::uint8_t> isbe_bench::peek_bytes(word address, unsigned count)
{
    std::vector<std::uint8_t> bytes(count);
    if (!has_back_door()) {
        for (unsigned done = 0; done < count; done += warp_lanes) {
            warp_op op;
            op.op = opcode::isberd;
            op.region = region::physical;
            op.size = 1;
            for (unsigned lane = 0; lane < warp_lanes; ++lane) op.address[lane] = address + done + lane;
            const auto answer = run(op);
            for (unsigned lane = 0; lane < warp_lanes && done + lane < count; ++lane) {
                if (answer.result.status[lane] != lane_status::ok) throw std::out_of_range("peek beyond the storage");
                bytes[done + lane] = static_cast<std::uint8_t>(answer.result.data[0][lane]);
            }
        }
        return bytes;
    }
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(count);
    if (isbe_->ports[0].get_base_export()->transport_dbg(payload) != count)
        throw std::out_of_range("peek beyond the storage");
    return bytes;
}

word isbe_bench::peek(word address)
{
    word value = 0;
    std::memcpy(&value, peek_bytes(address, sizeof value).data(), sizeof value);
    return value;
}

void isbe_bench::poke(word address, word value)
{
    if (!has_back_door()) {
        warp_op op;
        op.op = opcode::isbewr;
        op.space = space::output;
        op.region = region::physical;
        op.size = sizeof value;
        op.lanes = 1;
        op.address[0] = address;
        op.data[0][0] = value;
        if (run(op).result.status[0] != lane_status::ok) throw std::out_of_range("poke beyond the storage");
        return;
    }
    std::array<std::uint8_t, sizeof value> bytes;
    std::memcpy(bytes.data(), &value, sizeof value);
    tlm::tlm_generic_payload payload;
    payload.set_write();
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(sizeof value);
    if (isbe_->ports[0].get_base_export()->transport_dbg(payload) != sizeof value)
        throw std::out_of_range("poke beyond the storage");
}

} // namespace isbesim::test
