// SPDX-License-Identifier: Apache-2.0
#include "testbench/gl/capture/decoded_programs.h"

#include "models/isa/encoding/binary.h"

namespace isbesim::gl {

const isa::program& decoded_programs::find(isa::architecture arch, const std::string& code, const std::string& library,
                                           std::uint32_t address)
{
    content key{arch, code, library, address};
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    if (known_.size() >= most) known_.clear();
    isa::program made;
    if (library.empty()) {
        made = isa::decode_program(reinterpret_cast<const std::uint8_t*>(code.data()), code.size(), arch);
    } else {
        made = find(arch, code, "", 0);
        isa::attach_library(made, find(arch, library, "", 0), address); // many programs call one library
    }
    return known_.emplace(std::move(key), std::move(made)).first->second;
}

} // namespace isbesim::gl
