// SPDX-License-Identifier: Apache-2.0
// Samples of random images by random samplers against the reference in double precision.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/texture/reference_layout.h"
#include "tests/texture/reference_sampler.h"
#include "tests/texture/texture_bench.h"

namespace isbesim::test {
namespace {

/// A random image of some shape, as memory and as the reference has it.
struct random_texture {
    texture::shape shape = shape::two_d;
    reference_image reference;
    reference_sampler state;
    sampler_words sampler;
    std::unique_ptr<texture_bench> bench;
    bool cube() const { return shape == shape::cube || shape == shape::array_cube; }
};

class random_maker {
public:
    explicit random_maker(unsigned seed) : engine_(seed) {}

    int number(int least, int greatest) { return std::uniform_int_distribution<int>(least, greatest)(engine_); }
    double real(double least, double greatest)
    {
        return std::uniform_real_distribution<double>(least, greatest)(engine_);
    }

    random_texture texture()
    {
        random_texture drawn;
        drawn.shape = static_cast<texture::shape>(number(0, 6));
        shape_image(drawn);
        choose_sampler(drawn);
        fill(drawn);
        return drawn;
    }

private:
    void shape_image(random_texture& drawn)
    {
        constexpr unsigned types[] = {tic::one_d,    tic::two_d,    tic::three_d,   tic::cube,
                                      tic::array_1d, tic::array_2d, tic::array_cube};
        reference_image& image = drawn.reference;
        image.dimensions = drawn.cube() ? 2 : coordinates_of(drawn.shape);
        for (unsigned i = 0; i < image.dimensions; ++i) image.size[i] = number(1, image.dimensions == 3 ? 11 : 40);
        if (drawn.cube()) image.size[1] = image.size[0] = number(1, 9);
        const int units = is_array(drawn.shape) ? number(1, 3) : 1;
        image.layers = drawn.cube() ? 6 * units : units;
        const int greatest = *std::max_element(image.size.begin(), image.size.end());
        const int full = static_cast<int>(std::log2(greatest)) + 1;
        base_ = number(0, 2) == 0 ? number(0, full - 1) : 0;
        image.levels = number(1, full - base_);

        layout_ = {};
        layout_.width = static_cast<unsigned>(image.size[0]);
        layout_.height = static_cast<unsigned>(image.size[1]);
        layout_.three_d = drawn.shape == shape::three_d;
        layout_.depth = static_cast<unsigned>(image.size[2]);
        layout_.last_level = static_cast<unsigned>(full - 1);
        layout_.tile_height = static_cast<unsigned>(number(0, 3));
        layout_.tile_depth = layout_.three_d ? static_cast<unsigned>(number(0, 3)) : 0;
        const unsigned depth = layout_.three_d ? layout_.depth : static_cast<unsigned>(units);
        header_ = header_words();
        header_.type(types[static_cast<unsigned>(drawn.shape)]).size(layout_.width, layout_.height, depth);
        header_.tile(layout_.tile_height, layout_.tile_depth);
        header_.levels(layout_.last_level, static_cast<unsigned>(base_),
                       static_cast<unsigned>(base_ + image.levels - 1));
        for (int& each : image.size) each = std::max(each >> base_, 1); // level 0 of the reference is the view's first
        image.resize();
    }

    void choose_sampler(random_texture& drawn)
    {
        reference_sampler& state = drawn.state;
        unsigned modes[3];
        for (unsigned i = 0; i < 3; ++i) {
            modes[i] = static_cast<unsigned>(number(0, 7));
            state.wrap[i] = static_cast<wrap_mode>(modes[i]);
        }
        const unsigned mag = static_cast<unsigned>(number(1, 2));
        const unsigned min = static_cast<unsigned>(number(1, 2));
        const unsigned mip = static_cast<unsigned>(number(1, 3));
        state.magnify_linear = mag == 2;
        state.minify_linear = min == 2;
        state.mip = static_cast<mip_mode>(mip - 1);
        const int bias = number(0, 1) == 0 ? 0 : number(-512, 512);
        const int least = number(0, 1) == 0 ? 0 : number(0, 600);
        const int greatest = number(0, 1) == 0 ? 4095 : number(least, 1200);
        state.bias = bias / 256.0;
        state.min_lod = least / 256.0;
        state.max_lod = greatest / 256.0;
        drawn.sampler.wrap(modes[0], modes[1], modes[2]).filters(mag, min, mip).bias(bias);
        drawn.sampler.lod(static_cast<unsigned>(least), static_cast<unsigned>(greatest));
        const auto border = [&] { return static_cast<float>(real(0, 1)); };
        const float colors[] = {border(), border(), border(), border()};
        drawn.sampler.border(colors[0], colors[1], colors[2], colors[3]);
        for (unsigned i = 0; i < 4; ++i) state.border[i] = colors[i];
        if (drawn.cube() && number(0, 1) == 0) {
            state.seamless = true;
            drawn.sampler.seamless();
        }
        if (!drawn.cube() && number(0, 5) == 0) {
            state.unnormalized = true;
            if (number(0, 1) == 0)
                header_.unnormalized();
            else
                drawn.sampler.set(57, 1, 1);
        }
    }

