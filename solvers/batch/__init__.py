"""Many problems of one kind, integrated one after another inside compiled code."""
