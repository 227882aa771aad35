// SPDX-License-Identifier: Apache-2.0
// Memory beyond the ISBE for any TLM-2.0 initiator: plain payloads, blocking and not, debug transport, DMI, errors.
#include "models/memory/memory_module.h"

#include <numeric>

#include <gtest/gtest.h>
#include <systemc>
#include <tlm>

#include "models/memory/global_memory.h"

namespace isbesim::test {
namespace {

using bytes = std::vector<unsigned char>;
constexpr std::uint64_t first = 0x1'0000'0000, second = 0x1'0000'0400;
const sc_core::sc_time latency(30, sc_core::SC_NS);

/// A foreign initiator; two of them share the memory.
class foreign_initiator : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<> socket{"socket"};
    explicit foreign_initiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name) { socket.bind(*this); }

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

class memory_of_a_machine : public testing::Test {
protected:
    memory_of_a_machine()
    {
        bytes counting(1024);
        std::iota(counting.begin(), counting.end(), static_cast<unsigned char>(0));
        contents.add(first, counting);
        contents.add(second, bytes(16));
        one.socket.bind(module.socket);
        other.socket.bind(module.socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }

    tlm::tlm_generic_payload& payload(tlm::tlm_command command, std::uint64_t address, bytes& data)
    {
        payload_.set_command(command);
        payload_.set_address(address);
        payload_.set_data_ptr(data.data());
        payload_.set_data_length(static_cast<unsigned>(data.size()));
        payload_.set_streaming_width(static_cast<unsigned>(data.size()));
        payload_.set_byte_enable_ptr(nullptr);
        payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        payload_.set_dmi_allowed(false);
        return payload_;
    }
    tlm::tlm_response_status send(foreign_initiator& initiator, tlm::tlm_generic_payload& transaction)
    {
        delay = sc_core::sc_time(5, sc_core::SC_NS);
        initiator.socket->b_transport(transaction, delay);
        return transaction.get_response_status();
    }

    global_memory contents;
    memory_module module{"memory", &contents, latency};
    foreign_initiator one{"one"}, other{"other"};
    sc_core::sc_time delay;

private:
    tlm::tlm_generic_payload payload_;
};

TEST_F(memory_of_a_machine, one_initiators_writes_are_read_by_another)
{
    bytes data = {1, 2, 3, 4, 5};
    EXPECT_EQ(send(one, payload(tlm::TLM_WRITE_COMMAND, second + 3, data)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_core::sc_time(35, sc_core::SC_NS)) << "the latency is added to what had passed already";
    bytes read(16, 0xff);
    EXPECT_EQ(send(other, payload(tlm::TLM_READ_COMMAND, second, read)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(read, (bytes{0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(contents.find(second + 3, 1)[0], 1);
    EXPECT_EQ(module.transactions(), 2U);
    EXPECT_EQ(module.bytes(), 21U);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME) << "no process waits";
}

TEST_F(memory_of_a_machine, byte_enables_and_streams)
{
    bytes data = {1, 2, 3, 4, 5, 6}, enables = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
    auto& masked = payload(tlm::TLM_WRITE_COMMAND, second, data);
    masked.set_byte_enable_ptr(enables.data());
    masked.set_byte_enable_length(2);
    EXPECT_EQ(send(one, masked), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bytes(contents.find(second, 6), contents.find(second, 6) + 6), (bytes{1, 0, 3, 0, 5, 0}));
    auto& stream = payload(tlm::TLM_WRITE_COMMAND, second, data);
    stream.set_streaming_width(4); // the last two bytes go where the first two went
    EXPECT_EQ(send(one, stream), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bytes(contents.find(second, 6), contents.find(second, 6) + 6), (bytes{5, 6, 3, 4, 5, 0}));
    bytes again(6);
    auto& repeated = payload(tlm::TLM_READ_COMMAND, second, again);
    repeated.set_streaming_width(2);
    EXPECT_EQ(send(one, repeated), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(again, (bytes{5, 6, 5, 6, 5, 6}));
}

TEST_F(memory_of_a_machine, access_outside_one_buffer_is_an_address_error)
{
    bytes data(8, 0xaa);
    for (const std::uint64_t address : {first - 1, first + 1020, second + 12, std::uint64_t{0}, ~std::uint64_t{0}}) {
        EXPECT_EQ(send(one, payload(tlm::TLM_WRITE_COMMAND, address, data)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_FALSE(payload(tlm::TLM_READ_COMMAND, address, data).is_dmi_allowed());
    }
    EXPECT_EQ(contents.find(first, 1)[0], 0) << "the buffers touch, the payloads do not cross";
    EXPECT_EQ(contents.find(second, 1)[0], 0);
    EXPECT_EQ(module.transactions(), 0U);
    bytes nothing;
    EXPECT_EQ(send(one, payload(tlm::TLM_READ_COMMAND, first, nothing)), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(send(one, payload(tlm::TLM_IGNORE_COMMAND, first, data)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(data, bytes(8, 0xaa));
}

TEST_F(memory_of_a_machine, without_blocking_it_completes_at_once)
{
    bytes data(4);
    auto& transaction = payload(tlm::TLM_READ_COMMAND, first + 8, data);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time annotated;
    EXPECT_EQ(one.socket->nb_transport_fw(transaction, phase, annotated), tlm::TLM_COMPLETED);
    EXPECT_EQ(annotated, latency);
    EXPECT_TRUE(transaction.is_response_ok());
    EXPECT_EQ(data, (bytes{8, 9, 10, 11}));
}

TEST_F(memory_of_a_machine, debug_accesses_stop_at_the_end)
{
    bytes data(32, 0xee);
    EXPECT_EQ(one.socket->transport_dbg(payload(tlm::TLM_READ_COMMAND, second + 10, data)), 6U);
    EXPECT_EQ(data[5], 0);
    EXPECT_EQ(data[6], 0xee);
    EXPECT_EQ(one.socket->transport_dbg(payload(tlm::TLM_WRITE_COMMAND, second + 15, data)), 1U);
    EXPECT_EQ(contents.find(second + 15, 1)[0], 0);
    EXPECT_EQ(one.socket->transport_dbg(payload(tlm::TLM_READ_COMMAND, second + 16, data)), 0U);
    EXPECT_EQ(module.transactions(), 0U) << "debug accesses do not count";
}

TEST_F(memory_of_a_machine, direct_access_is_to_a_whole_buffer)
{
    bytes data(1);
    tlm::tlm_dmi region;
    ASSERT_TRUE(one.socket->get_direct_mem_ptr(payload(tlm::TLM_READ_COMMAND, second + 7, data), region));
    EXPECT_EQ(region.get_start_address(), second);
    EXPECT_EQ(region.get_end_address(), second + 15);
    EXPECT_TRUE(region.is_read_write_allowed());
    EXPECT_EQ(region.get_read_latency(), latency);
    region.get_dmi_ptr()[7] = 0x55;
    EXPECT_EQ(send(other, payload(tlm::TLM_READ_COMMAND, second + 7, data)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(data[0], 0x55);
    EXPECT_FALSE(one.socket->get_direct_mem_ptr(payload(tlm::TLM_READ_COMMAND, second + 16, data), region));
    EXPECT_EQ(region.get_start_address(), second + 16);
    EXPECT_EQ(region.get_end_address(), second + 16);
    EXPECT_TRUE(region.is_none_allowed());
    EXPECT_EQ(region.get_dmi_ptr(), nullptr);
}

TEST(memory_module, without_buffers_every_access_is_an_error)
{
    memory_module empty("memory", nullptr, latency);
    foreign_initiator one("one");
    one.socket.bind(empty.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bytes data(4);
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_address(first);
    payload.set_data_ptr(data.data());
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_core::sc_time delay;
    one.socket->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    tlm::tlm_dmi region;
    EXPECT_FALSE(one.socket->get_direct_mem_ptr(payload, region));
    EXPECT_EQ(one.socket->transport_dbg(payload), 0U);
}

} // namespace
} // namespace isbesim::test
