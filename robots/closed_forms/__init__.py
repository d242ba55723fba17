"""Equations of motion in elementary operations, one file per robot: for power series and customised kernels."""
