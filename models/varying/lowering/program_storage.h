// SPDX-License-Identifier: Apache-2.0
// Storage of a lowered program: arrays in local memory; vertex handles, TEMP and ADDR in registers.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "models/varying/allocation/local_home.h"
#include "models/varying/lowering/lowering_parts.h"

namespace isbesim::varying {

class program_storage {
public:
    /// Throws shader_error for an undeclared array, too much local memory or too many registers.
    explicit program_storage(const lowered_stage& stage);

    const std::vector<local_home>& homes() const { return homes_; }
    /// The place in local memory of the array that a register belongs to, or of the array with a number; null if none.
    const local_home* home_of(register_file file, unsigned number) const;
    const local_home* home_of_array(register_file file, unsigned array) const;
    unsigned local_bytes() const { return local_bytes_; } ///< whole vectors

    /// Registers of vertex handles, by vertex.
    const std::map<unsigned, unsigned>& handles() const { return handles_; }
    /// Register of component x of a TEMP or ADDR; nothing for elements of arrays in local memory.
    std::optional<unsigned> register_of(register_file file, unsigned number) const;
    /// The first free register; all later ones are free too.
    unsigned first_scratch() const { return first_scratch_; }

private:
    void find_homes();
    bool may_be_local(const operand& access) const;
    void add_temporary_home(const operand& access);
    void add_home(const located_declaration& located);
    void place_home(local_home& home, unsigned phase, unsigned bytes, unsigned vertices);
    void assign_handles();
    void assign_registers();

    const lowered_stage& stage_;
    std::vector<local_home> homes_;
    unsigned local_bytes_ = 0;
    std::map<unsigned, unsigned> handles_;
    std::map<std::pair<register_file, unsigned>, unsigned> fixed_;
    unsigned first_scratch_ = 0;
};

} // namespace isbesim::varying
