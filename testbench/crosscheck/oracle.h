// SPDX-License-Identifier: Apache-2.0
// A second, deliberately plain implementation of the micro-architecture page: one lane at a time, bytes in a vector,
// the descriptor as raw words, passes by executing them. It shares only the plain values of warp_op.h, isbe_config and
// isbe_counters with models/.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "models/isbe/functional/isbe_counters.h"
#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim::testbench {

class oracle {
public:
    explicit oracle(const isbe_config& c) : cfg(c), memory(c.lines * 128U), flag(c.lines * 32U), table(c.contexts) {}

    warp_result execute(const warp_op& op);

    isbe_config cfg;
    std::vector<std::uint8_t> memory;
    std::vector<bool> flag; // overwritten, per word
    std::vector<std::array<std::uint32_t, 64>> table;
    isbe_counters counters;                               // as in isbe_counters.h, from what each lane touched
    std::array<unsigned, 32> bank_words{}, bank_excess{}; // as in access_footprint, of the last operation

private:
    enum stage_number { none, vsa, vsb, ti, ts, gs, task, mesh };

    // The access of a lane and component to a word.
    struct touch {
        bool on = false;
        std::int64_t address = 0; // byte address of the word
        std::array<bool, 4> enable{};
        std::array<std::uint8_t, 4> byte{};
    };
    touch touched_[4][32];
    unsigned flagged_[9] = {}; // of this operation: how often each status bit was set

    // Descriptor words of section 3.
    const std::array<std::uint32_t, 64>* descriptor_ = nullptr;
    std::uint32_t w(unsigned i) const { return (*descriptor_)[i]; }
    unsigned stage() const { return w(0) & 15U; }
    bool fast() const { return ((w(0) >> 4) & 1U) != 0; }
    bool shared() const { return ((w(0) >> 5) & 1U) != 0; }
    std::int64_t maximum() const { return w(1) & 0xffffU; }
    std::int64_t threads() const { return w(2) & 63U; }
    std::int64_t field(unsigned space, unsigned i) const { return w(4 + 10 * space + i); }
    enum {
        attr_base,
        attr_bytes,
        vertex_count,
        map_base,
        map_bytes,
        prim_base,
        prim_bytes,
        patch_base,
        patch_words,
        patch_count
    };
    bool in_set(unsigned first, unsigned id) const { return id < 240 && ((w(first + id / 32) >> (id % 32)) & 1U) != 0; }
    bool allocated(unsigned space, unsigned id) const { return in_set(24 + 16 * space, id); }
    // PRIMITIVE_ID; INSTANCE_ID and VERTEX_ID without a place.
    bool in_prim(unsigned space, unsigned id) const
    {
        return space == 0 && (id == 24 || ((id == 190 || id == 191) && !allocated(space, id)));
    }
    bool enabled(unsigned space, unsigned id) const
    {
        return in_set(32 + 16 * space, id) && (allocated(space, id) || in_prim(space, id));
    }
    unsigned rank(unsigned space, unsigned id) const
    {
        unsigned r = 0;
        for (unsigned i = 0; i < id; ++i) r += allocated(space, i) ? 1U : 0U;
        return r;
    }
    std::int64_t primitive(unsigned lane) const { return (w(56 + lane / 4) >> (8 * (lane % 4))) & 255U; }

    std::uint32_t default_value(unsigned id) const
    {
        const unsigned a = id * 4;
        const unsigned defaults = cfg.attribute_default;
        const std::uint32_t one = 0x3f800000U;
        if (a == 0x7c) return cfg.position_w_default;
        if (a >= 0x80 && a <= 0x27f && a % 16 == 12) return (defaults & 4U) != 0 ? one : 0;
        if ((a >= 0x280 && a <= 0x288) || (a >= 0x2a0 && a <= 0x2a8)) return (defaults & 1U) != 0 ? one : 0;
        if (a == 0x28c || a == 0x2ac) return one;
        if (a == 0x29c || a == 0x2bc) return (defaults & 2U) != 0 ? one : 0;
        if (a >= 0x300 && a <= 0x39f && a % 16 == 12) return (defaults & 8U) != 0 ? one : 0;
        return 0;
    }

