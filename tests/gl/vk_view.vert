// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_EXT_multiview : require
layout(set = 0, binding = 0) buffer Stored { uint stored[]; };
void main()
{
    stored[8u * uint(gl_ViewIndex) + uint(gl_VertexIndex)] = 100u + 10u * uint(gl_ViewIndex) + uint(gl_InstanceIndex);
    gl_Position = vec4(0.0);
}
