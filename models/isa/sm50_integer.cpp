// SM50 rows: integer arithmetic, comparisons, bits.
#include "models/isa/sm50_rows.h"

// clang-format off
namespace isbesim::isa::sm50 {

namespace {

// XMAD packs its switches differently in each form: the 16-bit immediate and the constant's address take their places.
void add_xmad_rows(rows& out)
{
    const field half_a = {53, 1}, signs = {48, 2};
    opcode_row row;
    row.mnemonic = "XMAD";
    row.execute = run::xmad;

    const operand_spec a = source_a({no_bit, no_bit, no_bit, half_a});
    row.modifiers = {{mod::is_signed, signs, say::half_signs}, {mod::product_shift, {36, 1}, say::psl}, {mod::merge, {37, 1}, say::mrg}, {mod::c_mode, {50, 3}, say::c_mode}, {mod::extended, {38, 1}, say::x}};
    row.operands = {dest(47), a, source_b({no_bit, no_bit, no_bit, {35, 1}}), source_c()};
    add(out, 0x5b00'0000'0000'0000, row);
    row.operands[2] = immediate(row.operands[2], form::unsigned_word, {20, 16});
    add(out, 0x3600'0000'0000'0000, row);

    row.modifiers = {{mod::is_signed, signs, say::half_signs}, {mod::product_shift, {55, 1}, say::psl}, {mod::merge, {56, 1}, say::mrg}, {mod::c_mode, {50, 2}, say::c_mode_short}, {mod::extended, {54, 1}, say::x}};
    row.operands = {dest(47), a, constant(source_b({no_bit, no_bit, no_bit, {52, 1}})), source_c()};
    add(out, 0x4e00'0000'0000'0000, row);

    row.modifiers = {{mod::is_signed, signs, say::half_signs}, {mod::c_mode, {50, 2}, say::c_mode_short}, {mod::extended, {54, 1}, say::x}};
    row.operands = {dest(47), a, source_b({no_bit, no_bit, no_bit, {52, 1}}), constant(source_c())};
    row.operands[2].bits = reg_39;
    row.operands[2].reuse = 2;
    add(out, 0x5100'0000'0000'0000, row);
}

} // namespace

void add_integer_rows(rows& out)
{
    const operand_spec condition = predicate_source(slot::ps, 39, 42);
    const operand_spec p = predicate_result(slot::pd, 3), q = predicate_result(slot::pq, 0);

    opcode_row row;
    row.latency = latency_class::alu;

    // Both negations together mean "plus one", so this row comes before the plain one.
    row.mnemonic = "IADD.PO";
    row.execute = run::iadd_plus_one;
    row.modifiers = {{mod::saturate, {50, 1}, say::sat}, {mod::extended, {43, 1}, say::x}};
    row.operands = {dest(47), source_a(), source_b()};
    add(out, {0x5c13, 0x4c13, 0x3813, form::integer}, row);

    row.mnemonic = "IADD";
    row.execute = run::iadd;
    row.operands = {dest(47), source_a({49}), source_b({48})};
    add(out, {0x5c10, 0x4c10, 0x3810, form::integer}, row);

    row.mnemonic = "IADD32I";
    row.modifiers = {{mod::saturate, {54, 1}, say::sat}, {mod::extended, {53, 1}, say::x}};
    row.operands = {dest(52), source_a({56}), immediate(source_b(), form::integer, {20, 32})};
    add(out, 0x1c00'0000'0000'0000, row);

    row.mnemonic = "ISCADD.PO";
    row.execute = run::iscadd_plus_one;
    row.modifiers = {};
    row.operands = {dest(47), source_a(), source_b(), small(slot::extra, {39, 5})};
    add(out, {0x5c1b, 0x4c1b, 0x381b, form::integer}, row);

    row.mnemonic = "ISCADD";
    row.execute = run::iscadd;
    row.operands = {dest(47), source_a({49}), source_b({48}), small(slot::extra, {39, 5})};
    add(out, {0x5c18, 0x4c18, 0x3818, form::integer}, row);

    row.mnemonic = "IMNMX";
    row.execute = run::imnmx;
    row.modifiers = {{mod::is_signed, {48, 1}, say::sign}, {mod::c_mode, {43, 2}, say::minmax_part}};
    row.operands = {dest(47), source_a(), source_b(), condition};
    add(out, {0x5c20, 0x4c20, 0x3820, form::integer}, row);

    row.mnemonic = "ISET";
    row.execute = run::iset;
    row.modifiers = {{mod::boolean_float, {44, 1}, say::bf}, {mod::compare, {49, 3}, say::compare_integer}, {mod::is_signed, {48, 1}, say::sign}, {mod::extended, {43, 1}, say::x}, {mod::combine, {45, 2}, say::combine}};
    row.operands = {dest(47), source_a(), source_b(), condition};
    add(out, {0x5b50, 0x4b50, 0x3650, form::integer}, row);

    row.mnemonic = "ISETP";
    row.execute = run::isetp;
    row.modifiers = {{mod::compare, {49, 3}, say::compare_integer}, {mod::is_signed, {48, 1}, say::sign}, {mod::extended, {43, 1}, say::x}, {mod::combine, {45, 2}, say::combine}};
    row.operands = {p, q, source_a(), source_b(), condition};
    add(out, {0x5b60, 0x4b60, 0x3660, form::integer}, row);

    row.mnemonic = "ICMP";
    row.execute = run::icmp;
    row.modifiers = {{mod::compare, {49, 3}, say::compare_integer}, {mod::is_signed, {48, 1}, say::sign}};
    row.operands = {dest(), source_a(), source_b(), source_c()};
    add(out, {0x5b40, 0x4b40, 0x3640, form::integer, 0x5340}, row);

    add_xmad_rows(out);

    // The 32-bit multiplier is not on the fixed pipeline.
    row.latency = latency_class::variable;
    row.shows_reuse = false;
    row.mnemonic = "IMUL";
    row.execute = run::imul;
    row.modifiers = {{mod::from_type, {40, 2}, say::two_signs}, {mod::high, {39, 1}, say::hi}};
    row.operands = {dest(47), source_a(), source_b()};
    add(out, {0x5c38, 0x4c38, 0x3838, form::integer}, row);

    row.mnemonic = "IMUL32I";
    row.modifiers = {{mod::from_type, {54, 2}, say::two_signs}, {mod::high, {53, 1}, say::hi}};
    row.operands = {dest(52), source_a(), immediate(source_b(), form::integer, {20, 32})};
    add(out, 0x1f00'0000'0000'0000, row);

    row.mnemonic = "IMAD";
    row.execute = run::imad;
    row.modifiers = {{mod::from_type, {48, 1, 53, 1}, say::two_signs}, {mod::high, {54, 1}, say::hi}, {mod::saturate, {50, 1}, say::sat}, {mod::extended, {49, 1}, say::x}};
    row.operands = {dest(47), source_a(), source_b({51}), source_c({52})};
    add(out, {0x5a00, 0x4a00, 0x3400, form::integer, 0x5200}, row);
}

void add_bit_rows(rows& out)
{
    const operand_spec test_result = predicate_result(slot::pd, 48, true);

    opcode_row row;
    row.latency = latency_class::alu;

    row.mnemonic = "LOP";
    row.execute = run::lop;
    row.modifiers = {{mod::combine, {41, 2}, say::logic}, {mod::extended, {43, 1}, say::x}, {mod::test, {44, 2}, say::logic_test}};
    row.operands = {test_result, dest(47), source_a({no_bit, no_bit, 39}), source_b({no_bit, no_bit, 40})};
    add(out, {0x5c40, 0x4c40, 0x3840, form::integer}, row);

    row.mnemonic = "LOP32I";
    row.modifiers = {{mod::combine, {53, 2}, say::logic}, {mod::extended, {57, 1}, say::x}};
    row.operands = {dest(52), source_a({no_bit, no_bit, 55}), immediate(source_b({no_bit, no_bit, 56}), form::unsigned_word, {20, 32})};
    add(out, 0x0400'0000'0000'0000, row);

    row.mnemonic = "LOP3.LUT";
    row.execute = run::lop3;
    row.modifiers = {{mod::extended, {38, 1}, say::x}, {mod::test, {36, 2}, say::logic_test}};
    row.operands = {test_result, dest(47), source_a(), source_b(), source_c(), small(slot::extra, {28, 8})};
    add(out, 0x5be0'0000'0000'0000, row);
    row.modifiers = {{mod::extended, {56, 1}, say::x}};
    row.operands = {dest(47), source_a(), constant(source_b()), source_c(), small(slot::extra, {48, 8})};
    add(out, 0x0200'0000'0000'0000, row);
    row.modifiers = {{mod::extended, {57, 1}, say::x}};
    row.operands = {dest(47), source_a(), immediate(source_b(), form::integer), source_c(), small(slot::extra, {48, 8})};
    add(out, 0x3c00'0000'0000'0000, row);

    row.mnemonic = "SHL";
    row.execute = run::shl;
    row.modifiers = {{mod::wrap, {39, 1}, say::wrap}, {mod::extended, {43, 1}, say::x}};
    row.operands = {dest(47), source_a(), source_b()};
    add(out, {0x5c48, 0x4c48, 0x3848, form::integer}, row);

    row.mnemonic = "SHR";
    row.execute = run::shr;
    row.modifiers = {{mod::is_signed, {48, 1}, say::sign}, {mod::wrap, {39, 1}, say::wrap}, {mod::reverse, {40, 1}, say::brev}, {mod::extended, {44, 1}, say::x}};
    add(out, {0x5c28, 0x4c28, 0x3828, form::integer}, row);

    row.modifiers = {{mod::wrap, {50, 1}, say::wrap}, {mod::c_mode, {37, 2}, say::shift_type}, {mod::high, {48, 1}, say::hi}, {mod::extended, {49, 1}, say::x}};
    const auto add_funnel = [&](const char* mnemonic, execute_function execute, std::uint64_t by_register, std::uint64_t by_count) {
        row.mnemonic = mnemonic;
        row.execute = execute;
        row.operands = {dest(47), source_a(), source_b(), source_c()};
        add(out, by_register, row);
        row.operands[2] = immediate(source_b(), form::unsigned_word, {20, 6});
        add(out, by_count, row);
    };
    add_funnel("SHF.L", run::shf_left, 0x5bf8'0000'0000'0000, 0x36f8'0000'0000'0000);
    add_funnel("SHF.R", run::shf_right, 0x5cf8'0000'0000'0000, 0x38f8'0000'0000'0000);

    row.mnemonic = "BFE";
    row.execute = run::bfe;
    row.modifiers = {{mod::is_signed, {48, 1}, say::sign}, {mod::reverse, {40, 1}, say::brev}};
    row.operands = {dest(47), source_a(), source_b()};
    add(out, {0x5c00, 0x4c00, 0x3800, form::integer}, row);

    row.mnemonic = "BFI";
    row.execute = run::bfi;
    row.modifiers = {};
    row.operands = {dest(47), source_a(), source_b(), source_c()};
    add(out, {0x5bf0, 0x4bf0, 0x36f0, form::integer, 0x53f0}, row);

    row.mnemonic = "PRMT";
    row.execute = run::prmt;
    row.modifiers = {{mod::c_mode, {48, 4}, say::permute}};
    row.operands = {dest(), source_a(), source_b(), source_c()};
    add(out, {0x5bc0, 0x4bc0, 0x36c0, form::integer, 0x53c0}, row);

    row.latency = latency_class::variable;
    row.shows_reuse = false;
    row.mnemonic = "FLO";
    row.execute = run::flo;
    row.modifiers = {{mod::is_signed, {48, 1}, say::sign}, {mod::test, {41, 1}, say::find_shift}};
    row.operands = {dest(47), source_b({no_bit, no_bit, 40})};
    add(out, {0x5c30, 0x4c30, 0x3830, form::integer}, row);

    row.mnemonic = "POPC";
    row.execute = run::popc;
    row.modifiers = {};
    row.operands = {dest(), source_b({no_bit, no_bit, 40})};
    add(out, {0x5c08, 0x4c08, 0x3808, form::integer}, row);
}

} // namespace isbesim::isa::sm50
// clang-format on
