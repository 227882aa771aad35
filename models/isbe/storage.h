// The ISBE's memory: words, one "overwritten" bit per word (micro-architecture section 4.7), and raw byte access for
// debug transport and DMI. Everything is 0 after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/attribute/layout.h"
#include "tlm/warp_op.h"

namespace isbesim {

class storage {
public:
    explicit storage(unsigned lines);

    std::size_t bytes() const { return words_.size() * 4; }
    std::size_t words() const { return words_.size(); }

    /// `index` is a byte address / 4, below words().
    word read(word index) const { return words_[index]; }
    const word* word_pointer(word index) const { return words_.data() + index; }
    bool overwritten(word index) const { return overwritten_[index] != 0; }

    /// Stores the bytes of `value` whose bits are set in `byte_mask` (0xff per byte) and sets or clears the bit.
    void write(word index, word value, word byte_mask, bool overwritten)
    {
        words_[index] = (words_[index] & ~byte_mask) | (value & byte_mask);
        overwritten_[index] = overwritten ? 1 : 0;
    }
    /// 32 consecutive whole words: the coalesced store.
    void write_warp(word first, const per_lane<word>& values, bool overwritten);

    /// Raw little-endian bytes, for DMI. A writer through this pointer leaves the overwritten bits alone.
    std::uint8_t* data() { return reinterpret_cast<std::uint8_t*>(words_.data()); }
    const std::uint8_t* data() const { return reinterpret_cast<const std::uint8_t*>(words_.data()); }

    /// Debug access as in TLM-2.0: byte i counts when `enables` is null or enables[i % enable_count] is 0xff. Returns
    /// the number of bytes inside the storage; a write clears the overwritten bits of the words it touches.
    std::size_t read_bytes(std::uint64_t address, std::uint8_t* to, std::size_t count,
                           const std::uint8_t* enables = nullptr, std::size_t enable_count = 0) const;
    std::size_t write_bytes(std::uint64_t address, const std::uint8_t* from, std::size_t count,
                            const std::uint8_t* enables = nullptr, std::size_t enable_count = 0);

private:
    std::vector<word> words_;
    std::vector<std::uint8_t> overwritten_; // one byte each: a warp's worth is cleared with two stores
};

} // namespace isbesim
