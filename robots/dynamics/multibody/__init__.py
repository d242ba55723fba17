"""Constrained multibody systems: bodies, joints, forces, and the reduction to their independent coordinates."""
