// SPDX-License-Identifier: Apache-2.0
// Generic payloads of any fields, with the warp operation and without it, in every transport call of the LT and the AT
// ISBE: each has a response, OK exactly if sections 2 and 3 of the micro-architecture page and TLM-2.0 allow it, and a
// refused operation has one report.
#include <array>
#include <cstring>

#include <systemc>
#include <tlm>

#include "models/isbe/timing/isbe_at.h"
#include "models/isbe/timing/isbe_lt.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "tests/fuzz/targets/operations.h"
#include "tlm/has_process.h"
#include "tlm/payload_extension.h"

namespace isbesim::fuzz {

namespace {

constexpr unsigned most_payloads = 60; ///< of an input: as many as a second is enough for

isbe_config machine()
{
    isbe_config config;
    config.lines = 64;
    config.contexts = 3;
    return config;
}
const std::uint64_t storage = machine().lines * 128;

unsigned refusals = 0;
void count_reports(const sc_core::sc_report& report, const sc_core::sc_actions&)
{
    require(report.get_severity() == sc_core::SC_WARNING, "no report but of a refusal");
    require(std::strstr(report.get_msg(), "a warp operation is refused: ") == report.get_msg(), "it says so");
    ++refusals;
}

/// Section 3: what the writer of a descriptor guarantees.
bool is_descriptor(const warp_op& op)
{
    const auto word_at = [&](unsigned i) { return std::uint64_t{op.data[i / 32][i % 32]}; };
    if ((word_at(0) & 15U) == 0) return true;
    if ((word_at(0) & 15U) > 7 || (word_at(2) & 63U) > 32) return false;
    for (const unsigned s : {4U, 14U}) {
        const auto inside = [&](std::uint64_t base, std::uint64_t bytes, unsigned unit) {
            return bytes == 0 || (base % unit == 0 && base + bytes <= storage);
        };
        if (word_at(s + 2) > 65535 || word_at(s + 8) > 255 || word_at(s + 9) > 256) return false;
        if (!inside(word_at(s), word_at(s + 1), 128) || !inside(word_at(s + 3), word_at(s + 4), 4) ||
            !inside(word_at(s + 5), word_at(s + 6), 4) ||
            !inside(word_at(s + 7), 4 * word_at(s + 8) * word_at(s + 9), 4))
            return false;
    }
    return true;
}

/// Section 2, the fields that an operation has as numbers on the pins.
bool is_operation(const warp_op& op)
{
    std::uint8_t skew = 0;
    std::memcpy(&skew, &op.skew, 1);
    const auto kind = static_cast<unsigned>(op.op);
    if (kind > 6 || static_cast<unsigned>(op.space) > 1 || static_cast<unsigned>(op.type) > 3 || skew > 1) return false;
    const auto form = static_cast<unsigned>(op.form), region = static_cast<unsigned>(op.region);
    if (form > 3 || region > 7 || op.size > 7) return false;
    switch (op.op) {
    case opcode::ald:
    case opcode::ast:
        return form <= 2 && op.size >= 1 && op.size <= 4;
    case opcode::al2p:
        return op.size >= 1 && op.size <= 4;
    case opcode::isberd:
    case opcode::isbewr:
        return region <= 4 && (op.size == 1 || op.size == 2 || op.size == 4);
    case opcode::bind:
        return op.context >= machine().contexts || is_descriptor(op);
    case opcode::out:
        break;
    }
    return true;
}

bool is_legal(const tlm::tlm_generic_payload& p, const warp_op* op)
{
    if (p.get_data_ptr() == nullptr || p.get_streaming_width() < p.get_data_length()) return false;
    if (op != nullptr)
        return p.get_command() == tlm::TLM_IGNORE_COMMAND && p.get_data_length() == 512 &&
               p.get_byte_enable_ptr() == nullptr && is_operation(*op);
    return (p.is_read() || p.is_write()) && p.get_data_length() != 0 && p.get_address() < storage &&
           p.get_data_length() <= storage - p.get_address() &&
           (p.get_byte_enable_ptr() == nullptr || p.get_byte_enable_length() != 0);
}

class fuzzed_initiator : public sc_core::sc_module, private tlm::tlm_bw_transport_if<>, private tlm::tlm_mm_interface {
public:
    sc_core::sc_vector<tlm::tlm_initiator_socket<>> sockets{"socket", 2};

