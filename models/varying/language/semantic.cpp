// SPDX-License-Identifier: Apache-2.0
#include "models/varying/language/semantic.h"

#include "models/attribute/attribute_map.h"

namespace isbesim::varying {

namespace {

constexpr const char* fragment_only = "it exists only in fragment programs, outside the attribute space";
constexpr const char* compute_only = "it belongs to compute programs";
constexpr const char* constant_buffer = "drivers pass it in a constant buffer, not as an attribute";
constexpr const char* special = "it is a system register (S2R), not an attribute";

} // namespace

const std::vector<semantic_row>& semantic_rows()
{
    namespace at = attribute_address;
    constexpr auto none = address_space::none;
    constexpr auto attribute = address_space::attribute;
    constexpr auto patch = address_space::patch;
    // CLIPDIST[n] holds distances 4n to 4n + 3, and distance i is CLIP_DISTANCE i at 0x2c0 + 4i (HARDWARE.md A.2). The
    // mail's example (A.4b) has CLIPDIST[1] at 0x2c0, which contradicts the hardware's map. A driver reports 120
    // scalars for a patch: addresses 0x20 to 0x1fc (HARDWARE.md A.3).
    static const std::vector<semantic_row> rows = {
        {semantic::position, "POSITION", attribute, at::position, 4, ""},
        {semantic::color, "COLOR", attribute, at::front_diffuse, 8, ""},
        {semantic::bcolor, "BCOLOR", attribute, at::back_diffuse, 8, ""},
        {semantic::fog, "FOG", attribute, at::fog_coordinate, 1, ""},
        {semantic::psize, "PSIZE", attribute, at::point_size, 1, ""},
        {semantic::generic, "GENERIC", attribute, at::generic, 128, ""},
        {semantic::clip_distance, "CLIPDIST", attribute, at::clip_distance, 8, ""},
        {semantic::clip_vertex, "CLIPVERTEX", attribute, 0x270, 4, ""},
        {semantic::texcoord, "TEXCOORD", attribute, at::fixed_texture, 40, ""},
        {semantic::pcoord, "PCOORD", attribute, 0x2e0, 2, ""},
        {semantic::viewport_index, "VIEWPORT_INDEX", attribute, at::viewport_index, 1, ""},
        {semantic::layer, "LAYER", attribute, at::layer, 1, ""},
        {semantic::viewport_mask, "VIEWPORT_MASK", attribute, at::viewport_mask, 1, ""},
        {semantic::primitive_id, "PRIMID", attribute, at::primitive_id, 1, ""},
        {semantic::instance_id, "INSTANCEID", attribute, at::instance_id, 1, ""},
        {semantic::vertex_id, "VERTEXID", attribute, at::vertex_id, 1, ""},
        {semantic::tess_coord, "TESSCOORD", attribute, at::tess_eval_u, 2, ""},
        {semantic::patch, "PATCH", patch, 0x020, 120, ""},
        {semantic::tess_outer, "TESSOUTER", patch, 0x000, 4, ""},
        {semantic::tess_inner, "TESSINNER", patch, 0x010, 2, ""},
        {semantic::face, "FACE", attribute, at::front_face, 1, ""},
        {semantic::normal, "NORMAL", none, 0, 0, "the hardware has no place for it, a GENERIC can carry it"},
        {semantic::edge_flag, "EDGEFLAG", none, 0, 0, "the front end takes edge flags from vertex fetch"},
        {semantic::stencil, "STENCIL", none, 0, 0, fragment_only},
        {semantic::grid_size, "GRID_SIZE", none, 0, 0, compute_only},
        {semantic::block_id, "BLOCK_ID", none, 0, 0, compute_only},
        {semantic::block_size, "BLOCK_SIZE", none, 0, 0, compute_only},
        {semantic::thread_id, "THREAD_ID", none, 0, 0, compute_only},
        {semantic::sample_id, "SAMPLEID", none, 0, 0, fragment_only},
        {semantic::sample_position, "SAMPLEPOS", none, 0, 0, fragment_only},
        {semantic::sample_mask, "SAMPLEMASK", none, 0, 0, fragment_only},
        {semantic::invocation_id, "INVOCATIONID", none, 0, 0, special},
        {semantic::vertex_id_no_base, "VERTEXID_NOBASE", none, 0, 0, constant_buffer},
        {semantic::base_vertex, "BASEVERTEX", none, 0, 0, constant_buffer},
        {semantic::vertices_in, "VERTICESIN", none, 0, 0, special},
        {semantic::helper_invocation, "HELPER_INVOCATION", none, 0, 0, fragment_only},
        {semantic::base_instance, "BASEINSTANCE", none, 0, 0, constant_buffer},
        {semantic::draw_id, "DRAWID", none, 0, 0, constant_buffer},
        {semantic::work_dim, "WORK_DIM", none, 0, 0, compute_only},
        {semantic::subgroup, "SUBGROUP_INVOCATION", none, 0, 0, special},
        {semantic::default_outer_level, "TESS_DEFAULT_OUTER_LEVEL", none, 0, 0, constant_buffer},
        {semantic::default_inner_level, "TESS_DEFAULT_INNER_LEVEL", none, 0, 0, constant_buffer},
    };
    return rows;
}

const semantic_row& row_of(semantic id)
{
    return semantic_rows()[static_cast<std::size_t>(id)];
}

std::optional<semantic> semantic_of(std::string_view name)
{
    if (name == "PRIM_ID") return semantic::primitive_id;
    for (const auto& row : semantic_rows())
        if (name == row.name) return row.id;
    return std::nullopt;
}

} // namespace isbesim::varying
