#version 430
// Three squares of shrinking size for each particle.
layout(points) in;
layout(triangle_strip, max_vertices = 12) out;
in vec4 centre[];
in float size[];
out vec4 colour;
out vec2 corner;

void main()
{
    for (int square = 0; square < 3; ++square) {
        float half_side = size[0] / float(1 << square);
        for (int i = 0; i < 4; ++i) {
            corner = vec2(i & 1, i >> 1) * 2.0 - 1.0;
            colour = vec4(corner, float(square), 1.0);
            gl_Position = vec4(centre[0].xy + corner * half_side, centre[0].z, 1.0);
            EmitVertex();
        }
        EndPrimitive();
    }
}
