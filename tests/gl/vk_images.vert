// SPDX-License-Identifier: Apache-2.0
#version 460
layout(constant_id = 0) const int pairs = 1;
layout(location = 0) in vec4 rows[2 * pairs];
layout(location = 2) in uvec2 last;
layout(binding = 0) uniform sampler2D plane;
layout(binding = 1) uniform samplerBuffer texels;
layout(binding = 2) uniform usampler2DArray layers[2 * pairs];
layout(binding = 3, r32ui) uniform readonly uimage3D solid;
layout(binding = 4, rgba32i) uniform readonly iimageCube cube;
layout(binding = 5, r32ui) uniform readonly uimageBuffer words;
layout(binding = 6) uniform sampler nearest;
layout(set = 1, binding = 0) uniform texture1D line;
layout(set = 1, binding = 1) uniform sampler2DShadow depths;
layout(location = 0) flat out uvec4 b;
layout(location = 1) flat out uvec4 c;
layout(location = 2) out vec4 d;
layout(location = 3) flat out uint e;

void main()
{
    int v = gl_VertexIndex, x = v % 8;
    float middle = (float(x) + 0.5) / 8.0;
    gl_Position = texelFetch(plane, ivec2(x, v / 8 + 2), 0) + texelFetch(texels, v);
    b = texelFetch(layers[1], ivec3(x, 1, 5), 0);
    c.x = imageLoad(solid, ivec3(1, x, 2)).x;
    c.y = uint(imageLoad(cube, ivec3(x, 0, 3)).y);
    c.z = imageLoad(words, 100 + v).x;
    c.w = uint(textureLod(depths, vec3(middle, 0.0, 0.03), 0.0));
    d = textureLod(sampler1D(line, nearest), middle, 0.0);
    e = last.x + uint(16.0 * rows[2 * pairs - 1].x);
    d.zw = vec2(textureSize(layers[0], 0).z, imageSize(solid).x);
}
