// SPDX-License-Identifier: Apache-2.0
#include "tests/texture/reference_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isbesim::test {

namespace {

double to_integer(double value)
{
    return std::fabs(value - std::round(value));
}

/// Section 8.14.2's table; the border is -1. A triangle wave is the mirror.
int wrap_texel(wrap_mode mode, double i, int size)
{
    const double n = size;
    const auto triangle = [n](double where) { // of period 2 n, symmetric about -1/2
        const double p = where - 2 * n * std::floor(where / (2 * n));
        return p < n ? p : 2 * n - 1 - p;
    };
    double result = i;
    switch (mode) {
    case wrap_mode::repeat:
        result = i - n * std::floor(i / n);
        break;
    case wrap_mode::mirrored_repeat:
        result = triangle(i);
        break;
    case wrap_mode::clamp_to_edge:
        result = std::max(0.0, std::min(n - 1, i));
        break;
    case wrap_mode::mirror_clamp_to_edge:
        result = std::min(std::max(i, -1 - i), n - 1);
        break;
    case wrap_mode::mirror_clamp_to_border:
        result = std::max(i, -1 - i);
        break;
    default:
        break;
    }
    return result < 0 || result >= n ? -1 : static_cast<int>(result);
}

double limited_coordinate(wrap_mode mode, double u, int size)
{
    if (mode == wrap_mode::clamp) return std::min(std::max(u, 0.0), static_cast<double>(size));
    if (mode == wrap_mode::mirror_clamp) return std::min(std::fabs(u), static_cast<double>(size));
    return u;
}

using vector = std::array<double, 3>;

/// The table of section 8.13: which component each of s, t and the major axis is, and its sign.
struct face_rule {
    int s, s_sign, t, t_sign, m, m_sign;
};
constexpr face_rule face_rules[] = {{2, -1, 1, -1, 0, 1}, {2, 1, 1, -1, 0, -1}, {0, 1, 2, 1, 1, 1},
                                    {0, 1, 2, -1, 1, -1}, {0, 1, 1, -1, 2, 1},  {0, -1, 1, -1, 2, -1}};

vector on_cube(int face, double s, double t)
{
    const face_rule& rule = face_rules[face];
    vector where{};
    where[static_cast<std::size_t>(rule.s)] = rule.s_sign * (2 * s - 1);
    where[static_cast<std::size_t>(rule.t)] = rule.t_sign * (2 * t - 1);
    where[static_cast<std::size_t>(rule.m)] = rule.m_sign;
    return where;
}

/// The texel of the other faces whose centre is nearest to a point of the edge: the one beside the texel outside.
std::array<int, 3> nearest_on_other_face(int face, int x, int y, int size)
{
    const double n = size;
    const vector edge = on_cube(face, std::clamp((x + 0.5) / n, 0.0, 1.0), std::clamp((y + 0.5) / n, 0.0, 1.0));
    std::array<int, 3> best{};
    double least = std::numeric_limits<double>::max();
    for (int other = 0; other < 6; ++other) {
        if (other == face) continue;
        for (int j = 0; j < size; ++j)
            for (int i = 0; i < size; ++i) {
                const vector centre = on_cube(other, (i + 0.5) / n, (j + 0.5) / n);
                double distance = 0;
                for (std::size_t c = 0; c < 3; ++c) distance += (centre[c] - edge[c]) * (centre[c] - edge[c]);
                if (distance < least) {
                    least = distance;
                    best = {other, i, j};
                }
            }
    }
    return best;
}

class level_sampler {
public:
    level_sampler(const reference_image& image, const reference_sampler& sampler, const reference_request& request)
        : image_(image),
          sampler_(sampler),
          coordinates_(request.coordinates),
          offset_(request.offset),
          cube_(request.cube)
    {
        layer_ = std::clamp(request.layer, 0, (cube_ ? image.layers / 6 : image.layers) - 1);
        if (!cube_) return;
        std::size_t major = 0;
        for (std::size_t i = 1; i < 3; ++i)
            if (std::fabs(coordinates_[i]) >= std::fabs(coordinates_[major])) major = i;
        double second = 0;
        for (std::size_t i = 0; i < 3; ++i)
            if (i != major) second = std::max(second, std::fabs(coordinates_[i]));
        margin = std::min(margin, 1 - second / std::fabs(coordinates_[major]));
        face_ = static_cast<int>(2 * major) + (coordinates_[major] < 0 ? 1 : 0);
        const face_rule& rule = face_rules[face_];
        const double m = std::fabs(coordinates_[major]);
        coordinates_ = {(rule.s_sign * coordinates_[static_cast<std::size_t>(rule.s)] / m + 1) / 2,
                        (rule.t_sign * coordinates_[static_cast<std::size_t>(rule.t)] / m + 1) / 2, 0};
        layer_ *= 6;
    }

