// SPDX-License-Identifier: Apache-2.0
#include "testbench/scenario/unordered_primitives.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "testbench/files/hex_text.h"
#include "testbench/scenario/expectation.h"

namespace isbesim::testbench {

namespace {

constexpr std::size_t no_partner = std::numeric_limits<std::size_t>::max();

bool matches(const primitive& got, const primitive& want, const expectation& expect)
{
    const auto n = want.vertices.size();
    if (got.stream != want.stream || got.vertices.size() != n) return false;
    for (std::size_t rotation = 0; rotation < n; ++rotation) {
        bool same = true;
        for (std::size_t v = 0; v < n && same; ++v) {
            const auto& a = got.vertices[(v + rotation) % n];
            for (std::size_t f = 0; f < a.size() && same; ++f) same = field_matches(a[f], want.vertices[v][f], expect);
        }
        if (same) return true;
    }
    return false;
}

/// Position of a primitive on a line where partners are close: the sum of its floats, which no rotation changes. The
/// distance of a partner is at most the sum of the floats' slacks.
struct position {
    double sum = 0;
    double slack = 0;
};

position position_of(const primitive& p, const expectation& expect)
{
    position point;
    double size = 0;
    for (const auto& vertex : p.vertices)
        for (const auto& field : vertex) {
            word value = 0;
            if (!parse_hex_word(field, value)) continue;
            const auto range = float_range(value, expect);
            if (!range) continue;
            point.sum += range->value;
            point.slack += std::max(range->highest - range->value, range->value - range->lowest);
            size += std::abs(range->value);
        }
    point.slack += 1e-10 * (size + point.slack); // for thousands of roundings of a sum of doubles
    return point;
}

class pairing {
public:
    pairing(const std::vector<primitive>& got, const std::vector<primitive>& want, const expectation& expect)
        : got_(got),
          want_(want),
          expect_(expect),
          partner_of_got_(got.size(), no_partner),
          partner_of_want_(want.size(), no_partner)
    {
        pair_equals();
    }

    std::optional<unpaired_primitive> run()
    {
        if (expect_.ulp != 0 || expect_.tolerance != 0) place();
        for (std::size_t w = 0; w < want_.size(); ++w)
            if (partner_of_want_[w] == no_partner && !takes_free(w) && !takes_from_others(w))
                return unpaired_primitive{nullptr, &want_[w]};
        const auto alone = std::find(partner_of_got_.begin(), partner_of_got_.end(), no_partner);
        if (alone == partner_of_got_.end()) return std::nullopt;
        return unpaired_primitive{&got_[static_cast<std::size_t>(alone - partner_of_got_.begin())], nullptr};
    }

private:
    static std::vector<std::size_t> sorted(const std::vector<primitive>& all)
    {
        std::vector<std::size_t> order(all.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a] < all[b]; });
        return order;
    }

    void pair_equals()
    {
        const auto got_order = sorted(got_);
        const auto want_order = sorted(want_);
        for (std::size_t g = 0, w = 0; g < got_order.size() && w < want_order.size();) {
            if (got_[got_order[g]] < want_[want_order[w]])
                ++g;
            else if (want_[want_order[w]] < got_[got_order[g]])
                ++w;
            else
                pair(got_order[g++], want_order[w++]);
        }
    }

    void pair(std::size_t g, std::size_t w)
    {
        partner_of_got_[g] = w;
        partner_of_want_[w] = g;
    }

    void place()
    {
        for (std::size_t g = 0; g < got_.size(); ++g) {
            const double point = position_of(got_[g], expect_).sum;
            places_.emplace(point, g);
            if (partner_of_got_[g] == no_partner) free_.emplace(point, g);
        }
    }

    using places = std::multimap<double, std::size_t>;

    static std::pair<places::iterator, places::iterator> near(places& all, const position& point)
    {
        return {all.lower_bound(point.sum - point.slack), all.upper_bound(point.sum + point.slack)};
    }

    bool takes_free(std::size_t w)
    {
        const auto [first, last] = near(free_, position_of(want_[w], expect_));
        const auto found = std::find_if(
            first, last, [&](const auto& place) { return matches(got_[place.second], want_[w], expect_); });
        if (found == last) return false;
        pair(found->second, w);
        free_.erase(found);
        return true;
    }

    /// Finds a partner by an augmenting path: others change partners until one takes a free partner. Without such a
    /// path, no pairing has more pairs (Berge).
    bool takes_from_others(std::size_t wanting)
    {
        std::vector<std::size_t> asked_by(got_.size(), no_partner);
        std::vector<std::size_t> open{wanting};
        for (std::size_t i = 0; i < open.size(); ++i) {
            const std::size_t w = open[i];
            const auto [first, last] = near(places_, position_of(want_[w], expect_));
            for (auto place = first; place != last; ++place) {
                const std::size_t g = place->second;
                if (asked_by[g] != no_partner || !matches(got_[g], want_[w], expect_)) continue;
                asked_by[g] = w;
                if (partner_of_got_[g] != no_partner) {
                    open.push_back(partner_of_got_[g]);
                    continue;
                }
                take_along(g, asked_by, wanting);
                return true;
            }
        }
        return false;
    }

    void take_along(std::size_t free, const std::vector<std::size_t>& asked_by, std::size_t wanting)
    {
        const auto [first, last] = free_.equal_range(position_of(got_[free], expect_).sum);
        free_.erase(std::find_if(first, last, [free](const auto& place) { return place.second == free; }));
        for (std::size_t g = free;;) {
            const std::size_t w = asked_by[g];
            const std::size_t left = partner_of_want_[w];
            pair(g, w);
            if (w == wanting) return;
            g = left;
        }
    }

    const std::vector<primitive>& got_;
    const std::vector<primitive>& want_;
    const expectation& expect_;
    std::vector<std::size_t> partner_of_got_;
    std::vector<std::size_t> partner_of_want_;
    places places_; ///< all of `got`
    places free_;   ///< those without a partner
};

} // namespace

void primitive::normalise()
{
    auto best = vertices;
    for (std::size_t r = 1; r < vertices.size(); ++r) {
        std::rotate(vertices.begin(), vertices.begin() + 1, vertices.end());
        if (vertices < best) best = vertices;
    }
    vertices = std::move(best);
}

bool primitive::operator<(const primitive& other) const
{
    return stream != other.stream ? stream < other.stream : vertices < other.vertices;
}

std::string primitive::text() const
{
    std::string text;
    for (const auto& vertex : vertices) {
        if (!text.empty()) text += " | ";
        for (std::size_t i = 0; i < vertex.size(); ++i) text += (i > 0 ? "," : "") + vertex[i];
    }
    return text;
}

std::optional<unpaired_primitive> find_unpaired(const std::vector<primitive>& got, const std::vector<primitive>& want,
                                                const expectation& expect)
{
    return pairing(got, want, expect).run();
}

} // namespace isbesim::testbench
