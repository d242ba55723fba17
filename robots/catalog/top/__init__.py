"""A rigid body that turns about a fixed point."""