    double margin = 1;

    color sample(int level, bool linear)
    {
        if (!linear) {
            std::array<int, 3> texel{};
            for (std::size_t i = 0; i < image_.dimensions; ++i)
                texel[i] = static_cast<int>(std::floor(coordinate(level, i)));
            for (std::size_t i = 0; i < image_.dimensions; ++i)
                margin = std::min(margin, to_integer(coordinate(level, i)));
            return fetch(level, texel, true);
        }
        color sum{};
        for (int corner = 0; corner < 1 << image_.dimensions; ++corner) {
            double weight = 1;
            const auto texel = corner_texel(level, corner, weight);
            const color value = fetch(level, texel, false);
            for (std::size_t c = 0; c < 4; ++c) sum[c] += weight == 0 ? 0 : weight * value[c];
        }
        return sum;
    }

    std::array<int, 3> corner_texel(int level, int corner, double& weight)
    {
        std::array<int, 3> texel{};
        for (std::size_t i = 0; i < image_.dimensions; ++i) {
            const double shifted = coordinate(level, i) - 0.5;
            const double fraction = shifted - std::floor(shifted);
            const bool second = (corner >> i & 1) != 0;
            texel[i] = static_cast<int>(std::floor(shifted)) + (second ? 1 : 0);
            weight *= second ? fraction : 1 - fraction;
        }
        return texel;
    }

    color fetch(int level, std::array<int, 3> texel, bool point) const
    {
        const auto size = image_.size_of(level);
        int face = face_;
        if (cube_ && sampler_.seamless) {
            const bool x_out = texel[0] < 0 || texel[0] >= size[0];
            const bool y_out = texel[1] < 0 || texel[1] >= size[0];
            if (point) {
                for (std::size_t i = 0; i < 2; ++i) texel[i] = std::clamp(texel[i], 0, size[0] - 1);
            } else if (x_out && y_out) { // the mean of the other three
                const int in_x = texel[0] < 0 ? texel[0] + 1 : texel[0] - 1;
                const int in_y = texel[1] < 0 ? texel[1] + 1 : texel[1] - 1;
                const color a = fetch(level, {in_x, texel[1], 0}, false);
                const color b = fetch(level, {texel[0], in_y, 0}, false);
                const color c = fetch(level, {in_x, in_y, 0}, false);
                color mean{};
                for (std::size_t i = 0; i < 4; ++i) mean[i] = (a[i] + b[i] + c[i]) / 3;
                return mean;
            } else if (x_out || y_out) {
                const auto found = nearest_on_other_face(face_, texel[0], texel[1], size[0]);
                face = found[0];
                texel = {found[1], found[2], 0};
            }
        } else {
            for (std::size_t i = 0; i < image_.dimensions; ++i) {
                const bool keeps_end =
                    point && (sampler_.wrap[i] == wrap_mode::clamp || sampler_.wrap[i] == wrap_mode::mirror_clamp);
                if (keeps_end) texel[i] = std::min(texel[i], size[i] - 1);
                texel[i] = wrap_texel(sampler_.wrap[i], texel[i], size[i]);
                if (texel[i] < 0) return compared(sampler_.border);
            }
        }
        return compared(image_.texel(level, layer_ + face, texel));
    }

private:
    double coordinate(int level, std::size_t axis) const
    {
        const int size = image_.size_of(level)[axis];
        const double u = (sampler_.unnormalized ? coordinates_[axis] : coordinates_[axis] * size) + offset_[axis];
        return cube_ && sampler_.seamless ? u : limited_coordinate(sampler_.wrap[axis], u, size);
    }
    color compared(const color& value) const
    {
        if (!sampler_.compare) return value;
        const double passes = sampler_.compare(value[0]);
        return {passes, passes, passes, passes};
    }

