#include "models/isbe/isbe_at.h"

#include <algorithm>

#include <tlm_utils/peq_with_cb_and_phase.h>

#include "tlm/payload_extension.h"

namespace isbesim {

namespace {
constexpr const char* report_id = "/isbesim/isbe_at";
} // namespace

/// Calls that arrived with an annotated delay, until their time has come.
class isbe_at::delayed_calls {
public:
    delayed_calls(isbe_at& owner, unsigned port) : owner_(owner), port_(port), queue_(this, &delayed_calls::arrive) {}

    void notify(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay)
    {
        queue_.notify(payload, phase, delay);
    }

private:
    void arrive(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase)
    {
        if (phase == tlm::END_RESP) {
            owner_.end_response(port_, payload);
            return;
        }
        tlm::tlm_phase reply = phase;
        if (owner_.begin_request(port_, payload, reply) == tlm::TLM_UPDATED) {
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            owner_.ports[port_]->nb_transport_bw(payload, reply, delay);
        }
    }

    isbe_at& owner_;
    unsigned port_;
    tlm_utils::peq_with_cb_and_phase<delayed_calls> queue_;
};

isbe_at::isbe_at(const sc_core::sc_module_name& name, const isbe_config& config, const cycle_clock& clock)
    : isbe_module(name, config.ports),
      core_(config),
      clock_(clock),
      scheduler_(core_),
      waiting_(config.ports),
      responding_(config.ports, nullptr)
{
    for (unsigned port = 0; port < config.ports; ++port)
        delayed_.push_back(std::make_unique<delayed_calls>(*this, port));
    SC_HAS_PROCESS(isbe_at);
    SC_METHOD(wake);
    sensitive << wake_event_;
    dont_initialize();
}

isbe_at::~isbe_at() = default;

tlm::tlm_sync_enum isbe_at::forward(unsigned port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                    sc_core::sc_time& delay)
{
    if (phase == tlm::BEGIN_REQ) {
        if (payload.get_extension<isbe_extension>() == nullptr) {
            const tlm::tlm_response_status status = check_raw_access(payload, core_.storage().bytes());
            payload.set_response_status(status);
            if (status != tlm::TLM_OK_RESPONSE) return tlm::TLM_COMPLETED;
            payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        }
        if (delay == sc_core::SC_ZERO_TIME) return begin_request(port, payload, phase);
    } else if (phase == tlm::END_RESP) {
        if (delay == sc_core::SC_ZERO_TIME) {
            end_response(port, payload);
            return tlm::TLM_COMPLETED;
        }
    } else {
        return tlm::TLM_ACCEPTED; // an ignorable phase
    }
    delayed_[port]->notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum isbe_at::begin_request(unsigned port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase)
{
    payload.acquire();
    bool accepted = false;
    if (auto* const extension = payload.get_extension<isbe_extension>()) {
        const std::uint64_t now = clock_.now();
        port_operation operation;
        operation.op = &extension->op;
        operation.result = &extension->result;
        operation.payload = &payload;
        operation.begin = now;
        scheduler_.settle(now);
        if (waiting_[port].empty() && scheduler_.can_accept(port, now)) {
            accept(port, operation, now);
            accepted = true;
        } else {
            waiting_[port].push(operation);
        }
    } else {
        compounds_.push_back(std::make_unique<compound_access>(payload));
        accepted = begin_compound(port, *compounds_.back());
    }
    plan();
    if (!accepted) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

bool isbe_at::begin_compound(unsigned port, compound_access& access)
{
    const std::uint64_t now = clock_.now();
    port_operation operation;
    operation.payload = &access.payload();
    operation.compound = &access;
    operation.begin = now;
    scheduler_.settle(now);
    waiting_[port].push(operation);
    return waiting_[port].size() == 1 && enter(port, now);
}

bool isbe_at::enter(unsigned port, std::uint64_t now)
{
    if (waiting_[port].empty() || !scheduler_.can_accept(port, now)) return false;
    port_operation& operation = waiting_[port].front();
    compound_access* const access = operation.compound;
    if (access == nullptr) {
        accept(port, operation, now);
    } else {
        operation.op = &access->op();
        operation.result = &access->result();
        accept(port, operation, now);
        if (!access->request_done()) {
            operation.begin = now + 1;
            return false;
        }
    }
    waiting_[port].pop();
    return access == nullptr || access->done == nullptr;
}

void isbe_at::accept(unsigned port, port_operation operation, std::uint64_t now)
{
    operation.accept = now;
    operation.id = next_id_++;
    for (transaction_observer* observer : observers()) {
        observer->begin_request(operation.id, port, *operation.op, operation.begin);
        observer->accept(operation.id, port, now);
    }
    scheduler_.accept(port, operation);
}

void isbe_at::respond(unsigned port, const port_operation& operation, std::uint64_t now)
{
    const transaction_times times{operation.begin, operation.accept, now};
    for (transaction_observer* observer : observers())
        observer->response(operation.id, port, *operation.op, *operation.result, times);
    if (compound_access* const access = operation.compound) {
        const bool finished = access->response_done();
        if (!finished || access->done != nullptr) {
            scheduler_.transfer(port, now); // nobody outside sees this response
            if (finished) access->done->notify();
            return;
        }
    }
    tlm::tlm_generic_payload& payload = *operation.payload;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    responding_[port] = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = ports[port]->nb_transport_bw(payload, phase, delay);
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
        if (delay == sc_core::SC_ZERO_TIME)
            end_response(port, payload);
        else
            delayed_[port]->notify(payload, tlm::END_RESP, delay);
    }
}

void isbe_at::end_response(unsigned port, tlm::tlm_generic_payload& payload)
{
    if (responding_[port] != &payload) {
        SC_REPORT_ERROR(report_id, "END_RESP of a transaction without a response on this port");
        return;
    }
    responding_[port] = nullptr;
    const std::uint64_t now = clock_.now();
    scheduler_.settle(now);
    const port_operation operation = scheduler_.transfer(port, now);
    if (operation.compound != nullptr) forget(operation.compound);
    payload.release();
    plan();
}

void isbe_at::forget(const compound_access* access)
{
    const auto found = std::find_if(compounds_.begin(), compounds_.end(),
                                    [&](const auto& candidate) { return candidate.get() == access; });
    compounds_.erase(found);
}

void isbe_at::wake()
{
    wake_cycle_ = grant_scheduler::never;
    waking_ = true;
    const std::uint64_t now = clock_.now();
    scheduler_.settle(now);
    for (unsigned port = 0; port < scheduler_.ports(); ++port) {
        if (!waiting_[port].empty()) {
            tlm::tlm_generic_payload& payload = *waiting_[port].front().payload;
            if (enter(port, now)) {
                tlm::tlm_phase phase = tlm::END_REQ;
                sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
                ports[port]->nb_transport_bw(payload, phase, delay);
            }
        }
        if (const port_operation* due = scheduler_.response(port, now)) {
            const port_operation operation = *due; // the client may send, which moves the queue
            respond(port, operation, now);
        }
    }
    waking_ = false;
    plan();
}

void isbe_at::plan()
{
    if (waking_) return;
    std::uint64_t cycle = grant_scheduler::never;
    for (unsigned port = 0; port < scheduler_.ports(); ++port) {
        cycle = std::min(cycle, scheduler_.next_response(port));
        if (!waiting_[port].empty()) cycle = std::min(cycle, scheduler_.next_accept(port));
    }
    if (cycle >= wake_cycle_) return;
    wake_cycle_ = cycle;
    const std::uint64_t now = clock_.now();
    wake_event_.notify(cycle > now ? clock_.until(cycle) : sc_core::SC_ZERO_TIME);
}

void isbe_at::block(unsigned port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    if (delay != sc_core::SC_ZERO_TIME) {
        sc_core::wait(delay);
        delay = sc_core::SC_ZERO_TIME;
    }
    const auto pass = [&](compound_access& access) {
        sc_core::sc_event done;
        access.done = &done;
        begin_compound(port, access);
        plan();
        sc_core::wait(done);
    };
    if (auto* const extension = payload.get_extension<isbe_extension>()) {
        compound_access access(payload, extension->op, extension->result);
        pass(access);
        return;
    }
    const tlm::tlm_response_status status = check_raw_access(payload, core_.storage().bytes());
    payload.set_response_status(status);
    if (status != tlm::TLM_OK_RESPONSE) return;
    compound_access access(payload);
    pass(access);
}

isbe_core& isbe_at::core()
{
    scheduler_.settle(clock_.now());
    return core_;
}

unsigned isbe_at::debug(tlm::tlm_generic_payload& payload)
{
    return debug_access(core().storage(), payload);
}

bool isbe_at::direct_memory(tlm::tlm_dmi& dmi)
{
    dmi.allow_none(); // a pointer would go around the queues
    dmi.set_start_address(0);
    dmi.set_end_address(core_.storage().bytes() - 1);
    return false;
}

} // namespace isbesim
