#version 450
// SPDX-License-Identifier: Apache-2.0
layout(location=0) flat out int number;
void main() { number = gl_VertexIndex; }
