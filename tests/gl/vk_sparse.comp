// SPDX-License-Identifier: Apache-2.0
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Stored { uint stored[]; };
layout(set = 0, binding = 2) buffer Sparse { uint words[]; };
// Reads around both ends of the part without memory, and after it the same bytes as at the start.
void main()
{
    uint lane = gl_LocalInvocationIndex;
    if (gl_WorkGroupID.x + gl_WorkGroupID.y != 0u) return;
    stored[lane] = words[16384u - 8u + lane];
    stored[16u + lane] = words[32768u - 8u + lane];
    words[lane + 40000u] = 5u + lane;
    memoryBarrierBuffer();
    barrier();
    stored[32u + lane] = words[40000u - 32768u + 15u - lane] + words[30000u + lane];
}
