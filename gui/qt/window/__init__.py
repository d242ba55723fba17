"""The main window: its frame, commands and keys."""
