"""Tools that measure in the background and keep their results in the document."""
