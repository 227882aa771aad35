// SPDX-License-Identifier: Apache-2.0
// What attribute instructions put into a warp_op, and what comes back.
#include <tuple>

#include <gtest/gtest.h>

#include "tests/isa/lab.h"
#include "tests/support/error_text.h"

namespace isbesim::isa {
namespace {

/// One instruction issued; R<k> of lane i holds 1000*k + i.
struct issued {
    explicit issued(const std::string& text, stage where = stage::geometry, lane_mask lanes = all_lanes,
                    execution_rules rules = {})
        : bench(text, lanes)
    {
        for (unsigned k = 0; k < 16; ++k)
            for (unsigned i = 0; i < warp_lanes; ++i) bench[k][i] = 1000 * k + i;
        bench.warp.stage = where;
        bench.op.lanes = 0xdeadbeefU;
        result = execute(bench.warp, bench.op, rules);
    }
    const instruction& first() const { return bench.code.code[0]; }
    void take(const warp_result& answer, unsigned component = 0)
    {
        write_back(bench.warp, first(), bench.op, answer, component);
    }
    lab bench;
    step result;
};

TEST(attribute, ALD_01_fields_of_a_load)
{
    const issued load("ALD.128 R4, a[0x80], R9;");
    const warp_op& op = load.bench.op;
    EXPECT_EQ(load.result.kind, step_kind::attribute);
    EXPECT_EQ(std::tuple(op.op, op.space, op.form, op.size, op.immediate, op.lanes),
              std::tuple(opcode::ald, space::input, address_form::logical, 4, 0x80, all_lanes));
    for (unsigned i = 0; i < warp_lanes; ++i) {
        EXPECT_EQ(op.address[i], 0U);
        EXPECT_EQ(op.handle[i], 9000 + i);
    }
}

TEST(attribute, ALD_14_patch_address_is_register_plus_offset)
{
    const issued load("ALD.O.P.64 R2, a[R1+-0x10];", stage::tess_init);
    const warp_op& op = load.bench.op;
    EXPECT_EQ(std::tuple(op.space, op.form, op.immediate, op.address[3], op.handle[3]),
              std::tuple(space::output, address_form::patch, -16, 1003U, 0U));
}

TEST(attribute, ALD_02_register_low_bits_are_dropped)
{
    issued load("ALD.96 R7, a[0x90];", stage::vertex);
    EXPECT_EQ(load.first().issue.writes[0].first, 4);
    EXPECT_EQ(load.first().issue.writes[0].count, 3);
    warp_result answer;
    for (unsigned k = 0; k < 3; ++k) answer.data[k].fill(0xa0 + k);
    load.take(answer);
    EXPECT_EQ(load.bench.values(4, 4, 5), (word_list{0xa0, 0xa1, 0xa2, 7005}));
    EXPECT_EQ(issued("ALD.64 R5, a[0x70];").first().issue.writes[0].first, 4);
    EXPECT_EQ(issued("ALD R5, a[0x70];").first().issue.writes[0].first, 5);
}

TEST(attribute, ALD_10_vertex_handle_in_a_vertex_stage_traps)
{
    for (const stage where : {stage::vertex, stage::vertex_a}) {
        const issued load("ALD R0, a[0x70], R5;", where);
        EXPECT_EQ(load.result.kind, step_kind::trap);
        EXPECT_EQ(load.result.trap, 0x09);
        EXPECT_EQ(issued("ALD R0, a[0x70], RZ;", where).result.kind, step_kind::attribute);
    }
    EXPECT_EQ(issued("ALD R0, a[0x70], R5;", stage::tess).result.kind, step_kind::attribute);
}

TEST(attribute, ALD_17_physical_vectors)
{
    EXPECT_EQ(issued("ALD.PHYS R2, a[R1], R3;").result.kind, step_kind::attribute);
    EXPECT_EQ(issued("ALD.PHYS.64 R2, a[R1], R3;").result.trap, 0x09);
    for (const char* size : {"64", "96", "128"})
        EXPECT_EQ(issued(std::string("AST.PHYS.") + size + " a[R1], R4;").result.trap, 0x09) << size;
    EXPECT_EQ(issued("ALD.PHYS R2, a[R1+0x10];").result.trap, 0x09); // with an offset

    issued store("AST.PHYS.96 a[R1], R5, R9;", stage::geometry, all_lanes, {true});
    const warp_op& op = store.bench.op;
    auto& address = store.bench.op.address;
    EXPECT_EQ(store.result.components, 3);
    EXPECT_EQ(std::tuple(op.size, op.form, address[2], op.data[0][2]), // R5 aligned to R4
              std::tuple(1, address_form::phys, 1002U, 4002U));
    // E.6 row 1: component c is the attribute of id + c, to be looked up.
    address.fill(0xa2052004); // id 0x20, output space, enabled, rank 4
    address[1] = 0xa20c1800;  // id 0x18 (PRIMITIVE_ID), not enabled
    address[2] = 0xa205ff07;  // id 255
    address[3] = 0xa2060000;  // out of range
    address[4] = 0xa2012004;  // of the input space
    address[5] = 0x80;        // a logical address
    address[6] = 0xa2452004;  // not as AL2P writes it
    for (const unsigned component : {1U, 2U}) {
        select_component(store.bench.warp, store.first(), component, store.bench.op);
        EXPECT_EQ(std::tuple(op.form, op.immediate, op.size), std::tuple(address_form::logical, 0, 1));
        EXPECT_EQ(address[0], 0x80 + 4 * component);
        EXPECT_EQ(address[1], 0x60 + 4 * component);
        for (unsigned lane = 2; lane <= 6; ++lane) EXPECT_GE(address[lane], 0x400U) << lane;
        for (unsigned lane = 2; lane <= 6; ++lane) EXPECT_LE(address[lane], 0x7fffffffU) << lane;
        EXPECT_EQ(op.data[0][2], 4002 + 1000 * component);
        EXPECT_EQ(op.handle[2], 9002U);
    }

    issued load("ALD.PHYS.64 R4, a[R1], R3;", stage::geometry, all_lanes, {true});
    warp_result answer;
    answer.data[0].fill(77);
    select_component(load.bench.warp, load.first(), 1, load.bench.op);
    load.take(answer, 1);
    EXPECT_EQ(load.bench.values(4, 2, 0), (word_list{4000, 77}));
}

TEST(attribute, ALD_18_lanes_off_keep_their_register)
{
    lab bench("@P0 ALD R4, a[0x80];", 0x0000ffffU);
    bench.warp.predicates[0] = 0x00ff00ffU;
    bench.fill(4, 5);
    const step s = bench.issue();
    EXPECT_EQ(s.lanes, 0xffU);
    EXPECT_EQ(bench.op.lanes, 0xffU);
    warp_result answer;
    answer.data[0].fill(9);
    write_back(bench.warp, bench.code.code[0], bench.op, answer);
    for (unsigned i = 0; i < warp_lanes; ++i) EXPECT_EQ(bench[4][i], i < 8 ? 9U : 5U);
}

TEST(attribute, ALD_18_no_lanes_means_no_operation)
{
    const issued load("@!PT ALD R4, a[0x80], R5;", stage::vertex);
    EXPECT_EQ(load.result.kind, step_kind::done); // not even the trap
    EXPECT_EQ(load.result.lanes, 0U);
    EXPECT_EQ(load.bench.op.lanes, 0xdeadbeefU); // untouched
    EXPECT_EQ(load.bench.warp.pc, 0x10U);
}

TEST(attribute, AST_01_data_registers)
{
    const issued store("AST.128 a[64], R1;", stage::vertex); // the instruction page's own example
    const warp_op& op = store.bench.op;
    EXPECT_EQ(std::tuple(op.op, op.immediate, op.space), std::tuple(opcode::ast, 64, space::output));
    for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(op.data[k][1], 1000 * k + 1);
    const issued state("AST a[0x70], R4, R0;");
    EXPECT_EQ(state.bench.op.handle[6], 6U);
    EXPECT_EQ(state.bench.op.data[0][6], 4006U);
    const issued zero("AST.64 a[0x70], RZ;");
    EXPECT_EQ(zero.bench.op.data[1][6], 0U);
}

TEST(attribute, AL2P_01_operands)
{
    const issued translate("AL2P.O.64 R1, R2, -32;", stage::tess);
    const warp_op& op = translate.bench.op;
    EXPECT_EQ(std::tuple(op.op, op.space, op.size, op.immediate, op.address[4]),
              std::tuple(opcode::al2p, space::output, 2, -32, 2004U));
    EXPECT_EQ(translate.first().issue.writes[0].count, 1); // the result is scalar
}

TEST(attribute, OUT_01_operands_and_new_state)
{
    issued emit("OUT.EMIT R2, R1, 0x3;");
    const warp_op& op = emit.bench.op;
    EXPECT_EQ(std::tuple(op.op, op.type, op.handle[1], op.address[1]),
              std::tuple(opcode::out, out_type::emit, 1001U, 3U));
    warp_result answer;
    answer.data[0].fill(55);
    answer.status[1] = lane_status::gs_state;
    emit.take(answer);
    EXPECT_EQ(emit.bench[2][0], 55U);
    EXPECT_EQ(emit.bench[2][1], 2001U); // E16: a state that OUT did not make leaves Rd alone
    EXPECT_EQ(issued("OUT.EMIT_THEN_CUT R0, R0, RZ;").bench.op.type, out_type::emit_then_cut);
}

TEST(attribute, OUT_07_final_out_takes_the_state_from_r0)
{
    lab bench("NOP;");
    for (unsigned i = 0; i < warp_lanes; ++i) bench[0][i] = 40 + i;
    warp_op op;
    op.context = 3;
    make_final_out(bench.warp, 0xf0U, op);
    EXPECT_EQ(std::tuple(op.op, op.type, op.lanes, op.handle[5], op.context),
              std::tuple(opcode::out, out_type::final, 0xf0U, 45U, 3));
}

TEST(attribute, OUT_10_type_zero_traps)
{
    EXPECT_EQ(issued("OUT R0, R0, RZ;").result.trap, 0x09);
}

TEST(attribute, ISBE_10_only_the_map_region_can_be_read)
{
    const issued map("ISBERD R3, [R2];");
    const warp_op& op = map.bench.op;
    EXPECT_EQ(map.result.kind, step_kind::attribute);
    EXPECT_EQ(std::tuple(op.region, op.size, op.address[7]), std::tuple(region::map, 1, 2007U));
    for (const char* text : {"ISBERD.PATCH R3, [R2];", "ISBERD.PRIM R3, [R2];", "ISBERD.O.ATTR.SKEW.32 R3, [R2];"})
        EXPECT_EQ(issued(text).result.trap, 0x09) << text;
}

TEST(attribute, ISBE_10_there_is_no_raw_store)
{
    for (const char* text : {"ISBEWR.O.MAP.32 [R2], R1;", "ISBEWR.O.ATTR.SKEW.32 [R2], R1;", "ISBEWR [R2], R1;"}) {
        EXPECT_NO_THROW(assemble(text, architecture::sm75)) << text;
        const auto error = error_text<program_error>([&] { assemble(text, architecture::sm50); });
        EXPECT_NE(error.find("ISBEWR"), std::string::npos) << error;
    }
}

/// An operation as an earlier instruction may have left it.
warp_op used_op()
{
    warp_op op;
    op.op = opcode::isbewr;
    op.space = space::input;
    op.region = region::prim;
    op.form = address_form::phys;
    op.type = out_type::cut;
    op.size = 9;
    op.skew = true;
    op.immediate = 77;
    op.address.fill(88);
    return op;
}

TEST(attribute, nothing_of_an_earlier_operation_is_left)
{
    for (const auto& [text, size] : {std::pair{"ALD.96 R4, a[0x80];", 3}, std::pair{"AL2P R1, R2, 0x0;", 1},
                                     std::pair{"OUT.EMIT R2, R1, 0x3;", 1}, std::pair{"AST.64 a[0x80], R4;", 2}}) {
        lab bench(text);
        bench.op = used_op();
        EXPECT_EQ(bench.issue().components, 1) << text;
        const warp_op& op = bench.op;
        const int immediate = std::string(text).find("0x80") != std::string::npos ? 0x80 : 0;
        EXPECT_EQ(std::tuple(op.region, op.form, op.type, op.size, op.skew, op.immediate),
                  std::tuple(region::attr, address_form::logical, out_type::emit, size, false, immediate))
            << text;
    }
    lab map("ISBERD R3, [R2];");
    map.op = used_op();
    map.issue();
    EXPECT_EQ(std::tuple(map.op.skew, map.op.immediate), std::tuple(false, 0));
    lab other("ISBERD.ATTR.32 R3, [R2];", architecture::sm75);
    EXPECT_EQ(other.issue().kind, step_kind::attribute) << "SM50 reads maps only";

    lab last("NOP;");
    last.warp.registers.clear(); // a program without registers
    warp_op op = used_op();
    make_final_out(last.warp, 0xf0U, op);
    EXPECT_EQ(std::tuple(op.space, op.region, op.form, op.size, op.skew, op.immediate, op.address[3], op.handle[3]),
              std::tuple(space::output, region::attr, address_form::logical, 1, false, 0, 0U, 0U));
}

TEST(attribute, results_go_to_their_registers_only)
{
    issued translate("AL2P.64 R4, R2, 0x0;");
    warp_result answer;
    answer.data[0].fill(1);
    answer.data[1].fill(2);
    answer.status.fill(lane_status::gs_state); // says something of OUT alone
    translate.take(answer);
    EXPECT_EQ(translate.bench.values(4, 2, 3), (word_list{1, 5003}));
    issued emit("OUT.EMIT R2, R1, 0x3;");
    answer.status.fill(static_cast<std::uint16_t>(~lane_status::gs_state));
    emit.take(answer);
    EXPECT_EQ(emit.bench.values(2, 2, 3), (word_list{1, 3003}));
    issued load("ALD.PHYS.64 R4, a[R1], R3;", stage::geometry, all_lanes, {true});
    load.bench.op.data[0].fill(6);
    select_component(load.bench.warp, load.first(), 1, load.bench.op);
    EXPECT_EQ(load.bench.op.data[0][2], 6U) << "a load brings no data";
}

TEST(attribute, an_error_writes_nothing_back)
{
    issued load("ALD R4, a[0x80], R5;");
    warp_result answer;
    answer.error = op_error::illegal_sph_instr_combo;
    load.take(answer);
    EXPECT_EQ(load.bench[4][2], 4002U);
}

} // namespace
} // namespace isbesim::isa
