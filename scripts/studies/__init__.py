"""Questions of an architect, answered with one command each: scripts/studies/run NAME."""
