"""Lessons: a text file in which students predict, see and explain; see docs/write-a-lesson.md."""
