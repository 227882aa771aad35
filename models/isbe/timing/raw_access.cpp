// SPDX-License-Identifier: Apache-2.0
#include "models/isbe/timing/raw_access.h"

namespace isbesim {

namespace {

bool enabled(const tlm::tlm_generic_payload& payload, std::size_t byte)
{
    const unsigned char* enables = payload.get_byte_enable_ptr();
    return enables == nullptr || enables[byte % payload.get_byte_enable_length()] != TLM_BYTE_DISABLED;
}

/// Enabled bytes of the word at `word_address`, bit i = byte i.
unsigned enabled_bytes(const tlm::tlm_generic_payload& payload, std::uint64_t word_address)
{
    unsigned mask = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const std::uint64_t address = word_address + i;
        if (address < payload.get_address()) continue;
        const std::uint64_t byte = address - payload.get_address();
        if (byte < payload.get_data_length() && enabled(payload, byte)) mask |= 1U << i;
    }
    return mask;
}

warp_op physical_op(bool write, std::uint8_t size)
{
    warp_op op;
    op.op = write ? opcode::isbewr : opcode::isberd;
    op.space = write ? space::output : space::input;
    op.region = region::physical;
    op.size = size;
    op.lanes = 0;
    return op;
}

/// Collects single bytes until 32 lanes are full or the line ends.
class byte_collector {
public:
    explicit byte_collector(std::vector<warp_op>& ops) : ops_(ops) {}

    void add(std::uint64_t address, unsigned char value)
    {
        op_.address[lane_] = static_cast<word>(address);
        op_.data[0][lane_] = value;
        op_.lanes |= lane_mask{1} << lane_;
        if (++lane_ == warp_lanes) flush();
    }
    void flush()
    {
        if (lane_ == 0) return;
        ops_.push_back(op_);
        op_ = physical_op(true, 1);
        lane_ = 0;
    }

private:
    std::vector<warp_op>& ops_;
    warp_op op_ = physical_op(true, 1);
    unsigned lane_ = 0;
};

} // namespace

tlm::tlm_response_status check_raw_access(const tlm::tlm_generic_payload& payload, std::size_t bytes)
{
    if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    const unsigned length = payload.get_data_length();
    if (length == 0 || payload.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (payload.get_address() >= bytes || bytes - payload.get_address() < length)
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (payload.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
}

raw_access split_raw_access(const tlm::tlm_generic_payload& payload)
{
    raw_access access;
    const bool write = payload.is_write();
    const std::uint64_t begin = payload.get_address();
    const std::uint64_t end = begin + payload.get_data_length();
    byte_collector bytes(access.ops);
    for (std::uint64_t line = begin / line_bytes * line_bytes; line < end; line += line_bytes) {
        warp_op op = physical_op(write, 4);
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            const std::uint64_t address = line + 4 * lane;
            const unsigned mask = enabled_bytes(payload, address);
            if (mask == 0) continue;
            op.address[lane] = static_cast<word>(address);
            if (write && mask != 0xf) {
                for (unsigned i = 0; i < 4; ++i)
                    if (((mask >> i) & 1U) != 0) bytes.add(address + i, payload.get_data_ptr()[address + i - begin]);
                continue;
            }
            op.lanes |= lane_mask{1} << lane;
            if (write)
                for (unsigned i = 0; i < 4; ++i)
                    op.data[0][lane] |= word{payload.get_data_ptr()[address + i - begin]} << (8 * i);
        }
        if (op.lanes != 0) access.ops.push_back(op);
        bytes.flush();
    }
    if (access.ops.empty()) access.ops.push_back(physical_op(write, 4));
    access.results.resize(access.ops.size());
    return access;
}

void finish_raw_access(tlm::tlm_generic_payload& payload, const raw_access& access)
{
    if (!payload.is_read()) return;
    for (std::size_t n = 0; n < access.ops.size(); ++n) {
        const warp_op& op = access.ops[n];
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
            if (((op.lanes >> lane) & 1U) == 0) continue;
            const unsigned mask = enabled_bytes(payload, op.address[lane]);
            for (unsigned i = 0; i < 4; ++i)
                if (((mask >> i) & 1U) != 0)
                    payload.get_data_ptr()[op.address[lane] + i - payload.get_address()] =
                        static_cast<unsigned char>(access.results[n].data[0][lane] >> (8 * i));
        }
    }
}

unsigned debug_access(storage& memory, tlm::tlm_generic_payload& payload)
{
    if (payload.get_data_ptr() == nullptr) return 0;
    const unsigned char* enables = nullptr;
    std::size_t enable_count = 0;
    if (payload.get_gp_option() != tlm::TLM_MIN_PAYLOAD) {
        payload.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
        enables = payload.get_byte_enable_ptr();
        enable_count = payload.get_byte_enable_length();
    }
    if (payload.is_read())
        return static_cast<unsigned>(memory.read_bytes(payload.get_address(), payload.get_data_ptr(),
                                                       payload.get_data_length(), enables, enable_count));
    if (payload.is_write())
        return static_cast<unsigned>(memory.write_bytes(payload.get_address(), payload.get_data_ptr(),
                                                        payload.get_data_length(), enables, enable_count));
    return 0;
}

} // namespace isbesim
