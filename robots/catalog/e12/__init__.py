"""E12 of paper 5: a planar arm with flexible joints and links."""
