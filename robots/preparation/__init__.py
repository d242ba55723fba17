"""Compiles ahead everything that the presets and their methods need."""
