# SPDX-License-Identifier: Apache-2.0
"""Questions of an architect, one command each: scripts/studies/run NAME."""
