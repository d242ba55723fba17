"""The robots, one folder each, found by robots.model.registry."""
