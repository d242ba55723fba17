"""What to simulate: the scenario as a value, as a file, and as presets."""
