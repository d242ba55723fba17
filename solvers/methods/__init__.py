"""The methods, one family per file: a file has a function `methods()` that returns its Method values."""
