#include "models/pe/connectivity.h"

namespace isbesim {

void write_connectivity(const batch& vertices, const space_layout& space, isbe_access& isbe, std::vector<word>& scratch,
                        unsigned stride)
{
    const auto primitives = vertices.primitive_count();
    const auto k = vertices.primitive_vertices;
    scratch.assign((primitives * stride + 3) / 4, stride == k ? 0 : ~word{0});
    for (unsigned p = 0; p < primitives; ++p)
        for (unsigned i = 0; i < k; ++i) {
            const auto at = p * stride + i;
            auto& bytes = scratch[at / 4];
            const auto shift = at % 4 * 8;
            bytes = (bytes & ~(word{0xff} << shift)) | word{vertices.corners[p * k + i]} << shift;
        }
    write_words(isbe, space.map_base, scratch.data(), static_cast<unsigned>(scratch.size()));

    scratch.resize(primitives);
    for (unsigned p = 0; p < primitives; ++p) scratch[p] = vertices.id_of(p);
    write_words(isbe, space.prim_base, scratch.data(), primitives);
}

space_layout patch_view(const space_layout& space, unsigned patch)
{
    auto view = space;
    view.map_base += patch * patch_map_bytes;
    view.map_bytes = patch_map_bytes;
    view.prim_base += patch * 4;
    view.prim_bytes = 4;
    view.patch_base += patch * space.patch_words * 4;
    view.patch_count = 1;
    return view;
}

} // namespace isbesim
