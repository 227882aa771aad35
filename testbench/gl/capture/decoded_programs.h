// SPDX-License-Identifier: Apache-2.0
// Programs of records, decoded once by content: successive draws run the same few programs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "models/isa/program.h"

namespace isbesim::gl {

class decoded_programs {
public:
    /// `library`: the driver's routines at `address`, or empty. The result is valid until the next call. Throws
    /// isa::program_error, std::invalid_argument.
    const isa::program& find(isa::architecture arch, const std::string& code, const std::string& library,
                             std::uint32_t address);

private:
    using content = std::tuple<isa::architecture, std::string, std::string, std::uint32_t>;

    static constexpr std::size_t most = 1000; ///< programs; more than a frame of a game has
    std::map<content, isa::program> known_;
};

} // namespace isbesim::gl
