#version 450
// SPDX-License-Identifier: Apache-2.0
void main() {}
