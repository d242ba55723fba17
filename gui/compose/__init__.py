"""Pictures from runs, playhead and view, for window and exported files alike. No Qt."""
