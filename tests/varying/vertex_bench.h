// SPDX-License-Identifier: Apache-2.0
// Runs the program text of a vertex stage on one warp, its attribute instructions on an ISBE.
#pragma once

#include <functional>

#include <gtest/gtest.h>

#include "models/attribute/layout.h"
#include "models/isa/execution/executor.h"
#include "models/isa/text/text.h"
#include "models/isbe/functional/context.h"
#include "models/varying/allocation/evaluation.h"
#include "tests/support/isbe_bench.h"
#include "tests/varying/texts.h"

namespace isbesim::varying {

/// The values that one thread reads; system values are 0.
class found_inputs : public thread_inputs {
public:
    explicit found_inputs(
        std::function<word(unsigned number, unsigned component)> input,
        std::function<word(unsigned bank, unsigned number, unsigned component)> constant =
            [](unsigned, unsigned, unsigned) { return word{0}; })
        : input_(std::move(input)), constant_(std::move(constant))
    {
    }
    word input(unsigned, unsigned number, unsigned component) const override { return input_(number, component); }
    word system_value(semantic) const override { return 0; }
    word constant(unsigned bank, unsigned number, unsigned component) const override
    {
        return constant_(bank, number, component);
    }

private:
    std::function<word(unsigned, unsigned)> input_;
    std::function<word(unsigned, unsigned, unsigned)> constant_;
};

class vertex_bench {
public:
    explicit vertex_bench(const std::string& back_end) : bench_(back_end, {}) {}

    /// Inputs are (attribute id, lane); outputs likewise. Poisons the output space first.
    void run(const isa::program& code, unsigned local_bytes, const allocation& placed,
             const isa::constant_banks& constants, const std::function<word(unsigned, unsigned)>& input)
    {
        context c;
        c.stage = stage::vertex;
        describe(c.input, placed.inputs, 0);
        describe(c.output, placed.outputs, 0x8000);
        bench_.bind(0, c);
        layout_ = c.output;
        for (unsigned id = 0; id < mapped_attribute_ids; ++id)
            for (unsigned lane = 0; lane < warp_lanes; ++lane) {
                if (placed.inputs.contains(id)) bench_.poke(where(c.input, id, lane), input(id, lane));
                if (placed.outputs.contains(id)) bench_.poke(where(c.output, id, lane), 0xdead0000U + id);
            }
        isa::warp_state warp;
        warp.constants = &constants;
        warp.stage = stage::vertex;
        warp.launch(code, all_lanes, local_bytes);
        isa::execution_rules rules;
        for (unsigned steps = 0; !warp.finished(); ++steps) {
            ASSERT_LT(steps, 100000U);
            const auto& now = code.code[code.index_of(warp.pc)];
            const auto s = isa::execute(warp, op_, rules);
            ASSERT_NE(s.kind, isa::step_kind::trap) << isa::instruction_text(now) << " trap " << unsigned{s.trap};
            if (s.kind != isa::step_kind::attribute) continue;
            op_.context = 0;
            const auto answer = bench_.run(op_);
            ASSERT_EQ(answer.result.error, op_error::none) << isa::instruction_text(now);
            isa::write_back(warp, now, op_, answer.result);
        }
    }
    word output(unsigned id, unsigned lane) { return bench_.peek(where(layout_, id, lane)); }

private:
    static void describe(space_layout& space, const attribute_set& set, word base)
    {
        space.attr_base = base;
        space.attr_bytes = static_cast<word>(attribute_bytes(true, set.count(), warp_lanes));
        space.vertex_count = warp_lanes;
        space.allocated = space.enabled = set;
    }
    static word where(const space_layout& space, unsigned id, unsigned lane)
    {
        return space.attr_base +
               static_cast<word>(attribute_offset(true, space.allocated.count(), space.allocated.rank(id), lane));
    }

    test::isbe_bench bench_;
    space_layout layout_;
    warp_op op_;
};

} // namespace isbesim::varying
