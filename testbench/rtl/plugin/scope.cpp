// SPDX-License-Identifier: Apache-2.0
#include "scope.h"

#include "Vinterface_scope.h"
#include "pins.h"

isbesim_rtl_wave::isbesim_rtl_wave()
{
    context.traceEverOn(true);
    wires = new Vinterface_scope(&context, "model");
    models.emplace_back([this](VerilatedFstC& into) { wires->trace(&into, 99); });
    file.set_time_unit("1ps");
    file.set_time_resolution("1ps");
}

isbesim_rtl_wave::~isbesim_rtl_wave()
{
    file.close();
    Verilated::threadContextp(&context); // scopes deregister from the thread's context
    wires->final();
    delete wires;
}

void add_wave_functions(isbesim_rtl_interface& table)
{
    table.create_wave = [] { return new isbesim_rtl_wave; };
    table.open_wave = [](isbesim_rtl_wave* wave, const char* path) {
        for (const auto& add : wave->models) add(wave->file);
        wave->file.open(path);
        return wave->file.isOpen() ? 1 : 0;
    };
    table.set_scope = [](isbesim_rtl_wave* wave, uint32_t port, const isbesim_rtl_scope* scope) {
        auto& w = *wave->wires;
        pins::set(w.req_valid, port, 1, scope->request_valid);
        pins::set(w.req_transfer, port, 1, scope->request_transfer);
        pins::put(w.req_transaction, port, 64, &scope->request_transaction);
        pins::put_request(w, port, scope->request);
        pins::set(w.resp_valid, port, 1, scope->response_valid);
        pins::set(w.resp_transfer, port, 1, scope->response_transfer);
        pins::put(w.resp_transaction, port, 64, &scope->response_transaction);
        pins::set(w.resp_op, port, 3, scope->response_op);
#define ISBESIM_FIELD(name, width, ...) pins::set(w.resp_##name, port, width, scope->response.name);
#define ISBESIM_LANE_FIELD(name, width, ...) pins::put(w.resp_##name, port, width, scope->response.name);
#include "tlm/response_fields.inc"
        pins::put(w.responses, port, 64, &scope->responses);
    };
    table.dump_wave = [](isbesim_rtl_wave* wave, uint64_t picoseconds) {
        wave->wires->eval();
        wave->file.dump(picoseconds);
    };
    table.close_wave = [](isbesim_rtl_wave* wave) { wave->file.close(); };
    table.destroy_wave = [](isbesim_rtl_wave* wave) { delete wave; };
}
