"""Lessons in the window: text with formulas, predictions, the panel, answers as files."""
