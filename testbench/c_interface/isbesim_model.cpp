// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <stdexcept>

#include "testbench/c_interface/isbesim.h"
#include "testbench/c_interface/model_handle.h"
#include "testbench/c_interface/model_state.h"
#include "testbench/c_interface/request_values.h"
#include "testbench/files/json_text.h"
#include "testbench/system/config.h"
#include "testbench/system/presets.h"
#include "testbench/version.h"

using namespace isbesim;
using namespace isbesim::testbench;

namespace isbesim::testbench {

machine_config machine_of(const char* text)
{
    machine_config config;
    const std::string machine = text == nullptr ? "" : text;
    const auto first = machine.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || machine == "default") return config;
    const auto* const known = machine[first] == '{' ? nullptr : find_machine(machine);
    load_config_text(known != nullptr ? known->json : machine, {known != nullptr ? machine : "machine"}, config);
    return config;
}

void copy_text(const std::string& text, char* to, std::size_t size)
{
    if (to == nullptr || size == 0) return;
    const auto length = std::min(text.size(), size - 1);
    std::memcpy(to, text.data(), length);
    to[length] = '\0';
}

} // namespace isbesim::testbench

namespace {

void require(bool holds, const char* text)
{
    if (!holds) throw std::invalid_argument(text);
}

/// Index of the storage's word at `address`; checks that `count` words from there are inside.
word first_word(const isbesim_model& model, std::uint32_t address, std::uint32_t count)
{
    const auto bytes = model.block.core().storage().bytes();
    require(address % 4 == 0, "the address is not a multiple of 4");
    require(std::uint64_t{address} + std::uint64_t{count} * 4 <= bytes, "the words are not all inside the storage");
    return address / 4;
}

std::size_t give_json(isbesim_model& model, char* text, std::size_t size, boost::json::object (*make)(isbesim_model&))
{
    std::string all;
    if (guarded(model.error, [&] { all = json_text(make(model)); }) != ISBESIM_OK) all.clear();
    copy_text(all, text, size);
    return all.size();
}

} // namespace

extern "C" {

uint32_t isbesim_api_version(void)
{
    return ISBESIM_API_VERSION;
}

const char* isbesim_version(void)
{
    return version_text;
}

isbesim_model* isbesim_create(const char* machine, char* error, size_t error_size)
{
    isbesim_model* model = nullptr;
    std::string text;
    if (guarded(text, [&] { model = new isbesim_model(machine_of(machine)); }) == ISBESIM_INTERNAL && text.empty())
        copy_text("no memory", error, error_size);
    else
        copy_text(text, error, error_size);
    return model;
}

void isbesim_destroy(isbesim_model* model)
{
    delete model;
}

const char* isbesim_error(const isbesim_model* model)
{
    return model->error.c_str();
}

uint32_t isbesim_ports(const isbesim_model* model)
{
    return model->block.ports();
}

uint32_t isbesim_storage_size(const isbesim_model* model)
{
    return static_cast<uint32_t>(model->block.core().storage().bytes());
}

int isbesim_execute(isbesim_model* model, const isbesim_request* request, isbesim_response* response)
{
    return guarded(model->error, [&] {
        warp_op op;
        warp_result result;
        read_request(*request, op);
        model->block.core().execute(op, result);
        write_response(result, *response);
    });
}

uint64_t isbesim_cycle(const isbesim_model* model)
{
    return model->block.cycle();
}

int isbesim_read_pins(isbesim_model* model, uint32_t port, isbesim_outputs* outputs)
{
    return guarded(model->error, [&] {
        require(port < model->block.ports(), "there is no such port");
        outputs->req_ready = model->block.request_ready(port) ? 1 : 0;
        const auto* const result = model->block.response(port);
        outputs->resp_valid = result != nullptr ? 1 : 0;
        if (result != nullptr) write_response(*result, outputs->response);
    });
}

int isbesim_clock(isbesim_model* model, uint32_t reset, const isbesim_inputs* inputs)
{
    return guarded(model->error, [&] {
        if (reset != 0) {
            model->block.clock_in_reset();
            return;
        }
        std::array<port_inputs, ISBESIM_MAX_PORTS> pins;
        std::array<warp_op, ISBESIM_MAX_PORTS> ops;
        for (unsigned port = 0; inputs != nullptr && port < model->block.ports(); ++port) {
            pins[port].response_ready = inputs[port].resp_ready != 0;
            if (inputs[port].request == nullptr) continue;
            read_request(*inputs[port].request, ops[port]);
            pins[port].request = &ops[port];
        }
        model->block.clock(pins.data());
    });
}

int isbesim_read_storage(isbesim_model* model, uint32_t address, uint32_t* words, uint32_t count)
{
    return guarded(model->error, [&] {
        const auto first = first_word(*model, address, count);
        for (uint32_t i = 0; i < count; ++i) words[i] = model->block.core().storage().read(first + i);
    });
}

int isbesim_write_storage(isbesim_model* model, uint32_t address, const uint32_t* words, uint32_t count)
{
    return guarded(model->error, [&] {
        const auto first = first_word(*model, address, count);
        for (uint32_t i = 0; i < count; ++i)
            model->block.core().storage().write(first + i, words[i], 0xffffffffU, false);
    });
}

int isbesim_read_context(isbesim_model* model, uint32_t slot, uint32_t words[ISBESIM_CONTEXT_WORDS])
{
    return guarded(model->error, [&] {
        require(slot < model->block.core().config().contexts, "there is no such context slot");
        warp_op bind;
        pack_context(model->block.core().context_at(slot), bind);
        for (unsigned i = 0; i < context_words; ++i) words[i] = bind.data[i / warp_lanes][i % warp_lanes];
    });
}

size_t isbesim_machine_json(isbesim_model* model, char* text, size_t size)
{
    return give_json(*model, text, size, [](isbesim_model& self) { return config_to_json(self.config); });
}

size_t isbesim_state_json(isbesim_model* model, char* text, size_t size)
{
    return give_json(*model, text, size, [](isbesim_model& self) { return state_json(self.block); });
}

} // extern "C"
