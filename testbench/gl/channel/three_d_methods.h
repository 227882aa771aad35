// SPDX-License-Identifier: Apache-2.0
// Methods of the 3D class that have an effect here, in bytes. The numbers are those of NVIDIA's published class headers
// (B097, C597); HARDWARE.md J has the other facts about them.
#pragma once

#include <cstdint>

namespace isbesim::gl::three_d {

/// They wait until all earlier work is done: WAIT_FOR_IDLE, invalidations of caches, FLUSH_PENDING_WRITES.
constexpr std::uint32_t wait_for_idle = 0x110, invalidate_programs = 0x21c, flush_writes = 0x1144,
                        invalidate_samplers = 0x1330, invalidate_headers = 0x1334, invalidate_textures = 0x1338;
/// Methods of all classes of the channel.
constexpr std::uint32_t common_condition_address = 0x130, common_condition_mode = 0x138;
/// Instances of a BEGIN with all_instances; since GP102.
constexpr std::uint32_t instance_count = 0x220;
/// Since Turing, a draw in four words: control, instances, then first and count, of the index buffer or of the arrays.
constexpr std::uint32_t draw_control = 0x260, draw_instances = 0x264, draw_indices = 0x268, draw_arrays = 0x270;
constexpr std::uint32_t tessellation = 0x320, default_levels = 0x324; ///< four outer, two inner
constexpr std::uint32_t rasterizer_enable = 0x37c;
/// Since Turing: byte offset in 15:8, table in 2:0; then the words, in order.
constexpr std::uint32_t root_table_place = 0x504, root_table_word = 0x508;
constexpr std::uint32_t stream_out_buffer = 0x380; ///< + 0x20 each: enable, address, size, offset
constexpr std::uint32_t stream_out_load_offset = 0x390;
constexpr std::uint32_t stream_out_layout = 0x700; ///< + 0x10 each: stream, components, stride
constexpr std::uint32_t stream_out_enable = 0x744;
constexpr std::uint32_t local_window = 0x77c;    ///< of generic addresses
constexpr std::uint32_t colour_target = 0x800;   ///< + 0x40 each: address, width, height, format
constexpr std::uint32_t viewport_scale = 0xa00;  ///< x, y
constexpr std::uint32_t viewport_clip = 0xc00;   ///< horizontal: first, size; vertical
constexpr std::uint32_t clear_rectangle = 0xd6c; ///< horizontal: first, end; vertical
constexpr std::uint32_t depth_from_zero = 0xd7c;
constexpr std::uint32_t arrays_first = 0xd74, arrays_count = 0xd78;
constexpr std::uint32_t clear_colour = 0xd80; ///< + 4 each channel
constexpr std::uint32_t clear_depth = 0xd90, clear_stencil = 0xda0;
constexpr std::uint32_t patch_vertices = 0xdcc;
constexpr std::uint32_t restart_in_arrays = 0xde8;
constexpr std::uint32_t scissor = 0xe00; ///< enable; horizontal: first, end; vertical
/// On Blackwell, if a bit of the depth format selects it: address, block size, distance of layers; width, height.
constexpr std::uint32_t stencil_target = 0xf00, stencil_size = 0x120c;
constexpr std::uint32_t depth_target = 0xfe0; ///< address, format, block size, distance of layers
constexpr std::uint32_t surface_clip = 0xff4; ///< horizontal: first, size; vertical
constexpr std::uint32_t clear_control = 0x10f8;
constexpr std::uint32_t depth_size = 0x1228; ///< width, height, layers
constexpr std::uint32_t vertex_id_base = 0x1118;
constexpr std::uint32_t define_attribute = 0x114c; ///< attribute, then four words
/// Since Turing instead of define_attribute: bit 0; then topology and sizes of mesh and task programs.
constexpr std::uint32_t mesh_control = 0x114c;
constexpr std::uint32_t attribute_format = 0x1160; ///< + 4 each
constexpr std::uint32_t colour_targets = 0x121c;   ///< their number in 3:0, then three bits each
constexpr std::uint32_t stream_out_bytes = 0x123c, stream_out_stride = 0x1318, stream_out_base = 0x13a4;
constexpr std::uint32_t depth_test = 0x12cc, depth_write = 0x12e8, stencil_test = 0x1380;
constexpr std::uint32_t inline_index_8 = 0x1304, inline_index_16 = 0x15f0, inline_index_32 = 0x15e8;
constexpr std::uint32_t element_base = 0x1434, instance_base = 0x1438;
constexpr std::uint32_t stencil_mask = 0x139c;  ///< bits that are written
constexpr std::uint32_t window_origin = 0x13ac; ///< bit 4: flips y
constexpr std::uint32_t condition_address = 0x1550, condition_mode = 0x1558;
/// Address of the table, then its highest entry number.
constexpr std::uint32_t texture_samplers = 0x155c, texture_headers = 0x1574;
constexpr std::uint32_t clear_report = 0x1530;
constexpr std::uint32_t depth_enable = 0x1538;
constexpr std::uint32_t samples = 0x15d0; ///< of a pixel
constexpr std::uint32_t code_address = 0x1608;
constexpr std::uint32_t end = 0x1614, begin = 0x1618;
constexpr std::uint32_t vertex_id_replace = 0x161c;
constexpr std::uint32_t restart_enable = 0x1644, restart_index = 0x1648;
constexpr std::uint32_t depth_layer = 0x179c; ///< the first
constexpr std::uint32_t index_address = 0x17c8, index_format = 0x17d8, index_first = 0x17dc, index_count = 0x17e0;
constexpr std::uint32_t per_instance = 0x1880; ///< + 4 each
constexpr std::uint32_t cull_enable = 0x1918, front_face = 0x191c, cull_face = 0x1920;
constexpr std::uint32_t clear_buffers = 0x19d0;
constexpr std::uint32_t report_address = 0x1b00, report_payload = 0x1b08, report = 0x1b0c;
constexpr std::uint32_t topology_control = 0x1948, topology = 0x1970; ///< control bit 0: topology replaces BEGIN's
constexpr std::uint32_t vertex_array = 0x1c00;                        ///< + 0x10 each: fetch, address, divisor
constexpr std::uint32_t program = 0x2000;       ///< + 0x40 each: select, start; 0x14 the 64-bit address
constexpr std::uint32_t program_group = 0x2010; ///< stage whose constants it uses
constexpr std::uint32_t constants_size = 0x2380, constants_address = 0x2384, constants_position = 0x238c,
                        constants_data = 0x2390, constants_data_end = 0x23d0;
constexpr std::uint32_t constants_bind = 0x2410;       ///< + 0x20 each stage
constexpr std::uint32_t texture_handle_bank = 0x2608;  ///< constant bank of texture handles, which instructions index
constexpr std::uint32_t stream_out_locations = 0x2800; ///< + 0x80 each

/// BEGIN: the instance after the previous one, the same again (neither: the first), or all of instance_count.
constexpr std::uint32_t next_instance = 1U << 26, same_instance = 1U << 27, all_instances = 1U << 31;
/// BEGIN: one of several pieces of a draw.
constexpr std::uint32_t piece = 3U << 29;

} // namespace isbesim::gl::three_d
