// SPDX-License-Identifier: Apache-2.0
#include "models/varying/language/opcodes.h"

#include <algorithm>

namespace isbesim::varying {

namespace {

/// The words of a text with a blank between them.
std::vector<std::string_view> words_of(std::string_view text)
{
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find(' ', begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

const std::vector<std::string_view>& without_destination()
{
    static const auto names = words_of(
        "NOP END EMIT ENDPRIM IF UIF ELSE ENDIF BGNLOOP ENDLOOP BGNSUB ENDSUB CAL RET BRK BREAKC CONT SWITCH CASE "
        "DEFAULT ENDSWITCH KILL KILL_IF BARRIER MEMBAR SYNC");
    return names;
}

const std::vector<std::string_view>& with_destination()
{
    static const auto names = words_of(
        "ARL ARR UARL MOV LIT RCP RSQ SQRT EXP LOG EX2 LG2 POW SIN COS SCS ADD SUB MUL MAD FMA LRP DIV DP2 DP3 DP4 "
        "DPH DST XPD MIN MAX ABS CLAMP SLT SGE SEQ SNE SGT SLE SSG CMP FRC FLR CEIL TRUNC ROUND FSEQ FSNE FSLT FSGE "
        "DDX DDY DDX_FINE DDY_FINE LDEXP I2F U2F F2I F2U NOT AND OR XOR SHL ISHR USHR MOD UMOD UADD UMUL UMAD UDIV "
        "IDIV UMIN UMAX IMIN IMAX INEG IABS ISSG USEQ USNE USLT USGE ISLT ISGE UCMP IMUL_HI UMUL_HI IBFE UBFE BFI "
        "BREV POPC LSB IMSB UMSB PK2H PK2US PK4B PK4UB UP2H UP2US UP4B UP4UB TEX TEX_LZ TEX2 TXB TXB2 TXD TXF TXF_LZ "
        "TXL TXL2 TXP TXQ TXQS TG4 LODQ SAMPLE SAMPLE_B SAMPLE_C SAMPLE_C_LZ SAMPLE_D SAMPLE_I SAMPLE_I_MS SAMPLE_L "
        "SAMPLE_POS SAMPLE_INFO SVIEWINFO GATHER4 LOAD STORE RESQ ATOMUADD ATOMXCHG ATOMCAS ATOMAND ATOMOR ATOMXOR "
        "ATOMUMIN ATOMUMAX ATOMIMIN ATOMIMAX ATOMFADD ATOMINC_WRAP ATOMDEC_WRAP INTERP_CENTROID INTERP_SAMPLE "
        "INTERP_OFFSET F2D D2F D2I I2D D2U U2D DABS DNEG DADD DMUL DDIV DMAX DMIN DSLT DSGE DSEQ DSNE DRCP DSQRT DMAD "
        "DFMA DFRAC DLDEXP DRSQ DTRUNC DCEIL DFLR DROUND DSSG I64ABS I64NEG I64SSG I64SLT I64SGE I64MIN I64MAX I64SHR "
        "I64DIV I64MOD F2I64 I2I64 D2I64 I642F I642D U64SEQ U64SNE U64SLT U64SGE U64MIN U64MAX U64SHL U64SHR U64ADD "
        "U64MUL U64DIV U64MOD F2U64 U2I64 D2U64 U642F U642D VOTE_ANY VOTE_ALL VOTE_EQ BALLOT READ_INVOC READ_FIRST "
        "CLOCK FBFETCH IMG2HND SAMP2HND");
    return names;
}

bool contains(const std::vector<std::string_view>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

std::optional<unsigned> destination_count(std::string_view opcode)
{
    if (contains(without_destination(), opcode)) return 0;
    if (opcode == "DFRACEXP") return 2;
    if (contains(with_destination(), opcode)) return 1;
    return std::nullopt;
}

std::vector<std::string_view> opcode_names()
{
    auto names = without_destination();
    names.insert(names.end(), with_destination().begin(), with_destination().end());
    names.emplace_back("DFRACEXP");
    return names;
}

const std::vector<std::string_view>& property_names()
{
    static const auto names =
        words_of("GS_INPUT_PRIMITIVE GS_OUTPUT_PRIMITIVE GS_MAX_OUTPUT_VERTICES GS_INVOCATIONS FS_COORD_ORIGIN "
                 "FS_COORD_PIXEL_CENTER FS_COLOR0_WRITES_ALL_CBUFS FS_DEPTH_LAYOUT FS_EARLY_DEPTH_STENCIL "
                 "FS_POST_DEPTH_COVERAGE FS_BLEND_EQUATION_ADVANCED VS_PROHIBIT_UCPS VS_WINDOW_SPACE_POSITION "
                 "VS_BLIT_SGPRS_AMD TCS_VERTICES_OUT TES_PRIM_MODE TES_SPACING TES_VERTEX_ORDER_CW TES_POINT_MODE "
                 "NUM_CLIPDIST_ENABLED NUM_CULLDIST_ENABLED NEXT_SHADER CS_FIXED_BLOCK_WIDTH CS_FIXED_BLOCK_HEIGHT "
                 "CS_FIXED_BLOCK_DEPTH CS_USER_DATA_COMPONENTS_AMD CS_USER_DATA_DWORDS MUL_ZERO_WINS LEGACY_MATH_RULES "
                 "LAYER_VIEWPORT_RELATIVE SEPARABLE_PROGRAM");
    return names;
}

} // namespace isbesim::varying
