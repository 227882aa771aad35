// SPDX-License-Identifier: Apache-2.0
#include "models/pe/linking/buffers.h"

#include <algorithm>
#include <string_view>

namespace isbesim {

namespace {

unsigned number_of(const stage_numbers& numbers, stage which)
{
    switch (which) {
    case stage::vertex_a:
        return numbers.vertex_a;
    case stage::vertex:
        return numbers.vertex;
    case stage::tess_init:
        return numbers.tess_init;
    case stage::tess:
        return numbers.tess;
    case stage::geometry:
        return numbers.geometry;
    case stage::task:
        return numbers.task;
    case stage::mesh:
    case stage::none: // no pipeline has this stage
        break;
    }
    return numbers.mesh;
}

/// A range of lines with the levels that share it.
struct line_range {
    const char* key;
    unsigned first = 0;
    unsigned lines = 0;
    std::vector<unsigned> levels;
    unsigned inputs = 0; ///< lines of the largest input of a stage whose outputs are elsewhere
};

class division {
public:
    division(const machine_config& config, const std::vector<stage_need>& stages)
        : pe_(config.pe), lines_(config.isbe.lines), stages_(stages), shares_(stages.size())
    {
        const auto is_store = pe_.buffers == buffer_rule::unified;
        for (std::size_t level = 0; level < stages.size(); ++level) {
            auto& share = shares_[level];
            share.warp = stages[level].warp;
            share.outputs = number_of(pe_.in_flight, stages[level].stage);
            const auto reserve = is_store ? number_of(pe_.reserve, stages[level].stage) : 0;
            is_set_.push_back(reserve != 0);
            share.lines = std::max(share.warp, reserve);
        }
        if (is_store || (pe_.alpha_lines == 0 && pe_.beta_lines == 0))
            make_one();
        else
            make_two();
    }

    std::optional<line_shortage> shortage() const
    {
        if (pe_.buffers == buffer_rule::alpha_beta && pe_.alpha_lines + pe_.beta_lines > lines_)
            return line_shortage{"isbe.lines", pe_.alpha_lines + pe_.beta_lines, lines_, true};
        for (const auto& range : ranges_)
            if (const auto needed = taken(range); needed > range.lines)
                return line_shortage{range.key, needed, range.lines};
        return std::nullopt;
    }

    buffer_plan plan()
    {
        for (const auto& range : ranges_) divide(range);
        // Of two buffers for one stage, the one that holds fewer warps.
        if (auto& lone = shares_[0]; lone.inputs != 0)
            if (lone.warp == 0 || lone.inputs / stages_[0].input < lone.lines / lone.warp)
                lone.key = key_of(ranges_[0]);
        return {pe_.buffers, pe_.allocation_policy, lines_, shares_};
    }

private:
    void make_one();
    void make_two();
    void divide(const line_range& range);
    unsigned taken(const line_range& range) const
    {
        unsigned sum = range.inputs;
        for (const auto level : range.levels) sum += shares_[level].lines;
        return sum;
    }
    /// Lines that a warp keeps while its output is read: in a ring also those of its input, which lie before them.
    unsigned kept(unsigned level) const
    {
        const auto& need = stages_[level];
        return pe_.buffers == buffer_rule::unified ? need.warp - need.input : need.warp;
    }
    /// The key that sets its size.
    const char* key_of(const line_range& range) const
    {
        const bool is_rest = range.key == std::string_view("pe.alpha_lines")  ? pe_.alpha_lines == 0
                             : range.key == std::string_view("pe.beta_lines") ? pe_.beta_lines == 0
                                                                              : false;
        return is_rest ? "isbe.lines" : range.key;
    }
    bool is_last(unsigned level) const { return level + 1 == stages_.size(); }

    const pe_config& pe_;
    unsigned lines_;
    const std::vector<stage_need>& stages_;
    std::vector<stage_share> shares_;
    std::vector<bool> is_set_; ///< by level: the configuration sets the number of lines
    std::vector<line_range> ranges_;
};

/// One range: the store, or two buffers that the draw's needs divide.
void division::make_one()
{
    ranges_.push_back({"isbe.lines", 0, lines_, {}});
    for (unsigned level = 0; level < stages_.size(); ++level) ranges_[0].levels.push_back(level);
}

void division::make_two()
{
    line_range alpha{"pe.alpha_lines", 0, pe_.alpha_lines, {}};
    line_range beta{"pe.beta_lines", 0, pe_.beta_lines, {}};
    if (alpha.lines == 0) alpha.lines = lines_ - std::min(lines_, beta.lines);
    if (beta.lines == 0) beta.lines = lines_ - std::min(lines_, alpha.lines);
    beta.first = alpha.lines;
    // The inputs of a lone stage belong to the data before it, and only its outputs are in beta.
    if (stages_.size() == 1 && stages_[0].input != 0) {
        alpha.inputs = stages_[0].input;
        shares_[0].inputs = alpha.lines;
        shares_[0].warp -= alpha.inputs;
        shares_[0].lines = shares_[0].warp;
    }
    for (unsigned level = 0; level < stages_.size(); ++level) {
        const auto late = stages_[level].stage == stage::tess || is_last(level);
        (late ? beta : alpha).levels.push_back(level);
    }
    ranges_ = {alpha, beta};
}

// A larger range makes no share smaller, so that more lines take nothing from any stage.
void division::divide(const line_range& range)
{
    auto rest = range.lines - taken(range);
    // A second output, so that a stage writes one while the next stage reads the other.
    for (const auto level : range.levels) {
        if (is_set_[level] || is_last(level)) continue;
        const auto more = std::min(rest, kept(level));
        shares_[level].lines += more;
        rest -= more;
    }
    // The rest in proportion to the output lines that the draw uses in each stage.
    std::vector<double> weights(stages_.size());
    double number = 1;
    double sum = 0;
    for (unsigned level = 0; level < stages_.size(); ++level) {
        number *= stages_[level].per_warp;
        weights[level] = number * kept(level);
    }
    for (const auto level : range.levels)
        if (!is_set_[level]) sum += weights[level];
    auto first = range.first;
    for (const auto level : range.levels) {
        auto& share = shares_[level];
        share.key = key_of(range);
        if (sum != 0 && !is_set_[level]) share.lines += static_cast<unsigned>(rest * (weights[level] / sum));
        share.first = first;
        first += share.lines;
    }
}

} // namespace

std::optional<line_shortage> find_shortage(const machine_config& config, const std::vector<stage_need>& stages)
{
    return division(config, stages).shortage();
}

buffer_plan plan_buffers(const machine_config& config, const std::vector<stage_need>& stages)
{
    return division(config, stages).plan();
}

} // namespace isbesim
