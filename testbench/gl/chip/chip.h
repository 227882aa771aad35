// SPDX-License-Identifier: Apache-2.0
// The chips of sessions: the driver's view of each, and the layout of its programs in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/program.h"

namespace isbesim::gl {

struct chip {
    const char* name;                   ///< also the preset of the machine
    std::uint32_t chipset;              ///< in the driver's numbering
    std::uint32_t device_id;            ///< PCI, of one board with this chip
    isa::architecture arch;             ///< of its programs
    unsigned header_bytes;              ///< of a program, right in front of its code
    bool absolute_programs;             ///< program addresses are absolute (64 bits), not offsets from CODE_ADDRESS
    std::uint32_t limit_base;           ///< method of the first vertex array's limit
    std::vector<std::uint32_t> classes; ///< classes that differ between chips, 3D first

    /// Mesa's nvc0 has a compiler for the chip's programs.
    bool has_opengl() const { return arch <= isa::architecture::sm75; }
};

const std::vector<chip>& chips();
/// The classes of which a channel can have objects: 3D, compute, copy engines, uploads, 2D (the kernel's nouveau,
/// nvkm/engine/gr/CHIP.c and nvkm/engine/ce/CHIP.c; its nvif/class.h has their names).
std::vector<std::uint32_t> classes_of(const chip& chip);
/// Null for an unknown name.
const chip* find_chip(const std::string& name);

} // namespace isbesim::gl
