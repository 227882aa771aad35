// SPDX-License-Identifier: Apache-2.0
// The payload pool and the extension.
#include <algorithm>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/warp_operations.h"
#include "tlm/payload_pool.h"
#include "tlm/ring.h"

namespace isbesim::test {
namespace {

TEST(payload_pool, a_released_payload_is_used_again)
{
    payload_pool pool;
    tlm::tlm_generic_payload& first = pool.acquire();
    EXPECT_EQ(first.get_ref_count(), 1);
    first.acquire();
    first.release();
    EXPECT_EQ(pool.in_use(), 1U) << "one reference is left";
    first.release();
    EXPECT_EQ(pool.in_use(), 0U);
    EXPECT_EQ(&pool.acquire(), &first);
    EXPECT_EQ(pool.size(), 1U);
    EXPECT_NE(&pool.acquire(), &first);
    EXPECT_EQ(pool.size(), 2U);
}

TEST(payload_pool, payloads_come_ready_for_a_warp_operation)
{
    payload_pool pool;
    for (unsigned round = 0; round < 2; ++round) {
        tlm::tlm_generic_payload& payload = pool.acquire();
        EXPECT_EQ(payload.get_command(), tlm::TLM_IGNORE_COMMAND);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
        EXPECT_FALSE(payload.is_dmi_allowed());
        isbe_extension& extension = payload_pool::extension(payload);
        EXPECT_EQ(payload.get_extension<isbe_extension>(), &extension);
        EXPECT_EQ(payload.get_address(), 0U);
        EXPECT_EQ(payload.get_data_ptr(), reinterpret_cast<unsigned char*>(&extension.op.data));
        EXPECT_EQ(payload.get_data_length(), 512U);
        EXPECT_EQ(payload.get_streaming_width(), 512U);
        EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
        EXPECT_EQ(payload.get_byte_enable_length(), 0U);
        EXPECT_EQ(payload.get_gp_option(), tlm::TLM_MIN_PAYLOAD);
        // Fields that the way there and back may have changed.
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        payload.set_dmi_allowed(true);
        payload.set_address(0x1000);
        payload.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
        payload.release();
    }
}

TEST(payload_extension, goes_through_a_component_that_copies_payloads)
{
    payload_pool pool;
    tlm::tlm_generic_payload& original = pool.acquire();
    isbe_extension& extension = payload_pool::extension(original);
    extension.op = make_ast(0x90, 3, 77);
    extension.result = {};

    tlm::tlm_generic_payload copy; // made by a standard component, with a data array of its own
    std::vector<unsigned char> data(original.get_data_length(), 0xee);
    copy.set_data_ptr(data.data());
    copy.deep_copy_from(original);
    auto* const copied = copy.get_extension<isbe_extension>();
    ASSERT_NE(copied, nullptr);
    ASSERT_NE(copied, &extension);
    EXPECT_EQ(copied->op.data, extension.op.data);
    EXPECT_EQ(std::memcmp(data.data(), &extension.op.data, data.size()), 0);
    EXPECT_EQ(copy.get_streaming_width(), 512U);

    copied->result.status[5] = lane_status::dropped_map; // the target responds
    copied->result.data[2][7] = 0x1234;
    copy.set_response_status(tlm::TLM_OK_RESPONSE);
    std::fill(data.begin(), data.end(), static_cast<unsigned char>(0xdd)); // ignored: it is not a read
    original.update_original_from(copy);
    EXPECT_TRUE(original.is_response_ok());
    EXPECT_EQ(extension.result.status[5], lane_status::dropped_map);
    EXPECT_EQ(extension.result.data[2][7], 0x1234U);
    EXPECT_EQ(extension.op.data, make_ast(0x90, 3, 77).data);
    original.release();
}
/// A payload frees its extensions when it is freed itself.
struct freed_with_its_payload : tlm::tlm_extension<freed_with_its_payload> {
    explicit freed_with_its_payload(unsigned& freed) : freed_(freed) {}
    ~freed_with_its_payload() override { ++freed_; }
    tlm::tlm_extension_base* clone() const override { return nullptr; }
    void copy_from(const tlm::tlm_extension_base&) override {}

private:
    unsigned& freed_;
};

TEST(payload_pool, frees_payloads_in_use)
{
    unsigned freed = 0;
    {
        payload_pool pool;
        for (unsigned i = 0; i < 100; ++i) pool.acquire().set_extension(new freed_with_its_payload(freed));
        EXPECT_EQ(pool.in_use(), 100U);
        EXPECT_EQ(freed, 0U);
    }
    EXPECT_EQ(freed, 100U);
}

TEST(payload_extension, clones_and_copies_operation_and_result)
{
    isbe_extension original;
    original.op = make_ast(0x90, 3, 77);
    original.result.passes = 5;
    original.result.status[3] = lane_status::dropped_map;
    tlm::tlm_generic_payload payload;
    payload.set_extension(static_cast<isbe_extension*>(original.clone())); // freed by the payload
    const auto* copy = payload.get_extension<isbe_extension>();
    EXPECT_EQ(copy->op.data, original.op.data);
    EXPECT_EQ(copy->op.immediate, 0x90);
    EXPECT_EQ(copy->result.passes, 5U);
    EXPECT_EQ(copy->result.status, original.result.status);
}

TEST(ring, keeps_order_when_it_grows_in_the_middle)
{
    ring<unsigned> numbers(4);
    unsigned in = 0, out = 0;
    for (unsigned round = 1; round < 40; ++round) {
        for (unsigned i = 0; i < round; ++i) numbers.push(in++);
        for (unsigned i = 0; i < round / 2; ++i) {
            ASSERT_EQ(numbers.front(), out++);
            numbers.pop();
        }
        for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], out + i);
        ASSERT_EQ(numbers.back(), in - 1);
    }
}

} // namespace
} // namespace isbesim::test
