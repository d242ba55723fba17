"""The plots: each file is one plot of the shown runs, found by the registry."""
