// SPDX-License-Identifier: Apache-2.0
#version 450
layout(local_size_x = 8, local_size_y = 4, local_size_z = 3) in;
layout(set = 0, binding = 0) buffer Stored { uint stored[]; };
layout(set = 0, binding = 1) uniform Given { uvec4 given[4]; };
layout(push_constant) uniform Pushed { uint pushed; };
shared uint turned[96];
shared uint sum;

// Three warps: what each leaves the next ones read, and lanes that differ wait at the same barrier.
void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
    if (lane == 0u) sum = 0u;
    turned[lane] = lane * pushed + gl_LocalInvocationID.z * 1000u + gl_LocalInvocationID.y * 100u + given[2].x;
    barrier();
    uint mine = turned[95u - lane];
    for (uint i = 0u; i < lane % 3u; ++i) mine += i * given[0].y;
    for (uint step = 1u; step < 96u; step *= 2u) {
        barrier();
        uint other = lane >= step ? turned[lane - step] : 0u;
        barrier();
        turned[lane] += other;
    }
    atomicAdd(sum, mine);
    atomicMax(stored[60], mine);
    atomicAdd(stored[61], 1u);
    atomicXor(stored[62], mine << (lane & 7u));
    atomicCompSwap(stored[63], 0u, 77u);
    barrier();
    if (lane < 4u) stored[group * 8u + lane] = turned[lane * 31u];
    if (lane == 95u) stored[group * 8u + 4u] = sum;
    if (lane == 40u) stored[group * 8u + 5u] = gl_NumWorkGroups.x * 10u + gl_NumWorkGroups.y;
}
