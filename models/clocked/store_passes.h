// SPDX-License-Identifier: Apache-2.0
// The words that a store writes in each of its passes: they determine the words left by a reset in the middle
// (micro-architecture sections 2 and 5). The functional core knows whole operations only.
#pragma once

#include <vector>

#include "models/isbe/execution/isbe_core.h"

namespace isbesim {

class store_passes {
public:
    explicit store_passes(const isbe_config& config) : config_(config), address_unit_(config) {}

    /// To be called before `core` executes `op`.
    void begin(const warp_op& op, const isbe_core& core);
    /// To be called right after that execution: undoes all of it except the writes of its first `done` passes.
    void cut(isbe_core& core, unsigned done) const;

private:
    /// A lane's part of a word.
    struct written {
        word index = 0;
        word value = 0;
        word mask = 0; ///< 0xff per byte
        unsigned pass = 0;
    };
    struct kept {
        word index = 0;
        word value = 0;
        bool overwritten = false;
    };

    void resolve(const warp_op& op, const context& where);
    void add_component(const component_access& access, const per_lane<word>& values, const per_lane<word>& masks);
    unsigned pass_of(word index, std::vector<word>& known) const;

    isbe_config config_;
    isbesim::address_unit address_unit_;
    resolved_op resolved_;
    std::vector<written> writes_; ///< in an order in which the last write of a byte wins
    std::vector<kept> before_;
    unsigned passes_ = 0; ///< of the components so far
    bool overwrites_ = false;
};

} // namespace isbesim
