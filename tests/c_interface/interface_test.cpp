// SPDX-License-Identifier: Apache-2.0
// Results and errors of the C interface for valid and invalid calls.
#include <cstring>
#include <string>
#include <thread>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "models/isbe/execution/isbe_core.h"
#include "tests/c_interface/c_block.h"

namespace isbesim::test {
namespace {

std::string refusal(const char* machine)
{
    char error[512] = "";
    isbesim_model* const model = isbesim_create(machine, error, sizeof error);
    EXPECT_EQ(model, nullptr) << machine;
    isbesim_destroy(model);
    return error;
}

std::string text_of(size_t (*get)(isbesim_model*, char*, size_t), isbesim_model* model)
{
    std::string text(get(model, nullptr, 0), '\0');
    EXPECT_EQ(get(model, text.data(), text.size() + 1), text.size());
    return text;
}

isbesim_request physical(std::uint32_t op)
{
    isbesim_request request{};
    request.op = op;
    request.space = 1;
    request.region = ISBESIM_REGION_PHYSICAL;
    request.size = 4;
    request.lanes = 0xffffffffU;
    for (std::uint32_t lane = 0; lane < ISBESIM_LANES; ++lane) {
        request.address[lane] = 4 * lane;
        request.data[lane] = 0x100 + lane;
    }
    return request;
}

TEST(c_interface, has_the_version_of_its_header)
{
    EXPECT_EQ(isbesim_api_version(), static_cast<std::uint32_t>(ISBESIM_API_VERSION));
    EXPECT_NE(std::string(isbesim_version()).find('.'), std::string::npos);
}

TEST(c_interface, refuses_machines_with_the_place_of_the_mistake)
{
    EXPECT_EQ(refusal("{\n \"isbe.lines\": 12}").substr(0, 12), "machine:2:16");
    EXPECT_NE(refusal("{\n \"isbe.lines\": 12}").find("expected"), std::string::npos);
    EXPECT_NE(refusal("{\"isbe.linse\": 64}").find("isbe.lines"), std::string::npos);
    EXPECT_EQ(refusal("{").substr(0, 8), "machine:");
    EXPECT_EQ(refusal("nonsense").substr(0, 8), "machine:");
    char few[6] = "";
    EXPECT_EQ(isbesim_create("{", few, sizeof few), nullptr);
    EXPECT_STREQ(few, "machi");
    EXPECT_EQ(isbesim_create("{", nullptr, 0), nullptr);
}

TEST(c_interface, takes_texts_presets_and_nothing)
{
    for (const char* machine :
         {static_cast<const char*>(nullptr), "", "default", "gm107", "{}", " {\"isbe.lines\": 1024} "}) {
        isbesim_model* const model = isbesim_create(machine, nullptr, 0);
        ASSERT_NE(model, nullptr);
        EXPECT_GE(isbesim_ports(model), 1U);
        isbesim_destroy(model);
    }
    c_block small(std::string("{\"isbe.lines\": 64, \"isbe.ports\": 1}"));
    EXPECT_EQ(isbesim_ports(small.get()), 1U);
    EXPECT_EQ(isbesim_storage_size(small.get()), 64U * 128);
}

TEST(c_interface, machine_json_round_trips)
{
    const std::string machine =
        "{\"isbe\": {\"lines\": 96, \"bank_map\": \"xor\", \"out_latency\": 77}, \"attribute_default\": \"0x31\"}";
    c_block model(machine);
    const auto text = text_of(isbesim_machine_json, model.get());
    c_block again(text);
    EXPECT_EQ(text_of(isbesim_machine_json, again.get()), text);
    const auto isbe = boost::json::parse(text).at("isbe");
    EXPECT_EQ(isbe.at("lines").to_number<int>(), 96);
    EXPECT_EQ(isbe.at("bank_map").as_string(), "xor");
    EXPECT_EQ(isbe.at("out_latency").to_number<int>(), 77);
}

TEST(c_interface, executes_as_the_functional_core_does)
{
    isbe_config config;
    config.lines = 96;
    c_block model(config);
    isbe_core core(config);
    unsigned errors = 0, loaded = 0;
    for (const auto& items : random_items(config, 31, 20000)) {
        for (const auto& item : items) {
            isbesim_request request;
            isbesim_response got, expected;
            testbench::write_request(item.op, request);
            warp_result result;
            core.execute(item.op, result);
            testbench::write_response(result, expected);
            ASSERT_EQ(isbesim_execute(model.get(), &request, &got), ISBESIM_OK) << isbesim_error(model.get());
            ASSERT_EQ(std::memcmp(&got, &expected, sizeof got), 0);
            errors += got.error != 0 ? 1 : 0;
            loaded += got.data[0] != 0 ? 1 : 0;
        }
    }
    EXPECT_GT(errors, 100U);
    EXPECT_GT(loaded, 1000U);
    EXPECT_EQ(isbesim_cycle(model.get()), 0U); // in no time
}

TEST(c_interface, invalid_requests_are_refused)
{
    c_block model(std::string("{\"isbe.lines\": 64}"));
    isbesim_response response;
    const auto refused = [&](isbesim_request request, const char* field) {
        EXPECT_EQ(isbesim_execute(model.get(), &request, &response), ISBESIM_INVALID) << field;
        EXPECT_EQ(std::string(isbesim_error(model.get())).rfind(field, 0), 0U) << isbesim_error(model.get());
        isbesim_inputs inputs[ISBESIM_MAX_PORTS] = {{&request, 1}, {nullptr, 1}};
        EXPECT_EQ(isbesim_clock(model.get(), 0, inputs), ISBESIM_INVALID) << field;
        EXPECT_EQ(isbesim_cycle(model.get()), 0U);
    };
    auto request = physical(7);
    refused(request, "op");
    request = physical(ISBESIM_ISBERD);
    request.region = 5;
    refused(request, "region");
    request = physical(ISBESIM_ISBERD);
    request.size = 3;
    refused(request, "size");
    request = physical(ISBESIM_ALD);
    request.form = 3;
    refused(request, "form");
    request = physical(ISBESIM_AL2P);
    request.size = 0;
    refused(request, "size");
    request = physical(ISBESIM_ISBERD);
    request.context = 0x10000;
    refused(request, "context");
    request = physical(ISBESIM_BIND); // an ATTR region beyond the storage
    std::memset(request.data, 0, sizeof request.data);
    request.data[0] = 2;
    request.data[5] = 64 * 128 + 4;
    refused(request, "context descriptor, input space");
    // What others use may be anything.
    request = physical(ISBESIM_AL2P);
    request.region = 7;
    request.form = 3;
    EXPECT_EQ(isbesim_execute(model.get(), &request, &response), ISBESIM_OK) << isbesim_error(model.get());
    EXPECT_STREQ(isbesim_error(model.get()), "");
    isbesim_outputs outputs;
    EXPECT_EQ(isbesim_read_pins(model.get(), 2, &outputs), ISBESIM_INVALID);
}

TEST(c_interface, shows_storage_and_contexts)
{
    c_block model(std::string("{\"isbe.lines\": 64, \"isbe.contexts\": 4}"));
    auto request = physical(ISBESIM_ISBEWR);
    isbesim_response response;
    ASSERT_EQ(isbesim_execute(model.get(), &request, &response), ISBESIM_OK);
    std::uint32_t words[ISBESIM_CONTEXT_WORDS];
    ASSERT_EQ(isbesim_read_storage(model.get(), 4, words, 3), ISBESIM_OK);
    EXPECT_EQ(words[0], 0x101U);
    EXPECT_EQ(words[2], 0x103U);
    words[0] = 7;
    ASSERT_EQ(isbesim_write_storage(model.get(), 64 * 128 - 4, words, 1), ISBESIM_OK);
    EXPECT_EQ(isbesim_read_storage(model.get(), 64 * 128 - 4, words, 2), ISBESIM_INVALID);
    EXPECT_EQ(isbesim_read_storage(model.get(), 2, words, 1), ISBESIM_INVALID);
    EXPECT_EQ(isbesim_write_storage(model.get(), 64 * 128, words, 1), ISBESIM_INVALID);

    request = physical(ISBESIM_BIND);
    std::memset(request.data, 0, sizeof request.data);
    request.context = 3;
    request.data[0] = 0xffffff05; // stage 5, and bits without a name
    request.data[1] = 9;
    ASSERT_EQ(isbesim_execute(model.get(), &request, &response), ISBESIM_OK) << isbesim_error(model.get());
    ASSERT_EQ(isbesim_read_context(model.get(), 3, words), ISBESIM_OK);
    EXPECT_EQ(words[0], 5U);
    EXPECT_EQ(words[1], 9U);
    EXPECT_EQ(isbesim_read_context(model.get(), 4, words), ISBESIM_INVALID);
    EXPECT_EQ(boost::json::parse(text_of(isbesim_state_json, model.get())).at("contexts").as_array().size(), 1U);
}

TEST(c_interface, shows_queues)
{
    c_block model(
        std::string("{\"isbe.lines\": 64, \"isbe.request_queue_depth\": 2, \"isbe.response_queue_depth\": 1}"));
    const auto load = physical(ISBESIM_ISBERD);
    std::vector<isbesim_inputs> inputs{{&load, 0}, {nullptr, 0}};
    for (unsigned cycle = 0; cycle < 60; ++cycle) model.clock(inputs);
    const auto state = boost::json::parse(text_of(isbesim_state_json, model.get()));
    const auto& port = state.at("ports").as_array()[0];
    EXPECT_EQ(port.at("in_flight").as_array().size(), 1U);
    EXPECT_EQ(port.at("queued").as_array().size(), 2U);
    EXPECT_TRUE(port.at("response_valid").as_bool());
    EXPECT_FALSE(port.at("request_ready").as_bool());
    EXPECT_EQ(port.at("in_flight").as_array()[0].at("accepted").to_number<int>(), 0);
    // A part of the text, with its end.
    char few[8];
    EXPECT_GT(isbesim_state_json(model.get(), few, sizeof few), sizeof few);
    EXPECT_EQ(std::strlen(few), sizeof few - 1);
}

/// Data of a run of its own; what others do at the same time must not show.
std::vector<std::uint32_t> run_alone(unsigned seed)
{
    isbe_config config;
    config.lines = 64;
    c_block model(config);
    std::vector<std::uint32_t> sums;
    for (const auto& items : random_items(config, seed, 2000)) {
        for (const auto& item : items) {
            isbesim_request request;
            isbesim_response response;
            testbench::write_request(item.op, request);
            if (isbesim_execute(model.get(), &request, &response) != ISBESIM_OK) return {};
            std::uint32_t sum = response.error;
            for (const auto each : response.data) sum = sum * 31 + each;
            sums.push_back(sum);
        }
    }
    return sums;
}

TEST(c_interface, models_of_different_threads_keep_apart)
{
    const auto first = run_alone(1), second = run_alone(2);
    std::vector<std::uint32_t> one, other;
    std::thread thread([&] { one = run_alone(1); });
    other = run_alone(2);
    thread.join();
    EXPECT_EQ(one, first);
    EXPECT_EQ(other, second);
    EXPECT_NE(first, second);
    EXPECT_EQ(first.size(), 2000U);
}

} // namespace
} // namespace isbesim::test
