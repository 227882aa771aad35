// SPDX-License-Identifier: Apache-2.0
// The chips of modelled generations that Mesa's drivers know besides those with a preset of their own. Each is like its
// base, but for size, clock and memory. Sources: chipset numbers, the kernel's nouveau (nvkm/engine/device/base.c) and
// Mesa's NVK; device numbers, the PCI ID Repository; the others, NVIDIA's data sheets and white papers, and
// reviews.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isbesim::testbench {

struct known_chip {
    const char* name;
    const char* base;        ///< the preset that it is like
    std::uint32_t chipset;   ///< in the driver's numbering
    std::uint32_t device_id; ///< PCI, of `board`
    unsigned gpcs, tpcs;     ///< of the full chip: GPCs, and most TPCs of a GPC
    double clock_ghz;        ///< boost
    unsigned gigabytes;      ///< 10^9 bytes per second from memory
    const char* board;
    unsigned board_tpcs; ///< of the board
};

const std::vector<known_chip>& known_chips();
/// The preset of a chip as JSON: one TPC, or the whole chip.
std::string machine_of(const known_chip& chip, bool whole);
/// Why a chip has no preset, as a relative clause; empty for names of no chip.
std::string why_absent(const std::string& name);

} // namespace isbesim::testbench
