"""A planar arm with two motors and two passive joints."""
