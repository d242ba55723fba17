"""The 3D view and what lies over it."""