    explicit fuzzed_initiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name)
    {
        for (auto& socket : sockets) socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
        ISBESIM_HAS_PROCESS(fuzzed_initiator);
        SC_THREAD(run);
        set_stack_size(1 << 20);
        sensitive << go_;
        dont_initialize();
    }
    void take(std::string_view bytes)
    {
        bytes_ = bytes;
        go_.notify(sc_core::SC_ZERO_TIME);
        sc_core::sc_start();
        require(bytes_.empty(), "every payload has its response");
    }

private:
    void run()
    {
        for (;; wait()) {
            field_reader in(bytes_);
            for (unsigned i = 0; i < most_payloads && !in.done(); ++i) one(in);
            bytes_ = {};
        }
    }
    void one(field_reader& in)
    {
        isbe_extension extension;
        tlm::tlm_generic_payload payload(this);
        const auto kind = in.byte();
        const bool operation = (kind & 1U) != 0;
        tlm::tlm_fw_transport_if<>& target = *sockets[kind >> 1 & 1U].operator->();
        read_operation(in, static_cast<word>(storage), extension.op);
        make_request(payload, extension);
        if (!operation) {
            payload.clear_extension(&extension);
            payload.set_command(static_cast<tlm::tlm_command>(kind >> 4 & 1U));
            payload.set_address(in.half() % (storage + 64));
            payload.set_data_ptr(data_.data());
            payload.set_data_length(in.byte());
            payload.set_streaming_width(payload.get_data_length());
        }
        for (auto changes = kind >> 5; changes > 4; --changes) change(in, payload, extension.op);

        const bool legal = is_legal(payload, operation ? &extension.op : nullptr);
        const auto before = refusals;
        auto expected = operation && !legal ? 1U : 0U;
        switch (kind >> 2 & 3U) {
        case 0:
            if (target.transport_dbg(payload) != 0) require(!operation, "debug transport copies no operation");
            break;
        case 1:
            ask_for_direct_memory(target, payload), expected = 0;
            break;
        case 2:
            begin(target, payload);
            require((payload.get_response_status() == tlm::TLM_OK_RESPONSE) == legal, "OK exactly if it is legal");
            break;
        default:
            sc_core::sc_time delay;
            target.b_transport(payload, delay);
            require((payload.get_response_status() == tlm::TLM_OK_RESPONSE) == legal, "OK exactly if it is legal");
        }
        require(refusals - before == expected, "a report of each refused operation");
        if (operation) payload.clear_extension(&extension);
    }
    /// Changes an attribute of the payload, a field of the operation, or a word of its descriptor.
    void change(field_reader& in, tlm::tlm_generic_payload& payload, warp_op& op)
    {
        const std::size_t fields[] = {offsetof(warp_op, op),   offsetof(warp_op, space), offsetof(warp_op, region),
                                      offsetof(warp_op, form), offsetof(warp_op, type),  offsetof(warp_op, size),
                                      offsetof(warp_op, skew)};
        const auto what = in.byte() % 20;
        if (what < std::size(fields)) {
            const auto any = in.byte();
            const auto value = static_cast<unsigned char>(any < 192 ? any % 9 : any); // near the end of its range
            std::memcpy(reinterpret_cast<unsigned char*>(&op) + fields[what], &value, 1);
            return;
        }
        switch (what) {
        case 7:
            op.context = static_cast<std::uint16_t>(in.half());
            break;
        case 8:
            payload.set_command(static_cast<tlm::tlm_command>(in.byte() % 4));
            break;
        case 9:
            payload.set_address(in.whole());
            if (in.byte() % 2 != 0) payload.set_address(payload.get_address() * 0x100000001U);
            break;
        case 10:
            payload.set_data_length(in.byte() % 2 != 0 ? in.whole() : in.half());
            break;
        case 11:
            payload.set_streaming_width(in.byte() % 2 != 0 ? in.whole() : in.half());
            break;
        case 12:
            payload.set_data_ptr(nullptr);
            break;
        case 13:
            for (auto& enable : enables_) enable = static_cast<unsigned char>(in.byte());
            payload.set_byte_enable_ptr(enables_.data());
            payload.set_byte_enable_length(in.byte() % 5); // of 4 bytes
            break;
        case 14:
            payload.set_response_status(static_cast<tlm::tlm_response_status>(in.byte() % 8 - 6));
            break;
        case 15:
            payload.set_gp_option(static_cast<tlm::tlm_gp_option>(in.byte() % 3));
            break;
        case 16:
            payload.set_dmi_allowed(true);
            break;
        default: {
            const auto number = what == 17 ? in.byte() % 64 : 4 + in.byte() % 20; // the spaces' words most often
            op.data[number / 32][number % 32] = in.byte() % 2 != 0 ? in.whole() : in.half();
        }
        }
    }
    static void ask_for_direct_memory(tlm::tlm_fw_transport_if<>& target, tlm::tlm_generic_payload& payload)
    {
        tlm::tlm_dmi dmi;
        const bool granted = target.get_direct_mem_ptr(payload, dmi);
        require(dmi.get_start_address() <= payload.get_address() && payload.get_address() <= dmi.get_end_address(),
                "the range of direct memory has the address");
        require(granted == (dmi.get_dmi_ptr() != nullptr) && granted == dmi.is_read_write_allowed(),
                "granted is granted");
        if (granted) require(dmi.get_end_address() < storage, "direct memory ends with the storage");
    }
    void begin(tlm::tlm_fw_transport_if<>& target, tlm::tlm_generic_payload& payload)
    {
        payload.acquire();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        if (target.nb_transport_fw(payload, phase, delay) != tlm::TLM_COMPLETED) wait(response_);
        payload.release();
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) override
    {
        if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
        response_.notify(sc_core::SC_ZERO_TIME);
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void free(tlm::tlm_generic_payload*) override {}

    std::string_view bytes_;
    std::array<unsigned char, 8192> data_{};
    std::array<unsigned char, 4> enables_{};
    sc_core::sc_event go_, response_;
};

/// SystemC elaborates once: all inputs go to the same modules.
struct bench {
    cycle_clock clock = cycle_clock::from_ghz(1.0);
    isbe_lt lt{"lt", machine(), clock};
    isbe_at at{"at", machine(), clock};
    fuzzed_initiator initiator{"initiator"};

    bench()
    {
        initiator.sockets[0].bind(lt.ports[0]);
        initiator.sockets[1].bind(at.ports[1]);
    }
};

} // namespace

void payload(std::string_view bytes)
{
    static auto* const kept = new bench; // the kernel outlives it in no order that is known
    sc_core::sc_report_handler::set_handler(count_reports);
    if (!bytes.empty()) kept->initiator.take(bytes);
    sc_core::sc_report_handler::set_handler(nullptr);
}

} // namespace isbesim::fuzz
