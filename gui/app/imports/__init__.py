"""Robots and logs from files."""
