// SPDX-License-Identifier: Apache-2.0
#include "models/texture/entry_tables.h"

#include <cstring>

namespace isbesim::texture {

namespace {

bool read_entry(memory_space& memory, std::uint64_t table, word number, entry& words)
{
    const std::uint8_t* bytes = memory.find(table + std::uint64_t{number} * sizeof words, sizeof words);
    if (bytes != nullptr) std::memcpy(words.data(), bytes, sizeof words);
    return bytes != nullptr;
}

} // namespace

fault entry_tables::find_image(memory_space& memory, word number, access kind, const image*& found)
{
    entry words{};
    if (number >= where_.header_count || !read_entry(memory, where_.headers, number, words)) return fault::no_header;
    decoded& place = recent_[number % recent_.size()];
    if (!place.used || place.kind != kind || place.words != words) {
        place.used = true;
        place.kind = kind;
        place.words = words;
        place.why = place.value.decode(words, kind);
    }
    found = &place.value;
    return place.why;
}

fault entry_tables::find_sampler(memory_space& memory, word number, sampler& found) const
{
    entry words{};
    if (number >= where_.sampler_count || !read_entry(memory, where_.samplers, number, words)) return fault::no_sampler;
    return decode_sampler(words, found);
}

} // namespace isbesim::texture
