// SM50 rows: moves, predicates, conversions, control flow.
#include "models/isa/sm50_rows.h"

// clang-format off
namespace isbesim::isa::sm50 {

void add_move_rows(rows& out)
{
    const operand_spec condition = predicate_source(slot::ps, 39, 42);
    opcode_row row;
    row.latency = latency_class::alu;

    // The four-bit lane mask of MOV is always written as all ones.
    row.mnemonic = "MOV";
    row.execute = run::mov;
    row.operands = {dest(), source_b()};
    add(out, 0x5c98'0780'0000'0000, row);
    row.operands[1] = constant(source_b());
    add(out, 0x4c98'0780'0000'0000, row);
    row.operands[1] = immediate(source_b(), form::integer);
    add(out, 0x3898'0780'0000'0000, row);

    row.mnemonic = "MOV32I";
    row.operands[1] = immediate(source_b(), form::unsigned_word, {20, 32});
    add(out, 0x0100'0000'0000'f000, row);

    row.mnemonic = "SEL";
    row.execute = run::sel;
    row.operands = {dest(), source_a(), source_b(), condition};
    add(out, {0x5ca0, 0x4ca0, 0x38a0, form::integer}, row);

    const operand_spec first = predicate_source(slot::pa, 12, 15), second = predicate_source(slot::pb, 29, 32);
    row.mnemonic = "PSETP";
    row.execute = run::psetp;
    row.modifiers = {{mod::combine, {24, 2}, say::combine}, {mod::combine_next, {45, 2}, say::combine}};
    row.operands = {predicate_result(slot::pd, 3), predicate_result(slot::pq, 0), first, second, condition};
    add(out, 0x5090'0000'0000'0000, row);

    row.mnemonic = "PSET";
    row.execute = run::pset;
    row.modifiers.insert(row.modifiers.begin(), {mod::boolean_float, {44, 1}, say::bf});
    row.operands = {dest(47), first, second, condition};
    add(out, 0x5088'0000'0000'0000, row);

    row.mnemonic = "VOTE";
    row.execute = run::vote;
    row.modifiers = {{mod::function, {48, 2}, say::vote}};
    row.operands = {dest(), predicate_result(slot::pd, 45), condition};
    add(out, 0x50d8'0000'0000'0000, row);

    row.mnemonic = "SHFL";
    row.execute = run::shfl;
    row.latency = latency_class::variable;
    row.shows_reuse = false;
    row.modifiers = {{mod::function, {30, 2}, say::shuffle}};
    const operand_spec lane = source_b(), lane_number = immediate(source_b(), form::unsigned_word, {20, 5});
    const operand_spec bounds = source_c(), bound_number = immediate(source_c(), form::unsigned_word, {34, 13});
    const auto add_shuffle = [&](std::uint64_t opcode, const operand_spec& b, const operand_spec& c) {
        row.operands = {predicate_result(slot::pd, 48), dest(), source_a(), b, c};
        add(out, opcode, row);
    };
    add_shuffle(0xef10'0000'0000'0000, lane, bounds);
    add_shuffle(0xef10'0000'1000'0000, lane_number, bounds);
    add_shuffle(0xef10'0000'2000'0000, lane, bound_number);
    add_shuffle(0xef10'0000'3000'0000, lane_number, bound_number);

    row.latency = latency_class::alu;
    row.shows_reuse = true;
    row.modifiers = {};
    row.operands = {dest(), small(slot::extra, {20, 8}, form::special)};
    row.execute = run::s2r;
    row.mnemonic = "CS2R";
    add(out, 0x50c8'0000'0000'0000, row);
    row.latency = latency_class::variable;
    row.mnemonic = "S2R";
    add(out, 0xf0c8'0000'0000'0000, row);
}

void add_conversion_rows(rows& out)
{
    opcode_row row;
    row.latency = latency_class::variable;
    row.shows_reuse = false;
    const operand_spec to = dest(47, extent::by_to_type);
    const field signed_to = {8, 2, 12, 1}, signed_from = {10, 2, 13, 1}, piece = {41, 2};

    row.mnemonic = "F2F";
    row.execute = run::f2f;
    row.modifiers = {{mod::flush, {44, 1}, say::ftz}, {mod::to_type, {8, 2}, say::float_type}, {mod::from_type, {10, 2}, say::float_type}, {mod::round, {39, 2, 42, 1}, say::round_float}, {mod::saturate, {50, 1}, say::sat}};
    row.operands = {to, source_b({45, 49, no_bit, {41, 1}, extent::by_from_type})};
    add(out, {0x5ca8, 0x4ca8, 0x38a8, form::real}, row);

    row.mnemonic = "F2I";
    row.execute = run::f2i;
    row.modifiers = {{mod::flush, {44, 1}, say::ftz}, {mod::to_type, signed_to, say::integer_type}, {mod::from_type, {10, 2}, say::float_type}, {mod::round, {39, 2}, say::round_integer}};
    row.operands = {to, source_b({45, 49, no_bit, {41, 1}, extent::by_from_type})};
    add(out, {0x5cb0, 0x4cb0, 0x38b0, form::real}, row);

    row.mnemonic = "I2F";
    row.execute = run::i2f;
    row.modifiers = {{mod::to_type, {8, 2}, say::float_type}, {mod::from_type, signed_from, say::integer_type}, {mod::round, {39, 2}, say::round}};
    row.operands = {to, source_b({45, 49, no_bit, piece, extent::by_from_type})};
    add(out, {0x5cb8, 0x4cb8, 0x38b8, form::integer}, row);

    row.mnemonic = "I2I";
    row.execute = run::i2i;
    row.modifiers = {{mod::to_type, signed_to, say::integer_type}, {mod::from_type, signed_from, say::integer_type}, {mod::saturate, {50, 1}, say::sat}};
    row.operands = {to, source_b({45, 49, no_bit, piece, extent::by_from_type})};
    add(out, {0x5ce0, 0x4ce0, 0x38e0, form::integer}, row);
}

void add_flow_rows(rows& out)
{
    opcode_row row;
    row.latency = latency_class::control;
    row.shows_reuse = false;

    // The trigger, condition and immediate of NOP do nothing; an all-zero word is the padding that compilers leave.
    row.mnemonic = "NOP";
    row.execute = run::nop;
    row.latency = latency_class::alu;
    row.ignored = {0x0000'000f'fff0'3f00, 0};
    add(out, 0x50b0'0000'0000'0f00, row);
    row.ignored = {};
    row.guarded = false;
    add(out, 0, row);
    row.guarded = true;
    row.mnemonic = "MEMBAR";
    row.modifiers = {{mod::function, {8, 2}, say::membar}};
    add(out, 0xef98'0000'0000'0000, row);

    row.latency = latency_class::control;
    row.mnemonic = "BAR";
    row.execute = run::barrier;
    row.modifiers = {{mod::function, {32, 3}, say::barrier}};
    row.operands = {small(slot::a, {8, 8}), small(slot::b, {20, 12}), predicate_source(slot::ps, 39, 42)};
    row.operands[1].optional = row.operands[2].optional = true;
    add(out, 0xf0a8'1800'0000'0000, row);

    const operand_spec target = small(slot::extra, {20, 24}, form::target);

    row.mnemonic = "BRA";
    row.execute = run::bra;
    row.modifiers = {{mod::function, {7, 1}, say::uniform}, {mod::test, {6, 1}, say::limit}};
    row.operands = {target};
    add(out, 0xe240'0000'0000'000f, row);

    row.operands = {};
    row.modifiers = {};
    const auto lane_flow = [&](const char* mnemonic, std::uint64_t opcode, execute_function execute) {
        row.mnemonic = mnemonic;
        row.execute = execute;
        add(out, opcode, row);
    };
    lane_flow("EXIT", 0xe300'0000'0000'000f, run::exit);
    lane_flow("RET", 0xe320'0000'0000'000f, run::ret);
    lane_flow("KIL", 0xe330'0000'0000'000f, nullptr);
    lane_flow("BRK", 0xe340'0000'0000'000f, run::brk);
    lane_flow("CONT", 0xe350'0000'0000'000f, run::cont);
    lane_flow("SYNC", 0xf0f8'0000'0000'000f, run::sync);

    // What pushes on the divergence stack has no guard.
    row.guarded = false;
    row.operands = {target};
    lane_flow("SSY", 0xe290'0000'0000'0000, run::ssy);
    lane_flow("PBK", 0xe2a0'0000'0000'0000, run::pbk);
    lane_flow("PCNT", 0xe2b0'0000'0000'0000, run::pcnt);
    static constexpr choice no_increment[] = {{0, "NOINC"}, {1, "", false}};
    row.modifiers = {{mod::function, {6, 1}, no_increment}};
    lane_flow("CAL", 0xe260'0000'0000'0000, run::cal);
    lane_flow("PRET", 0xe270'0000'0000'0000, run::pret);
}

} // namespace isbesim::isa::sm50
// clang-format on
