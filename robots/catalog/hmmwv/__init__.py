"""The 14-body vehicle of paper 4."""
