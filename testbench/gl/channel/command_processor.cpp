// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/command_processor.h"

#include <cstdio>
#include <cstring>

#include "testbench/gl/channel/macro_front.h"
#include "testbench/gl/channel/three_d_engine.h"

namespace isbesim::gl {

namespace {

/// The lower byte of a class number is its kind, the upper byte its generation.
enum class_kind : std::uint32_t {
    three_d_kind = 0x97,
    compute_kind = 0xc0,
    upload_kind = 0x40,
    blit_kind = 0x2d,
    copy_kind = 0xb5
};

std::unique_ptr<engine> make_engine(std::uint32_t kind, const channel_parts& parts, macro_memory& macros)
{
    switch (kind) {
    case three_d_kind:
        return std::make_unique<macro_front>(parts, macros, std::make_unique<three_d_engine>(parts));
    case compute_kind:
        return std::make_unique<macro_front>(parts, macros, make_compute_engine(parts));
    case upload_kind:
        return make_upload_engine(parts);
    case blit_kind:
        return make_blit_engine(parts);
    case copy_kind:
        return make_copy_engine(parts);
    default:
        return nullptr;
    }
}

constexpr std::uint32_t bind_method = 0;
constexpr std::uint32_t first_class_method = 0x100; ///< lower methods are the host interface's

} // namespace

void packet_decoder::header(std::uint32_t word)
{
    // 31:29 kind, 28:16 count or immediate value, 15:13 subchannel, 12:0 method / 4 (class headers of the host
    // interface).
    const auto kind = word >> 29;
    const auto count = (word >> 16) & 0x1fff;
    subchannel_ = (word >> 13) & 7;
    number_ = (word & 0x1fff) << 2;
    switch (kind) {
    case 1:
        step_ = step::every_word;
        break;
    case 3:
        step_ = step::never;
        break;
    case 5:
        step_ = step::once;
        break;
    case 4:
        sink_.method(subchannel_, number_, count);
        sink_.packet_end(subchannel_);
        return;
    default:
        if (word != 0) sink_.bad_header(word); // zeros are padding
        return;
    }
    left_ = count;
}

void packet_decoder::words(const std::uint32_t* first, std::size_t count)
{
    for (const auto* word = first; word != first + count; ++word) {
        if (left_ == 0) {
            header(*word);
            continue;
        }
        const auto number = number_;
        if (step_ != step::never) number_ += 4;
        if (step_ == step::once) step_ = step::never;
        --left_;
        sink_.method(subchannel_, number, *word);
        if (left_ == 0) sink_.packet_end(subchannel_);
    }
}

command_processor::command_processor(const channel_parts& parts)
    : parts_(parts), decoder_(*this), macros_(parts.chip.classes.front())
{
    // Since Kepler, the copy engine of a graphics channel is on this subchannel without being bound.
    constexpr unsigned copy_subchannel = 4;
    bind(copy_subchannel, copy_kind);
}

command_processor::~command_processor() = default;

void command_processor::finish()
{
    for (auto* each : bound_)
        if (each != nullptr) each->finish();
    parts_.fences.end_submission();
    ++parts_.counts.submissions;
}

void command_processor::bind(unsigned subchannel, std::uint32_t class_number)
{
    const auto kind = class_number & 0xff;
    auto& bound_engine = engines_[kind];
    if (!bound_engine) bound_engine = make_engine(kind, parts_, macros_);
    bound_[subchannel] = bound_engine.get();
    constexpr std::uint32_t software_kind = 0x6e; // the driver's own: page flips
    if (bound_engine || kind == software_kind) return;
    char text[32];
    std::snprintf(text, sizeof text, "class %04x", class_number & 0xffff);
    ++parts_.counts.unknown[text];
}

void command_processor::host_method(std::uint32_t number, std::uint32_t value)
{
    constexpr std::uint32_t semaphore = 0x10;
    constexpr std::uint32_t trigger = 0x1c;
    constexpr std::uint32_t release = 2;
    if (number < semaphore || number > trigger) return;
    semaphore_[(number - semaphore) / 4] = value;
    // An acquire never waits: submissions are executed in order, one at a time.
    if (number != trigger || (value & 0xf) != release) return;
    if (auto* target = parts_.memory.at((std::uint64_t{semaphore_[0]} << 32) | semaphore_[1], 4))
        std::memcpy(target, &semaphore_[2], 4);
}

void command_processor::method(unsigned subchannel, std::uint32_t number, std::uint32_t value)
{
    parts_.fences.command();
    // The host interface and other classes follow all earlier work.
    if (subchannel != last_ || number < first_class_method) {
        if (bound_[last_] != nullptr) bound_[last_]->finish();
        parts_.target.separate();
        last_ = subchannel;
    }
    if (number == bind_method)
        bind(subchannel, value);
    else if (number < first_class_method)
        host_method(number, value);
    else if (bound_[subchannel] != nullptr)
        bound_[subchannel]->method(number, value);
}

void command_processor::packet_end(unsigned subchannel)
{
    if (bound_[subchannel] != nullptr) bound_[subchannel]->packet_end();
}

void command_processor::bad_header(std::uint32_t word)
{
    char text[48];
    std::snprintf(text, sizeof text, "push buffer header %08x", word);
    ++parts_.counts.unknown[text];
}

} // namespace isbesim::gl
