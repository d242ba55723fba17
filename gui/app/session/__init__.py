"""The whole state of the application: a small object and its parts, one responsibility each."""
