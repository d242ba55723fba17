"""States between the kept steps."""
