// SPDX-License-Identifier: Apache-2.0
// Warp operations of an initiator that makes mistakes: every field beyond its range (micro-architecture section 2), the
// payload's attributes (payload_extension.h) and context descriptors (section 3), in every transport call of every back
// end. A refusal names the field and changes nothing.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <systemc>
#include <tlm>

#include "models/isbe/functional/context.h"
#include "testbench/rtl/isbe_backend.h"
#include "testbench/rtl/rtl_store.h"
#include "tlm/has_process.h"
#include "tlm/payload_extension.h"
#include "tlm/process_guard.h"

namespace isbesim::test {
namespace {

std::vector<std::string> reports;

void keep(const sc_core::sc_report& report, const sc_core::sc_actions&)
{
    if (report.get_severity() != sc_core::SC_INFO) reports.emplace_back(report.get_msg());
}

class careless_initiator : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<> socket{"socket"};

    careless_initiator(const sc_core::sc_module_name& name, std::function<void(careless_initiator&)> body)
        : sc_core::sc_module(name), body_(std::move(body))
    {
        socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
        ISBESIM_HAS_PROCESS(careless_initiator);
        SC_THREAD(run);
    }

    using change = std::function<void(tlm::tlm_generic_payload&, warp_op&)>;

    /// The operation is carried out, without a report; returns its error.
    op_error expect_done(const std::string& what, const change& make)
    {
        isbe_extension extension;
        tlm::tlm_generic_payload payload;
        send(call::blocking, payload, extension, make);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE) << what;
        EXPECT_EQ(reports, std::vector<std::string>{}) << what;
        return extension.result.error;
    }
    /// Every call refuses it with a report that has `text`.
    void expect_refused(const std::string& what, tlm::tlm_response_status status, const std::string& text,
                        const change& make)
    {
        for (const auto how : {call::blocking, call::phases, call::debug}) {
            isbe_extension extension;
            tlm::tlm_generic_payload payload;
            send(how, payload, extension, make);
            EXPECT_EQ(payload.get_response_status(), status) << what;
            ASSERT_EQ(reports.size(), 1U) << what;
            EXPECT_EQ(reports[0].rfind("a warp operation is refused: " + text, 0), 0U) << what << ": " << reports[0];
        }
    }
    bool ran() const { return ran_; }

private:
    enum class call { blocking, phases, debug };

