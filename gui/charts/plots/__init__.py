"""The plots: one file each, found by `gui/charts/registry.py`."""
