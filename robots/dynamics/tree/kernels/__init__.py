"""Compiled dynamics of trees."""
