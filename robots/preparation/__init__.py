"""Compiles, before anybody waits for it, everything that the presets and their methods need."""
