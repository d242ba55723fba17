"""The one object that widgets read, call and listen to, a file per topic."""