    static std::uint32_t checksum(std::uint32_t s)
    {
        const auto rotl8 = [](std::uint32_t b, unsigned n) { return ((b << n) & 0xffU) | (b >> (8 - n)); };
        return (s & 0xffU) ^ rotl8((s >> 8) & 0xffU, 3) ^ rotl8((s >> 16) & 0xffU, 5);
    }
    bool state_ok(std::uint32_t s) const
    {
        if ((s >> 24) != checksum(s)) return false;
        if (((s >> 19) & 1U) != 0) return false;
        if ((s & 0xffffU) > maximum()) return false;
        return ((s >> 18) & 1U) != 0 || (s & 0xffffffU) == 0;
    }
    std::int64_t slot_index(std::int64_t slot, unsigned lane) const
    {
        return cfg.gs_slot_order == gs_slot_order::interleaved ? slot * threads() + lane : lane * maximum() + slot;
    }

    void whole_word(unsigned c, unsigned lane, std::int64_t address, std::uint32_t value)
    {
        for (unsigned b = 0; b < 4; ++b) put_byte(c, lane, address + b, value >> (8 * b));
    }
    void put_byte(unsigned c, unsigned lane, std::int64_t address, std::uint32_t value)
    {
        auto& x = touched_[c][lane];
        x.on = true;
        x.address = address / 4 * 4;
        x.enable[static_cast<unsigned>(address % 4)] = true;
        x.byte[static_cast<unsigned>(address % 4)] = static_cast<std::uint8_t>(value & 255U);
    }

    op_error error_of(const warp_op& op) const;
    void attribute_component(const warp_op& op, unsigned lane, unsigned c, warp_result& r);
    void patch_component(const warp_op& op, unsigned lane, unsigned c, warp_result& r);
    void geometry_out(const warp_op& op, unsigned lane, warp_result& r);
    void raw(const warp_op& op, unsigned lane, warp_result& r);
    unsigned carry_out(const warp_op& op, unsigned c, warp_result& r);
    void count(const warp_op& op, unsigned passes, const warp_result& r);
    void count_component(const warp_op& op, unsigned c, bool store);
    std::uint32_t word_at(std::int64_t a) const
    {
        std::uint32_t v = 0;
        for (unsigned b = 0; b < 4; ++b) v |= std::uint32_t{memory[static_cast<std::size_t>(a) + b]} << (8 * b);
        return v;
    }
    void flag_status(warp_result& r, unsigned lane, unsigned bit)
    {
        ++flagged_[bit];
        r.status[lane] = static_cast<std::uint16_t>(r.status[lane] | (1U << bit));
    }
    static std::int64_t sum(const warp_op& op, unsigned lane)
    {
        return std::int64_t{static_cast<std::int32_t>(op.address[lane])} + op.immediate;
    }
    static std::int64_t align(std::int64_t s, unsigned size)
    {
        const std::int64_t unit = size == 1 ? 4 : size == 2 ? 8 : 16;
        return s / unit * unit; // s is not negative here
    }
    /// Bank of the word at a byte address: a row's words go to all banks, permuted by the line unless modulo.
    unsigned bank_of(std::int64_t address) const
    {
        const auto column = static_cast<unsigned>(address / 4 % cfg.banks);
        const auto line = static_cast<unsigned>(address / 128 % cfg.banks);
        switch (cfg.bank_map) {
        case bank_map::rotate:
            return column + line < cfg.banks ? column + line : column + line - cfg.banks;
        case bank_map::exclusive_or:
            return (column | line) - (column & line);
        case bank_map::modulo:
            break;
        }
        return column;
    }
    static bool on(const warp_op& op, unsigned lane) { return ((op.lanes >> lane) & 1U) != 0; }
};

