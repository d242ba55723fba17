"""Integrating equations that a person wrote as a Python function, with the interface that scipy made a standard."""
