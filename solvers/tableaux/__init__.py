"""Butcher tableaux: exact numbers, order conditions, stability."""
