// SPDX-License-Identifier: Apache-2.0
// Assigns addresses to declarations. Each semantic has a fixed address, registers follow one another without gaps, and
// a GENERIC index always covers four components, so that separately compiled stages link.
#pragma once

#include <vector>

#include "models/attribute/sph.h"
#include "models/varying/language/shader.h"

namespace isbesim::varying {

/// A declaration with its place. Component c of register r lies at base + (r - first) * stride + 4 * c bytes.
struct located_declaration {
    const declaration* declared = nullptr;
    semantic meaning = semantic::generic;
    address_space space = address_space::attribute;
    unsigned base = 0;
    unsigned stride = 16; ///< bytes per register
    unsigned mask = 0xf;  ///< components that each register has

    unsigned width() const { return stride / 4; } ///< scalars from one register to the next

    unsigned address(unsigned number, unsigned component) const
    {
        return base + (number - declared->first) * stride + 4 * component;
    }
    bool has(unsigned number, unsigned component) const
    {
        return number >= declared->first && number <= declared->last && (mask >> component & 1U) != 0;
    }
};

/// One scalar of a declared register.
struct component_place {
    const located_declaration* owner = nullptr;
    unsigned number = 0; ///< register
    unsigned component = 0;
    unsigned address = 0;
    unsigned index = 0; ///< semantic index that the address belongs to
};

struct allocation {
    /// In the order of the text, without `SV[n], INVOCATIONID` and outputs of fragment programs, which have no address.
    std::vector<located_declaration> declarations;
    attribute_set inputs;     ///< ids of the attribute space
    attribute_set outputs;    ///< including the coordinate that a TESS_EVAL program reads back
    unsigned patch_words = 0; ///< scalars of the patch space, counted from address 0; 0 without a patch space

    /// The declaration of a component of a register, or null.
    const located_declaration* find(register_file file, unsigned number, unsigned component) const;
    /// Any declaration of the register, or null.
    const located_declaration* find(register_file file, unsigned number) const;
    const located_declaration* find_array(register_file file, unsigned array) const;
    std::vector<component_place> components() const;
};

/// Places every declaration and checks every access to inputs and outputs. The result points into `program`. Throws
/// shader_error for a semantic without an address, for too many components (with the excess), for overlapping
/// declarations, and for an access that is not declared, or is indirect without ARRAY (HARDWARE.md A.4b).
allocation allocate(const shader& program);

/// The input or output declaration that an access refers to; for an indirect access, that of its array. Throws
/// shader_error like allocate().
const located_declaration& declaration_of(const operand& access, const allocation& placed);

/// The program's header: maps, stage, and settings from properties. Version 3 takes 80 bytes, version 4 takes 128.
program_header make_header(const shader& program, const allocation& placed, unsigned version);

/// Checks that every input of `consumer` is an output of `producer` (or comes from the hardware). Throws shader_error
/// at the consumer's declaration, naming both.
void check_link(const allocation& written, const shader& consumer, const allocation& read);

} // namespace isbesim::varying
