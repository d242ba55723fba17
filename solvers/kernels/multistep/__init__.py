"""Kernels of methods that remember earlier steps: Adams and BDF, with equal steps and with variable ones."""
