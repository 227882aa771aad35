// SPDX-License-Identifier: Apache-2.0
// The executor functions that table rows point to. Each executes one instruction on the lanes of `machine`.
#pragma once

#include "models/isa/execution/executor.h"
#include "models/isa/opcode_row.h"

namespace isbesim::isa {

/// The arguments of an executor function. `lanes` is never 0 for functions that do not move the program counter.
struct machine {
    warp_state& warp;
    const instruction& now;
    lane_mask lanes;
    warp_op& op;
    const execution_rules& rules;
    step& result;
};

namespace run {

// Floating point
void fadd(machine&);
void fmul(machine&);
void ffma(machine&);
void fmnmx(machine&);
void fsel(machine&);
void fset(machine&);
void fsetp(machine&);
void fcmp(machine&);
void check_division(machine&); ///< FCHK: refuses
void mufu(machine&);
void rro(machine&);
void dadd(machine&);
void dmul(machine&);
void dfma(machine&);
void dmnmx(machine&);
void dset(machine&);
void dsetp(machine&);
void dsetp_minmax(machine&); ///< refuses

// Pairs of half floats
void hadd2(machine&);
void hmul2(machine&);
void hfma2(machine&);
void hset2(machine&);
void hsetp2(machine&);
void hmnmx2(machine&); ///< SM80
void f2fp(machine&);   ///< SM80

// Integers
void iadd(machine&);
void iadd_plus_one(machine&);
void iscadd(machine&);
void iscadd_plus_one(machine&);
void iadd3_plain(machine&);    ///< SM50
void lea_codes(machine&);      ///< SM50: carries are condition codes
void lea_high_codes(machine&); ///< .HI
void imul(machine&);
void imad(machine&);
void xmad(machine&);
void imnmx(machine&);
void iset(machine&);
void isetp(machine&);
void icmp(machine&);
void lop(machine&);
void lop3(machine&);
void shl(machine&);
void shr(machine&);
void shf_left(machine&);
void shf_right(machine&);
void bfe(machine&);
void bfi(machine&);
void flo(machine&);
void popc(machine&);
void prmt(machine&);
void brev(machine&);
void bmsk(machine&);
void sgxt(machine&);

// Moves, predicates, conversions
void mov(machine&);
void umov(machine&);             ///< UMOV, R2UR
void uniform_constant(machine&); ///< ULDC
void ldc_bindless(machine&);
void sel(machine&);
void s2r(machine&);
void cs2r(machine&); ///< two words
void pset(machine&);
void psetp(machine&);
void csetp(machine&); ///< SM50: a predicate from the condition codes
void redux(machine&);
void vote(machine&);
void shfl(machine&);
void match_any(machine&);
void match_all(machine&);
void fswzadd(machine&);
void plop3(machine&);
void p2r(machine&);
void r2p(machine&);
void nop(machine&);
void f2f(machine&);
void f2i(machine&);
void i2f(machine&);
void i2i(machine&);
void i2i_narrow(machine&); ///< SM75, of words to 8 and 16 bits
void i2ip(machine&);       ///< SM75, two bytes and 16 bits of the third source
void frnd(machine&);

// Memory and attributes
void ldc(machine&);
void ldl(machine&);
void stl(machine&);
void load_global(machine&);
void store_global(machine&);
void load_generic(machine&); ///< windows of local and shared memory too
void store_generic(machine&);
void atomic_global(machine&);
void atomic_generic(machine&);
void reduce_generic(machine&);
void swap_global(machine&); ///< by the type modifier
void swap_generic(machine&);
void swap_generic_64(machine&); ///< two registers
void load_shared(machine&);
void store_shared(machine&);
void atomic_shared(machine&);
void swap_shared(machine&);
void swap_shared_64(machine&);
void sample_texture(machine&); ///< TEX, TXD
void gather_texture(machine&);
void fetch_texture(machine&);
void query_texture(machine&);
void query_level(machine&);
void load_surface(machine&); ///< texels
void store_surface(machine&);
void load_surface_bytes(machine&);
void store_surface_bytes(machine&);
void atomic_surface(machine&);
void swap_surface(machine&);
void needs_surface_reduction(machine&); ///< refuses
void ald(machine&);
void ast(machine&);
void al2p(machine&);
void out(machine&);
void isberd(machine&);
void isbewr(machine&);

// Control flow
void bra(machine&);
void ssy(machine&);
void pbk(machine&);
void pcnt(machine&);
void cal(machine&);
void pret(machine&);
void jump(machine&);           ///< JMP; SM75 CALL: to the address in the instruction
void branch_indexed(machine&); ///< BRX: register plus offset, from the next instruction
void jump_indexed(machine&);   ///< JMX; SM75 CALL, RET: register plus offset
void call_absolute(machine&);
void needs_debugger(machine&);        ///< BPT: refuses
void needs_fragment(machine&);        ///< KIL: refuses
void interpolate(machine&);           ///< IPA: refuses
void needs_long_jump(machine&);       ///< refuses
void needs_constant_target(machine&); ///< BRA c[0x0][0x10]: refuses
void sync(machine&);
void set_active_mask(machine&);     ///< SAM: all lanes of the quads
void restore_active_mask(machine&); ///< RAM
void brk(machine&);
void cont(machine&);
void ret(machine&);
void exit(machine&);
void barrier(machine&);
void bar(machine&);

// SM75: instructions that SM50 lacks or executes differently
void fset_float(machine&); ///< FSET.BF as a mnemonic
void iabs(machine&);
void iadd3(machine&);
void iadd3_carry(machine&);
void imad_low(machine&);
void imad_wide(machine&);
void imad_high(machine&);
void imad_low_carry(machine&); ///< .X
void imad_wide_carry(machine&);
void imad_high_carry(machine&);
void lea(machine&);
void lea_extended(machine&); ///< .X
void lea_high(machine&);     ///< .HI
void lea_high_extended(machine&);
void lea_sign_extended(machine&); ///< .HI.SX32
void lea_sign_extended_carry(machine&);
void isetp_upper(machine&); ///< .EX
void idp4(machine&);
void vabsdiff(machine&);
void lop3_predicate(machine&);
void funnel_left(machine&);
void funnel_right(machine&);
void branch(machine&);
void leave(machine&); ///< EXIT
void bssy(machine&);
void bsync(machine&);
void break_barrier(machine&);
void warpsync(machine&);
void read_barrier(machine&); ///< BMOV
void clear_barrier(machine&);
void write_barrier(machine&);

} // namespace run
} // namespace isbesim::isa
