// SPDX-License-Identifier: Apache-2.0
#version 460
struct light { vec3 color; float weight[2]; };
struct item { vec3 where; float size[2]; };
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 c;
layout(push_constant) uniform pushed { mat3 turn; int count; };
layout(std140, set = 0, binding = 0) uniform Blk { vec4 tint; light lights[2]; layout(row_major) mat2x3 rows; } here;
layout(std430, set = 1, binding = 2) buffer B { int k; float b[]; };
layout(std430, set = 1, binding = 3) buffer C { item items[]; };

void main()
{
    vec4 sum = vec4(0);
    for (int i = 0; i < count; ++i) sum += p * float(i);
    c = sum + here.tint + vec4(turn * vec3(1, 10, 100), 0) + b[k] +
        vec4(here.lights[1].color * here.lights[1].weight[1],
             items[3].where.y + items[2].size[1] + (here.rows * vec2(1, 10)).y);
    gl_Position = p;
}
