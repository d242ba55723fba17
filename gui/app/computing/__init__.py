"""Runs and what follows from them, computed in the background."""
