"""Measurements, one file each; `python -m benchmarks` runs them all. No test is timed."""
