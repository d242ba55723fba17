"""The application without a window: what is edited, which runs are shown, playhead, undo, jobs."""