inline op_error oracle::error_of(const warp_op& op) const
{
    const bool out_space = op.space == space::output;
    const unsigned s = stage();
    if (s == none) return op_error::illegal_sph_instr_combo;
    if (op.op == opcode::isbewr && !out_space) return op_error::illegal_instr_encoding;
    const bool ald = op.op == opcode::ald;
    const bool ast = op.op == opcode::ast;
    if ((ald || ast) && op.form == address_form::phys && op.size > 1) return op_error::illegal_instr_encoding;
    if (ald && op.form == address_form::patch && !out_space && s != ts) return op_error::illegal_sph_instr_combo;
    if (ald && op.form == address_form::patch && out_space && s != ti) return op_error::illegal_sph_instr_combo;
    if (ald && op.form != address_form::patch && out_space && (s == gs || s == task || s == mesh))
        return op_error::illegal_sph_instr_combo;
    if (ast && op.form == address_form::patch && s != ti) return op_error::illegal_sph_instr_combo;
    if (op.op == opcode::out && s != gs) return op_error::illegal_sph_instr_combo;
    return op_error::none;
}

inline void oracle::attribute_component(const warp_op& op, unsigned lane, unsigned c, warp_result& r)
{
    const bool load = op.op == opcode::ald;
    const unsigned sp = load ? static_cast<unsigned>(op.space) : 1U;
    const std::uint32_t reg = op.address[lane];
    unsigned id = 0;
    if (op.form == address_form::phys) {
        if ((reg >> 24) != 0xa2U || ((reg >> 20) & 15U) != 0 || ((reg >> 18) & 1U) != sp)
            return flag_status(r, lane, 7);
        if (((reg >> 17) & 1U) != 0) return flag_status(r, lane, 2);
        id = (reg >> 8) & 255U;
    } else {
        const auto s = sum(op, lane);
        if (s < 0 || s >= 0x400) return flag_status(r, lane, 2);
        id = static_cast<unsigned>(align(s, op.size) / 4) + c;
    }
    const bool is_enabled = op.form == address_form::phys ? ((reg >> 16) & 1U) != 0 : enabled(sp, id);
    const auto dflt = [&] {
        r.data[c][lane] = default_value(id);
        flag_status(r, lane, 0);
    };
    const bool named_in_prim = id == 24 || (id / 2 == 95 && ((reg >> 19) & 1U) != 0);
    if (load && sp == 0 && (op.form == address_form::phys ? named_in_prim : in_prim(sp, id))) {
        if (!is_enabled) return dflt();
        const auto offset = 4 * primitive(lane) + 128 * std::int64_t{id % 2};
        if (offset + 4 > field(0, prim_bytes)) return flag_status(r, lane, 2);
        return whole_word(c, lane, field(0, prim_base) + offset, 0);
    }

    std::int64_t vertex = lane;
    if (load) {
        const bool by_handle = stage() == ti || stage() == ts || stage() == gs;
        if (by_handle && !(sp == 1 && id == 24)) vertex = op.handle[lane];
    } else if (stage() == gs && !fast()) {
        const std::uint32_t state = op.handle[lane];
        if (!state_ok(state)) return flag_status(r, lane, 4);
        const std::int64_t slot = state & 0xffffU;
        if (slot >= maximum() || lane >= threads()) return flag_status(r, lane, 5);
        vertex = slot_index(slot, lane);
        if (vertex >= field(1, vertex_count)) return flag_status(r, lane, 5);
    }
    if (vertex >= field(sp, vertex_count)) return flag_status(r, lane, 3);

    if (!is_enabled) {
        if (load) return dflt();
        return flag_status(r, lane, 1);
    }
    const std::int64_t n = rank(sp, 255);
    const std::int64_t place = op.form == address_form::phys ? std::int64_t{reg & 255U} : rank(sp, id);
    if (place >= n) return flag_status(r, lane, 7);
    const std::int64_t offset =
        cfg.skew ? vertex / 32 * n * 128 + place * 128 + vertex % 32 * 4 : vertex * n * 4 + place * 4;
    if (offset + 4 > field(sp, attr_bytes)) return flag_status(r, lane, 2);
    whole_word(c, lane, field(sp, attr_base) + offset, op.data[c][lane]);
}

