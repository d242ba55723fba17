"""Robots from files: readers, and the report of what each file holds."""
