"""Planar arms with flexible joints: inverse dynamics, forward simulation, analysis."""
