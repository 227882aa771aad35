// SPDX-License-Identifier: Apache-2.0
#include "models/pe/stream_out/collection.h"

namespace isbesim {

unsigned vertices_per_output_primitive(output_topology kind)
{
    switch (kind) {
    case output_topology::points:
        return 1;
    case output_topology::line_strip:
        return 2;
    case output_topology::triangle_strip:
        return 3;
    case output_topology::none:
        break;
    }
    return 0;
}

} // namespace isbesim