inline void oracle::patch_component(const warp_op& op, unsigned lane, unsigned c, warp_result& r)
{
    const unsigned sp = op.op == opcode::ald ? static_cast<unsigned>(op.space) : 1U;
    if (sum(op, lane) < 0) return flag_status(r, lane, 2);
    const auto b = align(sum(op, lane), op.size) + 4 * std::int64_t{c};
    if (b + 4 > 4 * field(sp, patch_words) || primitive(lane) >= field(sp, patch_count)) return flag_status(r, lane, 2);
    whole_word(c, lane, field(sp, patch_base) + primitive(lane) * field(sp, patch_words) * 4 + b, op.data[c][lane]);
}

inline void oracle::geometry_out(const warp_op& op, unsigned lane, warp_result& r)
{
    const std::uint32_t s = op.handle[lane];
    const std::uint32_t stream = op.address[lane] & 3U;
    r.data[0][lane] = s;
    if (fast()) return;
    if (!state_ok(s)) return flag_status(r, lane, 4);
    if (lane >= threads()) return flag_status(r, lane, 5);
    if (op.type == out_type::final) return;
    const std::int64_t slot = s & 0xffffU;
    const std::uint32_t last = (s >> 16) & 3U;
    const bool had_stream = ((s >> 18) & 1U) != 0;
    std::uint32_t strip = (s >> 20) & 15U;
    if (slot == maximum()) {
        if (op.type != out_type::cut) flag_status(r, lane, 5);
        return;
    }
    std::uint32_t token = 0;
    std::uint32_t next = 0;
    std::int64_t index = 0;
    const auto mask = [&](std::uint32_t x) { return (w(3) >> x) & 1U; };
    if (op.type == out_type::cut) {
        if (strip == 0 || slot == 0) return;
        token = 0xc0U | mask(last) << 5 | last;
        index = slot_index(slot - 1, lane);
        next = (s & 0x0fffffU);
    } else {
        const bool both = op.type == out_type::emit_then_cut;
        token = 0x80U | (both ? 0x40U : 0U) | mask(stream) << 5 | stream;
        index = slot_index(slot, lane);
        if (had_stream && last != stream) strip = 0;
        strip = strip == 15 ? 15 : strip + 1;
        if (both) strip = 0;
        next = static_cast<std::uint32_t>(slot + 1) | stream << 16 | 1U << 18 | strip << 20;
    }
    if (4 + index + 1 > field(1, map_bytes)) return flag_status(r, lane, 5);
    put_byte(0, lane, field(1, map_base) + 4 + index, token);
    r.data[0][lane] = next | checksum(next) << 24;
}

inline void oracle::raw(const warp_op& op, unsigned lane, warp_result& r)
{
    const unsigned sp = static_cast<unsigned>(op.space);
    std::int64_t base = 0;
    std::int64_t size = 0;
    switch (op.region) {
    case region::map:
        base = field(sp, map_base), size = field(sp, map_bytes);
        break;
    case region::patch:
        base = field(sp, patch_base), size = 4 * field(sp, patch_words) * field(sp, patch_count);
        break;
    case region::prim:
        base = field(sp, prim_base), size = field(sp, prim_bytes);
        break;
    case region::attr:
        base = field(sp, attr_base), size = field(sp, attr_bytes);
        break;
    case region::physical:
        base = 0, size = static_cast<std::int64_t>(memory.size());
        break;
    }
    const bool write = op.op == opcode::isbewr;
    const std::int64_t n = op.size;
    const std::int64_t first = write && op.region == region::map ? sum(op, lane) - n + 1 : sum(op, lane);
    for (std::int64_t b = 0; b < n; ++b)
        if (first + b < 0 || first + b >= size) return flag_status(r, lane, 2);
    for (std::int64_t b = 0; b < n; ++b) {
        const auto a = base + first + b;
        const auto source_byte = write && op.region == region::map && cfg.map_byte_swap ? n - 1 - b : b;
        put_byte(a / 4 == (base + first) / 4 ? 0 : 1, lane, a, op.data[0][lane] >> (8 * source_byte));
    }
}

