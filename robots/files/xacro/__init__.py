"""Xacro: the part of it that describes robots, expanded without executing anything."""
