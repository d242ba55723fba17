"""Charts in sheets whose points and cells are runs."""
