"""The application: its state, its window, its command line."""
