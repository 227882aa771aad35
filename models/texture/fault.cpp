// SPDX-License-Identifier: Apache-2.0
#include "models/texture/fault.h"

namespace isbesim::texture {

const char* describe(fault why)
{
    switch (why) {
    case fault::none:
        return "no fault";
    case fault::no_header:
        return "the table of texture headers has no such entry";
    case fault::no_sampler:
        return "the table of samplers has no such entry";
    case fault::bad_header:
        return "the texture header's version, type or layout is not one for this access";
    case fault::bad_sampler:
        return "the sampler has a filter that does not exist";
    case fault::unsupported_format:
        return "the header's format is not supported";
    case fault::outside_memory:
        break;
    }
    return "the texel is not in a buffer of the memory";
}

} // namespace isbesim::texture
