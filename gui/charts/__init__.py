"""Charts as values: what is drawn over which axes. No Qt."""
