#version 450
// SPDX-License-Identifier: Apache-2.0
layout(location=0) in uvec4 first_in;
layout(location=1) in uvec4 second_in;
layout(location=2) in uvec4 third_in;
layout(location=0) out uvec4 first;
layout(location=1) out uvec4 second;
layout(location=2) out uvec4 third;
layout(location=3) out int number;
void main()
{
	first = first_in;
	second = second_in;
	third = third_in;
	number = gl_VertexIndex;
}