    /// Bytes of a channel as the format has them.
    double channel(unsigned kind, std::uint8_t* bytes)
    {
        if (kind == 0) {
            *bytes = static_cast<std::uint8_t>(number(0, 255));
            return *bytes / 255.0;
        }
        if (kind == 1) {
            *bytes = static_cast<std::uint8_t>(number(0, 255));
            return std::max(static_cast<std::int8_t>(*bytes) / 127.0, -1.0);
        }
        const auto value = static_cast<float>(real(-8, 8));
        std::memcpy(bytes, &value, 4);
        return value;
    }

    void fill(random_texture& drawn)
    {
        const unsigned kind = static_cast<unsigned>(number(0, 2));
        const unsigned bytes = kind == 2 ? 4 : 1;
        layout_.bytes = 4 * bytes;
        header_.format(kind == 2 ? 0x01 : 0x08, kind == 0 ? tic::unorm : kind == 1 ? tic::snorm : tic::floating);
        const reference_layout layout(layout_);
        reference_image& image = drawn.reference;
        drawn.bench = std::make_unique<texture_bench>(header_, drawn.sampler,
                                                      layout.layer_bytes() * static_cast<unsigned>(image.layers));
        for (int level = 0; level < image.levels; ++level) {
            const auto size = image.size_of(level);
            for (int layer = 0; layer < image.layers; ++layer)
                for (int z = 0; z < size[2]; ++z)
                    for (int y = 0; y < size[1]; ++y)
                        for (int x = 0; x < size[0]; ++x) {
                            std::uint8_t* texel = drawn.bench->image() +
                                                  layout.texel(static_cast<unsigned>(level + base_),
                                                               static_cast<unsigned>(layer), static_cast<unsigned>(x),
                                                               static_cast<unsigned>(y), static_cast<unsigned>(z));
                            color& value = image.texel(level, layer, {x, y, z});
                            for (unsigned c = 0; c < 4; ++c) value[c] = channel(kind, texel + c * bytes);
                        }
        }
    }

