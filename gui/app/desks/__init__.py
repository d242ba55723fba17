"""Tools that measure behind the window, and keep what they find with the document."""
