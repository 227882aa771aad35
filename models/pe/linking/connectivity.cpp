// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/connectivity.h"

namespace isbesim {

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
            const auto at = count_bytes + p * stride + i;
            auto& bytes = scratch[at / 4];
            const auto shift = at % 4 * 8;
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
