// SPDX-License-Identifier: Apache-2.0
#include "models/isa/latency.h"

#include <array>
#include <string_view>

#include "models/isa/opcode_row.h"

namespace isbesim::isa {

namespace {

bool coupled(pipe which)
{
    return which >= pipe::dispatch && which <= pipe::wide_sum;
}

/// Cycles until an instruction of each pipe may read: integers and moves, float numbers, instructions with a
/// scoreboard, the factors and the summand of IMAD.WIDE, doubles, halves, late addresses.
struct latencies {
    unsigned alu, fma, tracked, factor, summand, real_double, half, address;

    unsigned to(pipe reader) const
    {
        switch (reader) {
        case pipe::dispatch:
        case pipe::dispatch_wide:
        case pipe::alu:
        case pipe::crossing:
            return alu;
        case pipe::fma:
            return fma;
        case pipe::wide:
            return factor;
        case pipe::wide_sum:
            return summand;
        case pipe::real_double:
            return real_double;
        case pipe::half:
            return half;
        case pipe::address:
            return address;
        default:
            return tracked;
        }
    }
};

/// Results of a writer: vector registers and predicates. The lower half of IMAD.WIDE takes as long as the upper one.
struct results {
    latencies vector, predicate;
};

/// HARDWARE.md F.4, by writer: CS2R of 64 bits; other moves, logic and integers; float numbers and IMAD; IMAD.WIDE;
/// doubles; halves.
using result_table = std::array<results, 6>;
constexpr result_table turing_results = {{
    {{6, 6, 6, 6, 6, 6, 6, 8}, {4, 5, 12, 5, 5, 12, 12, 12}},
    {{4, 5, 6, 5, 5, 6, 6, 8}, {4, 5, 12, 5, 5, 12, 12, 12}},
    {{5, 4, 6, 4, 4, 6, 6, 8}, {5, 4, 12, 4, 4, 12, 12, 12}},
    {{5, 4, 6, 6, 2, 6, 6, 8}, {5, 4, 12, 2, 2, 12, 12, 12}},
    {{9, 9, 9, 9, 9, 8, 9, 9}, {9, 9, 15, 9, 9, 8, 15, 15}},
    {{8, 8, 8, 8, 8, 8, 6, 8}, {8, 8, 14, 8, 8, 14, 6, 14}},
}};
constexpr result_table ampere_results = {{
    {{6, 6, 4, 6, 6, 6, 6, 5}, {4, 5, 13, 5, 5, 13, 13, 13}},
    {{4, 5, 4, 5, 5, 6, 5, 5}, {4, 5, 13, 5, 5, 13, 13, 13}},
    {{5, 4, 4, 4, 4, 6, 5, 5}, {5, 4, 13, 4, 4, 13, 13, 13}},
    {{5, 4, 4, 6, 2, 6, 5, 5}, {5, 4, 13, 4, 4, 13, 13, 13}},
    {{10, 10, 6, 10, 10, 6, 10, 7}, {6, 6, 14, 6, 6, 6, 6, 14}},
    {{5, 5, 4, 5, 5, 6, 4, 5}, {5, 5, 13, 5, 5, 13, 13, 13}},
}};

constexpr result_table blackwell_results = {{
    {{7, 7, 5, 7, 7, 7, 7, 6}, {5, 6, 14, 6, 6, 14, 14, 14}},
    {{5, 6, 5, 6, 6, 7, 6, 6}, {5, 6, 14, 6, 6, 14, 14, 14}},
    {{6, 5, 5, 5, 5, 7, 6, 6}, {6, 5, 14, 5, 5, 14, 14, 14}},
    {{6, 5, 5, 7, 3, 7, 6, 6}, {6, 5, 14, 5, 5, 14, 14, 14}},
    {{11, 11, 7, 11, 11, 9, 11, 8}, {7, 7, 15, 7, 7, 7, 15, 15}},
    {{6, 6, 5, 6, 6, 7, 5, 6}, {6, 6, 14, 6, 6, 14, 6, 14}},
}};

/// Null for writers without a fixed latency.
const results* results_of(latency_table table, pipe writer)
{
    const auto& all = table == latency_table::turing   ? turing_results
                      : table == latency_table::ampere ? ampere_results
                                                       : blackwell_results;
    switch (writer) {
    case pipe::dispatch_wide:
        return &all[0];
    case pipe::dispatch:
    case pipe::alu:
        return &all[1];
    case pipe::fma:
        return &all[2];
    case pipe::wide:
        return &all[3];
    case pipe::real_double:
        return &all[4];
    case pipe::half:
        return &all[5];
    default:
        return nullptr;
    }
}

unsigned vector_latency(latency_table table, pipe writer, pipe reader)
{
    const auto* results = results_of(table, writer);
    return results == nullptr ? 0 : results->vector.to(reader);
}

/// VOTE reads predicates as late as an instruction with a scoreboard.
unsigned predicate_latency(latency_table table, pipe writer, pipe reader)
{
    const auto* results = results_of(table, writer);
    return results == nullptr ? 0 : results->predicate.to(reader == pipe::dispatch ? pipe::tracked : reader);
}

/// The same on Turing and Ampere; Blackwell adds a cycle.
unsigned common_uniform_latency(pipe writer, pipe reader)
{
    const bool move = writer == pipe::uniform_move;
    if (writer == pipe::crossing) return reader == pipe::bank ? 15 : 13;
    if (!move && writer != pipe::uniform) return 0;
    if (reader == pipe::bank) return move ? 5 : 12;
    if (move) return 2;
    if (reader == pipe::uniform) return 4;
    if (reader == pipe::uniform_move) return 7;
    return coupled(reader) || reader == pipe::half ? 6 : 9;
}

unsigned common_uniform_predicate_latency(latency_table table, pipe writer, pipe reader)
{
    const bool move = writer == pipe::uniform_move;
    if (!move && writer != pipe::uniform) return 0;
    if (reader == pipe::uniform) return move ? 1 : 4;
    if (coupled(reader)) return move ? 1 : 6;
    if (table != latency_table::turing && reader == pipe::tracked) return move ? 2 : 9; // BRA.U
    return move ? 5 : 11;
}

unsigned more_on(latency_table table, unsigned latency)
{
    return latency != 0 && table == latency_table::blackwell ? latency + 1 : latency;
}

/// Adds `more` if the first instruction might not execute.
unsigned guard_adds(bool guarded, unsigned more, unsigned always)
{
    return always + (guarded ? more : 0);
}

/// NAK's table has 6 and 2 cycles if the second instruction has a scoreboard, and 2 for doubles. nouveau's programs,
/// which run on the hardware, do not wait that long.
bool lands_late(pipe second)
{
    return second == pipe::tracked || second == pipe::address || second == pipe::real_double;
}

unsigned vector_again(latency_table table, pipe first, pipe second, bool guarded)
{
    if (lands_late(second)) return 1;
    if (table != latency_table::turing) {
        const bool waits =
            first == pipe::dispatch_wide ? second != pipe::dispatch_wide : first == pipe::wide && second == pipe::fma;
        return waits ? guard_adds(guarded, 1, 1) : 1;
    }
    if (first == pipe::half) {
        if (second == pipe::half) return 1;
        return second == pipe::dispatch_wide ? 3 : guard_adds(guarded, 3, 1);
    }
    if (second == pipe::half) return 2;
    if (first != pipe::dispatch_wide || second == pipe::dispatch_wide) return 1;
    return second == pipe::wide ? guard_adds(guarded, 1, 1) : 2;
}

unsigned predicate_again(latency_table table, pipe first, pipe second, bool guarded)
{
    if (lands_late(second)) return 1;
    if (table != latency_table::turing)
        return second == pipe::half && first != pipe::half
                   ? guard_adds(guarded, table == latency_table::ampere ? 7 : 6, 2)
                   : 1;
    if (first == pipe::half) return second == pipe::half ? 1 : guard_adds(guarded, 3, second == pipe::wide ? 3 : 1);
    if (second == pipe::half) return guard_adds(guarded, 2, 4);
    if (second != pipe::wide || first == pipe::wide) return 1;
    return first == pipe::fma ? guard_adds(guarded, 1, 1) : guard_adds(guarded, 1, 2);
}

unsigned uniform_again(latency_table table, pipe first, pipe second, bool guarded)
{
    const bool crossed = first == pipe::crossing;
    if (second == pipe::uniform) return crossed ? guard_adds(guarded, 5, 4) : 1;
    if (second == pipe::uniform_move) return crossed ? guard_adds(guarded, 1, 10) : first == pipe::uniform ? 7 : 1;
    if (second == pipe::crossing) return first == pipe::uniform ? 7 : 1;
    if (table == latency_table::blackwell) // LDCU, S2UR, REDUX
        return crossed ? guard_adds(guarded, 10, 4) : first == pipe::uniform ? guard_adds(guarded, 7, 4) : 4;
    return first == pipe::uniform ? guard_adds(guarded, 4, 6) : 4; // R2UR
}

/// The first word of a mnemonic.
std::string_view stem(std::string_view mnemonic)
{
    return mnemonic.substr(0, mnemonic.find('.'));
}

pipe pipe_of(const opcode_row& row)
{
    const std::string_view name = row.mnemonic, word = stem(name);
    if (word == "CCTL" || word == "CCTLL") return pipe::address;
    if (word == "DADD" || word == "DMUL" || word == "DFMA" || word == "DSETP") return pipe::real_double;
    if (row.latency != latency_class::alu) return pipe::tracked;
    if (word == "UMOV" || word == "ULDC" || word == "VOTEU") return pipe::uniform_move;
    if (row.uniform) return pipe::uniform;
    if (word == "R2UR") return pipe::crossing;
    if (name == "IMAD.WIDE") return pipe::wide;
    if (word == "IMAD" || word == "IDP" || word == "FFMA" || word == "FADD" || word == "FMUL" || word == "FSWZADD")
        return pipe::fma;
    if (word.front() == 'H') return pipe::half;
    if (name == "CS2R") return pipe::dispatch_wide;
    return word == "VOTE" || word == "NOP" ? pipe::dispatch : pipe::alu;
}

/// On SM86 and later.
bool takes_address(const opcode_row& row)
{
    const auto word = stem(row.mnemonic);
    switch (row.latency) {
    case latency_class::attribute:
        return row.attribute_opcode != opcode::al2p;
    case latency_class::global:
        return true;
    case latency_class::memory:
        return word != "LDC" && word != "LDCU";
    default:
        return word == "SHFL" || word == "BAR" || word == "IPA" || word == "PIXLD" || word == "B2R";
    }
}

} // namespace

unsigned read_after_write(latency_table table, register_file file, pipe writer, pipe reader)
{
    switch (file) {
    case register_file::vector:
        return vector_latency(table, writer, reader);
    case register_file::predicate:
        return predicate_latency(table, writer, reader);
    case register_file::uniform:
        return more_on(table, common_uniform_latency(writer, reader));
    case register_file::uniform_predicate:
        break;
    }
    return more_on(table, common_uniform_predicate_latency(table, writer, reader));
}

unsigned write_after_write(latency_table table, register_file file, pipe first, pipe second, bool guarded)
{
    if (first == pipe::tracked) return 1;
    switch (file) {
    case register_file::vector:
        return vector_again(table, first, second, guarded);
    case register_file::predicate:
        return predicate_again(table, first, second, guarded);
    case register_file::uniform:
        return uniform_again(table, first, second, guarded);
    case register_file::uniform_predicate:
        break;
    }
    return first == pipe::uniform && second == pipe::uniform_move ? 7 : 1;
}

unsigned write_after_read(latency_table table, register_file file, pipe reader, pipe writer)
{
    switch (file) {
    case register_file::vector:
    case register_file::predicate:
        if (table != latency_table::turing) return 1;
        // As in lands_late(), except for scoreboards and doubles.
        return writer == pipe::half && reader != pipe::half && reader != pipe::tracked && reader != pipe::guard ? 2 : 1;
    case register_file::uniform:
        return writer == pipe::uniform_move && reader == pipe::uniform ? 3 : 1;
    case register_file::uniform_predicate:
        break;
    }
    return writer == pipe::uniform_move && reader == pipe::uniform ? 2 : 1;
}

sm_pipe unit_of(const opcode_row& row, bool wide)
{
    struct known {
        std::string_view word;
        sm_pipe unit;
    };
    // Instructions that the vendor's table of results per cycle lists apart from "add, compare, logic" (HARDWARE.md
    // F.6).
    static constexpr known table[] = {
        {"FADD", sm_pipe::fp32},     {"FADD32I", sm_pipe::fp32},  {"FMUL", sm_pipe::fp32},
        {"FMUL32I", sm_pipe::fp32},  {"FFMA", sm_pipe::fp32},     {"FFMA32I", sm_pipe::fp32},
        {"FSWZADD", sm_pipe::fp32},  {"DADD", sm_pipe::fp64},     {"DMUL", sm_pipe::fp64},
        {"DFMA", sm_pipe::fp64},     {"DMNMX", sm_pipe::fp64},    {"DSET", sm_pipe::fp64},
        {"DSETP", sm_pipe::fp64},    {"HADD2", sm_pipe::fp16},    {"HMUL2", sm_pipe::fp16},
        {"HFMA2", sm_pipe::fp16},    {"HSET2", sm_pipe::fp16},    {"HSETP2", sm_pipe::fp16},
        {"IMAD", sm_pipe::multiply}, {"IMUL", sm_pipe::multiply}, {"IMUL32I", sm_pipe::multiply},
        {"XMAD", sm_pipe::multiply}, {"IDP", sm_pipe::multiply},  {"SHF", sm_pipe::shift},
        {"SHL", sm_pipe::shift},     {"SHR", sm_pipe::shift},     {"BFE", sm_pipe::shift},
        {"BFI", sm_pipe::shift},     {"MUFU", sm_pipe::special},  {"RRO", sm_pipe::special},
        {"POPC", sm_pipe::bits},     {"FLO", sm_pipe::bits},      {"BREV", sm_pipe::bits},
        {"F2F", sm_pipe::convert},   {"F2I", sm_pipe::convert},   {"I2F", sm_pipe::convert},
        {"I2I", sm_pipe::convert},   {"I2IP", sm_pipe::convert},  {"FRND", sm_pipe::convert},
        {"LDC", sm_pipe::none},      {"LDCU", sm_pipe::none},     {"SHFL", sm_pipe::load_store},
        {"NOP", sm_pipe::none},      {"S2R", sm_pipe::none},      {"CS2R", sm_pipe::none},
        {"R2UR", sm_pipe::none},
    };
    if (row.uniform) return sm_pipe::none;
    const auto word = stem(row.mnemonic);
    for (const auto& each : table)
        if (each.word == word) return each.unit == sm_pipe::convert && wide ? sm_pipe::convert64 : each.unit;
    switch (row.latency) {
    case latency_class::alu:
        return sm_pipe::integer;
    case latency_class::memory:
    case latency_class::global:
        return sm_pipe::load_store;
    case latency_class::texture:
        return sm_pipe::texture;
    case latency_class::variable:
    case latency_class::control:
    case latency_class::attribute:
        break;
    }
    return sm_pipe::none;
}

void assign_pipes(architecture arch, std::vector<opcode_row>& rows)
{
    for (auto& row : rows) {
        row.pipe = pipe_of(row);
        if (arch == architecture::sm75) continue;
        row.table = arch == architecture::sm120 ? latency_table::blackwell : latency_table::ampere;
        if (row.pipe == pipe::tracked && takes_address(row)) row.pipe = pipe::address;
    }
}

} // namespace isbesim::isa
