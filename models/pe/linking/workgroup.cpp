// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/workgroup.h"

namespace isbesim {

unsigned workgroup_lines(const workgroup_needs& needs)
{
    return needs.shared ? shared_space_lines(needs.input, needs.output, true)
                        : space_lines(needs.output, true) + space_lines(needs.input, true);
}

space_pair place_workgroup(const workgroup_needs& needs, unsigned first_line)
{
    if (needs.shared) return place_shared_spaces(needs.input, needs.output, first_line, true);
    return {place_space(needs.input, first_line + space_lines(needs.output, true), true),
            place_space(needs.output, first_line, true)};
}

} // namespace isbesim
