"""The whole state of the application: one object and its parts, with one responsibility each."""
