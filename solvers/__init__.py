"""Integrators and what they need: problems, methods, controllers, the one integration loop, solutions."""
