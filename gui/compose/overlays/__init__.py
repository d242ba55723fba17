"""What is drawn with the arms: each file is one overlay, its `OVERLAY`."""