// Runs the passes of a component one after the other, as section 5 specifies. Returns their number.
inline unsigned oracle::carry_out(const warp_op& op, unsigned c, warp_result& r)
{
    const bool store = op.op == opcode::ast || op.op == opcode::isbewr || op.op == opcode::out;
    const bool physical = (op.op == opcode::isberd || op.op == opcode::isbewr) && op.region == region::physical;
    std::set<unsigned> waiting;
    for (unsigned i = 0; i < 32; ++i)
        if (touched_[c][i].on) waiting.insert(i);
    unsigned passes = 0;
    while (!waiting.empty()) {
        ++passes;
        std::set<std::int64_t> words; // served in this pass
        if (cfg.access == access_rule::banked) {
            for (unsigned bank = 0; bank < cfg.banks; ++bank)
                for (const unsigned i : waiting) // lowest lane first
                    if (bank_of(touched_[c][i].address) == bank) {
                        words.insert(touched_[c][i].address);
                        break;
                    }
        } else {
            const auto line = touched_[c][*waiting.begin()].address / 128;
            for (const unsigned i : waiting)
                if (touched_[c][i].address / 128 == line) words.insert(touched_[c][i].address);
        }
        ++counters.busy_banks[words.size()];
        for (const auto address : words) {
            std::array<int, 4> winner{-1, -1, -1, -1};
            for (unsigned i = 0; i < 32; ++i) {
                if (waiting.count(i) == 0 || touched_[c][i].address != address) continue;
                if (!store) {
                    r.data[c][i] = word_at(address);
                    if (flag[static_cast<std::size_t>(address / 4)] && !physical && shared() &&
                        op.space == space::input)
                        flag_status(r, i, 8);
                    continue;
                }
                for (unsigned b = 0; b < 4; ++b)
                    if (touched_[c][i].enable[b] && (winner[b] < 0 || cfg.patch_winner == lane_winner::highest))
                        winner[b] = static_cast<int>(i);
            }
            if (store) {
                for (unsigned b = 0; b < 4; ++b)
                    if (winner[b] >= 0)
                        memory[static_cast<std::size_t>(address) + b] =
                            touched_[c][static_cast<unsigned>(winner[b])].byte[b];
                flag[static_cast<std::size_t>(address / 4)] = !physical && shared();
                for (unsigned i = 0; i < 32; ++i)
                    if (waiting.count(i) != 0 && touched_[c][i].address == address)
                        for (unsigned b = 0; b < 4; ++b)
                            if (touched_[c][i].enable[b] && winner[b] != static_cast<int>(i)) flag_status(r, i, 6);
            }
        }
        for (auto it = waiting.begin(); it != waiting.end();)
            it = words.count(touched_[c][*it].address) != 0 ? waiting.erase(it) : std::next(it);
    }
    return passes;
}

inline void oracle::count_component(const warp_op& op, unsigned c, bool store)
{
    std::set<std::int64_t> words;
    std::set<std::int64_t> bytes;
    unsigned lanes = 0;
    for (const touch& x : touched_[c]) {
        if (!x.on) continue;
        ++lanes;
        words.insert(x.address);
        for (unsigned b = 0; b < 4; ++b)
            if (x.enable[b]) bytes.insert(x.address + b);
    }
    const unsigned columns = cfg.access == access_rule::line ? 32 : cfg.banks;
    const std::size_t ideal = (words.size() + columns - 1) / columns;
    std::array<unsigned, 32> in_column{};
    for (const auto address : words)
        ++in_column[cfg.access == access_rule::line ? static_cast<unsigned>(address / 4 % 32) : bank_of(address)];
    for (unsigned b = 0; b < columns; ++b) {
        bank_words[b] += in_column[b];
        if (in_column[b] > ideal) bank_excess[b] += in_column[b] - static_cast<unsigned>(ideal);
    }
    counters.ideal_passes += ideal;
    counters.crossbar_words += lanes;
    (store ? counters.bank_writes : counters.bank_reads) += words.size();
    if (store) counters.bytes_written += bytes.size();
    if (op.op == opcode::ald) counters.bytes_read += 4 * std::uint64_t{lanes};
    if (op.op == opcode::isberd && c == 0) counters.bytes_read += std::uint64_t{op.size} * lanes;
}

