"""The docks: each file is one panel, found by the registry."""
