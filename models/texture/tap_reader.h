// SPDX-License-Identifier: Apache-2.0
// Values of texels under a sample's footprint, and what becomes of them.
#pragma once

#include "models/memory/memory_space.h"
#include "models/texture/footprint.h"
#include "models/texture/request.h"

namespace isbesim::texture {

class tap_reader {
public:
    tap_reader(memory_space& memory, const image& image, const sampler& sampler)
        : memory_(memory), image_(image), sampler_(sampler)
    {
    }

    /// From here on texels are compared with this: 1 where the comparison holds, else 0.
    void compare_with(float reference);

    /// The filtered value of a footprint.
    fault filter(const footprint& texels, texel& result) const;

private:
    fault read(const tap& one, texel& components) const;
    texel border() const;

    memory_space& memory_;
    const image& image_;
    const sampler& sampler_;
    bool compares_ = false;
    float reference_ = 0;
};

} // namespace isbesim::texture
