"""Questions of an architect, one command each: scripts/studies/run NAME."""
