"""Integrating equations given as a Python function, with scipy's interface."""
