// SPDX-License-Identifier: Apache-2.0
// Sets the host's rounding mode for a scope.
#pragma once

#include <cfenv>

namespace isbesim::isa {

/// Sets the rounding of an instruction's .RM .RP .RZ for a scope; nearest costs nothing. The source file must be
/// compiled with -frounding-math.
class rounding_scope {
public:
    /// `mode`: 0 nearest, 1 down, 2 up, 3 towards zero.
    explicit rounding_scope(unsigned mode) : changed_(mode != 0)
    {
        constexpr int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
        if (changed_) std::fesetround(modes[mode & 3U]);
    }
    ~rounding_scope()
    {
        if (changed_) std::fesetround(FE_TONEAREST);
    }
    rounding_scope(const rounding_scope&) = delete;
    rounding_scope& operator=(const rounding_scope&) = delete;

private:
    bool changed_;
};

} // namespace isbesim::isa
