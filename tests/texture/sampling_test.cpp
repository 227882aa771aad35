// SPDX-License-Identifier: Apache-2.0
// Samples of random images by random samplers against the reference in double precision.
#include <gtest/gtest.h>

#include "tests/texture/random_texture.h"

namespace isbesim::test {
namespace {

void expect_near(const texel& got, const reference_result& wanted, const char* what)
{
    for (unsigned c = 0; c < 4; ++c)
        EXPECT_NEAR(float_of(got[c]), wanted.value[c], 2e-4) << what << ", component " << c;
}

/// False if the reference is so near to a step that rounding decides its value.
bool compared_sample(const random_texture& texture, const random_request& request, const char* what)
{
    const reference_result wanted = reference_sample(texture.reference, texture.state, request.reference);
    if (wanted.margin < 1e-3) return false;
    texel got{};
    EXPECT_EQ(texture.bench->unit.sample(request.unit, got), fault::none);
    expect_near(got, wanted, what);
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
            request.at = where.unit.at;
            request.layer = where.unit.layer;
            request.component = 0;
            for (auto& offset : request.offsets) offset = {where.unit.offset[0], where.unit.offset[1]};
            double margin = 1;
            const auto wanted = reference_gather(texture.reference, texture.state, where.reference, margin);
            if (margin < 1e-3) continue;
            texel got{};
            ASSERT_EQ(texture.bench->unit.gather(request, got), fault::none);
            for (unsigned c = 0; c < 4; ++c)
                ASSERT_NEAR(float_of(got[c]), wanted[c], 1e-6)
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
