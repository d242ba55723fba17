"""Compiled equations of motion; imported only when something is to be computed."""
