// SPDX-License-Identifier: Apache-2.0
#version 460
// SAMPLER is the type of the image, LEVEL names a level where there are levels, PLACE is the texel of vertex v. Numbers of
// fixed point are scaled and rounded.
layout(binding = 0) uniform SAMPLER image;
layout(push_constant) uniform pushed { int level, scale; };
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16) flat out uvec4 result;

uvec4 bits(vec4 texel)
{
    return scale != 0 ? uvec4(round(texel * float(scale))) : floatBitsToUint(texel);
}
uvec4 bits(uvec4 texel)
{
    return texel;
}
uvec4 bits(ivec4 texel)
{
    return uvec4(texel);
}

void main()
{
    int v = gl_VertexIndex;
    ivec2 size = textureSize(image LEVEL).xy;
    ivec3 place = ivec3(v % size.x, v / size.x % size.y, v / (size.x * size.y));
    gl_Position = vec4(0.0);
    result = bits(texelFetch(image, PLACE));
}
