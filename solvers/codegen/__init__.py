"""Kernels written for one pair of problem and method."""
