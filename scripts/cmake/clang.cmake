# SPDX-License-Identifier: Apache-2.0
# Toolchain of the preset for clang: version 16 on Debian 12, whose default is 14, otherwise the release's default.
find_program(isbesim_clang NAMES clang-16 clang REQUIRED)
find_program(isbesim_clangxx NAMES clang++-16 clang++ REQUIRED)
set(CMAKE_C_COMPILER "${isbesim_clang}")
set(CMAKE_CXX_COMPILER "${isbesim_clangxx}")
