"""Lessons: a text file in which students predict, see and explain; see docs/write-a-lesson.md."""

PREFIX = "lesson:"
"""What stands before a lesson's key where a file is expected: `armstep open lesson:order`."""
