// Operations for three accounts of the micro-architecture page: the model (isbe_core), the plain oracle of the tests,
// which knows data too, and page_look of the cross-check. They share nothing; on any operations, their answers are the
// same.
#include <algorithm>
#include <array>

#include "models/isbe/functional/isbe_core.h"
#include "testbench/crosscheck/page/page_look.h"
#include "testbench/crosscheck/traffic/random_traffic.h"
#include "tests/fuzz/targets/target.h"
#include "tests/isbe/oracle.h"

namespace isbesim::fuzz {

namespace {

/// Fields of operations, zeros behind the end. Lanes differ by a step, and some of them besides.
class field_reader {
public:
    explicit field_reader(std::string_view bytes) : bytes_(bytes) {}

    bool done() const { return bytes_.empty(); }
    unsigned byte() { return take_byte(bytes_); }
    word half() { return byte() | byte() << 8; }
    word whole() { return half() | half() << 16; }

    void lanes(per_lane<word>& values)
    {
        const auto how = byte();
        const word first = (how & 1U) != 0 ? whole() : half();
        const word step = (how & 2U) != 0 ? half() : how >> 4;
        for (unsigned lane = 0; lane < warp_lanes; ++lane) values[lane] = first + lane * step;
        for (auto more = (how & 4U) != 0 ? byte() % 8 : 0; more != 0; --more) {
            auto& one = values[byte() % warp_lanes];
            one = (how & 8U) != 0 ? whole() : one ^ byte();
        }
    }

private:
    std::string_view bytes_;
};

/// A machine of few lines and contexts: what operations do to each other shows soon.
isbe_config machine_of(unsigned choice)
{
    isbe_config config;
    config.lines = 64;
    config.banks = 8U << (choice & 3U) % 3;
    config.bank_map = static_cast<bank_map>((choice >> 2 & 3U) % 3);
    config.access = (choice & 16U) != 0 ? access_rule::line : access_rule::banked;
    config.skew = (choice & 32U) == 0;
    config.gs_slot_order = (choice & 64U) != 0 ? gs_slot_order::blocked : gs_slot_order::interleaved;
    config.patch_winner = (choice & 128U) != 0 ? lane_winner::lowest : lane_winner::highest;
    config.map_byte_swap = (choice & 1U) != 0;
    config.attribute_default = choice & 63U;
    config.contexts = 3;
    return config;
}

/// Regions inside the storage, as the writer of descriptors guarantees.
void read_space(field_reader& in, word storage, space_layout& space)
{
    const auto region = [&](word& base, word wanted) {
        const word bytes = std::min(wanted, storage);
        base = std::min(in.half() & ~3U, (storage - bytes) & ~3U);
        return bytes;
    };
    space.attr_bytes = region(space.attr_base, in.half());
    space.attr_base &= ~127U;
    space.map_bytes = region(space.map_base, in.half() % 1024);
    space.prim_bytes = region(space.prim_base, in.byte());
    space.vertex_count = in.byte();
    space.patch_words = in.byte();
    space.patch_count = std::min(in.byte(), space.patch_words == 0 ? 256 : storage / 4 / space.patch_words);
    region(space.patch_base, 4 * space.patch_words * space.patch_count);
    const auto pattern = in.whole();
    for (unsigned i = 0; i < attribute_set::words; ++i) {
        space.allocated.set_bits(i, i == 0 ? in.whole() : pattern >> i);
        space.enabled.set_bits(i, i == 0 ? in.whole() : pattern);
    }
}

void read_bind(field_reader& in, word storage, warp_op& op)
{
    context slot;
    const auto flags = in.byte();
    slot.stage = static_cast<stage>(flags & 7U);
    slot.fast_geometry = (flags & 8U) != 0;
    slot.shared_spaces = (flags & 16U) != 0;
    read_space(in, storage, slot.input);
    read_space(in, storage, slot.output);
    if ((flags & 32U) != 0)
        slot.output.attr_base = slot.input.attr_base, slot.output.attr_bytes = slot.input.attr_bytes;
    slot.geometry.max_vertices = (flags & 64U) != 0 ? in.half() : in.byte() % 8;
    slot.geometry.thread_count = std::min(in.byte(), warp_lanes);
    slot.geometry.stream_mask = static_cast<std::uint8_t>(in.byte() & 15U);
    per_lane<word> primitives;
    in.lanes(primitives);
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        slot.primitive[lane] = static_cast<std::uint8_t>(primitives[lane]);
    pack_context(slot, op);
}

void read_operation(field_reader& in, word storage, warp_op& op)
{
    const auto kind = in.byte();
    op.op = static_cast<opcode>((kind & 7U) % opcode_count);
    op.space = static_cast<space>(kind >> 3 & 1U);
    op.form = static_cast<address_form>((kind >> 4 & 3U) % form_count);
    op.type = static_cast<out_type>(kind >> 6);
    const auto more = in.byte();
    op.region = static_cast<region>((more & 7U) % region_count);
    op.context = static_cast<std::uint16_t>((more >> 3 & 3U));
    op.size = static_cast<std::uint8_t>(1 + (more >> 5 & 3U));
    if (is_raw(op.op)) op.size = op.size == 3 ? 4 : op.size;
    op.skew = (more & 128U) != 0;
    if (op.op == opcode::bind) return read_bind(in, storage, op);
    op.immediate = static_cast<std::int32_t>((more & 128U) != 0 ? in.whole() : in.half());
    op.lanes = in.whole();
    in.lanes(op.address);
    in.lanes(op.handle);
    if (is_store(op.op))
        for (auto& component : op.data) in.lanes(component);
}

void compare(const warp_result& model, const warp_result& oracle, const testbench::page_look& page)
{
    require(model.error == oracle.error, "model and oracle agree on the error");
    require(model.passes == oracle.passes, "model and oracle agree on passes");
    require(model.status == oracle.status, "model and oracle agree on the status");
    require(model.data == oracle.data, "model and oracle agree on data");
    require(model.error == page.error, "model and page agree on the error");
    require(model.passes == page.passes, "model and page agree on passes");
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
        require((model.status[lane] & ~unsigned{lane_status::overwritten}) == page.status[lane],
                "model and page agree on the status");
}

} // namespace

void traffic(std::string_view bytes)
{
    const auto config = machine_of(take_byte(bytes));
    const word storage = config.lines * 128;
    isbe_core core(config);
    test::oracle oracle(config);
    field_reader in(bytes);
    const context none;
    while (!in.done()) {
        warp_op op;
        read_operation(in, storage, op);
        const context slot = op.context < config.contexts ? core.context_at(op.context) : none;
        warp_result result;
        core.execute(op, result);
        compare(result, oracle.execute(op), testbench::look_at(config, slot, op));
    }
    for (word i = 0; i < storage / 4; ++i) {
        word expected = 0;
        for (unsigned b = 4; b-- != 0;) expected = expected << 8 | oracle.memory[i * 4 + b];
        require(core.storage().read(i) == expected, "model and oracle agree on the storage");
    }
}

std::vector<std::string> traffic_seeds(const std::string&)
{
    std::vector<std::string> seeds;
    testbench::random_numbers random(1);
    for (unsigned i = 0; i < 40; ++i) {
        std::string seed;
        for (unsigned n = 100 + random.below(900); n != 0; --n) seed += static_cast<char>(random.bits());
        seeds.push_back(seed);
    }
    return seeds;
}

} // namespace isbesim::fuzz