    void send(call how, tlm::tlm_generic_payload& payload, isbe_extension& extension, const change& make)
    {
        reports.clear();
        make_request(payload, extension);
        make(payload, extension.op);
        sc_core::sc_time delay;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        if (how == call::blocking) socket->b_transport(payload, delay);
        if (how == call::phases) {
            EXPECT_EQ(socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
        }
        if (how == call::debug) {
            EXPECT_EQ(socket->transport_dbg(payload), 0U);
        }
        payload.clear_extension(&extension);
    }
    void run()
    {
        body_(*this);
        ran_ = true;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    std::function<void(careless_initiator&)> body_;
    bool ran_ = false;
};

class refused_operations : public testing::TestWithParam<std::string> {
protected:
    static constexpr word storage = isbe_config{}.lines * 128;

    void with(std::function<void(careless_initiator&)> body)
    {
        sc_core::sc_report_handler::set_handler(keep);
        const auto isbe =
            testbench::find_isbe_backend(GetParam())
                ->make("isbe", isbe_config{}, cycle_clock::from_ghz(1.0), testbench::require_rtl_block, nullptr);
        careless_initiator initiator("initiator", std::move(body));
        initiator.socket.bind(isbe.module->ports[0]);
        start_simulation();
        EXPECT_TRUE(initiator.ran());
    }
};

std::vector<std::string> built_back_ends()
{
    std::vector<std::string> names;
    const bool rtl = !testbench::built_rtl_plugin(isbe_config{}).empty();
    for (const auto& each : testbench::isbe_backends())
        if (rtl || each.name == std::string("lt") || each.name == std::string("at")) names.emplace_back(each.name);
    return names;
}
INSTANTIATE_TEST_SUITE_P(of, refused_operations, testing::ValuesIn(built_back_ends()),
                         [](const auto& chosen) { return chosen.param; });

/// A field of one byte, and the legal values of section 2 for an operation.
struct field {
    const char* name;
    std::size_t offset;
    bool (*exists)(unsigned op, unsigned value);
};

bool is_raw_number(unsigned op)
{
    return op == 4 || op == 5;
}

const field fields[] = {
    {"op", offsetof(warp_op, op), [](unsigned, unsigned value) { return value < 7; }},
    {"space", offsetof(warp_op, space), [](unsigned, unsigned value) { return value < 2; }},
    {"region", offsetof(warp_op, region),
     [](unsigned op, unsigned value) { return value < (is_raw_number(op) ? 5U : 8U); }},
    {"form", offsetof(warp_op, form), [](unsigned op, unsigned value) { return value < (op < 2 ? 3U : 4U); }},
    {"type", offsetof(warp_op, type), [](unsigned, unsigned value) { return value < 4; }},
    {"size", offsetof(warp_op, size),
     [](unsigned op, unsigned value) {
         if (is_raw_number(op)) return value == 1 || value == 2 || value == 4;
         return op < 3 ? value >= 1 && value <= 4 : value < 8;
     }},
    {"skew", offsetof(warp_op, skew), [](unsigned, unsigned value) { return value < 2; }},
};

TEST_P(refused_operations, every_field_at_its_corners)
{
    with([](careless_initiator& initiator) {
        initiator.expect_done("BIND", [](tlm::tlm_generic_payload&, warp_op& op) {
            op.op = opcode::bind;
            context slot;
            slot.stage = stage::vertex;
            pack_context(slot, op);
        });
        for (const auto& field : fields)
            for (unsigned op = 0; op < opcode_count; ++op)
                for (const unsigned value :
                     {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 15U, 16U, 31U, 32U, 33U, 64U, 127U, 128U, 255U}) {
                    const auto what = "op " + std::to_string(op) + ", " + field.name + " " + std::to_string(value);
                    const auto make = [&](tlm::tlm_generic_payload&, warp_op& sent) {
                        sent.op = static_cast<opcode>(op);
                        sent.context = sent.op == opcode::bind ? 1 : 0; // slot 0 stays bound
                        std::memset(reinterpret_cast<char*>(&sent) + field.offset, static_cast<int>(value), 1);
                    };
                    const bool other_op = field.offset == offsetof(warp_op, op);
                    if (other_op && op != 0) continue; // it is replaced
                    if (field.exists(op, value))
                        initiator.expect_done(what, make);
                    else
                        initiator.expect_refused(
                            what, tlm::TLM_GENERIC_ERROR_RESPONSE,
                            std::string(field.name) + " is " + std::to_string(value) + ", expected ", make);
                }
    });
}

TEST_P(refused_operations, attributes_of_the_payload)
{
    with([](careless_initiator& initiator) {
        using gp = tlm::tlm_generic_payload;
        unsigned char enables[1] = {TLM_BYTE_ENABLED};
        for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND, static_cast<tlm::tlm_command>(3)})
            initiator.expect_refused("command", tlm::TLM_COMMAND_ERROR_RESPONSE, "the command is not",
                                     [&](gp& p, warp_op&) { p.set_command(command); });
        for (const unsigned length : {0U, 1U, 511U, 513U, ~0U})
            initiator.expect_refused("length", tlm::TLM_BURST_ERROR_RESPONSE,
                                     "the data length is " + std::to_string(length) + ", expected 512",
                                     [&](gp& p, warp_op&) { p.set_data_length(length); });
        for (const unsigned width : {0U, 1U, 511U})
            initiator.expect_refused("width", tlm::TLM_BURST_ERROR_RESPONSE,
                                     "the streaming width is " + std::to_string(width) + ", expected 512",
                                     [&](gp& p, warp_op&) { p.set_streaming_width(width); });
        for (const unsigned count : {0U, 1U, ~0U})
            initiator.expect_refused("enables", tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "there are byte enables",
                                     [&](gp& p, warp_op&) {
                                         p.set_byte_enable_ptr(enables);
                                         p.set_byte_enable_length(count);
                                     });
        initiator.expect_refused("data", tlm::TLM_GENERIC_ERROR_RESPONSE, "the data pointer is null",
                                 [](gp& p, warp_op&) { p.set_data_ptr(nullptr); });
        const auto physical = [](warp_op& op) {
            op.op = opcode::isberd;
            op.region = region::physical;
        };
        for (const auto preset : {tlm::TLM_OK_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE}) {
            initiator.expect_done("a status of before", [&](gp& p, warp_op& op) {
                physical(op);
                p.set_response_status(preset);
            });
            initiator.expect_refused("a status of before", tlm::TLM_GENERIC_ERROR_RESPONSE,
                                     "size is 3, expected 1, 2 or 4", [&](gp& p, warp_op& op) {
                                         physical(op);
                                         op.size = 3;
                                         p.set_response_status(preset);
                                     });
        }
    });
}

