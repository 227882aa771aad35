// SPDX-License-Identifier: Apache-2.0
// The 64 words that BIND writes (rtl_ref/README.md, section 3), by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace rtl {

enum class stage { none, vsa, vsb, ti, ts, gs, task, mesh };

struct space {
    std::uint32_t attr_base = 0;
    std::uint32_t attr_bytes = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t map_base = 0;
    std::uint32_t map_bytes = 0;
    std::uint32_t prim_base = 0;
    std::uint32_t prim_bytes = 0;
    std::uint32_t patch_base = 0;
    std::uint32_t patch_words = 0;
    std::uint32_t patch_count = 0;
    std::array<std::uint32_t, 8> allocated{};
    std::array<std::uint32_t, 8> enabled{};

    // Both by attribute byte address.
    space& allocate(std::initializer_list<unsigned> addresses) { return insert(allocated, addresses); }
    space& enable(std::initializer_list<unsigned> addresses) { return insert(enabled, addresses); }
    space& allocate_and_enable(std::initializer_list<unsigned> addresses)
    {
        return allocate(addresses).enable(addresses);
    }

private:
    space& insert(std::array<std::uint32_t, 8>& ids, std::initializer_list<unsigned> addresses)
    {
        for (const unsigned address : addresses) ids[address / 4 / 32] |= 1u << address / 4 % 32;
        return *this;
    }
};

struct descriptor {
    rtl::stage stage = rtl::stage::none;
    bool fast_geometry = false;
    bool shared_spaces = false;
    std::uint32_t maximum = 0;
    std::uint32_t threads = 0;
    std::uint32_t stream_mask = 0;
    space in;
    space out;
    std::array<std::uint8_t, 32> primitive{};

    std::array<std::uint32_t, 64> words() const
    {
        std::array<std::uint32_t, 64> w{};
        w[0] = static_cast<std::uint32_t>(stage) | (fast_geometry ? 0x10u : 0u) | (shared_spaces ? 0x20u : 0u);
        w[1] = maximum;
        w[2] = threads;
        w[3] = stream_mask;
        put(w, 4, in);
        put(w, 14, out);
        for (std::size_t i = 0; i < 8; ++i) {
            w[24 + i] = in.allocated[i];
            w[32 + i] = in.enabled[i];
            w[40 + i] = out.allocated[i];
            w[48 + i] = out.enabled[i];
        }
        for (std::size_t i = 0; i < 32; ++i) w[56 + i / 4] |= std::uint32_t{primitive[i]} << 8 * (i % 4);
        return w;
    }

private:
    static void put(std::array<std::uint32_t, 64>& w, std::size_t first, const space& s)
    {
        const std::array<std::uint32_t, 10> words{s.attr_base,   s.attr_bytes, s.vertex_count, s.map_base,
                                                  s.map_bytes,   s.prim_base,  s.prim_bytes,   s.patch_base,
                                                  s.patch_words, s.patch_count};
        for (std::size_t i = 0; i < words.size(); ++i) w[first + i] = words[i];
    }
};

} // namespace rtl