    std::mt19937 engine_;
    header_words header_;
    reference_shape layout_;
    int base_ = 0;
};

/// The same place for both.
struct random_request {
    texture::sample_request unit;
    reference_request reference;
};

inline random_request make_request(random_maker& random, const random_texture& texture)
{
    random_request drawn;
    drawn.unit.shape = texture.shape;
    drawn.reference.cube = texture.cube();
    const unsigned count = coordinates_of(texture.shape);
    for (unsigned i = 0; i < count; ++i) {
        const double span = texture.state.unnormalized ? texture.reference.size[i] : 1;
        drawn.unit.coordinates[i] =
            static_cast<float>(texture.cube() ? random.real(-1, 1) : span * random.real(-2.5, 3.5));
        if (random.number(0, 3) == 0 && !texture.cube())
            drawn.unit.coordinates[i] = static_cast<float>(span * random.real(0, 1));
        drawn.reference.coordinates[i] = drawn.unit.coordinates[i];
        if (!texture.cube() && random.number(0, 3) == 0) {
            drawn.reference.offset[i] = random.number(-8, 7);
            drawn.unit.offset[i] = static_cast<std::int8_t>(drawn.reference.offset[i]);
        }
    }
    if (is_array(texture.shape)) {
        drawn.unit.layer = static_cast<word>(random.number(0, 4));
        drawn.reference.layer = static_cast<int>(drawn.unit.layer);
    }
    return drawn;
}

void expect_near(const texel& got, const reference_result& expected, const char* what)
{
    for (unsigned c = 0; c < 4; ++c)
        EXPECT_NEAR(to_float(got[c]), expected.value[c], 2e-4) << what << ", component " << c;
}

/// False if the reference is so near to a step that rounding decides its value.
bool compared_sample(const random_texture& texture, const random_request& request, const char* what)
{
    const reference_result expected = reference_sample(texture.reference, texture.state, request.reference);
    if (expected.margin < 1e-3) return false;
    expect_near(texture.bench->sample(request.unit), expected, what);
    return true;
}

TEST(texture_sampling, random_samples_agree_with_the_equations_in_double_precision)
{
    unsigned compared = 0;
    for (unsigned seed = 0; seed < 600; ++seed) {
        random_maker random(seed);
        const random_texture texture = random.texture();
        for (unsigned i = 0; i < 30; ++i) {
            random_request request = make_request(random, texture);
            request.unit.level = static_cast<texture::level_mode>(random.number(1, 3));
            if (request.unit.level != texture::level_mode::zero) {
                request.unit.level_value = static_cast<float>(random.real(-2, 6));
                request.reference.lod = request.unit.level_value;
            }
            if (!compared_sample(texture, request, "sample")) continue;
            if (HasFailure())
                FAIL() << "seed " << seed << ", request " << i << ", shape " << static_cast<int>(texture.shape);
            ++compared;
        }
    }
    EXPECT_GT(compared, 15000U);
}

TEST(texture_sampling, random_gathers_agree_with_the_equations)
{
    unsigned compared = 0;
    for (unsigned seed = 0; seed < 600; ++seed) {
        random_maker random(seed);
        const random_texture texture = random.texture();
        const bool gathers = texture.shape == shape::two_d || texture.shape == shape::array_2d || texture.cube();
        for (unsigned i = 0; gathers && i < 20; ++i) {
            const random_request where = make_request(random, texture);
            texture::gather_request request;
            request.shape = texture.shape;
            request.coordinates = where.unit.coordinates;
            request.layer = where.unit.layer;
            request.component = 0;
            for (auto& offset : request.offsets) offset = {where.unit.offset[0], where.unit.offset[1]};
            double margin = 1;
            const auto expected = reference_gather(texture.reference, texture.state, where.reference, margin);
            if (margin < 1e-3) continue;
            const texel got = texture.bench->gather(request);
            for (unsigned c = 0; c < 4; ++c)
                ASSERT_NEAR(to_float(got[c]), expected[c], 1e-6)
                    << "seed " << seed << ", request " << i << ", result " << c;
            ++compared;
        }
    }
    EXPECT_GT(compared, 4000U);
}

TEST(texture_sampling, random_comparisons_agree_with_the_equations)
{
    const std::function<bool(double, double)> functions[] = {
        [](double, double) { return false; },      [](double r, double d) { return r < d; },
        [](double r, double d) { return r == d; }, [](double r, double d) { return r <= d; },
        [](double r, double d) { return r > d; },  [](double r, double d) { return r != d; },
        [](double r, double d) { return r >= d; }, [](double, double) { return true; }};
    unsigned compared = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        random_maker random(seed);
        random_texture texture = random.texture();
        const auto function = static_cast<unsigned>(random.number(0, 7));
        texture.bench->change(texture.sampler.compare(function));
        for (unsigned i = 0; i < 20; ++i) {
            random_request request = make_request(random, texture);
            request.unit.level = texture::level_mode::explicit_level;
            request.unit.level_value = static_cast<float>(random.real(0, 4));
            request.reference.lod = request.unit.level_value;
            request.unit.compare = true;
            request.unit.reference = static_cast<float>(random.real(0, 1));
            texture.state.compare = [&](double depth) {
                return functions[function](request.unit.reference, depth) ? 1.0 : 0.0;
            };
            if (!compared_sample(texture, request, "comparison")) continue;
            if (HasFailure()) FAIL() << "seed " << seed << ", request " << i << ", function " << function;
            ++compared;
        }
    }
    EXPECT_GT(compared, 5000U);
}

TEST(texture_sampling, random_gradients_give_the_level_of_the_formula)
{
    unsigned compared = 0;
    for (unsigned seed = 0; seed < 500; ++seed) {
        random_maker random(seed);
        const random_texture texture = random.texture();
        if (texture.cube()) continue;
        for (unsigned i = 0; i < 20; ++i) {
            random_request request = make_request(random, texture);
            request.unit.level = texture::level_mode::gradients;
            std::array<std::array<double, 3>, 2> in_texels{};
            for (unsigned c = 0; c < texture.reference.dimensions; ++c) {
                const double scale = texture.state.unnormalized ? 1 : texture.reference.size[c];
                request.unit.ddx[c] = static_cast<float>(random.real(-6, 6) / scale);
                request.unit.ddy[c] = static_cast<float>(random.real(-6, 6) / scale);
                in_texels[0][c] = request.unit.ddx[c] * scale;
                in_texels[1][c] = request.unit.ddy[c] * scale;
            }
            request.reference.lod = reference_lod(in_texels[0], in_texels[1]);
            if (!compared_sample(texture, request, "gradients")) continue;
            if (HasFailure()) FAIL() << "seed " << seed << ", request " << i;
            ++compared;
        }
    }
    EXPECT_GT(compared, 5000U);
}

} // namespace
} // namespace isbesim::test
