// SPDX-License-Identifier: Apache-2.0
#include "testbench/crosscheck/traffic/random_traffic.h"

#include <algorithm>

#include "testbench/crosscheck/traffic/corner_values.h"
#include "testbench/crosscheck/traffic/random_context.h"
#include "testbench/crosscheck/traffic/random_operation.h"

namespace isbesim::testbench {

namespace {

constexpr unsigned alone = 4;                    ///< the gap_mode after a pause; never drawn at random
constexpr std::uint64_t meeting_interval = 1024; ///< in cycles; a port's items between two meetings usually take fewer

} // namespace

random_traffic::random_traffic(const isbe_config& config, std::uint64_t seed, std::uint64_t transactions,
                               const traffic_setting& setting)
    : config_(config), setting_(setting)
{
    const unsigned used = std::min(config.contexts, 6U);
    for (unsigned i = 0; i < used; ++i) // from the first to the last
        slots_.push_back(static_cast<std::uint16_t>(used == 1 ? 0 : i * (config.contexts - 1) / (used - 1)));
    for (unsigned port = 0; port < config.ports; ++port) {
        ports_.emplace_back(seed * 2 + port + 1);
        auto& stream = ports_.back();
        stream.left = transactions / config.ports + (port < transactions % config.ports ? 1 : 0);
        stream.to_bind = used;
        stream.bound.resize(used);
        stream.unused = port * config.contexts / config.ports;
    }
}

const traffic_item* random_traffic::draw(unsigned port)
{
    auto& stream = ports_[port];
    if (stream.left == 0) return nullptr;
    --stream.left;
    auto& item = stream.drawn;
    item.op = warp_op{};
    item.response_hold = 0;
    rhythm(stream, item);
    if (stream.to_bind > 0 && stream.random.chance(20)) {
        --stream.to_bind;
        fill_bind(stream.random, item.op, slots_[stream.to_bind], stream.bound[stream.to_bind]);
    } else {
        fill(stream, item.op);
    }
    return &item;
}

/// Bursts, steady trickles and pauses, with responses taken at once, late or very late; a rhythm lasts for dozens of
/// items so that queues fill and drain completely. Most rhythms exceed the block's throughput, so each port falls
/// behind its cycles: occasional pauses let it catch up, and are followed by single operations on an idle block.
void random_traffic::rhythm(port_stream& stream, traffic_item& item)
{
    auto& random = stream.random;
    if (stream.phase_left == 0) {
        stream.phase_left = 8 + random.below(56);
        stream.gap_mode = random.below(4);
        stream.hold_mode = random.below(4);
        if (setting_.dense) {
            stream.gap_mode = 0;
            stream.hold_mode = std::min(stream.hold_mode, 1U);
        } else if (random.below(6) == 0) {
            stream.gap_mode = alone;
            stream.phase_left = 8;
            stream.cycle += 2000 + random.below(8000);
        }
    }
    --stream.phase_left;
    if (setting_.meetings != 0 && ++stream.since_meeting == setting_.meetings) {
        stream.since_meeting = random.below(setting_.meetings / 2); // otherwise the same port would always end last
        stream.cycle = (stream.cycle / meeting_interval + 1) * meeting_interval;
        item.earliest = stream.cycle;
        return;
    }
    switch (stream.gap_mode) {
    case 0:
        break;
    case 1:
        stream.cycle += random.below(3);
        break;
    case 2:
        stream.cycle += random.below(12);
        break;
    case alone:
        stream.cycle += random.below(400);
        break;
    default:
        stream.cycle += random.chance(10) ? random.below(200) : 0;
        break;
    }
    item.earliest = stream.cycle;
    switch (stream.hold_mode) {
    case 0:
        break;
    case 1:
        item.response_hold = random.below(2);
        break;
    case 2:
        item.response_hold = random.below(8);
        break;
    default:
        item.response_hold = random.chance(10) ? random.below(100) : 0;
        break;
    }
    if (setting_.waits != 0 && random.below(1000) < setting_.waits) wait_long(random, stream, item);
}

/// Waits beyond 15, 16 and 17 bits, widths in which a block may count cycles. Requests after a held response keep their
/// distance to it.
void random_traffic::wait_long(random_numbers& random, port_stream& stream, traffic_item& item)
{
    std::uint32_t cycles = 0x8000U << random.below(3);
    cycles += random.below(400) - 100;
    stream.cycle += cycles;
    if (random.chance(50))
        item.response_hold = cycles;
    else
        item.earliest = stream.cycle;
}

void random_traffic::fill_bind(random_numbers& random, warp_op& op, std::uint16_t slot, context& bound) const
{
    bound = random_context(random, config_);
    if (setting_.corners != 0 && random.chance(setting_.corners)) draw_corners(random, config_, bound);
    op.op = opcode::bind;
    op.context = slot;
    op.lanes = random_lanes(random);
    random_descriptor(random, bound, op);
    add_noise(random, op);
}

/// A slot that does not exist, or one that is mostly unbound.
std::uint16_t random_traffic::foreign_slot(random_numbers& random) const
{
    switch (random.below(4)) {
    case 0:
        return static_cast<std::uint16_t>(config_.contexts + random.below(4));
    case 1: { // a slot in use with one more bit set
        const word used = slots_[random.below(static_cast<word>(slots_.size()))];
        return static_cast<std::uint16_t>(used | 1U << (6 + random.below(10)));
    }
    case 2: {
        const word any = random.bits();
        return static_cast<std::uint16_t>(random.chance(30) ? 0xffffU : any);
    }
    default:
        return static_cast<std::uint16_t>(random.below(config_.contexts));
    }
}

/// One after the other, so that a run of a few thousand operations binds all slots.
std::uint16_t random_traffic::next_unused_slot(port_stream& stream) const
{
    const auto used = [this](unsigned slot) { return std::find(slots_.begin(), slots_.end(), slot) != slots_.end(); };
    do stream.unused = (stream.unused + 1) % config_.contexts;
    while (used(stream.unused));
    return static_cast<std::uint16_t>(stream.unused);
}

void random_traffic::fill(port_stream& stream, warp_op& op)
{
    auto& random = stream.random;
    auto place = random.below(static_cast<word>(slots_.size()));
    context unknown; // later operations ignore it
    const bool anywhere = setting_.any_slot != 0 && random.chance(setting_.any_slot);
    const auto used = static_cast<std::uint16_t>(anywhere ? random.below(config_.contexts) : slots_[place]);
    if (anywhere && random.chance(25)) return fill_bind(random, op, used, unknown);
    if (random.chance(3)) {
        if (random.chance(10))
            fill_bind(random, op, foreign_slot(random), unknown);
        else if (config_.contexts > slots_.size() && random.chance(30))
            fill_bind(random, op, next_unused_slot(stream), unknown);
        else
            fill_bind(random, op, slots_[place], stream.bound[place]);
        return;
    }
    const auto kind = random.below(10);
    const bool out = kind == 4 || kind == 5;
    // Mostly where OUT is legal.
    for (unsigned tries = 0; out && tries < 8 && stream.bound[place].stage != stage::geometry; ++tries)
        place = random.below(static_cast<word>(slots_.size()));
    op.context = random.chance(1) ? foreign_slot(random) : anywhere ? used : slots_[place];
    op.lanes = random_lanes(random);
    const auto& slot = stream.bound[place];
    if (kind < 4)
        random_attribute_access(random, slot, op);
    else if (out)
        random_out(random, slot, op);
    else
        random_raw_access(random, config_, slot, op);
    if (setting_.crowded != 0 && random.chance(setting_.crowded))
        crowd_one_bank(random, config_, slot, op);
    else if (setting_.corners != 0 && random.chance(setting_.corners))
        draw_corners(random, config_, slot, op);
    if (setting_.general != 0 && random.chance(setting_.general)) make_general(random, op);
    if (random.chance(3)) move_to_the_ends(random, op);
    add_noise(random, op);
}

} // namespace isbesim::testbench
