// SPDX-License-Identifier: Apache-2.0
// Finds the words of the storage that an operation reads or writes, without executing it. They determine which
// operations must stay in order.
#pragma once

#include "models/isbe/access/address_unit.h"
#include "models/isbe/access/resolved_op.h"
#include "models/isbe/functional/context.h"
#include "models/machine_config.h"
#include "tlm/warp_op.h"

namespace isbesim {

class touched_words {
public:
    explicit touched_words(const isbe_config& config);

    /// Resolves `op` in `context`; the functions below then describe its words. A store to a part of a word counts as a
    /// store to the word. The overwritten bit of a word (micro-architecture section 4.7) is accessed with the word.
    void find(const warp_op& op, const context& context);

    bool store() const { return store_; }
    /// Calls f(index) for every lane and component that reaches the storage; lanes may share words.
    template <typename F>
    void for_each(F&& f) const
    {
        for (const auto& access : resolved_.component)
            for_each_lane(access.lanes, [&](unsigned lane) { f(access.index[lane]); });
    }

private:
    isbe_config config_;
    isbesim::address_unit address_unit_;
    bool store_ = false;
    resolved_op resolved_;
    warp_result unused_{};
};

} // namespace isbesim
