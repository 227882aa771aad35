// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/connectivity.h"

#include <algorithm>

namespace isbesim {

void write_words(isbe_access& isbe, word address, const word* values, unsigned count)
{
    per_lane<word> lanes{};
    for (unsigned done = 0; done < count; done += warp_lanes) {
        const auto words = std::min(count - done, warp_lanes);
        std::copy(values + done, values + done + words, lanes.begin());
        isbe.write({address + done * 4, 4}, first_lanes(words), lanes);
    }
}

void read_words(isbe_access& isbe, word address, word* destination, unsigned count)
{
    for (unsigned done = 0; done < count; done += warp_lanes)
        isbe.read({address + done * 4, 4}, first_lanes(count - done), destination + done);
}

word count_in_map(word count, const isbe_config& config)
{
    return config.map_byte_swap ? __builtin_bswap32(count) : count;
}

void write_connectivity(const batch& vertices, const space_layout& output, isbe_access& isbe,
                        std::vector<word>& scratch, unsigned stride, const isbe_config& config)
{
    const auto primitives = vertices.primitive_count();
    const auto k = vertices.primitive_vertices;
    scratch.assign((count_bytes + primitives * stride + 3) / 4, stride == k ? 0 : ~word{0});
    scratch[0] = count_in_map(primitives, config);
    for (unsigned p = 0; p < primitives; ++p)
        for (unsigned i = 0; i < k; ++i) {
            const auto offset = count_bytes + p * stride + i;
            auto& bytes = scratch[offset / 4];
            const auto shift = offset % 4 * 8;
            bytes = (bytes & ~(word{0xff} << shift)) | word{vertices.corners[p * k + i]} << shift;
        }
    write_words(isbe, output.map_base, scratch.data(), static_cast<unsigned>(scratch.size()));

    if (output.prim_bytes == 0) return;
    scratch.resize(primitives);
    for (unsigned p = 0; p < primitives; ++p) scratch[p] = vertices.id_of(p);
    write_words(isbe, output.prim_base, scratch.data(), primitives);
}

space_layout as_input(const space_layout& output)
{
    auto view = output;
    view.map_base += count_bytes;
    view.map_bytes -= count_bytes;
    return view;
}

space_layout patch_view(const space_layout& input, unsigned patch)
{
    auto view = input;
    view.map_base += patch * patch_map_bytes;
    view.map_bytes = patch_map_bytes;
    view.prim_base += patch * 4;
    view.prim_bytes = 4;
    view.patch_base += patch * input.patch_words * 4;
    view.patch_count = 1;
    return view;
}

} // namespace isbesim
