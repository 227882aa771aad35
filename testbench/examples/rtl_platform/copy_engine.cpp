// SPDX-License-Identifier: Apache-2.0
#include "copy_engine.h"

#include "tlm/has_process.h"

namespace {

constexpr unsigned blocks = 200;
constexpr unsigned in_flight = 6;
constexpr std::uint32_t strides[] = {4, 8, 128, 132}; // bytes from lane to lane, with and without bank conflicts

} // namespace

copy_engine::copy_engine(const sc_core::sc_module_name& name, const sc_core::sc_time& cycle,
                         std::uint32_t storage_bytes)
    : sc_core::sc_module(name), cycle_(cycle), storage_bytes_(storage_bytes)
{
    socket.register_nb_transport_bw(this, &copy_engine::backward);
    ISBESIM_HAS_PROCESS(copy_engine);
    SC_THREAD(run);
}

void copy_engine::run()
{
    for (unsigned block = 0; block < blocks; ++block) {
        send(isbesim::opcode::isbewr, block);
        send(isbesim::opcode::isberd, block);
    }
}

/// Sends a warp operation on 32 words, as soon as the port is free and fewer than `in_flight` have no response.
void copy_engine::send(isbesim::opcode op, unsigned number)
{
    while (channel_busy_ || requests_.size() - responses_ >= in_flight) wait(event_);
    requests_.push_back(std::make_unique<request>());
    auto& [payload, extension] = *requests_.back();
    extension.op.op = op;
    extension.op.region = isbesim::region::physical;
    extension.op.size = 4; // bytes
    for (std::uint32_t lane = 0; lane < isbesim::warp_lanes; ++lane) {
        const auto address = (number * 640 + lane * strides[number % 4]) % storage_bytes_;
        extension.op.address[lane] = address;
        extension.op.data[0][lane] = word_at(address);
    }
    isbesim::make_request(payload, extension);
    payload.set_mm(this);
    payload.acquire();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    channel_busy_ = socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_ACCEPTED; // otherwise END_REQ
    wait(cycle_);
}

tlm::tlm_sync_enum copy_engine::backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&)
{
    event_.notify(sc_core::SC_ZERO_TIME);
    if (phase == tlm::END_REQ) {
        channel_busy_ = false;
        return tlm::TLM_ACCEPTED;
    }
    ++responses_; // BEGIN_RESP, taken at once
    last_response_ = sc_core::sc_time_stamp();
    digest_ = (digest_ ^ last_response_.value()) * 1099511628211U;
    check(*payload.get_extension<isbesim::isbe_extension>());
    return tlm::TLM_COMPLETED;
}

void copy_engine::check(const isbesim::isbe_extension& extension)
{
    if (extension.op.op != isbesim::opcode::isberd) return;
    for (unsigned lane = 0; lane < isbesim::warp_lanes; ++lane)
        if (extension.result.data[0][lane] != word_at(extension.op.address[lane])) ++wrong_words_;
}
