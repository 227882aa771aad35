// SPDX-License-Identifier: Apache-2.0
// Random contexts and operations with many edge cases: addresses just beyond both ends, handles at the vertex count,
// states that are valid, forged or garbage, lanes that collide.
#pragma once

#include <algorithm>
#include <random>

#include "models/isbe/functional/context.h"
#include "models/isbe/functional/gs_state.h"
#include "models/machine_config.h"

namespace isbesim::test {

class random_source {
public:
    random_source(const isbe_config& config, unsigned seed) : config_(config), engine_(seed) {}

    word number(word below) { return below == 0 ? 0 : static_cast<word>(engine_() % below); }
    bool chance(unsigned percent) { return number(100) < percent; }
    word bits() { return static_cast<word>(engine_()); }

    warp_op bind()
    {
        context c;
        c.stage = static_cast<stage>(chance(5) ? 0 : 1 + number(7));
        c.fast_geometry = chance(15);
        c.shared_spaces = chance(40);
        c.input = space();
        c.output = chance(20) ? c.input : space(); // in place, as with shared memory
        c.geometry.max_vertices = number(chance(50) ? 6 : 40);
        c.geometry.thread_count = chance(50) ? 32 : number(33);
        c.geometry.stream_mask = static_cast<std::uint8_t>(number(16));
        const word patches = chance(50) ? std::min(c.input.patch_count, c.output.patch_count) : chance(90) ? 6 : 256;
        for (auto& p : c.primitive) p = static_cast<std::uint8_t>(number(patches));
        last_ = c;
        warp_op op;
        op.op = opcode::bind;
        op.context = slot();
        pack_context(c, op);
        last_slot_ = op.context;
        return op;
    }

    /// Operation n of a mixture of all kinds, which begins with contexts.
    warp_op next(unsigned n) { return n < 6 || chance(2) ? bind() : chance(50) ? usual_operation() : operation(); }

    warp_op operation()
    {
        warp_op op;
        op.op = static_cast<opcode>(number(6));
        op.space = static_cast<isbesim::space>(number(2));
        op.form = static_cast<address_form>(chance(50) ? 0 : number(3));
        op.type = static_cast<out_type>(number(4));
        op.size = static_cast<std::uint8_t>(1 + number(4));
        if (op.form == address_form::phys && chance(90)) op.size = 1;
        op.skew = chance(50);
        if (op.op == opcode::isberd || op.op == opcode::isbewr) {
            op.size = static_cast<std::uint8_t>(1U << number(3));
            op.region = static_cast<isbesim::region>(number(5));
            if (op.op == opcode::isbewr && chance(90)) op.space = isbesim::space::output;
        }
        op.context = slot();
        op.lanes = chance(50) ? all_lanes : chance(10) ? 0 : bits();
        for (auto& component : op.data)
            for (auto& value : component) value = bits();
        addresses(op);
        handles(op);
        return op;
    }

    /// Mostly the usual kind, which models/isbe/access/uniform_access.h handles separately: one address, no errors.
    warp_op usual_operation()
    {
        warp_op op = operation();
        static constexpr opcode codes[] = {opcode::ald, opcode::ast, opcode::isberd, opcode::isbewr};
        op.op = codes[number(4)];
        const bool tessellation = last_.stage == stage::tess || last_.stage == stage::tess_init;
        op.form = tessellation && chance(60) ? address_form::patch : address_form::logical;
        op.space = op.op == opcode::ald && last_.stage != stage::tess_init && chance(80) ? space::input : space::output;
        op.context = last_slot_;
        const bool raw = op.op == opcode::isberd || op.op == opcode::isbewr;
        op.size = static_cast<std::uint8_t>(raw ? 4 : 1 + number(4));
        if (raw) op.region = chance(60) ? region::physical : static_cast<isbesim::region>(number(4));
        op.immediate = static_cast<std::int32_t>(4 * (op.form == address_form::patch ? number(16) : 25 + number(16)));
        if (raw) op.immediate = static_cast<std::int32_t>(4 * number(20));
        const word base = 4 * number(raw ? 64 : 2);
        const word stride = raw ? 4 * number(4) : 0;
        const word vertices = chance(70) ? 32 : 300;
        const bool state = op.op == opcode::ast && last_.stage == stage::geometry;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            const bool ignored = (op.lanes >> i & 1U) == 0;
            op.address[i] = ignored ? bits() : base + stride * i;
            op.handle[i] = ignored ? bits() : number(vertices);
            if (!state || ignored) continue;
            const word slot = number(std::min(last_.geometry.max_vertices, 2U));
            op.handle[i] = encode_gs_state({slot, number(4), true, number(16)});
        }
        if (state && last_.geometry.thread_count < warp_lanes) op.lanes &= (1U << last_.geometry.thread_count) - 1U;
        return op;
    }

private:
    std::uint16_t slot()
    {
        return static_cast<std::uint16_t>(chance(98) ? number(std::min(config_.contexts, 3U)) : number(70));
    }

