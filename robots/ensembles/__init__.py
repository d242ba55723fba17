"""Ensembles: many runs of a scenario whose numbers are drawn from distributions."""
