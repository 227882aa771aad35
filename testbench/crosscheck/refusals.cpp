// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/refusals.h"

#include <cstring>

#include "models/isbe/functional/context.h"
#include "testbench/crosscheck/memory_access.h"

namespace isbesim::testbench {

namespace {

using payload = tlm::tlm_generic_payload;

/// BIND of a descriptor with one value that its writer must not give (micro-architecture section 3).
template <typename part>
void bind_with(warp_op& op, part change)
{
    context wrong;
    wrong.stage = stage::vertex;
    change(wrong);
    op.op = opcode::bind;
    pack_context(wrong, op);
}

unsigned char enables[4] = {0xff, 0xff, 0xff, 0xff};

} // namespace

std::vector<refusal_case> refusal_cases(word storage)
{
    constexpr auto command = tlm::TLM_COMMAND_ERROR_RESPONSE, burst = tlm::TLM_BURST_ERROR_RESPONSE;
    constexpr auto enable = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, generic = tlm::TLM_GENERIC_ERROR_RESPONSE;
    const auto outside = [storage](const char* name, word space_layout::*base, word space_layout::*bytes) {
        return refusal_case{name, generic, true, [=](payload&, warp_op& op) {
                                bind_with(op, [=](context& c) {
                                    c.output.*base = storage - 128;
                                    c.output.*bytes = 128 + 1;
                                });
                            }};
    };
    const auto askew = [](const char* name, word space_layout::*base, word space_layout::*bytes) {
        return refusal_case{name, generic, true, [=](payload&, warp_op& op) {
                                bind_with(op, [=](context& c) { c.input.*base = 2, c.input.*bytes = 1; });
                            }};
    };
    using layout = space_layout;
    return {
        {"command of memory", command, true, [](payload& p, warp_op&) { p.set_read(); }},
        {"data length", burst, true, [](payload& p, warp_op&) { p.set_data_length(508); }},
        {"streaming width", burst, true, [](payload& p, warp_op&) { p.set_streaming_width(511); }},
        {"byte enables", enable, true,
         [](payload& p, warp_op&) {
             p.set_byte_enable_ptr(enables);
             p.set_byte_enable_length(sizeof enables);
         }},
        {"no data", generic, true, [](payload& p, warp_op&) { p.set_data_ptr(nullptr); }},
        {"op 7", generic, true, [](payload&, warp_op& op) { op.op = static_cast<opcode>(7); }},
        {"space 2", generic, true, [](payload&, warp_op& op) { op.space = static_cast<space>(2); }},
        {"form 3", generic, true, [](payload&, warp_op& op) { op.form = static_cast<address_form>(3); }},
        {"type 4", generic, true, [](payload&, warp_op& op) { op.type = static_cast<out_type>(4); }},
        {"size 0", generic, true, [](payload&, warp_op& op) { op.size = 0; }},
        {"size 5", generic, true, [](payload&, warp_op& op) { op.size = 5; }},
        {"size 0 of AL2P", generic, true, [](payload&, warp_op& op) { op.op = opcode::al2p, op.size = 0; }},
        {"8 bytes", generic, true, [](payload&, warp_op& op) { op.op = opcode::isberd, op.size = 8; }},
        {"3 bytes", generic, true, [](payload&, warp_op& op) { op.op = opcode::isberd, op.size = 3; }},
        {"0 bytes", generic, true, [](payload&, warp_op& op) { op.op = opcode::isbewr, op.size = 0; }},
        {"region 5", generic, true,
         [](payload&, warp_op& op) { op.op = opcode::isberd, op.region = static_cast<region>(5); }},
        {"region 8 of ALD", generic, true, [](payload&, warp_op& op) { op.region = static_cast<region>(8); }},
        {"form 4 of OUT", generic, true,
         [](payload&, warp_op& op) { op.op = opcode::out, op.form = static_cast<address_form>(4); }},
        {"size 8 of OUT", generic, true, [](payload&, warp_op& op) { op.op = opcode::out, op.size = 8; }},
        {"skew 2", generic, true, [](payload&, warp_op& op) { std::memset(&op.skew, 2, 1); }},
        {"stage 8", generic, true,
         [](payload&, warp_op& op) { bind_with(op, [](context& c) { c.stage = static_cast<stage>(8); }); }},
        {"33 threads", generic, true,
         [](payload&, warp_op& op) { bind_with(op, [](context& c) { c.geometry.thread_count = 33; }); }},
        {"65,536 vertices", generic, true,
         [](payload&, warp_op& op) { bind_with(op, [](context& c) { c.output.vertex_count = 65536; }); }},
        {"256 words of a patch", generic, true,
         [](payload&, warp_op& op) { bind_with(op, [](context& c) { c.input.patch_words = 256; }); }},
        {"257 patches", generic, true,
         [](payload&, warp_op& op) { bind_with(op, [](context& c) { c.input.patch_count = 257; }); }},
        {"base of ATTR", generic, true,
         [](payload&, warp_op& op) {
             bind_with(op, [](context& c) { c.input.attr_base = 64, c.input.attr_bytes = 4; });
         }},
        outside("end of ATTR", &layout::attr_base, &layout::attr_bytes),
        outside("end of MAP", &layout::map_base, &layout::map_bytes),
        outside("end of PRIM", &layout::prim_base, &layout::prim_bytes),
        askew("base of MAP", &layout::map_base, &layout::map_bytes),
        askew("base of PRIM", &layout::prim_base, &layout::prim_bytes),
        {"base of PATCH", generic, true,
         [](payload&, warp_op& op) {
             bind_with(op, [](context& c) { c.input.patch_base = 2, c.input.patch_words = c.input.patch_count = 1; });
         }},
        {"end of PATCH", generic, true,
         [storage](payload&, warp_op& op) {
             bind_with(op, [storage](context& c) {
                 c.output.patch_base = storage - 128, c.output.patch_words = 3, c.output.patch_count = 11;
             });
         }},

        {"no command", command, false, [](payload& p, warp_op&) { p.set_command(tlm::TLM_IGNORE_COMMAND); }},
        {"no bytes", burst, false, [](payload& p, warp_op&) { p.set_data_length(0); }},
        {"bytes that repeat", burst, false, [](payload& p, warp_op&) { p.set_streaming_width(7); }},
        {"no enables", enable, false,
         [](payload& p, warp_op&) {
             p.set_byte_enable_ptr(enables);
             p.set_byte_enable_length(0);
         }},
        {"address beyond", tlm::TLM_ADDRESS_ERROR_RESPONSE, false,
         [storage](payload& p, warp_op&) { p.set_address(storage - 7); }},
        {"no data array", generic, false, [](payload& p, warp_op&) { p.set_data_ptr(nullptr); }},
    };
}

void check_refusal(const refusal_case& each, tlm::tlm_initiator_socket<>& socket, payload_pool& pool,
                   const failure& fail)
{
    auto& operation = pool.acquire();
    auto& extension = payload_pool::extension(operation);
    extension.op = warp_op{};
    tlm::tlm_generic_payload plain(&pool);
    memory_access access;
    access.data.resize(8);
    access.fill(plain, access.data);
    auto& payload = each.operation ? operation : plain;
    each.change(payload, extension.op);
    const auto refused = [&](tlm::tlm_sync_enum answer) {
        if (payload.get_response_status() != each.status || answer != tlm::TLM_COMPLETED)
            fail("takes a payload, other",
                 std::string("  with ") + each.name + ": " + payload.get_response_string() + "\n");
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    };
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    refused(tlm::TLM_COMPLETED);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    refused(socket->nb_transport_fw(payload, phase, delay));
    if (each.operation && socket->transport_dbg(payload) != 0) fail("copies bytes of an operation, other", "");
    operation.release();
}

void check_calls_without_effect(tlm::tlm_initiator_socket<>& socket, bool loosely, const failure& fail)
{
    tlm::tlm_generic_payload payload; // without a memory manager
    memory_access access;
    access.data.resize(8);
    access.fill(payload, access.data);
    const auto call = [&](tlm::tlm_phase phase, tlm::tlm_sync_enum answer, tlm::tlm_response_status status) {
        sc_core::sc_time delay;
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        if (socket->nb_transport_fw(payload, phase, delay) != answer || payload.get_response_status() != status)
            fail("takes a phase, other", "");
    };
    call(tlm::END_REQ, tlm::TLM_ACCEPTED, tlm::TLM_INCOMPLETE_RESPONSE);
    if (!loosely) {
        call(tlm::END_RESP, tlm::TLM_COMPLETED, tlm::TLM_INCOMPLETE_RESPONSE);
        call(tlm::BEGIN_REQ, tlm::TLM_COMPLETED, tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    auto copied = socket->transport_dbg(payload);
    payload.set_read();
    payload.set_data_ptr(nullptr);
    copied += socket->transport_dbg(payload);
    if (copied != 0) fail("copies bytes to nowhere, other", "");
}

} // namespace isbesim::testbench
