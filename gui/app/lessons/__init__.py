"""Lessons in the window, without Qt: the open lesson, its predictions, polls, progress."""