inline void oracle::count(const warp_op& op, unsigned passes, const warp_result& r)
{
    const bool store = op.op == opcode::ast || op.op == opcode::isbewr || op.op == opcode::out;
    for (unsigned c = 0; c < 4; ++c) count_component(op, c, store);
    counters.accesses += passes != 0 ? 1 : 0;
    counters.passes += passes;
    if (store) {
        counters.discarded_bmap += flagged_[1];
        counters.discarded_out_of_range += flagged_[2] + flagged_[3];
        counters.discarded_gs_overflow += flagged_[5];
        counters.discarded_bad_register += flagged_[4] + flagged_[7];
        for (const auto status : r.status) counters.discarded_patch_conflict += (status >> 6) & 1U;
    }
    const bool logical = (op.op == opcode::ald || op.op == opcode::ast) && op.form == address_form::logical;
    if (!logical && op.op != opcode::al2p) return;
    std::set<std::int64_t> attributes; // the first attribute of each lane's vector
    for (unsigned i = 0; i < 32; ++i)
        if (on(op, i) && sum(op, i) >= 0 && sum(op, i) < 0x400) attributes.insert(align(sum(op, i), op.size));
    counters.map_lookups += attributes.size() * op.size;
}

inline warp_result oracle::execute(const warp_op& op)
{
    ++counters.operations[static_cast<unsigned>(op.op)];
    for (auto& each : flagged_) each = 0;
    bank_words = bank_excess = {};
    static const std::array<std::uint32_t, 64> empty{};
    warp_result r{};
    r.passes = 1;
    const bool is_raw = op.op == opcode::isberd || op.op == opcode::isbewr;
    const bool physical = is_raw && op.region == region::physical;
    if (!physical && op.context >= table.size()) {
        r.error = op_error::illegal_sph_instr_combo;
        return r;
    }
    if (op.op == opcode::bind) {
        for (unsigned i = 0; i < 64; ++i) table[op.context][i] = op.data[i / 32][i % 32];
        return r;
    }
    descriptor_ = physical ? &empty : &table[op.context];
    if (!physical) r.error = error_of(op);
    if (r.error != op_error::none) return r;

    for (auto& component : touched_)
        for (auto& x : component) x = touch{};
    for (unsigned i = 0; i < 32; ++i) {
        if (!on(op, i)) continue;
        if (op.op == opcode::ald || op.op == opcode::ast) {
            for (unsigned c = 0; c < op.size; ++c)
                op.form == address_form::patch ? patch_component(op, i, c, r) : attribute_component(op, i, c, r);
        } else if (op.op == opcode::al2p) {
            const unsigned sp = static_cast<unsigned>(op.space);
            const auto s = sum(op, i);
            auto& result = r.data[0][i];
            result = 0xa2000000U | sp << 18;
            if (s < 0 || s >= 0x400) {
                result |= 1U << 17;
                continue;
            }
            const auto id = static_cast<unsigned>(align(s, op.size) / 4);
            result |= (id == 24 || in_prim(sp, id) ? 1U << 19 : 0U) | (enabled(sp, id) ? 1U << 16 : 0U) | id << 8 |
                      rank(sp, id);
        } else if (op.op == opcode::out) {
            geometry_out(op, i, r);
        } else {
            raw(op, i, r);
        }
    }
    unsigned passes = 0;
    for (unsigned c = 0; c < 4; ++c) passes += carry_out(op, c, r);
    if (passes != 0) r.passes = static_cast<std::uint16_t>(passes);
    count(op, passes, r);
    if (op.op == opcode::isberd)
        for (unsigned i = 0; i < 32; ++i) {
            if (!touched_[0][i].on) continue;
            std::uint32_t v = 0;
            unsigned n = 0;
            for (unsigned c = 0; c < 2; ++c)
                for (unsigned b = 0; b < 4; ++b)
                    if (touched_[c][i].on && touched_[c][i].enable[b])
                        v |= ((r.data[c][i] >> (8 * b)) & 255U) << (8 * n++);
            r.data[0][i] = v;
            r.data[1][i] = 0;
        }
    return r;
}

} // namespace isbesim::testbench
