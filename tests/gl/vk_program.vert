// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 0) buffer Stored { uint stored[]; };
layout(set = 0, binding = 1) uniform Given { uvec4 given[4]; };
layout(push_constant) uniform Pushed { uint pushed; };
layout(location = 0) in uvec2 row;
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) flat out uvec4 result;

void main()
{
    uint number = uint(gl_VertexIndex) + 8u * uint(gl_InstanceIndex);
    result = uvec4(gl_VertexIndex, row.y, pushed * row.x + given[1].z, gl_InstanceIndex);
    stored[number] = 1000u + number * given[0].y;
    gl_Position = vec4(0.0);
}
