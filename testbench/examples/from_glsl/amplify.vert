#version 430
// A particle: where it is and how large.
layout(location = 0) in vec4 place;
out vec4 centre;
out float size;

void main()
{
    centre = place;
    size = 0.1 + 0.4 * place.w;
}
