"""The two-link RR arm of paper 2."""
