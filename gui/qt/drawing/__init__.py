"""What is painted in 2D over and beside the scene: charts, captions, legends, for window and exported files alike."""
