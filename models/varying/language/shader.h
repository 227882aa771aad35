// SPDX-License-Identifier: Apache-2.0
// The content of a TGSI text: declarations of inputs and outputs, and the instructions that access them. Plain data;
// parser.h reads it, print() writes it back.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace isbesim::varying {

/// The semantics of TGSI inputs and outputs. Addresses follow from them (semantic_rows), never from register numbers.
enum class semantic : std::uint8_t {
    position,
    color,
    bcolor,
    fog,
    psize,
    generic,
    clip_distance,
    clip_vertex,
    texcoord,
    pcoord,
    viewport_index,
    layer,
    viewport_mask,
    primitive_id,
    instance_id,
    vertex_id,
    tess_coord,
    patch,
    tess_outer,
    tess_inner,
    face, ///< fragment programs only
    // Without an attribute address.
    normal,
    edge_flag,
    stencil,
    grid_size,
    block_id,
    block_size,
    thread_id,
    sample_id,
    sample_position,
    sample_mask,
    invocation_id,
    vertex_id_no_base,
    base_vertex,
    vertices_in,
    helper_invocation,
    base_instance,
    draw_id,
    work_dim,
    subgroup,
    default_outer_level,
    default_inner_level,
};

/// The space of a semantic's address.
enum class address_space : std::uint8_t {
    none,      ///< no attribute address; `reason` explains it
    attribute, ///< the 10-bit attribute space
    patch,     ///< the patch space (.P)
};

struct semantic_row {
    semantic id;
    const char* name;
    address_space space;
    unsigned address;  ///< of component x of index 0
    unsigned capacity; ///< scalars from `address` on that belong to the semantic; an index covers four of them
    const char* reason;
};

const semantic_row& row_of(semantic id);
/// By name; "PRIM_ID" is a second name of PRIMID.
std::optional<semantic> semantic_of(std::string_view name);
const std::vector<semantic_row>& semantic_rows();

/// A place in the text, 1-based.
struct place {
    unsigned line = 1;
    unsigned column = 1;
};

/// An invalid text, or a request that can't be met. what() names the error and the expectation.
class shader_error : public std::runtime_error {
public:
    shader_error(place where, const std::string& text) : std::runtime_error(text), at(where) {}
    place at;
    /// For an unknown name: the name, and the names that are valid in its place.
    std::string unknown;
    std::vector<std::string> known;
};

/// The program's kind; `unspecified` if the text has no header line.
enum class processor : std::uint8_t { unspecified, vertex, tess_control, tess_eval, geometry, fragment };
const char* processor_name(processor kind); ///< the header line; "" for `unspecified`

/// Register files, named as in the text.
enum class register_file : std::uint8_t {
    input,
    output,
    system_value,
    temporary,
    address,
    constant,
    immediate,
    predicate,
    sampler,
    sampler_view,
    resource,
    image,
    buffer,
    memory,
    hw_atomic,
};
const char* file_name(register_file file);

/// `DCL OUT[4..5].xy, GENERIC[1].z, ARRAY(1), PERSPECTIVE`, `DCL OUT[0..7].x, GENERIC[0..7]`.
struct declaration {
    place at;
    register_file file = register_file::output;
    /// The bracket before the registers: absent, `[]` (vertex of the primitive) or a number (constant buffer).
    enum class dimension_kind : std::uint8_t { none, open, number } dimension = dimension_kind::none;
    unsigned dimension_number = 0;
    unsigned first = 0;
    unsigned last = 0;
    unsigned mask = 0; ///< bit per component; 0: not written
    std::optional<semantic> meaning;
    unsigned index = 0;
    std::optional<unsigned> last_index;  ///< `GENERIC[0..7]`: an index for every register
    bool anywhere = false;               ///< `GENERIC[]`: the allocator chooses the place
    unsigned fraction = 0;               ///< components after the semantic index; 0: not written
    unsigned array = 0;                  ///< ARRAY(n), n >= 1
    bool by_component = false;           ///< COMPONENT_INDEX: run-time indices of the array count components
    std::vector<std::string> qualifiers; ///< interpolation and the like, as written

    unsigned registers() const { return last - first + 1; }
};

/// The register whose value is added to an index. At namespace level, as Clang rejects std::optional of a nested
/// structure with member initializers.
struct indirect_part {
    register_file file = register_file::address;
    unsigned number = 0;
    unsigned component = 0;
};

/// A register number, fixed or `ADDR[0].x+1`.
struct register_index {
    int offset = 0;
    std::optional<indirect_part> indirect;
};

struct operand {
    place at;
    register_file file = register_file::temporary;
    std::optional<register_index> vertex; ///< first bracket of a two-dimensional access
    register_index index;
    unsigned array = 0;
    /// `OUT(1)[i]` counts from the array's first register; `OUT[i](1)`, the later spelling, from register 0.
    bool counts_from_array = false;
    std::string letters; ///< write mask or swizzle; empty: all
    bool negate = false;
    bool absolute = false;
    bool mail = false; ///< `OUT(array 1)[i]`, as the mail that proposed arrays writes it
    std::string word;  ///< a name in place of a register: texture target, format

    unsigned write_mask() const;                ///< 0xf without letters
    unsigned swizzle(unsigned component) const; ///< component from which a source's `component` is read
};

struct instruction {
    place at;
    std::string opcode;
    bool saturate = false;
    bool precise = false;
    unsigned destinations = 0; ///< number of operands that are written; these come first
    std::vector<operand> operands;
    std::optional<unsigned> target; ///< `:12`
};

struct immediate {
    place at;
    std::string type; ///< FLT32, INT32, …
    std::vector<std::string> values;
    std::vector<std::uint32_t> words; ///< four, padded with 0; 64-bit values take two
};

struct property {
    place at;
    std::string name;
    std::vector<std::string> values;
};

/// Legal, but perhaps unintended.
struct shader_warning {
    place at;
    std::string text;
};

struct shader {
    processor kind = processor::unspecified;
    place at;
    std::vector<property> properties;
    std::vector<declaration> declarations;
    std::vector<immediate> immediates;
    std::vector<instruction> instructions;
    std::vector<shader_warning> warnings;

    /// `kind`, or if that is `unspecified`, the kind that the declarations imply.
    processor effective_kind() const;
    const property* find_property(const char* name) const;
};

/// The input primitive of a geometry program.
struct input_primitive {
    const char* name;     ///< in the text
    const char* topology; ///< of a draw of such primitives
    unsigned vertices;
};
/// From GS_INPUT_PRIMITIVE; triangles without it. Throws shader_error for an unknown name.
const input_primitive& input_primitive_of(const shader& program);

/// One line each, in the form that the parser reads: parse(print(x)) equals x except for the places.
std::string print(const declaration& shown);
std::string print(const operand& shown);
std::string print(const instruction& shown);
std::string print(const shader& shown);

/// "OUT[4..5].xy, GENERIC[1] (line 3)", for errors that name declarations.
std::string describe(const declaration& shown);
/// A part of a text in quotes for errors, shortened and with unprintable characters escaped.
std::string quoted(std::string_view text);

} // namespace isbesim::varying