TEST_P(refused_operations, context_descriptors)
{
    const auto bind_of = [](const std::vector<std::pair<unsigned, word>>& words) {
        return [words](tlm::tlm_generic_payload&, warp_op& op) {
            op.op = opcode::bind;
            op.data[0][0] = 2; // VSb
            for (const auto& [number, value] : words) op.data[number / 32][number % 32] = value;
        };
    };
    struct row {
        const char* text;
        std::vector<std::pair<unsigned, word>> words;
    };
    std::vector<row> rows = {
        {"stage", {{0, 8}}}, {"stage", {{0, 0xf}}}, {"geometry", {{2, 33}}}, {"geometry", {{2, 63}}}};
    for (const unsigned first : {4U, 14U}) {
        const char* const text = first == 4 ? "input space: " : "output space: ";
        for (const auto& words :
             std::vector<std::vector<std::pair<unsigned, word>>>{{{0, 64}, {1, 128}}, // attr_base is not 128-aligned
                                                                 {{0, 0}, {1, storage + 1}},     // ATTR
                                                                 {{0, 0xffffff80U}, {1, 0x100}}, // ... past 2^32
                                                                 {{0, storage}, {1, 1}},
                                                                 {{2, 65536}}, // vertices
                                                                 {{2, ~0U}},
                                                                 {{3, 2}, {4, 4}}, // MAP
                                                                 {{3, storage - 4}, {4, 5}},
                                                                 {{5, 1}, {6, 4}}, // PRIM
                                                                 {{5, ~3U}, {6, 8}},
                                                                 {{7, 3}, {8, 1}, {9, 1}}, // PATCH
                                                                 {{7, storage - 4}, {8, 1}, {9, 2}},
                                                                 {{8, 256}},
                                                                 {{9, 257}},
                                                                 {{8, ~0U}, {9, ~0U}}})
            rows.push_back({text, words}), std::for_each(rows.back().words.begin(), rows.back().words.end(),
                                                         [first](auto& each) { each.first += first; });
    }
    with([&](careless_initiator& initiator) {
        for (const auto& row : rows) {
            const auto bind = bind_of(row.words);
            std::string what = row.text;
            for (const auto& [number, value] : row.words)
                what += " word " + std::to_string(number) + ": " + std::to_string(value);
            initiator.expect_refused(what, tlm::TLM_GENERIC_ERROR_RESPONSE,
                                     std::string("context descriptor, ") + row.text, bind);
            // Section 3: without a stage the other fields have no meaning. Section 4.1: no slot, no effect.
            if (row.words[0].first == 0) continue;
            initiator.expect_done(what, [&](tlm::tlm_generic_payload& payload, warp_op& op) {
                bind(payload, op);
                op.data[0][0] = 0;
            });
            EXPECT_EQ(initiator.expect_done(what,
                                            [&](tlm::tlm_generic_payload& payload, warp_op& op) {
                                                bind(payload, op);
                                                op.context = isbe_config{}.contexts;
                                            }),
                      op_error::illegal_sph_instr_combo);
        }
        EXPECT_EQ(initiator.expect_done("whole storage", bind_of({{5, storage}, {6, 65535}, {16, 65535}})),
                  op_error::none);
    });
}

} // namespace
} // namespace isbesim::test
