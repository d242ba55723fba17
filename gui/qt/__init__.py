"""The window: each widget is a view of gui.app."""