    space_layout space()
    {
        const word storage = config_.lines * 128;
        space_layout s;
        s.attr_base = number(config_.lines) * 128;
        s.attr_bytes = chance(70) ? storage - s.attr_base : number(storage - s.attr_base + 1);
        s.vertex_count = number(chance(50) ? 40 : 300);
        s.map_base = number(storage / 4) * 4;
        s.map_bytes = number(std::min(storage - s.map_base, 300U) + 1);
        s.prim_base = number(storage / 4) * 4;
        s.prim_bytes = number(std::min(storage - s.prim_base, 60U) + 1);
        s.patch_words = number(24);
        s.patch_count = number(8);
        s.patch_base = number((storage - 4 * s.patch_words * s.patch_count) / 4 + 1) * 4;
        const unsigned density = chance(30) ? 3 : 60;
        for (unsigned id = 0; id < 240; ++id) {
            const bool busy = id >= 24 && id < 40; // primitive id, position and the first generics
            if (chance(busy ? 70 : density / 6)) s.allocated.insert(id);
            if (chance(s.allocated.contains(id) ? 80 : 5)) s.enabled.insert(id);
        }
        return s;
    }

    void addresses(warp_op& op)
    {
        static constexpr std::int32_t immediates[] = {0, 0, 0x60, 0x70, 0x80, 0x3fc, 0x400, -4, -16, 3, 0x7fffffff};
        op.immediate = chance(60) ? immediates[number(11)] : static_cast<std::int32_t>(number(0x500)) - 0x40;
        const unsigned pattern = number(6);
        const word base = number(chance(50) ? 0x80 : 0x420);
        for (unsigned i = 0; i < warp_lanes; ++i) {
            word a = 0;
            if (pattern == 1) a = base;
            if (pattern == 2) a = base + 4 * i;
            if (pattern == 3) a = number(0x60) - 8;
            if (pattern == 4) a = chance(90) ? number(0x410) : bits();
            if (pattern == 5) a = number(4) * 16;
            if (op.form == address_form::phys && op.op <= opcode::ast) a = al2p_like(pattern, i);
            op.address[i] = a;
        }
    }

    word al2p_like(unsigned pattern, unsigned lane)
    {
        if (chance(3)) return bits();
        const word space_bit = chance(90) ? word{last_space_} << 18 : bits() & (1U << 18);
        if (lane == 0 || pattern > 2) last_space_ = chance(50);
        const word id = chance(80) ? 24 + number(16) : number(256);
        word flags = chance(80) ? 1U << 16 : 0U;
        if (chance(5)) flags |= 1U << 17;
        if (chance(10)) flags |= 1U << 19;
        return 0xa2000000U | space_bit | flags | id << 8 | number(chance(90) ? 12 : 256);
    }

    void handles(warp_op& op)
    {
        const unsigned pattern = number(5);
        const bool geometry = op.op == opcode::ast || op.op == opcode::out;
        for (unsigned i = 0; i < warp_lanes; ++i) {
            word h = i;
            if (pattern == 1) h = number(45);
            if (pattern == 2) h = number(310);
            if (pattern == 3) h = 7;
            if (pattern == 4) h = chance(80) ? 32 * i : bits();
            op.handle[i] = geometry ? state() : h;
        }
    }

    word state()
    {
        gs_state s;
        s.slot = number(chance(90) ? last_.geometry.max_vertices + 2 : 65536);
        s.last_stream = number(4);
        s.stream_valid = chance(90);
        s.strip = number(16);
        const word kind = number(20);
        if (kind == 0) return bits();
        if (kind == 5) s.last_stream |= 8; // bit 19, with the right checksum
        if (kind < 4) return 0;
        return encode_gs_state(s) ^ (kind == 4 ? 1U << number(32) : 0U);
    }

    isbe_config config_;
    std::mt19937 engine_;
    context last_;
    std::uint16_t last_slot_ = 0;
    bool last_space_ = false;
};

} // namespace isbesim::test
