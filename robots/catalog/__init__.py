"""The robots, one file each, found by robots.catalogue."""