    const reference_image& image_;
    const reference_sampler& sampler_;
    std::array<double, 3> coordinates_;
    std::array<int, 3> offset_;
    bool cube_;
    int face_ = 0, layer_ = 0;
};

} // namespace

std::array<int, 3> reference_image::size_of(int level) const
{
    std::array<int, 3> result = size;
    for (int& each : result) each = std::max(each / (1 << level), 1);
    return result;
}

const color& reference_image::texel(int level, int layer, const std::array<int, 3>& where) const
{
    const auto extent = size_of(level);
    const int index = where[0] + extent[0] * (where[1] + extent[1] * (where[2] + extent[2] * layer));
    return texels.at(static_cast<std::size_t>(level)).at(static_cast<std::size_t>(index));
}

color& reference_image::texel(int level, int layer, const std::array<int, 3>& where)
{
    return const_cast<color&>(static_cast<const reference_image&>(*this).texel(level, layer, where));
}

void reference_image::resize()
{
    texels.clear();
    for (int i = 0; i < levels; ++i) {
        const auto extent = size_of(i);
        texels.emplace_back(static_cast<std::size_t>(extent[0] * extent[1] * extent[2] * layers));
    }
}

reference_result reference_sample(const reference_image& image, const reference_sampler& sampler,
                                  const reference_request& request)
{
    level_sampler levels(image, sampler, request);
    const double biased = request.lod + sampler.bias;
    const double lambda = biased > sampler.max_lod   ? sampler.max_lod
                          : biased < sampler.min_lod ? sampler.min_lod
                                                     : biased;
    double margin = std::fabs(lambda); // magnification ends at 0
    if (lambda == 0) margin = 1;
    const bool linear = lambda <= 0 ? sampler.magnify_linear : sampler.minify_linear;
    const int last = image.levels - 1;
    color value{};
    if (lambda <= 0 || sampler.mip == mip_mode::none) {
        value = levels.sample(0, linear);
    } else if (sampler.mip == mip_mode::nearest) {
        const double d = lambda <= 0.5 ? 0 : lambda < last + 0.5 ? std::ceil(lambda + 0.5) - 1 : last;
        margin = std::min(margin, to_integer(lambda + 0.5));
        value = levels.sample(std::min(static_cast<int>(d), last), linear);
    } else {
        const int first = std::min(static_cast<int>(std::floor(lambda)), last);
        const int second = std::min(first + 1, last);
        const double fraction = lambda >= last ? 0 : lambda - std::floor(lambda);
        const color a = levels.sample(first, linear);
        const color b = levels.sample(second, linear);
        for (std::size_t c = 0; c < 4; ++c) value[c] = (1 - fraction) * a[c] + fraction * b[c];
    }
    return {value, std::min(margin, levels.margin)};
}

std::array<double, 4> reference_gather(const reference_image& image, const reference_sampler& sampler,
                                       const reference_request& request, double& margin)
{
    level_sampler levels(image, sampler, request);
    std::array<double, 4> result{};
    constexpr int corners[] = {2, 3, 1, 0}; // bit 0: i1, bit 1: j1
    for (std::size_t i = 0; i < 4; ++i) {
        double weight = 1;
        result[i] = levels.fetch(0, levels.corner_texel(0, corners[i], weight), false)[0];
        margin = std::min({margin, weight, levels.margin});
    }
    return result;
}

double reference_lod(const std::array<double, 3>& dx, const std::array<double, 3>& dy)
{
    return std::log2(std::max(std::hypot(dx[0], dx[1], dx[2]), std::hypot(dy[0], dy[1], dy[2])));
}

} // namespace isbesim::test
