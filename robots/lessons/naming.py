"""How a lesson is called where a file is expected."""

PREFIX = "lesson:"
"""What stands before its key: `armstep open lesson:order`."""
