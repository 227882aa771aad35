// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/macro_front.h"

#include <cstring>

#include "testbench/gl/channel/macro_fermi.h"
#include "testbench/gl/channel/macro_turing.h"
#include "tlm/hex.h"

namespace isbesim::gl {

namespace {

constexpr std::uint32_t code_position = 0x114, code_word = 0x118, start_number = 0x11c, start_position = 0x120;
constexpr std::uint32_t shadow_mode = 0x124; ///< how methods update and use the shadow
constexpr std::uint32_t dma_address = 0x550, dma_ram_address = 0x558, dma_read = 0x55c, dma_read_parameters = 0x560,
                        dma_write = 0x564, dma_reduce = 0x568;
constexpr std::uint32_t firmware_call = 0x2310; ///< writes a register; its operands are in scratch registers
constexpr std::uint32_t scratch = 0x3400, calls = 0x3800;

enum shadow_modes : std::uint32_t { track, track_filtered, pass_through, replay };

} // namespace

macro_front::macro_front(const channel_parts& parts, macro_memory& memory, std::unique_ptr<engine> next,
                         std::uint32_t limit)
    : parts_(parts), memory_(memory), next_(std::move(next)), limit_(limit)
{
    macro_host& host = *this;
    if (memory_.is_wide())
        machine_ = std::make_unique<macro_turing>(host, memory_);
    else
        machine_ = std::make_unique<macro_fermi>(host, memory_);
}

void macro_front::method(std::uint32_t number, std::uint32_t value)
{
    if (number < calls) {
        if (running_) {
            running_ = false;
            tell("ends where it waits for a parameter: method " + hex(number) + " came");
        }
        pass_on(number, value);
        return;
    }
    // Even registers call a macro, odd registers take its further parameters.
    if ((number & 4) == 0) {
        packet_end();
        if (running_) tell("ends where it waits for a parameter: another macro is called");
        call((number - calls) / 8);
    } else if (!running_) {
        tell("has parameters that it does not take");
        return;
    }
    ++given_;
    parameters_.push_back(value);
}

void macro_front::packet_end()
{
    if (!parameters_.empty()) run();
}

void macro_front::call(std::uint32_t number)
{
    called_ = number;
    running_ = true;
    given_ = 0;
    steps_ = 0;
    ++calls_;
    machine_->start(memory_.start(number));
}

void macro_front::run()
{
    parts_.fences.write_at_once(true); // drivers do not wait for writes of macros
    while (running_) {
        if (steps_ == limit_) {
            tell("was stopped after " + std::to_string(limit_) + " instructions");
            running_ = false;
            break;
        }
        const auto position = machine_->position();
        const auto event = machine_->step();
        if (event == macro_event::waits) break;
        ++steps_;
        if (event == macro_event::ran) continue;
        running_ = false;
        const auto where = " at place " + hex(position / memory_.instruction_words());
        if (event == macro_event::outside_code) tell("has no code" + where);
        if (event == macro_event::bad_instruction) tell("has an instruction of unknown meaning" + where);
        if (event == macro_event::no_method) tell("sends a value to no method" + where);
        if (event == macro_event::outside_ram) tell("uses an address outside the data RAM" + where);
        if (event == macro_event::ended && !parameters_.empty() && given_ != 1)
            tell("has parameters that it does not take");
    }
    parts_.fences.write_at_once(false);
    if (running_) return;
    parameters_.clear();
    fetch_words_ = 0;
    parts_.target.record = {};
}

void macro_front::tell(const std::string& what)
{
    ++parts_.counts.unknown["macro " + std::to_string(called_) + " " + what];
}

std::uint64_t macro_front::address_of_transfer() const
{
    return (std::uint64_t{shadow_[dma_address / 4]} << 32) | shadow_[dma_address / 4 + 1];
}

std::uint32_t macro_front::take_parameter()
{
    if (fetch_words_ != 0) {
        --fetch_words_;
        fetch_address_ += 4;
        return fetch(fetch_address_ - 4);
    }
    const auto value = parameters_.front();
    parameters_.pop_front();
    return value;
}

std::uint32_t macro_front::state(std::uint32_t number) const
{
    if (number >= calls) return 0;
    return number >= scratch ? memory_.scratch[(number - scratch) / 4] : shadow_[number / 4];
}

void macro_front::emit(std::uint32_t number, std::uint32_t value)
{
    if (number < calls)
        pass_on(number, value);
    else
        tell("calls a macro");
}

void macro_front::pass_on(std::uint32_t number, std::uint32_t value)
{
    auto& kept = number >= scratch ? memory_.scratch[(number - scratch) / 4] : shadow_[number / 4];
    const auto mode = shadow_[shadow_mode / 4] & 3;
    if (mode == replay && number != shadow_mode) value = kept;
    if (mode != pass_through || number >= scratch || number == shadow_mode) kept = value;
    if (number < scratch && !effect(number, value)) next_->method(number, value);
}

bool macro_front::effect(std::uint32_t number, std::uint32_t value)
{
    bool known = true;
    switch (number) {
    case code_position:
        memory_.write_at(value);
        break;
    case code_word:
        known = memory_.append(value);
        break;
    case start_number:
        memory_.select(value);
        break;
    case start_position:
        known = memory_.set_start(value);
        break;
    case dma_read:
    case dma_write:
        transfer(value, number == dma_write);
        break;
    case dma_read_parameters:
        next_->finish();
        fetch_address_ = address_of_transfer();
        fetch_words_ = value;
        parts_.target.record = {fetch_address_, 4 * value, calls_};
        break;
    case dma_reduce:
        ++parts_.counts.skipped["reductions in memory by macros"];
        break;
    case firmware_call:
        memory_.scratch[0] = 1; // done, for macros that poll it
        return false;
    default:
        return false;
    }
    if (!known) ++parts_.counts.unknown["macros beyond the memory for them"];
    return true;
}

void macro_front::transfer(std::uint32_t words, bool to_memory)
{
    const auto first = shadow_[dma_ram_address / 4];
    const auto address = address_of_transfer();
    if (first > macro_memory::ram_words || words > macro_memory::ram_words - first) {
        ++parts_.counts.unknown["transfers beyond the macros' data RAM"];
        return;
    }
    next_->finish();
    const auto bytes = std::uint64_t{4} * words;
    if (!to_memory) {
        for (std::uint32_t i = 0; i < words; ++i) memory_.ram[first + i] = fetch(address + 4 * i);
    } else if (auto* target = parts_.memory.at(address, bytes); target != nullptr) {
        parts_.fences.forget(address, bytes);
        std::memcpy(target, memory_.ram.data() + first, bytes);
    } else {
        ++parts_.counts.refused["words of macros to an address outside the GPU's memory"];
    }
}

std::uint32_t macro_front::fetch(std::uint64_t address)
{
    if (parts_.memory.at(address, 4) != nullptr) return parts_.fences.words(address, 4)[0];
    ++parts_.counts.refused["words for macros from an address outside the GPU's memory"];
    return 0;
}

} // namespace isbesim::gl
