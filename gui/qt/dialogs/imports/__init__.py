"""Sheets for robots and logs from files."""
