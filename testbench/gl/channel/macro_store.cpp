// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/channel/macro_store.h"

#include <algorithm>

namespace isbesim::gl {

const std::vector<known_macro>& known_macros()
{
    static const std::vector<known_macro> table = {
        // Fermi to Volta
        {0x0a92f70598121799U, 7, macro_kind::per_instance_bits},
        {0x2f768d8afdaf1265U, 12, macro_kind::vertex_array_select},
        {0x80973d5207269649U, 9, macro_kind::state_only},
        {0x6f5fc93d836650b5U, 17, macro_kind::state_only},
        {0x7297e9f1d3889ca5U, 17, macro_kind::state_only},
        {0xa6f2cd0301ead699U, 17, macro_kind::geometry_select},
        {0x096718c3754e7cf9U, 17, macro_kind::evaluation_select},
        {0x68adda0bc5b5936fU, 30, macro_kind::draw_arrays},
        {0xf78e020cee5abd45U, 42, macro_kind::draw_elements},
        {0x3254d37ee00ed4e9U, 46, macro_kind::draw_arrays_count},
        {0x5b2942dafe855f5eU, 61, macro_kind::draw_elements_count},
        {0x1007424fc44cf508U, 34, macro_kind::query_to_buffer},
        {0xdcda33bb7ddecf02U, 16, macro_kind::launch_indirect},
        {0xe8303afdd69c3103U, 17, macro_kind::state_only},
        {0x28e5d9b25c64192cU, 26, macro_kind::state_only}, // since Mesa 24: a register of the rasteriser, by firmware
        {0x3e4ea915d594bf25U, 24, macro_kind::compute_counter},
        {0x49b027285736310eU, 19, macro_kind::compute_counter_report},
        // Turing
        {0xebd59ee55d4e2daeU, 18, macro_kind::per_instance_bits},
        {0x7664cabbf14374dbU, 21, macro_kind::vertex_array_select},
        {0xc6061b156f647648U, 15, macro_kind::state_only},
        {0x3e1c51950892589eU, 36, macro_kind::state_only},
        {0x4812aff53467928bU, 36, macro_kind::state_only},
        {0x0316e706d87ecf26U, 36, macro_kind::geometry_select},
        {0xa124c76e2e08dcdeU, 36, macro_kind::evaluation_select},
        {0xf5092f7330f81608U, 48, macro_kind::draw_arrays},
        {0x8494acd448612238U, 54, macro_kind::draw_elements},
        {0x11e59943fcb37ac8U, 72, macro_kind::draw_arrays_count},
        {0x586d3a8eb10c8365U, 81, macro_kind::draw_elements_count},
        {0xf73a0a3a3d22d564U, 63, macro_kind::query_to_buffer},
        {0x4e97f8eb057e2f1dU, 33, macro_kind::state_only},
        {0xf0a9dfef08886fa5U, 36, macro_kind::state_only}, // ... the same on Turing
        {0x6165c34fd7fe123fU, 21, macro_kind::compute_counter},
        {0xba18c9d9eca3cb55U, 27, macro_kind::compute_counter_report},
    };
    return table;
}

std::uint64_t macro_fingerprint(const std::vector<std::uint32_t>& code)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const auto word : code) {
        for (unsigned byte = 0; byte < 4; ++byte) {
            hash ^= (word >> (8 * byte)) & 0xff;
            hash *= 0x100000001b3U;
        }
    }
    return hash;
}

void macro_store::word(std::uint32_t value)
{
    if (uploading_.empty()) upload_begin_ = write_position_;
    uploading_.push_back(value);
    ++write_position_;
}

void macro_store::packet_end()
{
    if (uploading_.empty()) return;
    const code added{upload_begin_, static_cast<std::uint32_t>(uploading_.size()), macro_fingerprint(uploading_)};
    uploading_.clear();
    // Positions count instructions, of one word until Volta and three on Turing, so later words are not read.
    codes_.erase(
        std::remove_if(codes_.begin(), codes_.end(), [&](const code& each) { return each.position == added.position; }),
        codes_.end());
    codes_.push_back(added);
}

void macro_store::begins_at(std::uint32_t position)
{
    if (number_ < starts_.size()) starts_[number_] = position;
    ++number_;
}

const macro_store::code* macro_store::code_of(std::uint32_t number) const
{
    if (number >= starts_.size()) return nullptr;
    for (const auto& each : codes_)
        if (each.position == starts_[number]) return &each;
    return nullptr;
}

std::uint64_t macro_store::fingerprint(std::uint32_t number) const
{
    const auto* found = code_of(number);
    return found != nullptr ? found->fingerprint : 0;
}

std::uint32_t macro_store::length(std::uint32_t number) const
{
    const auto* found = code_of(number);
    return found != nullptr ? found->words : 0;
}

macro_kind macro_store::kind(std::uint32_t number) const
{
    const auto* found = code_of(number);
    if (found == nullptr) return macro_kind::unknown;
    for (const auto& each : known_)
        if (each.fingerprint == found->fingerprint && each.words == found->words) return each.kind;
    return macro_kind::unknown;
}

} // namespace isbesim::gl
