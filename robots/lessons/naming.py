"""How a lesson is named where a file is expected."""

PREFIX = "lesson:"
"""What stands before its key: `armstep open lesson:order`."""
