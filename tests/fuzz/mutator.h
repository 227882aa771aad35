// SPDX-License-Identifier: Apache-2.0
// Random damage to bytes, texts and JSON: the same number always does the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isbesim::testbench {

/// SplitMix64: small, and the same everywhere.
class random_numbers {
public:
    explicit random_numbers(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next()
    {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ z >> 30U) * 0xbf58476d1ce4e5b9U;
        z = (z ^ z >> 27U) * 0x94d049bb133111ebU;
        return z ^ z >> 31U;
    }
    /// 0 to limit - 1; 0 for a limit of 0.
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : static_cast<std::size_t>(next() % limit); }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <typename T>
    const T& pick(const std::vector<T>& list)
    {
        return list[below(list.size())];
    }

private:
    std::uint64_t state_;
};

/// Bits turned, bytes set, put in, taken out, doubled, cut off; a piece of `other` in their place.
std::string mutated_bytes(std::string bytes, const std::string& other, random_numbers& random);

/// Tokens (numbers, words, quoted texts, punctuation) replaced by others of the text or by `spice`, taken out, doubled
/// or swapped; lines too; now and then bytes.
std::string mutated_text(std::string text, const std::vector<std::string>& spice, random_numbers& random);

/// JSON that stays JSON: values replaced by one of `spice` (JSON texts) or of the document, numbers moved a little,
/// members and elements taken out, put in or doubled under another name. `text` must be JSON.
std::string mutated_json(const std::string& text, const std::vector<std::string>& spice, random_numbers& random);

} // namespace isbesim::testbench
