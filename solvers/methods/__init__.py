"""The methods, one family per file. A file has a function `methods()` that returns its Method values; nothing else is needed."""
