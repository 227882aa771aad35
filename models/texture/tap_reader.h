// SPDX-License-Identifier: Apache-2.0
// Reads and filters the texels of a sample's footprint.
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

    /// After this call, texels are compared with `reference`: 1 if the comparison holds, otherwise 0.
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
