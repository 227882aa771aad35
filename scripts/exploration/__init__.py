# SPDX-License-Identifier: Apache-2.0
"""Architecture exploration: sweeps over machines and draws. `scripts/explore` is the command, README.md its manual."""
