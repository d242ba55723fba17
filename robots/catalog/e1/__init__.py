"""E1 of paper 5: one motor and one passive joint."""
