// SPDX-License-Identifier: Apache-2.0
#version 460
layout(set = 0, binding = 0) buffer Stored { uint stored[]; };
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) flat out uvec4 result;
void main()
{
    result = uvec4(gl_VertexIndex, gl_DrawID, gl_InstanceIndex, gl_BaseVertex);
    stored[uint(gl_VertexIndex)] = 100u + uint(gl_DrawID);
    gl_Position = vec4(0.0);
}
