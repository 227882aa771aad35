// SPDX-License-Identifier: Apache-2.0
// Data that the PE writes into the output space of a warp before the warp starts: the number of primitives that its
// vertices form, the vertices of each primitive, and the primitive ids (HARDWARE.md D.4, D.5).
//
// The output MAP begins with a 32-bit primitive count; vertex i of primitive p is byte 4 + p * stride + i. The stride
// is k, or patch_map_bytes if a reader must not find vertices of another patch. The next stage's input MAP is the same
// memory from byte 4 on, so its program finds vertex i of primitive p at p * stride + i. If a program overwrites an
// index, the next stage reads the new value. *Choice*: the PE itself does not read these MAPs. It launches warps and
// streams out vertices for the primitives that it assembled, even if a program changed the count or the indices. (Task,
// mesh and geometry stages make primitives of their own: workgroup_steps.cpp, geometry_steps.cpp.)
#pragma once

#include <vector>

#include "models/isbe/functional/lanes.h"
#include "models/machine_config.h"
#include "models/pe/front_end/batches.h"
#include "models/pe/linking/spaces.h"
#include "tlm/run_read.h"
#include "tlm/warp_op.h"

namespace isbesim {

/// The PE's accesses to an ISBE except BIND: each moves one 32-bit component of up to 32 vertices, by physical address.
/// Writes are executed in the order of the calls, and so are reads; a write may overtake reads.
class isbe_access {
public:
    virtual ~isbe_access() = default;
    /// Lane i of `lanes` writes values[i] to run.base + i * run.stride.
    virtual void write(const component_run& run, lane_mask lanes, const per_lane<word>& values) = 0;
    /// Lane i of `lanes` reads into destination[i], which must live until the access's response.
    virtual void read(const component_run& run, lane_mask lanes, word* destination) = 0;
    /// Calls read() for each run, in order.
    virtual void read_all(const std::vector<run_read>& runs)
    {
        for (const auto& run : runs) read({run.address, run.stride}, run.lanes, run.to);
    }
};

/// Writes `count` consecutive words from a byte address that is a multiple of 4, 32 words per access.
void write_words(isbe_access& isbe, word address, const word* values, unsigned count);
/// Reads `count` words in the same way; `destination` must live until the last access's response.
void read_words(isbe_access& isbe, word address, word* destination, unsigned count);

/// The primitive count that an output MAP starts with.
inline constexpr unsigned count_bytes = 4;

/// Converts the count to its form in the storage and back: with isbe.map_byte_swap the most significant byte is first,
/// as ISBEWR.O.MAP writes it.
word count_in_map(word count, const isbe_config& config);

/// MAP bytes of a patch that a TS stage reads: one for each vertex that a patch can have. The bytes of missing vertices
/// hold an invalid handle, so that reading such a vertex gives 0 (HARDWARE.md D.5).
inline constexpr unsigned patch_map_bytes = 32;

/// Writes the count, the indices and, if the space has PRIM words, the id of each primitive. `scratch` is reused
/// storage.
void write_connectivity(const batch& vertices, const space_layout& output, isbe_access& isbe,
                        std::vector<word>& scratch, unsigned stride, const isbe_config& config);

/// An output space as the next stage sees it: without the count.
space_layout as_input(const space_layout& output);

/// The view of a warp that works on one patch of a space: all handles of the batch, but one primitive.
space_layout patch_view(const space_layout& input, unsigned patch);

} // namespace isbesim
