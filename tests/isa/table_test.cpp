// What every instruction is, written down a second time: finds a row that inherits from the row before it, and
// a row not listed here.
#include "models/isa/tables/table.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/isa/tables/row_parts.h"

namespace isbesim::isa {
namespace {

constexpr auto alu = latency_class::alu, variable = latency_class::variable, memory = latency_class::memory,
               global = latency_class::global, texture = latency_class::texture, attribute = latency_class::attribute,
               control = latency_class::control;

/// What only some instructions are.
constexpr unsigned tools_only = 1, unguarded = 2, ignores_bits = 4, packs = 8, uniform = 16;

struct fact {
    const char* mnemonic;
    latency_class latency;
    const char* modifiers; ///< in print order
    const char* operands;  ///< slots, in print order
    unsigned rare = 0;

    bool operator==(const fact& other) const
    {
        return std::string(mnemonic) == other.mnemonic && latency == other.latency &&
               std::string(modifiers) == other.modifiers && std::string(operands) == other.operands &&
               rare == other.rare;
    }
};

const std::vector<fact> sm50_facts = {
    {"ALD", attribute, "output_space patch size", "d address b"},
    {"AST", attribute, "patch size", "address a b", ignores_bits},
    {"AL2P", attribute, "output_space size", "pd d a extra"},
    {"ISBERD", attribute, "output_space region skew size", "d address"},
    {"OUT", attribute, "out_type", "d a b"},
    {"MOV", alu, "", "d b c"},
    {"MOV32I", alu, "", "d b c"},
    {"SEL", alu, "", "d a b ps"},
    {"PSETP", alu, "combine combine_next", "pd pq pa pb ps"},
    {"PSET", alu, "boolean_float combine combine_next", "d pa pb ps"},
    {"CSETP", alu, "compare combine", "pd pq extra ps"},
    {"VOTE", alu, "function", "d pd ps"},
    {"FSWZADD", alu, "round flush c_mode", "d a b extra"},
    {"P2R", alu, "c_mode", "d extra a b", packs},
    {"R2P", alu, "", "extra a b", packs},
    {"SHFL", variable, "function", "pd d a b c"},
    {"CS2R", alu, "", "d extra"},
    {"S2R", variable, "", "d extra"},
    {"FADD", alu, "flush round saturate", "d a b"},
    {"FADD32I", alu, "flush", "d a b"},
    {"FMUL", alu, "flush scale round saturate", "d a b"},
    {"FMUL32I", alu, "flush saturate", "d a b"},
    {"FFMA", alu, "flush round saturate", "d a b c"},
    {"FFMA32I", alu, "flush saturate", "d a b c"},
    {"FMNMX", alu, "flush", "d a b ps"},
    {"FSET", alu, "boolean_float compare flush combine", "d a b ps"},
    {"FSETP", alu, "compare flush combine", "pd pq a b ps"},
    {"FCMP", alu, "compare flush", "d a b c"},
    {"FCHK", alu, "function", "pd a b"},
    {"RRO", alu, "function", "d b"},
    {"MUFU", variable, "function saturate", "d a"},
    {"IADD.PO", alu, "saturate extended", "d a b"},
    {"IADD", alu, "saturate extended", "d a b"},
    {"IADD32I", alu, "saturate extended", "d a b"},
    {"ISCADD.PO", alu, "", "d a b extra"},
    {"ISCADD", alu, "", "d a b extra"},
    {"ISCADD32I", alu, "", "d a b extra"},
    {"IADD3", alu, "extended", "d a b c"},
    {"LEA", alu, "extended", "pd d a b extra"},
    {"LEA.HI", alu, "extended", "pd d a b c extra"},
    {"IMNMX", alu, "is_signed extended", "d a b ps"},
    {"ISET", alu, "boolean_float compare is_signed extended combine", "d a b ps"},
    {"ISETP", alu, "compare is_signed extended combine", "pd pq a b ps"},
    {"ICMP", alu, "compare is_signed", "d a b c"},
    {"XMAD", alu, "is_signed product_shift merge c_mode extended", "d a b c"},
    {"XMAD", alu, "is_signed c_mode extended", "d a b c"},
    {"IMUL", variable, "from_type high", "d a b"},
    {"IMUL32I", variable, "from_type high", "d a b"},
    {"IMAD", variable, "from_type high saturate extended", "d a b c"},
    {"LOP", alu, "combine extended test", "pd d a b"},
    {"LOP32I", alu, "combine extended", "d a b"},
    {"LOP3.LUT", alu, "extended test", "pd d a b c extra"},
    {"LOP3.LUT", alu, "extended", "d a b c extra"},
    {"SHL", alu, "wrap extended", "d a b"},
    {"SHR", alu, "is_signed wrap reverse extended", "d a b"},
    {"SHF.L", alu, "wrap c_mode high extended", "d a b c"},
    {"SHF.R", alu, "wrap c_mode high extended", "d a b c"},
    {"BFE", alu, "is_signed reverse", "d a b"},
    {"BFI", alu, "", "d a b c"},
    {"PRMT", alu, "c_mode", "d a b c"},
    {"FLO", variable, "is_signed test", "d b"},
    {"POPC", variable, "", "d b"},
    {"LDL", memory, "cache size", "d address"},
    {"STL", memory, "cache size", "address a"},
    {"LDC", memory, "cache size", "d address"},
    {"F2F", variable, "flush to_type from_type round saturate", "d b"},
    {"F2I", variable, "flush to_type from_type round", "d b"},
    {"I2F", variable, "to_type from_type round", "d b"},
    {"I2I", variable, "to_type from_type saturate", "d b"},
    {"DADD", variable, "round", "d a b"},
    {"DMUL", variable, "round", "d a b"},
    {"DFMA", variable, "round", "d a b c"},
    {"DMNMX", variable, "", "d a b ps"},
    {"DSET", variable, "boolean_float compare combine", "d a b ps"},
    {"DSETP", variable, "compare combine", "pd pq a b ps"},
    {"NOP", alu, "", "", ignores_bits},
    {"NOP", alu, "", "", unguarded},
    {"BAR", control, "function", "a b ps"},
    {"BRA", control, "function test", "c extra"},
    {"EXIT", control, "function", "c"},
    {"RET", control, "", "c"},
    {"BRK", control, "", "c"},
    {"CONT", control, "", "c"},
    {"SYNC", control, "", "c"},
    {"SAM", control, "", "", unguarded},
    {"RAM", control, "", "", unguarded},
    {"IPA", memory, "function c_mode saturate", "d address b c ps"},
    {"IPA", memory, "skew function c_mode saturate", "d address b c ps"},
    {"SSY", control, "", "extra", unguarded},
    {"PBK", control, "", "extra", unguarded},
    {"PCNT", control, "", "extra", unguarded},
    {"CAL", control, "function", "extra", unguarded},
    {"PRET", control, "function", "extra", unguarded},
    {"LD", global, "c_mode cache size", "d address pb"},
    {"ST", global, "c_mode cache size", "address a pb"},
    {"LDG", global, "c_mode cache size", "d address"},
    {"LDG", global, "c_mode cache size", "d address ps"},
    {"STG", global, "c_mode cache size", "address a"},
    {"LDS", memory, "size", "d address"},
    {"LDS.U", memory, "size", "d address"},
    {"STS", memory, "size", "address a"},
    {"ATOMS", memory, "function to_type", "d address a"},
    {"ATOMS.CAS", memory, "", "d address a b"},
    {"ATOMS.CAS.64", memory, "", "d address a b"},
    {"ATOM", global, "c_mode function to_type", "d address a"},
    {"ATOM", global, "c_mode function", "d address a b"},
    {"RED", global, "c_mode function to_type", "address a"},
    {"CCTL.IVALL", memory, "cache", ""},
    {"CCTL", memory, "c_mode cache function", "address"},
    {"CCTLL", memory, "function", "address"},
    {"MEMBAR", alu, "function test", ""},
    {"DEPBAR.LE", alu, "", "a extra b"},
    {"DEPBAR", alu, "", "b"},
    {"JCAL", control, "function", "extra", unguarded},
    {"JMP", control, "function test", "c extra"},
    {"JMX", control, "test", "c a extra"},
    {"JMX", control, "test", "c address"},
    {"BRX", control, "test", "c a extra"},
    {"BRX", control, "test", "c address"},
    {"PLONGJMP", control, "", "extra", unguarded},
    {"LONGJMP", control, "", "c"},
    {"BPT.TRAP", control, "", "extra", unguarded},
    {"KIL", control, "", "c"},
    {"TEX", texture, "function offsets shadow derivative dependency", "d a b extra pa pb"},
    {"TEX", texture, "bindless function offsets shadow derivative dependency", "d a b extra pa pb"},
    {"TLD", texture, "function offsets shadow clamp dependency", "d a b extra pa pb"},
    {"TLD", texture, "bindless function offsets shadow clamp dependency", "d a b extra pa pb"},
    {"TLD4", texture, "function offsets shadow derivative dependency", "d a b extra pa pb"},
    {"TLD4", texture, "function bindless offsets shadow derivative dependency", "d a b extra pa pb"},
    {"TXD", texture, "offsets dependency", "d a b extra pa pb"},
    {"TXD", texture, "bindless offsets dependency", "d a b extra pa pb"},
    {"TMML", texture, "function derivative dependency", "d a b extra pa pb"},
    {"TMML", texture, "bindless function derivative dependency", "d a b extra pa pb"},
    {"TXQ", texture, "dependency", "d a pa extra pb"},
    {"TXQ.B", texture, "dependency", "d a pa extra pb"},
    {"TEXS.LZ", texture, "dependency", "extra d a b extra extra extra"},
    {"TEXS.LZ", texture, "dependency", "c d a b extra extra extra"},
    {"TEXS", texture, "dependency", "extra d a b extra extra extra"},
    {"TEXS", texture, "dependency", "c d a b extra extra extra"},
    {"TEXS.LL", texture, "dependency", "extra d a b extra extra extra"},
    {"TEXS.LL", texture, "dependency", "c d a b extra extra extra"},
    {"TEXS.DC", texture, "dependency", "extra d a b extra extra extra"},
    {"TEXS.DC", texture, "dependency", "c d a b extra extra extra"},
    {"TEXS.LL.DC", texture, "dependency", "extra d a b extra extra extra"},
    {"TEXS.LL.DC", texture, "dependency", "c d a b extra extra extra"},
    {"TEXS.LZ.DC", texture, "dependency", "extra d a b extra extra extra"},
    {"TEXS.LZ.DC", texture, "dependency", "c d a b extra extra extra"},
    {"TLDS.LZ", texture, "dependency", "extra d a b extra extra extra"},
    {"TLDS.LZ", texture, "dependency", "c d a b extra extra extra"},
    {"TLDS.LL", texture, "dependency", "extra d a b extra extra extra"},
    {"TLDS.LL", texture, "dependency", "c d a b extra extra extra"},
    {"TLDS.LZ.AOFFI", texture, "dependency", "extra d a b extra extra extra"},
    {"TLDS.LZ.AOFFI", texture, "dependency", "c d a b extra extra extra"},
    {"TLDS.LZ.MS", texture, "dependency", "extra d a b extra extra extra"},
    {"TLDS.LZ.MS", texture, "dependency", "c d a b extra extra extra"},
    {"TLDS.LL.AOFFI", texture, "dependency", "extra d a b extra extra extra"},
    {"TLDS.LL.AOFFI", texture, "dependency", "c d a b extra extra extra"},
    {"TLD4S", texture, "function offsets shadow dependency", "c d a b extra"},
    {"SULD.D", texture, "boolean_float c_mode size cache clamp", "d address b"},
    {"SULD.P", texture, "c_mode mask cache clamp", "d address b"},
    {"SUST.D", texture, "boolean_float c_mode size cache clamp", "address a b"},
    {"SUST.P", texture, "c_mode mask cache clamp", "address a b"},
    {"SURED.D", texture, "c_mode function clamp", "address a b"},
    {"SURED.P", texture, "c_mode function clamp", "address a b"},
    {"SULD.D", texture, "boolean_float c_mode size cache clamp", "d address extra"},
    {"SULD.P", texture, "c_mode mask cache clamp", "d address extra"},
    {"SUST.D", texture, "boolean_float c_mode size cache clamp", "address a extra"},
    {"SUST.P", texture, "c_mode mask cache clamp", "address a extra"},
    {"SURED.D", texture, "c_mode function clamp", "address a extra"},
    {"SURED.P", texture, "c_mode function clamp", "address a extra"},
    {"SUATOM.P", texture, "boolean_float c_mode function to_type clamp", "d address a b"},
    {"SUATOM.D", texture, "boolean_float c_mode function to_type clamp", "d address a b"},
};

const std::vector<fact> sm75_facts = {
    {"ALD", attribute, "output_space patch size", "d address b"},
    {"AST", attribute, "patch size", "address a b"},
    {"AL2P", attribute, "output_space size", "d a extra"},
    {"ISBERD", attribute, "output_space region skew size", "d address"},
    {"ISBEWR", attribute, "output_space region skew size", "address a"},
    {"OUT.FINAL", attribute, "", "a"},
    {"OUT.FINAL", attribute, "", "d a b"},
    {"OUT", attribute, "out_type", "d a b"},
    {"MOV", alu, "", "d b c"},
    {"CS2R.32", alu, "", "d extra"},
    {"S2R", variable, "", "d extra"},
    {"FADD", alu, "flush round saturate", "d a b"},
    {"FMUL", alu, "flush scale round saturate", "d a b"},
    {"FFMA", alu, "flush round saturate", "d a b c"},
    {"FMNMX", alu, "flush", "d a b ps"},
    {"FSET.BF", alu, "compare flush combine", "d a b ps"},
    {"FSETP", alu, "compare flush combine", "pd pq a b ps"},
    {"MUFU", variable, "function", "d a"},
    {"DADD", variable, "round", "d a b"},
    {"DMUL", variable, "round", "d a b"},
    {"DFMA", variable, "round", "d a b c"},
    {"DSETP", variable, "compare combine", "pd pq a b ps"},
    {"IADD3", alu, "", "d pd pq a b c", ignores_bits},
    {"IADD3.X", alu, "", "d pd pq a b c pa pb"},
    {"IMAD", variable, "is_signed", "d a b c", ignores_bits},
    {"IMAD.WIDE", variable, "is_signed", "d pd a b c", ignores_bits},
    {"IMAD.HI", variable, "is_signed", "d pd a b c", ignores_bits},
    {"LEA", alu, "", "d pd a b extra", ignores_bits},
    {"IMAD", variable, "is_signed", "d pd a b c ps", ignores_bits},
    {"IMAD.WIDE", variable, "is_signed", "d pd a b c ps", ignores_bits},
    {"IMAD.HI", variable, "is_signed", "d pd a b c ps", ignores_bits},
    {"LEA.HI.SX32", alu, "", "d pd a b extra", ignores_bits},
    {"LEA.HI.X.SX32", alu, "", "d pd a b extra ps"},
    {"FCHK", variable, "", "pd a b"},
    {"IPA", memory, "function c_mode", "pd d address b"},
    {"I2I", variable, "to_type", "d b"},
    {"I2IP", variable, "to_type", "d a b c"},
    {"IABS", alu, "", "d b"},
    {"ISETP", alu, "compare is_signed combine", "pd pq a b ps"},
    {"LOP3.LUT", alu, "", "pd d a b c extra ps"},
    {"SHF.L", alu, "wrap c_mode high", "d a b c"},
    {"SHF.R", alu, "wrap c_mode high", "d a b c"},
    {"PRMT", alu, "c_mode", "d a b c"},
    {"SEL", alu, "", "d a b ps"},
    {"CS2R", alu, "", "d extra"},
    {"FSEL", alu, "flush", "d a b ps"},
    {"HADD2", alu, "to_type flush saturate", "d a b"},
    {"HMUL2", alu, "to_type flush saturate", "d a b"},
    {"HFMA2", alu, "to_type flush saturate", "d a b c"},
    {"HSET2", alu, "boolean_float compare flush combine", "d a b ps"},
    {"HSETP2", alu, "compare flush combine merge", "pd pq a b ps"},
    {"LEA.X", alu, "", "d pd a b extra ps"},
    {"LEA.HI", alu, "", "d pd a b c extra", ignores_bits},
    {"LEA.HI.X", alu, "", "d pd a b c extra ps"},
    {"IDP.4A", variable, "from_type", "d a b c"},
    {"IMNMX", alu, "is_signed", "d a b ps"},
    {"VABSDIFF", alu, "is_signed", "d a b c"},
    {"ISETP", alu, "compare is_signed combine test", "pd pq a b ps pa"},
    {"FLO", variable, "is_signed test", "d b"},
    {"POPC", variable, "", "d b"},
    {"BREV", variable, "", "d b"},
    {"BMSK", alu, "wrap", "d a b"},
    {"SGXT", alu, "wrap is_signed", "d a b"},
    {"PLOP3.LUT", alu, "", "pd pq pa pb ps extra c"},
    {"P2R", alu, "c_mode", "d extra a b", packs},
    {"R2P", alu, "", "extra a", packs},
    {"R2P", alu, "", "extra a b", packs},
    {"VOTE", alu, "function", "d pd ps"},
    {"SHFL", variable, "function", "pd d a b c"},
    {"MATCH.ALL", variable, "size", "pd d a"},
    {"MATCH.ANY", variable, "size", "d a"},
    {"FSWZADD", alu, "round flush c_mode", "d a b extra"},
    {"LDC", memory, "cache size", "d address"},
    {"F2F", variable, "flush to_type from_type round", "d b"},
    {"F2I", variable, "flush to_type from_type round test", "d b"},
    {"I2F", variable, "to_type from_type round", "d b"},
    {"FRND", variable, "flush to_type from_type round", "d b"},
    {"NOP", alu, "", ""},
    {"BSSY", control, "", "a extra"},
    {"BSYNC", control, "", "a"},
    {"BREAK", control, "", "ps a"},
    {"BAR", control, "function cache", "a"},
    {"WARPSYNC", control, "", "b"},
    {"LDL", memory, "eviction size", "d address"},
    {"STL", memory, "eviction size", "address a"},
    {"LD", global, "c_mode eviction size order scope", "d address"},
    {"ST", global, "c_mode eviction size order scope", "address a"},
    {"LDG", global, "c_mode cache eviction size order scope", "pd d address ps"},
    {"STG", global, "c_mode eviction size order scope", "address a"},
    {"LDS", memory, "cache size", "d address"},
    {"STS", memory, "size", "address a"},
    {"ATOMS", memory, "function to_type", "d address a", ignores_bits},
    {"ATOMS", memory, "function to_type", "d address a b"},
    {"ATOM", global, "c_mode function eviction to_type order scope", "pd d address a", ignores_bits},
    {"ATOM", global, "c_mode function eviction to_type order scope", "pd d address a b"},
    {"ATOMG", global, "c_mode function eviction to_type order scope", "pd d address a", ignores_bits},
    {"ATOMG", global, "c_mode function eviction to_type order scope", "pd d address a b"},
    {"RED", global, "c_mode function eviction to_type order scope", "address a"},
    {"CCTL.IVALL", memory, "", ""},
    {"CCTL", memory, "c_mode function", "address"},
    {"CCTLL", memory, "function", "address"},
    {"TEX", texture, "scalar function offsets shadow derivative eviction dependency", "pd c d a b ps address pa pb"},
    {"TEX", texture, "scalar bindless function offsets shadow derivative eviction dependency", "pd c d a b pa pb"},
    {"TLD", texture, "scalar function offsets shadow eviction dependency", "pd c d a b ps address pa pb"},
    {"TLD", texture, "scalar bindless function offsets shadow eviction dependency", "pd c d a b pa pb"},
    {"TLD4", texture, "scalar function offsets shadow eviction dependency", "pd c d a b ps address pa pb"},
    {"TLD4", texture, "scalar function bindless offsets shadow eviction dependency", "pd c d a b pa pb"},
    {"TXD", texture, "scalar offsets eviction dependency", "pd c d a b ps address pa pb"},
    {"TXD", texture, "scalar bindless offsets eviction dependency", "pd c d a b pa pb"},
    {"TMML", texture, "scalar function derivative dependency", "c d a b ps address pa pb"},
    {"TMML", texture, "scalar bindless function derivative dependency", "c d a b pa pb"},
    {"TXQ", texture, "dependency", "c d a pa ps address pb"},
    {"TXQ", texture, "bindless dependency", "c d a pa pb"},
    {"SULD.D", texture, "boolean_float c_mode eviction size order scope clamp", "pd d address b"},
    {"SULD.P", texture, "c_mode eviction order scope mask clamp", "pd d address b"},
    {"SUST.D", texture, "boolean_float c_mode eviction size order scope clamp", "address a b"},
    {"SUST.P", texture, "c_mode eviction order scope mask clamp", "address a b"},
    {"SUATOM.D", texture, "boolean_float c_mode function eviction to_type order scope clamp", "pd d address a b"},
    {"CALL.REL", control, "function", "extra"},
    {"CALL.REL", control, "function", "a extra"},
    {"CALL.ABS", control, "function", "extra"},
    {"CALL.ABS", control, "function", "a"},
    {"RET.REL", control, "function", "a extra"},
    {"RET.ABS", control, "function", "a extra"},
    {"BRX", control, "", "a extra"},
    {"JMX", control, "", "a extra"},
    {"JMP", control, "", "extra"},
    {"BMOV.32.CLEAR", control, "", "d b"},
    {"BMOV.32", control, "", "d b"},
    {"BMOV.32", control, "", "b a"},
    {"YIELD", control, "", "ps"},
    {"NANOSLEEP", control, "function", "b"},
    {"MEMBAR", alu, "order scope", ""},
    {"ERRBAR", alu, "", ""},
    {"DEPBAR.LE", alu, "", "a extra b"},
    {"KILL", control, "", ""},
    {"BPT.TRAP", control, "", "extra"},
    {"BRA", control, "test", "ps extra"},
    {"EXIT", control, "", "ps"},
    {"UIADD3", alu, "", "d pd pq a b c", ignores_bits | uniform},
    {"UIADD3.X", alu, "", "d pd pq a b c pa pb", uniform},
    {"UIMAD", alu, "is_signed", "d a b c", ignores_bits | uniform},
    {"UIMAD", alu, "is_signed", "d pd a b c ps", ignores_bits | uniform},
    {"UIMAD.WIDE", alu, "is_signed", "d pd a b c", ignores_bits | uniform},
    {"UIMAD.WIDE", alu, "is_signed", "d pd a b c ps", ignores_bits | uniform},
    {"ULEA", alu, "", "d pd a b extra", ignores_bits | uniform},
    {"ULEA.X", alu, "", "d pd a b extra ps", uniform},
    {"ULEA.HI", alu, "", "d pd a b c extra", ignores_bits | uniform},
    {"ULEA.HI.X", alu, "", "d pd a b c extra ps", uniform},
    {"ULEA.HI.SX32", alu, "", "d pd a b extra", ignores_bits | uniform},
    {"ULEA.HI.X.SX32", alu, "", "d pd a b extra ps", uniform},
    {"UISETP", alu, "compare is_signed combine", "pd pq a b ps", uniform},
    {"UISETP", alu, "compare is_signed combine test", "pd pq a b ps pa", uniform},
    {"ULOP3.LUT", alu, "", "pd d a b c extra ps", uniform},
    {"USHF.L", alu, "wrap c_mode high", "d a b c", uniform},
    {"USHF.R", alu, "wrap c_mode high", "d a b c", uniform},
    {"UPRMT", alu, "c_mode", "d a b c", uniform},
    {"USEL", alu, "", "d a b ps", uniform},
    {"UBMSK", alu, "wrap", "d a b", uniform},
    {"USGXT", alu, "wrap is_signed", "d a b", uniform},
    {"UFLO", alu, "is_signed test", "d b", uniform},
    {"UBREV", alu, "", "d b", uniform},
    {"UPOPC", alu, "", "d b", uniform},
    {"UPLOP3.LUT", alu, "", "pd pq pa pb ps extra c", uniform},
    {"UMOV", alu, "", "d b", uniform},
    {"S2UR", variable, "", "d extra", uniform},
    {"R2UR", variable, "", "d b"},
    {"ULDC", memory, "size", "d b", uniform},
    {"VOTEU", alu, "function", "d pd ps"},
    {"LDC", memory, "size", "d b c"},
};

const char* const modifier_names[] = {
    "size",      "output_space", "patch",     "region",     "skew",       "out_type", "flush",         "round",
    "scale",     "saturate",     "write_cc",  "extended",   "compare",    "combine",  "combine_next",  "boolean_float",
    "is_signed", "to_type",      "from_type", "wrap",       "reverse",    "high",     "product_shift", "merge",
    "c_mode",    "function",     "test",      "cache",      "order",      "scope",    "eviction",      "scalar",
    "bindless",  "offsets",      "shadow",    "derivative", "dependency", "mask",     "clamp"};
static_assert(std::size(modifier_names) == modifier_count);

const char* const slot_names[] = {"d", "a", "b", "c", "address", "pd", "pq", "pa", "pb", "ps", "extra"};
static_assert(std::size(slot_names) == slot_count);

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

void expect_facts(architecture arch, const std::vector<fact>& facts)
{
    std::vector<bool> seen(facts.size());
    for (const auto& row : instruction_table(arch)) {
        std::vector<std::string> modifiers, operands;
        for (const auto& modifier : row.modifiers)
            modifiers.emplace_back(modifier_names[static_cast<std::size_t>(modifier.id)]);
        for (const auto& spec : row.operands) operands.emplace_back(slot_names[static_cast<std::size_t>(spec.where)]);
        const std::string said = joined(modifiers), takes = joined(operands);
        const fact is = {row.mnemonic, row.latency, said.c_str(), takes.c_str(),
                         (row.execute == nullptr ? tools_only : 0U) | (row.guarded ? 0U : unguarded) |
                             (row.ignored == encoding{} ? 0U : ignores_bits) |
                             (row.packed == packed_predicates::none ? 0U : packs) | (row.uniform ? uniform : 0U)};
        const auto found = std::find(facts.begin(), facts.end(), is);
        EXPECT_NE(found, facts.end()) << row.mnemonic << ": modifiers '" << said << "', operands '" << takes
                                      << "', latency class " << static_cast<int>(row.latency) << ", rare " << is.rare;
        if (found != facts.end()) seen[static_cast<std::size_t>(found - facts.begin())] = true;
    }
    for (std::size_t i = 0; i < facts.size(); ++i) EXPECT_TRUE(seen[i]) << "no row: " << facts[i].mnemonic;
}

TEST(table, ISA_02_rows_are_what_their_instructions_are)
{
    expect_facts(architecture::sm50, sm50_facts);
    expect_facts(architecture::sm75, sm75_facts);
    expect_facts(architecture::sm86, sm75_facts);
}

TEST(table, ISA_02_attribute_rows_ask_for_what_they_are_called)
{
    const std::pair<const char*, isbesim::opcode> operations[] = {
        {"ALD", opcode::ald},       {"AST", opcode::ast}, {"AL2P", opcode::al2p},    {"ISBERD", opcode::isberd},
        {"ISBEWR", opcode::isbewr}, {"OUT", opcode::out}, {"OUT.FINAL", opcode::out}};
    for (const architecture arch : {architecture::sm50, architecture::sm75, architecture::sm86})
        for (const auto& row : instruction_table(arch)) {
            if (row.latency != latency_class::attribute) continue;
            const auto named = std::find_if(std::begin(operations), std::end(operations), [&](const auto& operation) {
                return std::string(operation.first) == row.mnemonic;
            });
            ASSERT_NE(named, std::end(operations)) << row.mnemonic;
            EXPECT_EQ(row.attribute_opcode, named->second) << row.mnemonic;
        }
}

/// A row of a field of 8 bits at 0 and of the operand that is given; mistakes in writing a table.
TEST(table, rows_that_contradict_themselves_are_refused)
{
    const auto append = [](const encoding& opcode, const operand_spec& second) {
        std::vector<opcode_row> rows;
        append_row(rows, architecture::sm50, opcode,
                   control_row("SOME", nullptr, {}, {small(slot::a, {0, 8}), second}));
        EXPECT_EQ(rows.size(), 1U);
    };
    const encoding opcode{0x1234'0000'0000'0000, 0};
    append(opcode, small(slot::b, {8, 8}));
    EXPECT_THROW(append(opcode, small(slot::b, {7, 8})), std::logic_error) << "bit 7 is in both fields";
    EXPECT_THROW(append({opcode[0] | 0x80, 0}, small(slot::b, {8, 8})), std::logic_error) << "bit 7 is in the first";

    const auto row = control_row("SOME", nullptr, {}, {small(slot::a, {0, 8})});
    EXPECT_EQ(operand_at(row, slot::a).bits.width(), 8U);
    EXPECT_THROW(operand_at(row, slot::b), std::logic_error);
    EXPECT_THROW(with_operand(row, small(slot::b, {8, 8})), std::logic_error);
}

} // namespace
} // namespace isbesim::isa
